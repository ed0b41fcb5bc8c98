//! Logical types of stored values, and the cells that values of each type become.

use super::DecodeFault;
use crate::budget::Budget;
use crate::table::{CellType, ColumnBuilder, Schema};
use gridscope_core::calendar::{Resolution as Unit, date_text};
use std::sync::Arc;

/// Digits of a decimal that an i64 always holds.
const I64_DIGITS: i32 = 18;

/// The logical type of a column's stored values.
#[cfg_attr(not(all(feature = "parquet", feature = "arrow")), allow(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueType {
    Signed,
    Unsigned,
    Single,
    Double,
    Bool,
    /// Integers whose decimal point is this many digits from the right.
    Decimal(i32),
    Date,
    /// Time of day.
    Time(Unit),
    /// Length of time, which becomes seconds.
    Duration(Unit),
    /// Months, quarters or days since 1970, as periods of pandas.
    #[cfg(feature = "parquet")]
    Period(Period),
    /// Time since 1970, and whether it is in UTC.
    Timestamp(Unit, bool),
    /// UTF-8.
    Text,
    /// Bytes that may be UTF-8.
    Bytes,
    Uuid,
    /// No value in any row.
    Null,
}

/// Unit of periods that are counted since 1970.
#[cfg(feature = "parquet")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Period {
    Years,
    Quarters,
    Months,
    Days,
}

#[cfg(feature = "parquet")]
impl Period {
    /// That of a frequency of pandas.
    pub(crate) fn of(frequency: &str) -> Option<Self> {
        let name = frequency.split('-').next().unwrap_or_default();
        match name {
            "A" | "Y" | "YE" => Some(Self::Years),
            "Q" | "QE" => Some(Self::Quarters),
            "M" | "ME" => Some(Self::Months),
            "D" => Some(Self::Days),
            _ => None,
        }
    }

    fn text(self, value: i64) -> String {
        let month = |n: i64| format!("{:04}-{:02}", 1970 + n.div_euclid(12), n.rem_euclid(12) + 1);
        match self {
            Self::Years => format!("{}", 1970 + value),
            Self::Quarters => format!("{}Q{}", 1970 + value.div_euclid(4), value.rem_euclid(4) + 1),
            Self::Months => month(value),
            Self::Days => date_text(value),
        }
    }
}

/// Says which columns of these types are lengths of time.
pub(crate) fn set_durations(types: impl Iterator<Item = ValueType>, schema: &mut Schema) {
    let lengths = types.enumerate().filter(|(_, of)| matches!(of, ValueType::Duration(_)));
    lengths.for_each(|(column, _)| schema.set_duration(column));
}

impl ValueType {
    /// The type of decimals with these digits.
    pub(crate) fn decimal(precision: i32, scale: i32) -> Self {
        if scale == 0 && (0..=I64_DIGITS).contains(&precision) {
            ValueType::Signed
        } else {
            ValueType::Decimal(scale)
        }
    }

    fn cell_type(self) -> CellType {
        match self {
            ValueType::Signed => CellType::I64,
            ValueType::Unsigned => CellType::U64,
            ValueType::Single => CellType::F32,
            ValueType::Double | ValueType::Decimal(_) | ValueType::Duration(_) => CellType::F64,
            _ => CellType::Text,
        }
    }

    /// A column without rows.
    #[cfg(any(feature = "arrow", test))]
    pub(crate) fn column(self, budget: &Arc<Budget>) -> ColumnBuilder {
        ColumnBuilder::new(self.cell_type(), budget)
    }

    /// A column whose rows are read and cleared, at most `rows` at a time.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn reused_column(
        self,
        rows: usize,
        budget: &Arc<Budget>,
    ) -> Result<ColumnBuilder, DecodeFault> {
        Ok(ColumnBuilder::reused(self.cell_type(), rows, budget)?)
    }

    /// Adds a row with a value that is stored as an integer; unsigned ones have the bits of a u64.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn push_integer(self, value: i64, into: &mut ColumnBuilder) -> Result<(), DecodeFault> {
        match self {
            ValueType::Unsigned => into.push_u64(value as u64)?,
            ValueType::Decimal(scale) => into.push_f64(decimal(i128::from(value), scale))?,
            ValueType::Duration(unit) => into.push_f64(value as f64 / unit.per_second() as f64)?,
            #[cfg(feature = "parquet")]
            ValueType::Period(period) => drop(into.push_rendered(value, |v| period.text(v))?),
            ValueType::Date => drop(into.push_rendered(value, date_text)?),
            ValueType::Time(unit) => drop(into.push_rendered(value, |v| unit.clock_text(v))?),
            ValueType::Timestamp(unit, utc) => {
                into.push_rendered(value, |v| unit.instant_text(v, utc))?;
            }
            ValueType::Bool => drop(into.push_rendered(value, |v| (v != 0).to_string())?),
            _ => into.push_i64(value)?,
        }
        Ok(())
    }

    /// Adds a row with a decimal, its digits as an integer.
    ///
    /// # Errors
    /// More digits than its type has, or too little memory.
    pub(crate) fn push_decimal(self, digits: i128, into: &mut ColumnBuilder) -> Result<(), DecodeFault> {
        match self {
            ValueType::Decimal(scale) => into.push_f64(decimal(digits, scale))?,
            _ => {
                let value = i64::try_from(digits);
                into.push_i64(
                    value.map_err(|_| DecodeFault::damaged(format!("{digits} has too many digits")))?,
                )?;
            }
        }
        Ok(())
    }

    /// Adds a row with a decimal, its digits as the bytes of an integer of any width, the highest byte first.
    ///
    /// # Errors
    /// More digits than its type has, or too little memory.
    pub(crate) fn push_wide_decimal(self, bytes: &[u8], into: &mut ColumnBuilder) -> Result<(), DecodeFault> {
        let negative = bytes.first().is_some_and(|b| *b >= 0x80);
        let sign = if negative { 0xff } else { 0 };
        let (high, low) = bytes.split_at(bytes.len().saturating_sub(16));
        let fits = high.iter().all(|b| *b == sign) && (high.is_empty() || (low[0] >= 0x80) == negative);
        if fits {
            let mut wide = [sign; 16];
            wide[16 - low.len()..].copy_from_slice(low);
            return self.push_decimal(i128::from_be_bytes(wide), into);
        }
        let ValueType::Decimal(scale) = self else {
            return Err(DecodeFault::damaged("a decimal has too many digits"));
        };
        let text = format!("{}e{}", digits_of(bytes, negative), -i64::from(scale));
        into.push_f64(text.parse().unwrap_or(f64::NAN))?;
        Ok(())
    }

    /// Adds a row with a text, and returns the text's code.
    ///
    /// # Errors
    /// Text that is not UTF-8, or too little memory.
    pub(crate) fn push_bytes(self, bytes: &[u8], into: &mut ColumnBuilder) -> Result<u32, DecodeFault> {
        into.push_bytes(bytes, |bytes| text_of(self, bytes))
    }
}

/// The number nearest to digits whose decimal point is `scale` digits from the right.
fn decimal(digits: i128, scale: i32) -> f64 {
    const EXACT: u128 = 1 << 53;
    if digits.unsigned_abs() <= EXACT && (0..=22).contains(&scale) {
        // Both are exact, so the quotient is rounded once.
        return digits as f64 / 10f64.powi(scale);
    }
    // Parsing rounds a text to the nearest number.
    format!("{digits}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN)
}

/// The digits of an integer of any width, the highest byte first.
fn digits_of(bytes: &[u8], negative: bool) -> String {
    let mut left: Vec<u8> = bytes.iter().map(|b| if negative { !b } else { *b }).collect();
    if negative {
        for b in left.iter_mut().rev() {
            *b = b.wrapping_add(1);
            if *b != 0 {
                break;
            }
        }
    }
    let mut out = Vec::new();
    while left.iter().any(|b| *b != 0) {
        let mut rest = 0u32;
        for b in &mut left {
            let whole = rest << 8 | u32::from(*b);
            (*b, rest) = ((whole / 10) as u8, whole % 10);
        }
        out.push(b'0' + rest as u8);
    }
    let sign = if negative { "-" } else { "" };
    out.iter().rev().fold(sign.to_owned(), |t, d| t + &char::from(*d).to_string())
}

fn text_of(kind: ValueType, bytes: &[u8]) -> Result<String, DecodeFault> {
    let hex = |b: &[u8]| b.iter().map(|b| format!("{b:02x}")).collect::<String>();
    match (kind, std::str::from_utf8(bytes)) {
        (ValueType::Uuid, _) if bytes.len() == 16 => {
            Ok([&bytes[..4], &bytes[4..6], &bytes[6..8], &bytes[8..10], &bytes[10..]].map(hex).join("-"))
        }
        (ValueType::Text, Err(_)) => Err(DecodeFault::damaged("a text is not UTF-8")),
        (ValueType::Text | ValueType::Bytes, Ok(text)) => Ok(text.to_owned()),
        _ => Ok(format!("0x{}", hex(bytes))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, ColumnValues};

    /// The column that `fill` makes of one of a type.
    fn column(
        kind: ValueType,
        fill: impl FnOnce(&mut ColumnBuilder) -> Result<(), DecodeFault>,
    ) -> Result<Column, DecodeFault> {
        let mut into = kind.column(&Budget::new(1 << 20));
        fill(&mut into)?;
        Ok(into.finish("a")?.0)
    }

    fn of_integers(kind: ValueType, values: &[i64]) -> Column {
        column(kind, |into| values.iter().try_for_each(|v| kind.push_integer(*v, into))).unwrap()
    }

    fn of_bytes(kind: ValueType, values: &[&[u8]]) -> Result<Column, DecodeFault> {
        column(kind, |into| values.iter().try_for_each(|v| kind.push_bytes(v, into).map(|_| ())))
    }

    fn texts(c: &Column) -> Vec<&str> {
        let ColumnValues::Texts { codes, texts } = &c.cells else { panic!("{c:?}") };
        codes.iter().map(|&i| texts[i as usize].as_str()).collect()
    }

    #[test]
    fn values_become_cells_of_their_type() {
        let cells = |kind, values| of_integers(kind, values).cells;
        assert_eq!(cells(ValueType::Signed, &[i64::MIN]), ColumnValues::I64(vec![i64::MIN]));
        assert_eq!(cells(ValueType::Unsigned, &[-1]), ColumnValues::U64(vec![u64::MAX]));
        assert_eq!(cells(ValueType::Decimal(2), &[-312, 5]), ColumnValues::F64(vec![-3.12, 0.05]));
        assert_eq!(ValueType::decimal(18, 0), ValueType::Signed);
        assert_eq!(ValueType::decimal(19, 0), ValueType::Decimal(0));
        let bools = of_integers(ValueType::Bool, &[1, 0, 1]);
        assert_eq!(texts(&bools), ["true", "false", "true"]);
        assert_eq!(texts(&of_integers(ValueType::Date, &[0, 1])), ["1970-01-01", "1970-01-02"]);
        let times = of_integers(ValueType::Timestamp(Unit::Seconds, true), &[60]);
        assert_eq!(texts(&times), ["1970-01-01T00:01:00Z"]);
        let bytes = of_bytes(ValueType::Bytes, &[b"ab", b"\xff\0"]).unwrap();
        assert_eq!(texts(&bytes), ["ab", "0xff00"]);
        assert!(of_bytes(ValueType::Text, &[b"\xff"]).is_err());
        let uuid = of_bytes(ValueType::Uuid, &[&[0x12; 16]]).unwrap();
        assert_eq!(texts(&uuid), ["12121212-1212-1212-1212-121212121212"]);
    }

    #[test]
    fn decimals_are_the_nearest_numbers() {
        assert_eq!(decimal(1, 1), 0.1);
        assert_eq!(decimal(123_456_789_012_345_678_901_234_567_890, 20), 1_234_567_890.123_456_8);
        assert_eq!(decimal(7, -3), 7000.0);
        assert_eq!(decimal(i128::MIN, 0), -2f64.powi(127));
        assert_eq!(decimal(1, i32::MAX), 0.0);
        let of = |bytes: &[u8]| {
            let kind = ValueType::Decimal(1);
            let ColumnValues::F64(v) =
                column(kind, |into| kind.push_wide_decimal(bytes, into)).unwrap().cells
            else {
                panic!()
            };
            v[0]
        };
        assert_eq!((of(&[0x7f]), of(&[0xff, 0xfe]), of(&[])), (12.7, -0.2, 0.0));
        let mut wide = [0; 32];
        wide[8] = 1;
        assert_eq!(of(&wide), 2f64.powi(184) / 10.0);
        assert_eq!(of(&[[0xff; 8], [0; 8], [0; 8], [0; 8]].concat()), -2f64.powi(192) / 10.0);
        let whole =
            |bytes: &[u8]| column(ValueType::Signed, |into| ValueType::Signed.push_wide_decimal(bytes, into));
        assert!(whole(&wide).is_err() && whole(&[1; 9]).is_err());
        assert_eq!(whole(&[0xff]).unwrap().cells, ColumnValues::I64(vec![-1]));
    }
}

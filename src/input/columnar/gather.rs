//! A column that grows by the values of a file, under a budget of bytes.

use super::budget::Budget;
use super::dates::{Unit, clock, date, instant};
use super::fault::Fault;
use crate::input::budget::Taken;
use crate::input::table::{TypedCells, TypedColumn};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// What the stored values of a column stand for.
#[cfg_attr(not(all(feature = "parquet", feature = "arrow")), allow(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Signed,
    Unsigned,
    Single,
    Double,
    Truth,
    /// Whole numbers with a point so many digits from their end.
    Decimal(i32),
    Days,
    Clock(Unit),
    /// A time since 1970; whether it is of UTC.
    Instant(Unit, bool),
    /// UTF-8.
    Text,
    /// Bytes that may be UTF-8.
    Bytes,
    Uuid,
    /// No value in any row.
    Nothing,
}

/// A column while it is read.
#[derive(Debug)]
pub(super) struct Gather {
    meaning: Meaning,
    cells: TypedCells,
    /// Of each row, once one has no value.
    valid: Option<Vec<bool>>,
    by_bytes: HashMap<Box<[u8]>, u32, RandomState>,
    by_number: HashMap<i64, u32, RandomState>,
    /// What its texts take.
    room: Taken,
    /// What the rows take that go as they are read.
    #[cfg(feature = "parquet")]
    rows: u64,
}

/// Bytes of a row that is looked at and forgotten.
#[cfg(feature = "parquet")]
const ROW: u64 = 24;

impl Gather {
    pub fn new(meaning: Meaning, budget: &Arc<Budget>) -> Self {
        let cells = match meaning {
            Meaning::Signed => TypedCells::I64(Vec::new()),
            Meaning::Unsigned => TypedCells::U64(Vec::new()),
            Meaning::Single => TypedCells::F32(Vec::new()),
            Meaning::Double | Meaning::Decimal(_) => TypedCells::F64(Vec::new()),
            _ => TypedCells::Texts {
                codes: Vec::new(),
                texts: Vec::new(),
            },
        };
        Self {
            meaning,
            cells,
            valid: None,
            by_bytes: HashMap::default(),
            by_number: HashMap::default(),
            room: budget.nothing(),
            #[cfg(feature = "parquet")]
            rows: 0,
        }
    }

    /// The same for rows that are looked at and forgotten, so many at a time.
    ///
    /// # Errors
    /// Too little memory.
    #[cfg(feature = "parquet")]
    pub fn streamed(meaning: Meaning, rows: usize, budget: &Arc<Budget>) -> Result<Self, Fault> {
        let mut gather = Self::new(meaning, budget);
        gather.rows = ROW * rows as u64;
        gather.room.more(gather.rows)?;
        Ok(gather)
    }

    /// Forgets its rows, and their texts once they are many.
    #[cfg(feature = "parquet")]
    pub fn forget(&mut self) {
        const MANY: usize = 1 << 16;
        self.valid = None;
        match &mut self.cells {
            TypedCells::I64(v) => v.clear(),
            TypedCells::U64(v) => v.clear(),
            TypedCells::F32(v) => v.clear(),
            TypedCells::F64(v) => v.clear(),
            TypedCells::Texts { codes, texts } => {
                codes.clear();
                if texts.len() > MANY {
                    texts.clear();
                    self.by_bytes.clear();
                    self.by_number.clear();
                    self.room.shrink_to(self.rows);
                }
            }
        }
    }

    /// The values of the rows, and which have one.
    #[cfg(feature = "parquet")]
    pub fn cells(&self) -> (&TypedCells, Option<&[bool]>) {
        (&self.cells, self.valid.as_deref())
    }

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Makes room for further rows, which the budget has passed.
    pub fn reserve(&mut self, rows: usize) -> Result<(), Fault> {
        let done = match &mut self.cells {
            TypedCells::I64(v) => v.try_reserve(rows),
            TypedCells::U64(v) => v.try_reserve(rows),
            TypedCells::F32(v) => v.try_reserve(rows),
            TypedCells::F64(v) => v.try_reserve(rows),
            TypedCells::Texts { codes, .. } => codes.try_reserve(rows),
        };
        done.map_err(|_| Fault::Limit(format!("no memory for {rows} rows")))
    }

    fn pushed(&mut self) {
        if let Some(valid) = &mut self.valid {
            valid.push(true);
        }
    }

    /// A row without a value.
    pub fn missing(&mut self) {
        let rows = self.len();
        self.valid.get_or_insert_with(|| vec![true; rows]).push(false);
        match &mut self.cells {
            TypedCells::I64(v) => v.push(0),
            TypedCells::U64(v) => v.push(0),
            TypedCells::F32(v) => v.push(0.0),
            TypedCells::F64(v) => v.push(0.0),
            TypedCells::Texts { codes, texts } => {
                if texts.is_empty() {
                    texts.push(String::new());
                }
                codes.push(0);
            }
        }
    }

    /// A row with a whole number, or what is stored as one.
    pub fn whole(&mut self, value: i64) -> Result<(), Fault> {
        match (&mut self.cells, self.meaning) {
            (TypedCells::I64(v), _) => v.push(value),
            (TypedCells::U64(v), _) => v.push(value as u64),
            (TypedCells::F64(v), Meaning::Decimal(scale)) => v.push(decimal(i128::from(value), scale)),
            (TypedCells::Texts { codes, texts }, meaning) => {
                let known = self.by_number.get(&value).copied();
                let code = match known {
                    Some(code) => code,
                    None => {
                        let text = match meaning {
                            Meaning::Days => date(value),
                            Meaning::Clock(unit) => clock(value, unit),
                            Meaning::Instant(unit, utc) => instant(value, unit, utc),
                            _ => (value != 0).to_string(),
                        };
                        self.room.owe(text.len() as u64 + 64)?;
                        texts.push(text);
                        self.by_number.insert(value, texts.len() as u32 - 1);
                        texts.len() as u32 - 1
                    }
                };
                codes.push(code);
            }
            _ => return Err(Fault::damaged("a whole number in a column of others")),
        }
        self.pushed();
        Ok(())
    }

    /// A row with a decimal number, its digits as a whole one.
    pub fn wide(&mut self, value: i128) -> Result<(), Fault> {
        match (&mut self.cells, self.meaning) {
            (TypedCells::F64(v), Meaning::Decimal(scale)) => v.push(decimal(value, scale)),
            (TypedCells::I64(v), _) => v.push(
                i64::try_from(value).map_err(|_| Fault::damaged(format!("{value} has too many digits")))?,
            ),
            _ => return Err(Fault::damaged("a decimal in a column of others")),
        }
        self.pushed();
        Ok(())
    }

    /// A row with a decimal number, its digits as the bytes of a whole one, the highest first.
    pub fn big_endian(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let sign = if bytes.first().is_some_and(|b| *b >= 0x80) {
            0xff
        } else {
            0
        };
        let (high, low) = bytes.split_at(bytes.len().saturating_sub(16));
        let fits = high.iter().all(|b| *b == sign) && (high.is_empty() || (low[0] >= 0x80) == (sign == 0xff));
        if fits {
            let mut wide = [sign; 16];
            wide[16 - low.len()..].copy_from_slice(low);
            return self.wide(i128::from_be_bytes(wide));
        }
        let (TypedCells::F64(v), Meaning::Decimal(scale)) = (&mut self.cells, self.meaning) else {
            return Err(Fault::damaged("a decimal has too many digits"));
        };
        v.push(
            format!("{}e{}", digits(bytes, sign == 0xff), -i64::from(scale))
                .parse()
                .unwrap_or(f64::NAN),
        );
        self.pushed();
        Ok(())
    }

    /// A row with a number.
    pub fn number(&mut self, value: f64) {
        match &mut self.cells {
            // A single keeps its own digits.
            TypedCells::F32(v) => v.push(value as f32),
            TypedCells::F64(v) => v.push(value),
            _ => return self.missing(),
        }
        self.pushed();
    }

    /// Rows with a number each.
    #[cfg(feature = "parquet")]
    pub fn doubles(&mut self, values: &[f64]) {
        let TypedCells::F64(v) = &mut self.cells else {
            return values.iter().for_each(|v| self.number(*v));
        };
        v.extend_from_slice(values);
        if let Some(valid) = &mut self.valid {
            valid.resize(v.len(), true);
        }
    }

    /// A row with a text.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let TypedCells::Texts { codes, texts } = &mut self.cells else {
            return Err(Fault::damaged("a text in a column of numbers"));
        };
        let code = match self.by_bytes.get(bytes) {
            Some(code) => *code,
            None => {
                let text = shown(self.meaning, bytes)?;
                self.room.owe((text.len() + bytes.len()) as u64 + 96)?;
                texts.push(text);
                self.by_bytes.insert(bytes.into(), texts.len() as u32 - 1);
                texts.len() as u32 - 1
            }
        };
        codes.push(code);
        self.pushed();
        Ok(())
    }

    /// The code of the last row's text.
    pub fn last_code(&self) -> Option<u32> {
        match &self.cells {
            TypedCells::Texts { codes, .. } => codes.last().copied(),
            _ => None,
        }
    }

    /// A row with a text that another has, by its code.
    pub fn again(&mut self, code: u32) {
        if let TypedCells::Texts { codes, .. } = &mut self.cells {
            codes.push(code);
            self.pushed();
        }
    }

    /// A row with the value of another column's row.
    #[cfg(feature = "arrow")]
    pub fn copied(&mut self, from: &Gather, row: usize) -> Result<(), Fault> {
        if !from.has(row) {
            self.missing();
            return Ok(());
        }
        match (&mut self.cells, &from.cells) {
            (TypedCells::I64(v), TypedCells::I64(w)) => v.push(w[row]),
            (TypedCells::U64(v), TypedCells::U64(w)) => v.push(w[row]),
            (TypedCells::F32(v), TypedCells::F32(w)) => v.push(w[row]),
            (TypedCells::F64(v), TypedCells::F64(w)) => v.push(w[row]),
            (TypedCells::Texts { .. }, TypedCells::Texts { codes, texts }) => {
                // It is a text already, whatever it stood for.
                let meaning = std::mem::replace(&mut self.meaning, Meaning::Text);
                let done = self.bytes(texts[codes[row] as usize].as_bytes());
                self.meaning = meaning;
                return done;
            }
            _ => return Err(Fault::damaged("a dictionary of another type")),
        }
        self.pushed();
        Ok(())
    }

    /// Whether a row has a value.
    #[cfg(feature = "arrow")]
    pub fn has(&self, row: usize) -> bool {
        self.valid.as_ref().is_none_or(|v| v[row])
    }

    /// The texts of the rows that have a value.
    #[cfg(feature = "arrow")]
    pub fn texts(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.len())
            .filter(move |row| self.has(*row))
            .map(move |row| self.cells.text(row))
    }

    /// The column, and what its texts take.
    ///
    /// # Errors
    /// Too little memory.
    pub fn finish(mut self, name: &str) -> Result<(TypedColumn, Taken), Fault> {
        self.room.settle()?;
        Ok((
            TypedColumn {
                name: name.to_owned(),
                cells: self.cells,
                valid: self.valid,
            },
            self.room,
        ))
    }
}

/// The number nearest to digits with a point so many from their end.
fn decimal(digits: i128, scale: i32) -> f64 {
    const EXACT: i128 = 1 << 53;
    if digits.abs_diff(0) <= EXACT as u128 && (0..=22).contains(&scale) {
        // Both are exact, so the quotient is rounded once.
        return digits as f64 / 10f64.powi(scale);
    }
    // The text of a number is read to the nearest one.
    format!("{digits}e{}", -i64::from(scale))
        .parse()
        .unwrap_or(f64::NAN)
}

/// The digits of a whole number of any length, the highest byte first.
fn digits(bytes: &[u8], negative: bool) -> String {
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
    out.iter()
        .rev()
        .fold(sign.to_owned(), |t, d| t + &char::from(*d).to_string())
}

/// The text of bytes.
fn shown(meaning: Meaning, bytes: &[u8]) -> Result<String, Fault> {
    let hex = |b: &[u8]| b.iter().map(|b| format!("{b:02x}")).collect::<String>();
    match (meaning, std::str::from_utf8(bytes)) {
        (Meaning::Uuid, _) if bytes.len() == 16 => Ok([
            &bytes[..4],
            &bytes[4..6],
            &bytes[6..8],
            &bytes[8..10],
            &bytes[10..],
        ]
        .map(hex)
        .join("-")),
        (Meaning::Text, Err(_)) => Err(Fault::damaged("a text is not UTF-8")),
        (Meaning::Text | Meaning::Bytes, Ok(text)) => Ok(text.to_owned()),
        _ => Ok(format!("0x{}", hex(bytes))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(c: &TypedColumn) -> Vec<&str> {
        let TypedCells::Texts { codes, texts } = &c.cells else {
            panic!("{c:?}")
        };
        codes.iter().map(|&i| texts[i as usize].as_str()).collect()
    }

    #[test]
    fn values_become_cells_of_their_meaning() {
        let budget = Budget::new(1 << 20);
        let of = |meaning, values: &[i64]| {
            let mut g = Gather::new(meaning, &budget);
            values.iter().for_each(|v| g.whole(*v).unwrap());
            g.finish("a").unwrap().0
        };
        assert_eq!(
            of(Meaning::Signed, &[i64::MIN]).cells,
            TypedCells::I64(vec![i64::MIN])
        );
        assert_eq!(
            of(Meaning::Unsigned, &[-1]).cells,
            TypedCells::U64(vec![u64::MAX])
        );
        assert_eq!(
            of(Meaning::Decimal(2), &[-312, 5]).cells,
            TypedCells::F64(vec![-3.12, 0.05])
        );
        assert_eq!(texts(&of(Meaning::Truth, &[1, 0, 1])), ["true", "false", "true"]);
        assert_eq!(texts(&of(Meaning::Days, &[0, 1])), ["1970-01-01", "1970-01-02"]);
        assert_eq!(
            texts(&of(Meaning::Instant(Unit::Seconds, true), &[60])),
            ["1970-01-01T00:01:00Z"]
        );
        let mut b = Gather::new(Meaning::Bytes, &budget);
        b.bytes(b"ab").unwrap();
        b.missing();
        b.bytes(b"\xff\0").unwrap();
        let b = b.finish("b").unwrap().0;
        assert_eq!(
            (texts(&b), &b.valid),
            (vec!["ab", "ab", "0xff00"], &Some(vec![true, false, true]))
        );
        assert!(Gather::new(Meaning::Text, &budget).bytes(b"\xff").is_err());
        let mut u = Gather::new(Meaning::Uuid, &budget);
        u.bytes(&[0x12; 16]).unwrap();
        assert_eq!(
            texts(&u.finish("u").unwrap().0),
            ["12121212-1212-1212-1212-121212121212"]
        );
    }

    #[test]
    fn decimals_are_the_nearest_numbers() {
        assert_eq!(decimal(1, 1), 0.1);
        assert_eq!(
            decimal(123_456_789_012_345_678_901_234_567_890, 20),
            1_234_567_890.123_456_8
        );
        assert_eq!(decimal(7, -3), 7000.0);
        assert_eq!(decimal(i128::MIN, 0), -2f64.powi(127));
        assert_eq!(decimal(1, i32::MAX), 0.0);
        let budget = Budget::new(1 << 20);
        let of = |bytes: &[u8]| {
            let mut g = Gather::new(Meaning::Decimal(1), &budget);
            g.big_endian(bytes).unwrap();
            let TypedCells::F64(v) = g.finish("d").unwrap().0.cells else {
                panic!()
            };
            v[0]
        };
        assert_eq!((of(&[0x7f]), of(&[0xff, 0xfe]), of(&[])), (12.7, -0.2, 0.0));
        let mut wide = [0; 32];
        wide[8] = 1;
        assert_eq!(of(&wide), 2f64.powi(184) / 10.0);
        assert_eq!(
            of(&[[0xff; 8], [0; 8], [0; 8], [0; 8]].concat()),
            -2f64.powi(192) / 10.0
        );
    }

    #[test]
    fn the_budget_ends() {
        let small = Budget::new(300);
        let mut g = Gather::new(Meaning::Text, &small);
        // A text counts once.
        (0..15).for_each(|_| g.bytes(b"0123456789").unwrap());
        let (_, taken) = g.finish("a").unwrap();
        assert_eq!(small.left(), 300 - 116);
        let mut g = Gather::new(Meaning::Text, &small);
        [b"0123456789", b"9876543210"]
            .iter()
            .for_each(|t| g.bytes(*t).unwrap());
        assert!(g.finish("a").is_err());
        drop(taken);
        assert_eq!(small.left(), 300);
        // Rows that are forgotten cost their distinct texts alone, and those only while they are known.
        let wide = Budget::new(12 << 20);
        let mut g = Gather::streamed(Meaning::Text, 1000, &wide).unwrap();
        for i in 0..200_000u32 {
            g.bytes(&i.to_le_bytes().map(|b| b'0' + b % 64)).unwrap();
            if i % 1000 == 0 {
                g.forget();
            }
        }
        drop(g);
        assert!(wide.take(12 << 20).is_ok());
        let mut g = Gather::new(Meaning::Text, &small);
        assert!(
            (0..20_000u32).any(|i| g.bytes(i.to_string().as_bytes()).is_err()),
            "it is told on the way"
        );
    }
}

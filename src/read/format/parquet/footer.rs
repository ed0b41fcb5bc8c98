//! Footer of a Parquet file, in Thrift's compact protocol. What the decoder trusts in it is checked first.

use crate::budget::Reservation;
use crate::bytes::Content;
use crate::format::decoding::{DecodeFault, Unit, ValueType};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::ColumnDescriptor;

/// Groups inside each other.
const DEPTH: u64 = 128;
/// Bytes that a decoded footer may take for each of its own.
const GROWTH: u64 = 64;

/// Metadata of a file, and where its footer begins.
///
/// # Errors
/// No footer, an encrypted one, one that contradicts itself, or too little memory.
pub(super) fn read_footer(
    source: &Content,
    room: &mut Reservation,
) -> Result<(ParquetMetaData, u64), DecodeFault> {
    let len = source.len();
    if len < 12 {
        return Err(DecodeFault::damaged(format!("{len} bytes are too few for a Parquet file")));
    }
    let tail = source.read(len - 8, 8)?;
    let size = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    match &tail[4..] {
        b"PAR1" => {}
        b"PARE" => {
            return Err(DecodeFault::Unread(
                "Parquet with an encrypted footer, which is not read".to_owned(),
            ));
        }
        _ => return Err(DecodeFault::damaged("it does not end as a Parquet file: cut short?")),
    }
    if size > len - 12 {
        return Err(DecodeFault::damaged(format!("a footer of {size} bytes in a file of {len}")));
    }
    room.more(size.saturating_mul(GROWTH))
        .map_err(|s| DecodeFault::Limit(format!("a footer of {size} bytes: {s}")))?;
    let start = len - 8 - size;
    let bytes = source.read(start, size)?;
    look_through(&bytes)?;
    let footer = ParquetMetaDataReader::decode_metadata(&bytes)
        .map_err(|e| DecodeFault::damaged(format!("footer: {}", first_line(&e))))?;
    Ok((footer, start))
}

/// The first line of the decoder's message, without its name.
pub(super) fn first_line(error: &ParquetError) -> String {
    let text = match error {
        ParquetError::General(message) => message.clone(),
        other => other.to_string(),
    };
    text.lines().next().unwrap_or_default().to_owned()
}

/// Checks what the decoder does not: how many children a group reserves memory for, and how deep groups are nested, which the
/// decoder follows by recursion. Encrypted columns are refused by name.
fn look_through(bytes: &[u8]) -> Result<(), DecodeFault> {
    let mut t = Thrift::new(bytes);
    let mut id = 0;
    while let Some(kind) = t.field(&mut id)? {
        match (id, kind) {
            (2, 9) => schema(&mut t)?,
            (8, _) => {
                return Err(DecodeFault::Unread(
                    "Parquet with encrypted columns, which is not read".to_owned(),
                ));
            }
            _ => t.skip(kind, 0)?,
        }
    }
    Ok(())
}

/// The schema is a list in which each group says how many of those after it are inside.
fn schema(t: &mut Thrift) -> Result<(), DecodeFault> {
    let (kind, n) = t.list()?;
    if kind != STRUCT {
        return Err(DecodeFault::damaged("a schema of another type"));
    }
    // Of each open group, the elements still to come.
    let mut open: Vec<u64> = Vec::new();
    for i in 0..n {
        let (mut id, mut children) = (0, 0);
        while let Some(kind) = t.field(&mut id)? {
            match (id, kind) {
                (5, 5) => children = t.int()?,
                _ => t.skip(kind, 1)?,
            }
        }
        while open.last() == Some(&0) {
            open.pop();
        }
        if let Some(left) = open.last_mut() {
            *left -= 1;
        } else if i > 0 {
            return Err(DecodeFault::damaged("a schema with more than one root"));
        }
        let children = u64::try_from(children).ok().filter(|c| *c < n - i);
        let children =
            children.ok_or_else(|| DecodeFault::damaged("a schema whose groups hold more than it has"))?;
        if children > 0 {
            open.push(children);
        }
        if open.len() as u64 > DEPTH {
            return Err(DecodeFault::damaged(format!(
                "a schema of more than {DEPTH} groups inside each other"
            )));
        }
    }
    if open.iter().any(|left| *left > 0) {
        return Err(DecodeFault::damaged("a schema whose groups hold more than it has"));
    }
    Ok(())
}

/// Structures inside each other; Parquet's own have six.
const DEEPEST: u32 = 32;

pub(super) const STRUCT: u8 = 12;
const LIST: u8 = 9;

/// Bytes that are read from the front.
#[derive(Clone, Debug)]
pub(super) struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn ends() -> DecodeFault {
    DecodeFault::damaged("a header ends early")
}

/// A whole number of any length at a place, which moves past it.
pub(super) fn varint_of(bytes: &[u8], at: &mut usize) -> Result<u64, DecodeFault> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let b = *bytes.get(*at).ok_or_else(ends)?;
        *at += 1;
        value |= u64::from(b & 0x7f) << shift;
        if b < 0x80 {
            return Ok(value);
        }
    }
    Err(DecodeFault::damaged("a number in a header has no end"))
}

impl<'a> Thrift<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes read so far.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn byte(&mut self) -> Result<u8, DecodeFault> {
        let b = self.bytes.get(self.at).copied().ok_or_else(ends)?;
        self.at += 1;
        Ok(b)
    }

    fn varint(&mut self) -> Result<u64, DecodeFault> {
        varint_of(self.bytes, &mut self.at)
    }

    /// A whole number of any width.
    pub(super) fn int(&mut self) -> Result<i64, DecodeFault> {
        let v = self.varint()?;
        Ok((v >> 1) as i64 ^ -((v & 1) as i64))
    }

    /// The next field of a structure, by its type and id, or its end; `id` is that of the field before.
    pub(super) fn field(&mut self, id: &mut i64) -> Result<Option<u8>, DecodeFault> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        *id = if head >> 4 == 0 { self.int()? } else { *id + i64::from(head >> 4) };
        Ok(Some(head & 15))
    }

    /// The type and number of a list's elements.
    pub(super) fn list(&mut self) -> Result<(u8, u64), DecodeFault> {
        let head = self.byte()?;
        let n = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        if n > (self.bytes.len() - self.at) as u64 {
            return Err(DecodeFault::damaged(format!("a header declares a list of {n}")));
        }
        Ok((head & 15, n))
    }

    /// Passes over a value of a type.
    pub(super) fn skip(&mut self, kind: u8, depth: u32) -> Result<(), DecodeFault> {
        if depth > DEEPEST {
            return Err(DecodeFault::damaged("a header is nested too deeply"));
        }
        let most = (self.bytes.len() - self.at) as u64;
        match kind {
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.varint()?),
            7 => self.at += if most < 8 { return Err(ends()) } else { 8 },
            8 => {
                let n = self.varint()?;
                self.at += if n > most { return Err(ends()) } else { n as usize };
            }
            LIST | 10 => {
                let (kind, n) = self.list()?;
                for _ in 0..n {
                    // A truth value in a list takes a byte.
                    self.skip(if kind <= 2 { 3 } else { kind }, depth + 1)?;
                }
            }
            11 => {
                let n = self.varint()?;
                if n > most {
                    return Err(ends());
                }
                let kinds = if n > 0 { self.byte()? } else { 0 };
                for _ in 0..n {
                    for kind in [kinds >> 4, kinds & 15] {
                        self.skip(if kind <= 2 { 3 } else { kind }, depth + 1)?;
                    }
                }
            }
            STRUCT => {
                let mut id = 0;
                while let Some(kind) = self.field(&mut id)? {
                    self.skip(kind, depth + 1)?;
                }
            }
            _ => return Err(DecodeFault::damaged(format!("a header has a value of type {kind}"))),
        }
        Ok(())
    }
}

/// The logical type of a column of single values; its name in words where it is not read.
pub(super) fn value_type(c: &ColumnDescriptor) -> Result<ValueType, String> {
    let (logical, converted) = (c.logical_type_ref(), c.converted_type());
    if matches!(logical, Some(LogicalType::Decimal(_))) || converted == ConvertedType::DECIMAL {
        // Without a scale all digits are before the point.
        return Ok(ValueType::decimal(c.type_precision().max(0), c.type_scale().max(0)));
    }
    let plain = match c.physical_type() {
        Type::BOOLEAN => ValueType::Bool,
        Type::INT32 | Type::INT64 => ValueType::Signed,
        Type::INT96 => ValueType::Text,
        Type::FLOAT => ValueType::Single,
        Type::DOUBLE => ValueType::Double,
        Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY => ValueType::Bytes,
    };
    let annotated = of_logical(logical)?.or(of_converted(converted)?);
    let found = annotated.unwrap_or(plain);
    let texts = matches!(found, ValueType::Text | ValueType::Bytes | ValueType::Uuid);
    let fits = match c.physical_type() {
        Type::BYTE_ARRAY => texts,
        Type::FIXED_LEN_BYTE_ARRAY => texts || (found == ValueType::Single && c.type_length() == 2),
        Type::INT32 | Type::INT64 => !texts && found != ValueType::Single,
        _ => found == plain,
    };
    // A logical type that contradicts the physical one is ignored.
    Ok(if fits { found } else { plain })
}

fn of_logical(logical: Option<&LogicalType>) -> Result<Option<ValueType>, String> {
    let unit = |u: &TimeUnit| match u {
        TimeUnit::MILLIS => Unit::Milli,
        TimeUnit::MICROS => Unit::Micro,
        TimeUnit::NANOS => Unit::Nano,
    };
    Ok(Some(match logical {
        Some(LogicalType::Integer(i)) if i.is_signed => ValueType::Signed,
        Some(LogicalType::Integer(_)) => ValueType::Unsigned,
        Some(LogicalType::Date) => ValueType::Date,
        Some(LogicalType::Time(t)) => ValueType::Time(unit(&t.unit)),
        Some(LogicalType::Timestamp(t)) => ValueType::Timestamp(unit(&t.unit), t.is_adjusted_to_u_t_c),
        Some(LogicalType::String | LogicalType::Enum | LogicalType::Json) => ValueType::Text,
        Some(LogicalType::Uuid) => ValueType::Uuid,
        Some(LogicalType::Float16) => ValueType::Single,
        Some(
            other @ (LogicalType::Variant(_)
            | LogicalType::Geometry(_)
            | LogicalType::Geography(_)
            | LogicalType::Bson
            | LogicalType::File),
        ) => {
            let name = format!("{other:?}");
            return Err(name.split('(').next().unwrap_or_default().to_lowercase());
        }
        _ => return Ok(None),
    }))
}

fn of_converted(converted: ConvertedType) -> Result<Option<ValueType>, String> {
    Ok(Some(match converted {
        ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => {
            ValueType::Unsigned
        }
        ConvertedType::DATE => ValueType::Date,
        ConvertedType::TIME_MILLIS => ValueType::Time(Unit::Milli),
        ConvertedType::TIME_MICROS => ValueType::Time(Unit::Micro),
        ConvertedType::TIMESTAMP_MILLIS => ValueType::Timestamp(Unit::Milli, true),
        ConvertedType::TIMESTAMP_MICROS => ValueType::Timestamp(Unit::Micro, true),
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => ValueType::Text,
        ConvertedType::BSON => return Err("bson".to_owned()),
        ConvertedType::INTERVAL => return Err("an interval".to_owned()),
        _ => return Ok(None),
    }))
}

/// The type of a column that holds several values per row, in words.
pub(super) fn nested_type(root: &parquet::schema::types::Type) -> String {
    let word = match root.get_basic_info().converted_type() {
        ConvertedType::LIST => "a list",
        ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE => "a map",
        _ if root.is_group() => "a struct",
        _ => "repeated values",
    };
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    /// A footer with a schema of elements that have these numbers of children.
    fn footer(children: &[i64]) -> Vec<u8> {
        let varint = |mut v: u64| {
            let mut out = Vec::new();
            while v >= 0x80 {
                out.push(v as u8 | 0x80);
                v >>= 7;
            }
            out.push(v as u8);
            out
        };
        let mut out = vec![0x29, 0xfc];
        out.extend(varint(children.len() as u64));
        for &c in children {
            out.push(0x55);
            out.extend(varint(((c << 1) ^ (c >> 63)) as u64));
            out.push(0);
        }
        out.push(0);
        out
    }

    #[test]
    fn groups_hold_what_follows_them() {
        assert_eq!(look_through(&footer(&[2, 0, 1, 0])), Ok(()));
        for wrong in [&[1 << 30][..], &[1, 0, 0], &[-1], &[2, 0], &[3, 1, 0]] {
            assert!(matches!(look_through(&footer(wrong)), Err(DecodeFault::Damaged(_))), "{wrong:?}");
        }
        let mut deep = vec![1; 100_000];
        deep.push(0);
        assert!(look_through(&footer(&deep)).is_err());
    }

    #[test]
    fn the_end_of_a_file_is_checked_against_its_length() {
        let of = |bytes: &[u8]| {
            read_footer(&Content::Memory(bytes.to_vec()), &mut Budget::new(1 << 20).nothing()).unwrap_err()
        };
        assert!(matches!(of(b"PAR1\0\0\0\0PARE"), DecodeFault::Unread(_)));
        for bytes in [
            &b"PAR1"[..],
            b"PAR1\0\0\0\0PAR1",
            b"PAR1\xff\xff\xff\xffPAR1",
            b"PAR1\x01\0\0\0PAR1",
            b"PAR1 and then text",
        ] {
            assert!(matches!(of(bytes), DecodeFault::Damaged(_)), "{bytes:?}");
        }
        let mut long = b"PAR1".to_vec();
        long.resize(100_000, 0);
        long.extend(b"\0\x80\0\0PAR1");
        assert!(matches!(of(&long), DecodeFault::Limit(_)));
    }

    #[test]
    fn fields_are_read_and_passed_over() {
        // {1: 5 (i32), 3: [1, -1] (i32), 20: "ab", 21: {}}
        let bytes = [0x15, 0x0a, 0x29, 0x25, 0x02, 0x01, 0x08, 0x28, 0x02, b'a', b'b', 0x1c, 0x00, 0x00];
        let mut t = Thrift::new(&bytes);
        let mut id = 0;
        assert_eq!((t.field(&mut id), id), (Ok(Some(5)), 1));
        assert_eq!(t.int(), Ok(5));
        assert_eq!((t.field(&mut id), id), (Ok(Some(9)), 3));
        t.skip(9, 0).unwrap();
        assert_eq!((t.field(&mut id), id), (Ok(Some(8)), 20));
        t.skip(8, 0).unwrap();
        assert_eq!(t.field(&mut id), Ok(Some(STRUCT)));
        t.skip(STRUCT, 0).unwrap();
        assert_eq!((t.field(&mut id), t.at()), (Ok(None), bytes.len()));
    }

    #[test]
    fn lengths_past_the_end_and_depth_are_refused() {
        for bytes in [
            &[0x18, 0x7f][..],
            &[0x19, 0xf5, 0xff, 0xff, 0xff, 0x7f],
            &[0x17, 1],
            &[0x16],
            &[0x1b, 9, 0x55],
            &[0x1d],
        ] {
            assert!(Thrift::new(bytes).skip(STRUCT, 0).is_err(), "{bytes:?}");
        }
        assert!(Thrift::new(&[0x1c; 100_000]).skip(STRUCT, 0).is_err());
        assert!(Thrift::new(&[0xff; 20]).varint().is_err());
    }
}

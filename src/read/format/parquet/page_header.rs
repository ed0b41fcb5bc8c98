//! Headers of Parquet pages.

use super::thrift::{STRUCT, Thrift};
use crate::format::decoding::Fault;
use parquet::basic::Encoding;

/// The header of a page; its numbers are not checked yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Header {
    /// [`DATA`], [`DICTIONARY`], [`DATA_V2`], or a kind that is passed over.
    pub kind: i64,
    /// Bytes of the page.
    pub size: i64,
    /// Bytes as they are stored.
    pub stored: i64,
    pub crc: Option<i64>,
    pub values: i64,
    pub encoding: i64,
    /// Encodings of definition and of repetition levels.
    pub levels: [i64; 2],
    pub v2: V2,
}

/// Fields of data pages of the second version alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct V2 {
    pub nulls: i64,
    pub rows: i64,
    /// Bytes of definition and of repetition levels.
    pub bytes: [i64; 2],
    pub compressed: bool,
}

impl Default for V2 {
    fn default() -> Self {
        Self { nulls: 0, rows: 0, bytes: [0; 2], compressed: true }
    }
}

pub(super) const DATA: i64 = 0;
pub(super) const DICTIONARY: i64 = 2;
pub(super) const DATA_V2: i64 = 3;

/// Reads a header, and returns its length too.
///
/// # Errors
/// A header that ends early or is not one.
pub(super) fn header(bytes: &[u8]) -> Result<(Header, u64), Fault> {
    let (mut t, mut h, mut id) = (Thrift::new(bytes), Header::default(), 0);
    while let Some(kind) = t.field(&mut id)? {
        match (id, kind) {
            (1, 5) => h.kind = t.int()?,
            (2, 5) => h.size = t.int()?,
            (3, 5) => h.stored = t.int()?,
            (4, 5) => h.crc = Some(t.int()?),
            (5 | 7 | 8, STRUCT) => {
                let (of, mut id) = (id, 0);
                while let Some(kind) = t.field(&mut id)? {
                    match (of, id, kind) {
                        (_, 1, 5) => h.values = t.int()?,
                        (5 | 7, 2, 5) | (8, 4, 5) => h.encoding = t.int()?,
                        (5, 3 | 4, 5) => h.levels[id as usize - 3] = t.int()?,
                        (8, 2, 5) => h.v2.nulls = t.int()?,
                        (8, 3, 5) => h.v2.rows = t.int()?,
                        (8, 5 | 6, 5) => h.v2.bytes[id as usize - 5] = t.int()?,
                        (8, 7, 1 | 2) => h.v2.compressed = kind == 1,
                        _ => t.skip(kind, 2)?,
                    }
                }
            }
            _ => t.skip(kind, 1)?,
        }
    }
    Ok((h, t.at() as u64))
}

/// The encoding of values by its number.
///
/// # Errors
/// One that is not read.
pub(super) fn encoding(number: i64) -> Result<Encoding, Fault> {
    Ok(match number {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        5 => Encoding::DELTA_BINARY_PACKED,
        6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        7 => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => {
            return Err(Fault::Unread(format!("values in encoding {number}, which is not read")));
        }
    })
}

/// The encoding of levels by its number.
///
/// # Errors
/// A number that is not one.
#[allow(deprecated)]
pub(super) fn level_encoding(number: i64) -> Result<Encoding, Fault> {
    match number {
        3 => Ok(Encoding::RLE),
        4 => Ok(Encoding::BIT_PACKED),
        _ => Err(Fault::damaged(format!("levels in encoding {number}"))),
    }
}

/// A number of a header that counts something.
///
/// # Errors
/// A negative one, or more than 32 bits hold.
pub(super) fn count(number: i64, what: &str) -> Result<u32, Fault> {
    u32::try_from(number).map_err(|_| Fault::damaged(format!("a page of {number} {what}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_both_versions_are_read() {
        // {1: 0, 2: 8, 3: 5, 5: {1: 2, 2: 8, 3: 3, 4: 3}} and a byte of the page.
        let v1 = [0x15, 0, 0x15, 16, 0x15, 10, 0x2c, 0x15, 4, 0x15, 16, 0x15, 6, 0x15, 6, 0, 0, 9];
        let (h, len) = header(&v1).unwrap();
        assert_eq!((h.kind, h.size, h.stored, h.values, h.encoding, len), (DATA, 8, 5, 2, 8, 17));
        assert_eq!((h.levels, h.crc, h.v2.compressed), ([3, 3], None, true));
        // {1: 3, 2: 8, 3: 5, 4: 1, 8: {1: 2, 2: 1, 3: 2, 4: 0, 5: 3, 6: 0, 7: false}}
        let v2 = [
            0x15, 6, 0x15, 16, 0x15, 10, 0x15, 2, 0x4c, 0x15, 4, 0x15, 2, 0x15, 4, 0x15, 0, 0x15, 6, 0x15, 0,
            0x12, 0, 0,
        ];
        let (h, _) = header(&v2).unwrap();
        assert_eq!((h.kind, h.crc, h.values, h.v2.nulls, h.v2.rows), (DATA_V2, Some(1), 2, 1, 2));
        assert_eq!((h.v2.bytes, h.v2.compressed), ([3, 0], false));
        assert!(header(&v2[..20]).is_err());
        assert!(encoding(4).is_err() && level_encoding(0).is_err() && count(-1, "bytes").is_err());
    }
}

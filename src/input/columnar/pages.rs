//! The pages of a column chunk: their headers checked and their bytes decompressed before the decoder gets them.

use super::budget::Budget;
use super::codec::{Codec, believable, inflate};
use super::delta;
use super::fault::Fault;
use super::source::Source;
use super::thrift::{STRUCT, Thrift};
use crate::input::budget::Taken;
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use std::sync::{Arc, Mutex};

/// Bytes read for a header at first, and at most.
const HEADER: [u64; 2] = [256, 64 << 10];
/// Bytes that a value of a dictionary takes where it is decoded.
const DECODED: u64 = 48;

/// The bytes of a page, and what they take as long as the decoder has them.
struct Held {
    bytes: Vec<u8>,
    room: Taken,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Held {
    fn shared(self) -> Bytes {
        Bytes::from_owner(self)
    }
}

/// What the decoder's caller is told when a page is refused.
pub(super) type Refused = Arc<Mutex<Option<Fault>>>;

/// The pages of a column chunk, one after the other.
pub(super) struct Pages {
    pub source: Arc<Source>,
    /// Where the next header begins, and where the chunk ends.
    pub at: u64,
    pub end: u64,
    /// Values still to come.
    pub left: u64,
    pub codec: Option<Codec>,
    /// Whether rows may lack a value.
    pub nullable: bool,
    /// Bits that a value takes at least in a dictionary.
    pub bits: u64,
    /// What pages take their memory off.
    pub budget: Arc<Budget>,
    pub dictionary: bool,
    pub refused: Refused,
}

/// The header of a page.
#[derive(Clone, Debug, Default, PartialEq)]
struct Head {
    kind: i64,
    size: i64,
    compressed: i64,
    crc: Option<i64>,
    values: i64,
    encoding: i64,
    levels: [i64; 2],
    v2: V2,
}

/// What only data pages of the second version say.
#[derive(Clone, Debug, PartialEq)]
struct V2 {
    nulls: i64,
    rows: i64,
    /// Bytes of definition and of repetition levels.
    bytes: [i64; 2],
    compressed: bool,
}

impl Default for V2 {
    fn default() -> Self {
        Self {
            nulls: 0,
            rows: 0,
            bytes: [0; 2],
            compressed: true,
        }
    }
}

const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_V2: i64 = 3;

/// Reads a header; gives how long it is, too.
fn head(bytes: &[u8]) -> Result<(Head, u64), Fault> {
    let (mut t, mut h, mut id) = (Thrift::new(bytes), Head::default(), 0);
    while let Some(kind) = t.field(&mut id)? {
        match (id, kind) {
            (1, 5) => h.kind = t.int()?,
            (2, 5) => h.size = t.int()?,
            (3, 5) => h.compressed = t.int()?,
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

fn encoding(number: i64) -> Result<Encoding, Fault> {
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
            return Err(Fault::Unread(format!(
                "values in encoding {number}, which is not read"
            )));
        }
    })
}

#[allow(deprecated)]
fn level_encoding(number: i64) -> Result<Encoding, Fault> {
    match number {
        3 => Ok(Encoding::RLE),
        4 => Ok(Encoding::BIT_PACKED),
        _ => Err(Fault::damaged(format!("levels in encoding {number}"))),
    }
}

fn count(number: i64, what: &str) -> Result<u32, Fault> {
    u32::try_from(number).map_err(|_| Fault::damaged(format!("a page of {number} {what}")))
}

impl Pages {
    /// The next page with values or the dictionary; none at the end.
    fn next_page(&mut self) -> Result<Option<Page>, Fault> {
        while self.left > 0 {
            let (head, body) = self.next_head()?;
            match head.kind {
                DATA => return self.data(&head, &body.bytes).map(Some),
                DATA_V2 => return self.data_v2(&head, &body.bytes).map(Some),
                DICTIONARY => return self.dictionary(&head, &body.bytes).map(Some),
                // Pages of an index, and kinds to come.
                _ => {}
            }
        }
        Ok(None)
    }

    /// A header and the bytes after it, as they are stored.
    fn next_head(&mut self) -> Result<(Head, Held), Fault> {
        let rest = self.end.saturating_sub(self.at);
        if rest == 0 {
            return Err(Fault::damaged(format!(
                "its pages end {} values early",
                self.left
            )));
        }
        let mut read = head(&self.source.read(self.at, rest.min(HEADER[0]))?);
        if read.is_err() && rest > HEADER[0] {
            read = head(&self.source.read(self.at, rest.min(HEADER[1]))?);
        }
        let (h, len) = read?;
        let stored = count(h.compressed, "bytes")?;
        if u64::from(stored) > rest - len {
            return Err(Fault::damaged(format!(
                "a page of {stored} bytes in a chunk with {} left",
                rest - len
            )));
        }
        let data = matches!(h.kind, DATA | DATA_V2);
        let values = u64::from(count(h.values, "values")?);
        if data && values > self.left {
            return Err(Fault::damaged(format!(
                "a page of {values} values where {} are left",
                self.left
            )));
        }
        let room = self.budget.hold(u64::from(stored))?;
        let body = self.source.read(self.at + len, u64::from(stored))?;
        if h.crc.is_some_and(|crc| crc as u32 != crc32fast::hash(&body)) {
            return Err(Fault::damaged("a page is not what its checksum says"));
        }
        self.at += len + u64::from(stored);
        self.left -= if data { values } else { 0 };
        Ok((h, Held { bytes: body, room }))
    }

    /// Bytes decompressed into `size`, behind others that are not.
    fn whole(&self, before: &[u8], stored: &[u8], size: u64, compressed: bool) -> Result<Held, Fault> {
        let codec = self.codec.filter(|_| compressed);
        if codec.is_none() && stored.len() as u64 != size {
            return Err(Fault::damaged(format!(
                "a page of {} bytes that declares {size}",
                stored.len()
            )));
        }
        let inflated = codec
            .map(|codec| Ok::<_, Fault>((codec, believable(stored.len() as u64, size, self.budget.block())?)))
            .transpose()?;
        let mut room = self.budget.hold(before.len() as u64 + size)?;
        let mut bytes = match inflated {
            // A page without values may be stored as nothing at all.
            Some(_) if size == 0 => Vec::new(),
            Some((codec, size)) => inflate(codec, stored, size)?,
            None => stored.to_vec(),
        };
        if !before.is_empty() {
            room.more(size)?;
            bytes = [before, bytes.as_slice()].concat();
            room.shrink_to(bytes.len() as u64);
        }
        Ok(Held { bytes, room })
    }

    fn data(&mut self, h: &Head, body: &[u8]) -> Result<Page, Fault> {
        let held = self.whole(&[], body, count(h.size, "bytes")?.into(), true)?;
        let buf = &held.bytes;
        let level = level_encoding(h.levels[0]);
        let mut start = 0;
        if self.nullable && h.values > 0 {
            level.clone()?;
            if h.levels[0] == 3 {
                let size = buf
                    .first_chunk::<4>()
                    .map_or(u64::MAX, |b| u64::from(u32::from_le_bytes(*b)));
                if size > buf.len() as u64 - 4.min(buf.len() as u64) {
                    return Err(Fault::damaged("a page's levels are longer than it"));
                }
                start = 4 + size as usize;
            } else {
                start = (h.values as usize).div_ceil(8);
            }
        }
        self.values(h, buf.get(start..).unwrap_or_default())?;
        Ok(Page::DataPage {
            buf: held.shared(),
            num_values: count(h.values, "values")?,
            encoding: encoding(h.encoding)?,
            def_level_encoding: level.unwrap_or(Encoding::RLE),
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        })
    }

    fn data_v2(&mut self, h: &Head, body: &[u8]) -> Result<Page, Fault> {
        let (definition, repetition) = (count(h.v2.bytes[0], "bytes")?, count(h.v2.bytes[1], "bytes")?);
        let levels = u64::from(definition) + u64::from(repetition);
        let size = u64::from(count(h.size, "bytes")?);
        if levels > body.len() as u64 || levels > size || h.v2.nulls > h.values {
            return Err(Fault::damaged("a page's levels are longer than it"));
        }
        let (levels, stored) = body.split_at(levels as usize);
        let held = self.whole(levels, stored, size - levels.len() as u64, h.v2.compressed)?;
        self.values(h, &held.bytes[levels.len()..])?;
        Ok(Page::DataPageV2 {
            buf: held.shared(),
            num_values: count(h.values, "values")?,
            encoding: encoding(h.encoding)?,
            num_nulls: count(h.v2.nulls, "missing values")?,
            num_rows: count(h.v2.rows, "rows")?,
            def_levels_byte_len: definition,
            rep_levels_byte_len: repetition,
            is_compressed: false,
            statistics: None,
        })
    }

    /// What the decoder of an encoding believes of its values.
    fn values(&self, h: &Head, bytes: &[u8]) -> Result<(), Fault> {
        if h.values == h.v2.nulls || bytes.is_empty() {
            return Ok(());
        }
        let most = u64::from(count(h.values, "values")?);
        match encoding(h.encoding)? {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY if !self.dictionary => {
                Err(Fault::damaged("values of a dictionary that is not there"))
            }
            Encoding::DELTA_BINARY_PACKED => delta::declared(bytes, most),
            Encoding::DELTA_LENGTH_BYTE_ARRAY => delta::lengths(bytes, most).map(|_| ()),
            Encoding::DELTA_BYTE_ARRAY => {
                let (end, shared) = delta::lengths(bytes, most)?;
                let (_, own) = delta::lengths(&bytes[end..], most)?;
                believable(
                    bytes.len() as u64,
                    shared.saturating_add(own),
                    self.budget.block(),
                )
                .map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn dictionary(&mut self, h: &Head, body: &[u8]) -> Result<Page, Fault> {
        let mut held = self.whole(&[], body, count(h.size, "bytes")?.into(), true)?;
        let values = count(h.values, "values")?;
        if self.dictionary || u64::from(values) * self.bits > held.bytes.len() as u64 * 8 {
            return Err(Fault::damaged(format!(
                "a dictionary of {values} values in {} bytes",
                held.bytes.len()
            )));
        }
        held.room.more(DECODED * u64::from(values))?;
        self.dictionary = true;
        let encoding = match h.encoding {
            0 | 2 => Encoding::PLAIN,
            other => return Err(Fault::damaged(format!("a dictionary in encoding {other}"))),
        };
        Ok(Page::DictionaryPage {
            buf: held.shared(),
            num_values: values,
            encoding,
            is_sorted: false,
        })
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> parquet::errors::Result<Option<Page>> {
        self.next_page().map_err(|fault| {
            *self
                .refused
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner) = Some(fault);
            ParquetError::General("refused".to_owned())
        })
    }

    fn peek_next_page(&mut self) -> parquet::errors::Result<Option<PageMetadata>> {
        Err(ParquetError::NYI("pages are read in order".to_owned()))
    }

    fn skip_next_page(&mut self) -> parquet::errors::Result<()> {
        Err(ParquetError::NYI("pages are read in order".to_owned()))
    }
}

impl Iterator for Pages {
    type Item = parquet::errors::Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header: kind, sizes, then the fields of a data page of the first version.
    fn header(kind: u8, size: u8, compressed: u8, values: u8, encoding: u8) -> Vec<u8> {
        let field = |v: u8| [0x15, v << 1];
        let mut out: Vec<u8> = [kind, size, compressed].into_iter().flat_map(field).collect();
        out.push(if kind == 2 { 0x4c } else { 0x2c });
        out.extend([values, encoding, 3, 3].into_iter().flat_map(field));
        out.extend([0, 0]);
        out
    }

    fn pages(bytes: Vec<u8>, left: u64) -> Pages {
        let end = bytes.len() as u64;
        let source = Arc::new(Source::Memory(bytes));
        let refused = Refused::default();
        let budget = Budget::new(1 << 20);
        Pages {
            source,
            at: 0,
            end,
            left,
            codec: None,
            nullable: false,
            bits: 32,
            budget,
            dictionary: false,
            refused,
        }
    }

    #[test]
    fn pages_are_what_their_headers_say() {
        let mut bytes = header(2, 4, 4, 1, 0);
        bytes.extend(b"\x07\0\0\0");
        bytes.extend(header(0, 8, 8, 2, 0));
        bytes.extend(b"\x01\0\0\0\x02\0\0\0");
        let mut p = pages(bytes, 2);
        assert!(matches!(
            p.next_page(),
            Ok(Some(Page::DictionaryPage { num_values: 1, .. }))
        ));
        let page = p.next_page().unwrap().unwrap();
        assert_eq!((page.num_values(), page.buffer().len()), (2, 8));
        assert!(p.next_page().unwrap().is_none());
    }

    #[test]
    fn what_a_header_must_not_say() {
        let of = |head: Vec<u8>, body: usize, left| {
            let mut bytes = head;
            bytes.resize(bytes.len() + body, 0);
            pages(bytes, left).next_page().map(|_| ())
        };
        assert_eq!(of(header(0, 8, 8, 2, 0), 8, 2), Ok(()));
        let wrong = [
            (header(0, 8, 9, 2, 0), 8, 2),
            (header(0, 9, 8, 2, 0), 8, 2),
            (header(0, 8, 8, 3, 0), 8, 2),
            (header(2, 8, 8, 3, 0), 8, 2),
            (header(0, 8, 8, 2, 8), 8, 2),
            (header(0, 8, 8, 2, 1), 8, 2),
            (Vec::new(), 0, 2),
            (vec![0x15], 0, 2),
        ];
        for (head, body, left) in wrong {
            assert!(of(head.clone(), body, left).is_err(), "{head:?}");
        }
        let negative = vec![0x15, 0, 0x15, 1, 0x15, 1, 0];
        assert!(
            of(negative, 100, 2)
                .unwrap_err()
                .at("f", "")
                .to_string()
                .contains("a page of -1 bytes")
        );
    }
}

//! The pages of a column chunk: their headers checked and their bytes decompressed before the decoder gets them.

use super::footer::{STRUCT, Thrift, varint_of};
use crate::budget::{Budget, Reservation};
use crate::bytes::Content;
use crate::format::decoding::{Codec, DecodeFault, believable, inflate};
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes read for a header at first, and at most.
const HEADER: [u64; 2] = [256, 64 << 10];
/// Bytes that a value of a dictionary takes where it is decoded.
const DECODED: u64 = 48;

/// The bytes of a page, and their reservation while the decoder has them.
struct Held {
    bytes: Vec<u8>,
    room: Reservation,
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

/// Why a page was refused, for the caller of the decoder.
pub(super) type Refused = Arc<Mutex<Option<DecodeFault>>>;

/// The pages of a column chunk, one after the other.
pub(super) struct Pages {
    source: Arc<Content>,
    /// Where the next header begins, and where the chunk ends.
    at: u64,
    end: u64,
    /// The next header and its length, once it was read.
    next: Option<(Header, u64)>,
    /// Values to come.
    left: u64,
    codec: Option<Codec>,
    /// Whether rows may lack a value.
    nullable: bool,
    /// Bits that a value takes in a dictionary, at least.
    bits: u64,
    /// Budget of the pages.
    budget: Arc<Budget>,
    /// Whether the dictionary was read.
    dictionary: bool,
    pub refused: Refused,
}

impl Pages {
    /// The pages of `values` values between two places of a file; of the values, whether rows may lack one, and the bits that
    /// one takes in a dictionary, at least.
    pub(super) fn new(
        source: &Arc<Content>,
        (at, end): (u64, u64),
        values: u64,
        codec: Option<Codec>,
        (nullable, bits): (bool, u64),
        budget: &Arc<Budget>,
    ) -> Self {
        Self {
            source: Arc::clone(source),
            at,
            end,
            next: None,
            left: values,
            codec,
            nullable,
            bits,
            budget: Arc::clone(budget),
            dictionary: false,
            refused: Refused::default(),
        }
    }

    /// Notes why a page is refused, and returns the error that makes the decoder end.
    fn refuse(&self, fault: DecodeFault) -> ParquetError {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
        ParquetError::General("refused".to_owned())
    }

    /// The next page with values or the dictionary; none at the end.
    fn next_page(&mut self) -> Result<Option<Page>, DecodeFault> {
        while self.left > 0 {
            let (header, body) = self.read_page()?;
            match header.kind {
                DATA => return self.data(&header, &body.bytes).map(Some),
                DATA_V2 => return self.data_v2(&header, &body.bytes).map(Some),
                DICTIONARY => return self.dictionary(&header, &body.bytes).map(Some),
                // Pages of an index, and kinds to come.
                _ => {}
            }
        }
        Ok(None)
    }

    /// Header of the next page with values or the dictionary; none at the end.
    fn peek(&mut self) -> Result<Option<PageMetadata>, DecodeFault> {
        while self.left > 0 {
            let (h, _) = self.next_header()?;
            match h.kind {
                // The pages of a column without lists have a value per row.
                DATA | DATA_V2 => {
                    return Ok(Some(PageMetadata {
                        num_rows: None,
                        num_levels: Some(count(h.values, "values")? as usize),
                        is_dict: false,
                    }));
                }
                DICTIONARY => {
                    return Ok(Some(PageMetadata { num_rows: None, num_levels: None, is_dict: true }));
                }
                _ => self.pass_page()?,
            }
        }
        Ok(None)
    }

    /// Passes over the next page without reading it.
    fn pass_page(&mut self) -> Result<(), DecodeFault> {
        let (h, len) = self.next_header()?;
        let values = if is_data(h) { h.values as u64 } else { 0 };
        let page = len + h.stored as u64;
        self.at += page;
        self.left -= values;
        self.next = None;
        Ok(())
    }

    /// The next header, which fits the chunk, and its length.
    fn next_header(&mut self) -> Result<(&Header, u64), DecodeFault> {
        if self.next.is_none() {
            self.next = Some(self.read_header()?);
        }
        match &self.next {
            Some((header, len)) => Ok((header, *len)),
            None => Err(DecodeFault::damaged("a page without its header")),
        }
    }

    fn read_header(&self) -> Result<(Header, u64), DecodeFault> {
        let rest = self.end.saturating_sub(self.at);
        if rest == 0 {
            return Err(DecodeFault::damaged(format!("its pages end {} values early", self.left)));
        }
        let mut read = header(&self.source.read(self.at, rest.min(HEADER[0]))?);
        if read.is_err() && rest > HEADER[0] {
            read = header(&self.source.read(self.at, rest.min(HEADER[1]))?);
        }
        let (h, len) = read?;
        let stored = count(h.stored, "bytes")?;
        if u64::from(stored) > rest - len {
            return Err(DecodeFault::damaged(format!(
                "a page of {stored} bytes in a chunk with {} left",
                rest - len
            )));
        }
        let values = u64::from(count(h.values, "values")?);
        if is_data(&h) && values > self.left {
            return Err(DecodeFault::damaged(format!(
                "a page of {values} values where {} are left",
                self.left
            )));
        }
        Ok((h, len))
    }

    /// The next header, and the bytes of its page as they are stored.
    fn read_page(&mut self) -> Result<(Header, Held), DecodeFault> {
        let (h, len) = self.next_header()?;
        let (h, at) = (h.clone(), self.at + len);
        let room = self.budget.reserve(h.stored as u64)?;
        let bytes = self.source.read(at, h.stored as u64)?;
        if h.crc.is_some_and(|crc| crc as u32 != crc32fast::hash(&bytes)) {
            return Err(DecodeFault::damaged("a page is not what its checksum says"));
        }
        self.pass_page()?;
        Ok((h, Held { bytes, room }))
    }

    /// Bytes decompressed into `size`, behind others that are not.
    fn whole(&self, before: &[u8], stored: &[u8], size: u64, compressed: bool) -> Result<Held, DecodeFault> {
        let codec = self.codec.filter(|_| compressed);
        if codec.is_none() && stored.len() as u64 != size {
            return Err(DecodeFault::damaged(format!(
                "a page of {} bytes that declares {size}",
                stored.len()
            )));
        }
        let inflated = codec
            .map(|codec| Ok::<_, DecodeFault>((codec, believable(stored.len() as u64, size, &self.budget)?)))
            .transpose()?;
        let mut room = self.budget.reserve(before.len() as u64 + size)?;
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

    fn data(&mut self, h: &Header, body: &[u8]) -> Result<Page, DecodeFault> {
        let held = self.whole(&[], body, count(h.size, "bytes")?.into(), true)?;
        let buf = &held.bytes;
        let level = level_encoding(h.levels[0]);
        let mut start = 0;
        if self.nullable && h.values > 0 {
            level.clone()?;
            if h.levels[0] == 3 {
                let size = buf.first_chunk::<4>().map_or(u64::MAX, |b| u64::from(u32::from_le_bytes(*b)));
                if size > buf.len() as u64 - 4.min(buf.len() as u64) {
                    return Err(DecodeFault::damaged("a page's levels are longer than it"));
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

    fn data_v2(&mut self, h: &Header, body: &[u8]) -> Result<Page, DecodeFault> {
        let (definition, repetition) = (count(h.v2.bytes[0], "bytes")?, count(h.v2.bytes[1], "bytes")?);
        let levels = u64::from(definition) + u64::from(repetition);
        let size = u64::from(count(h.size, "bytes")?);
        if levels > body.len() as u64 || levels > size || h.v2.nulls > h.values {
            return Err(DecodeFault::damaged("a page's levels are longer than it"));
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

    /// Checks the counts for which the decoder of an encoding takes memory before it looks at the values.
    fn values(&self, h: &Header, bytes: &[u8]) -> Result<(), DecodeFault> {
        if h.values == h.v2.nulls || bytes.is_empty() {
            return Ok(());
        }
        let most = u64::from(count(h.values, "values")?);
        match encoding(h.encoding)? {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY if !self.dictionary => {
                Err(DecodeFault::damaged("values of a dictionary that is not there"))
            }
            Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => declared(bytes, most),
            Encoding::DELTA_BYTE_ARRAY => {
                // Each text may repeat all of the one before: a page of a MiB could become many GiB.
                let (end, shared) = lengths(bytes, most)?;
                let own = bytes.len() as u64;
                declared(&bytes[end..], most)?;
                believable(own, shared.saturating_add(own), &self.budget).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn dictionary(&mut self, h: &Header, body: &[u8]) -> Result<Page, DecodeFault> {
        let mut held = self.whole(&[], body, count(h.size, "bytes")?.into(), true)?;
        let values = count(h.values, "values")?;
        if self.dictionary || u64::from(values) * self.bits > held.bytes.len() as u64 * 8 {
            return Err(DecodeFault::damaged(format!(
                "a dictionary of {values} values in {} bytes",
                held.bytes.len()
            )));
        }
        held.room.more(DECODED * u64::from(values))?;
        self.dictionary = true;
        let encoding = match h.encoding {
            0 | 2 => Encoding::PLAIN,
            other => return Err(DecodeFault::damaged(format!("a dictionary in encoding {other}"))),
        };
        Ok(Page::DictionaryPage { buf: held.shared(), num_values: values, encoding, is_sorted: false })
    }
}

fn is_data(h: &Header) -> bool {
    matches!(h.kind, DATA | DATA_V2)
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> parquet::errors::Result<Option<Page>> {
        self.next_page().map_err(|fault| self.refuse(fault))
    }

    fn peek_next_page(&mut self) -> parquet::errors::Result<Option<PageMetadata>> {
        self.peek().map_err(|fault| self.refuse(fault))
    }

    fn skip_next_page(&mut self) -> parquet::errors::Result<()> {
        self.pass_page().map_err(|fault| self.refuse(fault))
    }
}

impl Iterator for Pages {
    type Item = parquet::errors::Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

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
const DICTIONARY: i64 = 2;
const DATA_V2: i64 = 3;

/// Reads a header, and returns its length too.
///
/// # Errors
/// A header that ends early or is not one.
pub(super) fn header(bytes: &[u8]) -> Result<(Header, u64), DecodeFault> {
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
pub(super) fn encoding(number: i64) -> Result<Encoding, DecodeFault> {
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
            return Err(DecodeFault::Unread(format!("values in encoding {number}, which is not read")));
        }
    })
}

/// The encoding of levels by its number.
///
/// # Errors
/// A number that is not one.
#[allow(deprecated)]
fn level_encoding(number: i64) -> Result<Encoding, DecodeFault> {
    match number {
        3 => Ok(Encoding::RLE),
        4 => Ok(Encoding::BIT_PACKED),
        _ => Err(DecodeFault::damaged(format!("levels in encoding {number}"))),
    }
}

/// A number of a header that counts something.
///
/// # Errors
/// A negative one, or more than 32 bits hold.
pub(super) fn count(number: i64, what: &str) -> Result<u32, DecodeFault> {
    u32::try_from(number).map_err(|_| DecodeFault::damaged(format!("a page of {number} {what}")))
}

/// Checks that a delta-encoded run holds at most `most` lengths, and returns where it ends and their sum.
///
/// # Errors
/// More values, a negative one, or a run that ends early.
pub(super) fn lengths(bytes: &[u8], most: u64) -> Result<(usize, u64), DecodeFault> {
    let (mut sum, mut negative) = (0u64, false);
    let end = run(bytes, most, |length| {
        negative |= length < 0;
        sum = sum.saturating_add(length.unsigned_abs());
    })?;
    if negative { Err(DecodeFault::damaged("a text of negative length")) } else { Ok((end, sum)) }
}

/// Checks that a delta-encoded run declares at most `most` values.
///
/// # Errors
/// More than `most`.
pub(super) fn declared(bytes: &[u8], most: u64) -> Result<(), DecodeFault> {
    let mut at = 0;
    for _ in 0..2 {
        varint_of(bytes, &mut at)?;
    }
    let values = varint_of(bytes, &mut at)?;
    if values > most {
        Err(DecodeFault::damaged(format!("a delta run of {values} values, {most} expected at most")))
    } else {
        Ok(())
    }
}

/// Reads a run of 32-bit integers, and returns where it ends.
fn run(bytes: &[u8], most: u64, mut found: impl FnMut(i64)) -> Result<usize, DecodeFault> {
    let mut at = 0;
    let block = varint_of(bytes, &mut at)?;
    let minis = varint_of(bytes, &mut at)?;
    let values = varint_of(bytes, &mut at)?;
    let zigzag = |v: u64| (v >> 1) as i64 ^ -((v & 1) as i64);
    let mut last = zigzag(varint_of(bytes, &mut at)?);
    let even = minis > 0 && block % 128 == 0 && block % minis == 0 && (block / minis) % 32 == 0 && block > 0;
    if values > most || !even || block > 1 << 30 {
        return Err(DecodeFault::damaged(format!(
            "a delta run of {values} values in blocks of {block}, {most} expected at most"
        )));
    }
    let of_mini = block / minis;
    if values > 0 {
        found(last);
    }
    let mut left = values.saturating_sub(1);
    while left > 0 {
        let least = zigzag(varint_of(bytes, &mut at)?);
        let widths = bytes.get(at..).and_then(|b| b.get(..usize::try_from(minis).ok()?));
        let widths = widths.ok_or_else(|| DecodeFault::damaged("a delta run ends early"))?;
        at += widths.len();
        for &width in widths {
            if left == 0 {
                break;
            }
            let size = u64::from(width) * of_mini / 8;
            // The last block may be cut after its last value.
            let needed = u64::from(width).saturating_mul(left.min(of_mini)).div_ceil(8);
            let rest = (bytes.len() - at) as u64;
            if width > 64 || needed > rest {
                return Err(DecodeFault::damaged("a delta run ends early"));
            }
            let mini = &bytes[at..at + size.min(rest) as usize];
            for i in 0..left.min(of_mini) {
                // Decoders wrap at 32 bits.
                last =
                    i64::from(
                        last.wrapping_add(least).wrapping_add(bits(mini, i * u64::from(width), width)) as i32
                    );
                found(last);
            }
            at += mini.len();
            left -= left.min(of_mini);
        }
    }
    Ok(at)
}

/// An integer of `width` bits from a bit on, the lowest bit first.
fn bits(bytes: &[u8], from: u64, width: u8) -> i64 {
    let bit = |i: u64| bytes.get((i / 8) as usize).map_or(0, |b| u64::from(b >> (i % 8) & 1));
    (0..u64::from(width)).fold(0, |v, i| v | bit(from + i) << i) as i64
}

#[cfg(test)]
mod page_header_tests {
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

    #[test]
    fn runs_are_measured() {
        // 128 a block, 4 minis of 32; 3 values; first 7; least delta 1; widths 2, 0, 0, 0; one mini of 32 x 2 bits.
        let mut bytes = vec![0x80, 0x01, 4, 3, 14, 2, 2, 0, 0, 0];
        // Deltas 1 + 2 and 1 + 1: 7, 10, 12.
        bytes.extend([0b0110, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(b"rest");
        assert_eq!(lengths(&bytes, 3), Ok((18, 29)));
        assert!(lengths(&bytes, 2).is_err() && declared(&bytes, 2).is_err() && declared(&bytes, 3).is_ok());
        for end in 0..11 {
            assert!(lengths(&bytes[..end], 3).is_err(), "{end}");
        }
        assert!(lengths(&[0x80, 0x01, 4, 0xff, 0xff, 0xff, 0xff, 0x0f, 0], 1000).is_err());
        assert!(lengths(&[0x80, 0x01, 0, 1, 0], 1000).is_err());
        assert_eq!(lengths(&[0x80, 0x01, 4, 0, 0], 0), Ok((5, 0)));
        assert!(lengths(&[0x80, 0x01, 4, 1, 1], 1).is_err(), "a length of -1");
    }
}

#[cfg(test)]
mod tests;

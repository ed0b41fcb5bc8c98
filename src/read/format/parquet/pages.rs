//! The pages of a column chunk: their headers checked and their bytes decompressed before the decoder gets them.

use super::delta;
use super::page_header::{DATA, DATA_V2, DICTIONARY, Header, count, encoding, header, level_encoding};
use crate::budget::Budget;
use crate::budget::Reservation;
use crate::bytes::Content;
use crate::format::decoding::{Codec, Fault, believable, inflate};
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes read for a header at first, and at most.
const HEADER: [u64; 2] = [256, 64 << 10];
/// Bytes that a value of a dictionary takes where it is decoded.
const DECODED: u64 = 48;

/// The bytes of a page, and what they take as long as the decoder has them.
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
pub(super) type Refused = Arc<Mutex<Option<Fault>>>;

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
    fn refuse(&self, fault: Fault) -> ParquetError {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
        ParquetError::General("refused".to_owned())
    }

    /// The next page with values or the dictionary; none at the end.
    fn next_page(&mut self) -> Result<Option<Page>, Fault> {
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
    fn peek(&mut self) -> Result<Option<PageMetadata>, Fault> {
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
    fn pass_page(&mut self) -> Result<(), Fault> {
        let (h, len) = self.next_header()?;
        let values = if is_data(h) { h.values as u64 } else { 0 };
        let page = len + h.stored as u64;
        self.at += page;
        self.left -= values;
        self.next = None;
        Ok(())
    }

    /// The next header, which fits the chunk, and its length.
    fn next_header(&mut self) -> Result<(&Header, u64), Fault> {
        if self.next.is_none() {
            self.next = Some(self.read_header()?);
        }
        match &self.next {
            Some((header, len)) => Ok((header, *len)),
            None => Err(Fault::damaged("a page without its header")),
        }
    }

    fn read_header(&self) -> Result<(Header, u64), Fault> {
        let rest = self.end.saturating_sub(self.at);
        if rest == 0 {
            return Err(Fault::damaged(format!("its pages end {} values early", self.left)));
        }
        let mut read = header(&self.source.read(self.at, rest.min(HEADER[0]))?);
        if read.is_err() && rest > HEADER[0] {
            read = header(&self.source.read(self.at, rest.min(HEADER[1]))?);
        }
        let (h, len) = read?;
        let stored = count(h.stored, "bytes")?;
        if u64::from(stored) > rest - len {
            return Err(Fault::damaged(format!(
                "a page of {stored} bytes in a chunk with {} left",
                rest - len
            )));
        }
        let values = u64::from(count(h.values, "values")?);
        if is_data(&h) && values > self.left {
            return Err(Fault::damaged(format!("a page of {values} values where {} are left", self.left)));
        }
        Ok((h, len))
    }

    /// The next header, and the bytes of its page as they are stored.
    fn read_page(&mut self) -> Result<(Header, Held), Fault> {
        let (h, len) = self.next_header()?;
        let (h, at) = (h.clone(), self.at + len);
        let room = self.budget.reserve(h.stored as u64)?;
        let bytes = self.source.read(at, h.stored as u64)?;
        if h.crc.is_some_and(|crc| crc as u32 != crc32fast::hash(&bytes)) {
            return Err(Fault::damaged("a page is not what its checksum says"));
        }
        self.pass_page()?;
        Ok((h, Held { bytes, room }))
    }

    /// Bytes decompressed into `size`, behind others that are not.
    fn whole(&self, before: &[u8], stored: &[u8], size: u64, compressed: bool) -> Result<Held, Fault> {
        let codec = self.codec.filter(|_| compressed);
        if codec.is_none() && stored.len() as u64 != size {
            return Err(Fault::damaged(format!("a page of {} bytes that declares {size}", stored.len())));
        }
        let inflated = codec
            .map(|codec| Ok::<_, Fault>((codec, believable(stored.len() as u64, size, &self.budget)?)))
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

    fn data(&mut self, h: &Header, body: &[u8]) -> Result<Page, Fault> {
        let held = self.whole(&[], body, count(h.size, "bytes")?.into(), true)?;
        let buf = &held.bytes;
        let level = level_encoding(h.levels[0]);
        let mut start = 0;
        if self.nullable && h.values > 0 {
            level.clone()?;
            if h.levels[0] == 3 {
                let size = buf.first_chunk::<4>().map_or(u64::MAX, |b| u64::from(u32::from_le_bytes(*b)));
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

    fn data_v2(&mut self, h: &Header, body: &[u8]) -> Result<Page, Fault> {
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

    /// Checks what the decoder of an encoding takes memory for before it looks at the values.
    fn values(&self, h: &Header, bytes: &[u8]) -> Result<(), Fault> {
        if h.values == h.v2.nulls || bytes.is_empty() {
            return Ok(());
        }
        let most = u64::from(count(h.values, "values")?);
        match encoding(h.encoding)? {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY if !self.dictionary => {
                Err(Fault::damaged("values of a dictionary that is not there"))
            }
            Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => delta::declared(bytes, most),
            Encoding::DELTA_BYTE_ARRAY => {
                // Each text may repeat all of the one before: a page of a MiB could become many GiB.
                let (end, shared) = delta::lengths(bytes, most)?;
                let own = bytes.len() as u64;
                delta::declared(&bytes[end..], most)?;
                believable(own, shared.saturating_add(own), &self.budget).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn dictionary(&mut self, h: &Header, body: &[u8]) -> Result<Page, Fault> {
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

#[cfg(test)]
mod tests;

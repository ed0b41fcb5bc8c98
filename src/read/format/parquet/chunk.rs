//! One column of a row group: its pages decoded into cells.

use super::footer::first_line;
use super::pages::{Pages, Refused};
use crate::budget::Budget;
use crate::bytes::Content;
use crate::format::decoding::{Codec, DecodeFault, Unit, ValueType};
use crate::table::ColumnBuilder;
use gridscope_core::calendar::date_text;
use half::f16;
use parquet::basic::{Compression, Type};
use parquet::column::page::Page;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{AsBytes, ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use std::sync::{Arc, PoisonError};

/// Rows decoded at once.
const BATCH: usize = 1 << 14;
const DAY: i64 = 86_400_000_000_000;
/// The Julian day of 1970-01-01.
const EPOCH: i64 = 2_440_588;

/// A column of a row group while it is read.
pub(super) struct Chunk {
    reader: ColumnReader,
    value_type: ValueType,
    nullable: bool,
    /// Rows to come.
    left: usize,
    /// Why a page was refused: the decoder's own error does not say.
    refused: Refused,
}

/// Opens a column of a row group; `end_of_data` is where the footer begins.
///
/// # Errors
/// Damage, or a codec or place that is not read.
pub(super) fn open_chunk(
    source: &Arc<Content>,
    end_of_data: u64,
    group: &RowGroupMetaData,
    column: usize,
    value_type: ValueType,
    budget: &Arc<Budget>,
) -> Result<Chunk, DecodeFault> {
    let chunk = group.columns().get(column).ok_or_else(|| DecodeFault::damaged("a row group without it"))?;
    if chunk.file_path().is_some_and(|p| !p.is_empty()) {
        return Err(DecodeFault::Unread("it is in another file, which is not read".to_owned()));
    }
    let rows = u64::try_from(group.num_rows())
        .map_err(|_| DecodeFault::damaged("a row group of negative length"))?;
    if u64::try_from(chunk.num_values()) != Ok(rows) {
        return Err(DecodeFault::damaged(format!(
            "{} values in a row group of {rows} rows",
            chunk.num_values()
        )));
    }
    let (at, end) = extent(chunk, end_of_data)?;
    let descriptor = chunk.column_descr_ptr();
    let length = u64::try_from(descriptor.type_length()).unwrap_or(0);
    let bits = match descriptor.physical_type() {
        Type::BOOLEAN => 1,
        Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 32,
        Type::INT64 | Type::DOUBLE => 64,
        Type::INT96 => 96,
        Type::FIXED_LEN_BYTE_ARRAY if length == 0 => return Err(DecodeFault::damaged("values of no bytes")),
        Type::FIXED_LEN_BYTE_ARRAY => length.saturating_mul(8),
    };
    let nullable = descriptor.max_def_level() > 0;
    let pages = Pages::new(source, (at, end), rows, codec(chunk)?, (nullable, bits), budget);
    let refused = pages.refused.clone();
    Ok(Chunk {
        reader: get_column_reader(descriptor, Box::new(pages)),
        value_type,
        nullable,
        left: rows as usize,
        refused,
    })
}

/// The texts of a column's dictionary in a row group, in their order.
///
/// # Errors
/// Damage, and a column without one.
pub(super) fn dictionary(
    source: &Arc<Content>,
    end_of_data: u64,
    group: &RowGroupMetaData,
    column: usize,
    budget: &Arc<Budget>,
) -> Result<Vec<String>, DecodeFault> {
    let none = || DecodeFault::damaged("a column without a dictionary");
    let chunk = group.columns().get(column).ok_or_else(none)?;
    let descriptor = chunk.column_descr_ptr();
    let rows = u64::try_from(group.num_rows()).map_err(|_| none())?;
    if descriptor.physical_type() != Type::BYTE_ARRAY {
        return Err(none());
    }
    let shape = (descriptor.max_def_level() > 0, 32);
    let mut pages = Pages::new(source, extent(chunk, end_of_data)?, rows, codec(chunk)?, shape, budget);
    let Some(Ok(Page::DictionaryPage { buf, num_values, .. })) = pages.next() else {
        return Err(none());
    };
    let (mut bytes, mut texts) = (buf.as_ref(), Vec::new());
    for _ in 0..num_values {
        let (head, rest) = bytes.split_first_chunk::<4>().ok_or_else(none)?;
        let text = rest.get(..u32::from_le_bytes(*head) as usize).ok_or_else(none)?;
        texts.push(String::from_utf8_lossy(text).into_owned());
        bytes = &rest[text.len()..];
    }
    Ok(texts)
}

/// Where the pages of a chunk begin and end.
fn extent(chunk: &ColumnChunkMetaData, end_of_data: u64) -> Result<(u64, u64), DecodeFault> {
    let first = chunk
        .dictionary_page_offset()
        .filter(|d| *d > 0 && *d < chunk.data_page_offset())
        .unwrap_or(chunk.data_page_offset());
    let (Ok(at), Ok(size)) = (u64::try_from(first), u64::try_from(chunk.compressed_size())) else {
        return Err(DecodeFault::damaged("a chunk at a negative place or of negative size"));
    };
    let end = at.checked_add(size).filter(|e| *e <= end_of_data && at >= 4);
    let end = end.ok_or_else(|| {
        DecodeFault::damaged(format!("a chunk of {size} bytes at {at}, which is not inside the file"))
    })?;
    Ok((at, end))
}

fn codec(chunk: &ColumnChunkMetaData) -> Result<Option<Codec>, DecodeFault> {
    Ok(Some(match chunk.compression() {
        Compression::UNCOMPRESSED => return Ok(None),
        Compression::SNAPPY => Codec::Snappy,
        Compression::GZIP(_) => Codec::Gzip,
        Compression::BROTLI(_) => Codec::Brotli,
        Compression::LZ4 => Codec::Lz4Hadoop,
        Compression::LZ4_RAW => Codec::Lz4Block,
        Compression::ZSTD(_) => Codec::Zstd,
        Compression::LZO => {
            return Err(DecodeFault::Unread("compressed by LZO, which is not read".to_owned()));
        }
    }))
}

impl Chunk {
    /// Passes over its next rows: pages of these rows alone are not even read.
    ///
    /// # Errors
    /// Damage.
    pub(super) fn skip(&mut self, rows: usize) -> Result<(), DecodeFault> {
        let skipped = match &mut self.reader {
            ColumnReader::BoolColumnReader(r) => r.skip_records(rows),
            ColumnReader::Int32ColumnReader(r) => r.skip_records(rows),
            ColumnReader::Int64ColumnReader(r) => r.skip_records(rows),
            ColumnReader::Int96ColumnReader(r) => r.skip_records(rows),
            ColumnReader::FloatColumnReader(r) => r.skip_records(rows),
            ColumnReader::DoubleColumnReader(r) => r.skip_records(rows),
            ColumnReader::ByteArrayColumnReader(r) => r.skip_records(rows),
            ColumnReader::FixedLenByteArrayColumnReader(r) => r.skip_records(rows),
        };
        let skipped = skipped.map_err(|e| cause(&self.refused, &e))?;
        if skipped != rows {
            return Err(ends_early(self.left - skipped));
        }
        self.left -= rows;
        Ok(())
    }

    /// Reads its next rows.
    ///
    /// # Errors
    /// Damage, or a feature that is not read.
    pub(super) fn read(&mut self, rows: usize, into: &mut ColumnBuilder) -> Result<(), DecodeFault> {
        let rows = rows.min(self.left);
        into.reserve(rows).map_err(|_| DecodeFault::Limit(format!("no memory for {rows} rows")))?;
        let next = Next { rows, left: self.left, nullable: self.nullable, refused: &self.refused };
        self.left -= rows;
        let kind = self.value_type;
        // Decimals and times are stored as plain integers too.
        let plain = matches!(kind, ValueType::Signed | ValueType::Unsigned);
        let decimal = plain || matches!(kind, ValueType::Decimal(_));
        match &mut self.reader {
            ColumnReader::BoolColumnReader(r) => {
                next.read_each(r, into, |v, into| kind.push_integer(i64::from(*v), into))
            }
            ColumnReader::Int32ColumnReader(r) if kind == ValueType::Unsigned => {
                next.read(r, into, |run, into| Ok(into.extend_u64(run.iter().map(|v| u64::from(*v as u32)))?))
            }
            ColumnReader::Int32ColumnReader(r) if plain => {
                next.read(r, into, |run, into| Ok(into.extend_i64(run.iter().map(|v| i64::from(*v)))?))
            }
            ColumnReader::Int64ColumnReader(r) if kind == ValueType::Unsigned => {
                next.read(r, into, |run, into| Ok(into.extend_u64(run.iter().map(|v| *v as u64))?))
            }
            ColumnReader::Int64ColumnReader(r) if plain => {
                next.read(r, into, |run, into| Ok(into.extend_i64(run.iter().copied())?))
            }
            ColumnReader::Int32ColumnReader(r) => {
                next.read_each(r, into, |v, into| kind.push_integer(i64::from(*v), into))
            }
            ColumnReader::Int64ColumnReader(r) => {
                next.read_each(r, into, |v, into| kind.push_integer(*v, into))
            }
            ColumnReader::Int96ColumnReader(r) => {
                next.read_each(r, into, |v, into| push_text(kind, int96(v.data()).as_bytes(), into))
            }
            ColumnReader::FloatColumnReader(r) => {
                next.read(r, into, |run, into| Ok(into.extend_f32(run.iter().copied())?))
            }
            ColumnReader::DoubleColumnReader(r) => {
                next.read(r, into, |run, into| Ok(into.extend_f64(run.iter().copied())?))
            }
            ColumnReader::ByteArrayColumnReader(r) if decimal => {
                next.read_each(r, into, |v, into| kind.push_wide_decimal(v.as_bytes(), into))
            }
            ColumnReader::ByteArrayColumnReader(r) => {
                next.read(r, into, |run, into| push_texts(kind, run, into))
            }
            ColumnReader::FixedLenByteArrayColumnReader(r) => {
                next.read_each(r, into, |v, into| match v.as_bytes() {
                    bytes if decimal => kind.push_wide_decimal(bytes, into),
                    [a, b] if kind == ValueType::Single => {
                        Ok(into.extend_f32([f16::from_le_bytes([*a, *b]).to_f32()].into_iter())?)
                    }
                    bytes => push_text(kind, bytes, into),
                })
            }
        }
    }
}

/// A time as old writers have it: nanoseconds of a Julian day.
fn int96(parts: &[u32]) -> String {
    let [low, high, day] = [0, 1, 2].map(|i| parts.get(i).copied().unwrap_or(0));
    let nanos = i64::from(low) | i64::from(high as i32) << 32;
    format!(
        "{}T{}",
        date_text(i64::from(day) - EPOCH + nanos.div_euclid(DAY)),
        Unit::Nano.clock_text(nanos.rem_euclid(DAY))
    )
}

fn push_text(kind: ValueType, bytes: &[u8], into: &mut ColumnBuilder) -> Result<(), DecodeFault> {
    kind.push_bytes(bytes, into).map(|_| ())
}

/// Adds texts that are all in memory at once. Values of one dictionary entry share their storage, so that most texts of a long
/// run are recognised by their address.
fn push_texts(kind: ValueType, values: &[ByteArray], into: &mut ColumnBuilder) -> Result<(), DecodeFault> {
    const PLACES: usize = 1 << 10;
    if values.len() < PLACES {
        return values.iter().try_for_each(|v| push_text(kind, v.as_bytes(), into));
    }
    let mut known = vec![(0usize, 0usize, 0u32); PLACES];
    for value in values {
        let bytes = value.as_bytes();
        let place = (bytes.as_ptr().addr(), bytes.len());
        let at = &mut known[(place.0 ^ place.0 >> 10) % PLACES];
        if (at.0, at.1) == place {
            into.push_code(at.2);
        } else {
            *at = (place.0, place.1, kind.push_bytes(bytes, into)?);
        }
    }
    Ok(())
}

/// The refusal of a page, or else the decoder's error.
fn cause(refused: &Refused, error: &ParquetError) -> DecodeFault {
    let refused = refused.lock().unwrap_or_else(PoisonError::into_inner).take();
    refused.unwrap_or_else(|| DecodeFault::damaged(first_line(error)))
}

fn ends_early(missing: usize) -> DecodeFault {
    DecodeFault::damaged(format!("its values end {missing} rows early"))
}

/// The next rows of a chunk.
struct Next<'c> {
    rows: usize,
    /// Rows to come, these included.
    left: usize,
    nullable: bool,
    refused: &'c Refused,
}

impl Next<'_> {
    /// Reads values one by one.
    fn read_each<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        into: &mut ColumnBuilder,
        push: impl Fn(&T::T, &mut ColumnBuilder) -> Result<(), DecodeFault>,
    ) -> Result<(), DecodeFault> {
        self.read(reader, into, |run, into| run.iter().try_for_each(|v| push(v, into)))
    }

    /// Reads runs of rows that all have a value.
    fn read<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        into: &mut ColumnBuilder,
        push_run: impl Fn(&[T::T], &mut ColumnBuilder) -> Result<(), DecodeFault>,
    ) -> Result<(), DecodeFault> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let mut left = self.rows;
        while left > 0 {
            levels.clear();
            values.clear();
            let levels_too = self.nullable.then_some(&mut levels);
            let read = reader.read_records(left.min(BATCH), levels_too, None, &mut values);
            let (rows, _, _) = read.map_err(|e| cause(self.refused, &e))?;
            let found = if self.nullable { levels.len() } else { values.len() };
            if rows == 0 || rows > left || found != rows {
                return Err(ends_early(self.left - self.rows + left));
            }
            if values.len() == rows {
                push_run(&values, into)?;
            } else {
                let mut values = values.as_slice();
                for run in levels.chunk_by(|a, b| (*a > 0) == (*b > 0)) {
                    if run[0] == 0 {
                        into.push_missing(run.len());
                        continue;
                    }
                    let (present, rest) = values
                        .split_at_checked(run.len())
                        .ok_or_else(|| DecodeFault::damaged("fewer values than rows that have one"))?;
                    push_run(present, into)?;
                    values = rest;
                }
            }
            left -= rows;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_times_have_their_date() {
        assert_eq!(int96(&[0, 0, 2_440_588]), "1970-01-01T00:00:00");
        assert_eq!(int96(&[1_000_000_000, 0, 2_440_589]), "1970-01-02T00:00:01");
        assert_eq!(int96(&[u32::MAX, u32::MAX, 2_440_588]), "1969-12-31T23:59:59.999999999");
        assert!(!int96(&[0, 1 << 31, u32::MAX]).is_empty());
    }
}

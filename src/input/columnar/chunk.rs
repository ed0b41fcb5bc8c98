//! One column of a Parquet file: its type in words, and its chunks read into cells.

use super::budget::Budget;
use super::codec::Codec;
use super::dates::{Unit, clock, date};
use super::fault::Fault;
use super::footer::first_line;
use super::gather::{Gather, Meaning};
use super::pages::{Pages, Refused};
use super::source::Source;
use half::f16;
use parquet::basic::{Compression, ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{AsBytes, ByteArray, DataType};
use parquet::file::metadata::RowGroupMetaData;
use parquet::schema::types::ColumnDescriptor;
use std::sync::Arc;

/// Rows decoded at once.
const BATCH: usize = 1 << 14;
const DAY: i64 = 86_400_000_000_000;
/// The Julian day of 1970-01-01.
const EPOCH: i64 = 2_440_588;

/// What a column of single values holds; its type in words where it is not read.
pub(super) fn meaning(c: &ColumnDescriptor) -> Result<Meaning, String> {
    let (logical, converted) = (c.logical_type_ref(), c.converted_type());
    let decimal = matches!(logical, Some(LogicalType::Decimal(_))) || converted == ConvertedType::DECIMAL;
    if decimal {
        // Without a scale there are no digits behind the point.
        let scale = c.type_scale().max(0);
        return Ok(if scale == 0 && c.type_precision() <= 18 {
            Meaning::Signed
        } else {
            Meaning::Decimal(scale)
        });
    }
    let unit = |u: &TimeUnit| match u {
        TimeUnit::MILLIS => Unit::Milli,
        TimeUnit::MICROS => Unit::Micro,
        TimeUnit::NANOS => Unit::Nano,
    };
    let of_logical = match logical {
        Some(LogicalType::Integer(i)) => Some(if i.is_signed {
            Meaning::Signed
        } else {
            Meaning::Unsigned
        }),
        Some(LogicalType::Date) => Some(Meaning::Days),
        Some(LogicalType::Time(t)) => Some(Meaning::Clock(unit(&t.unit))),
        Some(LogicalType::Timestamp(t)) => Some(Meaning::Instant(unit(&t.unit), t.is_adjusted_to_u_t_c)),
        Some(LogicalType::String | LogicalType::Enum | LogicalType::Json) => Some(Meaning::Text),
        Some(LogicalType::Uuid) => Some(Meaning::Uuid),
        Some(LogicalType::Float16) => Some(Meaning::Single),
        Some(
            LogicalType::Variant(_)
            | LogicalType::Geometry(_)
            | LogicalType::Geography(_)
            | LogicalType::Bson
            | LogicalType::File,
        ) => {
            return Err(format!("{logical:?}")
                .split('(')
                .next()
                .unwrap_or_default()
                .to_lowercase());
        }
        _ => None,
    };
    let of_converted = match converted {
        ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => {
            Some(Meaning::Unsigned)
        }
        ConvertedType::DATE => Some(Meaning::Days),
        ConvertedType::TIME_MILLIS => Some(Meaning::Clock(Unit::Milli)),
        ConvertedType::TIME_MICROS => Some(Meaning::Clock(Unit::Micro)),
        ConvertedType::TIMESTAMP_MILLIS => Some(Meaning::Instant(Unit::Milli, true)),
        ConvertedType::TIMESTAMP_MICROS => Some(Meaning::Instant(Unit::Micro, true)),
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Some(Meaning::Text),
        ConvertedType::BSON => return Err("bson".to_owned()),
        ConvertedType::INTERVAL => return Err("an interval".to_owned()),
        _ => None,
    };
    let plain = match c.physical_type() {
        Type::BOOLEAN => Meaning::Truth,
        Type::INT32 | Type::INT64 => Meaning::Signed,
        Type::INT96 => return Ok(Meaning::Text),
        Type::FLOAT => return Ok(Meaning::Single),
        Type::DOUBLE => return Ok(Meaning::Double),
        Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY => Meaning::Bytes,
    };
    let found = of_logical.or(of_converted).unwrap_or(plain);
    let texts = matches!(found, Meaning::Text | Meaning::Bytes | Meaning::Uuid);
    let fits = match c.physical_type() {
        Type::BYTE_ARRAY => texts,
        Type::FIXED_LEN_BYTE_ARRAY => texts || (found == Meaning::Single && c.type_length() == 2),
        Type::BOOLEAN => found == Meaning::Truth,
        _ => !texts && found != Meaning::Single,
    };
    // A type that does not go with what is stored says nothing.
    Ok(if fits { found } else { plain })
}

/// A column's part of a row group while it is read.
pub(super) struct Chunk {
    reader: ColumnReader,
    left: usize,
    nullable: bool,
    unsigned: bool,
    decimal: bool,
    half: bool,
    refused: Refused,
}

/// Looks at a column's part of a row group.
///
/// # Errors
/// What is damaged or not read in it.
pub(super) fn open_chunk(
    source: &Arc<Source>,
    end_of_data: u64,
    group: &RowGroupMetaData,
    column: usize,
    budget: &Arc<Budget>,
) -> Result<Chunk, Fault> {
    let chunk = group
        .columns()
        .get(column)
        .ok_or_else(|| Fault::damaged("a row group without it"))?;
    if chunk.file_path().is_some_and(|p| !p.is_empty()) {
        return Err(Fault::Unread(
            "it stands in another file, which is not read".to_owned(),
        ));
    }
    let rows =
        u64::try_from(group.num_rows()).map_err(|_| Fault::damaged("a row group of negative length"))?;
    if u64::try_from(chunk.num_values()) != Ok(rows) {
        return Err(Fault::damaged(format!(
            "{} values in a row group of {rows} rows",
            chunk.num_values()
        )));
    }
    let first = chunk
        .dictionary_page_offset()
        .filter(|d| *d > 0 && *d < chunk.data_page_offset())
        .unwrap_or(chunk.data_page_offset());
    let (Ok(at), Ok(size)) = (u64::try_from(first), u64::try_from(chunk.compressed_size())) else {
        return Err(Fault::damaged("a chunk at a negative place or of negative size"));
    };
    let end = at.checked_add(size).filter(|e| *e <= end_of_data && at >= 4);
    let end = end.ok_or_else(|| {
        Fault::damaged(format!(
            "a chunk of {size} bytes at {at}, which is not inside the file"
        ))
    })?;
    let codec = match chunk.compression() {
        Compression::UNCOMPRESSED => None,
        Compression::SNAPPY => Some(Codec::Snappy),
        Compression::GZIP(_) => Some(Codec::Gzip),
        Compression::BROTLI(_) => Some(Codec::Brotli),
        Compression::LZ4 => Some(Codec::Lz4Hadoop),
        Compression::LZ4_RAW => Some(Codec::Lz4Block),
        Compression::ZSTD(_) => Some(Codec::Zstd),
        Compression::LZO => return Err(Fault::Unread("compressed by LZO, which is not read".to_owned())),
    };
    let descriptor = chunk.column_descr_ptr();
    let length = u64::try_from(descriptor.type_length()).unwrap_or(0);
    let bits = match descriptor.physical_type() {
        Type::BOOLEAN => 1,
        Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 32,
        Type::INT64 | Type::DOUBLE => 64,
        Type::INT96 => 96,
        Type::FIXED_LEN_BYTE_ARRAY if length == 0 => return Err(Fault::damaged("values of no bytes")),
        Type::FIXED_LEN_BYTE_ARRAY => length.saturating_mul(8),
    };
    let refused = Refused::default();
    let nullable = descriptor.max_def_level() > 0;
    let (source, budget, left) = (source.clone(), Arc::clone(budget), rows);
    let pages = Pages {
        source,
        at,
        end,
        left,
        codec,
        nullable,
        bits,
        budget,
        dictionary: false,
        refused: refused.clone(),
    };
    let unsigned = matches!(meaning(&descriptor), Ok(Meaning::Unsigned));
    let decimal = descriptor.converted_type() == ConvertedType::DECIMAL
        || matches!(descriptor.logical_type_ref(), Some(LogicalType::Decimal(_)));
    let half = matches!(descriptor.logical_type_ref(), Some(LogicalType::Float16)) && length == 2;
    let reader = get_column_reader(descriptor, Box::new(pages));
    Ok(Chunk {
        reader,
        left: rows as usize,
        nullable,
        unsigned,
        decimal,
        half,
        refused,
    })
}

impl Chunk {
    /// Reads its next rows.
    ///
    /// # Errors
    /// What is damaged or not read in it.
    pub fn read(&mut self, rows: usize, into: &mut Gather) -> Result<(), Fault> {
        let rows = rows.min(self.left);
        into.reserve(rows)?;
        let next = Next {
            rows,
            left: self.left,
            nullable: self.nullable,
            refused: &self.refused,
        };
        self.left -= rows;
        let (unsigned, decimal, half) = (self.unsigned, self.decimal, self.half);
        match &mut self.reader {
            ColumnReader::BoolColumnReader(r) => next.read(r, into, |v, into| into.whole(i64::from(*v))),
            ColumnReader::Int32ColumnReader(r) if unsigned => {
                next.read(r, into, |v, into| into.whole(i64::from(*v as u32)))
            }
            ColumnReader::Int32ColumnReader(r) => next.read(r, into, |v, into| into.whole(i64::from(*v))),
            ColumnReader::Int64ColumnReader(r) => next.read(r, into, |v, into| into.whole(*v)),
            ColumnReader::Int96ColumnReader(r) => {
                next.read(r, into, |v, into| into.bytes(int96(v.data()).as_bytes()))
            }
            ColumnReader::FloatColumnReader(r) => next.read(r, into, |v, into| {
                into.number(f64::from(*v));
                Ok(())
            }),
            ColumnReader::DoubleColumnReader(r) => {
                let one = |v: &f64, into: &mut Gather| {
                    into.number(*v);
                    Ok(())
                };
                let all = |values: &[f64], into: &mut Gather| {
                    into.doubles(values);
                    Ok(())
                };
                next.read_by(r, into, all, one)
            }
            ColumnReader::ByteArrayColumnReader(r) if decimal => {
                next.read(r, into, |v, into| into.big_endian(v.as_bytes()))
            }
            ColumnReader::ByteArrayColumnReader(r) => {
                next.read_by(r, into, texts, |v, into| into.bytes(v.as_bytes()))
            }
            ColumnReader::FixedLenByteArrayColumnReader(r) => {
                next.read(r, into, |v, into| match v.as_bytes() {
                    bytes if decimal => into.big_endian(bytes),
                    [a, b] if half => {
                        into.number(f16::from_le_bytes([*a, *b]).to_f64());
                        Ok(())
                    }
                    bytes => into.bytes(bytes),
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
        date(i64::from(day) - EPOCH + nanos.div_euclid(DAY)),
        clock(nanos.rem_euclid(DAY), Unit::Nano)
    )
}

/// Texts that are all in memory at once: those that stand at the same place are the same, as those of a dictionary are.
fn texts(values: &[ByteArray], into: &mut Gather) -> Result<(), Fault> {
    const PLACES: usize = 1 << 10;
    let mut known = vec![(0usize, 0usize, 0u32); PLACES];
    for value in values {
        let bytes = value.as_bytes();
        let place = (bytes.as_ptr().addr(), bytes.len());
        let at = &mut known[(place.0 ^ place.0 >> 10) % PLACES];
        if (at.0, at.1) == place {
            into.again(at.2);
            continue;
        }
        into.bytes(bytes)?;
        *at = (place.0, place.1, into.last_code().unwrap_or(0));
    }
    Ok(())
}

/// The next rows of a chunk.
struct Next<'c> {
    rows: usize,
    /// Rows that are left, these among them.
    left: usize,
    nullable: bool,
    refused: &'c Refused,
}

impl Next<'_> {
    /// Reads values one by one.
    fn read<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        into: &mut Gather,
        push: impl Fn(&T::T, &mut Gather) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.read_by(
            reader,
            into,
            |values, into| values.iter().try_for_each(|v| push(v, into)),
            &push,
        )
    }

    /// Reads rows that all have a value by `all`, and others one by one.
    fn read_by<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        into: &mut Gather,
        all: impl Fn(&[T::T], &mut Gather) -> Result<(), Fault>,
        push: impl Fn(&T::T, &mut Gather) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let mut left = self.rows;
        while left > 0 {
            levels.clear();
            values.clear();
            let read = reader.read_records(
                left.min(BATCH),
                self.nullable.then_some(&mut levels),
                None,
                &mut values,
            );
            let read = read.map_err(|e| {
                let refused = self
                    .refused
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
                    .take();
                refused.unwrap_or_else(|| Fault::damaged(first_line(&e.to_string())))
            });
            let (rows, _, _) = read?;
            if rows == 0
                || rows > left
                || if self.nullable {
                    levels.len() != rows
                } else {
                    values.len() != rows
                }
            {
                return Err(Fault::damaged(format!(
                    "its values end {} rows early",
                    self.left - self.rows + left
                )));
            }
            let mut found = values.iter();
            if values.len() == rows {
                all(&values, into)?;
            } else if self.nullable {
                for level in &levels {
                    match (*level > 0).then(|| found.next()).flatten() {
                        Some(v) => push(v, into)?,
                        None => into.missing(),
                    }
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
        assert_eq!(
            int96(&[u32::MAX, u32::MAX, 2_440_588]),
            "1969-12-31T23:59:59.999999999"
        );
        assert!(!int96(&[0, 1 << 31, u32::MAX]).is_empty());
    }
}

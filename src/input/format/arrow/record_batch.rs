//! Columns of Arrow record batches as cells, whatever their types and encodings.

use crate::input::format::decoding::{Fault, Unit, ValueType};
use crate::input::table::{ColumnBuilder, TypedCells};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, ByteArrayType, ByteViewType, Date32Type, Date64Type, Decimal32Type, Decimal64Type,
    Decimal128Type, Decimal256Type, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, ArrayRef, GenericByteArray, GenericByteViewArray};
use arrow_schema::{DataType, TimeUnit};
use std::ops::Range;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;
/// The code of a dictionary's entry that no row has had yet.
const NEW: u32 = u32::MAX;

/// The logical type of an array's values; the array's type in words where it is not read.
pub(super) fn value_type(of: &DataType) -> Result<ValueType, String> {
    let unit = |u: &TimeUnit| match u {
        TimeUnit::Second => Unit::Seconds,
        TimeUnit::Millisecond => Unit::Milli,
        TimeUnit::Microsecond => Unit::Micro,
        TimeUnit::Nanosecond => Unit::Nano,
    };
    Ok(match of {
        DataType::Null => ValueType::Null,
        DataType::Boolean => ValueType::Bool,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 | DataType::Duration(_) => {
            ValueType::Signed
        }
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => ValueType::Unsigned,
        DataType::Float16 | DataType::Float32 => ValueType::Single,
        DataType::Float64 => ValueType::Double,
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale) => {
            ValueType::decimal(i32::from(*precision), i32::from(*scale))
        }
        DataType::Date32 | DataType::Date64 => ValueType::Date,
        DataType::Time32(u) | DataType::Time64(u) => ValueType::Time(unit(u)),
        DataType::Timestamp(u, zone) => {
            ValueType::Timestamp(unit(u), zone.as_ref().is_some_and(|z| !z.is_empty()))
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => ValueType::Text,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            ValueType::Bytes
        }
        DataType::Dictionary(_, values) => return value_type(values),
        other => return Err(format!("of type {other}")),
    })
}

/// A column of a record batch while its rows are read.
pub(super) struct ColumnReader {
    array: ArrayRef,
    value_type: ValueType,
    /// Of each entry of its dictionary the code of its text, once a row has had it.
    codes: Vec<u32>,
    /// The numbers of its dictionary.
    numbers: Option<ColumnBuilder>,
}

impl ColumnReader {
    /// A reader of an array whose logical type is known.
    pub fn new(array: ArrayRef, value_type: ValueType) -> Self {
        Self {
            array,
            value_type,
            codes: Vec::new(),
            numbers: None,
        }
    }

    /// Adds some of the rows.
    ///
    /// # Errors
    /// Text that is not UTF-8, decimals of too many digits, or too little memory.
    pub fn read(&mut self, rows: Range<usize>, into: &mut ColumnBuilder) -> Result<(), Fault> {
        into.reserve(rows.len())
            .map_err(|_| Fault::Limit(format!("no memory for {} rows", rows.len())))?;
        let array = self.array.slice(rows.start, rows.len());
        let Some(coded) = array.as_any_dictionary_opt() else {
            return push_array(&array, self.value_type, into);
        };
        let values = coded.values();
        if values.is_empty() || self.value_type == ValueType::Null {
            into.push_missing(array.len());
            return Ok(());
        }
        let keys = coded.normalized_keys();
        if !into.is_text() {
            return self.read_numbers(&keys, &array, values, into);
        }
        self.codes.resize(values.len(), NEW);
        for (row, key) in keys.into_iter().enumerate() {
            if array.is_null(row) || values.is_null(key) {
                into.push_missing(1);
            } else if self.codes[key] == NEW {
                push_array(&values.slice(key, 1), self.value_type, into)?;
                self.codes[key] = into.last_code().unwrap_or(NEW);
            } else {
                into.push_code(self.codes[key]);
            }
        }
        Ok(())
    }

    /// Adds rows with the numbers that these keys have in the dictionary.
    fn read_numbers(
        &mut self,
        keys: &[usize],
        rows: &dyn Array,
        values: &ArrayRef,
        into: &mut ColumnBuilder,
    ) -> Result<(), Fault> {
        if self.numbers.is_none() {
            let mut numbers = self.value_type.column(into.budget());
            push_array(values, self.value_type, &mut numbers)?;
            self.numbers = Some(numbers);
        }
        let Some((numbers, valid)) = self.numbers.as_ref().map(ColumnBuilder::cells) else {
            return Ok(());
        };
        let first = into.len();
        match numbers {
            TypedCells::I64(v) => into.extend_i64(keys.iter().map(|k| v[*k]))?,
            TypedCells::U64(v) => into.extend_u64(keys.iter().map(|k| v[*k]))?,
            TypedCells::F32(v) => into.extend_f32(keys.iter().map(|k| v[*k]))?,
            TypedCells::F64(v) => into.extend_f64(keys.iter().map(|k| v[*k]))?,
            TypedCells::Texts { .. } => return Err(Fault::damaged("a dictionary of another type")),
        }
        for (row, key) in keys.iter().enumerate() {
            if rows.is_null(row) || valid.is_some_and(|v| !v[*key]) {
                into.set_missing(first + row);
            }
        }
        Ok(())
    }
}

/// Adds all rows of an array that has no dictionary.
fn push_array(array: &dyn Array, kind: ValueType, into: &mut ColumnBuilder) -> Result<(), Fault> {
    match array.data_type() {
        DataType::Null => {
            into.push_missing(array.len());
            Ok(())
        }
        DataType::Boolean => each(array.as_boolean(), into, |v, into| {
            kind.push_integer(i64::from(v), into)
        }),
        DataType::Int8 => signed::<Int8Type>(array, kind, into),
        DataType::Int16 => signed::<Int16Type>(array, kind, into),
        DataType::Int32 => signed::<Int32Type>(array, kind, into),
        DataType::Int64 => signed::<Int64Type>(array, kind, into),
        DataType::UInt8 => unsigned::<UInt8Type>(array, into),
        DataType::UInt16 => unsigned::<UInt16Type>(array, into),
        DataType::UInt32 => unsigned::<UInt32Type>(array, into),
        DataType::UInt64 => unsigned::<UInt64Type>(array, into),
        DataType::Float16 => {
            let first = into.len();
            into.extend_f32(
                array
                    .as_primitive::<Float16Type>()
                    .values()
                    .iter()
                    .map(|v| v.to_f32()),
            )?;
            mark_missing(array, first, into)
        }
        DataType::Float32 => {
            let first = into.len();
            into.extend_f32(array.as_primitive::<Float32Type>().values().iter().copied())?;
            mark_missing(array, first, into)
        }
        DataType::Float64 => {
            let first = into.len();
            into.extend_f64(array.as_primitive::<Float64Type>().values().iter().copied())?;
            mark_missing(array, first, into)
        }
        DataType::Decimal32(..) => each(array.as_primitive::<Decimal32Type>(), into, |v, into| {
            kind.push_decimal(i128::from(v), into)
        }),
        DataType::Decimal64(..) => each(array.as_primitive::<Decimal64Type>(), into, |v, into| {
            kind.push_decimal(i128::from(v), into)
        }),
        DataType::Decimal128(..) => each(array.as_primitive::<Decimal128Type>(), into, |v, into| {
            kind.push_decimal(v, into)
        }),
        DataType::Decimal256(..) => each(array.as_primitive::<Decimal256Type>(), into, |v, into| {
            kind.push_wide_decimal(&v.to_be_bytes(), into)
        }),
        DataType::Date32 => signed::<Date32Type>(array, kind, into),
        DataType::Date64 => each(array.as_primitive::<Date64Type>(), into, |v, into| {
            kind.push_integer(v.div_euclid(DAY), into)
        }),
        DataType::Time32(TimeUnit::Second) => signed::<Time32SecondType>(array, kind, into),
        DataType::Time32(_) => signed::<Time32MillisecondType>(array, kind, into),
        DataType::Time64(TimeUnit::Microsecond) => signed::<Time64MicrosecondType>(array, kind, into),
        DataType::Time64(_) => signed::<Time64NanosecondType>(array, kind, into),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => signed::<TimestampSecondType>(array, kind, into),
            TimeUnit::Millisecond => signed::<TimestampMillisecondType>(array, kind, into),
            TimeUnit::Microsecond => signed::<TimestampMicrosecondType>(array, kind, into),
            TimeUnit::Nanosecond => signed::<TimestampNanosecondType>(array, kind, into),
        },
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => signed::<DurationSecondType>(array, kind, into),
            TimeUnit::Millisecond => signed::<DurationMillisecondType>(array, kind, into),
            TimeUnit::Microsecond => signed::<DurationMicrosecondType>(array, kind, into),
            TimeUnit::Nanosecond => signed::<DurationNanosecondType>(array, kind, into),
        },
        DataType::Utf8 => texts(array.as_string::<i32>(), kind, into),
        DataType::LargeUtf8 => texts(array.as_string::<i64>(), kind, into),
        DataType::Binary => texts(array.as_binary::<i32>(), kind, into),
        DataType::LargeBinary => texts(array.as_binary::<i64>(), kind, into),
        DataType::Utf8View => views(array.as_string_view(), kind, into),
        DataType::BinaryView => views(array.as_binary_view(), kind, into),
        DataType::FixedSizeBinary(_) => each(array.as_fixed_size_binary(), into, |v, into| {
            kind.push_bytes(v, into).map(|_| ())
        }),
        other => Err(Fault::Unread(format!("of type {other}, which is not read"))),
    }
}

/// Adds the rows of an array one by one.
fn each<A: ArrayAccessor>(
    array: A,
    into: &mut ColumnBuilder,
    push: impl Fn(A::Item, &mut ColumnBuilder) -> Result<(), Fault>,
) -> Result<(), Fault> {
    for row in 0..array.len() {
        if array.is_null(row) {
            into.push_missing(1);
        } else {
            push(array.value(row), into)?;
        }
    }
    Ok(())
}

fn signed<T: ArrowPrimitiveType<Native: Into<i64>>>(
    array: &dyn Array,
    kind: ValueType,
    into: &mut ColumnBuilder,
) -> Result<(), Fault> {
    let array = array.as_primitive::<T>();
    if kind != ValueType::Signed {
        return each(array, into, |v, into| kind.push_integer(v.into(), into));
    }
    let first = into.len();
    into.extend_i64(array.values().iter().map(|v| (*v).into()))?;
    mark_missing(array, first, into)
}

fn unsigned<T: ArrowPrimitiveType<Native: Into<u64>>>(
    array: &dyn Array,
    into: &mut ColumnBuilder,
) -> Result<(), Fault> {
    let array = array.as_primitive::<T>();
    let first = into.len();
    into.extend_u64(array.values().iter().map(|v| (*v).into()))?;
    mark_missing(array, first, into)
}

fn texts<T: ByteArrayType>(
    array: &GenericByteArray<T>,
    kind: ValueType,
    into: &mut ColumnBuilder,
) -> Result<(), Fault> {
    each(array, into, |v, into| {
        kind.push_bytes(v.as_ref(), into).map(|_| ())
    })
}

fn views<T: ByteViewType>(
    array: &GenericByteViewArray<T>,
    kind: ValueType,
    into: &mut ColumnBuilder,
) -> Result<(), Fault> {
    each(array, into, |v, into| {
        kind.push_bytes(v.as_ref(), into).map(|_| ())
    })
}

/// Takes the values of the null rows of an array away, whose rows were added from `first` on.
fn mark_missing(array: &dyn Array, first: usize, into: &mut ColumnBuilder) -> Result<(), Fault> {
    let nulls = array.nulls().into_iter();
    let null_rows = nulls.flat_map(|n| (0..n.len()).filter(move |row| n.is_null(*row)));
    null_rows.for_each(|row| into.set_missing(first + row));
    Ok(())
}

#[cfg(test)]
mod tests;

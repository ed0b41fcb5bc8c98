//! Columns of record batches that are in memory: the content of their types, and their arrays as stored.

use super::schema::Holds;
use crate::format::decoding::{Unit, ValueType};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use std::sync::Arc;

/// Content of a column of a type; the type in words where it is not read.
pub(super) fn holds(of: &DataType) -> Result<Holds, String> {
    let is = match of {
        DataType::Dictionary(keys, values) => {
            let (stored, is) = holds(values)?;
            return Ok((DataType::Dictionary(keys.clone(), Box::new(stored)), is));
        }
        DataType::Null => ValueType::Null,
        DataType::Boolean => ValueType::Bool,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => ValueType::Signed,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => ValueType::Unsigned,
        DataType::Float16 | DataType::Float32 => ValueType::Single,
        DataType::Float64 => ValueType::Double,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => ValueType::Text,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            ValueType::Bytes
        }
        DataType::Decimal32(digits, scale) => {
            return Ok((DataType::Int32, ValueType::decimal((*digits).into(), (*scale).into())));
        }
        DataType::Decimal64(digits, scale) => {
            return Ok((DataType::Int64, ValueType::decimal((*digits).into(), (*scale).into())));
        }
        DataType::Decimal128(digits, scale) | DataType::Decimal256(digits, scale) => {
            ValueType::decimal((*digits).into(), (*scale).into())
        }
        DataType::Date32 => return Ok((DataType::Int32, ValueType::Date)),
        DataType::Date64 => return Ok((DataType::Int64, ValueType::Date)),
        DataType::Time32(of) => return Ok((DataType::Int32, ValueType::Time(unit(*of)))),
        DataType::Time64(of) => return Ok((DataType::Int64, ValueType::Time(unit(*of)))),
        DataType::Timestamp(of, zone) => {
            let utc = zone.as_ref().is_some_and(|zone| !zone.is_empty());
            return Ok((DataType::Int64, ValueType::Timestamp(unit(*of), utc)));
        }
        DataType::Duration(of) => return Ok((DataType::Int64, ValueType::Duration(unit(*of)))),
        DataType::Interval(_) => return Err("an interval".to_owned()),
        DataType::Struct(_) => return Err("a struct".to_owned()),
        DataType::Map(..) => return Err("a map".to_owned()),
        DataType::Union(..) => return Err("a union".to_owned()),
        DataType::RunEndEncoded(..) => return Err("runs of values (run-end encoded)".to_owned()),
        _ => return Err("a list".to_owned()),
    };
    Ok((of.clone(), is))
}

fn unit(of: TimeUnit) -> Unit {
    match of {
        TimeUnit::Second => Unit::Seconds,
        TimeUnit::Millisecond => Unit::Milli,
        TimeUnit::Microsecond => Unit::Micro,
        TimeUnit::Nanosecond => Unit::Nano,
    }
}

/// The same array, its dates, times and short decimals as the integers that they are stored as. No value is copied.
pub(super) fn stored(array: &ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            dictionary.with_values(stored(dictionary.values()))
        }
        DataType::Date32 => integers::<Date32Type, Int32Type>(array),
        DataType::Date64 => integers::<Date64Type, Int64Type>(array),
        DataType::Time32(TimeUnit::Second) => integers::<Time32SecondType, Int32Type>(array),
        DataType::Time32(_) => integers::<Time32MillisecondType, Int32Type>(array),
        DataType::Time64(TimeUnit::Microsecond) => integers::<Time64MicrosecondType, Int64Type>(array),
        DataType::Time64(_) => integers::<Time64NanosecondType, Int64Type>(array),
        DataType::Timestamp(of, _) => match of {
            TimeUnit::Second => integers::<TimestampSecondType, Int64Type>(array),
            TimeUnit::Millisecond => integers::<TimestampMillisecondType, Int64Type>(array),
            TimeUnit::Microsecond => integers::<TimestampMicrosecondType, Int64Type>(array),
            TimeUnit::Nanosecond => integers::<TimestampNanosecondType, Int64Type>(array),
        },
        DataType::Duration(of) => match of {
            TimeUnit::Second => integers::<DurationSecondType, Int64Type>(array),
            TimeUnit::Millisecond => integers::<DurationMillisecondType, Int64Type>(array),
            TimeUnit::Microsecond => integers::<DurationMicrosecondType, Int64Type>(array),
            TimeUnit::Nanosecond => integers::<DurationNanosecondType, Int64Type>(array),
        },
        DataType::Decimal32(..) => integers::<Decimal32Type, Int32Type>(array),
        DataType::Decimal64(..) => integers::<Decimal64Type, Int64Type>(array),
        _ => Arc::clone(array),
    }
}

fn integers<T, K>(array: &ArrayRef) -> ArrayRef
where
    T: ArrowPrimitiveType,
    K: ArrowPrimitiveType<Native = T::Native>,
{
    Arc::new(array.as_primitive::<T>().reinterpret_cast::<K>())
}

//! Logical types of Parquet columns.

use crate::format::decoding::{Unit, ValueType};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::schema::types::ColumnDescriptor;

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

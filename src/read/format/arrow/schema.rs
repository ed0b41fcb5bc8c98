//! Schema of an Arrow file: the type of each column, and where its buffers are in a record batch.
//!
//! `arrow_ipc` turns only whole schemas into its types and refuses those of which it does not know a part. Here each column is
//! looked at by itself: one that is not read costs no other, and names that many fields share cost nothing before they are
//! counted.

use crate::budget::Reservation;
use crate::format::decoding::{DecodeFault, Unit, ValueType};
use arrow_ipc::{DateUnit, Endianness, Field, MetadataVersion, Precision, Schema, TimeUnit, Type, UnionMode};
use arrow_schema::DataType;

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SchemaColumn {
    pub name: String,
    /// Its content; its type in words where it is not read.
    pub holds: Result<Holds, String>,
    pub dictionary: Option<DictionaryId>,
    pub place: ColumnBuffers,
}

/// Storage and type of the values of a column. Dates, times and decimals of up to 64 bits are stored as the
/// integers that they are.
pub(super) type Holds = (DataType, ValueType);

/// The dictionary of a column, which others may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DictionaryId {
    pub id: i64,
    /// Whether its order is that of the column's values.
    pub ordered: bool,
}

/// Where a column begins in a record batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ColumnBuffers {
    pub node: usize,
    /// Without the buffers that the views before it add in a batch.
    pub buffer: usize,
    /// Columns of views before it.
    pub view: usize,
}

/// The columns of a file, and whether its numbers begin with their highest byte.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns {
    pub columns: Vec<SchemaColumn>,
    pub big_endian: bool,
    /// The description of pandas.
    pub pandas: Option<String>,
}

/// Bytes that a column takes while its file is read, beside its name and the copies of that.
const COLUMN: u64 = 700;
const COPIES: u64 = 6;

/// The columns of a schema.
///
/// # Errors
/// A version or an order of bytes that is not known, fields without a type, or too little memory.
pub(super) fn columns(
    schema: Schema,
    version: MetadataVersion,
    room: &mut Reservation,
) -> Result<Columns, DecodeFault> {
    if !matches!(version, MetadataVersion::V4 | MetadataVersion::V5) {
        return Err(DecodeFault::Unread(format!(
            "Arrow metadata of version {}, which is not read",
            i32::from(version.0) + 1
        )));
    }
    let big_endian = match schema.endianness() {
        Endianness::Little => false,
        Endianness::Big => true,
        other => return Err(DecodeFault::damaged(format!("an order of bytes {}", other.0))),
    };
    let mut pairs = schema.custom_metadata().into_iter().flatten();
    let pandas =
        pairs.find(|pair| pair.key() == Some("pandas")).and_then(|pair| pair.value()).map(str::to_owned);
    let (mut place, mut columns) = (ColumnBuffers::default(), Vec::new());
    for field in schema.fields().into_iter().flatten() {
        // Many fields may share the bytes of one name.
        room.owe(COLUMN + COPIES * field.name().map_or(0, str::len) as u64)?;
        columns.push(SchemaColumn {
            name: field.name().unwrap_or_default().to_owned(),
            holds: column_type(field)?,
            dictionary: field.dictionary().map(|d| DictionaryId { id: d.id(), ordered: d.isOrdered() }),
            place,
        });
        pass(field, version, &mut place)?;
    }
    Ok(Columns { columns, big_endian, pandas })
}

/// Content of a column, the keys of its dictionary included; its type in words where it is not read.
fn column_type(field: Field) -> Result<Result<Holds, String>, DecodeFault> {
    let values = values_type(field).ok_or_else(|| words(field.type_type()).to_owned());
    let Some(d) = field.dictionary() else {
        return Ok(values);
    };
    // Without a type, keys are signed and of 32 bits.
    let (bits, signed) = d.indexType().map_or((32, true), |i| (i.bitWidth(), i.is_signed()));
    let keys = integer(bits, signed)
        .ok_or_else(|| DecodeFault::damaged(format!("dictionary codes of {bits} bits")))?;
    Ok(values.map(|(stored, is)| (DataType::Dictionary(Box::new(keys), Box::new(stored)), is)))
}

fn integer(bits: i32, signed: bool) -> Option<DataType> {
    Some(match (bits, signed) {
        (8, true) => DataType::Int8,
        (8, false) => DataType::UInt8,
        (16, true) => DataType::Int16,
        (16, false) => DataType::UInt16,
        (32, true) => DataType::Int32,
        (32, false) => DataType::UInt32,
        (64, true) => DataType::Int64,
        (64, false) => DataType::UInt64,
        _ => return None,
    })
}

/// Moves a place past a field and the fields inside it.
fn pass(field: Field, version: MetadataVersion, at: &mut ColumnBuffers) -> Result<(), DecodeFault> {
    at.node += 1;
    if field.dictionary().is_some() {
        at.buffer += 2;
        return Ok(());
    }
    let kind = field.type_type();
    at.buffer += match kind {
        Type::Null | Type::RunEndEncoded => 0,
        Type::Struct_ | Type::FixedSizeList => 1,
        Type::Binary
        | Type::Utf8
        | Type::LargeBinary
        | Type::LargeUtf8
        | Type::ListView
        | Type::LargeListView => 3,
        Type::Union => {
            let dense = field.type_as_union().is_some_and(|u| u.mode() == UnionMode::Dense);
            // Version 4 still has a buffer of missing values.
            1 + usize::from(dense) + usize::from(version == MetadataVersion::V4)
        }
        Type::NONE => return Err(DecodeFault::damaged("a field without a type")),
        t if t.0 > Type::ENUM_MAX => {
            // How many buffers it has is not known, and so not where those after it begin.
            return Err(DecodeFault::Unread(format!("a field of type {}, which is not known", t.0)));
        }
        _ => 2,
    };
    at.view += usize::from(matches!(kind, Type::BinaryView | Type::Utf8View));
    for child in field.children().into_iter().flatten() {
        pass(child, version, at)?;
    }
    Ok(())
}

/// Type of a field's values; `None` where they are not read.
fn values_type(field: Field) -> Option<Holds> {
    Some(match field.type_type() {
        Type::Null => (DataType::Null, ValueType::Null),
        Type::Bool => (DataType::Boolean, ValueType::Bool),
        Type::Utf8 => (DataType::Utf8, ValueType::Text),
        Type::LargeUtf8 => (DataType::LargeUtf8, ValueType::Text),
        Type::Utf8View => (DataType::Utf8View, ValueType::Text),
        Type::Binary => (DataType::Binary, ValueType::Bytes),
        Type::LargeBinary => (DataType::LargeBinary, ValueType::Bytes),
        Type::BinaryView => (DataType::BinaryView, ValueType::Bytes),
        Type::FixedSizeBinary => {
            let width = field.type_as_fixed_size_binary()?.byteWidth();
            let stored = (width >= 0).then_some(DataType::FixedSizeBinary(width));
            (stored?, ValueType::Bytes)
        }
        Type::Int => {
            let i = field.type_as_int()?;
            let is = if i.is_signed() { ValueType::Signed } else { ValueType::Unsigned };
            (integer(i.bitWidth(), i.is_signed())?, is)
        }
        Type::FloatingPoint => match field.type_as_floating_point()?.precision() {
            Precision::HALF => (DataType::Float16, ValueType::Single),
            Precision::SINGLE => (DataType::Float32, ValueType::Single),
            Precision::DOUBLE => (DataType::Float64, ValueType::Double),
            _ => return None,
        },
        Type::Decimal => {
            let d = field.type_as_decimal()?;
            let (precision, scale) = (u8::try_from(d.precision()).ok()?, i8::try_from(d.scale()).ok()?);
            let stored = match d.bitWidth() {
                32 => DataType::Int32,
                64 => DataType::Int64,
                128 => DataType::Decimal128(precision, scale),
                256 => DataType::Decimal256(precision, scale),
                _ => return None,
            };
            (stored, ValueType::decimal(precision.into(), scale.into()))
        }
        Type::Date => match field.type_as_date()?.unit() {
            DateUnit::DAY => (DataType::Int32, ValueType::Date),
            _ => (DataType::Int64, ValueType::Date),
        },
        Type::Time => {
            let t = field.type_as_time()?;
            let unit = time_unit(t.unit())?;
            let stored = match (t.bitWidth(), unit) {
                (32, Unit::Seconds | Unit::Milli) => DataType::Int32,
                (64, Unit::Micro | Unit::Nano) => DataType::Int64,
                _ => return None,
            };
            (stored, ValueType::Time(unit))
        }
        Type::Timestamp => {
            let t = field.type_as_timestamp()?;
            let utc = t.timezone().is_some_and(|zone| !zone.is_empty());
            (DataType::Int64, ValueType::Timestamp(time_unit(t.unit())?, utc))
        }
        Type::Duration => {
            let unit = time_unit(field.type_as_duration()?.unit())?;
            (DataType::Int64, ValueType::Duration(unit))
        }
        _ => return None,
    })
}

/// A type that is not read, in words.
fn words(of: Type) -> &'static str {
    match of {
        Type::List | Type::LargeList | Type::FixedSizeList | Type::ListView | Type::LargeListView => "a list",
        Type::Struct_ => "a struct",
        Type::Map => "a map",
        Type::Union => "a union",
        Type::Interval => "an interval",
        Type::RunEndEncoded => "runs of values (run-end encoded)",
        _ => "a type that is not known",
    }
}

fn time_unit(of: TimeUnit) -> Option<Unit> {
    match of {
        TimeUnit::SECOND => Some(Unit::Seconds),
        TimeUnit::MILLISECOND => Some(Unit::Milli),
        TimeUnit::MICROSECOND => Some(Unit::Micro),
        TimeUnit::NANOSECOND => Some(Unit::Nano),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use arrow_ipc::convert::IpcSchemaEncoder;
    use arrow_schema::{Field, TimeUnit};
    use std::sync::Arc;

    /// Content of a column of a type.
    fn holds(of: DataType) -> Result<Holds, String> {
        let schema = arrow_schema::Schema::new(vec![Field::new("a", of, true)]);
        let encoded = IpcSchemaEncoder::new().schema_to_fb(&schema);
        let schema = arrow_ipc::root_as_schema(encoded.finished_data()).unwrap();
        let mut room = Budget::new(1 << 20).nothing();
        let mut all = columns(schema, MetadataVersion::V5, &mut room).unwrap();
        all.columns.remove(0).holds
    }

    #[test]
    fn columns_hold_what_their_type_says() {
        for (of, stored, is) in [
            (DataType::Int8, DataType::Int8, ValueType::Signed),
            (DataType::UInt64, DataType::UInt64, ValueType::Unsigned),
            (DataType::Float16, DataType::Float16, ValueType::Single),
            (DataType::Date32, DataType::Int32, ValueType::Date),
            (DataType::Date64, DataType::Int64, ValueType::Date),
            (DataType::Time32(TimeUnit::Second), DataType::Int32, ValueType::Time(Unit::Seconds)),
            (DataType::Time64(TimeUnit::Nanosecond), DataType::Int64, ValueType::Time(Unit::Nano)),
            (
                DataType::Timestamp(TimeUnit::Microsecond, None),
                DataType::Int64,
                ValueType::Timestamp(Unit::Micro, false),
            ),
            (
                DataType::Timestamp(TimeUnit::Millisecond, Some("Europe/Oslo".into())),
                DataType::Int64,
                ValueType::Timestamp(Unit::Milli, true),
            ),
            (DataType::Duration(TimeUnit::Second), DataType::Int64, ValueType::Duration(Unit::Seconds)),
            (DataType::Decimal64(9, 2), DataType::Int64, ValueType::Decimal(2)),
            (DataType::Decimal128(18, 0), DataType::Decimal128(18, 0), ValueType::Signed),
        ] {
            assert_eq!(holds(of.clone()), Ok((stored, is)), "{of}");
        }
    }

    #[test]
    fn nested_types_are_named() {
        let item = Arc::new(Field::new("item", DataType::Int8, true));
        assert_eq!(holds(DataType::List(Arc::clone(&item))), Err("a list".to_owned()));
        assert_eq!(holds(DataType::Struct(vec![item].into())), Err("a struct".to_owned()));
    }
}

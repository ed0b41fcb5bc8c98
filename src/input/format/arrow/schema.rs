//! Schema of an Arrow file: the type of each column, and where its buffers are in a record batch.
//!
//! `arrow_ipc` turns only whole schemas into its types and refuses those of which it does not know a part. Here each column is
//! looked at by itself: one that is not read costs no other, and names that many fields share cost nothing before they are
//! counted.

use super::record_batch::value_type;
use crate::input::budget::Taken;
use crate::input::format::decoding::{Fault, ValueType};
use arrow_ipc::{
    DateUnit, Endianness, Field, MetadataVersion, Precision, Schema, TimeUnit as Unit, Type, UnionMode,
};
use arrow_schema::{DataType, TimeUnit};

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub name: String,
    /// How it is stored, and what its values are; its type in words where it is not read.
    pub holds: Result<(DataType, ValueType), String>,
    pub dictionary: Option<DictionaryId>,
    pub place: Place,
}

/// The dictionary of a column, which others may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DictionaryId {
    pub id: i64,
    /// Whether its order is that of the column's values.
    pub ordered: bool,
}

/// Where a column begins in a record batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub node: usize,
    /// Without the buffers that the views before it add in a batch.
    pub buffer: usize,
    /// Columns of views before it.
    pub view: usize,
}

/// The columns of a file, and whether its numbers begin with their highest byte.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns {
    pub columns: Vec<Column>,
    pub big_endian: bool,
}

/// Bytes that a column takes while its file is read, beside its name and the copies of that.
const COLUMN: u64 = 700;
const COPIES: u64 = 6;

/// The columns of a schema.
///
/// # Errors
/// A version or an order of bytes that is not known, fields without a type, or too little memory.
pub(super) fn columns(schema: Schema, version: MetadataVersion, room: &mut Taken) -> Result<Columns, Fault> {
    if !matches!(version, MetadataVersion::V4 | MetadataVersion::V5) {
        return Err(Fault::Unread(format!(
            "Arrow metadata of version {}, which is not read",
            i32::from(version.0) + 1
        )));
    }
    let big_endian = match schema.endianness() {
        Endianness::Little => false,
        Endianness::Big => true,
        other => return Err(Fault::damaged(format!("an order of bytes {}", other.0))),
    };
    let (mut place, mut columns) = (Place::default(), Vec::new());
    for field in schema.fields().into_iter().flatten() {
        // Many fields may share the bytes of one name.
        room.owe(COLUMN + COPIES * field.name().map_or(0, str::len) as u64)?;
        columns.push(Column {
            name: field.name().unwrap_or_default().to_owned(),
            holds: column_type(field)?.and_then(|stored| Ok((stored.clone(), value_type(&stored)?))),
            dictionary: field.dictionary().map(|d| DictionaryId {
                id: d.id(),
                ordered: d.isOrdered(),
            }),
            place,
        });
        pass(field, version, &mut place)?;
    }
    Ok(Columns { columns, big_endian })
}

/// The type of a column, that of its dictionary's keys with it; in words where it is not read.
fn column_type(field: Field) -> Result<Result<DataType, String>, Fault> {
    let values = data_type(field);
    let Some(d) = field.dictionary() else {
        return Ok(values);
    };
    // Without a type, keys are signed and of 32 bits.
    let (bits, signed) = d
        .indexType()
        .map_or((32, true), |i| (i.bitWidth(), i.is_signed()));
    let keys =
        integer(bits, signed).ok_or_else(|| Fault::damaged(format!("dictionary codes of {bits} bits")))?;
    Ok(values.map(|values| DataType::Dictionary(Box::new(keys), Box::new(values))))
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
fn pass(field: Field, version: MetadataVersion, at: &mut Place) -> Result<(), Fault> {
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
            let dense = field
                .type_as_union()
                .is_some_and(|u| u.mode() == UnionMode::Dense);
            // Version 4 still has a buffer of missing values.
            1 + usize::from(dense) + usize::from(version == MetadataVersion::V4)
        }
        Type::NONE => return Err(Fault::damaged("a field without a type")),
        t if t.0 > Type::ENUM_MAX => {
            // How many buffers it has is not known, and so not where those after it begin.
            return Err(Fault::Unread(format!(
                "a field of type {}, which is not known",
                t.0
            )));
        }
        _ => 2,
    };
    at.view += usize::from(matches!(kind, Type::BinaryView | Type::Utf8View));
    for child in field.children().into_iter().flatten() {
        pass(child, version, at)?;
    }
    Ok(())
}

/// The type of a field's values; in words where it is not read.
fn data_type(field: Field) -> Result<DataType, String> {
    let known = match field.type_type() {
        Type::Null => Some(DataType::Null),
        Type::Bool => Some(DataType::Boolean),
        Type::Utf8 => Some(DataType::Utf8),
        Type::LargeUtf8 => Some(DataType::LargeUtf8),
        Type::Utf8View => Some(DataType::Utf8View),
        Type::Binary => Some(DataType::Binary),
        Type::LargeBinary => Some(DataType::LargeBinary),
        Type::BinaryView => Some(DataType::BinaryView),
        Type::Int => field
            .type_as_int()
            .and_then(|i| integer(i.bitWidth(), i.is_signed())),
        Type::FloatingPoint => field.type_as_floating_point().and_then(|f| match f.precision() {
            Precision::HALF => Some(DataType::Float16),
            Precision::SINGLE => Some(DataType::Float32),
            Precision::DOUBLE => Some(DataType::Float64),
            _ => None,
        }),
        Type::Decimal => decimal(field),
        Type::Date => field.type_as_date().map(|d| match d.unit() {
            DateUnit::DAY => DataType::Date32,
            _ => DataType::Date64,
        }),
        Type::Time => field
            .type_as_time()
            .and_then(|t| match (t.bitWidth(), time_unit(t.unit())?) {
                (32, unit @ (TimeUnit::Second | TimeUnit::Millisecond)) => Some(DataType::Time32(unit)),
                (64, unit @ (TimeUnit::Microsecond | TimeUnit::Nanosecond)) => Some(DataType::Time64(unit)),
                _ => None,
            }),
        Type::Timestamp => field.type_as_timestamp().and_then(|t| {
            let zone = t.timezone().map(Into::into);
            Some(DataType::Timestamp(time_unit(t.unit())?, zone))
        }),
        Type::Duration => field
            .type_as_duration()
            .and_then(|d| time_unit(d.unit()))
            .map(DataType::Duration),
        Type::FixedSizeBinary => field
            .type_as_fixed_size_binary()
            .map(|b| b.byteWidth())
            .filter(|width| *width >= 0)
            .map(DataType::FixedSizeBinary),
        Type::List | Type::LargeList | Type::FixedSizeList | Type::ListView | Type::LargeListView => {
            return Err("a list".to_owned());
        }
        Type::Struct_ => return Err("a struct".to_owned()),
        Type::Map => return Err("a map".to_owned()),
        Type::Union => return Err("a union".to_owned()),
        Type::Interval => return Err("an interval".to_owned()),
        Type::RunEndEncoded => return Err("runs of values (run-end encoded)".to_owned()),
        _ => None,
    };
    known.ok_or_else(|| "a type that is not known".to_owned())
}

fn decimal(field: Field) -> Option<DataType> {
    let d = field.type_as_decimal()?;
    let (precision, scale) = (u8::try_from(d.precision()).ok()?, i8::try_from(d.scale()).ok()?);
    match d.bitWidth() {
        32 => Some(DataType::Decimal32(precision, scale)),
        64 => Some(DataType::Decimal64(precision, scale)),
        128 => Some(DataType::Decimal128(precision, scale)),
        256 => Some(DataType::Decimal256(precision, scale)),
        _ => None,
    }
}

fn time_unit(of: Unit) -> Option<TimeUnit> {
    match of {
        Unit::SECOND => Some(TimeUnit::Second),
        Unit::MILLISECOND => Some(TimeUnit::Millisecond),
        Unit::MICROSECOND => Some(TimeUnit::Microsecond),
        Unit::NANOSECOND => Some(TimeUnit::Nanosecond),
        _ => None,
    }
}

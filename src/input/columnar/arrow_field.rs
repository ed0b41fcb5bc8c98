//! The fields of an Arrow schema: what each holds, and how many nodes and buffers of a batch are its own.

use super::dates::Unit;
use super::fault::Fault;
use super::gather::Meaning;
use crate::input::budget::Taken;
use arrow_ipc::{DateUnit, Endianness, Field, MetadataVersion, Precision, Schema, TimeUnit, Type, UnionMode};

/// How values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    Nothing,
    Bit,
    /// Whole numbers of so many bytes; what each is divided by.
    Int {
        width: usize,
        signed: bool,
        by: i64,
    },
    Float(usize),
    Decimal(usize),
    /// Bytes between offsets, of 8 bytes each where long.
    Bytes {
        long: bool,
    },
    View,
    Fixed(usize),
}

/// The dictionary of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coded {
    pub id: i64,
    pub ordered: bool,
    /// Bytes of a code, and whether codes are signed.
    pub width: usize,
    pub signed: bool,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub name: String,
    /// What its values, or those of its dictionary, are; the type in words where it is not read.
    pub holds: Result<(Stored, Meaning), String>,
    pub coded: Option<Coded>,
    /// Its first node and buffer of a batch, and its entry among the numbers of view buffers.
    pub node: usize,
    pub buffer: usize,
    pub view: usize,
}

/// Nodes, buffers and entries of view buffers that a field takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Layout {
    nodes: usize,
    buffers: usize,
    views: usize,
}

/// A schema: its columns, and whether numbers stand with the highest byte first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub columns: Vec<Column>,
    pub big: bool,
}

/// Bytes that a column takes while its file is read, beside its name, of which there are so many copies.
const COLUMN: u64 = 700;
const COPIES: u64 = 6;

/// Reads a schema.
///
/// # Errors
/// A version or an order of bytes that is not known, fields without a type, or too little memory.
pub(super) fn table(schema: Schema, version: MetadataVersion, room: &mut Taken) -> Result<Table, Fault> {
    if !matches!(version, MetadataVersion::V4 | MetadataVersion::V5) {
        return Err(Fault::Unread(format!(
            "Arrow metadata of version {}, which is not read",
            i32::from(version.0) + 1
        )));
    }
    let big = match schema.endianness() {
        Endianness::Little => false,
        Endianness::Big => true,
        other => return Err(Fault::damaged(format!("an order of bytes {}", other.0))),
    };
    let (mut at, mut columns) = (Layout::default(), Vec::new());
    for field in schema.fields().into_iter().flatten() {
        let coded = coded(field)?;
        // Many fields may share the bytes of one name.
        room.owe(COLUMN + COPIES * field.name().map_or(0, str::len) as u64)?;
        columns.push(Column {
            name: field.name().unwrap_or_default().to_owned(),
            holds: holds(field),
            coded,
            node: at.nodes,
            buffer: at.buffers,
            view: at.views,
        });
        take(field, version, &mut at)?;
    }
    Ok(Table { columns, big })
}

fn coded(field: Field) -> Result<Option<Coded>, Fault> {
    let Some(d) = field.dictionary() else {
        return Ok(None);
    };
    // Codes are of 32 bits unless told.
    let (bits, signed) = d
        .indexType()
        .map_or((32, true), |i| (i.bitWidth(), i.is_signed()));
    let width = bytes_of(bits).ok_or_else(|| Fault::damaged(format!("dictionary codes of {bits} bits")))?;
    Ok(Some(Coded {
        id: d.id(),
        ordered: d.isOrdered(),
        width,
        signed,
    }))
}

fn bytes_of(bits: i32) -> Option<usize> {
    matches!(bits, 8 | 16 | 32 | 64).then_some(bits as usize / 8)
}

/// Adds what a field takes of each batch.
fn take(field: Field, version: MetadataVersion, at: &mut Layout) -> Result<(), Fault> {
    at.nodes += 1;
    if field.dictionary().is_some() {
        at.buffers += 2;
        return Ok(());
    }
    let kind = field.type_type();
    at.buffers += match kind {
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
            return Err(Fault::Unread(format!(
                "a field of type {}, which is not known",
                t.0
            )));
        }
        _ => 2,
    };
    at.views += usize::from(matches!(kind, Type::BinaryView | Type::Utf8View));
    for child in field.children().into_iter().flatten() {
        take(child, version, at)?;
    }
    Ok(())
}

/// How a field stores what; its type in words where it is not read.
fn holds(field: Field) -> Result<(Stored, Meaning), String> {
    let unknown = || "a type that is not known".to_owned();
    let int = |width: usize, meaning| {
        Ok((
            Stored::Int {
                width,
                signed: true,
                by: 1,
            },
            meaning,
        ))
    };
    match field.type_type() {
        Type::Null => Ok((Stored::Nothing, Meaning::Nothing)),
        Type::Bool => Ok((Stored::Bit, Meaning::Truth)),
        Type::Int => {
            let i = field.type_as_int().ok_or_else(unknown)?;
            let (width, signed) = (bytes_of(i.bitWidth()).ok_or_else(unknown)?, i.is_signed());
            Ok((
                Stored::Int { width, signed, by: 1 },
                if signed {
                    Meaning::Signed
                } else {
                    Meaning::Unsigned
                },
            ))
        }
        Type::FloatingPoint => match field.type_as_floating_point().ok_or_else(unknown)?.precision() {
            Precision::HALF => Ok((Stored::Float(2), Meaning::Single)),
            Precision::SINGLE => Ok((Stored::Float(4), Meaning::Single)),
            Precision::DOUBLE => Ok((Stored::Float(8), Meaning::Double)),
            _ => Err(unknown()),
        },
        Type::Decimal => {
            let d = field.type_as_decimal().ok_or_else(unknown)?;
            let width = usize::try_from(d.bitWidth() / 8)
                .ok()
                .filter(|w| matches!(w, 4 | 8 | 16 | 32))
                .ok_or_else(unknown)?;
            let whole = d.scale() == 0 && (0..=18).contains(&d.precision());
            Ok((
                Stored::Decimal(width),
                if whole {
                    Meaning::Signed
                } else {
                    Meaning::Decimal(d.scale())
                },
            ))
        }
        Type::Date => match field.type_as_date().ok_or_else(unknown)?.unit() {
            DateUnit::DAY => int(4, Meaning::Days),
            // Days in milliseconds.
            _ => Ok((
                Stored::Int {
                    width: 8,
                    signed: true,
                    by: 86_400_000,
                },
                Meaning::Days,
            )),
        },
        Type::Time => {
            let t = field.type_as_time().ok_or_else(unknown)?;
            int(
                bytes_of(t.bitWidth()).ok_or_else(unknown)?,
                Meaning::Clock(unit(t.unit()).ok_or_else(unknown)?),
            )
        }
        Type::Timestamp => {
            let t = field.type_as_timestamp().ok_or_else(unknown)?;
            let utc = t.timezone().is_some_and(|z| !z.is_empty());
            int(8, Meaning::Instant(unit(t.unit()).ok_or_else(unknown)?, utc))
        }
        Type::Duration => int(8, Meaning::Signed),
        Type::Utf8 => Ok((Stored::Bytes { long: false }, Meaning::Text)),
        Type::LargeUtf8 => Ok((Stored::Bytes { long: true }, Meaning::Text)),
        Type::Utf8View => Ok((Stored::View, Meaning::Text)),
        Type::Binary => Ok((Stored::Bytes { long: false }, Meaning::Bytes)),
        Type::LargeBinary => Ok((Stored::Bytes { long: true }, Meaning::Bytes)),
        Type::BinaryView => Ok((Stored::View, Meaning::Bytes)),
        Type::FixedSizeBinary => {
            let width = field.type_as_fixed_size_binary().map(|b| b.byteWidth());
            Ok((
                Stored::Fixed(width.and_then(|w| usize::try_from(w).ok()).ok_or_else(unknown)?),
                Meaning::Bytes,
            ))
        }
        Type::List | Type::LargeList | Type::FixedSizeList | Type::ListView | Type::LargeListView => {
            Err("a list".to_owned())
        }
        Type::Struct_ => Err("a struct".to_owned()),
        Type::Map => Err("a map".to_owned()),
        Type::Union => Err("a union".to_owned()),
        Type::Interval => Err("an interval".to_owned()),
        Type::RunEndEncoded => Err("runs of values (run-end encoded)".to_owned()),
        _ => Err(unknown()),
    }
}

fn unit(of: TimeUnit) -> Option<Unit> {
    match of {
        TimeUnit::SECOND => Some(Unit::Seconds),
        TimeUnit::MILLISECOND => Some(Unit::Milli),
        TimeUnit::MICROSECOND => Some(Unit::Micro),
        TimeUnit::NANOSECOND => Some(Unit::Nano),
        _ => None,
    }
}

//! Columns of Arrow record batches as cells, whatever their types and encodings.

use crate::budget::{Budget, OverBudget, Reservation};
use crate::format::decoding::{DecodeFault, ValueType};
use crate::table::{ColumnBuilder, ColumnValues};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal128Type, Decimal256Type, Float16Type, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, ArrayRef};
use arrow_schema::DataType;
use std::ops::Range;
use std::sync::Arc;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;
/// The code of a dictionary's entry that no row has had yet.
const NEW: u32 = u32::MAX;
/// Bytes of memory that one row takes, and each of its cells, as typed columns.
const ROW: u64 = 16;
const CELL: u64 = 16;

/// Takes the memory of this many rows of this many columns.
///
/// # Errors
/// When there are more rows than are counted, or too little memory is left.
pub(super) fn reserve_cells(
    budget: &Arc<Budget>,
    rows: u64,
    columns: u64,
) -> Result<Reservation, DecodeFault> {
    // Rows are numbered by 32 bits.
    if rows >= u64::from(u32::MAX) {
        return Err(DecodeFault::Limit(format!("{rows} rows; at most {} are read", u32::MAX - 1)));
    }
    let need = rows.saturating_mul(ROW.saturating_add(columns.saturating_mul(CELL)));
    let held = budget.reserve(need);
    held.map_err(|s| DecodeFault::Limit(format!("{rows} rows of {columns} columns: {s}")))
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
    pub(super) fn new(array: ArrayRef, value_type: ValueType) -> Self {
        Self { array, value_type, codes: Vec::new(), numbers: None }
    }

    /// Adds some of the rows.
    ///
    /// # Errors
    /// Text that is not UTF-8, decimals of too many digits, or too little memory.
    pub(super) fn read(&mut self, rows: Range<usize>, into: &mut ColumnBuilder) -> Result<(), DecodeFault> {
        into.reserve(rows.len())
            .map_err(|_| DecodeFault::Limit(format!("no memory for {} rows", rows.len())))?;
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
    ) -> Result<(), DecodeFault> {
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
            ColumnValues::I64(v) => into.extend_i64(keys.iter().map(|k| v[*k]))?,
            ColumnValues::U64(v) => into.extend_u64(keys.iter().map(|k| v[*k]))?,
            ColumnValues::F32(v) => into.extend_f32(keys.iter().map(|k| v[*k]))?,
            ColumnValues::F64(v) => into.extend_f64(keys.iter().map(|k| v[*k]))?,
            ColumnValues::Texts { .. } => return Err(DecodeFault::damaged("a dictionary of another type")),
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
fn push_array(array: &dyn Array, kind: ValueType, into: &mut ColumnBuilder) -> Result<(), DecodeFault> {
    match array.data_type() {
        DataType::Null => {
            into.push_missing(array.len());
            Ok(())
        }
        DataType::Boolean => each(array.as_boolean(), into, |v, into| kind.push_integer(i64::from(v), into)),
        DataType::Int8 => signed::<Int8Type>(array, kind, into),
        DataType::Int16 => signed::<Int16Type>(array, kind, into),
        DataType::Int32 => signed::<Int32Type>(array, kind, into),
        // A date of 64 bits counts milliseconds.
        DataType::Int64 if kind == ValueType::Date => {
            each(array.as_primitive::<Int64Type>(), into, |v, into| {
                kind.push_integer(v.div_euclid(DAY), into)
            })
        }
        DataType::Int64 => signed::<Int64Type>(array, kind, into),
        DataType::UInt8 => unsigned::<UInt8Type>(array, into),
        DataType::UInt16 => unsigned::<UInt16Type>(array, into),
        DataType::UInt32 => unsigned::<UInt32Type>(array, into),
        DataType::UInt64 => unsigned::<UInt64Type>(array, into),
        DataType::Float16 => {
            numbers(array, into, |into| into.extend_f32(values::<Float16Type>(array).map(half::f16::to_f32)))
        }
        DataType::Float32 => numbers(array, into, |into| into.extend_f32(values::<Float32Type>(array))),
        DataType::Float64 => numbers(array, into, |into| into.extend_f64(values::<Float64Type>(array))),
        DataType::Decimal128(..) => {
            each(array.as_primitive::<Decimal128Type>(), into, |v, into| kind.push_decimal(v, into))
        }
        DataType::Decimal256(..) => each(array.as_primitive::<Decimal256Type>(), into, |v, into| {
            kind.push_wide_decimal(&v.to_be_bytes(), into)
        }),
        DataType::Utf8 => texts(array.as_string::<i32>(), kind, into),
        DataType::LargeUtf8 => texts(array.as_string::<i64>(), kind, into),
        DataType::Binary => texts(array.as_binary::<i32>(), kind, into),
        DataType::LargeBinary => texts(array.as_binary::<i64>(), kind, into),
        DataType::Utf8View => texts(array.as_string_view(), kind, into),
        DataType::BinaryView => texts(array.as_binary_view(), kind, into),
        DataType::FixedSizeBinary(_) => texts(array.as_fixed_size_binary(), kind, into),
        other => Err(DecodeFault::Unread(format!("of type {other}, which is not read"))),
    }
}

/// Adds the rows of an array one by one.
fn each<A: ArrayAccessor>(
    array: A,
    into: &mut ColumnBuilder,
    push: impl Fn(A::Item, &mut ColumnBuilder) -> Result<(), DecodeFault>,
) -> Result<(), DecodeFault> {
    for row in 0..array.len() {
        if array.is_null(row) {
            into.push_missing(1);
        } else {
            push(array.value(row), into)?;
        }
    }
    Ok(())
}

fn texts<A>(array: A, kind: ValueType, into: &mut ColumnBuilder) -> Result<(), DecodeFault>
where
    A: ArrayAccessor<Item: AsRef<[u8]>>,
{
    each(array, into, |v, into| kind.push_bytes(v.as_ref(), into).map(|_| ()))
}

fn signed<T: ArrowPrimitiveType<Native: Into<i64>>>(
    array: &dyn Array,
    kind: ValueType,
    into: &mut ColumnBuilder,
) -> Result<(), DecodeFault> {
    if kind != ValueType::Signed {
        let push = |v: T::Native, into: &mut ColumnBuilder| kind.push_integer(v.into(), into);
        return each(array.as_primitive::<T>(), into, push);
    }
    numbers(array, into, |into| into.extend_i64(values::<T>(array).map(Into::into)))
}

fn unsigned<T: ArrowPrimitiveType<Native: Into<u64>>>(
    array: &dyn Array,
    into: &mut ColumnBuilder,
) -> Result<(), DecodeFault> {
    numbers(array, into, |into| into.extend_u64(values::<T>(array).map(Into::into)))
}

/// The values of an array, those of its null rows included.
fn values<T: ArrowPrimitiveType>(array: &dyn Array) -> impl Iterator<Item = T::Native> {
    array.as_primitive::<T>().values().iter().copied()
}

/// Adds all values of an array, and takes those of its null rows away.
fn numbers(
    array: &dyn Array,
    into: &mut ColumnBuilder,
    extend: impl FnOnce(&mut ColumnBuilder) -> Result<(), OverBudget>,
) -> Result<(), DecodeFault> {
    let first = into.len();
    extend(into)?;
    let nulls = array.nulls().into_iter();
    let null_rows = nulls.flat_map(|n| (0..n.len()).filter(move |row| n.is_null(*row)));
    null_rows.for_each(|row| into.set_missing(first + row));
    Ok(())
}

#[cfg(test)]
mod tests;

//! Columns that are filled a slice at a time and cleared for the next one, as columnar files are read.

use super::column::ColumnValues;
use super::column_builder::{CellType, Codes, ColumnBuilder};
use crate::budget::{Budget, OverBudget};
use std::sync::Arc;

/// Bytes that a row takes in a column whose rows are read and cleared again and again.
const ROW: u64 = 24;
/// Distinct texts that a cleared column remembers at most.
const REMEMBERED: usize = 1 << 16;

impl ColumnBuilder {
    /// A column for rows that are read and cleared, at most `rows` at a time, which are taken off the budget too.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn reused(kind: CellType, rows: usize, budget: &Arc<Budget>) -> Result<Self, OverBudget> {
        let mut builder = Self::new(kind, budget);
        builder.of_rows = ROW * rows as u64;
        builder.room.more(builder.of_rows)?;
        Ok(builder)
    }

    /// Removes all rows; texts keep their codes unless there are many.
    pub(crate) fn clear(&mut self) {
        self.valid = None;
        match &mut self.cells {
            ColumnValues::I64(v) => v.clear(),
            ColumnValues::U64(v) => v.clear(),
            ColumnValues::F32(v) => v.clear(),
            ColumnValues::F64(v) => v.clear(),
            ColumnValues::Texts { codes, texts } => {
                codes.clear();
                if texts.len() > REMEMBERED {
                    texts.clear();
                    self.codes = Codes::default();
                    self.room.shrink_to(self.of_rows);
                }
            }
        }
    }

    /// Budget of its texts.
    pub(crate) fn budget(&self) -> &Arc<Budget> {
        self.room.budget()
    }

    /// The code of the last row's text.
    pub(crate) fn last_code(&self) -> Option<u32> {
        match &self.cells {
            ColumnValues::Texts { codes, .. } => codes.last().copied(),
            _ => None,
        }
    }

    /// Makes room for further rows.
    ///
    /// # Errors
    /// The allocator's refusal.
    pub(crate) fn reserve(&mut self, rows: usize) -> Result<(), std::collections::TryReserveError> {
        match &mut self.cells {
            ColumnValues::I64(v) => v.try_reserve(rows),
            ColumnValues::U64(v) => v.try_reserve(rows),
            ColumnValues::F32(v) => v.try_reserve(rows),
            ColumnValues::F64(v) => v.try_reserve(rows),
            ColumnValues::Texts { codes, .. } => codes.try_reserve(rows),
        }
    }

    /// Takes the value of a row away.
    pub(crate) fn set_missing(&mut self, row: usize) {
        let rows = self.len();
        self.valid.get_or_insert_with(|| vec![true; rows])[row] = false;
    }

    /// Adds rows with an integer each.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn extend_i64(&mut self, mut values: impl Iterator<Item = i64>) -> Result<(), OverBudget> {
        let ColumnValues::I64(v) = &mut self.cells else {
            return values.try_for_each(|v| self.push_i64(v));
        };
        v.extend(values);
        self.pushed();
        Ok(())
    }

    /// Adds rows with an unsigned integer each.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn extend_u64(&mut self, mut values: impl Iterator<Item = u64>) -> Result<(), OverBudget> {
        let ColumnValues::U64(v) = &mut self.cells else {
            return values.try_for_each(|v| self.push_u64(v));
        };
        v.extend(values);
        self.pushed();
        Ok(())
    }

    /// Adds rows with a number of single precision each, which is the number that its shortest digits say.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn extend_f32(&mut self, mut values: impl Iterator<Item = f32>) -> Result<(), OverBudget> {
        let ColumnValues::F32(v) = &mut self.cells else {
            return values.try_for_each(|v| self.push_text(&format!("{v:?}")));
        };
        v.extend(values);
        self.pushed();
        Ok(())
    }

    /// Adds rows with a number of double precision each.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn extend_f64(&mut self, mut values: impl Iterator<Item = f64>) -> Result<(), OverBudget> {
        let ColumnValues::F64(v) = &mut self.cells else {
            return values.try_for_each(|v| self.push_f64(v));
        };
        v.extend(values);
        self.pushed();
        Ok(())
    }

    /// Adds a row with a text of the column, by its code.
    pub(crate) fn push_code(&mut self, code: u32) {
        if let ColumnValues::Texts { codes, .. } = &mut self.cells {
            codes.push(code);
            self.pushed();
        }
    }
}

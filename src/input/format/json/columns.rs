//! The columns of a table in memory, while their rows come in.

use super::column::Column;
use super::limits::Extent;
use super::names::Names;
use super::record::Rows;
use super::tokenizer::{Fault, Scalar};
use crate::input::budget::Budget;
use std::sync::Arc;

/// Columns by their names.
#[derive(Debug)]
pub(super) struct Columns {
    pub columns: Vec<Named>,
    names: Names,
    extent: Extent,
    /// The column that a record probably names next.
    next: usize,
    budget: Arc<Budget>,
}

/// A column, and how the records name it.
#[derive(Debug)]
pub(super) struct Named {
    pub column: Column,
    /// The row after the last that named it.
    named: u64,
    /// The place of its first list: then it is not a column of values.
    pub list_at: Option<usize>,
}

impl Columns {
    /// Columns without rows; their memory is taken off the budget.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Self {
            columns: Vec::new(),
            names: Names::default(),
            extent: Extent::default(),
            next: 0,
            budget: Arc::clone(budget),
        }
    }

    /// Rows that have ended.
    pub fn rows(&self) -> usize {
        self.extent.rows as usize
    }

    /// Goes to a row, of columns that are read one after the other.
    pub fn go_to(&mut self, row: usize) {
        self.extent.rows = row as u64;
    }

    /// Adds a column that is named by its place alone.
    ///
    /// # Errors
    /// Too little memory.
    pub fn push(&mut self, name: &str, at: usize) -> Result<(), Fault> {
        let n = self.columns.len() + 1;
        let column = Column::new(name, &self.budget);
        let column = column.map_err(|s| Fault::short(at, format!("{n} columns"), s))?;
        self.put(n - 1, column);
        Ok(())
    }

    /// Puts a column at a place among the others.
    pub fn put(&mut self, at: usize, column: Column) {
        let named = Named {
            column,
            named: 0,
            list_at: None,
        };
        self.columns.insert(at, named);
        self.extent.columns = self.columns.len();
    }

    /// Puts a value into the row that is read.
    ///
    /// # Errors
    /// A number beyond f64, a table of hardly any values, or too little memory.
    pub fn set(&mut self, column: usize, value: &Scalar<'_>, at: usize) -> Result<(), Fault> {
        let rows = self.rows();
        let column = &mut self.columns[column].column;
        let before = column.len();
        column.set(rows, value, at)?;
        self.extent.values += 1;
        self.extent.cells += (column.len() - before) as u64;
        self.extent.check(at)
    }

    /// Checks that all columns filled to the last row are in proportion to their values, and takes the memory of that.
    ///
    /// # Errors
    /// As [`Columns::set`].
    pub fn whole(&mut self, at: usize) -> Result<(), Fault> {
        self.extent.check_whole(at)?;
        let (n, rows) = (self.columns.len(), self.rows());
        let reached = self.columns.iter_mut().try_for_each(|c| c.column.reach(rows));
        reached.map_err(|s| Fault::short(at, format!("{n} columns x {rows} rows"), s))
    }
}

impl Rows for Columns {
    fn column(&mut self, name: &str, at: usize) -> Result<usize, Fault> {
        let i = match self.names.find(name, self.next) {
            Some(i) => i,
            None => {
                self.extent.add_column(name, at)?;
                self.push(name, at)?;
                self.names.add(name)
            }
        };
        self.next = i + 1;
        let row = self.extent.rows + 1;
        if std::mem::replace(&mut self.columns[i].named, row) == row {
            return Err(duplicate(name, at));
        }
        Ok(i)
    }

    fn list(&mut self, column: usize, at: usize) {
        self.columns[column].list_at.get_or_insert(at);
    }

    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize, _: usize) -> Result<(), Fault> {
        self.set(column, value, at)
    }

    fn end_row(&mut self) {
        self.extent.rows += 1;
        self.next = 0;
    }
}

/// A record names a column twice.
pub(super) fn duplicate(name: &str, at: usize) -> Fault {
    let name: String = name.chars().take(60).collect();
    Fault::new(at, format!("duplicate key '{name}' in one record"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_every_row_its_own_is_refused_before_memory_is() {
        let mut c = Columns::new(&Budget::new(u64::MAX));
        let fault = (0..1_000_000).find_map(|row| {
            let i = c.column(&format!("k{row}"), 0).unwrap();
            let set = c.set(i, &Scalar::Number("1"), row);
            c.end_row();
            set.err()
        });
        let fault = fault.unwrap();
        assert!(fault.limit && fault.at < 4000, "{fault:?}");
        let mut c = Columns::new(&Budget::new(100_000));
        let i = c.column("a", 0).unwrap();
        assert!(c.column("a", 5).unwrap_err().what.contains("duplicate key 'a'"));
        c.go_to(10_000);
        assert!(c.set(i, &Scalar::Number("1"), 0).unwrap_err().limit);
        assert!(c.whole(0).unwrap_err().limit);
    }
}

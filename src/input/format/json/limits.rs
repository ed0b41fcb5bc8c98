//! Limits of tables that hold hardly any values, and of their names.

use super::tokenizer::Fault;

/// The names of all columns together, in bytes.
const MOST_NAME_BYTES: usize = 16 << 20;
/// A table of this many cells may be empty; a larger one holds a value in one of `SPARSE` cells.
const FREE_CELLS: u64 = 4 << 20;
const SPARSE: u64 = 64;
/// Bytes that a column takes, beside its name, of which there are this many copies.
const COLUMN: u64 = 700;
const COPIES: u64 = 4;

/// Bytes of memory that a column without values takes.
pub(super) fn bytes_of_column(name: &str) -> u64 {
    COLUMN + COPIES * name.len() as u64
}

/// What a table holds so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub columns: usize,
    pub rows: u64,
    /// Values and nulls.
    pub values: u64,
    /// Cells up to the last value of each column.
    pub cells: u64,
    name_bytes: usize,
}

impl Extent {
    /// Adds a column.
    ///
    /// # Errors
    /// When the names of all columns are too long together.
    pub fn add_column(&mut self, name: &str, at: usize) -> Result<(), Fault> {
        self.columns += 1;
        self.name_bytes += name.len();
        if self.name_bytes <= MOST_NAME_BYTES {
            return Ok(());
        }
        let what = format!("names of columns that take over {} MiB", MOST_NAME_BYTES >> 20);
        Err(Fault {
            limit: true,
            ..Fault::new(at, what)
        })
    }

    /// Whether the cells are in proportion to the values.
    ///
    /// # Errors
    /// When there are too few values, at byte `at`.
    pub fn check(&self, at: usize) -> Result<(), Fault> {
        if self.cells <= FREE_CELLS || self.cells <= self.values.saturating_mul(SPARSE) {
            return Ok(());
        }
        let Self {
            columns,
            rows,
            values,
            ..
        } = self;
        let what = format!("{columns} columns x {rows} rows hold {values} values: too few");
        Err(Fault {
            limit: true,
            ..Fault::new(at, what)
        })
    }

    /// Whether all columns filled up to the last row are in proportion to the values.
    ///
    /// # Errors
    /// As [`Extent::check`].
    pub fn check_whole(&self, at: usize) -> Result<(), Fault> {
        let cells = self.rows.saturating_mul(self.columns as u64);
        Self { cells, ..*self }.check(at)
    }
}

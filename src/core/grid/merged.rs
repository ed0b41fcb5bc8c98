//! How the rows of a table became the values of cells.

use super::Grid;

/// How rows were aggregated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The aggregate: `mean`, `count`.
    pub by: String,
    /// Values of the cell with the fewest, and of that with the most.
    pub values: (u64, u64),
    /// The only column in which the rows of a cell differ.
    pub column: Option<String>,
}

impl Merged {
    /// Properties that both share.
    #[must_use]
    pub fn common(&self, other: &Merged) -> Self {
        Self {
            by: self.by.clone(),
            values: (self.values.0.min(other.values.0), self.values.1.max(other.values.1)),
            column: self.column.clone().filter(|c| Some(c) == other.column.as_ref()),
        }
    }
}

impl Grid {
    /// How rows became values; `None` where each value is that of one row.
    pub fn merged(&self) -> Option<&Merged> {
        self.merged.as_ref()
    }

    /// Says how rows became values.
    pub fn set_merged(&mut self, merged: Option<Merged>) {
        self.merged = merged;
    }
}

//! What a columnar file takes off the run's budget.

use super::fault::Fault;
use crate::input::budget::Short;
#[cfg(feature = "arrow")]
use crate::input::budget::Taken;
#[cfg(feature = "arrow")]
use std::sync::Arc;

use crate::input::budget::Budget;

/// Bytes of memory that one row takes, and each of its cells, as typed columns.
#[cfg(feature = "arrow")]
const ROW: u64 = 16;
#[cfg(feature = "arrow")]
const CELL: u64 = 16;

impl From<Short> for Fault {
    fn from(short: Short) -> Self {
        Fault::Limit(short.to_string())
    }
}

impl Budget {
    /// The most bytes that a single block may take.
    pub(in crate::input::format) fn block(&self) -> u64 {
        (self.limit() / 16).max(1 << 20)
    }

    /// Takes what a table of this many rows and columns needs.
    ///
    /// # Errors
    /// When there are more rows than are counted, or too little memory is left.
    #[cfg(feature = "arrow")]
    pub(in crate::input::format) fn table(self: &Arc<Self>, rows: u64, columns: u64) -> Result<Taken, Fault> {
        // Rows are numbered by 32 bits.
        if rows >= u64::from(u32::MAX) {
            return Err(Fault::Limit(format!(
                "{rows} rows; at most {} are read",
                u32::MAX - 1
            )));
        }
        let need = rows.saturating_mul(ROW.saturating_add(columns.saturating_mul(CELL)));
        self.hold(need)
            .map_err(|s| Fault::Limit(format!("{rows} rows of {columns} columns: {s}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_what_its_cells_need() {
        let budget = Budget::new(1000);
        let table = budget.table(10, 2).unwrap();
        assert!(budget.table(12, 2).is_err() && budget.table(u64::MAX, u64::MAX).is_err());
        assert!(budget.take(520).is_ok() && budget.take(1).is_err());
        drop(table);
        assert!(budget.take(480).is_ok() && budget.take(1).is_err());
        assert_eq!(Budget::new(64 << 20).block(), 4 << 20);
    }
}

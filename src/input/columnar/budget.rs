//! The bytes of memory that a columnar file may take.

use super::fault::Fault;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of memory that one row takes, and each of its cells: as typed columns, and as the records made of them.
const ROW: u64 = 16;
const CELL: u64 = 24;

/// Bytes that may still be taken.
#[derive(Debug)]
pub(super) struct Budget {
    left: AtomicU64,
    limit: u64,
}

impl Budget {
    pub fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { left: AtomicU64::new(limit), limit })
    }

    /// The most bytes that a single block may take.
    pub fn block(&self) -> u64 {
        (self.limit / 16).max(1 << 20)
    }

    /// Takes what a table of so many rows and columns needs.
    pub fn table(&self, rows: u64, columns: u64) -> Result<(), Fault> {
        // Rows are numbered by 32 bits.
        if rows >= u64::from(u32::MAX) {
            return Err(Fault::Limit(format!("{rows} rows; at most {} are read", u32::MAX - 1)));
        }
        let need = rows.saturating_mul(ROW.saturating_add(columns.saturating_mul(CELL)));
        let what = || format!("{rows} rows of {columns} columns need {} MiB, the limit is {} MiB", need >> 20, self.limit >> 20);
        self.take(need).map_err(|_| Fault::Limit(what()))
    }

    /// Takes bytes.
    pub fn take(&self, bytes: u64) -> Result<(), Fault> {
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(|_| ()).map_err(|_| Fault::Limit(format!("its texts need more than the limit of {} MiB", self.limit >> 20)))
    }
}

#[cfg(feature = "parquet")]
impl Budget {
    /// Gives bytes back.
    pub fn give_back(&self, bytes: u64) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_ends() {
        let budget = Budget::new(1000);
        assert!(budget.table(10, 2).is_ok() && budget.table(10, 2).is_err() && budget.table(u64::MAX, u64::MAX).is_err());
        assert!(budget.take(360).is_ok() && budget.take(1).is_err());
        #[cfg(feature = "parquet")]
        {
            budget.give_back(10);
            assert!(budget.take(10).is_ok() && budget.take(1).is_err());
        }
    }
}

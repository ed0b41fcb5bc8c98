//! Answers of passes over all cells of a grid, remembered with the grid: they hold as long as its cells do. Copies of a grid share
//! them, so that a thread beside a window computes what the window then finds.

use super::Grid;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answers that are kept, the newest ones.
const MOST: usize = 32;

/// A question and its answer, in words that only the one who asks understands.
type Entry = (Vec<u64>, Vec<u64>);

/// Answers about the cells of a grid.
#[derive(Debug)]
pub(super) struct Memo {
    id: u64,
    entries: Mutex<VecDeque<Entry>>,
}

impl Default for Memo {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), entries: Mutex::default() }
    }
}

impl Memo {
    fn entries(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing is remembered.
    pub(super) fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }
}

impl Grid {
    /// The answer to a question about all cells, where it is remembered.
    pub fn recall(&self, question: &[u64]) -> Option<Vec<u64>> {
        let entries = self.memo.entries();
        entries.iter().find(|(known, _)| known == question).map(|(_, answer)| answer.clone())
    }

    /// Remembers the answer to a question about all cells.
    pub fn remember(&self, question: Vec<u64>, answer: Vec<u64>) {
        let mut entries = self.memo.entries();
        entries.retain(|(known, _)| *known != question);
        if entries.len() == MOST {
            entries.pop_front();
        }
        entries.push_back((question, answer));
    }

    /// A number that grids of other cells do not have.
    pub fn cells_id(&self) -> u64 {
        self.memo.id
    }
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    #[test]
    fn answers_are_those_of_the_cells() {
        let grid = Grid::from_rows(1, 2, vec![1.0, 2.0]).unwrap();
        let mut copy = grid.clone();
        copy.remember(vec![1], vec![7]);
        assert_eq!(
            (grid.recall(&[1]), grid.recall(&[2]), grid.cells_id()),
            (Some(vec![7]), None, copy.cells_id())
        );
        copy.set_state(0, 0, State::Nan);
        assert_eq!((copy.recall(&[1]), grid.recall(&[1])), (None, Some(vec![7])));
        assert_ne!(copy.cells_id(), grid.cells_id());
        (0..100).for_each(|i| grid.remember(vec![i], vec![i]));
        assert_eq!((grid.recall(&[99]), grid.recall(&[1])), (Some(vec![99]), None));
    }
}

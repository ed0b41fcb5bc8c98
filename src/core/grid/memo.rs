//! Answers of passes over all cells of a grid, remembered with the grid: they hold as long as its cells do. Copies of a grid share
//! them, so that a thread beside a window computes what the window then finds.

use super::Grid;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Answers that are kept, the newest ones.
const MOST: usize = 32;

/// A question and its answer, in words that only the one who asks understands.
type Entry = (Vec<u64>, Vec<u64>);

/// Answers about the cells of a grid.
#[derive(Debug)]
pub(super) struct Memo {
    id: u64,
    /// The number is known elsewhere.
    is_named: AtomicBool,
    entries: Mutex<VecDeque<Entry>>,
}

impl Default for Memo {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { id, is_named: AtomicBool::new(false), entries: Mutex::default() }
    }
}

impl Memo {
    fn entries(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// That of the same grid with other cells.
    pub(super) fn renew(memo: &mut Arc<Self>) {
        let is_known = |own: &mut Self| own.is_named.load(Ordering::Relaxed) || !own.entries().is_empty();
        if Arc::get_mut(memo).is_none_or(is_known) {
            *memo = Arc::default();
        }
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
        self.memo.is_named.store(true, Ordering::Relaxed);
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
        let (id, mut other) = (copy.cells_id(), copy.clone());
        other.set_state(0, 1, State::Nan);
        assert!(copy.cells_id() == id && other.cells_id() != id);
        copy.set_state(0, 1, State::Nan);
        assert_ne!(copy.cells_id(), id);
        (0..100).for_each(|i| grid.remember(vec![i], vec![i]));
        assert_eq!((grid.recall(&[99]), grid.recall(&[1])), (Some(vec![99]), None));
    }
}

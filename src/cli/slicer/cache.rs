//! Slices that were read, under a limit of bytes: those asked for last.

use gridscope_core::figure::Figure;
use gridscope_window::Data;

/// The most slices, since each takes some memory whatever its cells.
const MOST: usize = 256;

/// A slice that was read.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub figure: Figure,
    pub data: Data,
    /// Bytes of its cells.
    pub bytes: u64,
}

/// The slices asked for last.
#[derive(Debug)]
pub(super) struct Cache {
    /// By their indexes, the one asked for last at the end.
    slices: Vec<(Vec<usize>, Slice)>,
    /// The most bytes of all together.
    most: u64,
}

impl Cache {
    /// A cache of up to `most` bytes.
    pub(super) fn new(most: u64) -> Self {
        Self { slices: Vec::new(), most }
    }

    /// Whether a slice of this many bytes can be held beside others.
    pub(super) fn holds(&self, bytes: u64) -> bool {
        bytes.saturating_mul(2) <= self.most
    }

    /// Whether a slice is held.
    pub(super) fn has(&self, at: &[usize]) -> bool {
        self.slices.iter().any(|(index, _)| index == at)
    }

    /// A slice that is held.
    pub(super) fn get(&mut self, at: &[usize]) -> Option<Slice> {
        let place = self.slices.iter().position(|(index, _)| index == at)?;
        let found = self.slices.remove(place);
        let slice = found.1.clone();
        self.slices.push(found);
        Some(slice)
    }

    /// Holds a slice, and lets go of those that were not asked for longest.
    pub(super) fn put(&mut self, at: Vec<usize>, slice: Slice) {
        if !self.holds(slice.bytes) {
            return;
        }
        self.slices.retain(|(index, _)| *index != at);
        self.slices.push((at, slice));
        let all = |slices: &[(Vec<usize>, Slice)]| slices.iter().map(|(_, s)| s.bytes).sum::<u64>();
        while self.slices.len() > MOST || all(&self.slices) > self.most {
            self.slices.remove(0);
        }
    }

    /// Lets go of all.
    pub(super) fn clear(&mut self) {
        self.slices.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::Grid;

    #[test]
    fn those_asked_for_last_stay() {
        let slice = |bytes| Slice {
            figure: Figure::default(),
            data: Data::new(vec![Grid::from_rows(1, 1, vec![1.0]).unwrap()]).unwrap(),
            bytes,
        };
        let mut cache = Cache::new(100);
        for index in 0..3 {
            cache.put(vec![index], slice(30));
        }
        assert!(cache.get(&[0]).is_some());
        cache.put(vec![3], slice(30));
        assert_eq!([0, 1, 2, 3].map(|i| cache.has(&[i])), [true, false, true, true]);
        // One that leaves no room for a second is not held.
        cache.put(vec![4], slice(51));
        assert!(!cache.has(&[4]) && cache.has(&[3]));
        cache.put(vec![5], slice(50));
        assert_eq!([0, 2, 3, 5].map(|i| cache.has(&[i])), [false, false, true, true]);
        cache.clear();
        assert!(!cache.has(&[5]));
    }
}

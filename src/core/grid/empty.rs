//! Which rows or columns hold no value.

use std::ops::Range;

/// Rows or columns without any value.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Empty {
    /// How many.
    pub count: u64,
    /// The first [`Empty::LISTED`] of them.
    pub first: Vec<usize>,
}

impl Empty {
    /// How many are listed.
    pub const LISTED: usize = 6;
}

/// A bit a row or column.
pub(super) struct Marks {
    words: Vec<u64>,
    len: usize,
}

impl Marks {
    pub(super) fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    pub(super) fn set(&mut self, range: Range<usize>) {
        let (first, last) = (range.start / 64, (range.end - 1) / 64);
        for w in first..=last {
            let low = if w == first { !0 << (range.start % 64) } else { !0 };
            let high = if w == last { !0 >> (63 - (range.end - 1) % 64) } else { !0 };
            self.words[w] |= low & high;
        }
    }

    pub(super) fn set_where(&mut self, start: usize, list: &[bool]) {
        for i in list.iter().enumerate().filter(|l| *l.1).map(|l| start + l.0) {
            self.words[i / 64] |= 1 << (i % 64);
        }
    }

    pub(super) fn missing(&self) -> Empty {
        let mut out = Empty::default();
        for i in (0..self.len).filter(|i| self.words[i / 64] >> (i % 64) & 1 == 0) {
            out.count += 1;
            if out.first.len() < Empty::LISTED {
                out.first.push(i);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_fill_whole_words_and_parts_of_them() {
        let mut m = Marks::new(200);
        m.set(3..130);
        m.set(190..200);
        m.set_where(140, &[true, false, true]);
        let missing = m.missing();
        assert_eq!((missing.count, missing.first), (3 + 60 - 2, vec![0, 1, 2, 130, 131, 132]));
    }
}

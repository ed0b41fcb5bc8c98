//! The Summaries of a body's pixels, the values that pixels show, and their numbers in the source's own type.

use super::fold::farther;
use super::summary::Reduce;
use super::sums::Total;
use super::values::Number;
use super::{State, Summary, WideSummary};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Reductions of the cells under each pixel of a body, row after row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Summaries {
    /// Of a grid whose numbers are f32.
    Stored(Vec<Summary>),
    /// Of a grid of wider numbers.
    Wide(Vec<WideSummary>),
}

/// Content of a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    /// No cell lies under it.
    Background,
    /// Its cells hold no value; the first of their states.
    State(State),
    /// A value.
    Value(Number),
}

/// Numbers of a Summary of either kind, as f64.
pub trait Reduced {
    /// Cells with a value.
    fn count(&self) -> u64;
    /// The least value; +inf without one.
    fn least(&self) -> f64;
    /// The greatest value; -inf without one.
    fn greatest(&self) -> f64;
    /// The mean as a picture shows it.
    fn shown_mean(&self) -> f64;
}

impl Reduced for Summary {
    fn count(&self) -> u64 {
        Summary::count(self)
    }

    fn least(&self) -> f64 {
        f64::from(self.min)
    }

    fn greatest(&self) -> f64 {
        f64::from(self.max)
    }

    fn shown_mean(&self) -> f64 {
        f64::from(self.mean() as f32)
    }
}

impl Reduced for WideSummary {
    fn count(&self) -> u64 {
        WideSummary::count(self)
    }

    fn least(&self) -> f64 {
        self.min().map_or(f64::INFINITY, Number::as_f64)
    }

    fn greatest(&self) -> f64 {
        self.max().map_or(f64::NEG_INFINITY, Number::as_f64)
    }

    fn shown_mean(&self) -> f64 {
        self.mean().as_f64()
    }
}

impl WideSummary {
    /// Content of a pixel; `centre` is the value that `extreme` measures from.
    #[inline]
    pub fn shown(&self, by: Reduce, centre: f64) -> Shown {
        let (Some(min), Some(max)) = (self.min(), self.max()) else {
            return match (self.states(), by) {
                (0, _) => Shown::Background,
                (_, Reduce::Count) => Shown::Value(Number::U64(0)),
                (states, _) => Shown::State(State::first_of(states)),
            };
        };
        let v = match by {
            Reduce::Mean => self.mean(),
            Reduce::Min => min,
            Reduce::Max => max,
            Reduce::Count => Number::U64(self.count()),
            Reduce::Extreme if farther(min.as_f64(), max.as_f64(), centre) => min,
            Reduce::Extreme => max,
        };
        if v.as_f64().is_nan() { Shown::State(State::Nan) } else { Shown::Value(v) }
    }
}

impl Default for Summaries {
    fn default() -> Self {
        Summaries::Stored(Vec::new())
    }
}

impl From<Vec<Summary>> for Summaries {
    fn from(list: Vec<Summary>) -> Self {
        Summaries::Stored(list)
    }
}

impl Summaries {
    /// This many Summaries of nothing, for wide numbers or for f32.
    pub fn nothing(wide: bool, n: usize) -> Self {
        if wide {
            Summaries::Wide(vec![WideSummary::default(); n])
        } else {
            Summaries::Stored(vec![Summary::default(); n])
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Summaries::Stored(list) => list.len(),
            Summaries::Wide(list) => list.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those of f32.
    pub fn stored(&self) -> Option<&[Summary]> {
        if let Summaries::Stored(list) = self { Some(list) } else { None }
    }

    /// The greatest count of values under a pixel.
    pub fn most(&self) -> Option<u64> {
        match self {
            Summaries::Stored(list) => list.iter().map(Summary::count).max(),
            Summaries::Wide(list) => list.iter().map(WideSummary::count).max(),
        }
    }

    /// The value that each pixel shows as f64, NaN where it shows none.
    pub fn values(&self, by: Reduce, centre: f64) -> Box<dyn Iterator<Item = f64> + '_> {
        let stored = move |s: &Summary| {
            let bits = s.reduce(by, centre);
            if State::of_bits(bits).is_some() { f64::NAN } else { f64::from(f32::from_bits(bits)) }
        };
        let wide = move |s: &WideSummary| {
            if let Shown::Value(v) = s.shown(by, centre) { v.as_f64() } else { f64::NAN }
        };
        match self {
            Summaries::Stored(list) => Box::new(list.iter().map(stored)),
            Summaries::Wide(list) => Box::new(list.iter().map(wide)),
        }
    }

    /// Hands over the least and the greatest value under each pixel where both are finite.
    pub fn ranges(&self, mut take: impl FnMut(f64, f64)) {
        let mut each = |s: &dyn Reduced| {
            if s.least().is_finite() && s.greatest().is_finite() {
                take(s.least(), s.greatest());
            }
        };
        match self {
            Summaries::Stored(list) => list.iter().for_each(|s| each(s)),
            Summaries::Wide(list) => list.iter().for_each(|s| each(s)),
        }
    }

    /// Some rows and columns of them, `stride` in a row.
    #[must_use]
    pub fn cut(&self, stride: usize, rows: Range<usize>, columns: Range<usize>) -> Self {
        fn cut<T: Copy>(all: &[T], stride: usize, rows: Range<usize>, columns: Range<usize>) -> Vec<T> {
            rows.flat_map(|y| &all[y * stride..][columns.clone()]).copied().collect()
        }
        match self {
            Summaries::Stored(list) => Summaries::Stored(cut(list, stride, rows, columns)),
            Summaries::Wide(list) => Summaries::Wide(cut(list, stride, rows, columns)),
        }
    }

    /// Puts a block of them where it belongs among all, with `stride` in a row: in place of what was there, or
    /// joined with it. Both are of one kind.
    pub fn put(
        &mut self,
        stride: usize,
        rows: Range<usize>,
        columns: Range<usize>,
        block: &Summaries,
        joined: bool,
    ) {
        fn put<T: Copy>(
            all: &mut [T],
            block: &[T],
            stride: usize,
            (rows, columns): (Range<usize>, Range<usize>),
            join: impl Fn(&mut T, &T),
        ) {
            for (r, line) in rows.zip(block.chunks_exact(columns.len().max(1))) {
                all[r * stride..][columns.clone()].iter_mut().zip(line).for_each(|(to, from)| join(to, from));
            }
        }
        let at = (rows, columns);
        match (self, block) {
            (Summaries::Stored(all), Summaries::Stored(list)) if joined => {
                put(all, list, stride, at, Summary::merge);
            }
            (Summaries::Stored(all), Summaries::Stored(list)) => {
                put(all, list, stride, at, |to, from| *to = *from);
            }
            (Summaries::Wide(all), Summaries::Wide(list)) if joined => {
                put(all, list, stride, at, WideSummary::merge);
            }
            (Summaries::Wide(all), Summaries::Wide(list)) => {
                put(all, list, stride, at, |to, from| *to = *from);
            }
            _ => {}
        }
    }

    /// Copies a block from other Summaries of the same kind, shared among `threads`: to these rows and columns, with `stride`
    /// in a row, from the place (row, column) on, with `from_stride` in a row.
    pub fn copy(
        &mut self,
        (stride, rows, columns): (usize, Range<usize>, Range<usize>),
        (from, from_stride, from_at): (&Summaries, usize, (usize, usize)),
        threads: usize,
    ) {
        fn copy<T: Copy + Send + Sync>(
            to: &mut [T],
            stride: usize,
            columns: &Range<usize>,
            from: &[T],
            from_stride: usize,
            from_at: (usize, usize),
            threads: usize,
        ) {
            let share = (to.len() / stride).div_ceil(threads).max(1);
            let shares = to.chunks_mut(share * stride).enumerate();
            crate::workers::share(threads, shares, |(i, lines)| {
                for (row, line) in lines.chunks_exact_mut(stride).enumerate() {
                    let at = (from_at.0 + i * share + row) * from_stride + from_at.1;
                    line[columns.clone()].copy_from_slice(&from[at..at + columns.len()]);
                }
            });
        }
        let lines = rows.start * stride..rows.end * stride;
        match (self, from) {
            (Summaries::Stored(to), Summaries::Stored(from)) => {
                copy(&mut to[lines], stride, &columns, from, from_stride, from_at, threads);
            }
            (Summaries::Wide(to), Summaries::Wide(from)) => {
                copy(&mut to[lines], stride, &columns, from, from_stride, from_at, threads);
            }
            _ => {}
        }
    }

    /// Hands each over to one of two functions, by its kind.
    pub fn map<T>(&self, stored: impl FnOnce(&[Summary]) -> T, wide: impl FnOnce(&[WideSummary]) -> T) -> T {
        match self {
            Summaries::Stored(list) => stored(list),
            Summaries::Wide(list) => wide(list),
        }
    }
}

/// Reduction of the cells under a pixel, in the source's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exact {
    /// Least value, infinities among them.
    pub min: Option<Number>,
    /// Greatest value.
    pub max: Option<Number>,
    sum: Total,
    /// Cells with a value.
    pub count: u64,
    /// Bit [`State::index`] for every state present.
    pub states: u8,
}

impl Exact {
    /// The mean of the values; NaN without one, or with infinities of both signs.
    pub fn mean(&self) -> f64 {
        self.sum.mean(self.count)
    }

    /// The state that a pixel without a value shows; `None` where no cell lies under it.
    pub fn state(&self) -> Option<State> {
        State::ALL.into_iter().find(|s| self.states & 1 << s.index() != 0)
    }

    /// Reduction from a Summary of numbers that are the stored f32 themselves.
    fn of_stored(s: &Summary, integer: bool) -> Self {
        let number = |v: f32| {
            if integer { Number::I64(v as i64) } else { Number::F64(f64::from(v)) }
        };
        let held = s.count() > 0;
        let (min, max) = (held.then(|| number(s.min)), held.then(|| number(s.max)));
        Self { min, max, sum: Total::of(s.sum), count: s.count(), states: s.states() }
    }

    fn of_wide(s: &WideSummary) -> Self {
        Self { min: s.min(), max: s.max(), sum: s.sum(), count: s.count(), states: s.states() }
    }

    /// Those of all pixels; `integer` says of numbers that are the stored f32 whether they came from integers.
    pub fn all(summaries: &Summaries, integer: bool) -> Vec<Self> {
        match summaries {
            Summaries::Stored(list) => list.iter().map(|s| Self::of_stored(s, integer)).collect(),
            Summaries::Wide(list) => list.iter().map(Self::of_wide).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Grid, Values};
    use super::*;
    use crate::view::EdgeTable;

    #[test]
    fn numbers_beyond_f32_are_reduced_as_they_are() {
        let big = 1i64 << 60;
        let grid = Grid::new(
            Axis::index("", 3),
            Axis::index("", 5),
            Values::I64((0..15).map(|i| big + i).collect()),
            &[],
        )
        .unwrap();
        let (columns, rows) = (EdgeTable::fit(5, 2), EdgeTable::fit(3, 1));
        let got = grid.exact(columns.spans(), rows.spans()).unwrap();
        assert_eq!(
            (got[0].min, got[0].max, got[0].count),
            (Some(Number::I64(big)), Some(Number::I64(big + 11)), 6)
        );
        assert_eq!((got[1].min, got[1].max), (Some(Number::I64(big + 2)), Some(Number::I64(big + 14))));
        let huge = Grid::from_rows(2, 2, vec![1.7e308, 1.7e308, f64::NAN, f64::NEG_INFINITY]).unwrap();
        let one = EdgeTable::fit(2, 1);
        let two = EdgeTable::fit(2, 2);
        let got = huge.exact(one.spans(), two.spans()).unwrap();
        assert_eq!(
            (got[0].mean(), got[1].min, got[1].state()),
            (1.7e308, Some(Number::F64(f64::NEG_INFINITY)), Some(State::Nan))
        );
        assert_eq!(got[1].mean(), f64::NEG_INFINITY);
    }
}

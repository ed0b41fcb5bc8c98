//! Reductions of the source's own numbers, in their own type: what a picture shows, for those who want it as numbers.

use super::total::Total;
use super::{Number, State, Summaries, Summary, WideSummary};

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

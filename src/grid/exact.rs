//! Reductions of the source's own numbers, in their own type: what a picture shows, for those who want it as numbers.

use super::backing::{Backing, Strip};
use super::body::Body;
use super::digest::Cut;
use super::figures::Spans;
use super::scan::scan;
use super::total::Total;
use super::{Encoding, Number, SourceError, State, Summary};

/// What the cells under a pixel hold, in the source's own numbers.
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

    /// What a Summary says of numbers that are the stored f32 themselves.
    pub fn of_stored(s: &Summary, integer: bool) -> Self {
        let number = |v: f32| if integer { Number::I64(v as i64) } else { Number::F64(f64::from(v)) };
        let held = s.count() > 0;
        let (min, max) = (held.then(|| number(s.min)), held.then(|| number(s.max)));
        Self { min, max, sum: Total::of(s.sum), count: s.count(), states: s.states() }
    }

    fn add(&mut self, v: Number) {
        let one = Exact { min: Some(v), max: Some(v), sum: Total::of(v.as_f64()), count: 1, states: 0 };
        self.merge(&one);
    }

    pub(super) fn merge(&mut self, other: &Exact) {
        self.min = self.min.filter(|a| other.min.is_none_or(|b| !b.is_below(*a))).or(other.min);
        self.max = self.max.filter(|a| other.max.is_none_or(|b| !a.is_below(b))).or(other.max);
        self.sum.merge(&other.sum);
        self.count += other.count;
        self.states |= other.states;
    }
}

/// The exact reductions of each pixel of a body, row after row.
pub(super) fn exact(cells: &Backing, shape: (usize, usize), body: (Spans<'_>, Spans<'_>), cut: Cut) -> Result<Vec<Exact>, SourceError> {
    let transposed = cells.transposed();
    let (height, width) = cells.source_shape(shape);
    let body = Body::new(body, height, width, transposed);
    let work = |strip: &Strip<'_>| {
        let (rows, columns) = body.touched(&strip.unit);
        let mut out = vec![Exact::default(); rows.len() * columns.len()];
        let across: Vec<usize> = strip.unit.1.clone().map(|c| body.columns.touched(&(c..c + 1)).start - columns.start).collect();
        for r in 0..strip.unit.0.len() {
            let row = strip.unit.0.start + r;
            let line = (body.rows.touched(&(row..row + 1)).start - rows.start) * columns.len();
            for (c, column) in across.iter().enumerate() {
                let to = &mut out[line + column];
                match State::of_bits(strip.lines.at(r, c)) {
                    Some(s) => to.states |= 1 << s.index(),
                    None => to.add(strip.number(r, c)),
                }
            }
        }
        (rows, columns, out)
    };
    let stride = body.columns.len();
    let mut all = vec![Exact::default(); body.rows.len() * stride];
    let encoding = cells.encoding().unwrap_or(Encoding::PLAIN);
    scan(cells, width, encoding, &body.units(cut.cells), cut.threads, work, |(rows, columns, part)| {
        for (r, line) in rows.zip(part.chunks_exact(columns.len())) {
            all[r * stride..][columns.clone()].iter_mut().zip(line).for_each(|(to, from)| to.merge(from));
        }
    })?;
    Ok(body.pixels(all, transposed, Exact::merge))
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Grid, Values};
    use super::*;
    use crate::view::EdgeTable;

    #[test]
    fn numbers_beyond_f32_are_reduced_as_they_are() {
        let big = 1i64 << 60;
        let grid = Grid::new(Axis::index("", 3), Axis::index("", 5), Values::I64((0..15).map(|i| big + i).collect()), &[]).unwrap();
        let (columns, rows) = (EdgeTable::fit(5, 2), EdgeTable::fit(3, 1));
        let cut = Cut { threads: 2, cells: 4 };
        let got = exact(&grid.backing, (3, 5), (columns.spans(), rows.spans()), cut).unwrap();
        assert_eq!((got[0].min, got[0].max, got[0].count), (Some(Number::I64(big)), Some(Number::I64(big + 11)), 6));
        assert_eq!((got[1].min, got[1].max), (Some(Number::I64(big + 2)), Some(Number::I64(big + 14))));
        let huge = Grid::from_rows(2, 2, vec![1.7e308, 1.7e308, f64::NAN, f64::NEG_INFINITY]).unwrap();
        let one = EdgeTable::fit(2, 1);
        let two = EdgeTable::fit(2, 2);
        let got = exact(&huge.backing, (2, 2), (one.spans(), two.spans()), cut).unwrap();
        assert_eq!((got[0].mean(), got[1].min, got[1].state()), (1.7e308, Some(Number::F64(f64::NEG_INFINITY)), Some(State::Nan)));
        assert_eq!(got[1].mean(), f64::NEG_INFINITY);
    }
}

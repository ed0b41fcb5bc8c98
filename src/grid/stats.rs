//! Exact figures over a whole grid.

use super::{Grid, Number};

/// Exact figures over a whole grid, from the source's own values.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Stats {
    /// Least finite value.
    pub min: Option<Number>,
    /// Greatest finite value.
    pub max: Option<Number>,
    /// Cells (row, column) of the least value, the first [`Stats::MAX_CELLS`].
    pub min_cells: Vec<(usize, usize)>,
    /// Cells (row, column) of the greatest value, the first [`Stats::MAX_CELLS`].
    pub max_cells: Vec<(usize, usize)>,
    /// How many cells hold the least value.
    pub min_ties: u64,
    /// How many cells hold the greatest value.
    pub max_ties: u64,
    /// Mean of the finite values, NaN without one.
    pub mean: f64,
    /// Cells with a value, infinities among them.
    pub values: u64,
    /// Cells of each state, by [`State::index`].
    pub states: [u64; 4],
    /// Cells of +inf.
    pub pos_inf: u64,
    /// Cells of -inf.
    pub neg_inf: u64,
    /// Least value above zero, what a log scale begins at.
    pub least_positive: Option<f64>,
}

impl Stats {
    /// How many tied cells are listed.
    pub const MAX_CELLS: usize = 100;

    pub(super) fn of(grid: &Grid) -> Stats {
        let mut s = Stats::default();
        let (mut hi, mut lo, mut finite) = (0.0f64, 0.0f64, 0u64);
        for r in 0..grid.height() {
            for c in 0..grid.width() {
                let v = match grid.at(r, c) {
                    Err(state) => {
                        s.states[state.index()] += 1;
                        continue;
                    }
                    Ok(v) => v,
                };
                s.values += 1;
                let f = v.as_f64();
                if f.is_infinite() {
                    *(if f > 0.0 { &mut s.pos_inf } else { &mut s.neg_inf }) += 1;
                    continue;
                }
                finite += 1;
                // Neumaier's sum; halved so that 1.7e308 + 1.7e308 stays finite.
                let h = f / 2.0;
                let t = hi + h;
                lo += if hi.abs() >= h.abs() { (hi - t) + h } else { (h - t) + hi };
                hi = t;
                if f > 0.0 && s.least_positive.is_none_or(|p| f < p) {
                    s.least_positive = Some(f);
                }
                tie(&mut s.min, &mut s.min_cells, &mut s.min_ties, v, (r, c), |new, old| new < old);
                tie(&mut s.max, &mut s.max_cells, &mut s.max_ties, v, (r, c), |new, old| new > old);
            }
        }
        s.mean = if finite == 0 { f64::NAN } else { (hi + lo) / finite as f64 * 2.0 };
        s
    }

    /// Least and greatest finite value as f64.
    pub fn range(&self) -> Option<(f64, f64)> {
        Some((self.min?.as_f64(), self.max?.as_f64()))
    }

    /// Cells in all.
    pub fn cells(&self) -> u64 {
        self.values + self.states.iter().sum::<u64>()
    }
}

fn tie(
    best: &mut Option<Number>,
    cells: &mut Vec<(usize, usize)>,
    ties: &mut u64,
    v: Number,
    at: (usize, usize),
    wins: fn(&Number, &Number) -> bool,
) {
    match best {
        Some(b) if wins(&v, b) => {
            *best = Some(v);
            cells.clear();
            *ties = 0;
        }
        Some(b) if v != *b => return,
        Some(_) => {}
        None => *best = Some(v),
    }
    *ties += 1;
    if cells.len() < Stats::MAX_CELLS {
        cells.push(at);
    }
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    #[test]
    fn stats_leave_states_and_infinities_out() {
        let g = Grid::from_rows(2, 3, vec![1.0, 5.0, f64::NAN, f64::INFINITY, 5.0, 1.0]).unwrap();
        let s = g.stats();
        assert_eq!((s.range(), s.max_ties, s.values, s.pos_inf), (Some((1.0, 5.0)), 2, 5, 1));
        assert_eq!(s.max_cells, vec![(0, 1), (1, 1)]);
        assert_eq!((s.mean, s.states[State::Nan.index()]), (3.0, 1));
    }
}

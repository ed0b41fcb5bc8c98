//! What a fold keeps: per pixel (Summary), over a whole grid (Stats).

use super::{Grid, Number, State};

/// Minimum, maximum, exact-as-f64-pairs sum and count of the values under a pixel, and which states it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Least stored value.
    pub min: f32,
    /// Greatest stored value.
    pub max: f32,
    /// Sum of stored values, the leading part.
    pub sum_hi: f64,
    /// What rounding took off `sum_hi`.
    pub sum_lo: f64,
    /// Cells with a value.
    pub count: u64,
    /// Bit `State::index` for every state present.
    pub states: u8,
}

impl Default for Summary {
    fn default() -> Self {
        Self { min: f32::INFINITY, max: f32::NEG_INFINITY, sum_hi: 0.0, sum_lo: 0.0, count: 0, states: 0 }
    }
}

impl Summary {
    /// Takes a cell in, by its stored bit pattern.
    pub fn add(&mut self, bits: u32) {
        match State::of_bits(bits) {
            Some(s) => self.states |= 1 << s.index(),
            None => {
                let v = f32::from_bits(bits);
                self.min = self.min.min(v);
                self.max = self.max.max(v);
                self.count += 1;
                self.add_sum(f64::from(v), 0.0);
            }
        }
    }

    /// Joins two summaries.
    pub fn merge(&mut self, other: &Summary) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.count += other.count;
        self.states |= other.states;
        self.add_sum(other.sum_hi, other.sum_lo);
    }

    fn add_sum(&mut self, hi: f64, lo: f64) {
        let s = self.sum_hi + hi;
        if s.is_finite() {
            let b = s - self.sum_hi;
            self.sum_lo += (self.sum_hi - (s - b)) + (hi - b) + lo;
        }
        self.sum_hi = s;
    }

    /// The mean of the stored values; NaN without one, or with infinities of both signs.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { (self.sum_hi + self.sum_lo) / self.count as f64 }
    }

    /// The state that a pixel without a value shows.
    pub fn state(&self) -> State {
        State::ALL.into_iter().find(|s| self.states & (1 << s.index()) != 0).unwrap_or(State::Nan)
    }
}

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
    use super::*;

    #[test]
    fn stats_leave_states_and_infinities_out() {
        let g = Grid::from_rows(2, 3, vec![1.0, 5.0, f64::NAN, f64::INFINITY, 5.0, 1.0]).unwrap();
        let s = g.stats();
        assert_eq!((s.range(), s.max_ties, s.values, s.pos_inf), (Some((1.0, 5.0)), 2, 5, 1));
        assert_eq!(s.max_cells, vec![(0, 1), (1, 1)]);
        assert_eq!((s.mean, s.states[State::Nan.index()]), (3.0, 1));
    }

    #[test]
    fn a_sum_keeps_what_rounding_takes() {
        let mut s = Summary::default();
        for v in [1e30f32, 1.0, -1e30] {
            s.add(v.to_bits());
        }
        assert_eq!(s.mean(), 1.0 / 3.0);
        s.add(State::Masked.bits());
        assert_eq!((s.count, s.state()), (3, State::Masked));
    }
}

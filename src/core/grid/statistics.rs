//! Exact statistics of windows and of whole grids, their extremes, and rows and columns without a value.

use super::backing::{Backing, Strip};
use super::kernel::Tally;
use super::passes::{plain_units, scan};
use super::scan_result::{BeyondLimits, ScanRequest};
use super::sums::Total;
use super::values::Numbers;
use super::{Number, SourceError, State, WideSummary};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::ops::Range;

/// A least or greatest value and the cells that hold it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Extreme {
    value: Option<Number>,
    ties: u64,
    /// The first [`Stats::MAX_CELLS`] in the order of the grid.
    cells: Vec<(usize, usize)>,
}

impl Extreme {
    /// Joins the facts of two windows.
    fn merge(&mut self, other: &Extreme, greatest: bool) {
        let Some(v) = other.value else { return };
        match self.value {
            Some(best) if beats(best, v, greatest) => {}
            Some(best) if !beats(v, best, greatest) => {
                self.ties += other.ties;
                self.cells.extend_from_slice(&other.cells);
                self.cells.sort_unstable();
                self.cells.truncate(Stats::MAX_CELLS);
            }
            _ => self.clone_from(other),
        }
    }
}

fn beats(a: Number, b: Number, greatest: bool) -> bool {
    if greatest { b.is_below(a) } else { a.is_below(b) }
}

/// Partial results of Stats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Statistics {
    min: Extreme,
    max: Extreme,
    sum: Total,
    values: u64,
    states: [u64; State::ALL.len()],
    pos_inf: u64,
    neg_inf: u64,
    positive: Option<f64>,
    pub below: u64,
    pub above: u64,
}

impl Statistics {
    /// The statistics of a window, `wide` what all its numbers have together where they are not f32; cells are searched only for
    /// extremes that reach the `best` so far.
    pub(super) fn of(
        strip: &Strip<'_>,
        tally: &Tally,
        wide: Option<WideSummary>,
        ask: &ScanRequest<'_>,
        best: [Option<Number>; 2],
    ) -> Self {
        let mut out = Statistics { values: tally.values, states: tally.states, ..Self::default() };
        match (strip.numbers, wide.filter(WideSummary::is_finite)) {
            (Numbers::F32 { integer }, _) => {
                (out.pos_inf, out.neg_inf) = (tally.pos_inf, tally.neg_inf);
                out.sum.add(tally.sum, tally.lost);
                let number = |v: f32| {
                    if integer { Number::I64(v as i64) } else { Number::F64(f64::from(v)) }
                };
                let finite = tally.min <= tally.max;
                out.min.value = finite.then(|| number(tally.min));
                out.max.value = finite.then(|| number(tally.max));
            }
            // Without infinities the statistics are what the fold has found.
            (_, Some(s)) => {
                out.sum.merge(&s.sum());
                (out.min.value, out.max.value) = (s.min(), s.max());
            }
            (Numbers::F64(v), None) => out.range(strip, |i| v[i], |i| Number::F64(v[i]), |i, j| v[i] < v[j]),
            (Numbers::I64(v), None) => {
                out.range(strip, |i| v[i] as f64, |i| Number::I64(v[i]), |i, j| v[i] < v[j]);
            }
            (Numbers::U64(v), None) => {
                out.range(strip, |i| v[i] as f64, |i| Number::U64(v[i]), |i, j| v[i] < v[j]);
            }
        }
        out.asked(strip, ask);
        for (extreme, best, greatest) in [(&mut out.min, best[0], false), (&mut out.max, best[1], true)] {
            match extreme.value {
                Some(v) if best.is_none_or(|b| !beats(b, v, greatest)) => find(strip, v, extreme),
                // A window before has a better one.
                _ => *extreme = Extreme::default(),
            }
        }
        out
    }

    /// Extremes, sum and infinities of numbers that are not the stored f32.
    fn range(
        &mut self,
        strip: &Strip<'_>,
        value: impl Fn(usize) -> f64,
        number: impl Fn(usize) -> Number,
        less: impl Fn(usize, usize) -> bool,
    ) {
        let (mut low, mut high): (Option<usize>, Option<usize>) = (None, None);
        strip.rows(|from, len| {
            let mut sum = Total::default();
            for i in (from..from + len).filter(|&i| State::of_bits(strip.lines.bits[i]).is_none()) {
                let v = value(i);
                if v.is_infinite() {
                    *(if v > 0.0 { &mut self.pos_inf } else { &mut self.neg_inf }) += 1;
                    continue;
                }
                sum.add(v, 0.0);
                if low.is_none_or(|l| less(i, l)) {
                    low = Some(i);
                }
                if high.is_none_or(|h| less(h, i)) {
                    high = Some(i);
                }
            }
            self.sum.merge(&sum);
        });
        (self.min.value, self.max.value) = (low.map(&number), high.map(&number));
    }

    /// Counts beyond limits, and the least value above zero, where requested.
    fn asked(&mut self, strip: &Strip<'_>, ask: &ScanRequest<'_>) {
        let (min, max) = (self.min.value.map(Number::as_f64), self.max.value.map(Number::as_f64));
        let each = |take: &mut dyn FnMut(f64)| {
            let width = strip.unit.1.len();
            for (r, c) in (0..strip.unit.0.len()).flat_map(|r| (0..width).map(move |c| (r, c))) {
                if State::of_bits(strip.lines.at(r, c)).is_none() {
                    take(strip.number(r, c).as_f64());
                }
            }
        };
        let vmin = ask.limits[0].unwrap_or(f64::NEG_INFINITY);
        let vmax = ask.limits[1].unwrap_or(f64::INFINITY);
        if ask.limits != [None; 2]
            && (self.pos_inf + self.neg_inf > 0
                || min.is_some_and(|m| m < vmin)
                || max.is_some_and(|m| m > vmax))
        {
            each(&mut |v| {
                self.below += u64::from(v < vmin);
                self.above += u64::from(v > vmax);
            });
        }
        if ask.positive {
            self.positive = min.filter(|m| *m > 0.0);
            if self.positive.is_none() && max.is_some_and(|m| m > 0.0) {
                each(&mut |v| {
                    if v > 0.0 && v.is_finite() && self.positive.is_none_or(|p| v < p) {
                        self.positive = Some(v);
                    }
                });
            }
        }
    }

    /// Joins the statistics of two windows.
    pub(super) fn merge(&mut self, other: &Statistics) {
        self.widen(other);
        self.sum.merge(&other.sum);
        self.values += other.values;
        self.pos_inf += other.pos_inf;
        self.neg_inf += other.neg_inf;
        self.below += other.below;
        self.above += other.above;
        self.states.iter_mut().zip(other.states).for_each(|(a, b)| *a += b);
        self.positive = [self.positive, other.positive].into_iter().flatten().reduce(f64::min);
    }

    /// Cells in all, as far as u64 counts them.
    pub(super) fn cells(&self) -> Option<u64> {
        self.states.iter().try_fold(self.values, |all, n| all.checked_add(*n))
    }

    /// Whether counts of a part of so many cells do not contradict each other.
    pub(super) fn is_sound(&self, cells: u64) -> bool {
        let within = [self.pos_inf, self.neg_inf, self.below, self.above, self.min.ties, self.max.ties];
        self.cells().is_some_and(|found| found <= cells)
            && within.iter().all(|n| *n <= self.values)
            && self.pos_inf + self.neg_inf <= self.values
    }

    /// Moves the places of cells by so many rows and columns.
    pub(super) fn shift(&mut self, (rows, columns): (usize, usize)) {
        for cell in self.min.cells.iter_mut().chain(&mut self.max.cells) {
            *cell = (cell.0 + rows, cell.1 + columns);
        }
    }

    /// The limits, each with the number of values beyond it.
    pub(super) fn beyond(&self, [low, high]: [Option<f64>; 2]) -> BeyondLimits {
        [low.map(|l| (l, self.below)), high.map(|l| (l, self.above))]
    }

    /// Joins the extremes alone.
    pub(super) fn widen(&mut self, other: &Statistics) {
        self.min.merge(&other.min, false);
        self.max.merge(&other.max, true);
    }

    /// The least and the greatest value so far.
    pub(super) fn range_of(&self) -> [Option<Number>; 2] {
        [self.min.value, self.max.value]
    }

    pub(super) fn into_stats(self) -> Stats {
        let finite = self.values - self.pos_inf - self.neg_inf;
        Stats {
            min: self.min.value,
            max: self.max.value,
            min_cells: self.min.cells,
            max_cells: self.max.cells,
            min_ties: self.min.ties,
            max_ties: self.max.ties,
            mean: self.sum.mean(finite),
            values: self.values,
            states: self.states,
            pos_inf: self.pos_inf,
            neg_inf: self.neg_inf,
            least_positive: self.positive,
        }
    }
}

/// Finds the cells of a window that hold a value.
fn find(strip: &Strip<'_>, value: Number, out: &mut Extreme) {
    let (height, width) = (strip.unit.0.len(), strip.unit.1.len());
    let take = |out: &mut Extreme, r: usize, c: usize| {
        if State::of_bits(strip.lines.at(r, c)).is_none() && strip.number(r, c) == value {
            out.ties += 1;
            if out.cells.len() < Stats::MAX_CELLS {
                out.cells.push(strip.place(r, c));
            }
        }
    };
    // In the order of the grid, so that the first cells found are the first there are.
    if strip.transposed {
        return (0..width).for_each(|c| (0..height).for_each(|r| take(out, r, c)));
    }
    let Numbers::F32 { .. } = strip.numbers else {
        return (0..height).for_each(|r| (0..width).for_each(|c| take(out, r, c)));
    };
    // Comparing the stored bits checks many cells at a time. Most rows hold no such cell, and of many only their number counts.
    let stored = value.as_f64() as f32;
    for r in 0..height {
        let line = &strip.lines.bits[r * strip.lines.stride..][..width];
        let ties = line.iter().map(|b| u64::from(f32::from_bits(*b) == stored)).sum::<u64>();
        if out.cells.len() == Stats::MAX_CELLS {
            out.ties += ties;
        } else if ties > 0 {
            (0..width).for_each(|c| take(&mut *out, r, c));
        }
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
    /// Cells of each state, by [`State::index`](super::State::index).
    pub states: [u64; State::ALL.len()],
    /// Cells of +inf.
    pub pos_inf: u64,
    /// Cells of -inf.
    pub neg_inf: u64,
    /// Least value above zero, what a log scale begins at; only where it was requested.
    pub least_positive: Option<f64>,
}

impl Stats {
    /// How many tied cells are listed.
    pub const MAX_CELLS: usize = 100;

    /// Least and greatest finite value as f64.
    pub fn range(&self) -> Option<(f64, f64)> {
        Some((self.min?.as_f64(), self.max?.as_f64()))
    }

    /// Bit `State::index` for every state that some cell has.
    pub fn states_held(&self) -> u8 {
        (0..self.states.len()).filter(|i| self.states[*i] > 0).fold(0, |all, i| all | 1 << i)
    }

    /// Cells in all.
    pub fn cells(&self) -> u64 {
        self.values + self.states.iter().sum::<u64>()
    }
}

/// A cell's row, column and value.
pub type RankedCell = ((usize, usize), Number);

/// The first `n` cells by finite value, then by place: greatest first, or least.
pub(super) fn top(
    cells: &Backing,
    shape: (usize, usize),
    n: usize,
    greatest: bool,
    threads: usize,
    window: usize,
) -> Result<Vec<RankedCell>, SourceError> {
    // The numbers are finite here, so any two of them compare.
    let order = |a: &Number, b: &Number| {
        let by = a.compare(*b).unwrap_or(Ordering::Equal);
        if greatest { by.reverse() } else { by }
    };
    let best = |list: &mut Vec<RankedCell>| {
        list.sort_by(|a, b| order(&a.1, &b.1).then(a.0.cmp(&b.0)));
        list.truncate(n);
    };
    let pick = |strip: &Strip<'_>| {
        let (mut list, mut limit): (Vec<RankedCell>, Option<Number>) = (Vec::new(), None);
        // Rounding to f64 keeps the order, so what is behind the limit there needs no exact comparison.
        let mut nearest = if greatest { f64::NEG_INFINITY } else { f64::INFINITY };
        for (r, c) in (0..strip.unit.0.len()).flat_map(|r| (0..strip.unit.1.len()).map(move |c| (r, c))) {
            if State::of_bits(strip.lines.at(r, c)).is_some() {
                continue;
            }
            let v = strip.number(r, c);
            let rounded = v.as_f64();
            if if greatest { rounded < nearest } else { rounded > nearest } {
                continue;
            }
            if rounded.is_finite() && limit.is_none_or(|l| order(&v, &l).is_le()) {
                list.push((strip.place(r, c), v));
                if list.len() >= n.saturating_mul(4).saturating_add(64) {
                    best(&mut list);
                    limit = list.last().map(|l| l.1);
                    nearest = limit.map_or(nearest, Number::as_f64);
                }
            }
        }
        best(&mut list);
        list
    };
    let (height, width) = cells.source_shape(shape);
    let mut all: Vec<RankedCell> = Vec::new();
    scan(cells, width, &plain_units(height, width, window), threads, pick, |list| {
        all.extend(list);
        best(&mut all);
    })?;
    Ok(all)
}

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

    /// Runs of those that are set, counted from `start` on.
    pub(super) fn runs(&self, start: usize) -> Vec<Range<usize>> {
        let mut out: Vec<Range<usize>> = Vec::new();
        for i in (0..self.len).filter(|i| self.words[i / 64] >> (i % 64) & 1 == 1).map(|i| start + i) {
            match out.last_mut().filter(|run| run.end == i) {
                Some(run) => run.end += 1,
                None => out.push(i..i + 1),
            }
        }
        out
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
    use super::super::Grid;
    use super::*;

    #[test]
    fn greatest_and_least_come_in_order() {
        let mut v: Vec<f64> = (0..600).map(|i| f64::from(i * 7 % 599)).collect();
        (v[3], v[5]) = (f64::INFINITY, f64::NAN);
        let g = Grid::from_rows(20, 30, v.clone()).unwrap();
        let list = |greatest| top(&g.backing, (20, 30), 5, greatest, 3, 37).unwrap();
        let mut want: Vec<(f64, usize)> = v.iter().copied().zip(0..).filter(|x| x.0.is_finite()).collect();
        want.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        assert_eq!(
            list(true),
            want[..5].iter().map(|(v, i)| ((i / 30, i % 30), Number::F64(*v))).collect::<Vec<_>>()
        );
        let big = 1i64 << 60;
        let axis = |n| super::super::Axis::index("", n);
        let close =
            Grid::new(axis(1), axis(3), super::super::Values::I64(vec![big, big + 1, big - 1]), &[]).unwrap();
        assert_eq!(close.extremes(1, true).unwrap(), [((0, 1), Number::I64(big + 1))]);
        assert_eq!(list(false)[..2], [((0, 0), Number::F64(0.0)), ((19, 29), Number::F64(0.0))]);
    }

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

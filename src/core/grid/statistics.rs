//! Exact statistics of a window, and of all windows together.

use super::backing::Strip;
use super::kernel::Tally;
use super::request::ScanRequest;
use super::total::Total;
use super::values::Numbers;
use super::{Number, State, Stats, WideSummary};

/// A least or greatest value and the cells that hold it.
#[derive(Clone, Debug, Default)]
struct Extreme {
    value: Option<Number>,
    ties: u64,
    /// The first [`Stats::MAX_CELLS`] in the order of the grid.
    cells: Vec<(usize, usize)>,
}

impl Extreme {
    /// Joins what two windows found.
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
#[derive(Clone, Debug, Default)]
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
    let mut take = |r: usize, c: usize| {
        if State::of_bits(strip.lines.at(r, c)).is_none() && strip.number(r, c) == value {
            out.ties += 1;
            if out.cells.len() < Stats::MAX_CELLS {
                out.cells.push(strip.place(r, c));
            }
        }
    };
    // In the order of the grid, so that the first cells found are the first there are.
    if strip.transposed {
        return (0..width).for_each(|c| (0..height).for_each(|r| take(r, c)));
    }
    // Most rows hold no such cell; comparing the stored bits checks many cells at a time.
    let stored = matches!(strip.numbers, Numbers::F32 { .. }).then_some(value.as_f64() as f32);
    for r in 0..height {
        let line = &strip.lines.bits[r * strip.lines.stride..][..width];
        if stored.is_none_or(|v| line.iter().fold(false, |any, b| any | (f32::from_bits(*b) == v))) {
            (0..width).for_each(|c| take(r, c));
        }
    }
}

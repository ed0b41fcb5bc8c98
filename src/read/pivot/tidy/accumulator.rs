//! The values of each cell, as far as an aggregate needs them: taken one by one, in the order of the rows.

use super::finished::{AllValues, Finished};
use crate::pivot::aggregate::{Spread, Sum};
use crate::table::GroupValues;
use gridscope_core::figure::Agg;
use gridscope_core::grid::{Cell, Number, State};

/// The values of all cells of a value column. What no aggregate needs is `None`.
#[derive(Debug)]
pub(super) struct Accumulator {
    aggregates: Vec<Agg>,
    /// Of each cell: rows with a value, and why there is none.
    counts: Vec<u64>,
    whys: Vec<Option<State>>,
    /// The first value and its row, and the last one.
    firsts: Vec<(u64, Number)>,
    lasts: Option<Vec<(u64, Number)>>,
    extremes: Option<Vec<Option<[Number; 2]>>>,
    sums: Option<Vec<Sum>>,
    /// Sums of whole numbers; `None` once another one is among them.
    wholes: Option<Vec<Option<i128>>>,
    spreads: Option<Vec<Spread>>,
    all: Option<AllValues>,
}

impl Accumulator {
    /// For these aggregates.
    pub(super) fn new(aggregates: &[Agg]) -> Self {
        fn any<T: Default>(aggregates: &[Agg], needs: impl Fn(Agg) -> bool) -> Option<T> {
            aggregates.iter().any(|a| needs(*a)).then(T::default)
        }
        Self {
            counts: Vec::new(),
            whys: Vec::new(),
            firsts: Vec::new(),
            lasts: any(aggregates, |a| a == Agg::Last),
            extremes: any(aggregates, |a| matches!(a, Agg::Min | Agg::Max)),
            sums: any(aggregates, |a| matches!(a, Agg::Mean | Agg::Sum)),
            wholes: any(aggregates, |a| a == Agg::Sum),
            spreads: any(aggregates, Agg::is_spread),
            all: any(aggregates, |a| matches!(a, Agg::Median | Agg::Quantile(_))),
            aggregates: aggregates.to_vec(),
        }
    }

    /// Bytes that a cell takes, but for values that are all held.
    pub(super) fn bytes_a_cell(&self) -> u64 {
        let parts = [
            (true, 40),
            (self.lasts.is_some(), 24),
            (self.extremes.is_some(), 40),
            (self.sums.is_some(), 24),
            (self.wholes.is_some(), 32),
            (self.spreads.is_some(), 48),
        ];
        let quantiles = self.aggregates.iter().filter(|a| matches!(a, Agg::Quantile(_)));
        let held: u64 = parts.iter().filter(|p| p.0).map(|p| p.1).sum();
        held + 24 * quantiles.count() as u64
    }

    /// Values that are all held.
    pub(super) fn held(&self) -> u64 {
        self.all.as_ref().map_or(0, |all| all.len() as u64)
    }

    /// Makes room for this many cells in all.
    pub(super) fn resize(&mut self, cells: usize) {
        fn grow<T: Clone>(part: &mut Option<Vec<T>>, cells: usize, none: T) {
            if let Some(part) = part {
                part.resize(cells, none);
            }
        }
        let no_value = (0, Number::I64(0));
        self.counts.resize(cells, 0);
        self.whys.resize(cells, None);
        self.firsts.resize(cells, no_value);
        grow(&mut self.lasts, cells, no_value);
        grow(&mut self.extremes, cells, None);
        grow(&mut self.sums, cells, Sum::default());
        grow(&mut self.wholes, cells, Some(0));
        grow(&mut self.spreads, cells, Spread::default());
    }

    /// Takes a row of a cell.
    pub(super) fn push(&mut self, cell: u32, row: u64, value: Cell) {
        let at = cell as usize;
        let n = match value {
            Cell::Value(n) => n,
            Cell::Empty(why) => {
                self.whys[at] = stronger(self.whys[at], Some(why));
                return;
            }
        };
        if self.counts[at] == 0 {
            self.firsts[at] = (row, n);
        }
        self.counts[at] += 1;
        if let Some(lasts) = &mut self.lasts {
            lasts[at] = (row, n);
        }
        if let Some(sums) = &mut self.sums {
            sums[at].push_number(n);
        }
        if let Some(wholes) = &mut self.wholes {
            wholes[at] = wholes[at].zip(n.whole()).map(|(a, b)| a + b);
        }
        if let Some(extremes) = &mut self.extremes {
            extremes[at] = Some(both(extremes[at], [n, n]));
        }
        if let Some(spreads) = &mut self.spreads {
            spreads[at].push(n);
        }
        if let Some(all) = &mut self.all {
            all.push(cell, n);
        }
    }

    /// Takes rows of a cell that an engine has grouped: the first of them and their number, the least of their values, and what is
    /// known of all. Aggregates that need each value are not asked of such rows.
    pub(super) fn push_group(
        &mut self,
        cell: u32,
        (row, rows): (u64, u64),
        least: Cell,
        values: &GroupValues,
    ) {
        let at = cell as usize;
        let least = match least {
            Cell::Value(n) if values.count > 0 => n,
            Cell::Value(_) => return,
            Cell::Empty(why) => {
                self.whys[at] = stronger(self.whys[at], Some(why));
                return;
            }
        };
        if values.count < rows {
            self.whys[at] = stronger(self.whys[at], Some(State::Nan));
        }
        if self.counts[at] == 0 {
            self.firsts[at] = (row, least);
        }
        self.counts[at] += values.count;
        if let Some(sums) = &mut self.sums {
            sums[at].push_number(values.sum);
        }
        if let Some(wholes) = &mut self.wholes {
            wholes[at] = wholes[at].zip(values.sum.whole()).map(|(a, b)| a + b);
        }
        if let Some(extremes) = &mut self.extremes {
            extremes[at] = Some(both(extremes[at], [least, values.greatest]));
        }
        if let Some(spreads) = &mut self.spreads {
            let mean = match values.count {
                1 => least,
                n => Number::F64(values.sum.as_f64() / n as f64),
            };
            spreads[at].merge(&Spread::of_group(values.count, mean, values.squares));
        }
    }

    /// Moves the content of a cell into another one that has the same keys in other words.
    pub(super) fn merge(&mut self, into: u32, from: u32) {
        let (to, at) = (into as usize, from as usize);
        self.whys[to] = stronger(self.whys[to], self.whys[at]);
        if self.counts[at] == 0 {
            return;
        }
        let none = self.counts[to] == 0;
        self.counts[to] += self.counts[at];
        if none || self.firsts[at].0 < self.firsts[to].0 {
            self.firsts[to] = self.firsts[at];
        }
        if let Some(lasts) = &mut self.lasts
            && (none || lasts[at].0 > lasts[to].0)
        {
            lasts[to] = lasts[at];
        }
        if let Some(sums) = &mut self.sums {
            let from = sums[at];
            sums[to].merge(&from);
        }
        if let Some(wholes) = &mut self.wholes {
            wholes[to] = wholes[to].zip(wholes[at]).map(|(a, b)| a + b);
        }
        if let Some(extremes) = &mut self.extremes
            && let Some(from) = extremes[at]
        {
            extremes[to] = Some(both(extremes[to], from));
        }
        if let Some(spreads) = &mut self.spreads {
            let from = spreads[at];
            spreads[to].merge(&from);
        }
        if let Some(all) = &mut self.all {
            all.merge(into, from);
        }
    }

    fn spread(&self, cell: usize, of: impl Fn(&Spread) -> Option<f64>) -> Option<Number> {
        of(&self.spreads.as_ref()?[cell]).map(Number::F64)
    }

    /// Rows of a cell with a value.
    pub(super) fn count(&self, cell: u32) -> u64 {
        self.counts[cell as usize]
    }

    /// The part of its aggregates that needs all values at once.
    pub(super) fn finished(&self) -> Finished {
        Finished::of(&self.aggregates, &self.counts, self.all.as_ref())
    }

    /// The aggregate of a cell.
    pub(super) fn value(&self, cell: u32, agg: Agg, finished: &Finished) -> Cell {
        let at = cell as usize;
        let why = self.whys[at].unwrap_or(State::Nan);
        if agg == Agg::Count {
            // A count distinguishes a missing value from a masked or pending one.
            return if self.counts[at] == 0 && why != State::Nan {
                Cell::Empty(why)
            } else {
                Cell::Value(Number::I64(self.counts[at] as i64))
            };
        }
        let n = self.counts[at];
        if n == 0 {
            return Cell::Empty(why);
        }
        let first = self.firsts[at].1;
        let found = match agg {
            // One value stays as its source holds it.
            Agg::Mean | Agg::Median | Agg::Quantile(_) | Agg::Sum if n == 1 => Some(first),
            Agg::First => Some(first),
            Agg::Last => self.lasts.as_ref().map(|lasts| lasts[at].1),
            Agg::Min => self.extremes.as_ref().and_then(|e| Some(e[at]?[0])),
            Agg::Max => self.extremes.as_ref().and_then(|e| Some(e[at]?[1])),
            Agg::Sum => self.exact_sum(at).or_else(|| Some(Number::F64(self.sums.as_ref()?[at].total()))),
            Agg::Mean => self.sums.as_ref().map(|sums| Number::F64(sums[at].mean(n))),
            Agg::Median => finished.median(at),
            Agg::Quantile(p) => finished.quantile(at, p),
            Agg::Std => self.spread(at, Spread::std),
            Agg::Var => self.spread(at, Spread::var),
            Agg::Sem => self.spread(at, Spread::sem),
            Agg::Ci(level) => self.spread(at, |s| Some(s.sem()? * finished.factor(level, n)?)),
            // Which of the two they are is known before rows are read.
            Agg::Count | Agg::Best | Agg::Worst => None,
        };
        found.filter(|n| !n.as_f64().is_nan()).map_or(Cell::Empty(State::Nan), Cell::Value)
    }

    /// The sum of whole numbers, where a type holds it.
    fn exact_sum(&self, cell: usize) -> Option<Number> {
        let sum = Number::of_whole(self.wholes.as_ref()?[cell]?);
        sum.whole().map(|_| sum)
    }
}

/// A pending run says more than a masked number, and that more than a missing one.
fn stronger(a: Option<State>, b: Option<State>) -> Option<State> {
    let rank = |s: Option<State>| match s {
        None => 0,
        Some(State::Pending) => 3,
        Some(State::Masked) => 2,
        Some(_) => 1,
    };
    if rank(b) > rank(a) { b } else { a }
}

fn both(before: Option<[Number; 2]>, [least, most]: [Number; 2]) -> [Number; 2] {
    match before {
        Some([a, b]) => [if least.is_below(a) { least } else { a }, if b.is_below(most) { most } else { b }],
        None => [least, most],
    }
}

/// One value of several, in their order; `None` where pandas gives NaN.
pub(crate) fn aggregate(agg: Agg, values: &[Number]) -> Option<Number> {
    let mut accumulator = Accumulator::new(&[agg]);
    accumulator.resize(1);
    values.iter().zip(0..).for_each(|(n, row)| accumulator.push(0, row, Cell::Value(*n)));
    accumulator.value(0, agg, &accumulator.finished()).value()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(v: &[f64]) -> Vec<Number> {
        v.iter().map(|v| Number::F64(*v)).collect()
    }

    fn near(agg: Agg, v: &[f64], want: f64) {
        let got = aggregate(agg, &f(v)).map_or(f64::NAN, Number::as_f64);
        let same = got == want || (got.is_nan() && want.is_nan());
        assert!(same || (got - want).abs() <= 1e-12 * want.abs(), "{agg:?} {v:?}: {got}, not {want}");
    }

    #[test]
    fn aggregates_are_those_of_pandas() {
        // groupby().agg() of pandas 3.1.1.
        let v = [
            44.0,
            0.0008446499933308341,
            1.856305359629046,
            -0.00025641328887538557,
            -0.0009737716208221956,
            -0.0004410352679777794,
            -0.0007224651632021937,
            3414.046316130595,
            0.0009648422176518506,
        ];
        near(Agg::Mean, &v, 384.4335596996772);
        near(Agg::Median, &v, 0.0008446499933308341);
        near(Agg::Min, &v, -0.0009737716208221956);
        near(Agg::Max, &v, 3414.046316130595);
        near(Agg::Sum, &v, 3459.9020372970945);
        near(Agg::Std, &v, 1136.1970140642184);
        near(Agg::Count, &v, 9.0);
        near(Agg::First, &v, 44.0);
        near(Agg::Last, &v, 0.0009648422176518506);
        near(Agg::Median, &[4.0, 1.0, 3.0, 2.0], 2.5);
    }

    #[test]
    fn infinities_go_through_as_in_pandas() {
        let (p, n) = (f64::INFINITY, f64::NEG_INFINITY);
        for agg in [Agg::Mean, Agg::Median, Agg::Sum] {
            near(agg, &[p, 1.0], p);
            near(agg, &[p, n], f64::NAN);
            near(agg, &[p, p], p);
        }
        near(Agg::Std, &[p, 1.0], f64::NAN);
        near(Agg::Min, &[p, n], n);
    }

    #[test]
    fn no_value_and_one_value() {
        for agg in [Agg::Mean, Agg::Sum, Agg::Std, Agg::First, Agg::Max] {
            assert_eq!(aggregate(agg, &[]), None);
        }
        assert_eq!(aggregate(Agg::Count, &[]), Some(Number::I64(0)));
        near(Agg::Std, &[5.0], f64::NAN);
        assert_eq!(aggregate(Agg::Mean, &[Number::I64(i64::MAX)]), Some(Number::I64(i64::MAX)));
    }

    #[test]
    fn sums_neither_lose_nor_overflow() {
        near(Agg::Sum, &[1e16, 1.0, -1e16], 1.0);
        near(Agg::Mean, &[1e308, 1e308], 1e308);
        assert_eq!(
            aggregate(Agg::Sum, &[Number::I64(i64::MAX), Number::I64(-1)]),
            Some(Number::I64(i64::MAX - 1))
        );
        assert_eq!(
            aggregate(Agg::Max, &[Number::I64(i64::MAX - 1), Number::I64(i64::MAX)]),
            Some(Number::I64(i64::MAX))
        );
    }
}

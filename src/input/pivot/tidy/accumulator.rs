//! The values of each cell, as far as an aggregate needs them: taken one by one, in the order of the rows.

use crate::figure::Agg;
use crate::grid::{Cell, Number, State};
use crate::input::pivot::aggregate::{Spread, Sum, median};
use crate::input::pivot::cells::Numbers;
use std::collections::HashMap;

/// The values of all cells of a value column. What no aggregate needs is `None`.
#[derive(Debug)]
pub(super) struct Accumulator {
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

/// All values, for the medians.
#[derive(Debug, Default)]
struct AllValues {
    /// The cell of each value.
    cells: Vec<u32>,
    numbers: Numbers,
    /// Cells whose values belong to others.
    moved: HashMap<u32, u32>,
}

/// What a value takes where all are held: number and cell, room to grow, and its place while they are sorted.
pub(super) const BYTES_A_VALUE: u64 = 28;

impl Accumulator {
    /// For these aggregates.
    pub(super) fn new(aggregates: &[Agg]) -> Self {
        fn any<T: Default>(aggregates: &[Agg], of: &[Agg]) -> Option<T> {
            aggregates.iter().any(|a| of.contains(a)).then(T::default)
        }
        Self {
            counts: Vec::new(),
            whys: Vec::new(),
            firsts: Vec::new(),
            lasts: any(aggregates, &[Agg::Last]),
            extremes: any(aggregates, &[Agg::Min, Agg::Max]),
            sums: any(aggregates, &[Agg::Mean, Agg::Sum]),
            wholes: any(aggregates, &[Agg::Sum]),
            spreads: any(aggregates, &[Agg::Std]),
            all: any(aggregates, &[Agg::Median]),
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
            (self.spreads.is_some(), 24),
        ];
        parts.iter().filter(|p| p.0).map(|p| p.1).sum()
    }

    /// Values that are all held.
    pub(super) fn held(&self) -> u64 {
        self.all.as_ref().map_or(0, |all| all.cells.len() as u64)
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
            sums[at].push(n.as_f64());
        }
        if let Some(wholes) = &mut self.wholes {
            wholes[at] = wholes[at].zip(whole(n)).map(|(a, b)| a + b);
        }
        if let Some(extremes) = &mut self.extremes {
            extremes[at] = Some(both(extremes[at], [n, n]));
        }
        if let Some(spreads) = &mut self.spreads {
            spreads[at].push(n.as_f64());
        }
        if let Some(all) = &mut self.all {
            all.cells.push(cell);
            all.numbers.push(n);
        }
    }

    /// Moves what a cell holds into another one that has the same keys in other words.
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
            all.moved.insert(from, into);
        }
    }

    /// All values by cell, for the medians; nothing where no aggregate needs them.
    pub(super) fn medians(&self) -> Vec<Option<Number>> {
        let Some(all) = &self.all else {
            return Vec::new();
        };
        let at = |c: &u32| *all.moved.get(c).unwrap_or(c) as usize;
        let mut starts = vec![0usize; self.counts.len() + 1];
        all.cells.iter().for_each(|c| starts[at(c) + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut next = starts.clone();
        let mut sorted = vec![0u32; all.cells.len()];
        for (i, cell) in all.cells.iter().enumerate() {
            sorted[next[at(cell)]] = i as u32;
            next[at(cell)] += 1;
        }
        let mut values = Vec::new();
        (0..self.counts.len())
            .map(|cell| {
                values.clear();
                values.extend(
                    sorted[starts[cell]..starts[cell + 1]]
                        .iter()
                        .map(|&i| all.numbers.get(i as usize)),
                );
                median(&mut values)
            })
            .collect()
    }

    /// Rows of a cell with a value.
    pub(super) fn count(&self, cell: u32) -> u64 {
        self.counts[cell as usize]
    }

    /// The aggregate of a cell; `medians` are those of [`Accumulator::medians`].
    pub(super) fn value(&self, cell: u32, agg: Agg, medians: &[Option<Number>]) -> Cell {
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
            Agg::Mean | Agg::Median | Agg::Sum if n == 1 => Some(first),
            Agg::First => Some(first),
            Agg::Last => self.lasts.as_ref().map(|lasts| lasts[at].1),
            Agg::Min => self.extremes.as_ref().and_then(|e| Some(e[at]?[0])),
            Agg::Max => self.extremes.as_ref().and_then(|e| Some(e[at]?[1])),
            Agg::Sum => self
                .exact_sum(at)
                .or_else(|| Some(Number::F64(self.sums.as_ref()?[at].total()))),
            Agg::Mean => self.sums.as_ref().map(|sums| Number::F64(sums[at].mean(n))),
            Agg::Median => medians[at],
            Agg::Std => self.spreads.as_ref().and_then(|s| s[at].std()).map(Number::F64),
            Agg::Count => None,
        };
        found
            .filter(|n| !n.as_f64().is_nan())
            .map_or(Cell::Empty(State::Nan), Cell::Value)
    }

    /// The sum of whole numbers, where a type holds it.
    fn exact_sum(&self, cell: usize) -> Option<Number> {
        let sum = self.wholes.as_ref()?[cell]?;
        let signed = i64::try_from(sum).map(Number::I64);
        signed.or_else(|_| u64::try_from(sum).map(Number::U64)).ok()
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

fn whole(n: Number) -> Option<i128> {
    match n {
        Number::I64(v) => Some(i128::from(v)),
        Number::U64(v) => Some(i128::from(v)),
        Number::F64(_) => None,
    }
}

fn both(before: Option<[Number; 2]>, [least, most]: [Number; 2]) -> [Number; 2] {
    match before {
        Some([a, b]) => [
            if least.is_below(a) { least } else { a },
            if b.is_below(most) { most } else { b },
        ],
        None => [least, most],
    }
}

/// One value of several, in their order; `None` where pandas gives NaN.
pub(crate) fn aggregate(agg: Agg, values: &[Number]) -> Option<Number> {
    let mut accumulator = Accumulator::new(&[agg]);
    accumulator.resize(1);
    values
        .iter()
        .zip(0..)
        .for_each(|(n, row)| accumulator.push(0, row, Cell::Value(*n)));
    accumulator.value(0, agg, &accumulator.medians()).value()
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
        assert!(
            same || (got - want).abs() <= 1e-12 * want.abs(),
            "{agg:?} {v:?}: {got}, not {want}"
        );
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
        assert_eq!(
            aggregate(Agg::Mean, &[Number::I64(i64::MAX)]),
            Some(Number::I64(i64::MAX))
        );
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

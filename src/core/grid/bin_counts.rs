//! How many values of a grid lie in each of some bins.

use super::backing::Strip;
use super::cell::State;
use super::passes::{Stop, Walk};
use std::sync::{Mutex, PoisonError};

/// Counts of values by bins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinCounts {
    /// Values in each bin: from its edge on, below the next one; the last bin has its end too.
    pub bins: Vec<u64>,
    /// Values below the first edge, -inf among them.
    pub below: u64,
    /// Values above the last edge, +inf among them.
    pub above: u64,
    /// Cells without a value.
    pub without: u64,
}

impl BinCounts {
    /// Nothing, in this many bins.
    fn nothing(bins: usize) -> Self {
        Self { bins: vec![0; bins], ..Self::default() }
    }

    /// Adds the counts of other cells in the same bins.
    pub fn merge(&mut self, other: &BinCounts) {
        self.bins.resize(self.bins.len().max(other.bins.len()), 0);
        self.bins.iter_mut().zip(&other.bins).for_each(|(a, b)| *a += b);
        self.below += other.below;
        self.above += other.above;
        self.without += other.without;
    }

    /// Values in all.
    pub fn values(&self) -> u64 {
        self.below + self.above + self.bins.iter().sum::<u64>()
    }
}

/// Counts the values of a pass in the bins between ascending edges.
///
/// # Errors
/// When the source does not give its cells, or the pass is stopped.
pub(super) fn bin_counts(walk: &Walk<'_>, edges: &[f64]) -> Result<BinCounts, Stop> {
    let all = Mutex::new(BinCounts::nothing(edges.len().saturating_sub(1)));
    let bins = Bins::new(edges);
    let work = |strip: &Strip<'_>| {
        let mut own = BinCounts::nothing(bins.len());
        let width = strip.unit.1.len();
        for (r, c) in (0..strip.unit.0.len()).flat_map(|r| (0..width).map(move |c| (r, c))) {
            if State::of_bits(strip.lines.at(r, c)).is_some() {
                own.without += 1;
                continue;
            }
            match bins.place(strip.number(r, c).as_f64()) {
                BinPlace::Below => own.below += 1,
                BinPlace::Above => own.above += 1,
                BinPlace::Bin(k) => own.bins[k] += 1,
            }
        }
        all.lock().unwrap_or_else(PoisonError::into_inner).merge(&own);
    };
    walk.each(work, |()| {})?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Where a value lies.
enum BinPlace {
    Below,
    Bin(usize),
    Above,
}

/// Bins between ascending edges.
struct Bins<'a> {
    edges: &'a [f64],
    /// Where equal bins begin, and how many there are in a unit of value.
    even: Option<(f64, f64)>,
}

impl<'a> Bins<'a> {
    fn new(edges: &'a [f64]) -> Self {
        let even = || {
            let [first, .., last] = edges else { return None };
            let step = (last - first) / (edges.len() - 1) as f64;
            let is_near = |(k, edge): (usize, &f64)| (edge - (first + step * k as f64)).abs() <= step;
            let per = 1.0 / step;
            (per.is_normal() && edges.iter().enumerate().all(is_near)).then_some((*first, per))
        };
        Self { edges, even: even() }
    }

    fn len(&self) -> usize {
        self.edges.len().saturating_sub(1)
    }

    fn place(&self, v: f64) -> BinPlace {
        let [first, .., last] = self.edges else {
            return BinPlace::Below;
        };
        if v < *first {
            return BinPlace::Below;
        }
        if v > *last {
            return BinPlace::Above;
        }
        let most = self.len() - 1;
        let Some((low, per)) = self.even else {
            return BinPlace::Bin(self.edges.partition_point(|e| *e <= v).clamp(1, most + 1) - 1);
        };
        let mut k = (((v - low) * per) as usize).min(most);
        while k > 0 && v < self.edges[k] {
            k -= 1;
        }
        while k < most && v >= self.edges[k + 1] {
            k += 1;
        }
        BinPlace::Bin(k)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Grid, Values};
    use super::*;
    use gridscope_random::Random;

    #[test]
    fn counts_are_those_of_plain_code() {
        let mut random = Random(31);
        for case in 0..60 {
            let n = random.within(1, 2000_usize);
            let values: Vec<f64> = (0..n)
                .map(|_| match random.below(30) {
                    0 => f64::NAN,
                    1 => f64::INFINITY,
                    2 => f64::NEG_INFINITY,
                    3 => random.below(11) as f64 / 10.0,
                    _ => random.unit() * 1.4 - 0.2,
                })
                .collect();
            let bins = random.within(1, 40_usize);
            let edges: Vec<f64> = (0..=bins)
                .map(|k| {
                    let share = k as f64 / bins as f64;
                    if case % 2 == 0 { share } else { share * share * share }
                })
                .collect();
            let values = if case % 3 == 0 {
                Values::F32 { data: values.iter().map(|v| *v as f32).collect(), integer: false }
            } else {
                Values::F64(values)
            };
            let grid = Grid::new(Axis::index("", 1), Axis::index("", n), values, &[]).unwrap();
            let mut want = BinCounts::nothing(bins);
            for c in 0..n {
                let v = grid.at(0, c).as_f64();
                if v.is_nan() {
                    want.without += 1;
                } else if v < 0.0 {
                    want.below += 1;
                } else if v > 1.0 {
                    want.above += 1;
                } else {
                    let holds = |k: &usize| v >= edges[*k] && (v < edges[k + 1] || *k == bins - 1);
                    want.bins[(0..bins).find(holds).unwrap()] += 1;
                }
            }
            let got = grid.bin_counts(&edges, 2, &|| true).unwrap().unwrap();
            assert_eq!(got, want, "case {case}");
            assert_eq!(got.values() + got.without, n as u64);
        }
        let grid = Grid::from_rows(1, 3, vec![1.0; 3]).unwrap();
        assert_eq!(grid.bin_counts(&[0.0, 1.0], 1, &|| false), Ok(None));
    }
}

//! Exact statistics of a block of cells, spread and quartiles among them, that may be stopped.

use super::Stats;
use super::backing::Strip;
use super::body::{fold_window, total};
use super::kernel::ColumnSums;
use super::passes::{Stop, Walk};
use super::ranks::{AllOf, Known, ranked_keys, signed, unsigned};
use super::scan_result::ScanRequest;
use super::statistics::Statistics;
use super::sums::Moments;
use super::values::{Kind, Number};
use std::fmt;

/// Exact statistics of a block of cells. Infinities are values; cells with a state are none. Sums are exact, so that the
/// number of threads does not change a bit of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockStatistics {
    /// Counts of values and of states; the least and the greatest finite value, with their places in the grid.
    pub stats: Stats,
    /// The sum of the values, rounded once.
    pub sum: Sum,
    /// The mean of the values, rounded once; NaN without one, and with infinities of both signs.
    pub mean: f64,
    /// The sample standard deviation (n - 1), rounded once; NaN of fewer than two values, and with an infinity.
    pub std: f64,
    /// The 25th, 50th and 75th percentile by numpy's `linear` rule; `None` without a value.
    pub quartiles: Option<[Number; 3]>,
}

/// A sum of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sum {
    /// Of integers, exact.
    Whole(i128),
    /// Of floats; NaN with infinities of both signs.
    Float(f64),
}

impl Sum {
    /// The nearest f64.
    pub fn as_f64(self) -> f64 {
        match self {
            Sum::Whole(v) => v as f64,
            Sum::Float(v) => v,
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sum::Whole(v) => write!(f, "{v}"),
            Sum::Float(v) => write!(f, "{}", Number::F64(*v)),
        }
    }
}

/// Parts of all values below each quartile.
const QUARTERS: [f64; 3] = [0.25, 0.5, 0.75];

/// The statistics of all cells of a pass over one grid, whose numbers are of this kind; `whole`: f32 that hold integers.
///
/// # Errors
/// When the source does not give its cells, or the pass is stopped.
pub(super) fn block_statistics(walk: &Walk<'_>, kind: Kind, whole: bool) -> Result<BlockStatistics, Stop> {
    let (mut stats, moments) = sums(walk, kind)?;
    let integer = |v: Number| match v {
        Number::F64(v) if whole => Number::I64(v as i64),
        v => v,
    };
    (stats.min, stats.max) = (stats.min.map(integer), stats.max.map(integer));
    let found = moments.results(stats.values - stats.pos_inf - stats.neg_inf);
    stats.mean = found.mean;
    let infinite = (stats.neg_inf > 0).then_some(f64::NEG_INFINITY);
    let infinite = infinite.into_iter().chain((stats.pos_inf > 0).then_some(f64::INFINITY));
    let infinite = infinite.reduce(|a, b| a + b);
    let integers = whole || matches!(kind, Kind::I64 | Kind::U64);
    let exact = found.whole.filter(|_| integers).map(Sum::Whole);
    let quartiles = quartiles(walk, kind, whole, &stats)?;
    Ok(BlockStatistics {
        sum: infinite.map_or(exact.unwrap_or(Sum::Float(found.sum)), Sum::Float),
        mean: infinite.unwrap_or(found.mean),
        std: infinite.map_or(found.std, |_| f64::NAN),
        stats,
        quartiles,
    })
}

/// Counts, extremes and exact sums.
fn sums(walk: &Walk<'_>, kind: Kind) -> Result<(Stats, Moments), Stop> {
    let (mut all, mut moments) = (Statistics::default(), Moments::of(kind));
    let work = |strip: &Strip<'_>| {
        let (block, tally) = fold_window(strip, None, &mut Vec::new(), &mut ColumnSums::default());
        let ask = ScanRequest::default();
        let own = Statistics::of(strip, &tally, total(&block.summaries), &ask, [None, None]);
        let mut sums = Moments::of(kind);
        sums.add_all(strip);
        (own, sums)
    };
    walk.each(work, |(own, sums)| {
        all.merge(&own);
        moments.merge(&sums);
    })?;
    Ok((all.into_stats(), moments))
}

/// The quartiles of all values, infinities among them.
fn quartiles(walk: &Walk<'_>, kind: Kind, whole: bool, stats: &Stats) -> Result<Option<[Number; 3]>, Stop> {
    let Some(last) = stats.values.checked_sub(1) else {
        return Ok(None);
    };
    let places = QUARTERS.map(|share| {
        let at = share * last as f64;
        let low = (at as u64).min(last);
        (low, (low + 1).min(last), at - low as f64)
    });
    let mut wanted: Vec<u64> = places.iter().flat_map(|p| [p.0, p.1]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let finite = stats.neg_inf + stats.pos_inf == 0;
    let ends = stats.min.zip(stats.max).filter(|_| finite);
    let shared = ends.map(|(a, b)| (unsigned(kind.key(a)), unsigned(kind.key(b))));
    let known = shared.map_or((0, 0), |(a, b)| {
        let bits = (a ^ b).leading_zeros();
        (if bits == 0 { 0 } else { a >> (64 - bits) }, bits)
    });
    let known = Known { prefix: known.0, bits: known.1, numbers: stats.values };
    let found = ranked_keys(walk, &AllOf(kind), &wanted, known)?;
    let keys: Vec<u64> = found.into_iter().map(|ranked| ranked.value).collect();
    let number = |rank: u64| {
        let key = keys.get(wanted.partition_point(|w| *w < rank)).or(keys.last())?;
        Some(match kind.number(signed(*key)) {
            Number::F64(v) if whole && v.is_finite() => Number::I64(v as i64),
            v => v,
        })
    };
    let [a, b, c] = places.map(|(low, high, t)| Some(between(number(low)?, number(high)?, t)));
    Ok(a.zip(b).zip(c).map(|((a, b), c)| [a, b, c]))
}

/// The number at a share `t` of the way from `a` to `b`, which is not below it: an integer where the result is one.
fn between(a: Number, b: Number, t: f64) -> Number {
    if t == 0.0 || a == b {
        return a;
    }
    if let (Some(low), Some(high)) = (whole(a), whole(b)) {
        let on = (high - low) as f64 * t;
        if on.fract() == 0.0 {
            let sum = low + on as i128;
            return i64::try_from(sum)
                .map(Number::I64)
                .or_else(|_| u64::try_from(sum).map(Number::U64))
                .unwrap_or(Number::F64(sum as f64));
        }
        return Number::F64(low as f64 + on);
    }
    let (a, b) = (a.as_f64(), b.as_f64());
    let span = b - a;
    // numpy's interpolation, from the nearer end; a span beyond f64 is weighed instead.
    Number::F64(if span.is_infinite() {
        a * (1.0 - t) + b * t
    } else if t < 0.5 {
        a + span * t
    } else {
        b - span * (1.0 - t)
    })
}

fn whole(v: Number) -> Option<i128> {
    match v {
        Number::I64(v) => Some(v.into()),
        Number::U64(v) => Some(v.into()),
        Number::F64(_) => None,
    }
}

#[cfg(test)]
mod tests;

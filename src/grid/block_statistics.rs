//! Exact statistics of a block of cells, spread and quartiles among them, that may be stopped.

use super::Stats;
use super::backing::Strip;
use super::column_sums::ColumnSums;
use super::request::ScanRequest;
use super::state::State;
use super::statistics::Statistics;
use super::total::Total;
use super::values::{Kind, Number};
use super::walk::{Stop, Walk};
use super::wide_ranks::{AllOf, Known, ranked_keys, signed, unsigned};
use super::window_fold::{fold_window, total};
use std::fmt;

/// Exact statistics of a block of cells. Infinities are values; cells with a state are none.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockStatistics {
    /// Counts of values and of states; the least and the greatest finite value, with their places in the grid.
    pub stats: Stats,
    /// The sum of the values.
    pub sum: Sum,
    /// The mean of the values; NaN without one, and with infinities of both signs.
    pub mean: f64,
    /// The sample standard deviation (n - 1); NaN of fewer than two values, and with an infinity.
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

/// Finds the values of ascending ranks among those of a pass; `None` leaves it to the pass.
pub(super) type Ranks<'a> = &'a dyn Fn(&[u64]) -> Option<Vec<Number>>;

/// The statistics of all cells of a pass over one grid, whose numbers are of this kind; `whole`: f32 that hold integers.
///
/// # Errors
/// When the source does not give its cells, or the pass is stopped.
pub(super) fn block_statistics(
    walk: &Walk<'_>,
    (kind, whole): (Kind, bool),
    ranks: Ranks<'_>,
) -> Result<BlockStatistics, Stop> {
    let (stats, sum) = sums(walk, whole || matches!(kind, Kind::I64 | Kind::U64))?;
    let infinite = (stats.neg_inf > 0).then_some(f64::NEG_INFINITY);
    let infinite = infinite
        .into_iter()
        .chain((stats.pos_inf > 0).then_some(f64::INFINITY));
    let infinite = infinite.reduce(|a, b| a + b);
    let sum = infinite.map_or(sum, Sum::Float);
    let mean = match (infinite, sum) {
        (Some(v), _) => v,
        (None, Sum::Whole(sum)) if stats.values > 0 => {
            let n = i128::from(stats.values);
            sum.div_euclid(n) as f64 + sum.rem_euclid(n) as f64 / n as f64
        }
        _ => stats.mean,
    };
    let std = if infinite.is_some() || stats.values < 2 {
        f64::NAN
    } else {
        std(walk, &stats, sum)?
    };
    let quartiles = quartiles(walk, (kind, whole), &stats, ranks)?;
    Ok(BlockStatistics {
        stats,
        sum,
        mean,
        std,
        quartiles,
    })
}

/// Counts, extremes and the sum of all finite values, exact where they are integers.
fn sums(walk: &Walk<'_>, whole: bool) -> Result<(Stats, Sum), Stop> {
    let (mut all, mut exact) = (Statistics::default(), 0i128);
    let work = |strip: &Strip<'_>| {
        let (block, tally) = fold_window(strip, None, (&mut Vec::new(), &mut ColumnSums::default()));
        let ask = ScanRequest::default();
        let own = Statistics::of(strip, &tally, total(&block.summaries), &ask, [None, None]);
        let mut sum = 0i128;
        if whole {
            numbers(strip, |v| sum += integer(v));
        }
        (own, sum)
    };
    walk.each(work, |(own, sum)| {
        all.merge(&own);
        exact += sum;
    })?;
    let float = all.sum();
    let sum = if whole {
        Sum::Whole(exact)
    } else {
        Sum::Float(float)
    };
    Ok((all.into_stats(), sum))
}

/// The sample standard deviation of at least two finite values, from their distances to the mean.
fn std(walk: &Walk<'_>, stats: &Stats, sum: Sum) -> Result<f64, Stop> {
    let Some((least, greatest)) = stats.min.zip(stats.max).filter(|(a, b)| a != b) else {
        return Ok(0.0);
    };
    // Distances are measured in a power of two near the range, so that no square leaves f64.
    let range = match (whole(least), whole(greatest)) {
        (Some(a), Some(b)) => (b - a) as f64,
        _ => greatest.as_f64() / 2.0 - least.as_f64() / 2.0,
    };
    let unit = 2f64.powi((range.abs().log2().floor()).clamp(-1000.0, 1000.0) as i32);
    let n = i128::from(stats.values);
    let mean = stats.mean;
    let distance = |v: Number| match sum {
        // Whole numbers are compared as such: f64 does not tell large ones apart.
        Sum::Whole(sum) => {
            let (base, rest) = (sum.div_euclid(n), sum.rem_euclid(n));
            ((integer(v) - base) as f64 - rest as f64 / n as f64) / unit
        }
        Sum::Float(_) => v.as_f64() / unit - mean / unit,
    };
    let work = |strip: &Strip<'_>| {
        let (mut squares, mut lost) = (Total::default(), Total::default());
        numbers(strip, |v| {
            let d = distance(v);
            squares.add(d * d, 0.0);
            lost.add(d, 0.0);
        });
        (squares, lost)
    };
    let (mut squares, mut lost) = (Total::default(), Total::default());
    walk.each(work, |(own, rest)| {
        squares.merge(&own);
        lost.merge(&rest);
    })?;
    let n = stats.values as f64;
    // The mean is rounded: what the distances to it add up to is taken off again.
    let off = lost.sum();
    Ok(((squares.sum() - off * off / n).max(0.0) / (n - 1.0)).sqrt() * unit)
}

/// The quartiles of all values, infinities among them.
fn quartiles(
    walk: &Walk<'_>,
    (kind, whole): (Kind, bool),
    stats: &Stats,
    ranks: Ranks<'_>,
) -> Result<Option<[Number; 3]>, Stop> {
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
    let known = Known {
        prefix: known.0,
        bits: known.1,
        numbers: stats.values,
    };
    let keys = match ranks(&wanted) {
        Some(found) => found.into_iter().map(|v| unsigned(kind.key(v))).collect(),
        None => ranked_keys(walk, &AllOf(kind), &wanted, known)?,
    };
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

/// A number that is known to be whole.
fn integer(v: Number) -> i128 {
    whole(v).unwrap_or(v.as_f64() as i128)
}

/// Hands over the finite numbers of a window.
fn numbers(strip: &Strip<'_>, mut take: impl FnMut(Number)) {
    let width = strip.unit.1.len();
    for (r, c) in (0..strip.unit.0.len()).flat_map(|r| (0..width).map(move |c| (r, c))) {
        if State::of_bits(strip.lines.at(r, c)).is_none() {
            let v = strip.number(r, c);
            if v.as_f64().is_finite() {
                take(v);
            }
        }
    }
}

#[cfg(test)]
mod tests;

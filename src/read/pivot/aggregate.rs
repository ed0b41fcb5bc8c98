//! Several values to one, as pandas does it: sums, spreads and medians that take their values one by one.

use gridscope_core::grid::Number;
use std::cmp::Ordering;

/// Sums past the largest number go on with values so much smaller; it is a power of two, so they stay exact.
const SMALLER: f64 = 1.0 / (1u128 << 64) as f64;

/// Neumaier's sum: exact to about 2 ulp whatever the order; infinities as IEEE says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    total: f64,
    lost: f64,
    /// Whether the parts are [`SMALLER`] than they should be.
    smaller: bool,
}

impl Sum {
    /// Takes a value.
    pub(super) fn push(&mut self, v: f64) {
        self.add(if self.smaller { v * SMALLER } else { v });
    }

    /// Takes a number; of an integer that f64 would round, the rest too.
    pub(super) fn push_number(&mut self, n: Number) {
        let v = n.as_f64();
        self.push(v);
        if v.abs() >= EXACT
            && let Some(rest) = n.whole().map(|whole| whole - v as i128).filter(|rest| *rest != 0)
        {
            self.push(rest as f64);
        }
    }

    /// Adds a number that is as much smaller as the parts are.
    fn add(&mut self, v: f64) {
        let t = self.total + v;
        if t.is_finite() {
            self.lost +=
                if self.total.abs() >= v.abs() { (self.total - t) + v } else { (v - t) + self.total };
        } else if !self.smaller && self.total.is_finite() && v.is_finite() {
            self.shrink();
            return self.push(v);
        }
        self.total = t;
    }

    fn shrink(&mut self) {
        self.smaller = true;
        self.total *= SMALLER;
        self.lost *= SMALLER;
    }

    /// Takes in another sum.
    pub(super) fn merge(&mut self, other: &Sum) {
        let mut other = *other;
        if self.smaller != other.smaller {
            if self.smaller {
                other.shrink();
            } else {
                self.shrink();
            }
        }
        self.add(other.total);
        if other.total.is_finite() {
            // The first addition may have made the parts smaller.
            self.add(if self.smaller && !other.smaller { other.lost * SMALLER } else { other.lost });
        }
    }

    fn parts(&self) -> f64 {
        if self.total.is_finite() { self.total + self.lost } else { self.total }
    }

    /// The sum.
    pub(super) fn total(&self) -> f64 {
        if self.smaller { self.parts() / SMALLER } else { self.parts() }
    }

    /// The sum over the number of its values.
    pub(super) fn mean(&self, n: u64) -> f64 {
        let mean = self.parts() / n as f64;
        if self.smaller { mean / SMALLER } else { mean }
    }
}

/// The sum of some numbers.
pub(super) fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let mut sum = Sum::default();
    values.for_each(|v| sum.push(v));
    sum.total()
}

/// Mean and squared distances from it, by Welford's rule, in a unit of their own: squares of the largest and the smallest
/// numbers have no f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    n: f64,
    /// The first value: small differences from large numbers keep their digits, those of integers all of them.
    first: Number,
    /// A power of two; 0 while no value differs from the first.
    unit: f64,
    /// Half of the mean less `first`, in units, and the sum of squares of such halves: those of the largest numbers are numbers.
    mean: f64,
    squares: f64,
}

/// Numbers of this many units have squares in range, and what they add to is not lost.
const MOST_UNITS: f64 = (1u128 << 100) as f64;

/// Up to this number f64 has every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Half of `a - b`, exact for integers until it is rounded once.
fn half_apart(a: Number, b: Number) -> f64 {
    let (half, base) = (a.as_f64() / 2.0, b.as_f64() / 2.0);
    if half.abs().max(base.abs()) < EXACT / 2.0 {
        return half - base;
    }
    match a.whole().zip(b.whole()) {
        Some((a, b)) => (a - b) as f64 / 2.0,
        None => half - base,
    }
}

impl Default for Spread {
    fn default() -> Self {
        Self { n: 0.0, first: Number::I64(0), unit: 0.0, mean: 0.0, squares: 0.0 }
    }
}

/// The greatest power of two up to a number; of a number that is none, itself.
fn power_of_two(v: f64) -> f64 {
    if v.is_finite() { f64::from_bits(v.to_bits() & 0x7ff0_0000_0000_0000).max(f64::MIN_POSITIVE) } else { v }
}

impl Spread {
    /// That of so many values of this mean, with this sum of squared distances from it.
    pub(super) fn of_group(n: u64, mean: Number, squares: f64) -> Self {
        let quarter = squares / 4.0;
        let unit = if quarter > 0.0 { power_of_two(quarter.sqrt()) } else { 0.0 };
        let squares = if unit > 0.0 { quarter / unit / unit } else { quarter };
        Self { n: n as f64, first: mean, unit, mean: 0.0, squares }
    }

    /// Takes a value.
    pub(super) fn push(&mut self, v: Number) {
        if self.n == 0.0 {
            self.first = v;
        }
        self.n += 1.0;
        let v = self.units(half_apart(v, self.first));
        let off = v - self.mean;
        self.mean += off / self.n;
        self.squares += off * (v - self.mean);
    }

    /// A number in units, which become greater where it has too many.
    fn units(&mut self, v: f64) -> f64 {
        if v == 0.0 {
            return v;
        }
        let size = power_of_two(v.abs());
        if self.unit == 0.0 || size > self.unit * MOST_UNITS {
            self.rescale(size);
        }
        v / self.unit
    }

    fn rescale(&mut self, unit: f64) {
        let shrink = self.unit / unit;
        self.mean *= shrink;
        self.squares *= shrink * shrink;
        self.unit = unit;
    }

    /// Takes in the values of another, by the rule of Chan, Golub and `LeVeque`.
    pub(super) fn merge(&mut self, other: &Spread) {
        if self.n == 0.0 || other.n == 0.0 {
            *self = if self.n == 0.0 { *other } else { *self };
            return;
        }
        let mut other = *other;
        if other.unit > self.unit {
            self.rescale(other.unit);
        }
        let apart = self.units(half_apart(other.first, self.first));
        if self.unit > other.unit {
            other.rescale(self.unit);
        }
        let n = self.n + other.n;
        let off = apart + other.mean - self.mean;
        self.mean += off * other.n / n;
        self.squares += other.squares + off * off * self.n * other.n / n;
        self.n = n;
    }

    /// The sample's variance, of two values or more.
    pub(super) fn var(&self) -> Option<f64> {
        self.in_units().map(|(squares, unit)| 4.0 * squares * unit * unit)
    }

    /// The sample's standard deviation, of two values or more.
    pub(super) fn std(&self) -> Option<f64> {
        self.in_units().map(|(squares, unit)| 2.0 * squares.sqrt() * unit)
    }

    /// A quarter of the variance in squares of a unit, and the unit.
    fn in_units(&self) -> Option<(f64, f64)> {
        (self.n >= 2.0).then(|| (self.squares / (self.n - 1.0), self.unit))
    }

    /// The standard error of the mean, of two values or more.
    pub(super) fn sem(&self) -> Option<f64> {
        self.std().map(|std| std / self.n.sqrt())
    }
}

fn ascending(a: &Number, b: &Number) -> Ordering {
    a.compare(*b).unwrap_or_else(|| a.as_f64().total_cmp(&b.as_f64()))
}

/// Puts values in ascending order.
pub(super) fn sort(values: &mut [Number]) {
    values.sort_unstable_by(ascending);
}

/// The quantile of ascending values at a share of 0 to 1, between two of them by a straight line, as numpy's `linear`; between a
/// number and an infinity it is the infinity.
pub(super) fn quantile(values: &[Number], share: f64) -> Option<Number> {
    let at = values.len().checked_sub(1)? as f64 * share;
    let low = at.floor();
    let (part, low) = (at - low, low as usize);
    let (&a, &b) = (values.get(low)?, values.get(low + 1).unwrap_or(values.get(low)?));
    if part == 0.0 || a.compare(b) == Some(Ordering::Equal) {
        return Some(a);
    }
    let (a, b) = (a.as_f64(), b.as_f64());
    let step = b - a;
    Some(Number::F64(if a.is_infinite() != b.is_infinite() {
        a + b
    } else if step.is_infinite() && a.is_finite() {
        a * (1.0 - part) + b * part
    } else if part < 0.5 {
        a + step * part
    } else {
        b - step * (1.0 - part)
    }))
}

/// The median; the values change places.
pub(super) fn median(values: &mut [Number]) -> Option<Number> {
    if values.is_empty() {
        return None;
    }
    let (middle, even) = (values.len() / 2, values.len().is_multiple_of(2));
    let (below, &mut high, _) = values.select_nth_unstable_by(middle, ascending);
    if !even {
        return Some(high);
    }
    let low = below.iter().copied().reduce(|a, b| if a.is_below(b) { b } else { a }).unwrap_or(high);
    if let Some(sum) = low.whole().zip(high.whole()).map(|(a, b)| a + b) {
        let is_whole = sum % 2 == 0 && (sum / 2) as f64 as i128 != sum / 2;
        // Beyond f64 the middle of two integers is one, where it can be.
        return Some(if is_whole { Number::of_whole(sum / 2) } else { Number::F64(sum as f64 / 2.0) });
    }
    let mut sum = Sum::default();
    sum.push(low.as_f64());
    sum.push(high.as_f64());
    Some(Number::F64(sum.mean(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_parts_are_those_of_the_whole() {
        let values = [1e16, 3.0, -1e16, 0.1, 0.2, 0.3, 1e-9];
        let of = |v: &[f64]| {
            let (mut sum, mut spread) = (Sum::default(), Spread::default());
            v.iter().for_each(|v| {
                sum.push(*v);
                spread.push(Number::F64(*v));
            });
            (sum, spread)
        };
        for cut in 0..values.len() {
            let (mut a, b) = (of(&values[..cut]), of(&values[cut..]));
            a.0.merge(&b.0);
            let whole = of(&values).0;
            assert!((a.0.total() - whole.total()).abs() < 1e-15, "{cut}");
            let (mut c, d) = (of(&values[3..3 + cut.min(4)]), of(&values[3 + cut.min(4)..]));
            c.1.merge(&d.1);
            let std = of(&values[3..]).1.std().unwrap();
            assert!((c.1.std().unwrap() - std).abs() < 1e-15, "{cut}");
        }
    }

    #[test]
    fn spreads_of_the_largest_and_the_smallest_numbers_are_numbers() {
        let of = |v: &[f64]| {
            let mut spread = Spread::default();
            v.iter().for_each(|v| spread.push(Number::F64(*v)));
            spread
        };
        let (values, std) = ([1.0, 2.0, 4.0, -3.0], of(&[1.0, 2.0, 4.0, -3.0]).std().unwrap());
        for scale in [1.0, 2f64.powi(1000), 2f64.powi(-1000), 2f64.powi(1021)] {
            let scaled = values.map(|v| v * scale);
            assert_eq!(of(&scaled).std(), Some(std * scale));
            for cut in 0..values.len() {
                let mut part = of(&scaled[..cut]);
                part.merge(&of(&scaled[cut..]));
                assert!((part.std().unwrap() / (std * scale) - 1.0).abs() < 1e-15, "{cut}");
            }
        }
        let mixed = of(&[1e-300, 1.0, -1e300, 1e300]);
        assert!((mixed.std().unwrap() / (2f64 / 3.0).sqrt() / 1e300 - 1.0).abs() < 1e-15);
        let mut parts = of(&[1e300]);
        parts.merge(&of(&[2.0, 2.0]));
        assert!((parts.std().unwrap() / 1e300 - (1f64 / 3.0).sqrt()).abs() < 1e-15);
        let same = of(&[f64::MAX, f64::MAX]);
        assert_eq!((same.std(), of(&[f64::INFINITY, 1.0]).std().unwrap().is_nan()), (Some(0.0), true));
        assert!(of(&[1.0, f64::INFINITY, 2.0]).std().unwrap().is_nan());
    }

    #[test]
    fn integers_beyond_f64_are_apart_by_what_they_are() {
        let whole = |v: &[i64], at: i64| {
            let mut spread = Spread::default();
            v.iter().for_each(|v| spread.push(Number::I64(at + v)));
            spread.std()
        };
        let (values, base) = ([1, 3, 7, 2_000_003], 1_700_000_000_000_000_000);
        assert_eq!(whole(&values, base), whole(&values, 0));
        assert_eq!(whole(&[0, -1], i64::MIN + 1), Some(0.5f64.sqrt()));
        let mut ends = Spread::default();
        [1e308, -1e308].iter().for_each(|v| ends.push(Number::F64(*v)));
        assert!((ends.std().unwrap() / 1e308 - 2f64.sqrt()).abs() < 1e-15);
        let mut sum = Sum::default();
        [i64::MAX, i64::MAX, -5].iter().for_each(|v| sum.push_number(Number::I64(*v)));
        assert_eq!(sum.mean(3), (2 * i128::from(i64::MAX) - 5) as f64 / 3.0);
        let mut two = [base + 1, base + 3].map(Number::I64);
        assert_eq!(median(&mut two), Some(Number::I64(base + 2)));
    }

    #[test]
    fn sums_beyond_the_largest_number_have_a_mean() {
        let mut sum = Sum::default();
        [1.5e308, 1.5e308, -1.5e308, 0.0].iter().for_each(|v| sum.push(*v));
        assert_eq!((sum.total(), sum.mean(4)), (1.5e308, 0.375e308));
        sum.push(f64::INFINITY);
        assert_eq!(sum.mean(5), f64::INFINITY);
    }
}

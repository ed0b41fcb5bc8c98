//! Sums of f64 that lose little to rounding and do not overflow before their mean is taken.

/// From here on values are summed apart, scaled down, so that no number of them overflows.
pub(super) const HUGE: f64 = 1e280;
/// The scale: a power of two.
const DOWN: f64 = 1.0 / (1u128 << 120) as f64;

/// A sum by Neumaier's rule.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Total {
    sum: f64,
    /// Its rounding error.
    lost: f64,
    /// The sum of huge values, scaled down.
    huge: f64,
}

impl Total {
    pub(super) fn of(v: f64) -> Self {
        let mut out = Self::default();
        out.add(v, 0.0);
        out
    }

    /// Adds a value, and what rounding took off it before.
    #[inline]
    pub(crate) fn add(&mut self, v: f64, lost: f64) {
        if v.abs() >= HUGE && v.is_finite() {
            self.huge += v * DOWN;
            return;
        }
        let (a, sum) = (self.sum, self.sum + v);
        if sum.is_finite() {
            self.lost += lost + if a.abs() >= v.abs() { (a - sum) + v } else { (v - sum) + a };
        }
        self.sum = sum;
    }

    pub(super) fn merge(&mut self, other: &Total) {
        self.add(other.sum, other.lost);
        self.huge += other.huge;
    }

    /// The sum, which may exceed f64.
    pub(super) fn sum(&self) -> f64 {
        self.sum + self.lost + self.huge / DOWN
    }

    /// The mean of `count` values that were added; NaN for none, or for infinities of both signs.
    #[inline]
    pub(crate) fn mean(&self, count: u64) -> f64 {
        if count == 0 {
            return f64::NAN;
        }
        let n = count as f64;
        if self.huge == 0.0 {
            return (self.sum + self.lost) / n;
        }
        (self.sum + self.lost) / n + self.huge / n / DOWN
    }

    /// A value over the sum, without overflow; NaN or an infinity where the sum is 0.
    pub(crate) fn share(&self, v: f64) -> f64 {
        let sum = self.sum + self.lost;
        if self.huge == 0.0 {
            return v / sum;
        }
        (v * DOWN) / (sum * DOWN + self.huge)
    }

    /// Whether the values add up to nothing.
    pub(crate) fn is_zero(&self) -> bool {
        self.sum + self.lost == 0.0 && self.huge == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(v: &[f64]) -> f64 {
        let (mut a, mut b) = (Total::default(), Total::default());
        v.iter().enumerate().for_each(|(i, v)| {
            if i % 2 == 0 {
                a.add(*v, 0.0);
            } else {
                b.merge(&Total::of(*v));
            }
        });
        a.merge(&b);
        a.mean(v.len() as u64)
    }

    #[test]
    fn means_survive_both_ends_of_f64() {
        assert_eq!(mean(&[1.7e308; 7]), 1.7e308);
        assert_eq!(mean(&[5e-324, 5e-324, 5e-324]), 5e-324);
        assert_eq!(mean(&[1e17, 1.0, -1e17, 1.0]), 0.5);
        assert_eq!(mean(&[f64::INFINITY, 1.0, 1e300]), f64::INFINITY);
        assert!(mean(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan() && mean(&[]).is_nan());
    }
}

//! The order of numbers that f32 does not hold, as 64-bit integer keys.

use super::values::{Kind, Number};
use std::ops::RangeInclusive;

/// An integer of the same order as the floats; -0 equals +0. NaN has no place in it.
#[inline(always)]
pub(crate) const fn float_key(v: f64) -> i64 {
    let bits = v.to_bits() as i64;
    let (magnitude, sign) = (bits & i64::MAX, bits >> 63);
    (magnitude ^ sign) - sign
}

/// The float of a key.
pub(crate) const fn key_float(key: i64) -> f64 {
    f64::from_bits(if key < 0 { key.unsigned_abs() | 1 << 63 } else { key as u64 })
}

/// A number that f32 does not hold.
pub(super) trait Wide: Copy + PartialOrd {
    /// The kind in a tally.
    const CODE: u64;
    fn as_f64(self) -> f64;
    fn key(self) -> i64;
}

impl Wide for f64 {
    const CODE: u64 = 0;
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn key(self) -> i64 {
        float_key(self)
    }
}

impl Wide for i64 {
    const CODE: u64 = 1;
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn key(self) -> i64 {
        self
    }
}

impl Wide for u64 {
    const CODE: u64 = 2;
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn key(self) -> i64 {
        (self ^ 1 << 63) as i64
    }
}

/// The least key for which `holds`, which never turns false again; `None` where it holds for none.
pub(crate) fn first_key(keys: RangeInclusive<i64>, holds: impl Fn(i64) -> bool) -> Option<i64> {
    let (mut low, mut high) = (i128::from(*keys.start()), i128::from(*keys.end()));
    while low < high {
        let middle = (low + high).div_euclid(2);
        if holds(middle as i64) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    holds(low as i64).then_some(low as i64)
}

impl Kind {
    /// An integer of the same order as the numbers of this kind that f32 does not hold.
    #[inline]
    pub(crate) fn key(self, v: Number) -> i64 {
        match (self, v) {
            (Kind::I64, Number::I64(v)) => v,
            (Kind::U64, Number::U64(v)) => v.key(),
            _ => float_key(v.as_f64()),
        }
    }

    /// The keys that numbers of this kind may have, infinities among them.
    pub const fn keys(self) -> RangeInclusive<i64> {
        match self {
            Kind::I64 | Kind::U64 => i64::MIN..=i64::MAX,
            Kind::F32 | Kind::F64 => float_key(f64::NEG_INFINITY)..=float_key(f64::INFINITY),
        }
    }

    /// The number of a key.
    #[inline]
    pub fn number(self, key: i64) -> Number {
        match self {
            Kind::I64 => Number::I64(key),
            Kind::U64 => Number::U64(key as u64 ^ 1 << 63),
            Kind::F32 | Kind::F64 => Number::F64(key_float(key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_of_their_numbers() {
        let floats = [
            f64::NEG_INFINITY,
            -1e300,
            -1.0,
            -5e-324,
            0.0,
            5e-324,
            1.0,
            1.0000000000000002,
            f64::MAX,
            f64::INFINITY,
        ];
        assert!(floats.windows(2).all(|p| float_key(p[0]) < float_key(p[1])));
        assert!(floats.iter().all(|v| key_float(float_key(*v)) == *v));
        assert_eq!(float_key(-0.0), float_key(0.0));
        let whole = [0, 1, (1 << 53) + 1, i64::MAX as u64, 1 << 63, u64::MAX];
        assert!(
            whole.windows(2).all(|p| Kind::U64.key(Number::U64(p[0])) < Kind::U64.key(Number::U64(p[1])))
        );
        assert!(whole.iter().all(|v| Kind::U64.number(Kind::U64.key(Number::U64(*v))) == Number::U64(*v)));
        for v in [i64::MIN, -1, 0, i64::MAX] {
            assert_eq!(Kind::I64.number(Kind::I64.key(Number::I64(v))), Number::I64(v));
        }
    }
}

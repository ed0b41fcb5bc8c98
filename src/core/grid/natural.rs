//! Unsigned integers of any length: sums of numbers of any size lose nothing in them.

use std::cmp::Ordering;

/// An unsigned integer: its words of 32 bits, the lowest first, the highest not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Natural(Vec<u32>);

impl Natural {
    /// Adds `v * 2^bit`.
    pub(super) fn add(&mut self, v: u128, bit: u32) {
        let (mut at, shift) = ((bit / 32) as usize, bit % 32);
        let over = if shift == 0 { 0 } else { v >> (128 - shift) };
        let (mut rest, mut over, mut carry) = (v << shift, over, 0u64);
        while rest > 0 || over > 0 || carry > 0 {
            if self.0.len() <= at {
                self.0.resize(at + 1, 0);
            }
            let sum = u64::from(self.0[at]) + u64::from(rest as u32) + carry;
            (self.0[at], carry) = (sum as u32, sum >> 32);
            (rest, over) = (rest >> 32 | over << 96, 0);
            at += 1;
        }
    }

    /// The product.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut out = Self::default();
        for (i, a) in (0u32..).zip(&self.0) {
            for (j, b) in (0u32..).zip(&other.0) {
                out.add(u128::from(*a) * u128::from(*b), 32 * (i + j));
            }
        }
        out
    }

    /// The difference to another one, and whether that is greater.
    pub(super) fn minus(&self, other: &Self) -> (Self, bool) {
        if self.compare(other) == Ordering::Less {
            return (other.minus(self).0, true);
        }
        let (mut out, mut lent) = (self.0.clone(), false);
        for (i, word) in out.iter_mut().enumerate() {
            let (v, a) = word.overflowing_sub(other.0.get(i).copied().unwrap_or(0));
            let (v, b) = v.overflowing_sub(u32::from(lent));
            (*word, lent) = (v, a || b);
        }
        (Self::of(out), false)
    }

    /// The quotient by a number other than 0, and whether there is a rest.
    pub(super) fn over(&self, n: u64) -> (Self, bool) {
        let (mut out, mut rest) = (self.0.clone(), 0u128);
        for word in out.iter_mut().rev() {
            let v = rest << 32 | u128::from(*word);
            (*word, rest) = ((v / u128::from(n)) as u32, v % u128::from(n));
        }
        (Self::of(out), rest > 0)
    }

    /// The f64 nearest to `self * 2^exponent`, of two the even one. `rest`: it is greater by something less than 1; it must have
    /// 64 bits then.
    pub(super) fn to_f64(&self, rest: bool, exponent: i32) -> f64 {
        let bits = self.bits();
        if bits == 0 {
            return 0.0;
        }
        let top = self.top();
        let rest = rest || self.cut(bits.saturating_sub(64)).1;
        // The place of the first bit, and how many a f64 keeps from there on: fewer where it is subnormal.
        let first = bits as i32 - 1 + exponent;
        let kept = 53.min(first + 1075);
        if kept < 0 {
            return 0.0;
        }
        if first > 1023 {
            return f64::INFINITY;
        }
        let drop = 64 - kept;
        let (whole, part) = (u128::from(top) >> drop, u128::from(top) & ((1 << drop) - 1));
        let half = 1u128 << (drop - 1);
        let up = part > half || part == half && (rest || whole & 1 == 1);
        // A carry out of the digits grows the exponent.
        let exponent = u64::try_from(first + 1022).unwrap_or(0);
        f64::from_bits((exponent << 52) + whole as u64 + u64::from(up))
    }

    /// Itself without the lowest bits, if that fits, and whether one of those is set.
    pub(super) fn cut(&self, bits: u32) -> (Option<u128>, bool) {
        let bit = |i: u32| self.0[(i / 32) as usize] >> (i % 32) & 1;
        let left = self.bits().saturating_sub(bits);
        let high = || (0..left).rev().fold(0, |all, i| all << 1 | u128::from(bit(i + bits)));
        ((left <= 128).then(high), (0..bits.min(self.bits())).any(|i| bit(i) == 1))
    }

    /// How many bits it has without leading zeros.
    pub(super) fn bits(&self) -> u32 {
        let last = self.0.last().map_or(0, |w| 32 - w.leading_zeros());
        (self.0.len() as u32).saturating_sub(1) * 32 + last
    }

    fn of(mut words: Vec<u32>) -> Self {
        while words.last() == Some(&0) {
            words.pop();
        }
        Self(words)
    }

    /// The highest 64 bits, the first of which is set.
    fn top(&self) -> u64 {
        let n = self.0.len();
        let word = |i: usize| n.checked_sub(i + 1).map_or(0, |i| u128::from(self.0[i]));
        let high = word(0) << 64 | word(1) << 32 | word(2);
        (high >> (32 - self.0.last().map_or(0, |w| w.leading_zeros()))) as u64
    }

    fn compare(&self, other: &Self) -> Ordering {
        let lengths = self.0.len().cmp(&other.0.len());
        lengths.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn natural(v: u128) -> Natural {
        let mut out = Natural::default();
        out.add(v, 0);
        out
    }

    #[test]
    fn results_are_those_of_integers_that_fit() {
        let mut r = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            r ^= r << 13;
            r ^= r >> 7;
            r ^= r << 17;
            r >> (r % 64)
        };
        for _ in 0..2000 {
            let (a, b) = (next(), next());
            let (x, y) = (u128::from(a), u128::from(b));
            let mut sum = natural(x);
            sum.add(y, 40);
            assert_eq!(sum, natural(x + (y << 40)));
            let product = natural(x).times(&natural(y));
            assert_eq!(product, natural(x * y));
            assert_eq!(product.to_f64(false, 0), (x * y) as f64, "{a} {b}");
            assert_eq!(natural(x).minus(&natural(y)), (natural(x.abs_diff(y)), x < y));
            if b > 0 {
                let wide = (x << 64) + 5;
                assert_eq!(natural(wide).over(b), (natural(wide / y), wide % y > 0));
            }
            assert_eq!(product.cut(7), (Some((x * y) >> 7), (x * y) & 127 > 0));
        }
    }

    #[test]
    fn floats_of_every_size_read_back() {
        let floats =
            [f64::MAX, 1.0, 1.5, f64::MIN_POSITIVE, 5e-324, 15e-324, f64::from_bits((1 << 52) - 1), 0.1];
        for v in floats {
            let bits = v.to_bits();
            let e = (bits >> 52).max(1);
            let m = (bits & ((1 << 52) - 1)) | u64::from(bits >> 52 > 0) << 52;
            let mut n = Natural::default();
            n.add(m.into(), e as u32 + 99);
            assert_eq!(n.to_f64(false, -1174), v);
            // A half of the last place goes to the even one; anything more goes up.
            n.add(1, e as u32 + 98);
            let (up, even) = (f64::from_bits(bits + 1), f64::from_bits(bits + (bits & 1)));
            assert_eq!((n.to_f64(false, -1174), n.to_f64(true, -1174)), (even, up));
            n.add(1, 0);
            assert_eq!(n.to_f64(false, -1174), up);
        }
        assert_eq!(natural(1).to_f64(false, -1075), 0.0);
        assert_eq!(natural(3).to_f64(false, -1076), 5e-324);
        assert_eq!(natural(1).to_f64(false, 1024), f64::INFINITY);
        assert_eq!(Natural::default().to_f64(false, 0), 0.0);
    }
}

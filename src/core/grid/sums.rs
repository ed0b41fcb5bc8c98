//! Sums that lose nothing: of numbers and their squares, whatever the order and the size.

use super::backing::Strip;
use super::cell::State;
use super::values::{Kind, Numbers};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Sums by the place of their digits.
///
/// Every finite number is an integer of at most 64 bits, times 2^(8 * place), times a power of two of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moments {
    exponent: i32,
    /// Of the integers, by place.
    sums: Vec<i128>,
    /// Of their squares, by place: of the low halves, and of the high ones.
    squares: Vec<[u128; 2]>,
}

/// Results of sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Results {
    /// The sum, if it is an integer that fits.
    pub whole: Option<i128>,
    pub sum: f64,
    /// NaN without a number.
    pub mean: f64,
    /// Of n - 1; NaN of fewer than two numbers.
    pub std: f64,
}

/// A finite number: whether it is negative, its integer, and the places of that in bits.
type Parts = (bool, u64, u32);

/// Sums of one place, before they are added to those of all.
#[derive(Default)]
struct PlaceSums {
    place: usize,
    sum: i128,
    squares: [u128; 2],
}

impl Moments {
    /// Places of numbers: the last is that of a double's largest exponent.
    const PLACES: usize = 256;

    /// No numbers of a kind.
    pub(super) fn of(kind: Kind) -> Self {
        Self {
            exponent: match kind {
                Kind::F32 => -149,
                Kind::F64 => -1074,
                Kind::I64 | Kind::U64 => 0,
            },
            sums: vec![0; Self::PLACES],
            squares: vec![[0; 2]; Self::PLACES],
        }
    }

    /// Adds the finite numbers of a window.
    pub(super) fn add_all(&mut self, strip: &Strip<'_>) {
        let float = |mantissa: u64, exponent: u32, digits: u32| {
            let hidden = u64::from(exponent > 0) << digits;
            (mantissa | hidden, exponent.max(1) - 1)
        };
        match strip.numbers {
            Numbers::F32 { .. } => self.add_each(strip, |_, bits| {
                let (m, at) = float(u64::from(bits & 0x007f_ffff), bits >> 23 & 0xff, 23);
                (at < 254).then_some((bits >> 31 == 1, m, at))
            }),
            Numbers::F64(v) => self.add_each(strip, |i, _| {
                let bits = v[i].to_bits();
                let (m, at) = float(bits & ((1 << 52) - 1), (bits >> 52) as u32 & 0x7ff, 52);
                (at < 2046).then_some((bits >> 63 == 1, m, at))
            }),
            Numbers::I64(v) => self.add_each(strip, |i, _| Some((v[i] < 0, v[i].unsigned_abs(), 0))),
            Numbers::U64(v) => self.add_each(strip, |i, _| Some((false, v[i], 0))),
        }
    }

    fn add_each(&mut self, strip: &Strip<'_>, parts: impl Fn(usize, u32) -> Option<Parts>) {
        let mut run = PlaceSums::default();
        strip.rows(|from, len| {
            for i in from..from + len {
                let bits = strip.lines.bits[i];
                let Some((negative, m, at)) = parts(i, bits).filter(|_| State::of_bits(bits).is_none())
                else {
                    continue;
                };
                // Neighbours are often alike.
                let place = (at >> 3) as usize;
                if place != run.place {
                    self.take(std::mem::replace(&mut run, PlaceSums { place, ..PlaceSums::default() }));
                }
                let m = m << (at & 7);
                let square = u128::from(m) * u128::from(m);
                run.sum += if negative { -i128::from(m) } else { i128::from(m) };
                run.squares[0] += square & u128::from(u64::MAX);
                run.squares[1] += square >> 64;
            }
        });
        self.take(run);
    }

    fn take(&mut self, run: PlaceSums) {
        self.sums[run.place] += run.sum;
        let squares = &mut self.squares[run.place];
        (squares[0], squares[1]) = (squares[0] + run.squares[0], squares[1] + run.squares[1]);
    }

    /// Adds the sums of other numbers of the kind.
    pub(super) fn merge(&mut self, other: &Self) {
        let sums = self.sums.iter_mut().zip(&other.sums);
        sums.for_each(|(a, b)| *a += b);
        for (a, b) in self.squares.iter_mut().zip(&other.squares) {
            (a[0], a[1]) = (a[0] + b[0], a[1] + b[1]);
        }
    }

    /// Results for `n` numbers: each is rounded once.
    pub(super) fn results(&self, n: u64) -> Results {
        let (mut above, mut below, mut squares) =
            (Natural::default(), Natural::default(), Natural::default());
        for (at, sum) in (0u32..).zip(&self.sums) {
            let side = if *sum < 0 { &mut below } else { &mut above };
            side.add(sum.unsigned_abs(), 8 * at);
        }
        for (at, [low, high]) in (0u32..).zip(&self.squares) {
            squares.add(*low, 16 * at);
            squares.add(*high, 16 * at + 64);
        }
        let (sum, negative) = above.minus(&below);
        let signed = |v: f64| if negative { -v } else { v };
        let whole = sum.cut(-self.exponent as u32).0.and_then(|v| i128::try_from(v).ok());
        let (mut wide, mut count) = (Natural::default(), Natural::default());
        wide.add(1, 128);
        count.add(n.into(), 0);
        let mean = (n > 0).then(|| {
            // 128 bits behind the point are enough for all that a f64 keeps.
            let (quotient, rest) = sum.times(&wide).over(n);
            signed(quotient.to_f64(rest, self.exponent - 128))
        });
        // n^2 variances: of numbers that are alike they are exactly 0.
        let (spread, _) = squares.times(&count).minus(&sum.times(&sum));
        Results {
            whole: whole.map(|v| if negative { -v } else { v }),
            sum: signed(sum.to_f64(false, self.exponent)),
            mean: mean.unwrap_or(f64::NAN),
            std: if n < 2 { f64::NAN } else { self.root(&spread, n) },
        }
    }

    /// The square root of `spread / n / (n - 1)`.
    fn root(&self, spread: &Natural, n: u64) -> f64 {
        // 256 bits behind the point leave at least 128 to the quotient, of which the root has 64.
        let mut wide = Natural::default();
        wide.add(1, 256);
        let (by_one, rest) = spread.times(&wide).over(n);
        let (quotient, more) = by_one.over(n - 1);
        let cut = quotient.bits().saturating_sub(128).next_multiple_of(2);
        let (square, below) = quotient.cut(cut);
        let square = square.unwrap_or(0);
        let (root, mut out) = (square.isqrt(), Natural::default());
        out.add(root, 0);
        let rest = rest || more || below || root * root < square;
        out.to_f64(rest, cut as i32 / 2 - 128 + self.exponent)
    }
}

/// From here on values are summed apart, scaled down, so that no number of them overflows.
pub(super) const HUGE: f64 = 1e280;
/// The scale: a power of two.
const DOWN: f64 = 1.0 / (1u128 << 120) as f64;

/// A sum by Neumaier's rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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

    /// Adds a value, and the rounding error of it.
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
    use gridscope_random::Random;

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

    fn natural(v: u128) -> Natural {
        let mut out = Natural::default();
        out.add(v, 0);
        out
    }

    #[test]
    fn results_are_those_of_integers_that_fit() {
        let mut random = Random(1);
        let mut next = || random.bits() >> random.below(64);
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

#[cfg(test)]
mod moments_tests;

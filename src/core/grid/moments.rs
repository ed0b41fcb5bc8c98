//! Exact sums of numbers and of their squares: the order of adding does not change a bit of them.

use super::backing::Strip;
use super::natural::Natural;
use super::state::State;
use super::values::{Kind, Numbers};

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
struct Run {
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
        let mut run = Run::default();
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
                    self.take(std::mem::replace(&mut run, Run { place, ..Run::default() }));
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

    fn take(&mut self, run: Run) {
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

#[cfg(test)]
mod tests;

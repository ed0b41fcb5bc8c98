//! Numbers that f32 does not hold: their order as 64-bit keys, and what a fold keeps of them.

use super::backing::Strip;
use super::kernel::Tally;
use super::state::State;
use super::total::{HUGE, Total};
use super::values::{Kind, Number, Numbers};
use std::ops::Range;

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
trait Wide: Copy {
    const KIND: Kind;
    fn as_f64(self) -> f64;
    fn key(self) -> i64;
}

impl Wide for f64 {
    const KIND: Kind = Kind::F64;
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
    const KIND: Kind = Kind::I64;
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
    const KIND: Kind = Kind::U64;
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn key(self) -> i64 {
        (self ^ 1 << 63) as i64
    }
}

impl Kind {
    /// An integer of the same order as the numbers of this kind that f32 does not hold.
    pub(crate) fn key(self, v: Number) -> i64 {
        match (self, v) {
            (Kind::I64, Number::I64(v)) => v,
            (Kind::U64, Number::U64(v)) => v.key(),
            _ => float_key(v.as_f64()),
        }
    }

    /// The number of a key.
    pub(crate) fn number(self, key: i64) -> Number {
        match self {
            Kind::I64 => Number::I64(key),
            Kind::U64 => Number::U64(key as u64 ^ 1 << 63),
            Kind::F32 | Kind::F64 => Number::F64(key_float(key)),
        }
    }
}

/// Minimum, maximum, sum and count of numbers under a pixel, and which states it holds: 48 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WideSummary {
    /// Keys of the least and the greatest number.
    low: i64,
    high: i64,
    sum: Total,
    /// Cells with a value; below them two bits of the kind, and a bit for every state present.
    tally: u64,
}

const STATE_BITS: u32 = 4;
const KIND_BITS: u32 = 2;
const ONE: u64 = 1 << (STATE_BITS + KIND_BITS);
const STATES: u64 = (1 << STATE_BITS) - 1;

impl Default for WideSummary {
    fn default() -> Self {
        Self { low: i64::MAX, high: i64::MIN, sum: Total::default(), tally: 0 }
    }
}

impl WideSummary {
    /// Cells with a value.
    pub fn count(&self) -> u64 {
        self.tally / ONE
    }

    /// Bit [`State::index`] for every state present.
    pub fn states(&self) -> u8 {
        (self.tally & STATES) as u8
    }

    fn kind(&self) -> Kind {
        [Kind::F64, Kind::I64, Kind::U64, Kind::F64][(self.tally >> STATE_BITS & 3) as usize]
    }

    /// The least number; `None` without one.
    pub fn min(&self) -> Option<Number> {
        (self.count() > 0).then(|| self.kind().number(self.low))
    }

    /// The greatest number; `None` without one.
    pub fn max(&self) -> Option<Number> {
        (self.count() > 0).then(|| self.kind().number(self.high))
    }

    /// The mean: the number itself where all are equal, NaN without one or with infinities of both signs.
    pub fn mean(&self) -> Number {
        match self.min() {
            Some(v) if self.low == self.high => v,
            _ => Number::F64(self.sum.mean(self.count())),
        }
    }

    /// The sum.
    pub(super) fn sum(&self) -> Total {
        self.sum
    }

    /// Joins two summaries of one kind.
    pub fn merge(&mut self, other: &WideSummary) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        self.sum.merge(&other.sum);
        let flags = (self.tally | other.tally) & (ONE - 1);
        self.tally = (self.tally - self.tally % ONE) + (other.tally - other.tally % ONE) | flags;
    }

    /// Takes in a run of numbers with the bits that mark states among them, and counts them.
    fn take<T: Wide>(&mut self, numbers: &[T], bits: &[u32], tally: &mut Tally) {
        let (mut low, mut high, mut sum, mut values) = (i64::MAX, i64::MIN, 0.0, 0u64);
        for (v, bits) in numbers.iter().zip(bits) {
            if let Some(s) = State::of_bits(*bits) {
                tally.states[s.index()] += 1;
                self.tally |= 1 << s.index();
                continue;
            }
            let key = v.key();
            low = low.min(key);
            high = high.max(key);
            sum += v.as_f64();
            values += 1;
        }
        if values == 0 {
            return;
        }
        let far = T::KIND.number(low).as_f64().abs().max(T::KIND.number(high).as_f64().abs());
        if far < HUGE {
            self.sum.add(sum, 0.0);
        } else {
            let values = numbers.iter().zip(bits).filter(|(_, b)| State::of_bits(**b).is_none());
            values.for_each(|(v, _)| self.sum.add(v.as_f64(), 0.0));
        }
        self.low = self.low.min(low);
        self.high = self.high.max(high);
        let kind = match T::KIND {
            Kind::F32 | Kind::F64 => 0,
            Kind::I64 => 1,
            Kind::U64 => 2,
        };
        self.tally = self.tally + values * ONE | kind << STATE_BITS;
        tally.values += values;
    }
}

/// Folds some rows of a window over runs of its columns, one summary a run; `None` for numbers that are f32.
pub(super) fn fold(strip: &Strip<'_>, rows: Range<usize>, runs: &[Range<usize>], tally: &mut Tally, out: &mut Vec<WideSummary>) {
    let first = out.len();
    out.resize(first + runs.len(), WideSummary::default());
    let line = &mut out[first..];
    for r in rows {
        let from = r * strip.lines.stride;
        for (run, to) in runs.iter().zip(line.iter_mut()) {
            let at = from + run.start..from + run.end;
            let bits = &strip.lines.bits[at.clone()];
            match strip.numbers {
                Numbers::F32 { .. } => {}
                Numbers::F64(v) => to.take(&v[at], bits, tally),
                Numbers::I64(v) => to.take(&v[at], bits, tally),
                Numbers::U64(v) => to.take(&v[at], bits, tally),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_of_their_numbers() {
        let floats = [f64::NEG_INFINITY, -1e300, -1.0, -5e-324, 0.0, 5e-324, 1.0, 1.0000000000000002, f64::MAX, f64::INFINITY];
        assert!(floats.windows(2).all(|p| float_key(p[0]) < float_key(p[1])));
        assert!(floats.iter().all(|v| key_float(float_key(*v)) == *v));
        assert_eq!(float_key(-0.0), float_key(0.0));
        let whole = [0, 1, (1 << 53) + 1, i64::MAX as u64, 1 << 63, u64::MAX];
        assert!(whole.windows(2).all(|p| Kind::U64.key(Number::U64(p[0])) < Kind::U64.key(Number::U64(p[1]))));
        assert!(whole.iter().all(|v| Kind::U64.number(Kind::U64.key(Number::U64(*v))) == Number::U64(*v)));
        for v in [i64::MIN, -1, 0, i64::MAX] {
            assert_eq!(Kind::I64.number(Kind::I64.key(Number::I64(v))), Number::I64(v));
        }
        assert_eq!(size_of::<WideSummary>(), 48);
    }

    #[test]
    fn runs_keep_every_number_whatever_lies_beside_it() {
        let (mut s, mut tally) = (WideSummary::default(), Tally::default());
        let plain = [0u32; 3];
        s.take(&[1e300, 2.5, 1e300], &plain, &mut tally);
        s.take(&[-1e300, -1e300, 0.5], &[0, 0, State::Masked.bits()], &mut tally);
        assert_eq!((s.min(), s.max(), s.count()), (Some(Number::F64(-1e300)), Some(Number::F64(1e300)), 5));
        assert_eq!((s.mean(), s.states(), tally.states[State::Masked.index()]), (Number::F64(0.5), 2, 1));
        let (mut a, mut b) = (WideSummary::default(), WideSummary::default());
        a.take(&[u64::MAX, u64::MAX], &plain, &mut tally);
        assert_eq!(a.mean(), Number::U64(u64::MAX));
        b.take(&[f64::INFINITY, 3.0], &plain, &mut tally);
        assert_eq!(b.mean(), Number::F64(f64::INFINITY));
        assert_eq!(WideSummary::default().min(), None);
    }
}

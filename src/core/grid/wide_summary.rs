//! Reduction of the numbers under one pixel that f32 does not hold.

use super::kernel::Tally;
use super::number_key::Wide;
use super::state::State;
use super::total::Total;
use super::values::{Kind, Number};

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

const STATE_BITS: u32 = State::ALL.len() as u32;
const KIND_BITS: u32 = 2;
const ONE: u64 = 1 << (STATE_BITS + KIND_BITS);
const STATES: u64 = (1 << STATE_BITS) - 1;

const _: () = assert!(size_of::<WideSummary>() == 48);

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
    #[inline]
    pub fn min(&self) -> Option<Number> {
        (self.count() > 0).then(|| self.kind().number(self.low))
    }

    /// The greatest number; `None` without one.
    #[inline]
    pub fn max(&self) -> Option<Number> {
        (self.count() > 0).then(|| self.kind().number(self.high))
    }

    /// The mean: the number itself where all are equal, NaN without one or with infinities of both signs.
    #[inline]
    pub fn mean(&self) -> Number {
        match self.min() {
            Some(v) if self.low == self.high => v,
            _ => Number::F64(self.sum.mean(self.count())),
        }
    }

    /// Whether it holds numbers, and all are finite.
    pub(super) fn is_finite(&self) -> bool {
        self.min().zip(self.max()).is_some_and(|(a, b)| a.as_f64().is_finite() && b.as_f64().is_finite())
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
        self.tally = ((self.tally - self.tally % ONE) + (other.tally - other.tally % ONE)) | flags;
    }

    /// Of `count` numbers from `low` to `high` and their sum, none of which is huge.
    pub(super) fn of<T: Wide>(low: T, high: T, (sum, lost): (f64, f64), count: u64) -> Self {
        let mut total = Total::default();
        total.add(sum, lost);
        Self { low: low.key(), high: high.key(), sum: total, tally: (count * ONE) | (T::CODE << STATE_BITS) }
    }

    /// Takes in a number, or what its bits mark as a state.
    pub(super) fn take<T: Wide>(&mut self, v: T, bits: u32, tally: &mut Tally) {
        if let Some(s) = State::of_bits(bits) {
            tally.states[s.index()] += 1;
            self.tally |= 1 << s.index();
            return;
        }
        self.low = self.low.min(v.key());
        self.high = self.high.max(v.key());
        self.sum.add(v.as_f64(), 0.0);
        self.tally = (self.tally + ONE) | (T::CODE << STATE_BITS);
        tally.values += 1;
    }
}

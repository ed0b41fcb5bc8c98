//! Reduction of the cells under a pixel or of a block, of stored f32 or of wider numbers.

use super::cell::State;
use super::kernel::Tally;
use super::number_key::Wide;
use super::sums::Total;
use super::values::{Kind, Number};
use crate::notation::words;
use serde::{Deserialize, Serialize};

/// Minimum, maximum, sum and count of the values under a pixel, and which states it holds: 24 bytes.
///
/// The sum is f64 over stored f32, added in blocks of a fixed order, so its error stays below 1e-12 of the largest value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Least stored value.
    pub min: f32,
    /// Greatest stored value.
    pub max: f32,
    /// Sum of the stored values.
    pub sum: f64,
    /// Cells with a value, and below them a bit for every state present.
    tally: u64,
}

/// The bits of a tally that hold states.
const STATE_BITS: u32 = State::ALL.len() as u32;
const STATES: u64 = (1 << STATE_BITS) - 1;

impl Default for Summary {
    fn default() -> Self {
        Self { min: f32::INFINITY, max: f32::NEG_INFINITY, sum: 0.0, tally: 0 }
    }
}

impl Summary {
    /// A summary of known parts; `states` has bit [`State::index`] set for every state present.
    pub fn new(min: f32, max: f32, sum: f64, count: u64, states: u8) -> Self {
        Self { min, max, sum, tally: (count << STATE_BITS) | (u64::from(states) & STATES) }
    }

    /// Cells with a value.
    pub fn count(&self) -> u64 {
        self.tally >> STATE_BITS
    }

    /// Bit [`State::index`] for every state present.
    pub fn states(&self) -> u8 {
        (self.tally & STATES) as u8
    }

    /// Takes a cell in, by its stored bit pattern.
    pub fn add(&mut self, bits: u32) {
        match State::of_bits(bits) {
            Some(s) => self.tally |= 1 << s.index(),
            None => {
                let v = f32::from_bits(bits);
                self.min = self.min.min(v);
                self.max = self.max.max(v);
                self.sum += f64::from(v);
                self.tally += 1 << STATE_BITS;
            }
        }
    }

    /// Joins two summaries.
    pub fn merge(&mut self, other: &Summary) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
        let states = (self.tally | other.tally) & STATES;
        self.tally = ((self.tally & !STATES) + (other.tally & !STATES)) | states;
    }

    /// The mean of the stored values; NaN without one, or with infinities of both signs.
    pub fn mean(&self) -> f64 {
        if self.count() == 0 { f64::NAN } else { self.sum / self.count() as f64 }
    }

    /// The state that a pixel without a value shows.
    pub fn state(&self) -> State {
        State::first_of(self.states())
    }
}

words! {
    /// How several cells become one pixel.
    Reduce {
        /// Arithmetic mean.
        #[default] Mean = "mean",
        /// Least.
        Min = "min",
        /// Greatest.
        Max = "max",
        /// Least or greatest, whichever is farther from the centre.
        Extreme = "extreme",
        /// Cells with a value.
        Count = "count",
    }
}

/// Minimum, maximum, sum and count of numbers under a pixel, and which states it holds: 48 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WideSummary {
    /// Keys of the least and the greatest number.
    low: i64,
    high: i64,
    sum: Total,
    /// Cells with a value; below them two bits of the kind, and a bit for every state present.
    tally: u64,
}

const KIND_BITS: u32 = 2;
const ONE: u64 = 1 << (STATE_BITS + KIND_BITS);

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_counts_share_a_tally() {
        let mut s = Summary::default();
        for v in [1.5f32, -2.0] {
            s.add(v.to_bits());
        }
        let mut other = Summary::new(7.0, 7.0, 7.0, 1, 1 << State::Absent.index());
        other.add(State::Masked.bits());
        s.merge(&other);
        assert_eq!((s.count(), s.state(), s.states()), (3, State::Masked, 0b10_0010));
        assert_eq!((s.min, s.max, s.mean()), (-2.0, 7.0, 6.5 / 3.0));
        assert_eq!(size_of::<Summary>(), 24);
    }
}

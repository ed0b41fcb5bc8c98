//! Reduction of the cells under a pixel or of a block.

use super::State;

/// Minimum, maximum, sum and count of the values under a pixel, and which states it holds: 24 bytes.
///
/// The sum is f64 over stored f32, added in blocks of a fixed order, so its error stays below 1e-12 of the largest value.
#[derive(Clone, Copy, Debug, PartialEq)]
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

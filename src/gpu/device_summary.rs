//! Summaries on the device: extremes as positions in the order of all f32, sums as pairs.

use super::wire::{Found, Summed};
use gridscope_core::grid::{Held, Summary};

/// Magnitude bits of infinity; larger magnitudes are states.
const INFINITY: u32 = 0x7f80_0000;
/// The positions of +inf and -inf in the order of all f32.
const TOP: u32 = 0xff80_0000;
const BOTTOM: u32 = 0x007f_ffff;

/// Sums of 2^32 values must stay below 2^127, so the largest value is scaled to below 2^93.
const HEADROOM: i32 = 92;

/// The position of a value in the order of all f32, -0 before +0.
fn place_of(bits: u32) -> u32 {
    bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }
}

fn value_at(place: u32) -> f32 {
    f32::from_bits(place ^ if place >> 31 == 1 { 1 << 31 } else { u32::MAX })
}

impl Summed {
    /// The Summary of sums * 2^-exponent.
    pub(super) fn summary(&self, exponent: i32) -> Summary {
        let (min, max) = (value_at(TOP - self.low), value_at(BOTTOM + self.high));
        let scaled = f64::from(self.hi) + f64::from(self.lo);
        let sum = match (self.count > 0 && min == f32::NEG_INFINITY, self.count > 0 && max == f32::INFINITY) {
            (false, false) => scaled * f64::powi(2.0, exponent),
            (true, false) => f64::NEG_INFINITY,
            (false, true) => f64::INFINITY,
            (true, true) => f64::NAN,
        };
        Summary::new(min, max, sum, u64::from(self.count), self.states as u8)
    }
}

impl Found {
    /// The least value; +inf without one.
    pub(super) fn min(&self) -> f32 {
        value_at(TOP - self.low)
    }

    /// The greatest value; -inf without one.
    pub(super) fn max(&self) -> f32 {
        value_at(BOTTOM + self.high)
    }
}

/// Facts about uploaded cells that the CPU knows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sent {
    /// Result that the check on the device has to give.
    pub found: Found,
    /// The bits of the largest finite magnitude.
    pub largest: u32,
    /// Bits of cells of two words.
    pub held: Held,
}

impl Sent {
    /// Adds cells.
    pub(super) fn add(&mut self, cells: &[u32]) {
        for &bits in cells {
            let magnitude = bits & 0x7fff_ffff;
            let (place, value) = (place_of(bits), magnitude <= INFINITY);
            self.found.low = self.found.low.max(if value { TOP.wrapping_sub(place) } else { 0 });
            self.found.high = self.found.high.max(if value { place.wrapping_sub(BOTTOM) } else { 0 });
            self.found.sum = self.found.sum.wrapping_add(bits);
            self.largest = self.largest.max(if magnitude < INFINITY { magnitude } else { 0 });
        }
    }

    /// Adds the cells of another.
    pub(super) fn merge(&mut self, other: &Self) {
        self.found.low = self.found.low.max(other.found.low);
        self.found.high = self.found.high.max(other.found.high);
        self.found.sum = self.found.sum.wrapping_add(other.found.sum);
        self.largest = self.largest.max(other.largest);
        self.held.merge(other.held);
    }
}

/// The exponent to scale values up to a magnitude by, so that sums do not overflow and subnormal values
/// count.
pub(super) fn exponent(largest: u32) -> i32 {
    let field = (largest >> 23) as i32;
    (field.max(1) - 127 - HEADROOM).max(-126)
}

/// 2^-exponent, and that * 2^-126 for subnormal values, or 0 where f32 cannot represent it.
pub(super) fn scales(exponent: i32) -> (f32, f32) {
    let tiny = if exponent <= 0 { f32::powi(2.0, -126 - exponent) } else { 0.0 };
    (f32::powi(2.0, -exponent), tiny)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::State;

    #[test]
    fn zeros_are_the_summary_of_nothing() {
        assert_eq!(Summed::default().summary(17), Summary::default());
    }

    #[test]
    fn parts_are_sent_as_the_whole() {
        let cells: Vec<u32> = (0..999u32).map(|i| i.wrapping_mul(0x9e37_79b1)).collect();
        let of = |cells: &[u32]| {
            let mut sent = Sent::default();
            sent.add(cells);
            sent
        };
        for at in [0, 1, 500, 999] {
            let (a, b) = cells.split_at(at);
            let mut both = of(b);
            both.merge(&of(a));
            assert_eq!(both, of(&cells), "{at}");
        }
    }

    #[test]
    fn extremes_keep_every_bit() {
        for v in
            [0.0f32, -0.0, 1.5, -1.5, 1e-45, -1e-45, f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY]
        {
            let mut sent = Sent::default();
            sent.add(&[v.to_bits(), State::Nan.bits(), State::Pending.bits(), 0xffff_ffff]);
            let s = Summed { low: sent.found.low, high: sent.found.high, count: 1, ..Summed::default() }
                .summary(0);
            assert_eq!((s.min.to_bits(), s.max.to_bits()), (v.to_bits(), v.to_bits()), "{v}");
        }
    }

    #[test]
    fn sums_neither_overflow_nor_vanish() {
        for v in [f32::MAX, 1e30, 1.0, 1e-30, f32::MIN_POSITIVE, 1e-45] {
            let e = exponent(v.to_bits());
            let (scale, tiny) = scales(e);
            assert!(scale.is_normal() && (tiny == 0.0 || tiny.is_normal()), "{v}");
            let scaled = f64::from(v) * f64::from(scale);
            assert!(scaled < f64::powi(2.0, 93) && scaled >= f64::powi(2.0, -24), "{v}: {scaled}");
            let s = Summed { hi: scaled as f32, count: 1, ..Summed::default() };
            assert_eq!(s.summary(e).sum, f64::from(v));
        }
    }

    #[test]
    fn infinities_make_the_sum() {
        let sum = |values: &[f32]| {
            let mut sent = Sent::default();
            sent.add(&values.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
            Summed { low: sent.found.low, high: sent.found.high, count: 2, ..Summed::default() }
                .summary(0)
                .sum
        };
        assert_eq!(
            (sum(&[1.0, f32::INFINITY]), sum(&[f32::NEG_INFINITY, 0.0])),
            (f64::INFINITY, f64::NEG_INFINITY)
        );
        assert!(sum(&[f32::NEG_INFINITY, f32::INFINITY]).is_nan());
    }
}

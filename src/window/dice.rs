//! Pseudo-random numbers, places and texts for tests.

use gridscope_core::geom::Point;

/// Numbers without a pattern, the same in every run.
pub(crate) struct Dice(pub u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }

    /// Any finite number, of any size and sign.
    pub(crate) fn number(&mut self) -> f64 {
        match self.below(3) {
            0 => self.below(2000) as f64 - 1000.0,
            1 => (self.below(1_000_000) as f64 - 5e5) / 1024.0,
            _ => Some(f64::from_bits(self.roll())).filter(|v| v.is_finite()).unwrap_or(-0.0),
        }
    }

    pub(crate) fn point(&mut self) -> Point {
        Point { x: self.number(), y: self.number() }
    }

    pub(crate) fn ascending(&mut self) -> (f64, f64) {
        let (a, b) = (self.number(), self.number());
        if a < b { (a, b) } else { (b.min(0.0), a.abs() + 1.0) }
    }

    pub(crate) fn text(&mut self) -> String {
        let parts = [
            "a", "B ", " ", "#", "# ", " # x", "\"", "\\", "\n", "é", "比", "\u{202e}", "\t", "alone",
            "next", "7",
        ];
        (0..self.below(5)).map(|_| parts[self.below(parts.len() as u64) as usize]).collect()
    }
}

//! A bar that stays where it is while its labels change.

use super::{Painter, TIP};
use crate::resolve::Bar;
use gridscope_core::geom::PxRect;

impl Painter<'_> {
    /// The lengths of the pointed ends at the low and the high end.
    pub(super) fn tips(&self, bar: &Bar) -> (f64, f64) {
        // A held ramp is as long as it was, whatever ends it gets.
        let rect = self.at.held.unwrap_or(self.at.rect);
        let length = f64::from(if self.at.horizontal { rect.w } else { rect.h });
        let tip = (TIP * self.f).round().min((0.3 * length).floor());
        let of = |count: u64| if count > 0 { tip } else { 0.0 };
        (of(bar.below), of(bar.above))
    }

    /// Moves a bar whose ramp is held to where its ramp is that one; the pointed ends go beyond it.
    pub(super) fn hold(&mut self, low: f64, high: f64) {
        let Some(ramp) = self.at.held else { return };
        self.shift(f64::from(ramp.x - self.at.rect.x) * f64::from(u8::from(!self.at.horizontal)));
        let (low, high) = (low as u32, high as u32);
        self.at.rect = if self.at.horizontal {
            PxRect { x: ramp.x - low as i32, w: ramp.w + low + high, ..ramp }
        } else {
            PxRect { y: ramp.y - high as i32, h: ramp.h + low + high, ..ramp }
        };
        // Its title stays too, whatever the labels are.
        self.at.aligned = true;
    }
}

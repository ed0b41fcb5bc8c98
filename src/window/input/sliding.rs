//! The wheel over a slider: one slice a notch.

use super::Input;
use super::binding::{Does, Row, Trigger};
use super::chord::Mods;
use super::spot::Spot;
use super::table::find_at;
use super::wheel::{MOST, PIXELS};
use crate::geometry::WindowGeometry;
use crate::state::{Command, Slicing};

impl Input {
    /// Whether the pointer is where the wheel goes through slices.
    pub(super) fn is_on_slider(&self, geometry: &WindowGeometry, trigger: fn(Mods) -> Trigger) -> bool {
        let Some(at) = self.at.filter(|_| self.press.is_none()) else {
            return false;
        };
        let row = find_at(Spot::at(geometry, at), self.mods, trigger);
        matches!(row, Some((Row { does: Does::Slide, .. }, _)))
    }

    /// As [`Input::slid`], for fingers that moved by this many pixels.
    pub(super) fn slid_by_pixels(&mut self, pixels: f64, geometry: &WindowGeometry) -> Vec<Command> {
        self.slid(pixels / (PIXELS * geometry.logical_pixel()))
    }

    /// Goes on by whole notches; parts of them wait for more.
    pub(super) fn slid(&mut self, notches: f64) -> Vec<Command> {
        let Some(at) = self.at.filter(|_| notches.is_finite()) else {
            return Vec::new();
        };
        self.slid += notches.clamp(-MOST, MOST);
        let by = self.slid.trunc();
        self.slid -= by;
        if by == 0.0 {
            return Vec::new();
        }
        vec![Command::Slice(Slicing::Turn { at, by: by as i64 })]
    }
}

//! Wheels and fingers: they zoom, and move the content.

use super::Input;
use super::binding::{Does, Row, Trigger, find_at};
use super::controls::Spot;
use super::keyboard::Mods;
use crate::geometry::{Hit, WindowGeometry};
use crate::state::{Command, NOTCH};
use gridscope_core::geom::Point;

/// This many logical pixels of a trackpad zoom like one notch of a wheel.
pub(super) const PIXELS: f64 = 20.0;
/// A notch of a wheel moves the content sideways by this many logical pixels.
const SIDEWAYS: f64 = 60.0;
/// One event counts as at most this many notches.
pub(super) const MOST: f64 = 20.0;

impl Input {
    /// The wheel turned by this many notches.
    pub(super) fn wheeled(&self, notches: f64, geometry: &WindowGeometry) -> Vec<Command> {
        let zoom = self.turned(Trigger::Wheel, NOTCH.powf(notches.clamp(-MOST, MOST)), geometry);
        if zoom.is_empty() { self.sideways(Trigger::Wheel, notches, geometry) } else { zoom }
    }

    /// The wheel was tilted by this many notches.
    pub(super) fn tilted(&self, notches: f64, geometry: &WindowGeometry) -> Vec<Command> {
        self.sideways(Trigger::Tilt, notches, geometry)
    }

    /// Two fingers were spread or closed.
    pub(super) fn pinched(&self, by: f64, geometry: &WindowGeometry) -> Vec<Command> {
        self.turned(Trigger::Pinch, (1.0 + by).clamp(0.1, 10.0), geometry)
    }

    /// Two fingers moved.
    pub(super) fn scrolled(&self, by: Point, geometry: &WindowGeometry) -> Vec<Command> {
        if !by.is_finite() {
            return Vec::new();
        }
        let factor = NOTCH.powf((by.y / (PIXELS * geometry.logical_pixel())).clamp(-MOST, MOST));
        let zoom = self.turned(Trigger::Scroll, factor, geometry);
        let Some(at) = self.at.filter(|_| zoom.is_empty() && self.press.is_none()) else {
            return zoom;
        };
        match find_at(Spot::at(geometry, at), self.mods, Trigger::Scroll) {
            Some((Row { does: Does::Pan, .. }, alone)) if by != Point::default() => {
                vec![Command::Pan { at, by, alone }]
            }
            Some((Row { does: Does::Sideways, .. }, alone)) if by != Point::default() => {
                vec![aside(at, by.x + by.y, alone, geometry)]
            }
            _ => Vec::new(),
        }
    }

    /// Moves the content sideways with a wheel, unless a button is down.
    fn sideways(
        &self,
        trigger: impl Fn(Mods) -> Trigger,
        notches: f64,
        geometry: &WindowGeometry,
    ) -> Vec<Command> {
        let Some(at) = self.at.filter(|_| self.press.is_none() && notches.is_finite() && notches != 0.0)
        else {
            return Vec::new();
        };
        let by = SIDEWAYS * geometry.logical_pixel() * notches.clamp(-MOST, MOST);
        match find_at(Spot::at(geometry, at), self.mods, trigger) {
            Some((Row { does: Does::Sideways, .. }, alone)) => vec![aside(at, by, alone, geometry)],
            _ => Vec::new(),
        }
    }

    /// Zooms, unless a button is down: the content would slip from under the drag.
    fn turned(
        &self,
        trigger: impl Fn(Mods) -> Trigger,
        factor: f64,
        geometry: &WindowGeometry,
    ) -> Vec<Command> {
        let Some(at) = self.at.filter(|_| self.press.is_none() && factor.is_finite() && factor != 1.0) else {
            return Vec::new();
        };
        match find_at(Spot::at(geometry, at), self.mods, trigger) {
            Some((Row { does: Does::Zoom, .. }, alone)) => vec![Command::Zoom { at, factor, alone }],
            _ => Vec::new(),
        }
    }
}

/// Moves the content sideways; over a vertical axis, along it.
fn aside(at: Point, by: f64, alone: bool, geometry: &WindowGeometry) -> Command {
    let by = if matches!(geometry.hit(at), Hit::YAxis(_)) {
        Point { x: 0.0, y: by }
    } else {
        Point { x: by, y: 0.0 }
    };
    Command::Pan { at, by, alone }
}

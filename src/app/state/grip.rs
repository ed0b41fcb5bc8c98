//! Drags on a colour bar: its ends are its limits, its middle moves both.

use super::super::world::World;
use super::limits::Ramp;
use super::moves::is_place;
use super::{Damage, State};
use crate::geom::Point;
use crate::scale::Norm;

/// Ends of a bar are taken hold of within this many logical pixels at least, and within a quarter of it.
const HOLD: f64 = 12.0;
/// The limits stay apart by this share of the ramp that a drag began on.
const APART: f64 = 1.0 / 256.0;

/// What of a bar is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Low,
    Middle,
    High,
}

/// A drag on a bar: everything is counted from the limits at its begin.
#[derive(Clone, Debug)]
pub(super) struct Grip {
    scale: usize,
    end: End,
    from: Point,
    ramp: Ramp,
    length: f64,
    horizontal: bool,
    before: Option<(f64, f64)>,
}

impl State {
    /// Takes hold of a bar.
    pub(super) fn grip(&mut self, scale: usize, at: Point, world: &World) -> Option<Grip> {
        let bar = world.bars.get(scale)?.as_ref()?;
        let (length, horizontal) = (bar.length(), bar.horizontal);
        if length <= 0.0 {
            return None;
        }
        let near = (length / 4.0).max(HOLD * world.unit.max(0.25)).min(length / 2.0) / length;
        let share = bar.share(at);
        let end = match share {
            s if s < near => End::Low,
            s if s > 1.0 - near => End::High,
            _ => End::Middle,
        };
        let before = self.look.scales.get(scale)?.limits;
        Some(Grip { scale, end, from: at, ramp: self.ramp(scale, world)?, length, horizontal, before })
    }

    /// What is held follows the pointer: an end up to the other one, the middle with both.
    pub(super) fn pull(&mut self, grip: &Grip, to: Point, world: &World) -> Damage {
        if !is_place(to) || grip.scale >= world.scales.len() {
            return Damage::NONE;
        }
        let far = if grip.horizontal { to.x - grip.from.x } else { grip.from.y - to.y } / grip.length;
        let centered = matches!(grip.ramp.norm, Norm::Centered { .. });
        let (low, high) = match grip.end {
            End::Low if centered => (far.min(0.5 - APART), 1.0 - far.min(0.5 - APART)),
            End::High if centered => (-far.max(APART - 0.5), 1.0 + far.max(APART - 0.5)),
            // The middle of such a scale is fixed.
            End::Middle if centered => return Damage::NONE,
            End::Low => (far.min(1.0 - APART), 1.0),
            End::High => (0.0, 1.0 + far.max(APART - 1.0)),
            End::Middle => (far, 1.0 + far),
        };
        if far == 0.0 {
            return self.set(grip.scale, grip.before);
        }
        let limits = grip.ramp.limits(low, high);
        if limits.is_some() { self.set(grip.scale, limits) } else { Damage::NONE }
    }

    /// The limits at the begin of a drag.
    pub(super) fn let_go(&mut self, grip: &Grip) -> Damage {
        self.set(grip.scale, grip.before)
    }

    /// Limits that follow a pan over their bar.
    pub(super) fn shift_limits(&mut self, scale: usize, by: Point, world: &World) -> Damage {
        let Some(Some(bar)) = world.bars.get(scale) else { return Damage::NONE };
        let middle = bar.ramp.rect().center();
        let to = Point { x: middle.x + by.x, y: middle.y + by.y };
        match self.grip(scale, middle, world) {
            Some(grip) => self.pull(&grip, to, world),
            None => Damage::NONE,
        }
    }
}

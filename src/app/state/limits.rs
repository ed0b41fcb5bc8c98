//! Limits of colour scales, set by hand, by drags on a bar and by zooms over it.

use super::super::world::World;
use super::{Damage, State};
use crate::geom::Point;
use crate::grid::Number;
use crate::scale::Norm;

/// No zoom narrows or widens limits more than so many times at once.
const MOST: f64 = 1000.0;

/// The values along a bar, beyond its ends too.
#[derive(Clone, Debug)]
pub(super) struct Ramp {
    pub norm: Norm,
    low: f64,
    high: f64,
}

impl Ramp {
    /// The value at a share of the ramp; none where the norm has steps or f64 ends.
    fn at(&self, share: f64) -> Option<f64> {
        let straight = self.low * (1.0 - share) + self.high * share;
        let v = match &self.norm {
            Norm::Bounds(_) | Norm::Quantile(_) => return None,
            // A ramp about a centre shows the map between the limits alone, and below the low limit a power is straight.
            Norm::Linear | Norm::Centered { .. } | Norm::CenterLinear { .. } => straight,
            Norm::Power { .. } if share < 0.0 => straight,
            // Logarithms and their inverse would not give the limits back to the last bit.
            _ if share == 0.0 => self.low,
            _ if share == 1.0 => self.high,
            norm => norm.inverse(share, self.low, self.high),
        };
        v.is_finite().then_some(v)
    }

    /// The limits at two shares; none where the norm does not allow them.
    pub fn limits(&self, low: f64, high: f64) -> Option<(f64, f64)> {
        let (low, high) = (self.at(low)?, self.at(high)?);
        (low < high && self.norm.check(low, high).is_ok()).then_some((low, high))
    }
}

impl State {
    /// The limits of a scale as they stand.
    pub(super) fn limits(&self, scale: usize, world: &World) -> Option<(f64, f64)> {
        let spec = world.scales.get(scale)?.spec();
        Some(self.look.scales.get(scale)?.limits.unwrap_or((spec.vmin, spec.vmax)))
    }

    /// A scale that limits can be moved on; says so where they cannot.
    pub(super) fn ramp(&mut self, scale: usize, world: &World) -> Option<Ramp> {
        let (norm, (mut low, mut high)) = (self.norm(scale, world)?, self.limits(scale, world)?);
        if matches!(norm, Norm::Bounds(_) | Norm::Quantile(_)) {
            self.message = Some(format!("a {} norm has no limits to move", norm.word()));
            return None;
        }
        if low == high {
            // A lone value has a ramp of nothing: room on both sides.
            (low, high) = if matches!(norm, Norm::Log) {
                (low / 2.0, low * 2.0)
            } else {
                (low - (low / 2.0).abs().max(0.5), low + (low / 2.0).abs().max(0.5))
            };
        }
        Some(Ramp { norm, low, high })
    }

    /// Limits, or the figure's own.
    pub(super) fn set(&mut self, scale: usize, limits: Option<(f64, f64)>) -> Damage {
        let Some(look) = self.look.scales.get_mut(scale) else { return Damage::NONE };
        let changed = look.limits != limits;
        look.limits = limits;
        Damage::COLORS.when(changed)
    }

    /// Limits by number; refused with a message where they cannot be.
    pub(super) fn set_limits(&mut self, scale: usize, low: f64, high: f64, world: &World) -> Damage {
        let Some(norm) = self.norm(scale, world) else { return Damage::NONE };
        let refused = if low.is_finite() && high.is_finite() && low < high {
            norm.check(low, high).err()
        } else {
            Some(format!("limits must be finite and ascending: {} to {}", Number::F64(low), Number::F64(high)))
        };
        match refused {
            Some(why) => self.say(why),
            None => self.set(scale, Some((low, high))),
        }
    }

    /// The figure's own limits.
    pub(super) fn auto_limits(&mut self, scale: usize) -> Damage {
        self.set(scale, None)
    }

    /// Narrower limits about the value at a place of a bar; those with a fixed middle about that.
    pub(super) fn zoom_limits(&mut self, scale: usize, at: Point, factor: f64, world: &World) -> Damage {
        let Some(Some(bar)) = world.bars.get(scale) else { return Damage::NONE };
        let share = bar.share(at).clamp(0.0, 1.0);
        let Some(ramp) = self.ramp(scale, world) else { return Damage::NONE };
        let about = if matches!(ramp.norm, Norm::Centered { .. }) { 0.5 } else { share };
        let factor = factor.clamp(1.0 / MOST, MOST);
        let limits = ramp.limits(about - about / factor, about + (1.0 - about) / factor);
        if limits.is_some() && factor != 1.0 { self.set(scale, limits) } else { Damage::NONE }
    }
}

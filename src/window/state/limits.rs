//! Changes of colour limits: by number, by drags on a bar and by zooms over it.

use super::super::geometry::WindowGeometry;
use super::{Damage, ViewState, WHEN_READ};
use gridscope_core::geom::Point;
use gridscope_core::grid::Number;
use gridscope_core::scale::{AutoLimits, BarCurve, Norm, ValueRule, shifted};

/// A zoom narrows or widens limits by at most this factor.
const MOST: f64 = 1000.0;

/// The values along a bar and beyond its ends.
#[derive(Clone, Debug)]
pub(super) struct Ramp {
    norm: Norm,
    low: f64,
    high: f64,
}

impl Ramp {
    /// The value at a share of the ramp; `None` for a norm with steps, or beyond f64.
    pub(super) fn at(&self, share: f64) -> Option<f64> {
        let straight = self.low * (1.0 - share) + self.high * share;
        let v = match self.norm.traits().bar {
            BarCurve::Steps(_) | BarCurve::Shares => return None,
            BarCurve::Straight => straight,
            BarCurve::StraightBelow if share < 0.0 => straight,
            // A logarithm and its inverse would not return the limits to the last bit.
            BarCurve::Inverse | BarCurve::StraightBelow if share == 0.0 => self.low,
            BarCurve::Inverse | BarCurve::StraightBelow if share == 1.0 => self.high,
            BarCurve::Inverse | BarCurve::StraightBelow => self.norm.inverse(share, self.low, self.high),
        };
        v.is_finite().then_some(v)
    }

    /// Whether both limits lie at the same distance from a centre.
    pub(super) fn is_symmetric(&self) -> bool {
        matches!(self.norm.traits().limits, AutoLimits::Around { .. })
    }

    /// Whether equal lengths of the ramp are equal differences.
    pub(super) fn is_straight(&self) -> bool {
        matches!(self.norm.traits().bar, BarCurve::Straight)
    }

    /// The other limit of a symmetric scale.
    pub(super) fn mirrored(&self, limit: f64) -> Option<f64> {
        match self.norm.traits().limits {
            AutoLimits::Around { center, .. } => Some(shifted(center, limit, center)),
            _ => None,
        }
    }

    /// Whether the norm allows these limits.
    pub(super) fn allows(&self, (low, high): (f64, f64)) -> bool {
        low.is_finite() && high.is_finite() && low < high && self.norm.check(low, high).is_ok()
    }

    /// The limits at two shares; `None` if the norm does not allow them.
    pub(super) fn limits(&self, low: f64, high: f64) -> Option<(f64, f64)> {
        let (low, high) = (self.at(low)?, self.at(high)?);
        self.allows((low, high)).then_some((low, high))
    }
}

impl ViewState {
    /// The current limits of a scale.
    pub(super) fn limits(&self, scale: usize, geometry: &WindowGeometry) -> Option<(f64, f64)> {
        let spec = geometry.scales.get(scale)?.spec();
        Some(self.overrides.scales.get(scale)?.limits.unwrap_or((spec.vmin, spec.vmax)))
    }

    /// The ramp of a scale whose limits can be moved; otherwise a message says why not.
    pub(super) fn ramp(&mut self, scale: usize, geometry: &WindowGeometry) -> Option<Ramp> {
        if geometry.coarse {
            // The limits as painted are those of a few cells.
            self.message = Some(format!("limits can be moved {WHEN_READ}"));
            return None;
        }
        let (norm, (mut low, mut high)) = (self.norm(scale, geometry)?, self.limits(scale, geometry)?);
        if matches!(norm.traits().bar, BarCurve::Steps(_) | BarCurve::Shares) {
            self.message = Some(format!("a {} norm has no limits to move", norm.word()));
            return None;
        }
        if low == high {
            // A ramp of a single value gets room on both sides.
            (low, high) = if norm.traits().values == ValueRule::Positive {
                (low / 2.0, low * 2.0)
            } else {
                (low - (low / 2.0).abs().max(0.5), low + (low / 2.0).abs().max(0.5))
            };
        }
        Some(Ramp { norm, low, high })
    }

    /// Sets limits, or with `None` those of the data.
    pub(super) fn set(&mut self, scale: usize, limits: Option<(f64, f64)>) -> Damage {
        let Some(changes) = self.overrides.scales.get_mut(scale) else {
            return Damage::NONE;
        };
        let changed = (changes.limits, changes.auto) != (limits, limits.is_none());
        (changes.limits, changes.auto) = (limits, limits.is_none());
        Damage::COLORS.when(changed)
    }

    /// Sets limits by number; a message says why they are refused.
    pub(super) fn set_limits(
        &mut self,
        scale: usize,
        low: f64,
        high: f64,
        geometry: &WindowGeometry,
    ) -> Damage {
        let Some(norm) = self.norm(scale, geometry) else {
            return Damage::NONE;
        };
        let refused = if low.is_finite() && high.is_finite() && low < high {
            norm.check(low, high).err().map(|e| e.to_string())
        } else {
            Some(format!(
                "limits must be finite and ascending: {} to {}",
                Number::F64(low),
                Number::F64(high)
            ))
        };
        match refused {
            Some(why) => self.say(why),
            None => self.set(scale, Some((low, high))),
        }
    }

    /// Restores the limits of the data.
    pub(super) fn auto_limits(&mut self, scale: usize) -> Damage {
        self.set(scale, None)
    }

    /// Narrows limits about the value under a point of a bar, or about a fixed middle.
    pub(super) fn zoom_limits(
        &mut self,
        scale: usize,
        at: Point,
        factor: f64,
        geometry: &WindowGeometry,
    ) -> Damage {
        let Some(share) = geometry.share_of_limits(scale, at).map(|s| s.clamp(0.0, 1.0)) else {
            return Damage::NONE;
        };
        let Some(ramp) = self.ramp(scale, geometry) else {
            return Damage::NONE;
        };
        let about = if ramp.is_symmetric() { 0.5 } else { share };
        let factor = factor.clamp(1.0 / MOST, MOST);
        let limits = ramp.limits(about - about / factor, about + (1.0 - about) / factor);
        if limits.is_some() && factor != 1.0 { self.set(scale, limits) } else { Damage::NONE }
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{Colors, Command};
    use super::super::test_window::{at, geometry, ramp_x, scale};
    use super::*;

    fn limits(s: &ViewState) -> Option<(f64, f64)> {
        s.overrides.scales[0].limits
    }

    #[test]
    fn limits_by_number_are_checked() {
        let mut w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        let set = |s: &mut ViewState, w: &WindowGeometry, a, b| {
            s.apply(&Command::Colors(Colors::Limits(a, b)), w).damage
        };
        assert_eq!(set(&mut s, &w, 2.0, 8.0), Damage::COLORS);
        assert_eq!((limits(&s), set(&mut s, &w, 2.0, 8.0)), (Some((2.0, 8.0)), Damage::NONE));
        for (a, b) in [(8.0, 2.0), (5.0, 5.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert!(!set(&mut s, &w, a, b).colors);
            assert!(
                s.message.as_ref().is_some_and(|m| m.starts_with("limits must be finite and ascending")),
                "{:?}",
                s.message
            );
        }
        assert_eq!(s.apply(&Command::Colors(Colors::Auto), &w).damage, Damage::COLORS | Damage::OVERLAY);
        assert_eq!((limits(&s), &s.message), (None, &None));
        w.scales = vec![scale(Norm::Log, 1.0, 100.0)];
        let mut s = ViewState::new(&w);
        assert_eq!(set(&mut s, &w, 0.0, 8.0), Damage::OVERLAY);
        assert!(s.message.as_ref().is_some_and(|m| m.contains("a log norm needs positive limits")));
        assert_eq!((set(&mut s, &w, 0.5, 8.0).colors, limits(&s)), (true, Some((0.5, 8.0))));
    }

    #[test]
    fn a_wheel_over_the_bar_keeps_the_value_under_the_pointer() {
        let mut w = geometry(1, 1, 101);
        let x = ramp_x(1) + 5.0;
        let zoom = |y: f64, factor| Command::Zoom { at: at(x, y), factor, alone: false };
        let mut s = ViewState::new(&w);
        // A quarter up the ramp: value 25 of 0 to 100.
        assert_eq!(s.apply(&zoom(200.0, 2.0), &w).damage, Damage::COLORS);
        assert_eq!(limits(&s), Some((12.5, 62.5)));
        s.apply(&zoom(200.0, 0.5), &w);
        assert_eq!(limits(&s), Some((0.0, 100.0)));
        s.apply(&Command::Fit { at: at(x, 200.0), alone: false }, &w);
        assert_eq!((limits(&s), s.apply(&zoom(200.0, 1.0), &w).damage), (None, Damage::NONE));
        w.scales = vec![scale(Norm::Log, 1.0, 10_000.0)];
        let mut s = ViewState::new(&w);
        s.apply(&zoom(150.0, 2.0), &w);
        let (low, high) = limits(&s).unwrap();
        assert!((low - 10.0).abs() < 1e-9 && (high - 1000.0).abs() < 1e-9, "{low} {high}");
        w.scales = vec![scale(Norm::Centered { center: 10.0, half: None }, 0.0, 20.0)];
        let mut s = ViewState::new(&w);
        s.apply(&zoom(51.0, 2.0), &w);
        assert_eq!(limits(&s), Some((5.0, 15.0)));
        w.scales = vec![scale(Norm::Bounds(vec![0.0, 1.0, 9.0]), 0.0, 9.0)];
        let mut s = ViewState::new(&w);
        assert_eq!(s.apply(&zoom(51.0, 2.0), &w).damage, Damage::OVERLAY);
        assert_eq!(s.message.as_deref(), Some("a bounds norm has no limits to move"));
    }

    #[test]
    fn ramps_go_on_beyond_their_ends() {
        let at = |norm: Norm, low, high, share| Ramp { norm, low, high }.at(share);
        assert_eq!(at(Norm::Linear, 0.0, 10.0, -0.5), Some(-5.0));
        assert_eq!(at(Norm::CenterLinear { center: 0.0 }, -2.0, 8.0, 0.5), Some(3.0));
        assert_eq!(at(Norm::TwoSlope { center: 0.0 }, -2.0, 8.0, -0.5), Some(-4.0));
        assert_eq!(
            (at(Norm::Power { gamma: 0.5 }, 0.0, 4.0, -0.5), at(Norm::Power { gamma: 0.5 }, 0.0, 4.0, 2.0)),
            (Some(-2.0), Some(16.0))
        );
        assert_eq!(
            (at(Norm::Log, 1.0, 10.0, 1e6), at(Norm::Quantile(vec![0.0, 1.0]), 0.0, 1.0, 0.5)),
            (None, None)
        );
        assert!(at(Norm::Log, 1.0, 100.0, -0.5).is_some_and(|v| (v - 0.1).abs() < 1e-12));
    }
}

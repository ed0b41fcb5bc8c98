//! Changes of colour limits: by number, by zooms, and by drags on a bar.

use super::super::geometry::{BarPart, WindowGeometry};
use super::{Damage, ViewState, WHEN_READ};
use gridscope_core::geom::{Point, PxRect};
use gridscope_core::grid::Number;
use gridscope_core::scale::{AutoLimits, BarCurve, Norm, ValueRule, roundest_near, shifted};

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
    fn is_symmetric(&self) -> bool {
        matches!(self.norm.traits().limits, AutoLimits::Around { .. })
    }

    /// Whether equal lengths of the ramp are equal differences.
    fn is_straight(&self) -> bool {
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

/// A dragged limit stops at a round number that is at most this many logical pixels away.
const NEAR: f64 = 3.0;
/// The limits stay at least this share of the original ramp apart.
const APART: f64 = 1.0 / 256.0;

/// A drag on a bar. Every move is measured from the limits at its beginning.
#[derive(Clone, Debug)]
pub(super) struct Grip {
    scale: usize,
    part: BarPart,
    from: Point,
    ramp: Ramp,
    length: f64,
    horizontal: bool,
    before: Option<(f64, f64)>,
    /// The share of the ramp within which limits stop at round numbers; 0: they do not.
    reach: f64,
    /// Where the ramp is painted until the drag ends.
    held: Option<PxRect>,
}

impl Grip {
    /// The bar, and where its ramp stays.
    pub(super) fn held(&self) -> Option<(usize, PxRect)> {
        self.held.map(|ramp| (self.scale, ramp))
    }

    /// The ramp does not stay where it was.
    pub(super) fn release_hold(&mut self) {
        self.held = None;
    }

    /// The round number near a share of the ramp that lies between two others; `None` where there is none.
    fn round(&self, share: f64, least: f64, most: f64) -> Option<f64> {
        let (low, high) = ((share - self.reach).max(least), (share + self.reach).min(most));
        let at = |share| self.ramp.at(share);
        roundest_near(at(low)?, at(share)?, at(high)?)
    }

    /// The limits with the dragged part at these shares, moved to round numbers.
    fn rounded(&self, low: f64, high: f64) -> Option<(f64, f64)> {
        let ends = (self.ramp.at(0.0)?, self.ramp.at(1.0)?);
        let limits = match self.part {
            BarPart::Low => {
                let low = self.round(low, f64::NEG_INFINITY, 1.0 - APART)?;
                (low, self.ramp.mirrored(low).unwrap_or(ends.1))
            }
            BarPart::High => {
                let high = self.round(high, APART, f64::INFINITY)?;
                (self.ramp.mirrored(high).unwrap_or(ends.0), high)
            }
            BarPart::Middle => {
                let whole = (f64::NEG_INFINITY, f64::INFINITY);
                let new = self.round(low, whole.0, whole.1)?;
                let other = if self.ramp.is_straight() {
                    shifted(ends.1, ends.0, new)
                } else {
                    self.round(high, whole.0, whole.1)?
                };
                (new, other)
            }
        };
        self.ramp.allows(limits).then_some(limits)
    }
}

impl ViewState {
    /// Begins a drag on a bar.
    pub(super) fn grip(
        &mut self,
        scale: usize,
        at: Point,
        fine: bool,
        geometry: &WindowGeometry,
    ) -> Option<Grip> {
        let bar = geometry.bars.get(scale)?.as_ref()?;
        let (length, horizontal) = (bar.length(), bar.horizontal);
        if length <= 0.0 {
            return None;
        }
        let (unit, held) = (geometry.logical_pixel(), bar.ramp);
        let part = bar.part_at(at, unit);
        let before = self.overrides.scales.get(scale)?.limits;
        Some(Grip {
            scale,
            part,
            from: at,
            ramp: self.ramp(scale, geometry)?,
            length,
            horizontal,
            before,
            reach: if fine { 0.0 } else { NEAR * unit / length },
            held: Some(held),
        })
    }

    /// The dragged part follows the pointer: an end up to the other end, the middle together with both.
    pub(super) fn pull(&mut self, grip: &Grip, to: Point, geometry: &WindowGeometry) -> Damage {
        if !to.is_finite() || grip.scale >= geometry.scales.len() {
            return Damage::NONE;
        }
        let far = if grip.horizontal { to.x - grip.from.x } else { grip.from.y - to.y } / grip.length;
        let centered = grip.ramp.is_symmetric();
        let (low, high) = match grip.part {
            BarPart::Low if centered => (far.min(0.5 - APART), 1.0 - far.min(0.5 - APART)),
            BarPart::High if centered => (-far.max(APART - 0.5), 1.0 + far.max(APART - 0.5)),
            // The middle of a symmetric scale is fixed.
            BarPart::Middle if centered => return Damage::NONE,
            BarPart::Low => (far.min(1.0 - APART), 1.0),
            BarPart::High => (0.0, 1.0 + far.max(APART - 1.0)),
            BarPart::Middle => (far, 1.0 + far),
        };
        if far == 0.0 {
            return self.set(grip.scale, grip.before);
        }
        let round = if grip.reach > 0.0 { grip.rounded(low, high) } else { None };
        let limits = round.or_else(|| grip.ramp.limits(low, high));
        if limits.is_some() { self.set(grip.scale, limits) } else { Damage::NONE }
    }

    /// Restores the limits from before the drag.
    pub(super) fn let_go(&mut self, grip: &Grip) -> Damage {
        self.set(grip.scale, grip.before)
    }

    /// Moves limits with a pan over their bar.
    pub(super) fn shift_limits(&mut self, scale: usize, by: Point, geometry: &WindowGeometry) -> Damage {
        let Some(Some(bar)) = geometry.bars.get(scale) else {
            return Damage::NONE;
        };
        let middle = bar.ramp.rect().center();
        let to = Point { x: middle.x + by.x, y: middle.y + by.y };
        match self.grip(scale, middle, true, geometry) {
            Some(grip) => self.pull(&grip, to, geometry),
            None => Damage::NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Colors, Command, Drag};
    use super::super::test_window::{at, geometry, ramp_x, scale};
    use super::*;
    use crate::geometry::BarAt;

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

    /// The limits after a drag over the bar of 200 pixels from one height above its low end to another.
    fn pulled(w: &WindowGeometry, from: f64, to: f64) -> Option<(f64, f64)> {
        pulled_by(Drag::Limits, w, from, to)
    }

    fn pulled_by(drag: Drag, w: &WindowGeometry, from: f64, to: f64) -> Option<(f64, f64)> {
        let (mut s, x) = (ViewState::new(w), ramp_x(1) + 5.0);
        s.apply(&Command::Begin { drag, at: at(x, 250.0 - from), alone: false }, w);
        s.apply(&Command::Move(at(x, 249.0 - from)), w);
        s.apply(&Command::End(at(x, 250.0 - to)), w);
        s.overrides.scales[0].limits
    }

    #[test]
    fn ends_and_middle_follow_the_pointer() {
        let w = geometry(1, 1, 101);
        assert_eq!(pulled(&w, 10.0, 60.0), Some((25.0, 100.0)));
        assert_eq!(pulled(&w, 49.0, -51.0), Some((-50.0, 100.0)));
        assert_eq!(pulled(&w, 190.0, 140.0), Some((0.0, 75.0)));
        assert_eq!(pulled(&w, 100.0, 150.0), Some((25.0, 125.0)));
        assert_eq!(pulled(&w, 100.0, 100.0), None);
        // An end stops short of the other, at a round number or not.
        assert_eq!(pulled(&w, 10.0, 2000.0), Some((99.0, 100.0)));
        assert_eq!(pulled(&w, 190.0, -2000.0), Some((0.0, 1.0)));
        let apart = 100.0 / 256.0;
        assert_eq!(pulled_by(Drag::Fine, &w, 10.0, 2000.0), Some((100.0 - apart, 100.0)));
        assert_eq!(pulled_by(Drag::Fine, &w, 190.0, -2000.0), Some((0.0, apart)));
        // 12 pixels are 6, and 5 is within three pixels.
        assert_eq!(pulled(&w, 10.0, 22.0), Some((5.0, 100.0)));
        assert_eq!(pulled_by(Drag::Fine, &w, 10.0, 23.0), Some((6.5, 100.0)));
        assert_eq!(pulled(&w, 100.0, 112.0), Some((5.0, 105.0)));
    }

    #[test]
    fn limits_follow_along_their_norm() {
        let mut w = geometry(1, 1, 101);
        w.scales = vec![scale(Norm::Log, 1.0, 10_000.0)];
        let near = |found: Option<(f64, f64)>, low: f64, high: f64| {
            let (a, b) = found.unwrap();
            assert!((a / low - 1.0).abs() < 1e-9 && (b / high - 1.0).abs() < 1e-9, "{a} {b}");
        };
        near(pulled(&w, 10.0, 60.0), 10.0, 10_000.0);
        near(pulled(&w, 10.0, -390.0), 1e-8, 10_000.0);
        near(pulled(&w, 100.0, 150.0), 10.0, 100_000.0);
        w.scales = vec![scale(Norm::Centered { center: 0.0, half: None }, -8.0, 8.0)];
        assert_eq!(
            (pulled(&w, 10.0, 60.0), pulled(&w, 190.0, 240.0), pulled(&w, 100.0, 150.0)),
            (Some((-4.0, 4.0)), Some((-12.0, 12.0)), None)
        );
        w.scales = vec![scale(Norm::TwoSlope { center: 0.0 }, -8.0, 4.0)];
        assert_eq!(
            (pulled(&w, 10.0, 60.0), pulled(&w, 10.0, 150.0).map(|l| l.0 < 0.0)),
            (Some((-4.0, 4.0)), Some(true))
        );
        w.scales = vec![scale(Norm::Linear, 5.0, 5.0)];
        assert_eq!(pulled(&w, 190.0, 290.0), Some((2.5, 10.0)));
    }

    #[test]
    fn a_drag_counts_from_its_begin_and_can_be_given_up() {
        let mut w = geometry(1, 1, 101);
        let (mut s, x) = (ViewState::new(&w), ramp_x(1) + 5.0);
        s.overrides.scales[0].limits = Some((20.0, 80.0));
        // A left drag on a bar is one of its limits.
        assert_eq!(
            s.apply(&Command::Begin { drag: Drag::Pan, at: at(x, 240.0), alone: false }, &w).damage,
            Damage::NONE
        );
        for y in [230.0, 100.0, 190.0] {
            s.apply(&Command::Move(at(x, y)), &w);
            let (low, high) = s.overrides.scales[0].limits.unwrap();
            w.scales = vec![scale(Norm::Linear, low, high)];
        }
        assert_eq!(s.overrides.scales[0].limits, Some((35.0, 80.0)));
        assert_eq!(s.apply(&Command::Do(Action::Cancel), &w).damage, Damage::COLORS);
        assert_eq!(s.overrides.scales[0].limits, Some((20.0, 80.0)));
    }

    #[test]
    fn short_and_lying_bars_have_ends_too() {
        let mut w = geometry(1, 1, 101);
        let bar = |w: u32| BarAt { ramp: PxRect { x: 100, y: 400, w, h: 10 }, horizontal: true };
        let drag = |w: &WindowGeometry, from: f64, to: f64| {
            let mut s = ViewState::new(w);
            s.apply(&Command::Begin { drag: Drag::Limits, at: at(from, 405.0), alone: false }, w);
            s.apply(&Command::End(at(to, 405.0)), w);
            s.overrides.scales[0].limits
        };
        w.bars = vec![Some(bar(400))];
        assert_eq!(
            (drag(&w, 110.0, 210.0), drag(&w, 490.0, 290.0)),
            (Some((25.0, 100.0)), Some((0.0, 50.0)))
        );
        w.bars = vec![Some(bar(40))];
        // A quarter would be 10 pixels: 12 are held.
        assert_eq!(
            (drag(&w, 111.0, 121.0), drag(&w, 113.0, 123.0)),
            (Some((20.0, 100.0)), Some((20.0, 120.0))),
            "three pixels are 7.5"
        );
        w.bars = vec![Some(bar(400))];
        let mut s = ViewState::new(&w);
        s.apply(&Command::Pan { at: at(300.0, 405.0), by: at(50.0, 7.0), alone: false }, &w);
        assert_eq!(s.overrides.scales[0].limits, Some((12.5, 112.5)));
    }
}

//! Drags over a distribution: they move limits of its scale, and thresholds beyond which values are hidden.

use super::super::geometry::{DistributionAt, DistributionPart, ValueAxis, WindowGeometry};
use super::{Damage, ViewState};
use gridscope_core::geom::Point;
use gridscope_core::scale::AutoLimits;
use gridscope_draw::resolve::ScaleOverrides;

/// A drag over a distribution. Every move is measured from its beginning, on the axis as it was then.
#[derive(Clone, Debug)]
pub(super) struct DistributionGrip {
    at: DistributionAt,
    part: DistributionPart,
    /// Where the part was taken hold of.
    from: f64,
    before: ScaleOverrides,
}

impl DistributionGrip {
    /// The axis on which it is measured.
    pub(super) fn axis(&self) -> ValueAxis {
        self.at.axis.clone()
    }
}

impl ViewState {
    /// Shows the distribution of a scale, or hides it.
    pub(super) fn toggle_distribution(&mut self, geometry: &WindowGeometry) -> Damage {
        let scale = self.scale_meant(geometry);
        self.distribution = match self.distribution {
            None if scale < geometry.scales.len() => Some(scale),
            _ => None,
        };
        if self.distribution.is_some_and(|s| geometry.place_distribution(s, None).is_none()) {
            self.message = Some("no histogram: the window is too small, or there is no value".to_owned());
        }
        Damage::OVERLAY | Damage::LAYOUT.when(geometry.gives_room())
    }

    /// Begins a drag over the distribution.
    pub(super) fn grip_distribution(
        &mut self,
        at: Point,
        geometry: &WindowGeometry,
    ) -> Option<DistributionGrip> {
        let d = geometry.distribution.as_ref()?;
        let part = d.part_at(at, geometry.logical_pixel())?;
        let moves_limits = !matches!(part, DistributionPart::HideBelow | DistributionPart::HideAbove);
        if moves_limits {
            // It says why where the limits cannot be moved.
            self.ramp(d.scale, geometry)?;
        }
        let (_, low, high) = d.axis.parts();
        let [below, above] = [d.hidden[0].unwrap_or(low), d.hidden[1].unwrap_or(high)];
        let handle = match part {
            DistributionPart::Both => at.x,
            DistributionPart::Low => d.x(d.limits.0),
            DistributionPart::High => d.x(d.limits.1),
            DistributionPart::HideBelow => d.x(below),
            DistributionPart::HideAbove => d.x(above),
        };
        // A press beside a handle calls it.
        let near = 8.0 * geometry.logical_pixel();
        Some(DistributionGrip {
            from: if (at.x - handle).abs() <= near { at.x } else { handle },
            before: self.overrides.scales.get(d.scale)?.clone(),
            at: d.clone(),
            part,
        })
    }

    /// The dragged part follows the pointer.
    pub(super) fn pull_distribution(
        &mut self,
        grip: &DistributionGrip,
        to: Point,
        geometry: &WindowGeometry,
    ) -> Damage {
        let d = &grip.at;
        let Some(norm) = self.norm(d.scale, geometry).filter(|_| to.is_finite()) else {
            return Damage::NONE;
        };
        let by = (to.x - grip.from) / d.bars.w.max(1.0);
        let moved = |v: f64| snapped(d, d.axis.share(v) + by);
        let (_, first, last) = d.axis.parts();
        let (low, high) = d.limits;
        let center = match norm.traits().limits {
            AutoLimits::Around { center, .. } => Some(center),
            _ => None,
        };
        let limits = match (grip.part, center) {
            (DistributionPart::Low, Some(c)) => (moved(low), 2.0 * c - moved(low)),
            (DistributionPart::High, Some(c)) => (2.0 * c - moved(high), moved(high)),
            // The middle of a symmetric scale is fixed.
            (DistributionPart::Both, Some(_)) => return Damage::NONE,
            (DistributionPart::Low, None) => (moved(low), high),
            (DistributionPart::High, None) => (low, moved(high)),
            (DistributionPart::Both, None) => (moved(low), moved(high)),
            (DistributionPart::HideBelow, _) => {
                let share = d.axis.share(d.hidden[0].unwrap_or(first)) + by;
                let below = (share > 0.0).then(|| snapped(d, share.min(1.0)));
                return self.hide(d.scale, [below, d.hidden[1]], geometry);
            }
            (DistributionPart::HideAbove, _) => {
                let share = d.axis.share(d.hidden[1].unwrap_or(last)) + by;
                let above = (share < 1.0).then(|| snapped(d, share.max(0.0)));
                return self.hide(d.scale, [d.hidden[0], above], geometry);
            }
        };
        let allowed = limits.0 < limits.1 && norm.check(limits.0, limits.1).is_ok();
        if !allowed {
            return Damage::NONE;
        }
        if by == 0.0 {
            return self.restore_scale(grip);
        }
        self.set(d.scale, Some(limits))
    }

    /// Restores the scale from before the drag.
    pub(super) fn restore_scale(&mut self, grip: &DistributionGrip) -> Damage {
        match self.overrides.scales.get_mut(grip.at.scale) {
            Some(now) if *now != grip.before => {
                now.clone_from(&grip.before);
                Damage::LAYOUT
            }
            _ => Damage::NONE,
        }
    }
}

/// The value at a share of the axis, with as many digits as a step of a pixel changes.
fn snapped(d: &DistributionAt, share: f64) -> f64 {
    let v = d.axis.value(share);
    let step = (d.axis.value(share + 1.0 / d.bars.w.max(1.0)) - v).abs();
    if !(step.is_normal() && v.is_finite()) {
        return v;
    }
    let digits = (-step.log10().floor()).clamp(-300.0, 300.0) as i32;
    let text = if digits > 0 {
        format!("{v:.*}", digits as usize)
    } else {
        let unit = 10f64.powi(-digits);
        format!("{}", (v / unit).round() * unit)
    };
    text.parse().ok().filter(|r: &f64| r.is_finite()).unwrap_or(v)
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Colors, Command, Drag};
    use super::super::test_window::{at, geometry, of, scale};
    use super::*;
    use gridscope_core::scale::Norm;

    /// A window of values from 0 to 100 with the distribution of its scale.
    fn window() -> (WindowGeometry, ViewState) {
        let mut w = geometry(1, 1, 101);
        let mut s = ViewState::new(&w);
        s.apply(&Command::Do(Action::Distribution), &w);
        w.distribution = w.place_distribution(s.distribution.unwrap(), None);
        (w, s)
    }

    fn drag(s: &mut ViewState, w: &WindowGeometry, from: (f64, f64), to: f64) {
        let begin = Command::Begin { drag: Drag::Limits, at: at(from.0, from.1), alone: false };
        s.apply(&begin, w);
        s.apply(&Command::End(at(to, from.1)), w);
    }

    #[test]
    fn limits_and_thresholds_follow_the_pointer() {
        let (w, mut s) = window();
        let d = w.distribution.clone().unwrap();
        let (middle, track) = (d.bars.center().y, d.strip.bottom() + 3.0);
        drag(&mut s, &w, (d.x(0.0) + 2.0, middle), d.x(25.0) + 2.0);
        assert_eq!(s.overrides.scales[0].limits, Some((25.0, 100.0)));
        let (mut w, mut s) = window();
        drag(&mut s, &w, (d.x(0.0), track), d.x(40.0));
        assert_eq!(s.overrides.scales[0].hide, Some([Some(40.0), None]));
        drag(&mut s, &w, (d.x(100.0), track), d.x(60.0));
        // The first one is not painted yet: it is that of the state.
        assert_eq!(s.overrides.scales[0].hide, Some([None, Some(60.0)]));
        w.distribution.as_mut().unwrap().hidden = [Some(40.0), Some(60.0)];
        drag(&mut s, &w, (d.x(40.0), track), d.x(0.0) - 30.0);
        assert_eq!(s.overrides.scales[0].hide, Some([None, Some(60.0)]));
        // A press beside a limit calls it; the low one does not pass the high one.
        w.distribution.as_mut().unwrap().limits = (20.0, 30.0);
        w.scales = vec![scale(Norm::Linear, 20.0, 30.0)];
        drag(&mut s, &w, (d.x(80.0), middle), d.x(70.0));
        assert_eq!(s.overrides.scales[0].limits, Some((20.0, 70.0)));
        drag(&mut s, &w, (d.x(20.0), middle), d.x(90.0));
        assert_eq!(s.overrides.scales[0].limits, Some((20.0, 70.0)));
        drag(&mut s, &w, (d.x(25.0), middle), d.x(35.0));
        assert_eq!(s.overrides.scales[0].limits, Some((30.0, 40.0)));
    }

    #[test]
    fn a_drag_is_given_up_as_a_whole_and_a_double_click_restores() {
        let (w, mut s) = window();
        let d = w.distribution.clone().unwrap();
        s.apply(&Command::Colors(Colors::Limits(10.0, 90.0)), &w);
        let before = s.overrides.clone();
        for y in [d.bars.center().y, d.strip.bottom() + 3.0] {
            let begin = Command::Begin { drag: Drag::Limits, at: at(d.x(0.0), y), alone: false };
            s.apply(&begin, &w);
            s.apply(&Command::Move(at(d.x(50.0), y)), &w);
            assert!(s.overrides != before && s.held_axis() == Some(d.axis.clone()));
            s.apply(&Command::Do(Action::Cancel), &w);
            assert_eq!((&s.overrides, s.held_axis()), (&before, None));
        }
        s.apply(&Command::Colors(Colors::HideBelow(3.0)), &w);
        let fit = |y: f64| Command::Fit { at: at(d.x(50.0), y), alone: false };
        s.apply(&fit(d.strip.bottom() + 3.0), &w);
        assert_eq!(s.overrides.scales[0].hide, Some([None; 2]));
        s.apply(&fit(d.bars.center().y), &w);
        assert_eq!((s.overrides.scales[0].limits, s.overrides.scales[0].auto), (None, true));
    }

    #[test]
    fn a_window_without_scales_has_none() {
        let mut w = of(0, Vec::new());
        w.scales.clear();
        let mut s = ViewState::new(&w);
        s.apply(&Command::Do(Action::Distribution), &w);
        assert_eq!(s.distribution, None);
    }
}

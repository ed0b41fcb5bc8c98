//! Values that a scale hides, below or above a threshold.

use super::super::geometry::WindowGeometry;
use super::{Damage, ViewState};
use gridscope_core::grid::Number;

impl ViewState {
    /// The thresholds below and above which a scale hides values.
    pub(super) fn hidden(&self, scale: usize, geometry: &WindowGeometry) -> [Option<f64>; 2] {
        let painted = || geometry.scales.get(scale)?.spec().hide.map(|h| [h.below, h.above]);
        let chosen = self.overrides.scales.get(scale).and_then(|s| s.hide);
        chosen.or_else(painted).unwrap_or_default()
    }

    /// Hides values below the first and above the second threshold; the key of the figure says so.
    pub(super) fn hide(
        &mut self,
        scale: usize,
        thresholds: [Option<f64>; 2],
        geometry: &WindowGeometry,
    ) -> Damage {
        if self.hidden(scale, geometry) == thresholds {
            return Damage::NONE;
        }
        let Some(changes) = self.overrides.scales.get_mut(scale) else {
            return Damage::NONE;
        };
        changes.hide = Some(thresholds);
        Damage::LAYOUT
    }

    /// Hides values below or above a number; a message says why it is refused.
    pub(super) fn hide_beyond(
        &mut self,
        scale: usize,
        v: f64,
        above: bool,
        geometry: &WindowGeometry,
    ) -> Damage {
        if !v.is_finite() {
            return self.say(format!("a threshold is a finite number, not {}", Number::F64(v)));
        }
        let mut thresholds = self.hidden(scale, geometry);
        thresholds[usize::from(above)] = Some(v);
        self.hide(scale, thresholds, geometry)
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{Colors, Command};
    use super::super::test_window::geometry;
    use super::*;

    #[test]
    fn thresholds_are_set_one_by_one_and_taken_away_together() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        let mut run = |c: Colors| {
            let damage = s.apply(&Command::Colors(c), &w).damage;
            (s.overrides.scales[0].hide, damage.layout)
        };
        assert_eq!(run(Colors::HideNone), (None, false));
        assert_eq!(run(Colors::HideBelow(2.5)), (Some([Some(2.5), None]), true));
        assert_eq!(run(Colors::HideBelow(2.5)), (Some([Some(2.5), None]), false));
        assert_eq!(run(Colors::HideAbove(9.0)), (Some([Some(2.5), Some(9.0)]), true));
        assert_eq!(run(Colors::HideAbove(f64::NAN)), (Some([Some(2.5), Some(9.0)]), false));
        assert_eq!(run(Colors::HideNone), (Some([None; 2]), true));
    }
}

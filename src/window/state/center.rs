//! Changes of the value at the middle of the map.

use super::super::geometry::WindowGeometry;
use super::{Damage, ViewState};
use gridscope_core::grid::Number;
use gridscope_core::scale::{AutoLimits, Colormap};

/// The map of a scale that gets a centre, unless the figure or a person chose one.
const DIVERGING: &str = "RdBu_r";
/// The map of a scale without a centre, unless one is chosen.
const PLAIN: &str = "viridis";

impl ViewState {
    /// Sets the value at the middle of the map, or with `None` restores the figure's own.
    pub(super) fn set_center(
        &mut self,
        scale: usize,
        center: Option<f64>,
        geometry: &WindowGeometry,
    ) -> Damage {
        let Some(before) = self.overrides.scales.get(scale).cloned() else {
            return Damage::NONE;
        };
        if before.center == center {
            return Damage::NONE;
        }
        self.overrides.scales[scale].center = center;
        let norm = self.norm(scale, geometry);
        let why = norm.as_ref().and_then(|norm| self.unfit(scale, norm, geometry));
        let (Some(norm), None) = (norm, &why) else {
            self.overrides.scales[scale] = before;
            return why.map_or(Damage::NONE, |why| self.say(why));
        };
        // A drag of limits follows the norm that it began with.
        self.release_bar();
        let is_plain = self.own.get(scale).is_some_and(|own| own.map == PLAIN);
        let changes = &mut self.overrides.scales[scale];
        let given = matches!(norm.traits().limits, AutoLimits::Given(..));
        changes.limits = changes.limits.filter(|l| !given && norm.check(l.0, l.1).is_ok());
        let chosen = changes.colormap.as_ref().map(|map| map.name.as_str());
        match (center, chosen) {
            (Some(_), None) if is_plain => changes.colormap = Colormap::named(DIVERGING).ok(),
            (None, Some(DIVERGING)) if is_plain => changes.colormap = None,
            _ => {}
        }
        let said = match center {
            Some(center) => format!("centre: {}", Number::F64(center)),
            None => "centre: the figure's".to_owned(),
        };
        Damage::COLORS | self.say(said)
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{Colors, Command};
    use super::super::test_window::{geometry, run, scale};
    use super::*;
    use gridscope_core::scale::Norm;

    #[test]
    fn a_centre_brings_a_diverging_map_and_goes_again() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        let own = s.overrides.clone();
        assert!(run(&mut s, &w, &Command::Colors(Colors::Center(Some(40.0)))).colors);
        let changes = &s.overrides.scales[0];
        let map = changes.colormap.as_ref().map(|m| m.name.clone());
        assert_eq!((changes.center, map.as_deref()), (Some(40.0), Some("RdBu_r")));
        assert_eq!(s.norm(0, &w), Some(Norm::CenterLinear { center: 40.0 }));
        // The figure's own map is one that was chosen now.
        run(&mut s, &w, &Command::Colors(Colors::Map("viridis".to_owned())));
        assert!(s.overrides.scales[0].colormap.is_some());
        run(&mut s, &w, &Command::Colors(Colors::Map("RdBu_r".to_owned())));
        run(&mut s, &w, &Command::Colors(Colors::Norm("twoslope".to_owned())));
        assert_eq!(s.norm(0, &w), Some(Norm::TwoSlope { center: 40.0 }));
        // All values are above 0, so two slopes about it have nothing to show.
        run(&mut s, &w, &Command::Colors(Colors::Center(Some(-5.0))));
        assert_eq!(s.overrides.scales[0].center, Some(40.0));
        assert!(s.message.as_ref().is_some_and(|m| m.contains("both sides")), "{:?}", s.message);
        run(&mut s, &w, &Command::Colors(Colors::Norm("linear".to_owned())));
        run(&mut s, &w, &Command::Colors(Colors::Center(None)));
        s.overrides.scales[0].norm = None;
        assert_eq!(s.overrides, own);
    }

    #[test]
    fn a_map_that_was_chosen_stays() {
        let mut w = geometry(1, 10, 10);
        w.scales = vec![scale(Norm::Linear, 0.0, 99.0)];
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Colors(Colors::Map("magma".to_owned())));
        run(&mut s, &w, &Command::Colors(Colors::Center(Some(1.0))));
        let map = s.overrides.scales[0].colormap.as_ref().map(|m| m.name.clone());
        assert_eq!(map.as_deref(), Some("magma"));
    }
}

//! Changes of a scale: its norm, the value at its middle, and values that it hides.

use super::super::geometry::WindowGeometry;
use super::{Damage, ViewState};
use gridscope_core::grid::Number;
use gridscope_core::lint::hinted;
use gridscope_core::scale::{AutoLimits, Colormap, Norm, NormSpec, ValueRule, alternatives};

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

/// The word for a norm as users write it: its text without the numbers.
fn word(norm: &Norm) -> String {
    let text = norm.to_string();
    text.split(':').next().unwrap_or_default().to_owned()
}

impl ViewState {
    /// The current norm of a scale; a quantile norm with its breakpoints as painted.
    pub(super) fn norm(&self, scale: usize, geometry: &WindowGeometry) -> Option<Norm> {
        let own = self.own_norm(scale)?;
        let Some(chosen) = &self.overrides.scales.get(scale)?.norm else {
            return Some(own);
        };
        let painted = || geometry.scales.get(scale).map(|s| s.spec().norm.clone());
        chosen.about(own.traits().center).or_else(painted)
    }

    /// The figure's own norm of a scale, about the centre that was chosen.
    pub(crate) fn own_norm(&self, scale: usize) -> Option<Norm> {
        let own = &self.own.get(scale)?.norm;
        let center = self.overrides.scales.get(scale)?.center;
        let about = center.and_then(|_| NormSpec::from(own).about(center));
        // A quantile norm keeps its breakpoints.
        let about = about.filter(|norm| !matches!(norm, Norm::Quantile(_)));
        Some(about.unwrap_or_else(|| own.clone()))
    }

    /// Least and greatest finite value of the panels of a scale, and the least value that is known to be
    /// positive.
    fn range(scale: usize, geometry: &WindowGeometry) -> (Option<(f64, f64)>, Option<f64>) {
        let members =
            geometry.scale_of.iter().zip(geometry.stats.iter()).filter(|(s, _)| **s == scale).map(|(_, s)| s);
        members.fold((None, None), |(range, positive): (Option<(f64, f64)>, Option<f64>), s| {
            let range = match (range, s.range()) {
                (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                (a, b) => a.or(b),
            };
            (range, [positive, s.least_positive].into_iter().flatten().reduce(f64::min))
        })
    }

    /// Why a norm cannot show the values of a scale, if it cannot.
    fn unfit(&self, scale: usize, norm: &Norm, geometry: &WindowGeometry) -> Option<String> {
        let (range, positive) = Self::range(scale, geometry);
        let limits = self.limits(scale, geometry)?;
        match norm.traits().values {
            ValueRule::Any => None,
            ValueRule::Positive => {
                let most = range.map_or(0.0, |r| r.1);
                let low = if limits.0 > 0.0 { limits.0 } else { positive.unwrap_or(f64::MIN_POSITIVE) };
                let high = if limits.1 > 0.0 { limits.1 } else { most };
                (most <= 0.0 || low > high)
                    .then(|| format!("nothing is positive, so a {} norm has nothing to show", norm.word()))
            }
            ValueRule::BothSides(center) => {
                let (least, most) = range.unwrap_or(limits);
                // Limits that do not suit the norm are dropped when it is chosen.
                let limits = if norm.check(limits.0, limits.1).is_ok() { limits } else { (least, most) };
                norm.check(limits.0.max(least), limits.1.min(most)).err().map(|_| {
                    format!(
                        "a {} norm needs values on both sides of its centre, {}",
                        norm.word(),
                        Number::F64(center)
                    )
                })
            }
        }
    }

    /// The norms that follow each other, the figure's own (`None`) first.
    fn norms(&self, scale: usize, geometry: &WindowGeometry) -> Vec<Option<Norm>> {
        let Some(own) = self.own_norm(scale) else {
            return Vec::new();
        };
        let offered = alternatives(&own, Self::range(scale, geometry).0);
        let fits = offered.into_iter().filter(|norm| self.unfit(scale, norm, geometry).is_none());
        [None].into_iter().chain(fits.map(Some)).collect()
    }

    /// Goes to the next norm that the values allow.
    pub(super) fn next_norm(&mut self, scale: usize, geometry: &WindowGeometry) -> Damage {
        let list = self.norms(scale, geometry);
        let Some(changes) = self.overrides.scales.get(scale) else {
            return Damage::NONE;
        };
        let word = |norm: &Option<Norm>| norm.as_ref().map(word);
        let now = word(&changes.norm);
        let at = list.iter().position(|n| word(n) == now).unwrap_or(0);
        match list.get((at + 1) % list.len().max(1)) {
            Some(next) => self.set_norm(scale, next.clone(), geometry),
            None => Damage::NONE,
        }
    }

    /// Sets a norm by its text.
    pub(super) fn name_norm(&mut self, scale: usize, text: &str, geometry: &WindowGeometry) -> Damage {
        let Some(own) = self.own_norm(scale) else {
            return Damage::NONE;
        };
        let norm = match text.parse::<NormSpec>() {
            Ok(spec) => spec.about(own.traits().center),
            Err(why) => return self.say(why.to_string()),
        };
        let Some(norm) = norm else {
            return self.say(hinted(&format!("a {text} norm needs a centre"), "--center 0"));
        };
        match self.unfit(scale, &norm, geometry) {
            Some(why) => self.say(why),
            None => self.set_norm(scale, Some(norm), geometry),
        }
    }

    /// Sets a norm, or with `None` the figure's own. Limits set by hand that do not suit it are dropped.
    fn set_norm(&mut self, scale: usize, chosen: Option<Norm>, geometry: &WindowGeometry) -> Damage {
        let changes = &mut self.overrides.scales[scale];
        if changes.norm == chosen {
            return Damage::NONE;
        }
        let said = chosen.as_ref().map(Norm::to_string);
        changes.norm = chosen;
        // A drag of limits follows the norm that it began with.
        self.release_bar();
        let Some(norm) = self.norm(scale, geometry) else {
            return Damage::COLORS;
        };
        let changes = &mut self.overrides.scales[scale];
        let given = matches!(norm.traits().limits, AutoLimits::Given(..));
        let suits = |l: &(f64, f64)| !given && norm.check(l.0, l.1).is_ok();
        changes.limits = changes.limits.filter(suits);
        let said = said.unwrap_or_else(|| word(&norm));
        Damage::COLORS | self.say(format!("norm: {said}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{Colors, Command};
    use super::super::test_window::{geometry, of, run, scale};
    use super::*;
    use gridscope_core::figure::Figure;
    use gridscope_core::grid::Grid;
    use gridscope_draw::resolve::bare_scale;
    use std::sync::Arc;

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

    fn chosen(s: &ViewState) -> Option<String> {
        s.overrides.scales[0].norm.as_ref().map(Norm::to_string)
    }

    /// The norms of a whole cycle, the figure's own as `-`.
    fn cycle(w: &WindowGeometry) -> Vec<String> {
        let mut s = ViewState::new(w);
        let mut out = Vec::new();
        for _ in 0..8 {
            s.apply(&Command::Colors(Colors::NextNorm), w);
            out.push(chosen(&s).unwrap_or("-".to_owned()));
            if s.overrides.scales[0].norm.is_none() {
                break;
            }
        }
        out
    }

    fn row(values: &[f64]) -> WindowGeometry {
        of(1, vec![Grid::from_rows(1, values.len(), values.to_vec()).unwrap()])
    }

    #[test]
    fn norms_that_the_values_allow_follow_each_other() {
        assert_eq!(cycle(&geometry(1, 1, 101)), ["log", "symlog:1", "quantile", "-"]);
        assert_eq!(cycle(&row(&[-0.5, 0.25])), ["log", "symlog:0.001", "quantile", "-"]);
        assert_eq!(cycle(&row(&[-3.0, 0.0])), ["symlog:0.01", "quantile", "-"]);
        assert_eq!(cycle(&row(&[f64::NAN])), ["quantile", "-"]);
        let own =
            |norm, low, high| WindowGeometry { scales: vec![scale(norm, low, high)], ..geometry(1, 1, 101) };
        assert_eq!(cycle(&own(Norm::Log, 1.0, 100.0)), ["symlog:1", "quantile", "linear", "-"]);
        assert_eq!(
            cycle(&own(Norm::Power { gamma: 2.0 }, 0.0, 100.0)),
            ["linear", "log", "symlog:1", "quantile", "-"]
        );
        assert_eq!(cycle(&own(Norm::CenterLinear { center: 5.0 }, 0.0, 100.0)), ["twoslope", "-"]);
        assert_eq!(cycle(&own(Norm::TwoSlope { center: 5.0 }, 0.0, 100.0)), ["linear", "-"]);
        assert_eq!(cycle(&own(Norm::CenterLinear { center: 500.0 }, 0.0, 100.0)), ["-"]);
    }

    #[test]
    fn a_norm_by_name_is_checked_and_drops_limits_that_do_not_suit() {
        let w = geometry(1, 1, 101);
        let mut s = ViewState::new(&w);
        let norm =
            |s: &mut ViewState, t: &str| s.apply(&Command::Colors(Colors::Norm(t.to_owned())), &w).damage;
        s.apply(&Command::Colors(Colors::Limits(0.0, 50.0)), &w);
        assert_eq!(norm(&mut s, "power:2"), Damage::COLORS | Damage::OVERLAY);
        assert_eq!(
            (s.overrides.scales[0].limits, s.message.as_deref()),
            (Some((0.0, 50.0)), Some("norm: power:2"))
        );
        norm(&mut s, "log");
        assert_eq!((s.overrides.scales[0].limits, chosen(&s).as_deref()), (None, Some("log")));
        assert_eq!(norm(&mut s, "twoslope"), Damage::OVERLAY);
        assert_eq!(chosen(&s).as_deref(), Some("log"));
        assert!(s.message.as_ref().is_some_and(|m| m.contains("needs a centre")));
        let dark = row(&[-3.0, -1.0]);
        let mut s = ViewState::new(&dark);
        assert_eq!(s.apply(&Command::Colors(Colors::Norm("log".to_owned())), &dark).damage, Damage::OVERLAY);
        assert_eq!(s.message.as_deref(), Some("nothing is positive, so a log norm has nothing to show"));
    }

    #[test]
    fn what_is_offered_is_never_refused() {
        let figures = [
            (None, None, None, None),
            (None, None, Some(0.0), Some(1.0)),
            (None, None, Some(-2.0), None),
            (Some("log"), None, None, Some(5.0)),
            (Some("centered"), None, Some(-1.0), None),
            (Some("twoslope"), Some(0.5), None, None),
            (None, Some(0.0), Some(-1.0), Some(4.0)),
            (None, Some(0.0), Some(1.0), Some(4.0)),
            (Some("power:0.5"), None, None, Some(-0.1)),
        ];
        let data: [&[f64]; 6] = [
            &[1.0, 2.0, 50.0],
            &[-1.0, 0.0, 7.0],
            &[-3.0, -1.0],
            &[0.0, 0.0],
            &[1e-300, 1e300],
            &[f64::NAN, f64::INFINITY],
        ];
        let mut drawn = 0;
        for (norm, center, vmin, vmax) in figures {
            for values in data {
                let mut w = row(values);
                let mut figure = Figure::default();
                (figure.color.norm, figure.color.center) = (norm.map(|n| n.parse().unwrap()), center);
                (figure.color.vmin, figure.color.vmax) = (vmin, vmax);
                let resolved = |f: &Figure, w: &WindowGeometry| {
                    bare_scale(f, &w.grids[0], &w.stats[0], None, None).map(|s| Arc::new(s.0))
                };
                // A figure that is refused anyway cannot be tested.
                let Ok(own) = resolved(&figure, &w) else { continue };
                w.scales = vec![own];
                let mut s = ViewState::new(&w);
                for limits in [None, Some((-0.5, 0.75)), None, Some((2.0, 3.0)), None, None, None] {
                    if let Some((low, high)) = limits {
                        s.apply(&Command::Colors(Colors::Limits(low, high)), &w);
                    }
                    s.apply(&Command::Colors(Colors::NextNorm), &w);
                    let mut shown = figure.clone();
                    s.overrides.apply_to(&mut shown, &[(String::new(), 0)]);
                    match resolved(&shown, &w) {
                        Ok(scale) => w.scales = vec![scale],
                        Err(e) => {
                            panic!("{e}: {:?} of {:?} over {values:?}", s.overrides.scales, figure.color)
                        }
                    }
                    drawn += 1;
                }
            }
        }
        assert!(drawn > 200, "{drawn}");
    }
}

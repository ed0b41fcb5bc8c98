//! Changes of a scale's colormap: the next one, one by name, reversed.

use super::super::geometry::WindowGeometry;
use super::{Damage, ViewState};
use gridscope_core::notation::ParseError;
use gridscope_core::scale::{Colormap, Norm, ScaleSpec};

/// Sequential maps, common ones first.
const SEQUENTIAL: &[&str] = &[
    "viridis", "plasma", "inferno", "magma", "cividis", "rocket", "mako", "turbo", "YlGnBu", "YlOrRd",
    "Blues", "Greens", "Purples", "Greys",
];
/// Diverging maps, in the direction from cold to warm where they have one.
const DIVERGING: &[&str] = &[
    "RdBu_r",
    "coolwarm",
    "vlag",
    "icefire",
    "seismic",
    "RdYlBu_r",
    "Spectral_r",
    "PuOr_r",
    "PRGn",
    "PiYG",
    "BrBG",
];

/// The figure's own map and norm of a scale.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Own {
    /// The map.
    pub map: String,
    /// The norm.
    pub norm: Norm,
}

impl Own {
    /// The map and norm of an unchanged scale.
    pub(super) fn of(spec: &ScaleSpec) -> Self {
        Self { map: spec.map.name.clone(), norm: spec.norm.clone() }
    }
}

/// The name of the same map reversed.
fn inverted(name: &str) -> String {
    if name.contains(',') {
        return name.split(',').rev().collect::<Vec<_>>().join(",");
    }
    name.strip_suffix("_r").map_or_else(|| format!("{name}_r"), str::to_owned)
}

/// The map `by` places after another in a list; a reversed map leads to a reversed map.
fn turned(now: &str, list: &[String], by: i32) -> String {
    let other = inverted(now);
    let (at, against) = match list.iter().position(|m| m == now) {
        Some(i) => (i, false),
        None => (list.iter().position(|m| *m == other).unwrap_or(0), true),
    };
    let next = (at as i64 + i64::from(by)).rem_euclid(list.len() as i64) as usize;
    if against { inverted(&list[next]) } else { list[next].clone() }
}

impl ViewState {
    /// The current map of a scale.
    pub(super) fn map(&self, scale: usize) -> Option<&str> {
        let own = self.own.get(scale)?;
        let chosen = self.overrides.scales.get(scale)?.colormap.as_ref();
        Some(chosen.map_or(own.map.as_str(), |map| &map.name))
    }

    fn set_map(&mut self, scale: usize, map: Colormap) -> Damage {
        if self.map(scale).is_none_or(|now| now == map.name) {
            return Damage::NONE;
        }
        let said = format!("map: {}", map.name);
        // About another centre the figure's automatic map is another one.
        let is_own = self.own[scale].map == map.name && self.overrides.scales[scale].center.is_none();
        self.overrides.scales[scale].colormap = (!is_own).then_some(map);
        Damage::COLORS | self.say(said)
    }

    /// Goes `by` places on in the list of maps, which begins with the figure's own if it lacks that.
    pub(super) fn turn_map(&mut self, scale: usize, by: i32, geometry: &WindowGeometry) -> Damage {
        let (Some(now), Some(norm)) = (self.map(scale), self.norm(scale, geometry)) else {
            return Damage::NONE;
        };
        let centred = norm.traits().center.is_some();
        let mut list: Vec<String> =
            if centred { DIVERGING } else { SEQUENTIAL }.iter().map(|m| (*m).to_owned()).collect();
        for first in [self.own[scale].map.as_str(), now] {
            if !list.iter().any(|m| *m == first || *m == inverted(first)) {
                let plain = !first.contains(',') && first.ends_with("_r");
                list.insert(0, if plain { inverted(first) } else { first.to_owned() });
            }
        }
        let next = turned(now, &list, by);
        self.name_map(scale, &next)
    }

    /// A map by name, or a list of colours.
    pub(super) fn name_map(&mut self, scale: usize, name: &str) -> Damage {
        match name.trim().parse() {
            Ok(map) => self.set_map(scale, map),
            Err(why) => self.say(ParseError::to_string(&why)),
        }
    }

    /// Reverses the map.
    pub(super) fn invert_map(&mut self, scale: usize) -> Damage {
        let Some(name) = self.map(scale).map(inverted) else {
            return Damage::NONE;
        };
        self.name_map(scale, &name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{Colors, Command};
    use super::super::test_window::{at, geometry, ramp_x, scale};
    use super::*;

    fn color(s: &mut ViewState, w: &WindowGeometry, c: Colors) -> Option<String> {
        s.apply(&Command::Colors(c), w);
        shown(s)
    }

    fn shown(s: &ViewState) -> Option<String> {
        let chosen = s.overrides.scales[0].colormap.as_ref();
        chosen.map(|map| map.name.clone())
    }

    fn some(name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    #[test]
    fn every_map_of_the_lists_exists() {
        for name in SEQUENTIAL.iter().chain(DIVERGING) {
            assert!(Colormap::named(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn maps_turn_round_in_their_direction() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        assert_eq!(s.apply(&Command::Colors(Colors::Turn(1)), &w).damage, Damage::COLORS | Damage::OVERLAY);
        assert_eq!((shown(&s), s.message.as_deref()), (some("plasma"), Some("map: plasma")));
        assert_eq!(color(&mut s, &w, Colors::Turn(-1)), None, "the figure's own");
        assert_eq!(color(&mut s, &w, Colors::Turn(-1)), some("Greys"));
        assert_eq!(color(&mut s, &w, Colors::Invert), some("Greys_r"));
        assert_eq!(color(&mut s, &w, Colors::Turn(1)), some("viridis_r"));
        assert_eq!(color(&mut s, &w, Colors::Map("jet".to_owned())), some("jet"));
        assert_eq!(color(&mut s, &w, Colors::Turn(1)), None, "a map of no list comes before the first");
        assert_eq!(color(&mut s, &w, Colors::Map("no such".to_owned())), None);
        assert!(s.message.as_ref().is_some_and(|m| m.contains("'no such' is not a colormap")));
    }

    #[test]
    fn scales_with_a_centre_have_diverging_maps() {
        let mut w = geometry(1, 10, 10);
        w.scales = vec![scale(Norm::CenterLinear { center: 5.0 }, 0.0, 10.0)];
        let mut s = ViewState::new(&w);
        assert_eq!(color(&mut s, &w, Colors::Map("RdBu".to_owned())), some("RdBu"));
        assert_eq!(color(&mut s, &w, Colors::Turn(1)), some("coolwarm_r"));
        // The figure's own viridis is the first of the list.
        assert_eq!(color(&mut s, &w, Colors::Turn(-2)), some("viridis_r"));
    }

    #[test]
    fn lists_of_colours_turn_round_too() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        assert_eq!(color(&mut s, &w, Colors::Map("white, #ff0000".to_owned())), some("#ffffff,#ff0000"));
        assert_eq!(color(&mut s, &w, Colors::Invert), some("#ff0000,#ffffff"));
        assert_eq!(color(&mut s, &w, Colors::Turn(1)), None);
    }

    #[test]
    fn the_scale_under_the_pointer_is_meant() {
        let mut w = geometry(2, 10, 10);
        w.scales.push(scale(Norm::Linear, 0.0, 1.0));
        w.scale_of = vec![0, 1];
        let mut bar = w.bars[0].clone();
        bar.as_mut().unwrap().ramp.x += 100;
        w.bars.push(bar);
        let mut s = ViewState::new(&w);
        let mut turned = |p: gridscope_core::geom::Point| {
            s.apply(&Command::Point(p), &w);
            let before = s.overrides.scales.clone();
            s.apply(&Command::Colors(Colors::Turn(1)), &w);
            s.overrides.scales.iter().zip(&before).position(|(a, b)| a != b)
        };
        assert_eq!(
            [at(700.0, 100.0), at(1.0, 1.0), at(ramp_x(2) + 105.0, 60.0), at(90.0, 100.0)].map(&mut turned),
            [Some(1), Some(1), Some(1), Some(0)],
            "beside everything: the scale pointed at last"
        );
    }
}

//! Changes of a scale's colormap: the next one, one by name, or one of the table of all.

use super::super::geometry::WindowGeometry;
use super::super::map_table::{map_at, map_beside, maps};
use super::command::{Entry, Pick};
use super::typing::TypedLine;
use super::{Damage, ViewState};
use gridscope_core::geom::Point;
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

/// The table of colormaps while it is open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picker {
    /// The map that is shown now, in the order of the table.
    pub chosen: usize,
    scale: usize,
    /// The map that a person had chosen before.
    before: Option<Colormap>,
}

impl ViewState {
    /// Opens the table for the scale under the pointer, else the first one; or closes it and keeps the map.
    pub(super) fn toggle_maps(&mut self, geometry: &WindowGeometry) -> Damage {
        if self.picker.is_some() {
            return self.keep_map();
        }
        let scale = self.pointer.and_then(|at| geometry.scale_at(at)).unwrap_or(0);
        let Some(now) = self.map(scale).map(str::to_owned) else {
            return Damage::NONE;
        };
        let plain = now.strip_suffix("_r").unwrap_or(&now);
        self.picker = Some(Picker {
            chosen: maps().position(|m| m == plain).unwrap_or(0),
            scale,
            before: self.overrides.scales[scale].colormap.clone(),
        });
        self.line = Some(TypedLine::new(Entry::Map));
        self.matches.clear();
        Damage::OVERLAY
    }

    /// Closes the table and keeps the map that is shown.
    pub(super) fn keep_map(&mut self) -> Damage {
        let closed = self.picker.take();
        self.line = self.line.take().filter(|_| closed.is_none());
        if let Some(picker) = &closed
            && let Some(name) = self.map(picker.scale).map(str::to_owned)
        {
            self.say(format!("map: {name}"));
        }
        Damage::OVERLAY.when(closed.is_some())
    }

    /// Closes the table and restores the map that was shown before; `None` if it was closed.
    pub(super) fn restore_map(&mut self) -> Option<Damage> {
        let picker = self.picker.take()?;
        self.line = None;
        let Some(changes) = self.overrides.scales.get_mut(picker.scale) else {
            return Some(Damage::OVERLAY);
        };
        let changed = changes.colormap != picker.before;
        changes.colormap = picker.before;
        Some(Damage::OVERLAY | Damage::COLORS.when(changed))
    }

    /// Chooses another map of the table.
    pub(super) fn pick(&mut self, pick: &Pick, geometry: &WindowGeometry) -> Damage {
        let Some(chosen) = self.picker.as_ref().map(|p| p.chosen) else {
            return Damage::NONE;
        };
        match *pick {
            Pick::Step { right, down } => self.preview(map_beside(geometry, chosen, right, down)),
            Pick::At(at) => match map_at(geometry, chosen, at) {
                Some(map) => self.preview(map) | self.keep_map(),
                None => Damage::NONE,
            },
        }
    }

    /// Shows the map under the pointer, if the table is open.
    pub(super) fn hover_map(&mut self, at: Point, geometry: &WindowGeometry) -> Damage {
        let under = self.picker.as_ref().and_then(|p| map_at(geometry, p.chosen, at));
        under.map_or(Damage::NONE, |map| self.preview(map))
    }

    /// Shows the first map whose name begins with what is typed, or contains it.
    pub(super) fn find_map(&mut self) -> Damage {
        let Some(text) = self.typed(Entry::Map).map(str::to_lowercase).filter(|t| !t.is_empty()) else {
            return Damage::NONE;
        };
        let begins = maps().position(|m| m.to_lowercase().starts_with(&text));
        let contains = || maps().position(|m| m.to_lowercase().contains(&text));
        begins.or_else(contains).map_or(Damage::NONE, |map| self.preview(map))
    }

    fn preview(&mut self, map: usize) -> Damage {
        let Some(picker) = self.picker.as_mut().filter(|p| p.chosen != map) else {
            return Damage::NONE;
        };
        picker.chosen = map;
        let scale = picker.scale;
        let message = self.message.clone();
        let name = maps().nth(map).unwrap_or_default();
        let damage = self.name_map(scale, name);
        self.message = message;
        damage | Damage::OVERLAY
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

#[cfg(test)]
mod picker_tests {
    use super::super::action::Action;
    use super::super::command::{Command, Typing};
    use super::super::test_window::{geometry, run};
    use super::*;
    use crate::map_table::map_table;

    fn shown(s: &ViewState) -> Option<String> {
        s.overrides.scales[0].colormap.as_ref().map(|m| m.name.clone())
    }

    fn step(right: i32, down: i32) -> Command {
        Command::Pick(Pick::Step { right, down })
    }

    const ENTER: Command = Command::Type(Typing::Enter { back: false });

    #[test]
    fn arrows_show_maps_enter_keeps_and_esc_restores() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Do(Action::Maps));
        assert_eq!((s.picker.as_ref().map(|p| p.chosen), shown(&s)), (Some(0), None));
        assert!(run(&mut s, &w, &step(1, 0)).colors);
        assert_eq!(shown(&s).as_deref(), Some("plasma"));
        run(&mut s, &w, &Command::Do(Action::Cancel));
        assert_eq!((&s.picker, &s.line, shown(&s)), (&None, &None, None));
        run(&mut s, &w, &Command::Do(Action::Maps));
        (0..3).for_each(|_| _ = run(&mut s, &w, &step(1, 0)));
        run(&mut s, &w, &ENTER);
        assert_eq!((&s.picker, &s.line, shown(&s).as_deref()), (&None, &None, Some("magma")));
        assert_eq!(s.message.as_deref(), Some("map: magma"));
        // One step back takes the whole choice back.
        run(&mut s, &w, &Command::Do(Action::Undo));
        assert_eq!(shown(&s), None);
        assert!(!run(&mut s, &w, &step(1, 0)).colors, "it is closed");
    }

    #[test]
    fn letters_and_the_pointer_choose_too() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Do(Action::Maps));
        for (text, wanted) in [("Co", "coolwarm"), ("w", "coolwarm"), ("\u{8}zz", "coolwarm")] {
            run(&mut s, &w, &Command::Type(Typing::Text(text.to_owned())));
            assert!(shown(&s).is_some_and(|m| m.starts_with("co")), "{text} {wanted}");
        }
        let chosen = s.picker.as_ref().unwrap().chosen;
        let table = map_table(&w, chosen);
        let (map, place) = table.entries[0];
        run(&mut s, &w, &Command::Point(place.center()));
        assert_eq!(s.picker.as_ref().map(|p| p.chosen), Some(map));
        let (other, place) = *map_table(&w, map).entries.last().unwrap();
        run(&mut s, &w, &Command::Pick(Pick::At(place.center())));
        assert_eq!((&s.picker, shown(&s).as_deref()), (&None, maps().nth(other)));
    }

    #[test]
    fn the_table_stays_open_while_the_same_panels_come_again() {
        let (w, others) = (geometry(1, 10, 10), geometry(2, 10, 10));
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Do(Action::Maps));
        run(&mut s, &w, &step(1, 0));
        s.follow(&w, &w);
        assert_eq!(
            (s.picker.is_some(), s.line.is_some(), shown(&s).as_deref()),
            (true, true, Some("plasma"))
        );
        run(&mut s, &w, &ENTER);
        run(&mut s, &w, &Command::Do(Action::Undo));
        assert_eq!(shown(&s), None, "one step back takes the choice back");
        run(&mut s, &w, &Command::Do(Action::Maps));
        run(&mut s, &w, &step(1, 0));
        s.follow(&w, &others);
        assert_eq!((&s.picker, &s.line, shown(&s)), (&None, &None, None), "of other panels");
    }
}

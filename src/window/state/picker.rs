//! Choosing a colormap from the table of all, with the figure in each map as it is chosen.

use super::super::geometry::WindowGeometry;
use super::super::map_table::{map_at, map_beside, maps};
use super::command::{Entry, Pick};
use super::typing::TypedLine;
use super::{Damage, ViewState};
use gridscope_core::geom::Point;
use gridscope_core::scale::Colormap;

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

//! One panel large: it has the whole window, and the others wait in their order.

use super::super::geometry::WindowGeometry;
use super::{Damage, ViewState};
use gridscope_core::geom::Point;
use gridscope_core::text::{clean, shorten};

/// Said where there is no other panel.
pub(super) const ONE_PANEL: &str = "there is one panel";

impl ViewState {
    /// Shows a panel alone, or all of them.
    pub(super) fn show_panel(&mut self, panel: Option<usize>, geometry: &WindowGeometry) -> Damage {
        let panels = geometry.grids.len();
        if panels < 2 {
            return self.say(ONE_PANEL.to_owned());
        }
        if panel.is_some_and(|p| p >= panels) {
            return self.say(format!("there are {panels} panels, from 0 on"));
        }
        let text = panel.map(|p| {
            let name = named(geometry, p).map_or(String::new(), |name| format!(": {name}"));
            format!("panel {} of {panels}{name}", p + 1)
        });
        if panel == self.large {
            return Damage::NONE;
        }
        // A drag would go on in a body that is no longer there.
        let given_up = self.give_up(geometry).unwrap_or(Damage::NONE);
        self.leave_panel(panel);
        self.large = panel;
        // A thumbnail that is in the window stays where it is.
        if !panel.is_some_and(|p| geometry.strip.as_ref().is_some_and(|s| s.shows(p))) {
            self.strip = None;
        } else if self.strip.is_none() {
            self.strip = geometry.strip.as_ref().map(|s| s.offset);
        }
        if let Some(text) = text {
            self.say(text);
        }
        Damage::LAYOUT | given_up
    }

    /// Shows the current panel alone, or all of them again.
    pub(super) fn enlarge(&mut self, geometry: &WindowGeometry) -> Damage {
        let next = match self.large {
            Some(_) => None,
            None => Some(self.current_panel(geometry)),
        };
        self.show_panel(next, geometry)
    }

    /// Shows the next panel alone, or the one before; after the last comes the first.
    pub(super) fn turn_panel(&mut self, forward: bool, geometry: &WindowGeometry) -> Damage {
        let panels = geometry.grids.len();
        let next = match self.large {
            None => self.current_panel(geometry),
            Some(now) if forward => (now + 1) % panels.max(1),
            Some(now) => (now + panels.max(1) - 1) % panels.max(1),
        };
        self.show_panel(Some(next), geometry)
    }

    /// Moves the thumbnails by this many pixels, along the longer way.
    pub(super) fn scroll_strip(&mut self, by: Point, geometry: &WindowGeometry) -> Damage {
        let Some(strip) = geometry.strip.as_ref().filter(|s| s.tile > 0.0) else {
            return Damage::NONE;
        };
        let along = if by.x.abs() >= by.y.abs() { by.x } else { by.y };
        let most = (geometry.grids.len() as f64 - strip.rect.w / strip.tile).max(0.0);
        let next = (strip.offset - along / strip.tile).clamp(0.0, most);
        // Several commands may come before the next frame.
        let from = self.strip.unwrap_or(strip.offset);
        let next = (from + next - strip.offset).clamp(0.0, most);
        self.strip = Some(next);
        Damage::OVERLAY.when(next != from)
    }

    /// The large panel, else the one under the pointer, the selected one, the one under the pointer last, the first.
    pub(super) fn current_panel(&self, geometry: &WindowGeometry) -> usize {
        let pointed = || self.pointer.and_then(|at| geometry.hit(at).panel());
        let selected = || self.selection.as_ref().map(|s| s.panel);
        let panel = self.large.or_else(pointed).or_else(selected).or(self.panel_pointed);
        panel.filter(|p| *p < geometry.grids.len()).unwrap_or(0)
    }
}

/// Characters of a panel's name in a message.
const SHOWN: usize = 40;

/// The name of a panel in a message: its own, or its number from 1.
pub(crate) fn panel_name(geometry: &WindowGeometry, panel: usize) -> String {
    named(geometry, panel).unwrap_or_else(|| format!("panel {}", panel + 1))
}

fn named(geometry: &WindowGeometry, panel: usize) -> Option<String> {
    let name = geometry.grids.get(panel)?.name();
    (!name.is_empty()).then(|| shorten(&clean(name), SHOWN))
}

#[cfg(test)]
mod tests {
    use super::super::action::Action;
    use super::super::command::{Command, Drag};
    use super::super::test_window::{at, geometry, run};
    use super::*;
    use crate::geometry::StripAt;
    use gridscope_core::geom::{PxSize, Rect};

    #[test]
    fn enter_shows_the_panel_that_is_meant() {
        let w = geometry(3, 10, 10);
        let mut s = ViewState::new(&w);
        let enter = Command::Do(Action::Enlarge);
        assert_eq!((run(&mut s, &w, &enter), s.large), (Damage::LAYOUT | Damage::OVERLAY, Some(0)));
        assert_eq!(s.message.as_deref(), Some("panel 1 of 3"));
        run(&mut s, &w, &enter);
        assert_eq!(s.large, None);
        let select = Command::Select { panel: 2, rows: 0..1, columns: 0..1 };
        run(&mut s, &w, &select);
        run(&mut s, &w, &enter);
        assert_eq!(s.large, Some(2));
        run(&mut s, &w, &enter);
        // The pointer goes before the selection.
        run(&mut s, &w, &Command::Point(at(700.0, 100.0)));
        run(&mut s, &w, &enter);
        assert_eq!(s.large, Some(1));
    }

    #[test]
    fn a_button_means_the_panel_pointed_at_last_unless_one_is_selected() {
        let w = geometry(3, 10, 10);
        let mut s = ViewState::new(&w);
        // From a panel up to the toolbar.
        for place in [at(700.0, 100.0), at(3.0, 3.0)] {
            run(&mut s, &w, &Command::Point(place));
        }
        assert_eq!((s.current_panel(&w), s.panel_meant(&w)), (1, 1));
        let select = Command::Select { panel: 2, rows: 0..1, columns: 0..1 };
        run(&mut s, &w, &select);
        assert_eq!((s.current_panel(&w), s.panel_meant(&w)), (2, 2));
    }

    #[test]
    fn a_large_panel_is_a_step_of_undo() {
        let w = geometry(3, 10, 10);
        let mut s = ViewState::new(&w);
        let mut act = |action| {
            run(&mut s, &w, &Command::Do(action));
            (s.large, s.message.clone().unwrap_or_default())
        };
        assert_eq!(act(Action::Enlarge).0, Some(0));
        assert_eq!(act(Action::Undo), (None, "undone: large panel".to_owned()));
        assert_eq!(act(Action::Redo), (Some(0), "redone: large panel".to_owned()));
        // Going through the panels is one step, and leaving them another.
        act(Action::NextPanel);
        assert_eq!(act(Action::NextPanel).0, Some(2));
        assert_eq!(act(Action::Enlarge).0, None);
        let undo = [Action::Undo; 3].map(|a| act(a).0);
        assert_eq!(undo, [Some(2), Some(0), None]);
        // Sides that follow each other by the clock end with it.
        act(Action::Blink);
        act(Action::Undo);
        assert!(!s.is_blinking() && s.large.is_none());
    }

    #[test]
    fn panels_follow_each_other_in_a_circle_and_esc_shows_all() {
        let w = geometry(3, 10, 10);
        let mut s = ViewState::new(&w);
        let mut turn = |action| {
            run(&mut s, &w, &Command::Do(action));
            s.large
        };
        let (next, before) = (Action::NextPanel, Action::PreviousPanel);
        assert_eq!([next, next, next, next].map(&mut turn), [Some(0), Some(1), Some(2), Some(0)]);
        assert_eq!([before, before].map(&mut turn), [Some(2), Some(1)]);
        assert_eq!(turn(Action::Cancel), None, "a message costs no press");
    }

    #[test]
    fn a_double_click_on_a_title_is_the_same() {
        let mut w = geometry(2, 10, 10);
        w.titles = vec![Some(Rect::new(100.0, 20.0, 400.0, 20.0)), None];
        let mut s = ViewState::new(&w);
        let fit = Command::Fit { at: at(200.0, 30.0), alone: false };
        run(&mut s, &w, &fit);
        assert_eq!(s.large, Some(0));
        w.large = s.large;
        run(&mut s, &w, &fit);
        assert_eq!(s.large, None);
    }

    #[test]
    fn a_lone_panel_and_a_wrong_number_change_nothing() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        for command in [
            Command::Do(Action::Enlarge),
            Command::Do(Action::NextPanel),
            Command::Do(Action::PreviousPanel),
            Command::Panel(Some(0)),
        ] {
            assert_eq!((run(&mut s, &w, &command).layout, s.large), (false, None));
            assert_eq!(s.message.as_deref(), Some("there is one panel"));
        }
        let w = geometry(2, 10, 10);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Panel(Some(2)));
        assert_eq!((s.large, s.message.as_deref()), (None, Some("there are 2 panels, from 0 on")));
        run(&mut s, &w, &Command::Panel(Some(1)));
        run(&mut s, &w, &Command::Panel(None));
        assert_eq!(s.large, None);
    }

    #[test]
    fn thumbnails_scroll_and_stay_while_the_panel_changes() {
        let mut w = geometry(65, 10, 10);
        let mut s = ViewState::new(&w);
        run(&mut s, &w, &Command::Panel(Some(30)));
        let place = |w: &mut WindowGeometry, s: &ViewState| {
            w.large = s.large;
            w.strip = StripAt::new(PxSize { w: 1080, h: 800 }, 1.0, 65, s.large.unwrap(), s.strip);
            w.strip.as_ref().map(|s| s.thumbs[0].panel)
        };
        assert_eq!(place(&mut w, &s), Some(25));
        // The next one is in the window: the thumbnails stay.
        run(&mut s, &w, &Command::Do(Action::NextPanel));
        assert_eq!(place(&mut w, &s), Some(25));
        let scroll = |by: f64| Command::Pan { at: at(500.0, 750.0), by: at(by, 0.0), alone: false };
        assert_eq!(run(&mut s, &w, &scroll(-3.0 * 108.0)), Damage::OVERLAY);
        // Two before a frame are as far as two with one between.
        run(&mut s, &w, &scroll(-108.0));
        assert_eq!(place(&mut w, &s), Some(29));
        run(&mut s, &w, &scroll(1e9));
        assert_eq!(place(&mut w, &s), Some(0));
        assert_eq!(run(&mut s, &w, &scroll(5.0)), Damage::NONE);
        run(&mut s, &w, &scroll(f64::NAN));
        assert_eq!(place(&mut w, &s), Some(0));
        run(&mut s, &w, &Command::Do(Action::NextPanel));
        assert_eq!((s.large, place(&mut w, &s)), (Some(32), Some(27)));
    }

    #[test]
    fn a_drag_ends_with_its_panel() {
        let w = geometry(2, 10, 10);
        let mut s = ViewState::new(&w);
        let begin = Command::Begin { drag: Drag::Box, at: at(200.0, 200.0), alone: false };
        run(&mut s, &w, &begin);
        run(&mut s, &w, &Command::Do(Action::NextPanel));
        assert!(!s.is_dragging() && s.rubber.is_none());
    }
}

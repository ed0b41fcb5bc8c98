//! Applies commands to the state.

use super::super::geometry::WindowGeometry;
use super::action::{Action, Effect};
use super::command::{Colors, Command};
use super::enlarging::panel_name;
use super::{Damage, Outcome, ViewState, WHEN_READ, shape};
use gridscope_core::figure::Reduce;

/// The order of the reductions in their cycle.
const REDUCTIONS: [Reduce; 5] = [Reduce::Mean, Reduce::Min, Reduce::Max, Reduce::Extreme, Reduce::Count];

impl ViewState {
    /// Applies a command. Numbers and points that are not finite have no effect.
    pub(crate) fn apply(&mut self, command: &Command, geometry: &WindowGeometry) -> Outcome {
        let mut damage = self.refit(geometry);
        let points = matches!(command, Command::Point(_) | Command::Leave | Command::Move(_));
        // Places of the pointer that are reported between two notches of a wheel do not end the zoom.
        if !points && !matches!(command, Command::Zoom { .. }) {
            self.pin = None;
        }
        let gesture = self.gesture.is_some();
        let (message, rubber) = (self.message.clone(), self.rubber);
        // That square cells gave way is said as long as the wheel turns.
        let goes_on =
            matches!(command, Command::Zoom { .. }) && self.message.as_deref() == Some(shape::GAVE_WAY);
        if !points && !goes_on && *command != Command::Do(Action::Cancel) {
            self.message = None;
            if !matches!(command, Command::Menu(_)) {
                damage |= Damage::OVERLAY.when(self.menu.take().is_some());
            }
        }
        if !points && !matches!(command, Command::Click { .. } | Command::Fit { .. }) {
            self.clicked = None;
        }
        let before = self.before(command);
        if !points
            && !matches!(
                command,
                Command::Zoom { .. } | Command::Pan { .. } | Command::Step { .. } | Command::Nearer(_)
            )
        {
            self.history.rest();
        }
        damage |= self.change(command, geometry);
        self.record(command, before, geometry);
        self.count_message(command, message.as_ref());
        let idle = !damage.any() && gesture == self.gesture.is_some();
        damage |= Damage::OVERLAY.when(message != self.message || rubber != self.rubber);
        Outcome {
            damage,
            effect: match command {
                Command::Effect(effect) => Some(*effect),
                Command::Do(Action::Cancel) if idle => Some(Effect::LeaveFullScreen),
                _ => None,
            },
        }
    }

    /// Whether a gesture moves one panel only. Two sides of one body move together.
    pub(super) fn is_alone(&self, alone: bool) -> bool {
        (alone || self.alone) && self.comparing.swipe.is_none()
    }

    fn change(&mut self, command: &Command, geometry: &WindowGeometry) -> Damage {
        match command {
            Command::Point(at) if at.is_finite() => {
                self.point_at_entry(*at, geometry);
                self.scale_pointed = geometry.scale_at(*at).or(self.scale_pointed);
                self.panel_pointed = geometry.hit(*at).panel().or(self.panel_pointed);
                Damage::OVERLAY.when(self.pointer.replace(*at) != Some(*at)) | self.hover_map(*at, geometry)
            }
            Command::Point(_) => Damage::NONE,
            Command::Leave => Damage::OVERLAY.when(self.pointer.take().is_some()),
            Command::Zoom { at, factor, alone } => self.zoom(*at, *factor, self.is_alone(*alone), geometry),
            Command::Pan { at, by, alone } => self.pan(*at, *by, self.is_alone(*alone), geometry),
            Command::Begin { drag, at, alone } => self.begin(*drag, *at, self.is_alone(*alone), geometry),
            Command::Move(at) => self.drag_to(*at, geometry),
            Command::End(at) => self.end(*at, geometry),
            Command::Fit { at, alone } => {
                self.take_back_click(*at, geometry) | self.fit(*at, self.is_alone(*alone), geometry)
            }
            Command::Step { right, down, reach } => self.step(*right, *down, *reach, geometry),
            Command::Nearer(factor) => self.nearer(*factor, geometry),
            Command::Show(view) => self.exactly(view, geometry),
            Command::Click { at, extend } => self.click(*at, *extend, geometry),
            Command::Select { panel, rows, columns } => self.select(*panel, rows, columns, geometry),
            Command::Menu(menuing) => self.turn_menu(*menuing, geometry),
            Command::Go(place) => self.go(place, geometry),
            Command::Panel(panel) => self.show_panel(*panel, geometry),
            Command::Swipe(swiping) => self.swipe(*swiping, geometry),
            Command::Type(typing) => self.type_line(typing, geometry),
            Command::Scroll(scrolling) => self.scroll(*scrolling),
            Command::Pick(pick) => self.pick(pick, geometry),
            Command::Reduce(wanted) => self.reduce(*wanted, geometry),
            Command::Colors(colors) => self.color(colors, geometry),
            Command::Slice(slicing) => self.slice(slicing, geometry),
            Command::Do(action) => self.act(*action, geometry),
            Command::Effect(_) | Command::Open { .. } | Command::Read(_) | Command::Save(_) => Damage::NONE,
        }
    }

    /// Sets the message; the caller compares it with the previous one.
    pub(super) fn say(&mut self, text: String) -> Damage {
        self.message = Some(text);
        Damage::NONE
    }

    /// Chooses a reduction, or the next one. Counts have limits of their own, so the bar changes with them.
    fn reduce(&mut self, wanted: Option<Reduce>, geometry: &WindowGeometry) -> Damage {
        let now = self.overrides.reduce.unwrap_or(geometry.reduce);
        let next = wanted.unwrap_or_else(|| {
            let at = REDUCTIONS.iter().position(|r| *r == now).unwrap_or(0);
            REDUCTIONS[(at + 1) % REDUCTIONS.len()]
        });
        if next == now {
            return Damage::NONE;
        }
        self.overrides.reduce = Some(next);
        let counts = next == Reduce::Count || now == Reduce::Count;
        Damage::COLORS | Damage::LAYOUT.when(counts) | self.say(format!("reduction: {}", next.word()))
    }

    /// The scale that a command means: that under the pointer, else of the large panel, of the selection, under the pointer
    /// last, the first.
    pub(super) fn scale_meant(&self, geometry: &WindowGeometry) -> usize {
        let pointed = self.pointer.and_then(|at| geometry.scale_at(at));
        let of = |panel: usize| geometry.scale_of.get(panel).copied();
        let large = || of(geometry.large?);
        let selected = || of(self.selection.as_ref()?.panel);
        let scale = pointed.or_else(large).or_else(selected).or(self.scale_pointed);
        scale.filter(|s| *s < geometry.scales.len()).unwrap_or(0)
    }

    /// Changes the scale that is meant; where there are several, the message names its panels.
    fn color(&mut self, colors: &Colors, geometry: &WindowGeometry) -> Damage {
        let scale = self.scale_meant(geometry);
        let Some(before) = self.overrides.scales.get(scale).cloned() else {
            return Damage::NONE;
        };
        if scale >= geometry.scales.len() {
            return Damage::NONE;
        }
        let damage = self.color_one(scale, colors, geometry);
        let changed = self.overrides.scales.get(scale) != Some(&before);
        if changed
            && geometry.scales.len() > 1
            && let Some(said) = self.message.take()
        {
            let mut panels = (0..geometry.grids.len()).filter(|p| geometry.scale_of.get(*p) == Some(&scale));
            let first = panels.next().map_or(String::new(), |p| panel_name(geometry, p));
            let more = match panels.count() {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            self.message = Some(format!("{first}{more}: {}", said.replacen(": ", " ", 1)));
        }
        damage
    }

    fn color_one(&mut self, scale: usize, colors: &Colors, geometry: &WindowGeometry) -> Damage {
        match colors {
            // Which norms suit the values is unknown before all are read.
            Colors::NextNorm | Colors::Norm(_) | Colors::Center(_) if geometry.coarse => {
                self.say(format!("norms can be chosen {WHEN_READ}"))
            }
            Colors::Turn(by) => self.turn_map(scale, *by, geometry),
            Colors::Map(name) => self.name_map(scale, name),
            Colors::Invert => self.invert_map(scale),
            Colors::NextNorm => self.next_norm(scale, geometry),
            Colors::Norm(text) => self.name_norm(scale, text, geometry),
            Colors::Limits(low, high) => self.set_limits(scale, *low, *high, geometry),
            Colors::Low(value) => self.set_limit(scale, *value, true, geometry),
            Colors::High(value) => self.set_limit(scale, *value, false, geometry),
            Colors::Percentiles(low, high) => self.set_percentiles(scale, [*low, *high], geometry),
            Colors::Center(center) => self.set_center(scale, *center, geometry),
            Colors::InView => self.set_limits_of_view(scale, geometry),
            Colors::Auto => self.auto_limits(scale),
            Colors::HideBelow(v) => self.hide_beyond(scale, *v, false, geometry),
            Colors::HideAbove(v) => self.hide_beyond(scale, *v, true, geometry),
            Colors::HideNone => self.hide(scale, [None; 2], geometry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_window::{at, geometry, of};
    use super::*;
    use gridscope_core::grid::Grid;

    #[test]
    fn pointing_is_the_overlays() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        let point = Command::Point(at(3.0, 4.0));
        assert_eq!((s.apply(&point, &w).damage, s.apply(&point, &w).damage), (Damage::OVERLAY, Damage::NONE));
        assert_eq!(
            (s.apply(&Command::Point(at(f64::NAN, 4.0)), &w).damage, s.pointer),
            (Damage::NONE, Some(at(3.0, 4.0)))
        );
        assert_eq!(
            (s.apply(&Command::Leave, &w).damage, s.apply(&Command::Leave, &w).damage),
            (Damage::OVERLAY, Damage::NONE)
        );
    }

    #[test]
    fn a_message_disappears_with_the_next_command() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        s.message = Some("saved".to_owned());
        s.apply(&Command::Point(at(1.0, 1.0)), &w);
        assert_eq!(s.message.as_deref(), Some("saved"));
        assert_eq!((s.apply(&Command::Do(Action::Home), &w).damage, &s.message), (Damage::OVERLAY, &None));
    }

    #[test]
    fn the_scale_that_is_meant_is_named_where_there_are_several() {
        let grid = |name: &str| Grid::from_rows(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap().with_name(name);
        let mut w = of(2, vec![grid("A"), grid("B")]);
        let one = w.clone();
        w.scales.push(w.scales[0].clone());
        w.bars.push(None);
        w.scale_of = vec![0, 1];
        let turn = Command::Colors(Colors::Map("magma".to_owned()));
        let said = |s: &mut ViewState, w: &WindowGeometry| {
            s.apply(&turn, w);
            s.message.clone().unwrap_or_default()
        };
        assert_eq!(said(&mut ViewState::new(&one), &one), "map: magma");
        assert_eq!(said(&mut ViewState::new(&w), &w), "A: map magma");
        // Beside everything, as over a button: the panel pointed at last, but the selection goes before it.
        let mut s = ViewState::new(&w);
        s.apply(&Command::Point(at(700.0, 100.0)), &w);
        s.apply(&Command::Point(at(3.0, 3.0)), &w);
        assert_eq!(said(&mut s, &w), "B: map magma");
        let select = Command::Select { panel: 0, rows: 0..1, columns: 0..1 };
        s.apply(&select, &w);
        assert_eq!(said(&mut s, &w), "A: map magma");
        assert_eq!(said(&mut s, &w), "", "nothing changed");
    }

    #[test]
    fn reductions_follow_each_other() {
        let w = WindowGeometry { reduce: Reduce::Max, ..geometry(1, 10, 10) };
        let mut s = ViewState::new(&w);
        let mut next = |c: Option<Reduce>| {
            let d = s.apply(&Command::Reduce(c), &w).damage;
            (s.overrides.reduce, d.colors, d.layout)
        };
        assert_eq!(next(Some(Reduce::Max)), (None, false, false));
        assert_eq!(next(None), (Some(Reduce::Extreme), true, false));
        assert_eq!(next(None), (Some(Reduce::Count), true, true));
        assert_eq!(next(None), (Some(Reduce::Mean), true, true));
        assert_eq!(next(Some(Reduce::Min)), (Some(Reduce::Min), true, false));
    }

    #[test]
    fn effects_leave_the_state_alone() {
        let w = geometry(1, 10, 10);
        let mut s = ViewState::new(&w);
        let all = [
            (Command::Effect(Effect::Copy), Effect::Copy),
            (Command::Effect(Effect::CopyPicture), Effect::CopyPicture),
            (Command::Effect(Effect::Save), Effect::Save),
            (Command::Effect(Effect::SaveFigure), Effect::SaveFigure),
            (Command::Effect(Effect::Write), Effect::Write),
            (Command::Effect(Effect::Paste), Effect::Paste),
            (Command::Effect(Effect::FullScreen), Effect::FullScreen),
            (Command::Effect(Effect::LeaveFullScreen), Effect::LeaveFullScreen),
            (Command::Effect(Effect::Quit), Effect::Quit),
        ];
        for (command, effect) in all {
            assert_eq!(s.apply(&command, &w), Outcome { damage: Damage::NONE, effect: Some(effect) });
        }
        assert_eq!(s.apply(&Command::Do(Action::Home), &w), Outcome::default());
    }
}

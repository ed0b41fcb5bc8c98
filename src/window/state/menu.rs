//! Menus: the commands that apply to a place, or to the window.

use super::super::geometry::{Hit, WindowGeometry};
use super::action::{Action, Effect};
use super::command::{Colors, Command, Menuing, Swiping, Typing};
use super::tools::TOOLS;
use super::{Damage, ViewState};
use gridscope_core::geom::Point;

/// Beginnings of prompts that set limits and a threshold.
pub(crate) const SET_LIMITS: &str = "limits";
pub(crate) const SET_THRESHOLD: &str = "hide-below";
/// Beginning of a prompt that reads the files again.
pub(crate) const READ: &str = "read";

/// A menu that is open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Menu {
    /// The place that its commands are about, and beside which it opens.
    pub at: Point,
    /// It is about the window, not about a place.
    pub(super) is_main: bool,
    /// Its commands, group by group; an empty group has none.
    pub groups: Vec<Vec<Command>>,
    /// The chosen one.
    pub chosen: Option<usize>,
}

impl Menu {
    /// Its commands from the top.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Command> {
        self.groups.iter().flatten()
    }

    /// Commands of an entry, about the place of the menu.
    pub(crate) fn commands(&self, entry: usize) -> Vec<Command> {
        let Some(command) = self.entries().nth(entry) else {
            return vec![Command::Do(Action::Cancel)];
        };
        let place = Some(Command::Point(self.at)).filter(|_| !self.is_main);
        place.into_iter().chain([command.clone()]).collect()
    }
}

impl ViewState {
    /// Opens a menu, or goes through it.
    pub(super) fn turn_menu(&mut self, menuing: Menuing, geometry: &WindowGeometry) -> Damage {
        let before = self.menu.clone();
        match menuing {
            Menuing::Step(by) => {
                if let Some(menu) = &mut self.menu {
                    // Entries without room in the window cannot be chosen.
                    let shown = geometry.menu.as_ref().map(|m| m.entries.len());
                    let count = shown.unwrap_or(usize::MAX).min(menu.entries().count());
                    let first = if by > 0 { -1 } else { 0 };
                    let now = menu.chosen.map_or(first, |c| c as i64) + i64::from(by);
                    menu.chosen = (count > 0).then(|| now.rem_euclid(count as i64) as usize);
                }
            }
            Menuing::Main if self.menu.as_ref().is_some_and(|m| m.is_main) => self.menu = None,
            Menuing::Main => self.open_menu(below_its_button(geometry), true, geometry),
            Menuing::Here => self.open_menu(self.pointer.unwrap_or_default(), false, geometry),
            Menuing::At(at) if at.is_finite() => self.open_menu(at, false, geometry),
            Menuing::At(_) => {}
        }
        Damage::OVERLAY.when(before != self.menu)
    }

    fn open_menu(&mut self, at: Point, is_main: bool, geometry: &WindowGeometry) {
        let of_place = if is_main { None } else { self.of_place(at, geometry) };
        self.menu = Some(Menu {
            at,
            is_main: of_place.is_none(),
            groups: of_place.unwrap_or_else(|| self.of_window(geometry)),
            chosen: None,
        });
    }

    /// The commands that apply to a place; `None` beside everything.
    fn of_place(&self, at: Point, geometry: &WindowGeometry) -> Option<Vec<Vec<Command>>> {
        let act = Command::Do;
        Some(match geometry.hit(at) {
            Hit::Body(p) => {
                let (rows, columns) = (geometry.grids.get(p)?.height(), geometry.grids.get(p)?.width());
                let mut cells = vec![Command::Effect(Effect::Copy)];
                if let Some((row, column)) = geometry.panels.get(p)?.cell(at) {
                    let select = |rows, columns| Command::Select { panel: p, rows, columns };
                    cells.insert(0, Command::Click { at, extend: false });
                    cells.insert(1, select(row..row + 1, 0..columns));
                    cells.insert(2, select(0..rows, column..column + 1));
                }
                let mut reads =
                    vec![act(Action::NextMaximum), act(Action::Profiles), act(Action::Statistics)];
                if !geometry.slices.is_empty() {
                    reads.push(act(Action::Trace));
                }
                if geometry.panels[p].columns.reduces() || geometry.panels[p].rows.reduces() {
                    reads.push(Command::Reduce(None));
                }
                let mut views = vec![
                    Command::Fit { at, alone: false },
                    act(Action::Actual),
                    act(Action::Back),
                    act(Action::BoxMode),
                ];
                if geometry.grids.len() > 1 {
                    views.push(act(Action::Enlarge));
                }
                let saves = [Effect::CopyPicture, Effect::Save, Effect::Write];
                vec![cells, reads, views, saves.map(Command::Effect).to_vec()]
            }
            Hit::XAxis(_) | Hit::YAxis(_) => vec![
                vec![Command::Fit { at, alone: false }, act(Action::Home)],
                self.orders(),
                vec![act(Action::Labels), act(Action::Square)],
            ],
            Hit::Bar(_) => {
                let prompt = |text: &str| Command::Type(Typing::Prompt(text.to_owned()));
                let color = Command::Colors;
                vec![
                    vec![
                        color(Colors::Auto),
                        prompt(SET_LIMITS),
                        prompt(SET_THRESHOLD),
                        act(Action::Distribution),
                    ],
                    vec![
                        color(Colors::Turn(1)),
                        color(Colors::Turn(-1)),
                        color(Colors::Invert),
                        act(Action::Maps),
                    ],
                    vec![color(Colors::NextNorm)],
                ]
            }
            Hit::Title(_) => vec![
                vec![act(Action::Enlarge), act(Action::PreviousPanel), act(Action::NextPanel)],
                vec![
                    act(Action::Other),
                    act(Action::Blink),
                    Command::Swipe(Swiping::Toggle),
                    act(Action::Difference),
                ],
            ],
            Hit::Distribution(_)
            | Hit::Slider(_)
            | Hit::Thumbnail(_)
            | Hit::Strip
            | Hit::Tool(_)
            | Hit::Entry(_)
            | Hit::Minimap(_)
            | Hit::Divider(_)
            | Hit::Elsewhere => {
                return None;
            }
        })
    }

    /// Commands that sort, and the one that takes a sort back where there is one.
    fn orders(&self) -> Vec<Command> {
        let own = [
            (self.order.columns.is_some(), Effect::OwnColumnOrder),
            (self.order.rows.is_some(), Effect::OwnRowOrder),
        ];
        let own = own.into_iter().filter(|(sorted, _)| *sorted).map(|(_, e)| e);
        [Effect::Sort].into_iter().chain(own).map(Command::Effect).collect()
    }

    /// The commands of the window: those without a button, and the files opened last.
    fn of_window(&self, geometry: &WindowGeometry) -> Vec<Vec<Command>> {
        let has_button = |i: &usize| geometry.tools.iter().any(|t| t.0 == *i);
        let hidden = (0..TOOLS.len())
            .filter(|i| !has_button(i) && TOOLS[*i].suits(geometry.grids.len()))
            .map(|i| &TOOLS[i].command);
        let hidden = hidden.filter(|c| !matches!(c, Command::Menu(_))).cloned();
        let acts = |list: &[Action]| list.iter().map(|a| Command::Do(*a)).collect::<Vec<_>>();
        let effects = |list: &[Effect]| list.iter().map(|e| Command::Effect(*e)).collect::<Vec<_>>();
        vec![
            hidden.collect(),
            [
                effects(&[Effect::OpenDialog, Effect::CompareDialog]),
                vec![Command::Type(Typing::Prompt(READ.to_owned()))],
                effects(&[Effect::SaveFigure, Effect::Write, Effect::CopyPicture]),
            ]
            .concat(),
            acts(&[Action::Minimap, Action::Theme, Action::Labels, Action::Borders, Action::Toolbar]),
            effects(&[Effect::FullScreen, Effect::Quit]),
            self.recent.iter().map(|file| Command::Open { file: file.clone(), flags: Vec::new() }).collect(),
        ]
    }

    /// Chooses the entry under the pointer.
    pub(super) fn point_at_entry(&mut self, at: Point, geometry: &WindowGeometry) {
        if let (Some(menu), Hit::Entry(entry)) = (&mut self.menu, geometry.hit(at)) {
            menu.chosen = Some(entry);
        }
    }
}

/// Where the menu of the window opens.
fn below_its_button(geometry: &WindowGeometry) -> Point {
    let is_menu = |tool: &usize| matches!(TOOLS[*tool].command, Command::Menu(_));
    let button = geometry.tools.iter().find(|(tool, _)| is_menu(tool));
    Point { x: button.map_or(0.0, |(_, r)| f64::from(r.x)), y: f64::from(geometry.toolbar) }
}

#[cfg(test)]
mod tests {
    use super::super::command::Entry;
    use super::super::test_window::{at, geometry, ramp_x};
    use super::*;

    fn open(s: &mut ViewState, w: &WindowGeometry, at: Point) -> Vec<Command> {
        s.apply(&Command::Menu(Menuing::At(at)), w);
        s.menu.as_ref().unwrap().entries().cloned().collect()
    }

    #[test]
    fn a_menu_has_what_applies_to_its_place() {
        let w = geometry(1, 30, 40);
        let mut s = ViewState::new(&w);
        let cell = open(&mut s, &w, at(105.0, 85.0));
        let row = Command::Select { panel: 0, rows: 3..4, columns: 0..40 };
        assert!(cell.contains(&row) && cell.contains(&Command::Effect(Effect::Copy)), "{cell:?}");
        let bar = open(&mut s, &w, at(ramp_x(1) + 5.0, 100.0));
        assert!(bar.contains(&Command::Colors(Colors::Auto)) && !bar.contains(&row));
        let act = |a| Command::Do(a);
        assert!(bar.contains(&act(Action::Maps)) && bar.contains(&act(Action::Distribution)));
        for action in [Action::Profiles, Action::Statistics] {
            assert!(cell.contains(&act(action)), "{cell:?}");
        }
        assert!(!cell.contains(&act(Action::Enlarge)), "there is one panel");
        let two = geometry(2, 30, 40);
        let cell = open(&mut ViewState::new(&two), &two, at(105.0, 85.0));
        assert!(cell.contains(&act(Action::Enlarge)), "{cell:?}");
        for text in [SET_LIMITS, SET_THRESHOLD] {
            let command = Command::Type(Typing::Prompt(text.to_owned()));
            assert!(bar.contains(&command), "{bar:?}");
            s.apply(&command, &w);
            assert_eq!(s.typed(Entry::Prompt), Some(&*format!("{text} ")));
            s.apply(&act(Action::Cancel), &w);
        }
        let axis = open(&mut s, &w, at(90.0, 100.0));
        assert!(matches!(axis[0], Command::Fit { .. }));
        let own = Command::Effect(Effect::OwnColumnOrder);
        assert!(!axis.contains(&own));
        s.order.columns = "label".parse().ok();
        assert!(open(&mut s, &w, at(90.0, 100.0)).contains(&own));
        let main = open(&mut s, &w, at(3.0, 3.0));
        assert!(main.contains(&Command::Effect(Effect::OpenDialog)));
    }

    #[test]
    fn arrows_go_around_and_any_other_command_closes() {
        let w = geometry(1, 30, 40);
        let mut s = ViewState::new(&w);
        let entries = open(&mut s, &w, at(ramp_x(1) + 5.0, 100.0));
        let mut chosen = |by: i32| {
            s.apply(&Command::Menu(Menuing::Step(by)), &w);
            s.menu.as_ref().unwrap().chosen
        };
        let last = entries.len() - 1;
        assert_eq!([chosen(1), chosen(1), chosen(-2), chosen(1)], [Some(0), Some(1), Some(last), Some(0)]);
        s.apply(&Command::Point(at(1.0, 1.0)), &w);
        assert!(s.menu.is_some());
        for command in [Command::Do(Action::Cancel), Command::Nearer(2.0), Command::Menu(Menuing::Main)] {
            open(&mut s, &w, at(150.0, 100.0));
            let before = s.menu.clone();
            assert!(s.apply(&command, &w).damage.any());
            assert!(
                s.menu != before && s.menu.is_some() == matches!(command, Command::Menu(_)),
                "{command:?}"
            );
        }
        s.apply(&Command::Menu(Menuing::Main), &w);
        assert_eq!(s.menu, None, "the same button closes it");
    }
}

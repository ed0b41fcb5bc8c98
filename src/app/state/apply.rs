//! What each command does to the state.

use super::super::command::{Colors, Command};
use super::super::world::World;
use super::moves::is_place;
use super::{Damage, Effect, Outcome, State, WHEN_READ};
use crate::figure::Reduce;

/// The order in which reductions follow each other.
const REDUCTIONS: [Reduce; 5] = [
    Reduce::Mean,
    Reduce::Min,
    Reduce::Max,
    Reduce::Extreme,
    Reduce::Count,
];

impl State {
    /// Does what a command asks. Numbers that are none, or places in no window, change nothing.
    pub fn apply(&mut self, command: &Command, world: &World) -> Outcome {
        let mut damage = self.settle(world);
        let points = matches!(command, Command::Point(_) | Command::Leave | Command::Move(_));
        let (told, rubber) = (self.message.clone(), self.rubber);
        if !points && *command != Command::Cancel {
            self.message = None;
        }
        if !points
            && !matches!(
                command,
                Command::Zoom { .. } | Command::Pan { .. } | Command::Step { .. } | Command::Nearer(_)
            )
        {
            self.history.rest();
        }
        damage |= self.change(command, world);
        damage |= Damage::OVERLAY.when(told != self.message || rubber != self.rubber);
        Outcome {
            damage,
            effect: effect(command),
        }
    }

    fn change(&mut self, command: &Command, world: &World) -> Damage {
        match command {
            Command::Point(at) if is_place(*at) => {
                Damage::OVERLAY.when(self.pointer.replace(*at) != Some(*at))
            }
            Command::Point(_) => Damage::NONE,
            Command::Leave => Damage::OVERLAY.when(self.pointer.take().is_some()),
            Command::Zoom { at, factor, alone } => self.zoom(*at, *factor, *alone, world),
            Command::Pan { at, by, alone } => self.pan(*at, *by, *alone, world),
            Command::Begin { drag, at, alone } => self.begin(*drag, *at, *alone, world),
            Command::Move(at) => self.drag_to(*at, world),
            Command::End(at) => self.end(*at, world),
            Command::Cancel => self.cancel(world),
            Command::Fit { at, alone } => self.fit(*at, *alone, world),
            Command::Step { right, down, reach } => self.step(*right, *down, *reach, world),
            Command::Nearer(factor) => self.nearer(*factor, world),
            Command::Home => self.home(None, world),
            Command::Actual => self.actual(world),
            Command::Back => self.travel(true, world),
            Command::Forward => self.travel(false, world),
            Command::Square => self.square(world),
            Command::Show(view) => self.exactly(view, world),
            Command::Click { at, extend } => self.click(*at, *extend, world),
            Command::Select { panel, rows, columns } => self.select(*panel, rows, columns, world),
            Command::NextMaximum => self.next_maximum(world),
            Command::Search(typing) => self.type_search(typing, world),
            Command::Reduce(wanted) => self.reduce(*wanted, world),
            Command::Colors(colors) => self.color(colors, world),
            Command::Annotations => {
                toggle(&mut self.overrides.annotations, world.annotations, Damage::COLORS)
            }
            Command::Borders => toggle(&mut self.overrides.borders, world.borders, Damage::COLORS),
            Command::Labels => toggle(&mut self.overrides.labels, world.labels, Damage::LAYOUT),
            Command::Keys => {
                self.keys = !self.keys;
                Damage::OVERLAY
            }
            Command::Frames => {
                self.frames = !self.frames;
                Damage::OVERLAY
            }
            Command::Copy
            | Command::CopyPicture
            | Command::Save
            | Command::SaveFigure
            | Command::Write
            | Command::FullScreen
            | Command::Quit => Damage::NONE,
        }
    }

    /// Leaves a word for the person; whether it is a new one is seen when the command is done.
    pub(super) fn say(&mut self, text: String) -> Damage {
        self.message = Some(text);
        Damage::NONE
    }

    /// Gives up one thing: a gesture, the search, the overlay of keys, the selection, the message.
    fn cancel(&mut self, world: &World) -> Damage {
        if let Some(damage) = self.give_up(world) {
            return damage;
        }
        if self.search.take().is_some() {
            // What it found, or did not, is told no longer.
            (self.found, self.message) = (None, None);
            return Damage::OVERLAY;
        }
        if self.keys {
            self.keys = false;
            return Damage::OVERLAY;
        }
        let selected = self.selection.take().is_some();
        Damage::OVERLAY.when(selected || self.message.take().is_some())
    }

    /// A reduction, or the next one. Counts have limits of their own, so the bar changes with them.
    fn reduce(&mut self, wanted: Option<Reduce>, world: &World) -> Damage {
        let now = self.overrides.reduce.unwrap_or(world.reduce);
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

    /// Changes of the scale under the pointer, else of the first.
    fn color(&mut self, colors: &Colors, world: &World) -> Damage {
        let scale = self.pointer.and_then(|at| world.scale_at(at)).unwrap_or(0);
        if scale >= world.scales.len() {
            return Damage::NONE;
        }
        match colors {
            // Which norms suit the values only all of them tell.
            Colors::NextNorm | Colors::Norm(_) if world.coarse => {
                self.say(format!("norms can be chosen {WHEN_READ}"))
            }
            Colors::Turn(by) => self.turn_map(scale, *by, world),
            Colors::Map(name) => self.name_map(scale, name),
            Colors::Invert => self.invert_map(scale),
            Colors::NextNorm => self.next_norm(scale, world),
            Colors::Norm(text) => self.name_norm(scale, text, world),
            Colors::Limits(low, high) => self.set_limits(scale, *low, *high, world),
            Colors::Auto => self.auto_limits(scale),
        }
    }
}

/// On where it is off, and off where it is on.
fn toggle(change: &mut Option<bool>, painted: bool, damage: Damage) -> Damage {
    *change = Some(!change.unwrap_or(painted));
    damage
}

/// What a command does outside.
fn effect(command: &Command) -> Option<Effect> {
    match command {
        Command::Copy => Some(Effect::Copy),
        Command::CopyPicture => Some(Effect::CopyPicture),
        Command::Save => Some(Effect::Save),
        Command::SaveFigure => Some(Effect::SaveFigure),
        Command::Write => Some(Effect::Write),
        Command::FullScreen => Some(Effect::FullScreen),
        Command::Quit => Some(Effect::Quit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::command::{Drag, Typing};
    use super::super::sample::{at, world};
    use super::*;

    #[test]
    fn pointing_is_the_overlays() {
        let w = world(1, 10, 10);
        let mut s = State::new(&w);
        let point = Command::Point(at(3.0, 4.0));
        assert_eq!(
            (s.apply(&point, &w).damage, s.apply(&point, &w).damage),
            (Damage::OVERLAY, Damage::NONE)
        );
        assert_eq!(
            (s.apply(&Command::Point(at(f64::NAN, 4.0)), &w).damage, s.pointer),
            (Damage::NONE, Some(at(3.0, 4.0)))
        );
        assert_eq!(
            (
                s.apply(&Command::Leave, &w).damage,
                s.apply(&Command::Leave, &w).damage
            ),
            (Damage::OVERLAY, Damage::NONE)
        );
    }

    #[test]
    fn esc_gives_up_one_thing_after_the_other() {
        let w = world(1, 10, 10);
        let mut s = State::new(&w);
        s.apply(&Command::Keys, &w);
        s.apply(
            &Command::Select {
                panel: 0,
                rows: 0..1,
                columns: 0..1,
            },
            &w,
        );
        s.apply(&Command::Search(Typing::Open), &w);
        s.apply(
            &Command::Begin {
                drag: Drag::Box,
                at: at(200.0, 200.0),
                alone: false,
            },
            &w,
        );
        s.message = Some("saved".to_owned());
        let mut left = || {
            let d = s.apply(&Command::Cancel, &w).damage;
            (
                d.any(),
                s.rubber.is_some(),
                s.search.is_some(),
                s.keys,
                s.selection.is_some(),
                s.message.is_some(),
            )
        };
        assert_eq!(left(), (true, false, true, true, true, true));
        assert_eq!(left(), (true, false, false, true, true, false));
        assert_eq!(left(), (true, false, false, false, true, false));
        assert_eq!(left(), (true, false, false, false, false, false));
        assert_eq!(left(), (false, false, false, false, false, false));
    }

    #[test]
    fn what_was_told_goes_with_the_next_command() {
        let w = world(1, 10, 10);
        let mut s = State::new(&w);
        s.message = Some("saved".to_owned());
        s.apply(&Command::Point(at(1.0, 1.0)), &w);
        assert_eq!(s.message.as_deref(), Some("saved"));
        assert_eq!(
            (s.apply(&Command::Home, &w).damage, &s.message),
            (Damage::OVERLAY, &None)
        );
    }

    #[test]
    fn reductions_follow_each_other() {
        let w = World {
            reduce: Reduce::Max,
            ..world(1, 10, 10)
        };
        let mut s = State::new(&w);
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
    fn toggles_begin_at_what_is_painted() {
        let w = World {
            annotations: true,
            ..world(1, 10, 10)
        };
        let mut s = State::new(&w);
        let damage = [
            Command::Annotations,
            Command::Borders,
            Command::Labels,
            Command::Keys,
            Command::Frames,
        ]
        .map(|c| s.apply(&c, &w).damage);
        assert_eq!(
            damage,
            [
                Damage::COLORS,
                Damage::COLORS,
                Damage::LAYOUT,
                Damage::OVERLAY,
                Damage::OVERLAY
            ]
        );
        assert_eq!(
            (s.overrides.annotations, s.overrides.borders, s.overrides.labels),
            (Some(false), Some(true), Some(false))
        );
        assert!(s.keys && s.frames);
        s.apply(&Command::Annotations, &w);
        assert_eq!(s.overrides.annotations, Some(true));
    }

    #[test]
    fn effects_leave_the_state_alone() {
        let w = world(1, 10, 10);
        let mut s = State::new(&w);
        let all = [
            (Command::Copy, Effect::Copy),
            (Command::CopyPicture, Effect::CopyPicture),
            (Command::Save, Effect::Save),
            (Command::SaveFigure, Effect::SaveFigure),
            (Command::Write, Effect::Write),
            (Command::FullScreen, Effect::FullScreen),
            (Command::Quit, Effect::Quit),
        ];
        for (command, effect) in all {
            assert_eq!(
                s.apply(&command, &w),
                Outcome {
                    damage: Damage::NONE,
                    effect: Some(effect)
                }
            );
        }
        assert_eq!(s.apply(&Command::Home, &w), Outcome::default());
    }
}

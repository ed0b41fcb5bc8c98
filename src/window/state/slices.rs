//! Slices of an array of more than two dimensions: which one is wanted, along which axis keys go on, and whether they play.

use super::super::geometry::{Hit, WindowGeometry};
use super::command::Slicing;
use super::drags::Gesture;
use super::{Damage, ViewState};
use gridscope_core::geom::Point;
use gridscope_core::grid::SlicedAxis;
use gridscope_core::scale::short;

/// Said where there is no other slice to go to.
const NONE: &str = "the data have rows and columns, and no slices";

/// Slices that play in a second; the fewest and the most.
const SPEED: f64 = 10.0;
const SPEEDS: [f64; 2] = [0.1, 60.0];

/// The slice that is wanted; the one that is shown is in [`WindowGeometry::slices`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slices {
    /// The index of each sliced axis.
    pub wanted: Vec<usize>,
    /// The axis that keys go along, by its place in the list.
    pub chosen: usize,
    /// Whether slices follow each other by themselves.
    pub plays: bool,
    /// How many play in a second, if that was chosen.
    speed: Option<f64>,
    /// Whether the last step went to a lower index.
    pub goes_back: bool,
    /// Whether automatic limits are to be those of all slices.
    pub of_all: bool,
    /// The axes that the indexes are of: number and length.
    axes: Vec<(usize, usize)>,
}

impl Slices {
    /// How many slices play in a second.
    pub(crate) fn speed(&self) -> f64 {
        self.speed.unwrap_or(SPEED)
    }

    /// Fits the indexes to the axes of the data: those of other axes are the ones that are shown.
    pub(crate) fn refit(&mut self, shown: &[SlicedAxis]) {
        let is_same = self.axes.len() == shown.len()
            && self.axes.iter().zip(shown).all(|(own, axis)| own.0 == axis.axis);
        if is_same {
            for (i, axis) in shown.iter().enumerate() {
                self.wanted[i] = self.wanted[i].min(axis.len().saturating_sub(1));
            }
        } else {
            self.wanted = shown.iter().map(|axis| axis.index).collect();
            self.chosen = self.chosen.min(shown.len().saturating_sub(1));
            (self.plays, self.of_all) = (false, false);
        }
        self.axes = shown.iter().map(|axis| (axis.axis, axis.len())).collect();
    }

    /// The indexes after this many more of the chosen axis; beyond the last comes the first where slices play.
    fn after(&self, by: i64) -> Option<usize> {
        let (len, at) = (self.axes.get(self.chosen)?.1, *self.wanted.get(self.chosen)?);
        let to = i64::try_from(at).ok()?.saturating_add(by);
        let last = i64::try_from(len.saturating_sub(1)).ok()?;
        let to = if self.plays && to > last { 0 } else { to.clamp(0, last) };
        usize::try_from(to).ok()
    }

    /// The slices that are likely wanted next, the likeliest first.
    pub(crate) fn ahead(&self) -> Vec<Vec<usize>> {
        let sign = if self.goes_back && !self.plays { -1 } else { 1 };
        let steps: &[i64] = if self.plays { &[1, 2, 3, 4] } else { &[1, 2, -1] };
        let mut out: Vec<Vec<usize>> = Vec::new();
        for step in steps {
            let mut at = self.wanted.clone();
            if let (Some(index), Some(slot)) = (self.after(sign * step), at.get_mut(self.chosen)) {
                *slot = index;
            }
            if at != self.wanted && !out.contains(&at) {
                out.push(at);
            }
        }
        out
    }
}

impl ViewState {
    /// Whether slices follow each other by themselves.
    pub fn is_playing(&self) -> bool {
        self.slices.plays
    }

    /// Goes to another slice, or chooses the axis along which keys go.
    pub(super) fn slice(&mut self, slicing: &Slicing, geometry: &WindowGeometry) -> Damage {
        let axes = geometry.slices.len();
        if axes == 0 {
            return self.say(NONE.to_owned());
        }
        match *slicing {
            Slicing::To { axis, index } => match geometry.slices.iter().position(|s| s.axis == axis) {
                Some(place) => {
                    let (name, len) = (geometry.slices[place].name(), geometry.slices[place].len());
                    let damage = self.slice_to(place, index);
                    if index >= len {
                        self.say(format!("{name} has {len} slices: 0 to {}", len.saturating_sub(1)));
                    }
                    damage
                }
                None => {
                    let known: Vec<String> = geometry.slices.iter().map(|s| s.axis.to_string()).collect();
                    self.say(format!("axis {axis} is not sliced; axis {} is", known.join(", ")))
                }
            },
            Slicing::By(by) => match self.slices.after(by) {
                Some(index) => self.slice_to(self.slices.chosen, index),
                None => Damage::NONE,
            },
            Slicing::Axis(by) => {
                let place = i64::try_from(self.slices.chosen).unwrap_or_default() + i64::from(by);
                let place = place.rem_euclid(i64::try_from(axes).unwrap_or(1));
                self.slices.chosen = usize::try_from(place).unwrap_or_default();
                self.say(format!("slices along {}", geometry.slices[self.slices.chosen].name()))
            }
            Slicing::Speed(speed) => {
                self.slices.speed = Some(speed.clamp(SPEEDS[0], SPEEDS[1]));
                self.say(format!("slices play {} a second", short(self.slices.speed())))
            }
            Slicing::At(at) => self.press_slider(at, geometry),
            Slicing::Turn { at, by } => match geometry.hit(at) {
                Hit::Slider(i) => {
                    let chosen = std::mem::replace(&mut self.slices.chosen, geometry.sliders[i].place);
                    let index = self.slices.after(by);
                    let to = index.map_or(Damage::NONE, |i| self.slice_to(self.slices.chosen, i));
                    to | Damage::OVERLAY.when(chosen != self.slices.chosen)
                }
                _ => Damage::NONE,
            },
        }
    }

    /// A click on a slider.
    fn press_slider(&mut self, at: Point, geometry: &WindowGeometry) -> Damage {
        let Hit::Slider(i) = geometry.hit(at) else {
            return Damage::NONE;
        };
        let slider = geometry.sliders[i];
        if at.x >= slider.track.x {
            return self.slide(slider.place, at, geometry);
        }
        let is_text = at.x >= slider.text.x;
        let plays_here = self.slices.plays && self.slices.chosen == slider.place;
        self.slices.chosen = slider.place;
        // A click on the text chooses the axis.
        self.slices.plays = if is_text { self.slices.plays } else { !plays_here };
        Damage::OVERLAY
    }

    /// The drag that begins on a slider.
    pub(super) fn hold_slider(&self, slider: usize, geometry: &WindowGeometry) -> Option<Gesture> {
        let place = geometry.sliders.get(slider)?.place;
        let before = *self.slices.wanted.get(place)?;
        Some(Gesture::Slice { place, before })
    }

    /// Wants the index under a point of the slider of an axis.
    pub(super) fn slide(&mut self, place: usize, at: Point, geometry: &WindowGeometry) -> Damage {
        let slider = geometry.sliders.iter().find(|slider| slider.place == place);
        let (Some(slider), Some(axis)) = (slider, geometry.slices.get(place)) else {
            return Damage::NONE;
        };
        let chosen = std::mem::replace(&mut self.slices.chosen, place);
        let chose = Damage::OVERLAY.when(chosen != place);
        self.slice_to(place, slider.index(at, axis.len())) | chose
    }

    /// Wants an index of the axis at this place of the list, the last one where it has fewer.
    pub(super) fn slice_to(&mut self, place: usize, index: usize) -> Damage {
        let Some(&(_, len)) = self.slices.axes.get(place) else {
            return Damage::NONE;
        };
        let (index, before) = (index.min(len.saturating_sub(1)), self.slices.wanted[place]);
        self.slices.chosen = place;
        if index != before {
            self.slices.goes_back = index < before;
        }
        self.slices.wanted[place] = index;
        Damage::OVERLAY.when(index != before)
    }

    /// Lets slices follow each other by themselves, or stops them.
    pub(super) fn play(&mut self, geometry: &WindowGeometry) -> Damage {
        if geometry.slices.is_empty() {
            return self.say(NONE.to_owned());
        }
        self.slices.plays = !self.slices.plays;
        Damage::OVERLAY
    }

    /// Shows the values of a cell in all slices, or hides them.
    pub(super) fn show_trace(&mut self, geometry: &WindowGeometry) -> Damage {
        if geometry.slices.is_empty() {
            return self.say(NONE.to_owned());
        }
        self.trace = !self.trace;
        Damage::OVERLAY
    }

    /// Wants limits of all slices, or of the one that is shown.
    pub(super) fn limit_by_slices(&mut self, geometry: &WindowGeometry) -> Damage {
        if geometry.slices.is_empty() {
            return self.say(NONE.to_owned());
        }
        self.slices.of_all = !self.slices.of_all;
        Damage::OVERLAY
    }

    /// Wants the slices that another state wanted, of those axes that are the same and that it `keeps`.
    pub(crate) fn slice_as(
        &mut self,
        other: &ViewState,
        before: &[SlicedAxis],
        now: &[SlicedAxis],
        keeps: impl Fn(&SlicedAxis) -> bool,
    ) {
        for (place, axis) in now.iter().enumerate() {
            let Some(old) = before.iter().position(|b| b.at(0) == axis.at(0)) else {
                continue;
            };
            if old == other.slices.chosen {
                self.slices.chosen = place;
            }
            let wanted = other.slices.wanted.get(old).filter(|_| keeps(axis));
            if let (Some(&index), Some(own)) = (wanted, self.slices.wanted.get_mut(place)) {
                *own = index;
            }
        }
    }

    /// Gives up a slice that cannot be read: the one that is shown is wanted again.
    pub(crate) fn stay(&mut self, geometry: &WindowGeometry) {
        self.slices.wanted = geometry.slices.iter().map(|s| s.index).collect();
        self.slices.plays = false;
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::Command;
    use super::super::test_window::geometry;
    use super::super::{Action, Effect};
    use super::*;
    use gridscope_core::grid::Axis;

    fn window(lengths: &[usize]) -> WindowGeometry {
        let axis = |(axis, len): (usize, &usize)| SlicedAxis::new(axis, 0, Axis::index("", *len), false);
        WindowGeometry { slices: lengths.iter().enumerate().map(axis).collect(), ..geometry(1, 4, 4) }
    }

    fn to(axis: usize, index: usize) -> Command {
        Command::Slice(Slicing::To { axis, index })
    }

    #[test]
    fn steps_end_at_the_ends_and_play_goes_round() {
        let w = window(&[5, 3]);
        let mut s = ViewState::new(&w);
        let mut after = |c: Command| {
            let damage = s.apply(&c, &w).damage;
            (s.slices.wanted.clone(), damage)
        };
        let by = |n| Command::Slice(Slicing::By(n));
        assert_eq!(after(by(1)), (vec![1, 0], Damage::OVERLAY));
        assert_eq!(after(by(10)), (vec![4, 0], Damage::OVERLAY));
        assert_eq!(after(by(1)), (vec![4, 0], Damage::NONE));
        assert_eq!(after(by(i64::MIN)).0, [0, 0]);
        assert_eq!(after(Command::Slice(Slicing::Axis(1))).1, Damage::OVERLAY);
        assert_eq!(after(by(2)).0, [0, 2]);
        assert_eq!(after(to(0, 99)).0, [4, 2]);
        assert_eq!(s.message.as_deref(), Some("axis 0 has 5 slices: 0 to 4"));
        let mut after = |c: Command| {
            let damage = s.apply(&c, &w).damage;
            (s.slices.wanted.clone(), damage)
        };
        after(Command::Slice(Slicing::Speed(1e9)));
        after(Command::Do(Action::Play));
        assert_eq!([after(by(1)).0, after(by(1)).0], [[0, 2], [1, 2]]);
        assert_eq!(s.slices.speed(), 60.0);
    }

    #[test]
    fn neighbours_are_read_in_the_direction_of_play() {
        let w = window(&[6]);
        let mut s = ViewState::new(&w);
        s.apply(&to(0, 4), &w);
        assert_eq!(s.slices.ahead(), [[5], [3]]);
        s.apply(&Command::Slice(Slicing::By(-1)), &w);
        assert_eq!(s.slices.ahead(), [[2], [1], [4]]);
        s.apply(&Command::Do(Action::Play), &w);
        assert_eq!(s.slices.ahead(), [[4], [5], [0]]);
        let one = window(&[1]);
        assert!(ViewState::new(&one).slices.ahead().is_empty());
    }

    #[test]
    fn without_slices_it_says_so() {
        let w = geometry(1, 4, 4);
        let mut s = ViewState::new(&w);
        for command in [to(0, 1), Command::Slice(Slicing::By(1)), Command::Do(Action::Play)] {
            s.apply(&Command::Effect(Effect::Copy), &w);
            s.apply(&command, &w);
            assert_eq!(s.message.as_deref(), Some(NONE), "{command:?}");
        }
        assert!(!s.is_playing());
        let w = window(&[5, 3]);
        let mut s = ViewState::new(&w);
        s.apply(&to(7, 0), &w);
        assert_eq!(s.message.as_deref(), Some("axis 7 is not sliced; axis 0, 1 is"));
    }

    #[test]
    fn other_axes_begin_at_what_is_shown() {
        let mut s = ViewState::new(&window(&[9, 3]));
        s.apply(&to(0, 8), &window(&[9, 3]));
        s.refit(&window(&[4, 3]));
        assert_eq!(s.slices.wanted, [3, 0]);
        s.refit(&window(&[4]));
        assert_eq!(s.slices.wanted, [0]);
    }
}

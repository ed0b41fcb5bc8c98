//! Undo and redo of all that commands change of the picture: views, limits, colours, reduction, switches, the large panel.
//!
//! The state is compared before and after each command, so a new command needs nothing here. A gesture makes one
//! entry when it ends, and so do moves of the same kind in a row.

use super::super::geometry::{Hit, WindowGeometry};
use super::command::{Command, Reach};
use super::refit::Known;
use super::{Action, Damage, ViewState};
use gridscope_core::figure::{Reduce, Sort};
use gridscope_core::geom::Point;
use gridscope_core::view::View;
use gridscope_draw::resolve::{Overrides, ScaleOverrides};

/// The keys by which the window sorts columns and rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LineOrder {
    /// The columns; `None`: in their own order.
    pub columns: Option<Sort>,
    /// The rows.
    pub rows: Option<Sort>,
}

/// The most entries.
const MOST: usize = 200;
/// Notches of a wheel belong together while the pointer stays within this many logical pixels.
const NEAR: f64 = 48.0;

/// State that undo restores.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    views: Vec<View>,
    overrides: Overrides,
    order: LineOrder,
    /// The panel that is shown alone.
    large: Option<usize>,
    /// The panels that the views were fitted to.
    known: Vec<Known>,
    gave_way: bool,
}

impl PartialEq for Snapshot {
    /// Whether the picture is the same.
    fn eq(&self, other: &Self) -> bool {
        (&self.views, &self.overrides, &self.order, self.large)
            == (&other.views, &other.overrides, &other.order, other.large)
    }
}

/// Commands of the same kind in a row make one entry.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Series {
    /// A wheel, or fingers on a trackpad: zoom or pan, over a bar or not, about a place.
    Turn { pans: bool, bar: Option<usize>, at: Point },
    /// Arrow keys.
    Step,
    /// + and -.
    Nearer,
    /// The next panels, or those before.
    Panels,
}

impl Series {
    fn of(command: &Command, geometry: &WindowGeometry) -> Option<Self> {
        let bar = |at| match geometry.hit(at) {
            Hit::Bar(b) | Hit::Distribution(b) => Some(b),
            _ => None,
        };
        match command {
            Command::Zoom { at, .. } | Command::Pan { at, .. } => {
                Some(Self::Turn { pans: matches!(command, Command::Pan { .. }), bar: bar(*at), at: *at })
            }
            Command::Step { reach, .. } => Some(Self::Step).filter(|_| *reach != Reach::Edge),
            Command::Nearer(_) => Some(Self::Nearer),
            Command::Do(Action::NextPanel | Action::PreviousPanel) => Some(Self::Panels),
            _ => None,
        }
    }

    /// Whether a command of the series `next` belongs to this one.
    fn goes_on(self, next: Self, unit: f64) -> bool {
        match (self, next) {
            (Self::Turn { pans, bar, at }, Self::Turn { pans: p, bar: b, at: to }) => {
                (pans, bar) == (p, b) && (at.x - to.x).hypot(at.y - to.y) <= NEAR * unit
            }
            (a, b) => a == b,
        }
    }
}

/// Pictures before each change, and after those that were taken back.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    past: Vec<Snapshot>,
    future: Vec<Snapshot>,
    series: Option<Series>,
    /// The picture before the gesture in progress.
    open: Option<Snapshot>,
}

impl Journal {
    fn leave(&mut self, before: Snapshot, series: Option<Series>, unit: f64) {
        let goes_on = |(a, b): (Series, Series)| a.goes_on(b, unit);
        if !self.past.is_empty() && self.series.zip(series).is_some_and(goes_on) {
            // The future was dropped when the series began.
            return;
        }
        self.series = series;
        self.future.clear();
        self.past.push(before);
        if self.past.len() > MOST {
            self.past.remove(0);
        }
    }
}

impl ViewState {
    fn snapshot(&self) -> Snapshot {
        Snapshot {
            views: self.views.clone(),
            overrides: self.overrides.clone(),
            order: self.order.clone(),
            large: self.large,
            known: self.known.clone(),
            gave_way: self.gave_way,
        }
    }

    /// The picture before a command that may change it; `None` while a gesture is in progress, which was
    /// recorded at its beginning.
    pub(super) fn before(&self, command: &Command) -> Option<Snapshot> {
        let other = !matches!(
            command,
            Command::Point(_)
                | Command::Leave
                | Command::Effect(_)
                | Command::Do(Action::Undo | Action::Redo)
        );
        (other && self.journal.open.is_none()).then(|| self.snapshot())
    }

    /// Records the changes of a command.
    pub(super) fn record(&mut self, command: &Command, before: Option<Snapshot>, geometry: &WindowGeometry) {
        if matches!(command, Command::Point(_) | Command::Leave) {
            return;
        }
        // Maps that are tried in the table are one change.
        if self.gesture.is_some() || self.picker.is_some() {
            self.journal.open = self.journal.open.take().or(before);
            return;
        }
        let series = Series::of(command, geometry);
        if series.is_none() {
            self.journal.series = None;
        }
        if let Some(before) = self.journal.open.take().or(before)
            && before != self.snapshot()
        {
            self.journal.leave(before, series, geometry.logical_pixel());
        }
    }

    /// Records an order of rows and columns that was chosen: one change.
    pub(crate) fn choose_order(&mut self, order: LineOrder, geometry: &WindowGeometry) {
        if order == self.order {
            return;
        }
        let before = self.journal.open.take().unwrap_or_else(|| self.snapshot());
        self.order = order;
        self.journal.leave(before, None, geometry.logical_pixel());
    }

    /// Forgets all changes, because the panels are others.
    pub(super) fn forget_changes(&mut self) {
        self.journal = Journal::default();
    }

    /// Takes back the last change; a gesture in progress is given up.
    pub(super) fn undo(&mut self, geometry: &WindowGeometry) -> Damage {
        if let Some(damage) = self.give_up(geometry) {
            return damage;
        }
        let (mut past, mut future) =
            (std::mem::take(&mut self.journal.past), std::mem::take(&mut self.journal.future));
        let done = self.revisit(&mut past, &mut future, geometry);
        (self.journal.past, self.journal.future) = (past, future);
        self.report(done, "undone", "nothing to undo")
    }

    /// Makes the change again that was taken back last.
    pub(super) fn redo(&mut self, geometry: &WindowGeometry) -> Damage {
        if let Some(damage) = self.give_up(geometry) {
            return damage;
        }
        let (mut past, mut future) =
            (std::mem::take(&mut self.journal.past), std::mem::take(&mut self.journal.future));
        let done = self.revisit(&mut future, &mut past, geometry);
        (self.journal.past, self.journal.future) = (past, future);
        self.report(done, "redone", "nothing to redo")
    }

    /// Says the changes.
    fn report(&mut self, done: Option<(Damage, String)>, how: &str, nothing: &str) -> Damage {
        match done {
            Some((damage, what)) => damage | self.say(format!("{how}: {what}")),
            None => self.say(nothing.to_owned()),
        }
    }

    /// Shows the last picture of a list that differs from the present one, which is added to the other list.
    /// Returns the damage and the changes.
    fn revisit(
        &mut self,
        from: &mut Vec<Snapshot>,
        to: &mut Vec<Snapshot>,
        geometry: &WindowGeometry,
    ) -> Option<(Damage, String)> {
        self.journal.series = None;
        let now = self.snapshot();
        while let Some(mut then) = from.pop() {
            if then.views.len() != now.views.len() {
                // The window has other panels by now.
                continue;
            }
            // Which of two sides that are shown in turn is seen is no change.
            if self.blinks_between(then.large) {
                then.large = now.large;
            }
            self.restore(then, geometry);
            let shown = self.snapshot();
            // If the window has changed since, pictures that differed may now be the same.
            if shown != now {
                let done = (damage(&now, &shown), changes(&now, &shown));
                to.push(now);
                return Some(done);
            }
        }
        None
    }

    fn restore(&mut self, then: Snapshot, geometry: &WindowGeometry) {
        let same_bodies = self.overrides.square == then.overrides.square && self.large == then.large;
        if self.large != then.large {
            self.leave_panel(then.large);
            self.large = then.large;
        }
        (self.views, self.overrides, self.known) = (then.views, then.overrides, then.known);
        (self.gave_way, self.pin, self.order) = (then.gave_way, None, then.order);
        self.overrides.scales.resize(geometry.scales.len(), ScaleOverrides::default());
        // The bodies as painted are others, or those of cells of another shape; the next frame refits the views.
        if same_bodies {
            self.refit(geometry);
        }
    }
}

/// Work to redo where one picture follows another.
fn damage(a: &Snapshot, b: &Snapshot) -> Damage {
    // Counts have a bar of their own; the figure's reduction may be that.
    let counts = |s: &Snapshot| matches!(s.overrides.reduce, None | Some(Reduce::Count));
    // What is not of colours is laid out again.
    let rest = Overrides {
        scales: b.overrides.scales.clone(),
        reduce: b.overrides.reduce,
        annotations: b.overrides.annotations,
        borders: b.overrides.borders,
        ..a.overrides.clone()
    };
    // The figure has a key of the values that its scales hide.
    let hidden = |s: &Snapshot| s.overrides.scales.iter().map(|c| c.hide).collect::<Vec<_>>();
    let laid_out = rest != b.overrides
        || a.overrides.reduce != b.overrides.reduce && (counts(a) || counts(b))
        || hidden(a) != hidden(b)
        || a.order != b.order
        || a.large != b.large;
    Damage::VIEW.when(a.views != b.views)
        | Damage::COLORS.when(rest != a.overrides)
        | Damage::LAYOUT.when(laid_out)
}

/// The names of the differences between two pictures.
fn changes(a: &Snapshot, b: &Snapshot) -> String {
    let scales = |f: fn(&ScaleOverrides, &ScaleOverrides) -> bool| {
        let pairs = a.overrides.scales.iter().zip(&b.overrides.scales);
        pairs.into_iter().any(|(x, y)| f(x, y))
    };
    let (x, y) = (&a.overrides, &b.overrides);
    let all = [
        (a.large != b.large, "large panel"),
        // A larger body may show more.
        (a.views != b.views && a.large == b.large, "view"),
        (a.order != b.order, "sort"),
        (scales(|x, y| (x.limits, x.auto) != (y.limits, y.auto)), "limits"),
        (scales(|x, y| x.colormap != y.colormap), "colormap"),
        (scales(|x, y| (&x.norm, x.center) != (&y.norm, y.center)), "norm"),
        (scales(|x, y| x.hide != y.hide), "threshold"),
        (x.reduce != y.reduce, "reduction"),
        (x.square != y.square, "square cells"),
        (x.annotations != y.annotations, "values in cells"),
        (x.borders != y.borders, "lines between cells"),
        (x.labels != y.labels, "tick labels"),
        (x.theme != y.theme, "theme"),
    ];
    let names: Vec<&str> = all.iter().filter(|c| c.0).map(|c| c.1).collect();
    if names.is_empty() { "figure".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests;

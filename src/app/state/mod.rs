//! The state of the window, and how commands change it. Nothing here depends on windows, devices or files.

mod action;
mod command;
mod square;
mod history;
mod moves;
mod jumps;
mod limits;
mod grip;
mod maps;
mod norms;
mod selection;
mod maxima;
mod search;
mod boxes;
mod drags;
mod refit;
mod succession;
mod dispatch;
mod overrides;
#[cfg(test)]
pub(in crate::app) mod random_commands;
#[cfg(test)]
mod test_window;

pub use action::{Action, Effect};
pub use command::{Colors, Command, Drag, Reach, Typing};

use crate::geom::Point;
use crate::resolve::Overrides;
use crate::view::View;
use std::ops::Range;

/// The end of messages about commands that need all cells before they are read.
pub(super) const WHEN_READ: &str = "once all cells are read";

/// Everything that commands change.
#[derive(Clone, Debug, Default)]
pub struct ViewState {
    /// The view of each panel.
    pub views: Vec<View>,
    /// The pointer, in pixels of the window; `None` outside it.
    pub pointer: Option<Point>,
    /// The selected cells.
    pub selection: Option<Selection>,
    /// The corners of a box that is being drawn, the first where the drag began; over an axis it is as deep
    /// as the body.
    pub(crate) rubber: Option<(Point, Point)>,
    /// Differences from the figure's own colours and marks.
    pub(crate) overrides: Overrides,
    /// The text of a search that is being typed.
    pub search: Option<String>,
    /// Whether the list of all keys is shown.
    pub keys: bool,
    /// Whether frame times are shown.
    pub frames: bool,
    /// The message of the last command.
    pub message: Option<String>,
    history: history::History,
    gesture: Option<drags::Gesture>,
    maxima: Option<maxima::Maxima>,
    /// The last match of the search.
    found: Option<search::Label>,
    /// The figure's own map and norm of each scale.
    own: Vec<maps::Own>,
    /// The panels as the views were last fitted to them.
    known: Vec<refit::Known>,
}

/// A block of cells of one panel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection {
    /// Which panel.
    pub panel: usize,
    /// Its rows.
    pub rows: Range<usize>,
    /// Its columns.
    pub columns: Range<usize>,
    /// The cell (row, column) that it is extended from.
    pub anchor: (usize, usize),
}

/// What has to be redone before the next frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Damage {
    /// Crosshair, status line, selection, overlays.
    pub overlay: bool,
    /// Cells under the pixels, ticks.
    pub view: bool,
    /// Colours and limits.
    pub colors: bool,
    /// Whatever affects the layout; everything else is redone with it.
    pub layout: bool,
}

impl Damage {
    /// Nothing.
    pub(crate) const NONE: Self = Self {
        overlay: false,
        view: false,
        colors: false,
        layout: false,
    };
    /// Crosshair, status line, selection, overlays.
    pub(crate) const OVERLAY: Self = Self {
        overlay: true,
        ..Self::NONE
    };
    /// Cells and ticks.
    pub(crate) const VIEW: Self = Self {
        view: true,
        ..Self::NONE
    };
    /// Colours.
    pub(crate) const COLORS: Self = Self {
        colors: true,
        ..Self::NONE
    };
    /// Everything.
    pub(crate) const LAYOUT: Self = Self {
        layout: true,
        ..Self::NONE
    };

    /// This damage if something changed, else none.
    #[must_use]
    pub(crate) fn when(self, changed: bool) -> Self {
        if changed { self } else { Self::NONE }
    }

    /// Whether anything has to be redrawn.
    pub(crate) fn any(self) -> bool {
        self != Self::NONE
    }
}

impl std::ops::BitOr for Damage {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self {
            overlay: self.overlay || other.overlay,
            view: self.view || other.view,
            colors: self.colors || other.colors,
            layout: self.layout || other.layout,
        }
    }
}

impl std::ops::BitOrAssign for Damage {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// The result of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// What has to be redrawn.
    pub damage: Damage,
    /// What to do outside the state.
    pub effect: Option<Effect>,
}

#[cfg(test)]
mod tests;

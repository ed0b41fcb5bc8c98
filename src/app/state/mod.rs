//! The state of the window, and how commands change it. Nothing here knows of windows, devices or files.

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
mod select;
mod maxima;
mod search;
mod boxes;
mod drags;
mod refit;
mod follow;
mod apply;
mod overrides;
#[cfg(test)]
pub(in crate::app) mod samples;
#[cfg(test)]
mod sample;

pub use action::{Action, Effect};
pub use command::{Colors, Command, Drag, Reach, Typing};

use crate::geom::Point;
use crate::resolve::Overrides;
use crate::view::View;
use std::ops::Range;

/// How messages about a command end that needs all cells before they are read.
pub(super) const WHEN_READ: &str = "when all cells are read";

/// Everything that a person can change by looking around.
#[derive(Clone, Debug, Default)]
pub struct ViewState {
    /// The view of each panel.
    pub views: Vec<View>,
    /// Where the pointer is.
    pub pointer: Option<Point>,
    /// The selected cells.
    pub selection: Option<Selection>,
    /// The corners of a box that is being drawn, where the drag began first; over an axis it is as deep as the body.
    pub rubber: Option<(Point, Point)>,
    /// Colours and marks that differ from the figure's own.
    pub overrides: Overrides,
    /// The text of a search that is being typed.
    pub search: Option<String>,
    /// The overlay of all keys is up.
    pub keys: bool,
    /// Frame times are shown.
    pub frames: bool,
    /// The message of the last command: a path, a label not found.
    pub message: Option<String>,
    history: history::History,
    gesture: Option<drags::Gesture>,
    maxima: Option<maxima::Maxima>,
    /// The label that the search found last.
    found: Option<search::Label>,
    /// The figure's own map and norm of each scale.
    own: Vec<maps::Own>,
    /// The panels that the views were fitted to.
    known: Vec<refit::Known>,
}

/// A block of cells of one panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Which panel.
    pub panel: usize,
    /// Its rows.
    pub rows: Range<usize>,
    /// Its columns.
    pub columns: Range<usize>,
    /// The cell (row, column) that it grows from.
    pub anchor: (usize, usize),
}

/// What has to be done again before the next frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Crosshair, status line, selection, overlays.
    pub overlay: bool,
    /// Which cells lie under the pixels, ticks.
    pub view: bool,
    /// Colours and limits.
    pub colors: bool,
    /// What takes part in the layout: all else is done again with it.
    pub layout: bool,
}

impl Damage {
    /// Nothing.
    pub const NONE: Self = Self {
        overlay: false,
        view: false,
        colors: false,
        layout: false,
    };
    /// Crosshair, status line, selection, overlays.
    pub const OVERLAY: Self = Self {
        overlay: true,
        ..Self::NONE
    };
    /// Cells and ticks.
    pub const VIEW: Self = Self {
        view: true,
        ..Self::NONE
    };
    /// Colours.
    pub const COLORS: Self = Self {
        colors: true,
        ..Self::NONE
    };
    /// Everything.
    pub const LAYOUT: Self = Self {
        layout: true,
        ..Self::NONE
    };

    /// This one if something changed.
    #[must_use]
    pub fn when(self, changed: bool) -> Self {
        if changed { self } else { Self::NONE }
    }

    /// Whether there is anything to draw anew.
    pub fn any(self) -> bool {
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

/// What came of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What to draw anew.
    pub damage: Damage,
    /// What to do.
    pub effect: Option<Effect>,
}

#[cfg(test)]
mod tests;

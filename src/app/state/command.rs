//! Commands: what a person or a script can do in the window.

use super::action::{Action, Effect};
use crate::figure::Reduce;
use crate::geom::Point;
use crate::view::View;
use std::ops::Range;

/// A command. Points are in pixels of the window.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// The pointer is here.
    Point(Point),
    /// The pointer left the window.
    Leave,
    /// An action on the state.
    Do(Action),
    /// An effect outside the state.
    Effect(Effect),
    /// Zooms in `factor` times about a point; over an axis only that axis, over a bar its limits.
    Zoom {
        /// The point that stays.
        at: Point,
        /// Above 1 to zoom in.
        factor: f64,
        /// One panel only.
        alone: bool,
    },
    /// Moves the content under `at` by this many pixels; over a bar, both limits.
    Pan {
        /// A point over the content.
        at: Point,
        /// Pixels to the right and down.
        by: Point,
        /// One panel only.
        alone: bool,
    },
    /// A drag begins.
    Begin {
        /// What it does.
        drag: Drag,
        /// Where it begins.
        at: Point,
        /// One panel only.
        alone: bool,
    },
    /// The drag continues to here.
    Move(Point),
    /// The drag ends.
    End(Point),
    /// Shows all of a body or an axis, or restores automatic limits of a bar: a double click.
    Fit {
        /// A point over the body, the axis or the bar.
        at: Point,
        /// One panel only.
        alone: bool,
    },
    /// Moves the view this many steps right and down.
    Step {
        /// Steps to the right; to the left below 0.
        right: i32,
        /// Steps down; up below 0.
        down: i32,
        /// The length of a step.
        reach: Reach,
    },
    /// Zooms in this many times about the middle of each body.
    Nearer(f64),
    /// Shows exactly this view in every panel.
    Show(View),
    /// Selects a cell, or extends the selection to it.
    Click {
        /// A point over the cell.
        at: Point,
        /// Extends the selection.
        extend: bool,
    },
    /// Selects these cells of a panel.
    Select {
        /// The panel, from 0.
        panel: usize,
        /// Its rows.
        rows: Range<usize>,
        /// Its columns.
        columns: Range<usize>,
    },
    /// Input of a search of labels.
    Search(Typing),
    /// Chooses a reduction; `None`: the next one.
    Reduce(Option<Reduce>),
    /// Changes the scale under the pointer, else the first one.
    Colors(Colors),
}

/// What a drag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drag {
    /// Moves the content; on an axis, along that axis only. On a bar it is the same as `Limits`.
    Pan,
    /// Draws a box that becomes the view; on an axis, a stretch of that axis.
    Box,
    /// Selects a block of cells.
    Select,
    /// Moves the low end, the high end or, from the middle, both ends of a bar.
    Limits,
}

/// How far an arrow key moves the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reach {
    /// A tenth of the view.
    Step,
    /// Nine tenths of the view.
    Page,
    /// To the edge of the data.
    Edge,
}

/// Input of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Typing {
    /// Opens the search.
    Open,
    /// Adds text.
    Text(String),
    /// Erases the last character.
    Erase,
    /// Jumps to the next match.
    Next,
}

/// Changes of a colour scale.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Colors {
    /// The next map (1) or the one before (-1).
    Turn(i32),
    /// This map.
    Map(String),
    /// The map reversed.
    Invert,
    /// The next norm.
    NextNorm,
    /// This norm.
    Norm(String),
    /// These limits.
    Limits(f64, f64),
    /// The figure's own limits, automatic unless it names some.
    Auto,
}

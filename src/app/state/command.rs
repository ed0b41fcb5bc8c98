//! What a person or a script can ask of the window.

use super::action::{Action, Effect};
use crate::figure::Reduce;
use crate::geom::Point;
use crate::view::View;
use std::ops::Range;

/// One thing to do. Places are pixels of the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// The pointer is here.
    Point(Point),
    /// The pointer left the window.
    Leave,
    /// An action on the state.
    Do(Action),
    /// Something outside the state.
    Effect(Effect),
    /// Zooms in `factor` times about a place; over an axis that axis alone, over a bar its limits. `alone`: one panel only.
    Zoom { at: Point, factor: f64, alone: bool },
    /// The content under `at` moves by this many pixels; over a bar both limits do.
    Pan { at: Point, by: Point, alone: bool },
    /// A drag begins.
    Begin { drag: Drag, at: Point, alone: bool },
    /// The drag goes on to here.
    Move(Point),
    /// The drag ends.
    End(Point),
    /// Double click: on a body all of it, on an axis that axis, on a bar automatic limits.
    Fit { at: Point, alone: bool },
    /// Arrows: the view moves this many steps right and down.
    Step { right: i32, down: i32, reach: Reach },
    /// Zooms in this many times about the middle of the bodies.
    Nearer(f64),
    /// Exactly this view, in every panel.
    Show(View),
    /// A click selects a cell, or extends the selection to it.
    Click { at: Point, extend: bool },
    /// These cells of a panel are selected.
    Select {
        panel: usize,
        rows: Range<usize>,
        columns: Range<usize>,
    },
    /// Keys of a search of labels.
    Search(Typing),
    /// The reduction; none: the next one.
    Reduce(Option<Reduce>),
    /// Maps, norms and limits of the scale under the pointer, else of the first.
    Colors(Colors),
}

/// What a drag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drag {
    /// Moves the content; on an axis along it alone; begun on a bar it is `Limits`.
    Pan,
    /// Draws a box that becomes the view; on an axis a stretch of it.
    Box,
    /// Selects a block of cells.
    Select,
    /// On a bar: its low end, its high end or its middle, whichever was taken hold of.
    Limits,
}

/// How far an arrow goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A tenth of the view.
    Step,
    /// Nine tenths of it.
    Page,
    /// To the edge of the data.
    Edge,
}

/// Keys of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typing {
    /// The search begins.
    Open,
    /// More text.
    Text(String),
    /// The last character goes.
    Erase,
    /// Jumps to the next match.
    Next,
}

/// Changes of a colour scale.
#[derive(Clone, Debug, PartialEq)]
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

//! What a person or a script can ask of the window.

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
    /// `factor` times nearer about a place; over an axis that axis alone, over a bar its limits. `alone`: one panel only.
    Zoom { at: Point, factor: f64, alone: bool },
    /// The content under `at` moves by so many pixels; over a bar both limits do.
    Pan { at: Point, by: Point, alone: bool },
    /// A drag begins.
    Begin { drag: Drag, at: Point, alone: bool },
    /// The drag goes on to here.
    Move(Point),
    /// The drag ends.
    End(Point),
    /// Esc: what is in work is given up, what lies over the figure goes.
    Cancel,
    /// Double click: on a body all of it, on an axis that axis, on a bar automatic limits.
    Fit { at: Point, alone: bool },
    /// Arrows: the view goes so many steps right and down.
    Step { right: i32, down: i32, reach: Reach },
    /// So many times nearer about the middle of the bodies.
    Nearer(f64),
    /// All of the data.
    Home,
    /// A cell a pixel, about the middle.
    Actual,
    /// The view before.
    Back,
    /// The view after.
    Forward,
    /// Square cells, or not.
    Square,
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
    /// The greatest value of the panel under the pointer; as long as the cell found is still selected: the next one.
    NextMaximum,
    /// Keys of a search of labels.
    Search(Typing),
    /// The reduction; none: the next one.
    Reduce(Option<Reduce>),
    /// Maps, norms and limits of the scale under the pointer, else of the first.
    Colors(Colors),
    /// Values in cells, or not.
    Annotations,
    /// Lines between cells, or not.
    Borders,
    /// Tick labels, or not.
    Labels,
    /// The value or the selection to the clipboard.
    Copy,
    /// The picture to the clipboard.
    CopyPicture,
    /// The view as STEM-1.png.
    Save,
    /// The whole figure as STEM-1.png.
    SaveFigure,
    /// The state as a figure file STEM-1.toml.
    Write,
    /// Full screen, or not.
    FullScreen,
    /// All keys, or not.
    Keys,
    /// Frame times, or not.
    Frames,
    /// The window closes.
    Quit,
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
    /// The map the other way round.
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

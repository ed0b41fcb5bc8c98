//! Commands of a person or a script to the window.

use super::action::{Action, Effect};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::Point;
use gridscope_core::view::View;
use std::ops::Range;

/// The zoom factor of a notch of the wheel.
pub(crate) const NOTCH: f64 = 1.15;
/// The zoom factor of a press of + or -: three notches.
pub(crate) const PRESS: f64 = NOTCH * NOTCH * NOTCH;

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
        /// Its effect.
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
    /// A double click: shows all of a body or an axis, restores automatic limits of a bar; on the title of a panel shows this
    /// panel alone, or all again.
    Fit {
        /// A point over the body, the axis, the bar or the title.
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
    /// Selects and centres a cell, or the row or column of a label.
    Go(Destination),
    /// Shows this panel alone, counted from 0; `None`: all panels.
    Panel(Option<usize>),
    /// Shows the other panel left of a divider in the body of the large one, or not.
    Swipe(Swiping),
    /// Input of a menu.
    Menu(Menuing),
    /// Opens another file in place of this one, with flags as after it on the command line.
    Open {
        /// Its path.
        file: String,
        /// The flags.
        flags: Vec<String>,
    },
    /// Saves the view under a name, whose end is the format; a figure file holds view and colours.
    Save(String),
    /// Reads the files that are shown again, with further flags.
    Read(Vec<String>),
    /// Input of a typed line: a search of labels, or the prompt.
    Type(Typing),
    /// Chooses a map of the table of colormaps.
    Pick(Pick),
    /// Scrolls the list of keys.
    Scroll(Scrolling),
    /// Chooses a reduction; `None`: the next one.
    Reduce(Option<Reduce>),
    /// Changes the scale under the pointer, else the first one.
    Colors(Colors),
    /// Goes to another slice of an array of more than two dimensions.
    Slice(Slicing),
}

/// Effect of a drag.
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
    /// As `Limits`, but limits do not stop at round numbers.
    Fine,
    /// Moves the view to the place of the minimap under the pointer.
    Overview,
    /// Moves the slider of a sliced axis.
    Slice,
    /// Moves the divider between two sides.
    Divider,
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

/// A place in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination {
    /// A cell of the panel under the pointer, else of the selection's, else of the first one. Beyond the data: the last cell.
    Cell {
        /// Its row, numbered as in read-outs.
        row: usize,
        /// Its column, numbered as in read-outs.
        column: usize,
    },
    /// A row or column by its label, or the first one whose label contains this text.
    Label(String),
}

/// Purpose of a typed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// A search of labels.
    Search,
    /// A line of a script.
    Prompt,
    /// A name in the table of colormaps.
    Map,
}

/// A choice in the table of colormaps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Pick {
    /// The map this many places right and down.
    Step {
        /// Places to the right; to the left below 0.
        right: i32,
        /// Lines down; up below 0.
        down: i32,
    },
    /// The map at this point, for good.
    At(Point),
}

/// How far the list of keys is scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scrolling {
    /// By lines; up below 0.
    Lines(i32),
    /// By pages, of as many lines as are seen at once; up below 0.
    Pages(i32),
}

/// Input of a typed line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Typing {
    /// Opens an empty line.
    Open(Entry),
    /// Opens the prompt with this text and a space typed already.
    Prompt(String),
    /// Adds text at the cursor.
    Text(String),
    /// Erases a part of the text.
    Erase(Erased),
    /// Moves the cursor.
    Cursor(CursorMove),
    /// Completes the word before the cursor; again: by the next candidate, or the one before.
    Complete {
        /// The one before.
        back: bool,
    },
    /// Recalls a line entered earlier in the session: an older or a newer one.
    Recall {
        /// The older one.
        older: bool,
    },
    /// Goes to the next match of the search or the one before, or runs the line of the prompt.
    Enter {
        /// The one before.
        back: bool,
    },
}

/// The part of a typed line that is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Erased {
    /// The character before the cursor.
    Before,
    /// The character after the cursor.
    After,
    /// Everything before the cursor.
    ToStart,
}

/// A move of the cursor of a typed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CursorMove {
    /// One character to the left.
    Left,
    /// One character to the right.
    Right,
    /// To the start.
    Start,
    /// To the end.
    End,
}

/// Input of a menu. Any other command closes it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Menuing {
    /// Opens the menu of the place at this point.
    At(Point),
    /// Opens the menu of the place under the pointer.
    Here,
    /// Opens the menu of the window, or closes it.
    Main,
    /// Goes this many entries down, or up below 0.
    Step(i32),
}

/// The divider between the two sides of the large panel.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Swiping {
    /// Shows the divider where it was last, at first in the middle, or takes it away.
    Toggle,
    /// Puts it at this share of the body, from the left (0 to 1).
    To(f64),
    /// Moves it to the right by this share of the body, to the left below 0.
    By(f64),
}

/// Another slice of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Slicing {
    /// An index of an axis.
    To {
        /// The axis by its number in the array, from 0.
        axis: usize,
        /// The index; the last one where there are fewer.
        index: usize,
    },
    /// This many indexes on along the chosen axis, back below 0.
    By(i64),
    /// Chooses the next axis (1) or the one before (-1).
    Axis(i32),
    /// Slices that play follow each other this often in a second.
    Speed(f64),
    /// A click on a slider: the index under the point, or plays where the triangle is.
    At(Point),
    /// The wheel over a slider: this many indexes on along its axis.
    Turn {
        /// A point over the slider.
        at: Point,
        /// Indexes; back below 0.
        by: i64,
    },
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
    /// This low limit; the high one stays as painted.
    Low(f64),
    /// This high limit; the low one stays as painted.
    High(f64),
    /// The limits at these percentiles (0 to 100) of the values.
    Percentiles(f64, f64),
    /// The least and the greatest value of the cells in view.
    InView,
    /// This value is at the middle of the map; `None`: the figure's own centre, if it has one.
    Center(Option<f64>),
    /// The figure's own limits, automatic unless it names some.
    Auto,
    /// Values below this are not shown.
    HideBelow(f64),
    /// Values above this are not shown.
    HideAbove(f64),
    /// All values are shown.
    HideNone,
}

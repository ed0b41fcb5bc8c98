//! The state of the window, and how commands change it. Nothing here depends on windows, devices or files.

mod action;
mod command;
mod history;
mod shape;
mod moves;
mod limits;
mod distribution;
mod maps;
mod center;
mod found_limits;
mod selection;
mod extremes;
mod search;
mod typing;
mod tools;
mod menu;
mod drags;
mod enlarging;
mod comparing;
mod slices;
mod refit;
mod undo;
mod messages;
mod dispatch;
#[cfg(test)]
pub(crate) mod random_commands;
#[cfg(test)]
pub(crate) mod test_window;

pub use action::{Action, Effect};
pub use command::{
    Colors, Command, CursorMove, Destination, Drag, Entry, Erased, Menuing, Pick, Reach, Scrolling, Slicing,
    Swiping, Typing,
};
pub(super) use command::{NOTCH, PRESS};
pub(super) use enlarging::panel_name;
pub(crate) use found_limits::{Ask, Pointed};
pub(super) use menu::{Menu, READ, SET_LIMITS, SET_THRESHOLD};
pub use messages::Mode;
pub(crate) use search::Matches;
pub(super) use selection::DOUBLE_CLICK;
pub(super) use tools::{Icon, TOOLS, places};
pub use typing::{TextField, TypedLine};
pub(crate) use undo::LineOrder;

use gridscope_core::geom::Point;
use gridscope_core::view::View;
use gridscope_draw::resolve::Overrides;
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
    /// The panel that is shown alone, in the whole window.
    pub large: Option<usize>,
    /// The other side of the large panel, and how both are shown.
    pub(crate) comparing: comparing::Comparing,
    /// How many thumbnails are left of the window, where they were scrolled.
    pub(crate) strip: Option<f64>,
    /// Whether no thumbnails are shown.
    pub(crate) no_strip: bool,
    /// The selected cells.
    pub selection: Option<Selection>,
    /// The corners of a box that is being drawn, the first where the drag began; over an axis it is as deep
    /// as the body.
    pub(crate) rubber: Option<(Point, Point)>,
    /// Differences from the figure's own colours and marks.
    pub(crate) overrides: Overrides,
    /// The keys by which columns and rows are sorted.
    pub(crate) order: LineOrder,
    /// The line that is being typed: a search, or the prompt.
    pub line: Option<TypedLine>,
    /// The slice that is wanted of an array of more than two dimensions.
    pub(crate) slices: slices::Slices,
    /// The table of colormaps, while it is open.
    pub(crate) picker: Option<maps::Picker>,
    /// Whether the cell under the pointer is marked in all panels.
    pub linked_cursor: bool,
    /// Whether the list of all keys is shown.
    pub keys: bool,
    /// How far that list is scrolled.
    pub(crate) scroll: messages::Scroll,
    /// Whether statistics of the selection, or of a panel, are shown.
    pub statistics: bool,
    /// Whether profiles along the row and the column under the pointer are shown.
    pub profiles: bool,
    /// Whether the values of the cell under the pointer in all slices are shown.
    pub trace: bool,
    /// The scale whose distribution is shown.
    pub distribution: Option<usize>,
    /// Whether the bars of a distribution are as long as the logarithms of their counts.
    pub log_counts: bool,
    /// Whether moves concern one panel only, as while Alt is held.
    pub alone: bool,
    /// Whether frame times are shown.
    pub frames: bool,
    /// The menu that is open.
    pub(crate) menu: Option<menu::Menu>,
    /// Files that were opened before, the last one first.
    pub(crate) recent: Vec<String>,
    /// Flags that read the files in another way, as lines of the prompt have them.
    pub(crate) offers: Vec<String>,
    /// Effect of a drag with the left button over cells, if not moving the view.
    pub mode: Option<Mode>,
    /// Whether light or dark was chosen by hand, so that the desktop's theme no longer matters.
    pub(crate) themed: bool,
    /// Whether the minimap is shown while the view is part of the data.
    pub minimap: bool,
    /// Whether the toolbar is hidden.
    pub without_toolbar: bool,
    /// The message of the last command.
    pub message: Option<String>,
    /// What the last command has to know of all cells.
    ask: Option<Ask>,
    /// The scale that the pointer was over last.
    scale_pointed: Option<usize>,
    /// The panel that the pointer was over last.
    panel_pointed: Option<usize>,
    messages: messages::Messages,
    history: history::History,
    journal: undo::Journal,
    /// The last click, and the selection before it.
    clicked: Option<(Point, Option<Selection>)>,
    /// Square cells gave way to a move along one axis; all data make them square again.
    gave_way: bool,
    /// The place of the last zoom, until the next frame is laid out.
    pin: Option<shape::Pin>,
    gesture: Option<drags::Gesture>,
    extremes: Option<extremes::Extremes>,
    /// Lines of the prompt that were entered, the last one at the end.
    entered: Vec<String>,
    /// Matches of the search in each panel.
    pub(crate) matches: Vec<Matches>,
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

/// Work to redo before the next frame.
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
    pub(crate) const NONE: Self = Self { overlay: false, view: false, colors: false, layout: false };
    /// Crosshair, status line, selection, overlays.
    pub(crate) const OVERLAY: Self = Self { overlay: true, ..Self::NONE };
    /// Cells and ticks.
    const VIEW: Self = Self { view: true, ..Self::NONE };
    /// Colours.
    pub(crate) const COLORS: Self = Self { colors: true, ..Self::NONE };
    /// Everything.
    const LAYOUT: Self = Self { layout: true, ..Self::NONE };

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
    /// Work to redo.
    pub damage: Damage,
    /// Effect outside the state.
    pub effect: Option<Effect>,
}

#[cfg(test)]
mod tests;

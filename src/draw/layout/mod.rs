//! Pure geometry: where bodies, bars, labels and legends go. Text is measured first, margins follow.

mod flow;
mod track;
mod tick_set;
mod round_ticks;
mod tick_labels;
mod ticks;
mod measure;
mod places;
mod page;
mod body_room;
mod keys;
mod titles;
mod search;
mod panel_view;
mod beside;
mod bars;
mod bar_alone;
mod plan;

pub use body_room::BodyRange;
pub use flow::wrap;
pub use keys::{ContourKey, KeyEntry};
pub use measure::USUAL_ROOM;
pub use plan::{Plan, layout};
pub use track::track;

use gridscope_core::color::Color;
use gridscope_core::figure::MarkStyle;
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};
use gridscope_core::grid::State;
use gridscope_core::lint::Lints;
use gridscope_core::view::EdgeTable;

/// The geometry of a figure in output pixels.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The canvas.
    pub size: PxSize,
    /// The bodies, in the order of the panels that are drawn.
    pub panels: Vec<PanelLayout>,
    /// The colour bars, in the order of the scales that are drawn; `None` where a scale has none.
    pub bars: Vec<Option<BarLayout>>,
    /// Texts that do not depend on values.
    pub texts: Vec<Label>,
    /// Ticks, brackets, strips and swatches.
    pub rects: Vec<(Rect, Color)>,
    /// Swatches of states, filled as the cells are.
    pub keys: Vec<(PxRect, State)>,
    /// Swatches of marks.
    pub symbols: Vec<(PxRect, MarkStyle)>,
    /// The lines of the key of contours.
    pub contours: Vec<ContourKey>,
    /// The swatch of cells of few rows.
    pub thin_key: Option<PxRect>,
    /// The swatch of values that scales hide.
    pub hidden_key: Option<PxRect>,
    /// Lines reserved for notes: the left end of each baseline.
    pub notes: Vec<Point>,
    /// The width of these lines.
    pub note_width: f64,
    /// Thickness of ticks.
    pub line: f64,
    /// Pixels per unit of the patterns of states.
    pub unit: u32,
    /// Warnings about labels that are thinned or shortened.
    pub lints: Lints,
}

/// The body of a panel, and the cells under its pixels.
#[derive(Clone, Debug)]
pub struct PanelLayout {
    /// Where the cells are.
    pub body: PxRect,
    /// The room of its title, as wide as the body; none without one.
    pub title: Option<Rect>,
    /// Columns under each pixel.
    pub columns: EdgeTable,
    /// Rows under each pixel.
    pub rows: EdgeTable,
    /// The bodies that it may have, of which `body` is the one for the part that it shows.
    pub range: BodyRange,
    /// The tracks beside the body, in the order of [`Frame::tracks`](crate::resolve::Frame::tracks).
    pub tracks: Vec<TrackLayout>,
}

/// A track beside a body.
#[derive(Clone, Debug)]
pub struct TrackLayout {
    /// Where it lies; as long as the body is on that side.
    pub rect: PxRect,
    /// The room for the numbers of its own axis, if it has one.
    pub axis: Option<AxisRoom>,
}

/// The room for the numbers of an axis: left of a track over the body, over a track beside it.
#[derive(Clone, Debug)]
pub struct AxisRoom {
    /// Font size in pixels.
    pub font_size: f64,
    /// Pixels between the track and the numbers.
    pub gap: f64,
    /// Pixels that numbers may be wide, in a row over a track beside the body all of them together.
    pub room: f64,
    /// The lines of its title. Left of a track they are placed as beside the widest number.
    pub title: Vec<Label>,
}

impl PanelLayout {
    /// Whether a pixel may cover more than one cell.
    pub fn reduces(&self) -> bool {
        self.columns.reduces() || self.rows.reduces()
    }
}

/// A colour bar.
#[derive(Clone, Debug)]
pub struct BarLayout {
    /// The bar with its pointed ends.
    pub rect: PxRect,
    /// From left to right.
    pub horizontal: bool,
    /// Pixels reserved beside it for tick labels and counts; of a horizontal bar, those free beyond each end.
    pub room: f64,
    /// The lines of the title of a vertical bar, placed as without tick labels.
    pub label: Vec<Label>,
    /// The unit of a vertical bar's numbers, where its title has no room for it: it is upright beside the tick labels.
    pub unit: String,
    /// Whether the bar and its title stay in their places whatever its labels are, because other bars are over or under it.
    pub aligned: bool,
    /// Where its ramp is painted in any case: a window holds it while limits are dragged.
    pub held: Option<PxRect>,
}

/// A text and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The text.
    pub text: String,
    /// Font size in pixels.
    pub font_size: f64,
    /// Where the baseline starts.
    pub at: Point,
    /// Counter-clockwise rotation about that point.
    pub degrees: i32,
}

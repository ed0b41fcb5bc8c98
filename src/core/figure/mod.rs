//! The description of a figure, as in figure files: every key is optional, and automatic where it is left out.
//!
//! Colours, colormaps, norms, lengths and the like are types that a wrong text cannot become, so that it is refused where it is
//! read. A [`Literal`] has the text beside the value; it is made of either:
//!
//! ```
//! use gridscope_core::figure::{Figure, Length};
//! use gridscope_core::{color::Color, scale::NormSpec};
//!
//! let mut figure = Figure::default();
//! figure.size.width = Some(Length::inches(3.3).into());
//! figure.color.over = Some(Color::rgb(255, 0, 0).into());
//! figure.color.norm = Some("symlog:0.5".parse()?);
//! assert!("symlgo:0.5".parse::<NormSpec>().is_err());
//! # Ok::<(), gridscope_core::notation::ParseError>(())
//! ```
//!
//! The structs gain keys over time: end a literal of one with `..Default::default()`, or fill in a default one as above.

mod text;
mod aggregate;
mod axis_labels;
mod template;
mod compare;
mod condition;
mod contours;
mod length;
mod margin;
mod mark;
mod data;
mod header;
mod table_number;
mod panel_source;
mod side_files;
mod order;
mod bar_ticks;
mod ticks;
mod vocabulary;

pub use aggregate::{Agg, Better, Percent, Pick, Statistic};
pub use axis_labels::AxisLabels;
pub use bar_ticks::{BarTick, BarTicks};
pub use compare::{Baseline, Compare, Normalize, PairedTest, RankOf, ZScore};
pub use condition::{CellCondition, CellTest, Comparison, FileTest, Quantity, rows_without};
pub use contours::Contours;
pub use data::{Around, CellRange, Data};
pub use header::Header;
pub use length::{Length, Unit};
pub use margin::{
    Margin, MarginAxis, MarginForm, MarginList, MarginStat, Side, Strip, StripSide, StripType, Strips,
};
pub use mark::{LineEnd, LineExtreme, Mark, MarkStyle, MarkedCells, Marks, Mask, Masks};
pub use order::{
    AxisName, Cluster, ClusterAxes, LeafOrder, Linkage, Metric, Reverse, Sort, SortAggregate, SortBy,
};
pub use panel_source::PanelSource;
pub use side_files::SideFile;
pub use table_number::TableNumber;
pub use template::{Annotate, Template, TemplatePart};
pub use text::{
    AxisType, BarPlace, Correlation, List, OnOff, Order, OrderWord, Origin, Spacing, StripAxis, TableKind,
    Text, Theme, TickLabels, Toggle, quoted, unquoted,
};
pub use ticks::{Ticks, TicksWord};
pub use vocabulary::{Form, WORDS, Word};

pub use crate::grid::Reduce;

use crate::color::Color;
use crate::lint::LintName;
use crate::notation::Literal;
use crate::scale::{Colormap, LabelFormat, NormSpec, NumberFormat};
use crate::view::Part;
use crate::vision::Vision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// A figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Figure {
    /// The title, above the figure.
    pub title: Option<String>,
    /// A note of your own under the figure, before the notes about the data.
    pub note: Option<String>,
    /// The number of panels side by side.
    pub columns: Option<u32>,
    /// A template for the titles of panels, as `{letter} {panel}`: also `{index}`, `{file}`, `{value}`, `{row}` and `{column}`.
    pub panel_title: Option<String>,
    /// The titles of the panels, one each in their order.
    pub panel_titles: Option<List>,
    /// The values of the panels, in order; panels that are not named are left out.
    pub panel_order: Option<List>,
    /// The only panel that is drawn, by its value. Limits, labels and order stay those of all panels.
    pub only_panel: Option<String>,
    /// The values of `panel_row`, in order; rows of panels that are not named are left out.
    pub panel_row_order: Option<List>,
    /// The values of `panel_column`, as `panel_row_order`.
    pub panel_column_order: Option<List>,
    /// Which panels have tick labels: the outer ones and those with a different axis, or each.
    pub tick_labels: Option<TickLabels>,
    /// Whether panels share their columns.
    pub share_x: Option<bool>,
    /// Whether panels share their rows.
    pub share_y: Option<bool>,
    /// Where row 0 is: at the top (`upper`) or at the bottom (`lower`).
    pub origin: Option<Origin>,
    /// The axes that are drawn in the reverse order: `x`, `y` or both. Exported numbers stay in the order of the data.
    #[schemars(with = "Option<List>")]
    pub reverse: Option<Reverse>,
    /// Numbers of whole rows and columns beside the body: `rows:mean`, `columns:max:line`; one or several, or `none`.
    #[schemars(with = "Option<List>")]
    pub margin: Option<MarginList>,
    /// Whether cells are square.
    pub square: Option<Toggle>,
    /// Width of the lines between cells.
    pub linewidths: Option<Length>,
    /// The levels of contours along the borders of cells: `0.5,0.8`, or how many round ones.
    pub contours: Option<Contours>,
    /// Colour of the lines between cells.
    pub linecolor: Option<Literal<Color>>,
    /// Whether notes about the data appear under the figure.
    pub notes: Option<OnOff>,
    /// The colours of background and text: light or dark.
    pub theme: Option<Theme>,
    /// Colour of the page: a colour, or `transparent`. Unless `theme` is given, text is dark on light colours and light on dark ones.
    pub background: Option<Literal<Color>>,
    /// Colours as readers see them who lack a kind of cones.
    pub simulate: Option<Vision>,
    /// A font file for all text.
    pub font: Option<String>,
    /// Whether glyphs that this font and the embedded one lack come from the fonts of the machine, which the
    /// library's `render` does not look for.
    pub system_fonts: Option<bool>,
    /// Where the values come from.
    pub data: Data,
    /// The panels one by one, each with a file of its own and what is different from `data` for it.
    pub panel: Vec<PanelSource>,
    /// The horizontal axis.
    pub x: AxisSpec,
    /// The vertical axis.
    pub y: AxisSpec,
    /// The part of the grid that is shown.
    pub view: ViewSpec,
    /// Rows and columns in the order of a clustering.
    pub cluster: Cluster,
    /// Norm, limits, colours and the colour bar.
    pub color: ColorSpec,
    /// Settings of single panels, by the value of the panel.
    #[serde(deserialize_with = "text::unique_map")]
    pub panels: BTreeMap<String, PanelSpec>,
    /// Values written into cells.
    pub annotations: Annotations,
    /// How several cells become one pixel.
    pub reduce: ReduceSpec,
    /// Width, height, resolution and the size of text.
    pub size: Size,
    /// Strips of colours beside the body: one table, or a list of them.
    #[schemars(schema_with = "margin::strips_schema")]
    pub strip: Option<Strips>,
    /// Which warnings are denied or silenced.
    pub lints: LintSpec,
}

/// One axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AxisSpec {
    /// Columns of the table for this axis, as `x` and `y` of `data`.
    pub column: Option<List>,
    /// The axis title.
    pub label: Option<String>,
    /// Quantity along the axis.
    #[serde(rename = "type", alias = "kind")]
    pub kind: Option<AxisType>,
    /// Keys that are shown even if they are empty: `A:B` (inclusive) or a list.
    pub domain: Option<List>,
    /// The order of the keys: a word or a list.
    pub order: Option<Order>,
    /// Key that the rows or columns are sorted by: `mean`, `median`, `min`, `max`, `sum`, `std`, `count`, `label`, or a label of
    /// the other axis; `:desc` for the greatest first.
    pub sort: Option<Literal<Sort>>,
    /// How many rows or columns are shown, from the first.
    pub keep: Option<NonZeroU32>,
    /// Columns of the table by whose values the rows or columns are grouped.
    pub split: Option<List>,
    /// Labels in place of keys, a list of one for each cell, or a file of one for each.
    pub labels: AxisLabels,
    /// Which cells get a tick label: `auto`, `all`, `none`, about how many, `every:5`, or a list of keys.
    pub ticks: Option<Ticks>,
    /// The format of tick labels: of numbers as in Python (`.2f`, `.3g`, `d`, `.0%`), of times as `%Y-%m`, `%b %d`, `%H:%M`.
    pub fmt: Option<Literal<LabelFormat>>,
    /// Degrees by which tick labels are turned: 0, 45 or 90.
    pub rotate: Option<u32>,
    /// Cells of equal width, or as wide as their coordinates require.
    pub spacing: Option<Spacing>,
    /// Coordinates of a matrix: `A:B`, `A:B:log`, a file, or an array's name.
    pub values: Option<String>,
}

/// The part of a grid that is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ViewSpec {
    /// The rows that are read, `A:B`, counted from 0, B excluded.
    pub rows: Option<Literal<CellRange>>,
    /// The columns that are read, `C:D`, as `rows`.
    pub cols: Option<Literal<CellRange>>,
    /// The cell around which cells are read: `max`, `min` or `ROW,COLUMN`.
    pub around: Option<Literal<Around>>,
    /// Cells on each side of `around`.
    pub radius: Option<u64>,
    /// The columns that are shown, `A:B` in cells, fractions allowed. Limits and numbers stay those of the whole grid.
    pub x: Option<Literal<Part>>,
    /// The rows that are shown, as `x`.
    pub y: Option<Literal<Part>>,
    /// Whether the page is laid out for every part, also where all is shown, as the window lays it out.
    pub steady: Option<bool>,
}

/// Norm, limits, colours and the colour bar.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ColorSpec {
    /// A colormap's name (`_r` reverses) or colours `#a,#b,…`, which run into each other; `listed:#a,#b` do not.
    pub cmap: Option<Literal<Colormap>>,
    /// The value at the low end of the colours.
    pub vmin: Option<f64>,
    /// The value at the high end of the colours.
    pub vmax: Option<f64>,
    /// The value at the middle of the map.
    pub center: Option<f64>,
    /// Whether the limits are the 2nd and the 98th percentile.
    pub robust: Option<bool>,
    /// Values below this are not shown, as if they were masked; of pixels that cover several cells the value that they show.
    pub hide_below: Option<f64>,
    /// Values above this are not shown, as `hide_below`.
    pub hide_above: Option<f64>,
    /// How values map to colours: `log`, `symlog:1`, `bounds:0,10,50`.
    pub norm: Option<Literal<NormSpec>>,
    /// `shared`, `panel`, or a column whose groups share a scale.
    pub scale: Option<String>,
    /// Colour of values below the limits.
    pub under: Option<Literal<Color>>,
    /// Colour of values above the limits.
    pub over: Option<Literal<Color>>,
    /// Colour of cells without a value.
    pub nan: Option<Literal<Color>>,
    /// Colour of cells without data.
    pub absent: Option<Literal<Color>>,
    /// Colour of masked cells. Without it cells that `mask` hides are background.
    pub masked: Option<Literal<Color>>,
    /// Colour of pending cells.
    #[serde(alias = "pending_color")]
    pub pending: Option<Literal<Color>>,
    /// The title of the colour bar; unless given, the name of the value and how rows or cells were merged.
    pub label: Option<String>,
    /// The place of the colour bar.
    pub bar: Option<BarPlace>,
    /// The number format of the colour bar, as in Python: `.1f`, `.3g`, `d`, `%`.
    pub fmt: Option<Literal<NumberFormat>>,
    /// The ticks of the colour bar: values, with texts perhaps: `0:Fail,1:Pass`; or `none`.
    pub ticks: Option<BarTicks>,
    /// The length of the colour bar as a share of its usual one, 0.1 to 1.
    pub shrink: Option<f64>,
}

/// Settings of one panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PanelSpec {
    /// The title of the panel.
    pub title: Option<String>,
    /// As in `color`.
    pub cmap: Option<Literal<Colormap>>,
    /// As in `color`.
    pub vmin: Option<f64>,
    /// As in `color`.
    pub vmax: Option<f64>,
    /// As in `color`.
    pub center: Option<f64>,
    /// As in `color`.
    pub robust: Option<bool>,
    /// As in `color`.
    pub hide_below: Option<f64>,
    /// As in `color`.
    pub hide_above: Option<f64>,
    /// As in `color`.
    pub norm: Option<Literal<NormSpec>>,
    /// A group; panels of the same group share a scale.
    pub scale: Option<String>,
    /// As in `color`.
    pub under: Option<Literal<Color>>,
    /// As in `color`.
    pub over: Option<Literal<Color>>,
    /// As in `color`.
    pub label: Option<String>,
    /// As in `annotations`.
    pub mark: Option<Marks>,
    /// As in `annotations`.
    pub fmt: Option<Literal<NumberFormat>>,
    /// As `x` in `view`.
    pub view_x: Option<Literal<Part>>,
    /// As `y` in `view`.
    pub view_y: Option<Literal<Part>>,
}

/// Values written into cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Annotations {
    /// Content of cells: `auto`, `on`, `off`, a template such as `{mean:.1f} (n={n})`, or a file of texts.
    pub show: Option<Literal<Annotate>>,
    /// The number format, as in Python: `.1f`, `.3g`, `d`, `%`; `.2s`, `$,.0f`, `{:.1f} ms`.
    pub fmt: Option<Literal<NumberFormat>>,
    /// The size of the values, smaller where cells have no room for it: 8pt. That of tick labels unless given.
    pub font_size: Option<Length>,
    /// Which cells are marked: `max`, `min`, `none`, `COLUMN=VALUE`, a condition such as `p < 0.05`, or a file; one or several.
    /// A style after `as`, outline unless given: `p < 0.05 as star`; outline, dot, star, hatch.
    pub mark: Option<Marks>,
}

/// How several cells become one pixel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReduceSpec {
    /// The reduction.
    pub by: Option<Reduce>,
    /// Rings around pixels that hide an extreme: `auto` or `off`.
    pub rings: Option<Toggle>,
}

/// Width, height, resolution and the size of text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Size {
    /// Width of the picture; automatic unless given: 6.5in, and up to 13in where labels or panels need it.
    #[schemars(with = "Option<Length>")]
    pub width: Option<Side>,
    /// Height of the picture; automatic unless given: at most 9in, where that holds readable text.
    #[schemars(with = "Option<Length>")]
    pub height: Option<Side>,
    /// Output pixels per inch.
    pub dpi: Option<f64>,
    /// Size of tick labels and other plain text; sizes under 5 pt are drawn at 5 pt.
    pub font_size: Option<Length>,
}

/// Which warnings are denied or silenced.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LintSpec {
    /// Warnings that are denied: the picture is written, and the exit code is 6.
    pub deny: Vec<LintName>,
    /// Warnings that are silenced.
    pub allow: Vec<LintName>,
}

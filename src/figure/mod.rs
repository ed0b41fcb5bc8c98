//! The figure file as data: words and numbers, no behaviour. Every key is optional; what is left out is automatic.

mod text;
mod words;
mod annotate;
mod length;

pub(crate) use annotate::TemplatePart;
pub use annotate::{Annotate, Template};
pub use length::{Length, Side, Unit};
pub use text::{List, Text};
pub use words::{
    Agg, AxisType, BarPlace, Header, Mark, OnOff, Order, OrderWord, Origin, Spacing, StripAxis, TableKind,
    Theme, TickLabels, Ticks, TicksWord, Toggle,
};

pub use crate::grid::Reduce;

use crate::color::Color;
use crate::lint::LintName;
use crate::notation::Literal;
use crate::scale::{Colormap, NormSpec, NumberFormat};
use crate::view::Part;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A whole figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Figure {
    /// Text over the figure.
    pub title: Option<String>,
    /// Text under the figure, beside the notes that the data give.
    pub note: Option<String>,
    /// Panels side by side.
    pub columns: Option<u32>,
    /// A template for panel titles; `{panel}` is the panel's value.
    pub panel_title: Option<String>,
    /// The panels in this order; those not named are left out.
    pub panel_order: Option<List>,
    /// Tick labels on the outer panels and on those with another axis, or on each.
    pub tick_labels: Option<TickLabels>,
    /// Panels share their columns.
    pub share_x: Option<bool>,
    /// Panels share their rows.
    pub share_y: Option<bool>,
    /// Row 0 on top (`upper`) or below (`lower`).
    pub origin: Option<Origin>,
    /// Square cells.
    pub square: Option<Toggle>,
    /// Width of the lines between cells.
    pub linewidths: Option<Length>,
    /// Colour of the lines between cells.
    pub linecolor: Option<Literal<Color>>,
    /// Whether notes about the data stand under the figure.
    pub notes: Option<OnOff>,
    /// Light or dark.
    pub theme: Option<Theme>,
    /// A font file for all text.
    pub font: Option<String>,
    /// Where the values come from.
    pub data: Data,
    /// The axis along the bottom.
    pub x: AxisSpec,
    /// The axis down the side.
    pub y: AxisSpec,
    /// The part of the grid that is shown.
    pub view: ViewSpec,
    /// Norm, limits, colours and bar.
    pub color: ColorSpec,
    /// What differs in a panel, by its value.
    #[serde(deserialize_with = "text::unique_map")]
    pub panels: BTreeMap<String, PanelSpec>,
    /// Values written into cells.
    pub annotations: Annotations,
    /// How several cells become one pixel.
    pub reduce: ReduceSpec,
    /// Width, height, resolution.
    pub size: Size,
    /// Categories coloured along an axis.
    pub strip: Option<Strip>,
    /// Which warnings are denied or silenced.
    pub lints: LintSpec,
}

/// Where the values come from and how rows become cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// One file or several.
    pub file: Option<List>,
    /// Columns of the table along the bottom; several nest.
    pub x: Option<List>,
    /// Columns of the table down the side; several nest.
    pub y: Option<List>,
    /// The value column; several make a panel each.
    pub value: Option<List>,
    /// The column whose values make the panels, or `axis:N` of an array.
    pub panel: Option<String>,
    /// How rows with one key become one value.
    pub agg: Option<Agg>,
    /// What kind of table it is.
    pub table: Option<TableKind>,
    /// Rows and columns swapped.
    pub transpose: Option<bool>,
    /// Conditions `COL OP VALUE` that a row must meet.
    #[serde(rename = "where")]
    pub filter: Option<List>,
    /// A condition that marks a row as not ended.
    pub pending: Option<String>,
    /// `upper`, `lower` or a file of 0 and 1 (1 hides).
    pub mask: Option<String>,
    /// An array's name in a file of several, or its path in a store; several with commas between, or `*` and `?`: a panel each.
    pub key: Option<String>,
    /// `AXIS=INDEX` for arrays of more than two dimensions.
    pub slice: Option<List>,
    /// Whether the first line of a table is a header.
    pub header: Option<Header>,
    /// The character between fields.
    pub delimiter: Option<String>,
    /// Texts that stand for a missing value, beside the usual ones.
    pub missing: Option<List>,
    /// A number that stands for a masked cell.
    pub nodata: Option<f64>,
    /// Type and size of a file of bare numbers: `f32le 4096x4096` (columns x rows).
    pub raw: Option<String>,
    /// Whether JSON may hold NaN and Infinity, as Python writes them.
    pub json_nan: Option<bool>,
}

/// One axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AxisSpec {
    /// The same as `x` or `y` of `data`.
    pub column: Option<List>,
    /// The axis title.
    pub label: Option<String>,
    /// What the axis measures.
    #[serde(rename = "type", alias = "kind")]
    pub kind: Option<AxisType>,
    /// `A:B` (inclusive) or a list of keys: shown even where empty.
    pub domain: Option<List>,
    /// The order of the keys: a word or a list.
    pub order: Option<Order>,
    /// Other texts for keys.
    #[serde(deserialize_with = "text::unique_map")]
    pub labels: BTreeMap<String, String>,
    /// Which cells get a tick label.
    pub ticks: Option<Ticks>,
    /// Degrees by which tick labels are turned: 0, 45 or 90.
    pub rotate: Option<u32>,
    /// Equal cells, or cells as wide as their coordinates say.
    pub spacing: Option<Spacing>,
    /// Coordinates of a matrix: `A:B`, `A:B:log`, a file, or an array's name.
    pub values: Option<String>,
}

/// The part of a grid that is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ViewSpec {
    /// `A:B`, half-open row indices.
    pub rows: Option<String>,
    /// `C:D`, half-open column indices.
    pub cols: Option<String>,
    /// `max`, `min` or `ROW,COLUMN`.
    pub around: Option<String>,
    /// Cells on each side of `around`.
    pub radius: Option<u64>,
    /// `A:B` in cells, fractions allowed: the columns that bodies show. Limits and figures stay those of the whole grid.
    pub x: Option<Literal<Part>>,
    /// `A:B` in cells, fractions allowed: the rows that bodies show.
    pub y: Option<Literal<Part>>,
}

/// Norm, limits, colours and bar.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ColorSpec {
    /// A colormap's name (`_r` reverses) or colours `#a,#b,…`.
    pub cmap: Option<Literal<Colormap>>,
    /// The value at the low end.
    pub vmin: Option<f64>,
    /// The value at the high end.
    pub vmax: Option<f64>,
    /// The value at the middle of the map.
    pub center: Option<f64>,
    /// Limits from the 2nd to the 98th percentile.
    pub robust: Option<bool>,
    /// How values spread over the colours, as `--norm`: `log`, `symlog:1`, `bounds:0,10,50`.
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
    /// Colour of masked cells.
    pub masked: Option<Literal<Color>>,
    /// Colour of pending cells.
    #[serde(alias = "pending_color")]
    pub pending: Option<Literal<Color>>,
    /// The title of the colour bar.
    pub label: Option<String>,
    /// Where the colour bar stands.
    pub bar: Option<BarPlace>,
}

/// What differs in one panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PanelSpec {
    /// Text over the panel.
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
    pub norm: Option<Literal<NormSpec>>,
    /// Panels that name the same group share a scale.
    pub scale: Option<String>,
    /// As in `color`.
    pub under: Option<Literal<Color>>,
    /// As in `color`.
    pub over: Option<Literal<Color>>,
    /// As in `color`.
    pub label: Option<String>,
    /// As in `annotations`.
    pub mark: Option<Mark>,
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
    /// `auto`, `on`, `off`, or a template as `{mean:.1f} (n={n})`.
    pub show: Option<Literal<Annotate>>,
    /// A number format as Python's: `.1f`, `.3g`, `d`, `%`.
    pub fmt: Option<Literal<NumberFormat>>,
    /// Outlines the extreme cells of each panel.
    pub mark: Option<Mark>,
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

/// Width, height, resolution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Size {
    /// Width of the picture.
    pub width: Option<Length>,
    /// Height of the picture; automatic unless given.
    #[schemars(with = "Option<Length>")]
    pub height: Option<Side>,
    /// Output pixels an inch.
    pub dpi: Option<f64>,
    /// Size of tick labels and other plain text; under 5 pt it is drawn at 5 pt.
    pub font_size: Option<Length>,
}

/// Categories coloured along an axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Strip {
    /// `x` or `y`.
    pub axis: StripAxis,
    /// The column with the categories.
    pub column: String,
    /// The colours.
    #[serde(default)]
    pub cmap: Option<Literal<Colormap>>,
}

/// Which warnings are denied or silenced.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LintSpec {
    /// Denied: the picture is written, the exit code is 6.
    pub deny: Vec<LintName>,
    /// Silenced.
    pub allow: Vec<LintName>,
}

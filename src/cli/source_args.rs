//! The flags of every command that reads a figure: data, axes, view, colour, figure.

use super::compare_args::CompareArgs;
use super::numbers::{above_zero, finite, font_size, positive, renaming, rotation};
use super::order_args::OrderArgs;
use super::run_args::RunArgs;
use clap::Args;
use clap::builder::BoolishValueParser;
use gridscope_core::color::Color;
use gridscope_core::figure::{
    Agg, Annotate, Around, AxisName, AxisType, BarPlace, Better, CellRange, Contours, Header, Length,
    MarginList, Mark, Mask, OnOff, Origin, Reduce, Side, Spacing, TableKind, Theme, TickLabels, Ticks,
    Toggle,
};
use gridscope_core::notation::Literal;
use gridscope_core::scale::{Colormap, LabelFormat, NormSpec, NumberFormat};
use std::num::NonZeroU64;

/// The files and flags of every command that reads a figure.
#[derive(Args, Clone, Default)]
pub(super) struct Source {
    /// A figure file (.toml, .json) or data: CSV, TSV, JSON, Parquet, Arrow, Feather, NPY, NPZ, a Zarr folder; - is
    /// standard input; 'runs/*.csv' is all files that match
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub values: CompareArgs,
    #[command(flatten)]
    pub axes: AxesArgs,
    #[command(flatten)]
    pub order: OrderArgs,
    #[command(flatten)]
    pub view: ViewArgs,
    #[command(flatten)]
    pub color: ColorArgs,
    #[command(flatten)]
    pub figure: FigureArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Data")]
pub(super) struct DataArgs {
    /// Columns for the horizontal axis; several nest
    #[arg(short, long, value_name = "COL[,COL]", allow_hyphen_values = true)]
    pub x: Option<String>,
    /// Columns for the vertical axis; several nest; with --table wide the labels of the rows
    #[arg(short, long, value_name = "COL[,COL]", allow_hyphen_values = true)]
    pub y: Option<String>,
    /// Column of the values; several, or a pattern such as 'acc*', make a panel each, or the columns of --table wide
    #[arg(short = 'z', long, value_name = "COL[,COL]", allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Column whose values make the panels, or axis:N of an array; several columns make a panel of each combination
    #[arg(long, value_name = "COL[,COL]|axis:N", allow_hyphen_values = true)]
    pub panel: Option<String>,
    /// Column whose values are rows of panels, named at the right margin
    #[arg(long, value_name = "COL", allow_hyphen_values = true)]
    pub panel_row: Option<String>,
    /// Column whose values are columns of panels, named at the top
    #[arg(long, value_name = "COL", allow_hyphen_values = true)]
    pub panel_column: Option<String>,
    /// Leave out panels of --panel-row and --panel-column that no row of the table is in
    #[arg(long)]
    pub drop_empty: bool,
    /// How to merge rows of one cell: mean, median, min, max, sum, count, std, var, sem, first, last, best, worst, q25 (a quantile), ci95 (half a t interval)
    #[arg(long, value_name = "AGG")]
    pub agg: Option<Agg>,
    /// Which values are better, for best and worst: higher, lower
    #[arg(long, value_name = "WORD")]
    pub better: Option<Better>,
    /// Hatch cells of fewer rows with a value than this, over their colour
    #[arg(long, value_name = "N", value_parser = above_zero)]
    pub min_count: Option<NonZeroU64>,
    /// Shape of the table: tidy, wide, matrix
    #[arg(long, value_name = "KIND")]
    pub table: Option<TableKind>,
    /// Swap rows and columns
    #[arg(long)]
    pub transpose: bool,
    /// Use only rows that meet a condition (= != < <= > >= in); if repeated, all must hold
    #[arg(long = "where", value_name = "COL OP VALUE", allow_hyphen_values = true)]
    pub filter: Vec<String>,
    /// Mark cells as pending whose rows meet a condition
    #[arg(long, value_name = "COND", allow_hyphen_values = true)]
    pub pending: Option<String>,
    /// Hide the upper or lower triangle, cells that meet a condition such as 'p > 0.05', or those where FILE has a 1; repeat
    /// for several
    #[arg(long, value_name = "upper|lower|COND|FILE")]
    pub mask: Vec<Mask>,
    /// Name of an array, or its path in a store; several with commas, or 'head_*', make a panel each
    #[arg(long, value_name = "NAME[,NAME]")]
    pub key: Option<String>,
    /// Take one index along an axis of an array
    #[arg(long, value_name = "AXIS=INDEX")]
    pub slice: Vec<String>,
    /// Whether the first line is a header: auto, yes or none
    #[arg(long, value_name = "WORD")]
    pub header: Option<Header>,
    /// Lines before the header to pass over
    #[arg(long, value_name = "N")]
    pub skip_rows: Option<u64>,
    /// The row under the header has units: it is passed over
    #[arg(long)]
    pub units_row: bool,
    /// Character between fields
    #[arg(long, value_name = "CHAR")]
    pub delimiter: Option<String>,
    /// Sign before the fraction of numbers: . or , [default: what fits the whole column]
    #[arg(long, value_name = "SIGN")]
    pub decimal: Option<String>,
    /// Sign that parts thousands: , . ' _ or space [default: what fits the whole column]
    #[arg(long, value_name = "SIGN")]
    pub thousands: Option<String>,
    /// Texts that mean a missing value
    #[arg(long, value_name = "TEXT,TEXT", allow_hyphen_values = true)]
    pub missing: Option<String>,
    /// Number that means a masked cell
    #[arg(long, value_name = "V", allow_hyphen_values = true, value_parser = finite)]
    pub nodata: Option<f64>,
    /// The files are bare numbers of this type, columns x rows: --raw f32le 4096x4096
    #[arg(long, num_args = 2, value_names = ["TYPE", "COLUMNSxROWS"])]
    pub raw: Option<Vec<String>>,
    /// Accept NaN and Infinity in JSON, as Python writes them
    #[arg(long)]
    pub json_nan: bool,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Axes")]
pub(super) struct AxesArgs {
    /// Columns to show even if empty: A:B or a list
    #[arg(long, value_name = "A:B|LIST", allow_hyphen_values = true)]
    pub x_domain: Option<String>,
    /// Rows to show even if empty, as --x-domain
    #[arg(long, value_name = "A:B|LIST", allow_hyphen_values = true)]
    pub y_domain: Option<String>,
    /// Order of the columns: data, natural, alpha, value, or a list, which the other keys follow
    #[arg(long, value_name = "ORDER", allow_hyphen_values = true)]
    pub x_order: Option<String>,
    /// Order of the rows, as --x-order
    #[arg(long, value_name = "ORDER", allow_hyphen_values = true)]
    pub y_order: Option<String>,
    /// Type of the horizontal axis: category, number, log, time
    #[arg(long, value_name = "TYPE")]
    pub x_type: Option<AxisType>,
    /// Type of the vertical axis, as --x-type
    #[arg(long, value_name = "TYPE")]
    pub y_type: Option<AxisType>,
    /// Coordinates of the columns of a matrix: 0:1, 1:1000:log, a file of numbers or dates, or an array of the same .npz
    #[arg(long, value_name = "A:B[:log]|FILE|KEY", allow_hyphen_values = true)]
    pub x_values: Option<String>,
    /// Coordinates of the rows of a matrix, as --x-values
    #[arg(long, value_name = "A:B[:log]|FILE|KEY", allow_hyphen_values = true)]
    pub y_values: Option<String>,
    /// Widths of cells: even, or true to the coordinates
    #[arg(long, value_name = "even|true")]
    pub x_spacing: Option<Spacing>,
    /// Heights of cells, as --x-spacing
    #[arg(long, value_name = "even|true")]
    pub y_spacing: Option<Spacing>,
    /// Tick labels of the horizontal axis: auto, all, none, about how many (10), every:5, or of these keys (2020,2025; a list of one key ends with a comma)
    #[arg(
        long,
        value_name = "auto|all|none|N|every:N|A,B,C",
        allow_hyphen_values = true
    )]
    pub xticks: Option<Ticks>,
    /// Tick labels of the vertical axis, as --xticks
    #[arg(
        long,
        value_name = "auto|all|none|N|every:N|A,B,C",
        allow_hyphen_values = true
    )]
    pub yticks: Option<Ticks>,
    /// Degrees by which tick labels of the horizontal axis are turned: 0, 45 or 90
    #[arg(long, value_name = "DEGREES", value_parser = rotation)]
    pub x_rotate: Option<u32>,
    /// Degrees by which tick labels of the vertical axis are turned, as --x-rotate
    #[arg(long, value_name = "DEGREES", value_parser = rotation)]
    pub y_rotate: Option<u32>,
    /// Label of a column in place of its key; repeat for several
    #[arg(long, value_name = "OLD=NEW", allow_hyphen_values = true, value_parser = renaming)]
    pub x_labels: Vec<(String, String)>,
    /// Label of a row in place of its key, as --x-labels
    #[arg(long, value_name = "OLD=NEW", allow_hyphen_values = true, value_parser = renaming)]
    pub y_labels: Vec<(String, String)>,
    /// Format of the labels of the horizontal axis: as in Python (.2f, .3g, d, .0%), of times as %Y-%m, %b %d, %H:%M
    #[arg(long, value_name = "FORMAT")]
    pub xfmt: Option<Literal<LabelFormat>>,
    /// Format of the labels of the vertical axis, as --xfmt
    #[arg(long, value_name = "FORMAT")]
    pub yfmt: Option<Literal<LabelFormat>>,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "View")]
pub(super) struct ViewArgs {
    /// Read only these rows, counted from 0, B excluded
    #[arg(long, value_name = "A:B")]
    pub rows: Option<Literal<CellRange>>,
    /// Read only these columns, counted from 0, D excluded
    #[arg(long, value_name = "C:D")]
    pub cols: Option<Literal<CellRange>>,
    /// Read only the cells around an extreme or around row R, column C
    #[arg(long, value_name = "max|min|R,C", allow_hyphen_values = true)]
    pub around: Option<Literal<Around>>,
    /// Show these columns, as when zooming in the window; fractions allowed, limits stay those of the whole grid
    #[arg(long, value_name = "A:B", allow_hyphen_values = true)]
    pub view_x: Option<String>,
    /// Show these rows, as --view-x
    #[arg(long, value_name = "A:B", allow_hyphen_values = true)]
    pub view_y: Option<String>,
    /// Cells on each side of --around [default: 20]
    #[arg(long, value_name = "N", requires = "around")]
    pub radius: Option<u64>,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Colour")]
pub(super) struct ColorArgs {
    /// Colormap (`NAME_r` reverses it) or colours #a,#b,…, which run into each other; listed:#a,#b do not
    #[arg(long, value_name = "NAME[_r]|COLORS")]
    pub cmap: Option<Literal<Colormap>>,
    /// Value at the low end of the colours [default: from the data]
    #[arg(long, value_name = "V", allow_hyphen_values = true, value_parser = finite)]
    pub vmin: Option<f64>,
    /// Value at the high end of the colours [default: from the data]
    #[arg(long, value_name = "V", allow_hyphen_values = true, value_parser = finite)]
    pub vmax: Option<f64>,
    /// Value at the middle of a diverging map
    #[arg(long, value_name = "V", allow_hyphen_values = true, value_parser = finite)]
    pub center: Option<f64>,
    /// Set the limits to the 2nd and 98th percentile
    #[arg(long)]
    pub robust: bool,
    // The help lists the norms.
    #[arg(long, value_name = "NORM", help = format!("How values map to colours: {}", NormSpec::forms()), allow_hyphen_values = true)]
    pub norm: Option<Literal<NormSpec>>,
    /// Which panels share limits and a bar: shared (all), panel (none), or those equal in COL
    #[arg(long, value_name = "shared|panel|COL")]
    pub scale: Option<String>,
    /// Colour of values below the limits
    #[arg(long, value_name = "COLOR")]
    pub under: Option<Literal<Color>>,
    /// Colour of values above the limits
    #[arg(long, value_name = "COLOR")]
    pub over: Option<Literal<Color>>,
    /// Colour of cells without a value
    #[arg(long, value_name = "COLOR")]
    pub nan: Option<Literal<Color>>,
    /// Do not show values below this, as if they were masked
    #[arg(long, value_name = "V", allow_hyphen_values = true, value_parser = finite)]
    pub hide_below: Option<f64>,
    /// Do not show values above this
    #[arg(long, value_name = "V", allow_hyphen_values = true, value_parser = finite)]
    pub hide_above: Option<f64>,
    /// Colour of cells without data
    #[arg(long, value_name = "COLOR")]
    pub absent: Option<Literal<Color>>,
    /// Colour of masked cells; --mask alone draws nothing in them, and neither does --hide-below
    #[arg(long, value_name = "COLOR")]
    pub masked: Option<Literal<Color>>,
    /// Colour of pending cells
    #[arg(long, value_name = "COLOR")]
    pub pending_color: Option<Literal<Color>>,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Figure")]
pub(super) struct FigureArgs {
    /// Width of the figure in px, in, cm, mm or pt (px without a unit), or auto: 6.5in to 13in, as labels and panels need
    #[arg(long, value_name = "LENGTH|auto")]
    pub width: Option<Side>,
    /// Height of the figure, or auto: as panels need, up to 9in
    #[arg(long, value_name = "LENGTH|auto")]
    pub height: Option<Side>,
    /// Pixels per inch [default: 200]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub dpi: Option<f64>,
    /// Size of tick labels, 5pt or more [default: 9pt]
    #[arg(long, value_name = "LENGTH", value_parser = font_size)]
    pub font_size: Option<Length>,
    /// Number of panels side by side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub columns: Option<u32>,
    /// Title of the figure
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Template for panel titles; {panel} is the value of the panel
    #[arg(long, value_name = "TEMPLATE")]
    pub panel_title: Option<String>,
    /// Values of the panels, in order; panels that are not named are left out
    #[arg(long, value_name = "A,B,..", allow_hyphen_values = true)]
    pub panel_order: Option<String>,
    /// The only panel that is drawn, by its value; limits and labels stay those of all panels
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub only_panel: Option<String>,
    /// Values of --panel-row, in order; those that are not named are left out
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    pub panel_row_order: Option<String>,
    /// Values of --panel-column, as --panel-row-order
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    pub panel_column_order: Option<String>,
    /// Whether panels share their columns: true or false
    #[arg(long, value_name = "WORD", value_parser = BoolishValueParser::new())]
    pub share_x: Option<bool>,
    /// Whether panels share their rows: true or false
    #[arg(long, value_name = "WORD", value_parser = BoolishValueParser::new())]
    pub share_y: Option<bool>,
    /// Strip of colours along an axis by the categories or numbers in COL: along y, or x:COL; repeat for several
    #[arg(long, value_name = "[x:|y:]COL")]
    pub strip: Vec<String>,
    /// Colormap of the strips; repeat for one each
    #[arg(long, value_name = "NAME[_r]|COLORS")]
    pub strip_cmap: Vec<Literal<Colormap>>,
    /// Title of the horizontal axis
    #[arg(long, value_name = "TEXT")]
    pub xlabel: Option<String>,
    /// Title of the vertical axis
    #[arg(long, value_name = "TEXT")]
    pub ylabel: Option<String>,
    /// Title of the colour bar
    #[arg(long, value_name = "TEXT")]
    pub cbar_label: Option<String>,
    /// Place of the colour bar: right, bottom, none
    #[arg(long, value_name = "PLACE")]
    pub cbar: Option<BarPlace>,
    /// Number format of the colour bar, as --fmt
    #[arg(long, value_name = "FORMAT")]
    pub cbar_fmt: Option<Literal<NumberFormat>>,
    /// Print values in cells: auto, on, off, or a template such as '{mean:.1f}±{std:.1f}'
    #[arg(long, value_name = "WORD|TEMPLATE", num_args = 0..=1, default_missing_value = "on")]
    pub annot: Option<Literal<Annotate>>,
    /// Number format of values in cells, as in Python: .1f, .3g, d, %
    #[arg(long, value_name = "FORMAT")]
    pub fmt: Option<Literal<NumberFormat>>,
    /// Size of values in cells, where they have room for it [default: that of tick labels]
    #[arg(long, value_name = "LENGTH", value_parser = font_size)]
    pub annot_size: Option<Length>,
    /// Mark cells: max, min, none, a place 'ratio=0.3, window=2000', a condition 'p < 0.05', a FILE of cells; with a style,
    /// 'p < 0.05 as star': outline, dot, star, hatch; repeat for several
    #[arg(long, value_name = "CELLS")]
    pub mark: Vec<Mark>,
    /// Draw contours along the borders of cells: levels 0.5,0.8,0.9, or how many round ones
    #[arg(long, value_name = "LEVELS", allow_hyphen_values = true)]
    pub contours: Option<Contours>,
    /// Width of lines between cells (points without a unit)
    #[arg(long, value_name = "LENGTH")]
    pub linewidths: Option<Length>,
    /// Colour of lines between cells
    #[arg(long, value_name = "COLOR")]
    pub linecolor: Option<Literal<Color>>,
    /// Place of row 0: upper, lower
    #[arg(long, value_name = "WORD")]
    pub origin: Option<Origin>,
    /// Axes to draw in the reverse order: x, y or x,y
    #[arg(long, value_name = "x|y", value_delimiter = ',')]
    pub reverse: Vec<AxisName>,
    /// Numbers of whole rows or columns beside the body: rows:mean, columns:max, both:minmax; also min, sum, count, std; then :bars, :line or :strip (repeat it, or A,B); none
    #[arg(long, value_name = "AXIS:STAT[:FORM]")]
    pub margin: Vec<MarginList>,
    /// Make cells square: auto, on, off
    #[arg(long, value_name = "WORD")]
    pub square: Option<Toggle>,
    /// Print notes about the data under the figure: on, off
    #[arg(long, value_name = "WORD")]
    pub notes: Option<OnOff>,
    /// Your own note under the figure
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// Which panels have tick labels: outer (and those with a different axis), each
    #[arg(long, value_name = "WORD")]
    pub tick_labels: Option<TickLabels>,
    /// Colours of background and text: light, dark
    #[arg(long, value_name = "WORD")]
    pub theme: Option<Theme>,
    /// Font file for all text
    #[arg(long, value_name = "FILE")]
    pub font: Option<String>,
    /// Take glyphs that the font lacks from the fonts of this machine
    #[arg(long)]
    pub system_fonts: bool,
    /// How to reduce several cells to one pixel: mean, min, max, extreme, count
    #[arg(long, value_name = "WORD")]
    pub reduce: Option<Reduce>,
    /// Mark pixels that hide an extreme with rings: auto, off
    #[arg(long, value_name = "WORD")]
    pub rings: Option<Toggle>,
    /// Set any key of a figure file: color.cmap=magma, panels.ECE.mark=min, 'x.labels."a.b"=new'; repeat for several
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

//! Every flag, in the groups of the manual.

use super::bench_args::BenchArgs;
use crate::comparison::{Better, Tolerance};
use crate::figure::{
    Agg, AxisType, BarPlace, Header, Mark, OnOff, Origin, Reduce, Spacing, TableKind, Theme, TickLabels,
    Ticks, Toggle,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

pub use super::run_args::{RunArgs, When};

/// GPU-accelerated heatmaps of parameter sweeps: exact, honest, paper-ready
///
/// Without a command, `gridscope FILE` opens the window of `view` if it runs in a terminal and there is a display. Else, or
/// with --json, --top or --preview, it prints what `info` says, and in a terminal a preview of the figure.
#[derive(Parser)]
#[command(
    name = "gridscope",
    version,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The figure in the terminal's colours, under what `info` says; auto: where standard output is a terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub preview: When,
    #[command(flatten)]
    pub info: InfoArgs,
}

#[derive(Subcommand)]
pub enum Command {
    /// Opens a figure in a window: zoom, pan, read values, change colours, save
    #[command(
        after_help = "In the window: wheel zooms, drag moves, double click shows all, ? lists all keys, q quits."
    )]
    View(Box<WindowArgs>),
    /// Draws a figure to a file
    Render(Box<RenderArgs>),
    /// Tells shape, axes, states, and the extremes with their places; of a picture, the figure that it shows
    Info(Box<InfoArgs>),
    /// Tells only the warnings; denied ones end in exit code 6
    Check(Box<CheckArgs>),
    /// Writes the grid's own values after pivot and aggregation, or with --width and --height their reduction
    Export(Box<ExportArgs>),
    /// Measures how fast views of a grid are drawn
    Bench(Box<BenchArgs>),
    /// Lists the colormaps
    Colormaps(ColormapArgs),
    /// Lists the devices that can draw
    Devices,
    /// Prints the JSON Schema of figure files
    Schema,
    /// Prints shell completions
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Cli {
    /// What a script asks for, or a person who wants no window.
    pub fn asks_for_text(&self) -> bool {
        self.info.source.run.json.is_some() || self.info.top.is_some() || self.preview != When::Auto
    }
}

#[derive(Args, Clone, Default)]
pub struct WindowArgs {
    /// Reads the files again whenever one changes; views and limits that you set stay
    #[arg(long)]
    pub watch: bool,
    /// Runs the commands in FILE, one a line; with --json the window then closes, and frame times are printed
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Shows frame times in a corner of the window
    #[arg(long)]
    pub fps: bool,
    #[command(flatten)]
    pub source: Source,
    /// A device by a part of its name, or by its number in `gridscope devices`
    #[arg(long, value_name = "NAME", help_heading = "Run")]
    pub device: Option<String>,
}

#[derive(Args)]
pub struct RenderArgs {
    /// The picture: a path ending in .png, .svg or .pdf, or - for standard output; repeat it for several from one read
    #[arg(short, long, value_name = "OUT", required = true)]
    pub output: Vec<PathBuf>,
    /// The picture's format; by the output's extension unless given
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// One panel's cells alone, width x height pixels, straight alpha, absent cells clear
    #[arg(long)]
    pub bare: bool,
    /// With --bare: N x N pixels a cell
    #[arg(long, value_name = "N", requires = "bare", value_parser = clap::value_parser!(u32).range(1..))]
    pub cell: Option<u32>,
    /// Cells in SVG and PDF: a rectangle each, an image, or auto: rectangles up to 2,500 cells
    #[arg(long, value_enum, default_value_t = CellsWish::Auto, value_name = "HOW")]
    pub cells: CellsWish,
    /// An SVG holds the part of its font that it needs (PostScript outlines: all of it), as a PDF always does
    #[arg(long, conflicts_with = "text_as_paths")]
    pub embed_font: bool,
    /// Text in SVG and PDF as outlines, which need no font and cannot be searched
    #[arg(long)]
    pub text_as_paths: bool,
    /// Stays, and draws again whenever a file changes; automatic limits only widen
    #[arg(long)]
    pub watch: bool,
    /// Writes no description of the figure into the picture
    #[arg(long)]
    pub no_metadata: bool,
    #[command(flatten)]
    pub source: Source,
    /// How small the file becomes: small, fast, or auto by the picture's size and noise
    #[arg(long, value_enum, default_value_t = Compression::Auto, value_name = "HOW", help_heading = "Run")]
    pub compression: Compression,
    #[command(flatten)]
    pub backend: BackendArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Run")]
pub struct BackendArgs {
    /// What draws the picture and reduces cells to pixels
    #[arg(long, value_enum, default_value_t = BackendWish::Auto)]
    pub backend: BackendWish,
    /// A device by a part of its name, or by its number in `gridscope devices`
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
}

#[derive(Args)]
pub struct InfoArgs {
    /// How many extreme cells are listed (10)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=MOST_LISTED))]
    pub top: Option<u32>,
    #[command(flatten)]
    pub source: Source,
}

#[derive(Args)]
pub struct CheckArgs {
    /// Compares with what the grids were before: the same figure of this file; worse and vanished cells end in exit code 6
    #[arg(long, value_name = "BASE", requires = "better")]
    pub against: Option<String>,
    /// Which values are better: higher, lower
    #[arg(long, value_name = "WORD", requires = "against")]
    pub better: Option<Better>,
    /// By how much a value may be worse: an amount, or a share of the value before as 2%
    #[arg(long, value_name = "T", requires = "against")]
    pub tolerance: Option<Tolerance>,
    #[command(flatten)]
    pub source: Source,
}

#[derive(Args)]
pub struct ExportArgs {
    /// A path ending in .csv or .npy, or - for CSV on standard output; several panels become NAME-PANEL.csv each
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub backend: BackendArgs,
}

#[derive(Args)]
pub struct ColormapArgs {
    /// Prints a JSON array of names
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum Format {
    Png,
    Svg,
    Pdf,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub enum CellsWish {
    Auto,
    Rects,
    Image,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub enum Compression {
    Auto,
    Fast,
    Small,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub enum BackendWish {
    /// A hardware device where that is faster, else the CPU
    Auto,
    /// Any device, a software driver too
    Gpu,
    /// No device
    Cpu,
}

/// The most cells that `info` lists.
const MOST_LISTED: i64 = 10_000;

/// What every command that reads shares.
#[derive(Args, Clone, Default)]
pub struct Source {
    /// A figure file (.toml, .json) or data (CSV, TSV, JSON, Parquet, Arrow, Feather, NPY, NPZ, a Zarr folder; - is standard input)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub axes: AxesArgs,
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
pub struct DataArgs {
    /// Columns of the table along the bottom; several nest
    #[arg(short, long, value_name = "COL[,COL]")]
    pub x: Option<String>,
    /// Columns of the table down the side; several nest
    #[arg(short, long, value_name = "COL[,COL]")]
    pub y: Option<String>,
    /// The value column; several make a panel each
    #[arg(short = 'z', long, value_name = "COL[,COL]")]
    pub value: Option<String>,
    /// The column whose values make the panels, or axis:N of an array
    #[arg(long, value_name = "COL|axis:N")]
    pub panel: Option<String>,
    /// How rows with one key become one value: mean, median, min, max, sum, count, std, first, last
    #[arg(long, value_name = "AGG")]
    pub agg: Option<Agg>,
    /// What the table is: tidy, wide, matrix
    #[arg(long, value_name = "KIND")]
    pub table: Option<TableKind>,
    /// Swaps rows and columns
    #[arg(long)]
    pub transpose: bool,
    /// Keeps rows that meet a condition (= != < <= > >= in); repeat it and all must hold
    #[arg(long = "where", value_name = "COL OP VALUE")]
    pub filter: Vec<String>,
    /// Marks cells as pending whose rows meet a condition
    #[arg(long, value_name = "COND")]
    pub pending: Option<String>,
    /// Hides the upper or lower triangle, or where a file holds 1
    #[arg(long, value_name = "upper|lower|FILE")]
    pub mask: Option<String>,
    /// An array's name, or its path in a store; several with commas, or 'head_*', make a panel each
    #[arg(long, value_name = "NAME[,NAME]")]
    pub key: Option<String>,
    /// Takes one index of an axis of an array
    #[arg(long, value_name = "AXIS=INDEX")]
    pub slice: Vec<String>,
    /// Whether the first line is a header: auto, yes, none
    #[arg(long, value_name = "WORD")]
    pub header: Option<Header>,
    /// The character between fields
    #[arg(long, value_name = "CHAR")]
    pub delimiter: Option<String>,
    /// Texts that stand for a missing value
    #[arg(long, value_name = "TEXT,TEXT", allow_hyphen_values = true)]
    pub missing: Option<String>,
    /// A number that stands for a masked cell
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub nodata: Option<f64>,
    /// The files hold bare numbers of this type, columns x rows: --raw f32le 4096x4096
    #[arg(long, num_args = 2, value_names = ["TYPE", "COLUMNSxROWS"])]
    pub raw: Option<Vec<String>>,
    /// Reads NaN and Infinity in JSON, as Python writes them
    #[arg(long)]
    pub json_nan: bool,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Axes")]
pub struct AxesArgs {
    /// Columns shown even where empty: A:B or a list
    #[arg(long, value_name = "A:B|LIST", allow_hyphen_values = true)]
    pub x_domain: Option<String>,
    /// Rows shown even where empty, as --x-domain
    #[arg(long, value_name = "A:B|LIST", allow_hyphen_values = true)]
    pub y_domain: Option<String>,
    /// Order of the columns: data, natural, alpha, value, or a list
    #[arg(long, value_name = "ORDER")]
    pub x_order: Option<String>,
    /// Order of the rows, as --x-order
    #[arg(long, value_name = "ORDER")]
    pub y_order: Option<String>,
    /// What the bottom axis measures: category, number, log, time
    #[arg(long, value_name = "TYPE")]
    pub x_type: Option<AxisType>,
    /// What the side axis measures, as --x-type
    #[arg(long, value_name = "TYPE")]
    pub y_type: Option<AxisType>,
    /// Coordinates of a matrix's columns: 0:1, 1:1000:log, a file, or an array of the same .npz
    #[arg(long, value_name = "A:B[:log]|FILE|KEY", allow_hyphen_values = true)]
    pub x_values: Option<String>,
    /// Coordinates of a matrix's rows, as --x-values
    #[arg(long, value_name = "A:B[:log]|FILE|KEY", allow_hyphen_values = true)]
    pub y_values: Option<String>,
    /// Widths of cells: even, or true to their coordinates
    #[arg(long, value_name = "even|true")]
    pub x_spacing: Option<Spacing>,
    /// Heights of cells, as --x-spacing
    #[arg(long, value_name = "even|true")]
    pub y_spacing: Option<Spacing>,
    /// Tick labels along the bottom: auto, all, none, or about how many
    #[arg(long, value_name = "auto|all|none|N")]
    pub xticks: Option<Ticks>,
    /// Tick labels down the side, as --xticks
    #[arg(long, value_name = "auto|all|none|N")]
    pub yticks: Option<Ticks>,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "View")]
pub struct ViewArgs {
    /// Only these rows, counted from 0, B left out
    #[arg(long, value_name = "A:B")]
    pub rows: Option<String>,
    /// Only these columns, counted from 0, D left out
    #[arg(long, value_name = "C:D")]
    pub cols: Option<String>,
    /// Only the cells about an extreme or about row R, column C
    #[arg(long, value_name = "max|min|R,C")]
    pub around: Option<String>,
    /// Looks at these columns of the whole, as in a window; fractions allowed, limits stay those of the whole grid
    #[arg(long, value_name = "A:B", allow_hyphen_values = true)]
    pub view_x: Option<String>,
    /// Looks at these rows, as --view-x
    #[arg(long, value_name = "A:B", allow_hyphen_values = true)]
    pub view_y: Option<String>,
    /// Cells on each side of --around (20)
    #[arg(long, value_name = "N", requires = "around")]
    pub radius: Option<u64>,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Colour")]
pub struct ColorArgs {
    /// A colormap (name_r reverses it) or colours #a,#b,…
    #[arg(long, value_name = "NAME[_r]|COLORS")]
    pub cmap: Option<String>,
    /// The value at the low end of the colours; from the data unless given
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub vmin: Option<f64>,
    /// The value at their high end
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub vmax: Option<f64>,
    /// The value at the middle of a diverging map
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub center: Option<f64>,
    /// Limits from the 2nd to the 98th percentile
    #[arg(long)]
    pub robust: bool,
    /// How values spread over the colours: linear, log, symlog:T[,LINSCALE[,BASE]], power:G, twoslope, centered[:HALF], bounds:A,B,…, quantile
    #[arg(long, value_name = "NORM")]
    pub norm: Option<String>,
    /// Which panels share limits and bar: shared, panel, or those equal in a column
    #[arg(long, value_name = "shared|panel|COL")]
    pub scale: Option<String>,
    /// Colour of values below the limits
    #[arg(long, value_name = "COLOR")]
    pub under: Option<String>,
    /// Colour of values above the limits
    #[arg(long, value_name = "COLOR")]
    pub over: Option<String>,
    /// Colour of cells without a value
    #[arg(long, value_name = "COLOR")]
    pub nan: Option<String>,
    /// Colour of cells without data
    #[arg(long, value_name = "COLOR")]
    pub absent: Option<String>,
    /// Colour of masked cells
    #[arg(long, value_name = "COLOR")]
    pub masked: Option<String>,
    /// Colour of pending cells
    #[arg(long, value_name = "COLOR")]
    pub pending_color: Option<String>,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Figure")]
pub struct FigureArgs {
    /// Width of the figure with px, in, cm, mm or pt (px without unit); 6.5in unless given
    #[arg(long, value_name = "LENGTH")]
    pub width: Option<String>,
    /// Height of the figure, or auto
    #[arg(long, value_name = "LENGTH|auto")]
    pub height: Option<String>,
    /// Output pixels an inch (200)
    #[arg(long, value_name = "N")]
    pub dpi: Option<f64>,
    /// Size of tick labels, 5pt or more (9pt)
    #[arg(long, value_name = "LENGTH")]
    pub font_size: Option<String>,
    /// Panels side by side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub columns: Option<u32>,
    /// Text over the figure
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// A template for panel titles; {panel} is the panel's value
    #[arg(long, value_name = "TEMPLATE")]
    pub panel_title: Option<String>,
    /// Title of the bottom axis
    #[arg(long, value_name = "TEXT")]
    pub xlabel: Option<String>,
    /// Title of the side axis
    #[arg(long, value_name = "TEXT")]
    pub ylabel: Option<String>,
    /// Title of the colour bar
    #[arg(long, value_name = "TEXT")]
    pub cbar_label: Option<String>,
    /// Where the colour bar stands: right, bottom, none
    #[arg(long, value_name = "PLACE")]
    pub cbar: Option<BarPlace>,
    /// Values in cells: auto, on, off, or a template such as '{mean:.1f}±{std:.1f}'
    #[arg(long, value_name = "WORD|TEMPLATE")]
    pub annot: Option<String>,
    /// A number format as Python's: .1f, .3g, d, %
    #[arg(long, value_name = "FORMAT")]
    pub fmt: Option<String>,
    /// Outlines the extreme cells of each panel: max, min, none
    #[arg(long, value_name = "WORD")]
    pub mark: Option<Mark>,
    /// Width of lines between cells (points without unit)
    #[arg(long, value_name = "LENGTH")]
    pub linewidths: Option<String>,
    /// Colour of lines between cells
    #[arg(long, value_name = "COLOR")]
    pub linecolor: Option<String>,
    /// Where row 0 stands: upper, lower
    #[arg(long, value_name = "WORD")]
    pub origin: Option<Origin>,
    /// Square cells: auto, on, off
    #[arg(long, value_name = "WORD")]
    pub square: Option<Toggle>,
    /// Notes about the data under the figure: on, off
    #[arg(long, value_name = "WORD")]
    pub notes: Option<OnOff>,
    /// A note of your own under the figure
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// Which panels have tick labels: outer (and those with another axis), each
    #[arg(long, value_name = "WORD")]
    pub tick_labels: Option<TickLabels>,
    /// Colours of paper and text: light, dark
    #[arg(long, value_name = "WORD")]
    pub theme: Option<Theme>,
    /// A font file for all text
    #[arg(long, value_name = "FILE")]
    pub font: Option<String>,
    /// How several cells become one pixel: mean, min, max, extreme, count
    #[arg(long, value_name = "WORD")]
    pub reduce: Option<Reduce>,
    /// Rings on pixels that hide an extreme: auto, off
    #[arg(long, value_name = "WORD")]
    pub rings: Option<Toggle>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_flag_says_what_it_does() {
        let mut cli = Cli::command();
        cli.build();
        let said =
            |c: &clap::Command| c.get_about().is_some() && c.get_arguments().all(|a| a.get_help().is_some());
        for command in std::iter::once(&cli).chain(cli.get_subcommands()) {
            assert!(
                said(command),
                "{}: {:?}",
                command.get_name(),
                command.get_arguments().find(|a| a.get_help().is_none())
            );
        }
        assert!(cli.get_subcommands().count() > 10);
    }
}

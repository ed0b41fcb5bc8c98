//! Every flag, grouped as in `--help`.

use super::bench_args::BenchArgs;
use crate::comparison::{Better, Tolerance};
use crate::figure::{
    Agg, AxisType, BarPlace, Header, Mark, OnOff, Origin, Reduce, Spacing, TableKind, Theme, TickLabels,
    Ticks, Toggle,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

pub use super::run_args::{RunArgs, When};

/// Heatmaps of parameter sweeps: exact, ready for a paper, on the CPU or through wgpu
///
/// Without a command, `gridscope FILE` opens a window as `view` does if it runs in a terminal and there is a display.
/// Otherwise, or with --json, --top or --preview, it prints the output of `info` and, in a terminal, a preview of the figure.
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
    /// Print a preview of the figure below the output of `info`; auto: if standard output is a terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub preview: When,
    #[command(flatten)]
    pub info: InfoArgs,
}

#[derive(Subcommand)]
pub enum Command {
    /// Open a figure in a window: zoom, pan, read values, change colours, save
    #[command(
        after_help = "In the window: the wheel zooms, dragging moves, a double click shows everything, ? lists all keys, q quits."
    )]
    View(Box<WindowArgs>),
    /// Draw a figure to a file
    Render(Box<RenderArgs>),
    /// Print shape, axes, states, and extremes with their places; for a picture, the figure it shows
    Info(Box<InfoArgs>),
    /// Print only the warnings; denied ones end in exit code 6
    Check(Box<CheckArgs>),
    /// Write the grid's values after pivot and aggregation, or with --width and --height their reduction
    Export(Box<ExportArgs>),
    /// Measure how fast views of a grid are drawn
    Bench(Box<BenchArgs>),
    /// List the colormaps
    Colormaps(ColormapArgs),
    /// List the devices that can draw
    Devices,
    /// Print the JSON Schema of figure files
    Schema,
    /// Print shell completions
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
}

impl Cli {
    /// Whether the flags ask for text: a script, or a person who wants no window.
    pub fn asks_for_text(&self) -> bool {
        self.info.source.run.json.is_some() || self.info.top.is_some() || self.preview != When::Auto
    }
}

#[derive(Args, Clone, Default)]
pub struct WindowArgs {
    /// Read the files again whenever one changes; views and limits that you set stay
    #[arg(long)]
    pub watch: bool,
    /// Run the commands in FILE, one per line; with --json, then close the window and print frame times
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Show frame times in a corner of the window
    #[arg(long)]
    pub fps: bool,
    #[command(flatten)]
    pub source: Source,
    /// Device to use: part of its name, or its number in `gridscope devices`
    #[arg(long, value_name = "NAME", help_heading = "Run")]
    pub device: Option<String>,
}

#[derive(Args)]
pub struct RenderArgs {
    /// The picture: a path ending in .png, .svg or .pdf, or - for standard output; repeat for several from one read
    #[arg(short, long, value_name = "OUT", required = true)]
    pub output: Vec<PathBuf>,
    /// Format of the picture [default: by the extension of the output]
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Draw only the cells of one panel, width x height pixels, straight alpha, absent cells transparent
    #[arg(long)]
    pub bare: bool,
    /// With --bare: N x N pixels per cell
    #[arg(long, value_name = "N", requires = "bare", value_parser = clap::value_parser!(u32).range(1..))]
    pub cell: Option<u32>,
    /// How SVG and PDF draw cells: as a rectangle each, as an image, or auto: rectangles up to 2,500 cells
    #[arg(long, value_enum, default_value_t = CellsWish::Auto, value_name = "HOW")]
    pub cells: CellsWish,
    /// Embed the glyphs that an SVG needs (PostScript outlines: the whole font), as a PDF always does
    #[arg(long, conflicts_with = "text_as_paths")]
    pub embed_font: bool,
    /// Draw text in SVG and PDF as outlines, which need no font and cannot be searched
    #[arg(long)]
    pub text_as_paths: bool,
    /// Keep running and draw again whenever a file changes; automatic limits only widen
    #[arg(long)]
    pub watch: bool,
    /// Do not embed a description of the figure in the picture
    #[arg(long)]
    pub no_metadata: bool,
    #[command(flatten)]
    pub source: Source,
    /// Trade writing time against file size: small, fast, or auto by the size and noise of the picture
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
    /// Device to use: part of its name, or its number in `gridscope devices`
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
}

#[derive(Args)]
pub struct InfoArgs {
    /// Number of extreme cells to list [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=MOST_LISTED))]
    pub top: Option<u32>,
    #[command(flatten)]
    pub source: Source,
}

#[derive(Args)]
pub struct CheckArgs {
    /// Compare with BASE, read as the same figure; cells that became worse or vanished end in exit code 6
    #[arg(long, value_name = "BASE", requires = "better")]
    pub against: Option<String>,
    /// Which values are better: higher or lower
    #[arg(long, value_name = "WORD", requires = "against")]
    pub better: Option<Better>,
    /// How much worse a value may be: an amount, or a percentage of the value before, as 2%
    #[arg(long, value_name = "T", requires = "against")]
    pub tolerance: Option<Tolerance>,
    #[command(flatten)]
    pub source: Source,
}

#[derive(Args)]
pub struct ExportArgs {
    /// A path ending in .csv or .npy, or - for CSV on standard output; several panels: NAME-PANEL.csv each
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub backend: BackendArgs,
}

#[derive(Args)]
pub struct ColormapArgs {
    /// Print the names as a JSON array
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
    /// A hardware device for large pictures, otherwise the CPU
    Auto,
    /// Any device, including a software driver
    Gpu,
    /// No device: the CPU
    Cpu,
}

/// The most cells that `info` lists.
const MOST_LISTED: i64 = 10_000;

/// What every command that reads shares.
#[derive(Args, Clone, Default)]
pub struct Source {
    /// A figure file (.toml, .json) or data: CSV, TSV, JSON, Parquet, Arrow, Feather, NPY, NPZ, a Zarr folder; - is
    /// standard input
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
    /// Columns for the horizontal axis; several nest
    #[arg(short, long, value_name = "COL[,COL]")]
    pub x: Option<String>,
    /// Columns for the vertical axis; several nest
    #[arg(short, long, value_name = "COL[,COL]")]
    pub y: Option<String>,
    /// Column of the values; several make a panel each
    #[arg(short = 'z', long, value_name = "COL[,COL]")]
    pub value: Option<String>,
    /// Column whose values make the panels, or axis:N of an array
    #[arg(long, value_name = "COL|axis:N")]
    pub panel: Option<String>,
    /// How to merge rows of one cell: mean, median, min, max, sum, count, std, first, last
    #[arg(long, value_name = "AGG")]
    pub agg: Option<Agg>,
    /// Shape of the table: tidy, wide, matrix
    #[arg(long, value_name = "KIND")]
    pub table: Option<TableKind>,
    /// Swap rows and columns
    #[arg(long)]
    pub transpose: bool,
    /// Use only rows that meet a condition (= != < <= > >= in); if repeated, all must hold
    #[arg(long = "where", value_name = "COL OP VALUE")]
    pub filter: Vec<String>,
    /// Mark cells as pending whose rows meet a condition
    #[arg(long, value_name = "COND")]
    pub pending: Option<String>,
    /// Hide the upper or lower triangle, or the cells where FILE has a 1
    #[arg(long, value_name = "upper|lower|FILE")]
    pub mask: Option<String>,
    /// Name of an array, or its path in a store; several with commas, or 'head_*', make a panel each
    #[arg(long, value_name = "NAME[,NAME]")]
    pub key: Option<String>,
    /// Take one index along an axis of an array
    #[arg(long, value_name = "AXIS=INDEX")]
    pub slice: Vec<String>,
    /// Whether the first line is a header: auto, yes or none
    #[arg(long, value_name = "WORD")]
    pub header: Option<Header>,
    /// Character between fields
    #[arg(long, value_name = "CHAR")]
    pub delimiter: Option<String>,
    /// Texts that mean a missing value
    #[arg(long, value_name = "TEXT,TEXT", allow_hyphen_values = true)]
    pub missing: Option<String>,
    /// Number that means a masked cell
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
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
pub struct AxesArgs {
    /// Columns to show even if empty: A:B or a list
    #[arg(long, value_name = "A:B|LIST", allow_hyphen_values = true)]
    pub x_domain: Option<String>,
    /// Rows to show even if empty, as --x-domain
    #[arg(long, value_name = "A:B|LIST", allow_hyphen_values = true)]
    pub y_domain: Option<String>,
    /// Order of the columns: data, natural, alpha, value, or a list
    #[arg(long, value_name = "ORDER")]
    pub x_order: Option<String>,
    /// Order of the rows, as --x-order
    #[arg(long, value_name = "ORDER")]
    pub y_order: Option<String>,
    /// Type of the horizontal axis: category, number, log, time
    #[arg(long, value_name = "TYPE")]
    pub x_type: Option<AxisType>,
    /// Type of the vertical axis, as --x-type
    #[arg(long, value_name = "TYPE")]
    pub y_type: Option<AxisType>,
    /// Coordinates of the columns of a matrix: 0:1, 1:1000:log, a file, or an array of the same .npz
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
    /// Tick labels of the horizontal axis: auto, all, none, or roughly how many
    #[arg(long, value_name = "auto|all|none|N")]
    pub xticks: Option<Ticks>,
    /// Tick labels of the vertical axis, as --xticks
    #[arg(long, value_name = "auto|all|none|N")]
    pub yticks: Option<Ticks>,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "View")]
pub struct ViewArgs {
    /// Read only these rows, counted from 0, B excluded
    #[arg(long, value_name = "A:B")]
    pub rows: Option<String>,
    /// Read only these columns, counted from 0, D excluded
    #[arg(long, value_name = "C:D")]
    pub cols: Option<String>,
    /// Read only the cells around an extreme or around row R, column C
    #[arg(long, value_name = "max|min|R,C")]
    pub around: Option<String>,
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
pub struct ColorArgs {
    /// Colormap (NAME_r reverses it) or colours #a,#b,…
    #[arg(long, value_name = "NAME[_r]|COLORS")]
    pub cmap: Option<String>,
    /// Value at the low end of the colours [default: from the data]
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub vmin: Option<f64>,
    /// Value at the high end of the colours [default: from the data]
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub vmax: Option<f64>,
    /// Value at the middle of a diverging map
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub center: Option<f64>,
    /// Set the limits to the 2nd and 98th percentile
    #[arg(long)]
    pub robust: bool,
    /// How values map to colours: linear, log, symlog:T[,LINSCALE[,BASE]], power:G, twoslope, centered[:HALF],
    /// bounds:A,B,…, quantile
    #[arg(long, value_name = "NORM")]
    pub norm: Option<String>,
    /// Which panels share limits and a bar: shared (all), panel (none), or those equal in COL
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
    /// Width of the figure in px, in, cm, mm or pt (px without a unit) [default: 6.5in]
    #[arg(long, value_name = "LENGTH")]
    pub width: Option<String>,
    /// Height of the figure, or auto
    #[arg(long, value_name = "LENGTH|auto")]
    pub height: Option<String>,
    /// Pixels per inch [default: 200]
    #[arg(long, value_name = "N")]
    pub dpi: Option<f64>,
    /// Size of tick labels, 5pt or more [default: 9pt]
    #[arg(long, value_name = "LENGTH")]
    pub font_size: Option<String>,
    /// Number of panels side by side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub columns: Option<u32>,
    /// Title of the figure
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Template for panel titles; {panel} is the value of the panel
    #[arg(long, value_name = "TEMPLATE")]
    pub panel_title: Option<String>,
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
    /// Print values in cells: auto, on, off, or a template such as '{mean:.1f}±{std:.1f}'
    #[arg(long, value_name = "WORD|TEMPLATE")]
    pub annot: Option<String>,
    /// Number format as in Python: .1f, .3g, d, %
    #[arg(long, value_name = "FORMAT")]
    pub fmt: Option<String>,
    /// Outline the extreme cells of each panel: max, min, none
    #[arg(long, value_name = "WORD")]
    pub mark: Option<Mark>,
    /// Width of lines between cells (points without a unit)
    #[arg(long, value_name = "LENGTH")]
    pub linewidths: Option<String>,
    /// Colour of lines between cells
    #[arg(long, value_name = "COLOR")]
    pub linecolor: Option<String>,
    /// Place of row 0: upper, lower
    #[arg(long, value_name = "WORD")]
    pub origin: Option<Origin>,
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
    /// How to reduce several cells to one pixel: mean, min, max, extreme, count
    #[arg(long, value_name = "WORD")]
    pub reduce: Option<Reduce>,
    /// Mark pixels that hide an extreme with rings: auto, off
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

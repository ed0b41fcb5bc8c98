//! The commands and the flags of each.

use super::bench_args::BenchArgs;
use crate::comparison::{Better, Tolerance};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

pub use super::run_args::{RunArgs, When};
pub use super::source_args::Source;

/// GPU-accelerated heatmaps of parameter sweeps: exact, honest, paper-ready
///
/// Without a command, `gridscope FILE` opens the window of `view` if it runs in a terminal and there is a display. Else, or
/// with --json, --top or --preview, it prints the text of `info`, and in a terminal a preview of the figure.
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
    /// The figure in the terminal's colours, below the text of `info`; auto: where standard output is a terminal
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
    /// Prints shape, axes, states, and the extremes with their places; of a picture, the figure that it shows
    Info(Box<InfoArgs>),
    /// Prints only the warnings; denied ones end in exit code 6
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
    /// Whether text is requested: by a script, or by a person who does not want a window.
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

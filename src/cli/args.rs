//! The commands, and the flags of each.

use super::bench_args::BenchArgs;
use super::figure_flags::FigureFlags;
use clap::{Args, Parser, Subcommand, ValueEnum};
use gridscope_draw::comparison::Tolerance;
use gridscope_draw::picture::PictureFormat;
use std::path::PathBuf;

pub(super) use super::run_args::{RunArgs, When};

/// Heatmaps of parameter sweeps: exact, ready for a paper, on the CPU or through wgpu
///
/// Without a command, `gridscope FILE` opens a window as `view` does if it runs in a terminal and there is a display.
/// Otherwise, or with --json, --top or --preview, it prints the output of `info` and, in a terminal, a preview of the figure.
#[derive(Parser)]
#[command(name = "gridscope", version, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Print a preview of the figure below the output of `info`; auto: if standard output is a terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub preview: When,
    #[command(flatten)]
    pub info: InfoArgs,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Open a figure in a window: zoom, pan, read values, change colours, save
    #[command(
        after_help = "In the window: the wheel zooms, dragging moves, a double click shows everything, ? lists all keys, q quits."
    )]
    View(Box<WindowArgs>),
    /// Draw a figure to a file
    Render(Box<RenderArgs>),
    /// Print shape, axes, states, and extremes with their places; of a picture, the figure that it shows
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
    Devices(DeviceArgs),
    /// Print the JSON Schema of figure files
    Schema,
    /// Print shell completions
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
}

impl Cli {
    /// The files and flags of the command, if it reads a figure.
    pub(super) fn source(&mut self) -> Option<&mut Source> {
        match &mut self.command {
            None => Some(&mut self.info.source),
            Some(Command::View(a)) => Some(&mut a.source),
            Some(Command::Render(a)) => Some(&mut a.source),
            Some(Command::Info(a)) => Some(&mut a.source),
            Some(Command::Check(a)) => Some(&mut a.source),
            Some(Command::Export(a)) => Some(&mut a.source),
            Some(_) => None,
        }
    }

    /// Whether the flags ask for text output, so that no window is opened.
    pub(super) fn asks_for_text(&self) -> bool {
        self.info.source.run.json.is_some() || self.info.top.is_some() || self.preview != When::Auto
    }
}

/// The files and flags of every command that reads a figure.
#[derive(Args, Clone, Default)]
pub(super) struct Source {
    /// A figure file (.toml, .json) or data: CSV, TSV, JSON, Parquet, Arrow, Feather, NPY, NPZ, a Zarr folder; - is
    /// standard input; 'runs/*.csv' is all files that match
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    #[command(flatten)]
    pub flags: FigureFlags,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args, Clone, Default)]
pub(super) struct WindowArgs {
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
    /// What reduces cells to pixels and paints them; the device draws everything else
    #[arg(long, value_enum, default_value_t = RequestedWorker::Auto, help_heading = "Run")]
    pub backend: RequestedWorker,
    /// Device to use: part of its name, or its number in `gridscope devices`
    #[arg(long, value_name = "NAME", help_heading = "Run")]
    pub device: Option<String>,
}

#[derive(Args)]
pub(super) struct RenderArgs {
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
    #[arg(long, value_enum, default_value_t = RequestedCells::Auto, value_name = "HOW")]
    pub cells: RequestedCells,
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
pub(super) struct BackendArgs {
    /// What draws the picture and reduces cells to pixels
    #[arg(long, value_enum, default_value_t = RequestedBackend::Auto)]
    pub backend: RequestedBackend,
    /// Device to use: part of its name, or its number in `gridscope devices`
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
}

#[derive(Args)]
pub(super) struct InfoArgs {
    /// Number of extreme cells to list [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=MOST_LISTED))]
    pub top: Option<u32>,
    /// Say which cell, row and column are best and how far ahead, what makes no difference, and what is missing; with --better
    #[arg(long)]
    pub best: bool,
    #[command(flatten)]
    pub source: Source,
}

#[derive(Args)]
pub(super) struct CheckArgs {
    /// How much worse a value may be: an amount, or a percentage of the value before, as 2%
    #[arg(long, value_name = "T", requires = "against")]
    pub tolerance: Option<Tolerance>,
    #[command(flatten)]
    pub source: Source,
}

#[derive(Args)]
pub(super) struct ExportArgs {
    /// A path ending in .csv or .npy, or - for CSV on standard output; several panels: NAME-PANEL.csv each
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub backend: BackendArgs,
}

#[derive(Args)]
pub(super) struct ColormapArgs {
    /// Print the names as a JSON array
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct DeviceArgs {
    /// Print the devices as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Svg,
    Pdf,
}

impl From<Format> for PictureFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Png => PictureFormat::Png,
            Format::Svg => PictureFormat::Svg,
            Format::Pdf => PictureFormat::Pdf,
        }
    }
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(super) enum RequestedCells {
    Auto,
    Rects,
    Image,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(super) enum Compression {
    Auto,
    Fast,
    Small,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(super) enum RequestedBackend {
    /// A hardware device for large pictures, otherwise the CPU
    Auto,
    /// Any device, including a software driver
    Gpu,
    /// No device: the CPU
    Cpu,
}

/// Who reduces cells to pixels and paints them in a window.
#[derive(Clone, Copy, Debug, Default, ValueEnum, PartialEq, Eq)]
pub(super) enum RequestedWorker {
    /// Whichever is faster: the CPU where the device is a software driver
    #[default]
    Auto,
    /// The device, including a software driver
    Gpu,
    /// The CPU
    Cpu,
}

/// The most cells that `info` lists.
const MOST_LISTED: i64 = 10_000;

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_flag_has_a_help_text() {
        let mut cli = Cli::command();
        cli.build();
        let has_help =
            |c: &clap::Command| c.get_about().is_some() && c.get_arguments().all(|a| a.get_help().is_some());
        for command in std::iter::once(&cli).chain(cli.get_subcommands()) {
            assert!(
                has_help(command),
                "{}: {:?}",
                command.get_name(),
                command.get_arguments().find(|a| a.get_help().is_none())
            );
        }
        assert!(cli.get_subcommands().count() > 10);
    }
}

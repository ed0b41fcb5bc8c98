//! The commands, the flags of each, and the values of flags that must be in a range or of a form.

use super::bench_args::BenchArgs;
use super::figure_flags::FigureFlags;
use clap::{Args, Parser, Subcommand, ValueEnum};
use gridscope_core::figure::Length;
use gridscope_core::lint::LintName;
use gridscope_draw::comparison::Tolerance;
use gridscope_draw::picture::PictureFormat;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

/// Heatmaps of parameter sweeps: exact, ready for a paper, on the CPU or through wgpu
///
/// Without a command, `gridscope FILE` opens a window as `view` does if it runs in a terminal and there is a display.
/// Otherwise, or with --json, --top or --preview, it prints the output of `info` and, in a terminal, a preview of the figure.
#[derive(Parser)]
#[command(name = "gridscope", version, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Print a preview of the figure below the output of `info`; auto: if standard output is a terminal, in pixels if it says that it shows them
    #[arg(long, value_enum, default_value_t = Preview::Auto, value_name = "HOW")]
    pub preview: Preview,
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
        self.info.source.run.json.is_some() || self.info.top.is_some() || self.preview != Preview::Auto
    }
}

/// The files and flags of every command that reads a figure.
#[derive(Args, Clone, Default)]
pub(super) struct Source {
    /// A figure file (.toml, .json) or data: CSV, TSV, JSON, Parquet, Arrow, Feather, NPY, NPZ, a Zarr folder; - is
    /// standard input; 'runs/*.csv' is all files that match
    #[arg(value_name = "FILE", required_unless_present = "db")]
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
    /// The processor that reduces cells to pixels and paints them; the device draws everything else
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
    /// The processor that draws the picture and reduces cells to pixels
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

#[derive(Clone, Copy, Default, ValueEnum, PartialEq, Eq)]
/// When something is printed; `Auto`: if the stream is a terminal.
pub(super) enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// Whether there is a preview, and of what it is made.
#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub(super) enum Preview {
    /// In a terminal: pixels if it says that it shows them, otherwise blocks
    Auto,
    /// As auto, and blocks where standard output is no terminal
    Always,
    /// None
    Never,
    /// Characters in colour, two pixels each
    Blocks,
    /// Pixels by kitty's graphics protocol, without asking
    Kitty,
    /// Pixels by iTerm2's inline images, without asking
    Iterm2,
    /// Pixels by sixels, without asking
    Sixel,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Run")]
pub(super) struct RunArgs {
    /// Print a report as JSON, or write it to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub json: Option<Option<PathBuf>>,
    /// Print no warnings and no notes
    #[arg(short, long)]
    pub quiet: bool,
    /// Print each warning on a line of its own, not one line for all of a name
    #[arg(short, long)]
    pub verbose: bool,
    /// Show progress on standard error; auto: if it is a terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub progress: When,
    /// Memory limit of the run, as 512M or 4G [default: half of the available memory]
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<String>,
    /// End the run with exit code 7 after this many seconds [default: no limit]
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
    /// Seconds to wait for the first byte of a named pipe [default: 30]
    #[arg(long, value_name = "SECONDS", hide = true)]
    pub patience: Option<f64>,
    /// End with exit code 6 on any warning about the data
    #[arg(long)]
    pub strict: bool,
    /// End with exit code 6 on this warning; several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub deny: Vec<LintName>,
    /// Silence this warning; several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub allow: Vec<LintName>,
}

/// A finite number.
pub(super) fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|v: &f64| v.is_finite());
    number.ok_or_else(|| "give a finite number".to_owned())
}

/// A finite number above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    let number = finite(text).ok().filter(|v| *v > 0.0);
    number.ok_or_else(|| "give a number above 0".to_owned())
}

/// A whole number above 0.
pub(super) fn above_zero(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| "give a whole number above 0".to_owned())
}

/// A number of rows or columns.
pub(super) fn count(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| "give a whole number from 1".to_owned())
}

/// The size of a text that can be seen.
pub(super) fn font_size(text: &str) -> Result<Length, String> {
    let length: Length = text.parse().map_err(|e: gridscope_core::notation::ParseError| e.to_string())?;
    if length.is_zero() {
        return Err("it leaves nothing to draw".to_owned());
    }
    Ok(length)
}

/// The angle of tick labels.
pub(super) fn rotation(text: &str) -> Result<u32, String> {
    let degrees = text.parse().ok().filter(|d| [0, 45, 90].contains(d));
    degrees.ok_or_else(|| "labels turn by 0, 45 or 90 degrees".to_owned())
}

/// A key and its label: `OLD=NEW`; `\=` is a `=` of the key. None without a `=`.
pub(super) fn renaming(text: &str) -> Option<(String, String)> {
    let mut old = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.as_str().starts_with('=') => old.extend(chars.next()),
            '=' => return Some((old, chars.as_str().to_owned())),
            _ => old.push(c),
        }
    }
    None
}

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

    #[test]
    fn a_label_follows_its_key() {
        let of = |old: &str, new: &str| Some((old.to_owned(), new.to_owned()));
        assert_eq!((renaming("a=b=c"), renaming("a\\=b=")), (of("a", "b=c"), of("a=b", "")));
        assert!(renaming("a").is_none() && rotation("30").is_err() && rotation("90") == Ok(90));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!((finite("-1e300"), positive("0.5")), (Ok(-1e300), Ok(0.5)));
        for bad in ["NaN", "inf", "1e999", "x", ""] {
            assert!(finite(bad).is_err() && positive(bad).is_err(), "{bad}");
        }
        assert!(positive("0").is_err() && positive("-1").is_err());
        assert!(font_size("0pt").is_err() && font_size("9pt").is_ok() && font_size("9 pts").is_err());
    }
}

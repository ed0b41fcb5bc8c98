//! The flags of `gridscope view`.

use super::args::Source;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Default)]
pub struct WindowArgs {
    #[command(flatten)]
    pub source: Source,
    /// A device by a part of its name, or by its number in `gridscope devices`
    #[arg(long, value_name = "NAME", help_heading = "Run")]
    pub device: Option<String>,
    /// Shows how long frames take
    #[arg(long, help_heading = "Run")]
    pub fps: bool,
    /// Reads again whenever a file changes: views and limits that were set stay
    #[arg(long, help_heading = "Run")]
    pub watch: bool,
    /// Commands, a line a frame, once the figure is there; with --json the window closes at their end
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub script: Option<PathBuf>,
}

//! The flags of a run: report, messages, limits, warnings.

use clap::{Args, ValueEnum};
use gridscope_core::lint::LintName;
use std::path::PathBuf;

#[derive(Clone, Copy, Default, ValueEnum, PartialEq, Eq)]
/// When something is printed; `Auto`: if the stream is a terminal.
pub(super) enum When {
    #[default]
    Auto,
    Always,
    Never,
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

//! The flags that every command which reads data shares.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Clone, Copy, Default, ValueEnum, PartialEq, Eq)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Run")]
pub struct RunArgs {
    /// Prints a report as JSON, or writes it to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub json: Option<Option<PathBuf>>,
    /// No warnings and no notes
    #[arg(short, long)]
    pub quiet: bool,
    /// How far the work is, on stderr; auto: where stderr is a terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub progress: When,
    /// Most memory for a run, as 512M or 4G; half of what there is for it unless given
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<String>,
    /// Seconds after which the run ends with exit code 7; no limit unless given
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
    /// Seconds that a named pipe may stay without its first byte (30)
    #[arg(long, value_name = "SECONDS", hide = true)]
    pub patience: Option<f64>,
    /// Every warning about the data ends in exit code 6
    #[arg(long)]
    pub strict: bool,
    /// This warning ends in exit code 6; several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub deny: Vec<String>,
    /// This warning is silent; several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub allow: Vec<String>,
}

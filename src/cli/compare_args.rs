//! Flags that give cells other values.

use crate::figure::{Baseline, Normalize, ZScore};
use crate::notation::Literal;
use clap::Args;

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Values")]
pub(super) struct CompareArgs {
    /// Show each value minus that of BASE: file:PATH, panel:NAME, COLUMN=VALUE (a row, column or panel), or one word of these
    #[arg(long, value_name = "BASE", group = "compare")]
    pub minus: Option<Literal<Baseline>>,
    /// Show each value over that of BASE, on a log scale around 1
    #[arg(long, value_name = "BASE", group = "compare")]
    pub ratio: Option<Literal<Baseline>>,
    /// Show by how many per cent each value differs from that of BASE
    #[arg(long, value_name = "BASE", group = "compare")]
    pub percent: Option<Literal<Baseline>>,
    /// Show BASE, the values, and their difference, in three panels; check compares with BASE instead, by --better
    #[arg(long, value_name = "BASE", group = "compare")]
    pub against: Option<Literal<Baseline>>,
    /// Show each value as a share of a sum: of its row, column, panel, or of all panels
    #[arg(long, value_name = "row|column|panel|all")]
    pub normalize: Option<Normalize>,
    /// Show each value as its distance from the mean of its row or column, in standard deviations
    #[arg(long, value_name = "row|column")]
    pub z_score: Option<ZScore>,
}

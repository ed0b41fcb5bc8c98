//! Flags that give cells other values.

use crate::figure::{Normalize, ZScore};
use clap::Args;

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Values")]
pub(super) struct CompareArgs {
    /// Show each value as a share of a sum: of its row, column, panel, or of all panels
    #[arg(long, value_name = "row|column|panel|all")]
    pub normalize: Option<Normalize>,
    /// Show each value as its distance from the mean of its row or column, in standard deviations
    #[arg(long, value_name = "row|column")]
    pub z_score: Option<ZScore>,
}

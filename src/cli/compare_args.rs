//! Flags that give cells other values.

use clap::Args;
use gridscope_core::figure::{Baseline, Normalize, PairedTest, ZScore};
use gridscope_core::notation::Literal;

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Values")]
pub(super) struct CompareArgs {
    /// Show each value minus that of BASE: a file, a panel, or the row, column or panel COLUMN=VALUE
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
    /// Mark differences that are more than the noise of paired replicates with stars: by Wilcoxon's signed-rank test, or --paired=t
    #[arg(long, value_name = "wilcoxon|t", num_args = 0..=1, require_equals = true, default_missing_value = "wilcoxon")]
    pub paired: Option<PairedTest>,
    /// Column that pairs the replicates, such as seed
    #[arg(long, value_name = "COL")]
    pub pair_by: Option<String>,
    /// Show each value as a share of a sum: of its row, column, panel, or of all panels
    #[arg(long, value_name = "row|column|panel|all")]
    pub normalize: Option<Normalize>,
    /// Show each value as its distance from the mean of its row or column, in standard deviations
    #[arg(long, value_name = "row|column")]
    pub z_score: Option<ZScore>,
}

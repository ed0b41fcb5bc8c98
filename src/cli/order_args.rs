//! Flags for the order of rows and columns: sorted, grouped, clustered.

use clap::Args;
use gridscope_core::figure::{ClusterAxes, Figure, LeafOrder, Linkage, List, Metric, OnOff, Sort};
use gridscope_core::notation::Literal;
use std::num::NonZeroU32;

/// A number of rows or columns.
fn count(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| "give a whole number from 1".to_owned())
}

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Order")]
pub(super) struct OrderArgs {
    /// Sort the rows by mean, median, min, max, sum, std or count of their cells, by their label, or by the column of this label; :desc for the greatest first
    #[arg(long, value_name = "AGG|LABEL[:desc]", allow_hyphen_values = true)]
    sort_rows: Option<Literal<Sort>>,
    /// Sort the columns, as --sort-rows
    #[arg(long, value_name = "AGG|LABEL[:desc]", allow_hyphen_values = true)]
    sort_columns: Option<Literal<Sort>>,
    /// Show the first N rows, after sorting
    #[arg(long, value_name = "N", visible_alias = "keep-rows", value_parser = count)]
    keep: Option<NonZeroU32>,
    /// Show the first N columns, after sorting
    #[arg(long, value_name = "N", value_parser = count)]
    keep_columns: Option<NonZeroU32>,
    /// Group the rows by the values of COL, with gaps between the groups
    #[arg(long, value_name = "COL[,COL]", visible_alias = "split-rows")]
    split: Option<String>,
    /// Group the columns by the values of COL, as --split
    #[arg(long, value_name = "COL[,COL]")]
    split_columns: Option<String>,
    /// Put rows, columns or both in the order of a hierarchical clustering, with its tree beside the body
    #[arg(long, value_name = "rows|columns|both")]
    cluster: Option<ClusterAxes>,
    /// Distance of two clusters: average, complete, ward, single, weighted [default: average]
    #[arg(long, value_name = "WORD")]
    linkage: Option<Linkage>,
    /// Distance of two rows: euclidean, correlation, cosine, cityblock [default: euclidean]
    #[arg(long, value_name = "WORD")]
    metric: Option<Metric>,
    /// Order of the two clusters of each merge: merged, or optimal, which brings like next to like
    #[arg(long, value_name = "WORD")]
    leaf_order: Option<LeafOrder>,
    /// Draw the tree of a clustering: on, off
    #[arg(long, value_name = "WORD")]
    dendrogram: Option<OnOff>,
}

impl OrderArgs {
    /// Sets the keys whose flags are given.
    pub(super) fn apply(&self, figure: &mut Figure) {
        fn set<T: Clone>(target: &mut Option<T>, flag: &Option<T>) {
            if flag.is_some() {
                target.clone_from(flag);
            }
        }
        let list = |flag: &Option<String>| flag.as_deref().map(List::from_flag);
        let (x, y, c) = (&mut figure.x, &mut figure.y, &mut figure.cluster);
        set(&mut y.sort, &self.sort_rows);
        set(&mut x.sort, &self.sort_columns);
        set(&mut y.keep, &self.keep);
        set(&mut x.keep, &self.keep_columns);
        set(&mut y.split, &list(&self.split));
        set(&mut x.split, &list(&self.split_columns));
        set(&mut c.axes, &self.cluster);
        set(&mut c.linkage, &self.linkage);
        set(&mut c.metric, &self.metric);
        set(&mut c.leaf_order, &self.leaf_order);
        set(&mut c.dendrogram, &self.dendrogram);
    }
}

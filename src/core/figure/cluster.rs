//! Rows and columns in the order of a hierarchical clustering.

use super::words::OnOff;
use crate::notation::words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rows and columns in the order of a hierarchical clustering, as scipy and seaborn's `clustermap` have it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Cluster {
    /// Axes that are clustered: `rows`, `columns` or `both`.
    pub axes: Option<ClusterAxes>,
    /// The distance of two clusters; `average` unless given.
    pub linkage: Option<Linkage>,
    /// The distance of two rows or columns; `euclidean` unless given.
    pub metric: Option<Metric>,
    /// The order of the two clusters of each merge: as they were merged (`merged`), or `optimal`, which brings like next to like.
    pub leaf_order: Option<LeafOrder>,
    /// Whether the tree of the merges is drawn beside the body.
    pub dendrogram: Option<OnOff>,
}

impl Cluster {
    /// Whether columns (`along_x`) or rows are clustered.
    pub fn clusters(&self, along_x: bool) -> bool {
        match self.axes {
            None => false,
            Some(ClusterAxes::Both) => true,
            Some(ClusterAxes::Rows) => !along_x,
            Some(ClusterAxes::Columns) => along_x,
        }
    }
}

words! {
    /// Axes that are clustered.
    ClusterAxes {
        /// Rows.
        #[default] Rows = "rows",
        /// Columns.
        Columns = "columns",
        /// Both.
        Both = "both",
    }
    /// The distance of two clusters.
    Linkage {
        /// The mean of the distances of all pairs.
        #[default] Average = "average",
        /// The greatest distance of a pair.
        Complete = "complete",
        /// The increase that a merge brings to the squared distances within clusters.
        Ward = "ward",
        /// The least distance of a pair.
        Single = "single",
        /// The mean of the distances of the two clusters that were merged last.
        Weighted = "weighted",
    }
    /// The distance of two rows or columns.
    Metric {
        /// The root of the sum of the squared differences.
        #[default] Euclidean = "euclidean",
        /// One minus the correlation of Pearson.
        Correlation = "correlation",
        /// One minus the cosine of the angle.
        Cosine = "cosine",
        /// The sum of the absolute differences.
        Cityblock = "cityblock",
    }
    /// The order of the two clusters of each merge.
    LeafOrder {
        /// That of the merges: the cluster that was made first comes first.
        #[default] Merged = "merged",
        /// That in which the distances of neighbours add up to the least.
        Optimal = "optimal",
    }
}

//! The tree of the cells of an axis: what merges with what, and at which distance.

/// A merge of two neighbouring clusters of cells. Places are in cells: the middle of the first cell is 0.5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Join {
    /// The place of each cluster, and the height at which it was made: 0 for a single cell.
    pub ends: [(f64, f64); 2],
    /// The distance of the two.
    pub height: f64,
}

/// The merges of a hierarchical clustering, over cells in the order of its leaves. Groups that were clustered each by itself
/// have a tree each, here all together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    joins: Vec<Join>,
    height: f64,
}

impl Tree {
    /// A tree of these merges.
    pub fn new(joins: Vec<Join>) -> Self {
        let height = joins.iter().map(|j| j.height).fold(0.0, f64::max);
        Self { joins, height }
    }

    /// The merges.
    pub fn joins(&self) -> &[Join] {
        &self.joins
    }

    /// The greatest distance at which clusters merge.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The same tree over an axis that begins with another cell.
    pub(super) fn shifted(&self, first: usize) -> Self {
        let shift = |(place, height): (f64, f64)| (place - first as f64, height);
        let joins = self.joins.iter().map(|join| Join { ends: join.ends.map(shift), height: join.height });
        Self { joins: joins.collect(), height: self.height }
    }
}

//! Sort keys of lines that normalising makes alike: their values from before.

use super::shared::{Side, alike};
use super::sort::aggregates;
use crate::figure::{Figure, Normalize, SortAggregate, SortBy, ZScore};
use crate::grid::Grid;

/// Aggregates of lines before their values were normalised: of rows, then of columns, those of each group of panels with one axis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before([Vec<Vec<Option<f64>>>; 2]);

impl Before {
    /// Of grids whose values are not yet normalised; nothing where the lines are sorted by what stays different.
    pub(crate) fn of(grids: &[Grid], figure: &Figure) -> Self {
        Self([Side::Rows, Side::Columns].map(|side| {
            let Some(aggregate) = made_alike(figure, side) else {
                return Vec::new();
            };
            let groups = alike(grids, side, figure);
            let keys = groups.iter().map(|of| aggregates((grids, of), side, aggregate));
            keys.collect()
        }))
    }

    /// The aggregates of the lines of a group.
    pub(super) fn group(&self, side: Side, group: usize) -> Option<&Vec<Option<f64>>> {
        self.0[usize::from(side == Side::Columns)].get(group)
    }
}

/// The aggregate that lines are sorted by, where it is the same for all of them once they are normalised.
fn made_alike(figure: &Figure, side: Side) -> Option<SortAggregate> {
    let (spec, share, score) = match side {
        Side::Rows => (&figure.y, Normalize::Row, ZScore::Row),
        Side::Columns => (&figure.x, Normalize::Column, ZScore::Column),
    };
    let SortBy::Aggregate(aggregate) = spec.sort.as_deref()?.by else {
        return None;
    };
    let is_alike = match aggregate {
        SortAggregate::Mean | SortAggregate::Sum => {
            figure.data.normalize == Some(share) || figure.data.z_score == Some(score)
        }
        SortAggregate::Std => figure.data.z_score == Some(score),
        _ => false,
    };
    is_alike.then_some(aggregate)
}

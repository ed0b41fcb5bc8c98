//! Columns whose texts go along an axis: strips, and what splits it into groups.

use gridscope_core::figure::{Figure, List, StripAxis};

/// A column along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SideColumn<'f> {
    pub axis: StripAxis,
    pub column: &'f str,
    /// It makes groups; otherwise it is a strip.
    pub splits: bool,
}

/// Those of a figure: strips in their order, then splits, the outer first.
pub(crate) fn side_columns(figure: &Figure) -> Vec<SideColumn<'_>> {
    let strips = figure.strip.iter().flat_map(|strips| &strips.0);
    let strips = strips.map(|strip| SideColumn { axis: strip.axis, column: &strip.column, splits: false });
    let sides = [(StripAxis::X, &figure.x.split), (StripAxis::Y, &figure.y.split)];
    let splits = sides.into_iter().flat_map(|(axis, split)| {
        let columns = split.iter().flat_map(|List(columns)| columns);
        columns.map(move |column| SideColumn { axis, column, splits: true })
    });
    strips.chain(splits).collect()
}

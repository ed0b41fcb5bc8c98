//! Panels in rows and columns by the values of columns of the table.

use super::drawn_labels::panel_names;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Facet, FacetValue, Grid};
use gridscope_core::text::clean;
use std::collections::{BTreeMap, HashSet};

/// The rows and columns of panels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facets {
    /// The title of each row, empty where rows have none.
    pub rows: Vec<String>,
    /// The title of each column.
    pub columns: Vec<String>,
    /// The row and the column of each panel.
    pub places: Vec<(usize, usize)>,
}

/// The rows and columns of these panels; `None` where a panel has no place of its own. Panels with titles of their own need
/// none for rows and columns.
pub(super) fn facets(figure: &Figure, grids: &[Grid]) -> Option<Facets> {
    let all: Vec<&Facet> = grids.iter().map(Grid::facet).collect::<Option<_>>()?;
    let titled = figure.panel_title.is_none();
    let (rows, row_of) = side(&all, |f| f.row.as_ref(), titled);
    let (columns, column_of) = side(&all, |f| f.column.as_ref(), titled);
    let places: Vec<(usize, usize)> = row_of.into_iter().zip(column_of).collect();
    let mut met = HashSet::new();
    let are_apart = places.iter().all(|place| met.insert(*place));
    (are_apart && !all.is_empty()).then_some(Facets { rows, columns, places })
}

/// The titles of one side in their order, and of each panel which it has. Places without a panel are left out.
fn side<'f>(
    all: &[&'f Facet],
    of: impl Fn(&'f Facet) -> Option<&'f FacetValue>,
    titled: bool,
) -> (Vec<String>, Vec<usize>) {
    let place = |facet: &'f Facet| of(facet).map_or(0, |value| value.place);
    let values: BTreeMap<usize, Option<&FacetValue>> = all.iter().map(|f| (place(f), of(f))).collect();
    let names: Vec<&str> = values.values().map(|v| v.map_or("", |v| v.value.as_str())).collect();
    let title = |(value, drawn): (Option<&FacetValue>, String)| match value {
        Some(value) if titled => clean(&value.title(&drawn)),
        _ => String::new(),
    };
    let titles = values.values().copied().zip(panel_names(&names)).map(title).collect();
    let rank = |facet: &&'f Facet| values.range(..place(facet)).count();
    (titles, all.iter().map(rank).collect())
}

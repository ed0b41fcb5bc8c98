//! The columns whose values make the panels.

use super::{Data, List};

impl Data {
    /// The texts of all keys that make panels: columns of a table, axes of an array.
    pub(crate) fn panel_names(&self) -> impl Iterator<Item = &str> {
        let listed = self.panel.iter().flat_map(|List(names)| names);
        listed
            .chain(&self.panel_row)
            .chain(&self.panel_column)
            .map(String::as_str)
    }

    /// Whether the panels are in rows and columns by the values of columns.
    pub(crate) fn has_facets(&self) -> bool {
        self.panel_row.is_some() || self.panel_column.is_some()
    }
}

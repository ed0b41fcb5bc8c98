//! What was done to the values of a grid after rows became cells.

use super::error::GridError;
use super::{Grid, State, Values};

/// A step that gave the cells other values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Each value is a share of the sum over this: `row`, `column`, `panel` or `all`.
    Share(&'static str),
    /// Each value is its distance from the mean of this, in standard deviations: `row` or `column`.
    ZScore(&'static str),
}

impl Grid {
    /// What was done to the values, in order; empty where they are those of the source.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The same grid with other values, which came of its own by this change. Names, axes, fields and texts stay.
    ///
    /// # Errors
    /// As [`Grid::new`].
    pub fn changed(
        &self,
        values: Values,
        states: &[Option<State>],
        change: Change,
    ) -> Result<Grid, GridError> {
        // The lengths are those of any new grid.
        let new = Grid::new(self.rows.clone(), self.columns.clone(), values, states)?;
        let mut changes = self.changes.clone();
        changes.push(change);
        Ok(Grid {
            name: self.name.clone(),
            value_name: self.value_name.clone(),
            fields: self.fields.clone(),
            texts: self.texts.clone(),
            merged: self.merged.clone(),
            hidden: self.hidden.clone(),
            changes,
            ..new
        })
    }
}

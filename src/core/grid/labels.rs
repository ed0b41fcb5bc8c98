//! Parts of a grid beside its cells: names, axes, further numbers and texts.

use super::error::GridError;
use super::{Axis, Grid, shape};
use std::collections::BTreeMap;

impl Grid {
    /// The same grid under this name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The panel's value, empty for a lone grid.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names the panel.
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    /// Name of the values ("pass1"), empty if unknown.
    pub fn value_name(&self) -> &str {
        &self.value_name
    }

    /// Names what the cells hold.
    pub fn set_value_name(&mut self, name: impl Into<String>) {
        self.value_name = name.into();
    }

    /// The axis down the side (y).
    pub fn rows(&self) -> &Axis {
        &self.rows
    }

    /// Replaces the axis down the side.
    ///
    /// # Errors
    /// [`GridError::Length`]: it has another length than the grid's height, or one of its parts has another length than
    /// it.
    pub fn set_rows(&mut self, axis: Axis) -> Result<(), GridError> {
        shape::axis("rows", &axis, self.height())?;
        self.rows = axis;
        Ok(())
    }

    /// The axis along the bottom (x).
    pub fn columns(&self) -> &Axis {
        &self.columns
    }

    /// Replaces the axis along the bottom.
    ///
    /// # Errors
    /// As [`Grid::set_rows`], for the grid's width.
    pub fn set_columns(&mut self, axis: Axis) -> Result<(), GridError> {
        shape::axis("columns", &axis, self.width())?;
        self.columns = axis;
        Ok(())
    }

    /// Further numbers of each cell, by the name a template uses (`mean`, `std`, `n`).
    pub fn fields(&self) -> &BTreeMap<String, Vec<f64>> {
        &self.fields
    }

    /// Adds or replaces further numbers, one per cell.
    ///
    /// # Errors
    /// [`GridError::Length`]: there is not one number per cell.
    pub fn set_field(&mut self, name: impl Into<String>, numbers: Vec<f64>) -> Result<(), GridError> {
        let name = name.into();
        shape::length(|| format!("field '{name}'"), numbers.len(), self.len())?;
        self.fields.insert(name, numbers);
        Ok(())
    }

    /// Texts of each cell, by column name (`column:note`).
    pub fn texts(&self) -> &BTreeMap<String, Vec<String>> {
        &self.texts
    }

    /// Adds or replaces texts, one per cell.
    ///
    /// # Errors
    /// [`GridError::Length`]: there is not one text per cell.
    pub fn set_texts(&mut self, name: impl Into<String>, texts: Vec<String>) -> Result<(), GridError> {
        let name = name.into();
        shape::length(|| format!("texts '{name}'"), texts.len(), self.len())?;
        self.texts.insert(name, texts);
        Ok(())
    }
}

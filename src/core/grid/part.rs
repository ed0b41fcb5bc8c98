//! Parts of grids, and grids turned or in another order.

use super::backing::Backing;
use super::error::GridError;
use super::{Axis, Grid, bounds, shape};
use std::ops::Range;
use std::sync::Arc;

impl Grid {
    /// Rows and columns swapped.
    pub fn transposed(&self) -> Grid {
        let (h, w) = (self.height(), self.width());
        let places = || (0..w).flat_map(move |c| (0..h).map(move |r| (r, c)));
        let axes = (self.columns.clone(), self.rows.clone());
        let mut out =
            self.gathered(axes, self.backing.flipped(), || places().map(|(r, c)| r * w + c).collect());
        out.hidden = self.hidden.as_ref().map(|hidden| hidden.rearranged(places(), h));
        out.marked = self.marks_transposed();
        out
    }

    /// The part of rows `r` and columns `c`.
    ///
    /// # Errors
    /// When a range is empty or leaves the grid.
    pub fn window(&self, r: Range<usize>, c: Range<usize>) -> Result<Grid, GridError> {
        bounds::part("rows", &r, self.height())?;
        bounds::part("columns", &c, self.width())?;
        let (w, axes) = (self.width(), (self.rows.slice(r.clone()), self.columns.slice(c.clone())));
        let places = || r.clone().flat_map(|y| c.clone().map(move |x| y * w + x)).collect();
        let mut part = self.gathered(axes, self.backing.part(r.clone(), c.clone()), places);
        part.hidden = self.hidden.as_ref().map(|hidden| hidden.part(&r, &c));
        part.marked = self.marks_within(&r, &c);
        part.count_hidden();
        Ok(part)
    }

    /// Row `rows[i]` becomes row i, column `columns[j]` column j; an index may be left out, or given several times.
    ///
    /// # Errors
    /// When an index leaves the grid, or there is none, or more than a side may have.
    ///
    /// # Panics
    /// As [`Grid::cells`].
    pub fn permuted(&self, rows: &[usize], columns: &[usize]) -> Result<Grid, GridError> {
        bounds::indices("rows", rows, self.height())?;
        bounds::indices("columns", columns, self.width())?;
        let (w, axes) = (self.width(), (self.rows.permuted(rows), self.columns.permuted(columns)));
        shape::cells(&axes.0, &axes.1)?;
        let places = || rows.iter().flat_map(|&y| columns.iter().map(move |&x| (y, x)));
        let mut out = self.gathered(axes, None, || places().map(|(y, x)| y * w + x).collect());
        out.hidden = self.hidden.as_ref().map(|hidden| hidden.rearranged(places(), columns.len()));
        out.marked = self.marks_permuted(rows, columns);
        out.count_hidden();
        Ok(out)
    }

    /// The cells at these places of this grid under other axes: in `apart` where they stay in a source, else in memory.
    fn gathered(
        &self,
        (rows, columns): (Axis, Axis),
        apart: Option<Backing>,
        places: impl FnOnce() -> Vec<usize>,
    ) -> Grid {
        // Of a source, which may be huge, only what is beside the cells needs them.
        let order = if apart.is_some() && self.fields.is_empty() && self.texts.is_empty() {
            Vec::new()
        } else {
            places()
        };
        let order = order.as_slice();
        Grid {
            name: self.name.clone(),
            value_name: self.value_name.clone(),
            rows,
            columns,
            backing: apart.unwrap_or_else(|| Backing::held(self.loaded().gathered(order))),
            fields: self
                .fields
                .iter()
                .map(|(k, v)| (k.clone(), order.iter().map(|&i| v[i]).collect()))
                .collect(),
            texts: self
                .texts
                .iter()
                .map(|(k, v)| (k.clone(), order.iter().map(|&i| v[i].clone()).collect()))
                .collect(),
            merged: self.merged.clone(),
            facet: self.facet.clone(),
            caption: self.caption.clone(),
            slices: Arc::clone(&self.slices),
            changes: self.changes.clone(),
            min_count: self.min_count,
            note: self.note.clone(),
            // A mask goes by places: whoever cuts out a part says which.
            hidden: None,
            marked: super::marked::MarkedCells::new(),
        }
    }
}

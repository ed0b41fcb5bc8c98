//! Columns of a schema that are computed from others.

use super::bin_axis::BinAxis;
use super::schema::Schema;
use std::sync::Arc;

impl Schema {
    /// The columns of the files, without those that are computed from them.
    pub(crate) fn own(&self) -> impl Iterator<Item = usize> + use<> {
        let derived = self.derived.clone();
        (0..self.width()).filter(move |c| !derived.contains(c))
    }

    /// Adds a column that is computed from `inputs`, named as a text says how; `bins` are its values, if they are bins.
    pub(crate) fn add_derived(&mut self, text: &str, inputs: Vec<usize>, bins: Option<Arc<BinAxis>>) {
        let column = self.headers.len();
        if self.derived.is_empty() {
            self.derived = column..column;
        }
        if let Some(bins) = bins {
            self.set_order(column, bins.labels.clone());
            self.bins.push((column, bins));
        }
        self.headers.push(text.to_owned());
        self.inputs.push(inputs);
        self.derived.end = column + 1;
    }

    /// The columns that a column is computed from; none for those of the files.
    pub(crate) fn inputs(&self, column: usize) -> &[usize] {
        let at = column.checked_sub(self.derived.start);
        at.and_then(|at| self.inputs.get(at)).map_or(&[], Vec::as_slice)
    }

    /// The bins that are a column's values.
    pub(crate) fn bins(&self, column: usize) -> Option<&Arc<BinAxis>> {
        self.bins.iter().find(|b| b.0 == column).map(|b| &b.1)
    }

    /// Name of an axis of a column: its header, or that of the numbers in its bins.
    pub(crate) fn title(&self, column: usize) -> &str {
        self.bins(column).map_or(&self.headers[column], |bins| &bins.title)
    }
}

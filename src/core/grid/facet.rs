//! The place of a panel among rows and columns of panels, and of a grid among the slices of an array.

use super::{Axis, Grid};
use std::fmt;
use std::sync::Arc;

/// Value that the panels of one row of panels, or of one column, share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetValue {
    /// The column of the table; empty where the value is the name of a value column.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The place of the row or column: they are drawn in ascending order, and those without a panel are left out.
    pub place: usize,
}

impl FacetValue {
    /// The value as a title: `seed = 0` for numbers, and texts as they are; `name` and `drawn` are how its name and its text are
    /// drawn.
    pub fn title(&self, name: &str, drawn: &str) -> String {
        if !self.name.is_empty() && self.value.parse::<f64>().is_ok() {
            format!("{name} = {drawn}")
        } else {
            drawn.to_owned()
        }
    }
}

/// The row and the column of panels that a panel is in; a side that the figure does not name has no value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facet {
    /// Its row, named at the right margin.
    pub row: Option<FacetValue>,
    /// Its column, named above the first row.
    pub column: Option<FacetValue>,
}

impl Facet {
    /// Its row and column, counted by their places.
    pub fn place(&self) -> (usize, usize) {
        let of = |value: &Option<FacetValue>| value.as_ref().map_or(0, |v| v.place);
        (of(&self.row), of(&self.column))
    }
}

impl Grid {
    /// The row and the column of panels that the panel is in.
    pub fn facet(&self) -> Option<&Facet> {
        self.facet.as_ref()
    }

    /// The text over the panel where that is not its name.
    pub fn caption(&self) -> Option<&str> {
        self.caption.as_deref()
    }

    /// The file that it was read from, without folders; empty where none is known.
    pub fn file(&self) -> &str {
        self.file.as_deref().unwrap_or_default()
    }

    /// Sets the file that it was read from.
    pub fn set_file(&mut self, file: &str) {
        self.file = Some(file.into());
    }

    /// Sets the text over the panel, which a figure may replace.
    pub fn set_caption(&mut self, caption: Option<String>) {
        self.caption = caption;
    }

    /// Puts the panel into a row and a column of panels. A figure is drawn by them if all its panels have some.
    pub fn set_facet(&mut self, facet: Option<Facet>) {
        self.facet = facet;
    }
}

/// An axis of an array of which a grid shows one index.
#[derive(Clone, Debug, PartialEq)]
pub struct SlicedAxis {
    /// Its number in the array, from 0.
    pub axis: usize,
    /// The index that the grid shows.
    pub index: usize,
    /// Its coordinates and labels, in ascending order.
    labels: Arc<Axis>,
    /// The array has the coordinates in descending order.
    falls: bool,
}

impl SlicedAxis {
    /// An axis with its labels; `falls` if the array's last index has the first of them.
    pub fn new(axis: usize, index: usize, labels: Axis, falls: bool) -> Self {
        Self { axis, index, labels: Arc::new(labels), falls }
    }

    /// How many indexes it has.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Never: an axis of a slice has elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its name, or its number where it has none.
    pub fn name(&self) -> String {
        match self.labels.name.as_str() {
            "" => format!("axis {}", self.axis),
            name => name.to_owned(),
        }
    }

    /// The coordinate of an index as text; `None` where the array has no coordinates, or the index is beyond its end.
    pub fn label(&self, index: usize) -> Option<String> {
        if self.labels.levels.is_empty() || index >= self.len() {
            return None;
        }
        let place = if self.falls { self.len() - 1 - index } else { index };
        Some(self.labels.label(place))
    }

    /// The same axis at another index.
    #[must_use]
    pub fn at(&self, index: usize) -> Self {
        Self { index, ..self.clone() }
    }
}

impl fmt::Display for SlicedAxis {
    /// `time = 2024-03-01 (index 37)`, or `axis 0 = 37`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.label(self.index) {
            Some(label) => write!(f, "{} = {label} (index {})", self.name(), self.index),
            None => write!(f, "{} = {}", self.name(), self.index),
        }
    }
}

impl Grid {
    /// The axes of its array that it shows one index of, those of length 1 left out; empty for other grids.
    pub fn slices(&self) -> &[SlicedAxis] {
        &self.slices
    }

    /// Says of which slice of an array the cells are.
    pub fn set_slices(&mut self, slices: Arc<[SlicedAxis]>) {
        self.slices = slices;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falling_coordinates_are_those_of_their_indexes() {
        let labels = Axis::number("level", vec![1.0, 2.0, 5.0], ["1", "2", "5"].map(str::to_owned).to_vec());
        let axis = SlicedAxis::new(1, 0, labels, true);
        assert_eq!(axis.to_string(), "level = 5 (index 0)");
        assert_eq!([2, 3].map(|i| axis.label(i)), [Some("1".to_owned()), None], "of 3");
        let plain = SlicedAxis::new(0, 37, Axis::index("", 500), false);
        assert_eq!((plain.to_string(), plain.len()), ("axis 0 = 37".to_owned(), 500));
    }
}

//! Arrays whose axes get their names, coordinates and labels from elsewhere than the array.

use super::source::{ApartPlane, ArraySource, Window};
use crate::InputError;
use gridscope_core::grid::{ApartScans, Buffer, Part, ScanPlan, SourceError, Values};
use std::sync::Arc;

/// Name of an axis of an array, and the positions of its indexes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArrayAxis {
    /// Its name, or nothing.
    pub name: String,
    /// The unit of its coordinates, as `days since 1990-01-01`, or nothing.
    pub unit: String,
    /// A number for each index.
    pub coordinates: Option<Vec<f64>>,
    /// The names of the indexes, in levels from the outer to the inner; none without names.
    pub levels: Vec<Vec<String>>,
    /// Its side strips, each with a text for every index.
    pub strips: Vec<Vec<String>>,
}

/// An array with other axes than its own.
#[derive(Debug)]
pub struct LabelledArray<S> {
    source: S,
    axes: Arc<[ArrayAxis]>,
}

impl<S: ArraySource> LabelledArray<S> {
    /// The array with these axes, one for each of its own.
    ///
    /// # Errors
    /// When there are more or fewer of them, or one has labels, coordinates or strips for more or fewer indexes than there are;
    /// `file` is how the message calls the array.
    pub fn new(source: S, axes: Arc<[ArrayAxis]>, file: &str) -> Result<Self, InputError> {
        let shape = source.shape();
        if axes.len() != shape.len() {
            let what = format!("{} axes are described, the array has {}", axes.len(), shape.len());
            return Err(InputError::usage(file, what));
        }
        for (number, (axis, len)) in axes.iter().zip(shape).enumerate() {
            let coordinates = axis.coordinates.iter().map(|c| ("coordinates", c.len()));
            let levels = axis.levels.iter().map(|l| ("labels", l.len()));
            let strips = axis.strips.iter().map(|s| ("texts of a strip", s.len()));
            if let Some((what, n)) = coordinates.chain(levels).chain(strips).find(|given| given.1 != *len) {
                let name = if axis.name.is_empty() { number.to_string() } else { format!("'{}'", axis.name) };
                let what = format!("axis {name}: {n} {what} for {len} indexes");
                return Err(InputError::usage(file, what));
            }
        }
        Ok(Self { source, axes })
    }
}

impl<S: ArraySource> ArraySource for LabelledArray<S> {
    fn shape(&self) -> &[usize] {
        self.source.shape()
    }

    fn buffer(&self) -> Buffer {
        self.source.buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        self.source.read(window, into)
    }

    fn axis_name(&self, axis: usize) -> &str {
        &self.axes[axis].name
    }

    fn coordinates(&self, axis: usize) -> Option<Vec<f64>> {
        self.axes[axis].coordinates.clone()
    }

    fn levels(&self, axis: usize) -> Vec<Vec<String>> {
        self.axes[axis].levels.clone()
    }

    fn strips(&self, axis: usize) -> Vec<Vec<String>> {
        self.axes[axis].strips.clone()
    }

    fn unit(&self, axis: usize) -> String {
        self.axes[axis].unit.clone()
    }

    fn is_apart(&self) -> bool {
        self.source.is_apart()
    }

    fn scan_apart(&self, plane: &ApartPlane, plans: &[ScanPlan]) -> Option<ApartScans> {
        self.source.scan_apart(plane, plans)
    }

    fn has_absent(&self) -> bool {
        self.source.has_absent()
    }

    fn read_absent(
        &self,
        window: &Window,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        self.source.read_absent(window, into, absent)
    }

    fn reads_by_columns(&self, row_axis: usize, column_axis: usize) -> bool {
        self.source.reads_by_columns(row_axis, column_axis)
    }

    fn values(&mut self) -> Option<&mut Values> {
        self.source.values()
    }
}

#[cfg(test)]
mod tests {
    use super::super::strided::Array;
    use super::*;
    use crate::array::grids_of_source;
    use crate::budget::Budget;
    use gridscope_core::figure::Figure;
    use gridscope_core::grid::AxisKind;

    fn array(axes: &[ArrayAxis]) -> Result<LabelledArray<Array>, InputError> {
        let data = Values::F64((0..6).map(f64::from).collect());
        LabelledArray::new(Array { shape: vec![2, 3], data }, axes.into(), "a")
    }

    fn texts(of: &[&str]) -> Vec<String> {
        of.iter().map(|t| (*t).to_owned()).collect()
    }

    #[test]
    fn axes_are_those_that_are_given() {
        let rows = ArrayAxis {
            name: "model".to_owned(),
            levels: vec![texts(&["a", "a"]), texts(&["x", "y"])],
            ..ArrayAxis::default()
        };
        let mut columns = ArrayAxis {
            name: "rate".to_owned(),
            coordinates: Some(vec![3.0, 2.0, 1.0]),
            levels: vec![texts(&["c", "b", "a"])],
            ..ArrayAxis::default()
        };
        let grids = |columns: &ArrayAxis, transpose| {
            let mut figure = Figure::default();
            figure.data.transpose = Some(transpose);
            let source = array(&[rows.clone(), columns.clone()]).unwrap();
            grids_of_source(Box::new(source), "a", &figure, &Budget::usual()).unwrap().remove(0)
        };
        let grid = grids(&columns, false);
        assert_eq!((grid.rows().name.as_str(), grid.rows().label(1)), ("model", "a, y".to_owned()));
        // Coordinates come before labels, and cells follow them.
        assert_eq!((grid.columns().kind, grid.at(0, 0).as_f64()), (AxisKind::Number, 2.0));
        columns.coordinates = Some(vec![3.0, 1.0, 2.0]);
        let grid = grids(&columns, true);
        assert_eq!((grid.rows().kind, grid.rows().label(0)), (AxisKind::Category, "c".to_owned()));
        assert_eq!(grid.columns().label(0), "a, x");
    }

    #[test]
    fn strips_follow_cells() {
        let strips = vec![texts(&["p", "q", "r"])];
        let fall = ArrayAxis {
            coordinates: Some(vec![3.0, 2.0, 1.0]),
            strips: strips.clone(),
            ..ArrayAxis::default()
        };
        let plain = ArrayAxis { strips: strips.clone(), ..ArrayAxis::default() };
        let grid = |columns: ArrayAxis| {
            let source = array(&[ArrayAxis::default(), columns]).unwrap();
            grids_of_source(Box::new(source), "a", &Figure::default(), &Budget::usual()).unwrap().remove(0)
        };
        assert_eq!(grid(plain).columns().strips, strips);
        assert_eq!(grid(fall).columns().strips, [texts(&["r", "q", "p"])]);
        let short = ArrayAxis { strips: vec![texts(&["p"])], ..ArrayAxis::default() };
        let e = array(&[ArrayAxis::default(), short]).unwrap_err();
        assert_eq!(e.to_string(), "a: axis 1: 1 texts of a strip for 3 indexes");
    }

    #[test]
    fn axes_of_other_lengths_are_refused() {
        let of = |coordinates: usize, labels: usize| ArrayAxis {
            coordinates: Some(vec![0.0; coordinates]),
            levels: vec![vec![String::new(); labels]],
            ..ArrayAxis::default()
        };
        assert!(array(&[of(2, 2), of(3, 3)]).is_ok());
        assert!(array(&[of(2, 2)]).is_err());
        let e = array(&[of(2, 2), of(3, 2)]).unwrap_err();
        assert_eq!(e.to_string(), "a: axis 1: 2 labels for 3 indexes");
    }
}

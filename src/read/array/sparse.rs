//! Arrays of which only some elements are stored: the others are absent, and take no memory.

use super::source::{ArraySource, Window};
use crate::InputError;
use gridscope_core::grid::{Buffer, Part, SourceError, Values};
use std::ops::Range;

/// All cells are passed over: this many take minutes.
const MOST_CELLS: u128 = 100_000_000_000;

/// Rows and columns of which some elements are stored, row after row and in the order of their columns.
#[derive(Clone, Debug)]
pub struct SparseArray {
    shape: [usize; 2],
    /// The rows that have elements.
    rows: Vec<u32>,
    /// The place of the first element of each of these rows in `columns`, and the end of the last one.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Values,
}

impl SparseArray {
    /// The array whose element `values[i]` is at row `rows[i]` and column `columns[i]`, in any order.
    ///
    /// # Errors
    /// Lists of different lengths, an element outside of the shape or given twice, more than 10¹¹ cells; `file` is how the message
    /// calls the array.
    pub fn new(
        shape: (usize, usize),
        rows: &[i64],
        columns: &[i64],
        values: &Values,
        file: &str,
    ) -> Result<Self, InputError> {
        let refused = |what: String| InputError::refused(file, "", what);
        let count = values.len();
        if shape.0 as u128 * shape.1 as u128 > MOST_CELLS {
            let what = format!("{} x {} cells are more than 10^11", shape.0, shape.1);
            return Err(
                InputError::limit(file, what).with_hint("a part of it, or rows // k and columns // k")
            );
        }
        if rows.len() != count || columns.len() != count {
            return Err(refused(format!(
                "{count} values at {} rows and {} columns",
                rows.len(),
                columns.len()
            )));
        }
        let inside =
            |i: i64, len: usize| usize::try_from(i).is_ok_and(|i| i < len && u32::try_from(i).is_ok());
        if let Some(at) = (0..count).find(|i| !inside(rows[*i], shape.0) || !inside(columns[*i], shape.1)) {
            return Err(refused(format!(
                "an element at row {}, column {} of {} x {}",
                rows[at], columns[at], shape.0, shape.1
            )));
        }
        let mut order: Vec<usize> = (0..count).collect();
        if !order.is_sorted_by_key(|i| (rows[*i], columns[*i])) {
            order.sort_unstable_by_key(|i| (rows[*i], columns[*i]));
        }
        if let Some(pair) =
            order.windows(2).find(|p| rows[p[0]] == rows[p[1]] && columns[p[0]] == columns[p[1]])
        {
            let what = format!("row {}, column {} is given twice", rows[pair[0]], columns[pair[0]]);
            return Err(refused(what).with_hint("a.sum_duplicates()"));
        }
        let (mut filled, mut starts): (Vec<u32>, Vec<usize>) = (Vec::new(), Vec::new());
        for (place, i) in order.iter().enumerate() {
            let row = rows[*i] as u32;
            if filled.last() != Some(&row) {
                filled.push(row);
                starts.push(place);
            }
        }
        starts.push(count);
        Ok(Self {
            shape: [shape.0, shape.1],
            rows: filled,
            starts,
            columns: order.iter().map(|i| columns[*i] as u32).collect(),
            values: values.gathered(&order),
        })
    }

    /// The places of the elements of a row.
    fn row(&self, row: usize) -> Range<usize> {
        match self.rows.binary_search_by(|r| (*r as usize).cmp(&row)) {
            Ok(at) => self.starts[at]..self.starts[at + 1],
            Err(_) => 0..0,
        }
    }
}

impl ArraySource for SparseArray {
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn buffer(&self) -> Buffer {
        Buffer::empty(&self.values)
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        self.read_absent(window, into, &mut Vec::new())
    }

    fn has_absent(&self) -> bool {
        true
    }

    fn read_absent(
        &self,
        window: &Window,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        absent.clear();
        *into = self.buffer();
        // Row and column of the window to those of the array, and whether its rows are the array's columns.
        let turned = window.column_axis == 0;
        let lines = if turned { window.columns } else { window.rows };
        let along = if turned { window.rows } else { window.columns };
        let mut places = Vec::new();
        for line in 0..lines {
            let own = self.row(window.first[0] + line);
            let (low, high) = (window.first[1], window.first[1] + along);
            let columns = &self.columns[own.clone()];
            let from = own.start + columns.partition_point(|c| (*c as usize) < low);
            let to = own.start + columns.partition_point(|c| (*c as usize) < high);
            let mut next = 0;
            let mut gap = |end: usize, begin: usize| {
                if begin < end {
                    let (across, own) = (begin..end, line..line + 1);
                    absent.push(if turned { (across, own) } else { (own, across) });
                }
            };
            for at in from..to {
                let column = self.columns[at] as usize - low;
                gap(column, next);
                next = column + 1;
                let place =
                    if turned { column * window.columns + line } else { line * window.columns + column };
                places.push((place, at));
            }
            gap(along, next);
        }
        let len = window.len();
        match (&self.values, into) {
            (Values::F32 { data, .. }, Buffer::F32 { bits, .. }) => {
                put(&places, len, bits, |at| data[at].to_bits());
            }
            (Values::F64(v), Buffer::F64(out)) => put(&places, len, out, |at| v[at]),
            (Values::I64(v), Buffer::I64(out)) => put(&places, len, out, |at| v[at]),
            (Values::U64(v), Buffer::U64(out)) => put(&places, len, out, |at| v[at]),
            _ => unreachable!("the buffer is of the kind of the values"),
        }
        Ok(())
    }
}

/// Puts numbers in their places among `len`.
fn put<T: Copy + Default>(
    places: &[(usize, usize)],
    len: usize,
    out: &mut Vec<T>,
    number: impl Fn(usize) -> T,
) {
    out.resize(len, T::default());
    places.iter().for_each(|(place, at)| out[*place] = number(*at));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::grids_of_source;
    use crate::budget::Budget;
    use gridscope_core::figure::Figure;
    use gridscope_core::grid::{Cell, Number, State};

    #[test]
    fn elements_that_are_not_stored_are_absent() {
        let array =
            SparseArray::new((3, 4), &[2, 0, 0], &[3, 1, 0], &Values::I64(vec![7, 8, 0]), "a").unwrap();
        for transpose in [false, true] {
            let mut figure = Figure::default();
            figure.data.transpose = Some(transpose);
            let source = Box::new(array.clone());
            let grid = grids_of_source(source, "a", &figure, &Budget::usual()).unwrap().remove(0);
            for (row, column) in (0..3).flat_map(|r| (0..4).map(move |c| (r, c))) {
                let wanted = match (row, column) {
                    (2, 3) => Cell::Value(Number::I64(7)),
                    (0, 1) => Cell::Value(Number::I64(8)),
                    (0, 0) => Cell::Value(Number::I64(0)),
                    _ => Cell::Empty(State::Absent),
                };
                let found = if transpose { grid.at(column, row) } else { grid.at(row, column) };
                assert_eq!(found, wanted, "{row}, {column}");
            }
        }
    }

    #[test]
    fn a_huge_one_is_read_in_windows() {
        let one = Values::F64(vec![1.5]);
        assert!(SparseArray::new((1 << 20, 1 << 20), &[5], &[9], &one, "a").is_err());
        let array = SparseArray::new((1 << 30, 1 << 5), &[5], &[9], &one, "a").unwrap();
        let figure = Figure::default();
        let grid = grids_of_source(Box::new(array), "a", &figure, &Budget::new(1 << 20)).unwrap().remove(0);
        let cells = grid.read_numbers(4..6, 9..11).unwrap();
        assert_eq!(cells[2], Cell::Value(Number::F64(1.5)));
        assert_eq!(cells.iter().filter(|c| **c == Cell::Empty(State::Absent)).count(), 3);
    }

    #[test]
    fn wrong_places_are_refused() {
        let of = |rows: &[i64], columns: &[i64]| {
            let values = Values::F64(vec![0.0; 2]);
            SparseArray::new((2, 2), rows, columns, &values, "a").map(|_| ()).map_err(|e| e.what)
        };
        assert_eq!(of(&[0, 1], &[0, 0]), Ok(()));
        assert_eq!(of(&[0, 0], &[1, 1]).unwrap_err(), "row 0, column 1 is given twice");
        assert!(of(&[0, -1], &[1, 1]).is_err() && of(&[0, 1], &[1, 2]).is_err() && of(&[0], &[0]).is_err());
    }
}

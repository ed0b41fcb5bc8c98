//! Cells that a file marks: few of many, by the name of their mark.

use super::Grid;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// The marked cells of a grid, by mark: rows and columns in the order of the cells.
pub(super) type MarkedCells = BTreeMap<String, Arc<Vec<(u32, u32)>>>;

impl Grid {
    /// The cells that a mark names, row after row; none where it was not read.
    pub fn marked(&self, mark: &str) -> &[(u32, u32)] {
        self.marked.get(mark).map_or(&[], |cells| cells.as_slice())
    }

    /// Marks cells (row, column); those outside of the grid are left out.
    pub fn set_marked(&mut self, mark: impl Into<String>, mut cells: Vec<(u32, u32)>) {
        let (height, width) = (self.height(), self.width());
        cells.retain(|(row, column)| (*row as usize) < height && (*column as usize) < width);
        cells.sort_unstable();
        cells.dedup();
        self.marked.insert(mark.into(), Arc::new(cells));
    }

    /// The same marks of a grid whose cells come from other places.
    fn moved_marks(&self, places: impl Fn((u32, u32)) -> Vec<(u32, u32)>) -> MarkedCells {
        let moved = |cells: &Arc<Vec<(u32, u32)>>| {
            let mut out: Vec<(u32, u32)> = cells.iter().flat_map(|cell| places(*cell)).collect();
            out.sort_unstable();
            Arc::new(out)
        };
        let each = self.marked.iter();
        each.map(|(mark, cells)| (mark.clone(), moved(cells))).collect()
    }

    pub(super) fn marks_transposed(&self) -> MarkedCells {
        self.moved_marks(|(row, column)| vec![(column, row)])
    }

    pub(super) fn marks_within(&self, rows: &Range<usize>, columns: &Range<usize>) -> MarkedCells {
        self.moved_marks(|(row, column)| {
            let is_inside = rows.contains(&(row as usize)) && columns.contains(&(column as usize));
            let moved = (row.wrapping_sub(rows.start as u32), column.wrapping_sub(columns.start as u32));
            if is_inside { vec![moved] } else { Vec::new() }
        })
    }

    pub(super) fn marks_permuted(&self, rows: &[usize], columns: &[usize]) -> MarkedCells {
        if self.marked.is_empty() {
            return MarkedCells::new();
        }
        let places = |order: &[usize]| {
            let mut out: HashMap<usize, Vec<u32>> = HashMap::new();
            for (to, from) in (0..).zip(order) {
                out.entry(*from).or_default().push(to);
            }
            out
        };
        let (rows, columns) = (places(rows), places(columns));
        self.moved_marks(|(row, column)| {
            let (rows, columns) = (rows.get(&(row as usize)), columns.get(&(column as usize)));
            let of_row = |row: &u32| columns.into_iter().flatten().map(|c| (*row, *c)).collect::<Vec<_>>();
            rows.into_iter().flatten().flat_map(of_row).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_with_their_cells() {
        let mut grid = Grid::from_rows(3, 4, (0..12).map(f64::from).collect()).unwrap();
        grid.set_marked("m", vec![(2, 3), (0, 1), (0, 1), (9, 0)]);
        assert_eq!(grid.marked("m"), [(0, 1), (2, 3)]);
        assert_eq!(grid.transposed().marked("m"), [(1, 0), (3, 2)]);
        assert_eq!(grid.window(1..3, 2..4).unwrap().marked("m"), [(1, 1)]);
        let moved = grid.permuted(&[2, 0], &[3, 1, 1]).unwrap();
        assert_eq!(moved.marked("m"), [(0, 0), (1, 1), (1, 2)]);
        assert!(grid.marked("other").is_empty());
    }
}

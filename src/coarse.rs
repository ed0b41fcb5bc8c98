//! A few rows or columns of a huge grid, to be looked at while all of it is read.

use crate::grid::{Axis, AxisKind, Grid, Number, SourceError, State};

/// Fewer cells than this are read at once.
const LARGE: usize = 1 << 24;
/// Cells that are read for a coarse grid.
const READ: usize = 1 << 24;
/// A coarse grid has no more cells along a side.
const SIDE: usize = 1024;

/// Whether reading all cells takes so long that a coarse picture comes first.
pub fn is_worth_it(grids: &[Grid]) -> bool {
    grids.iter().filter(|g| !g.is_held()).map(Grid::len).sum::<usize>() >= LARGE
}

/// Single cells of a grid, evenly chosen, each with the place that it has in the whole. They stand for no other cell: such a
/// picture is no reduction.
///
/// # Errors
/// When the source does not give its cells.
pub fn coarse(grid: &Grid) -> Result<Grid, SourceError> {
    // What lies side by side in the source is read in one go.
    let (lines, length) = if grid.is_transposed() { (grid.width(), grid.height()) } else { (grid.height(), grid.width()) };
    let (mut across, mut along) = (step(lines, (READ / length.max(1)).clamp(1, SIDE)), step(length, SIDE));
    if lines.max(length) <= 4 * lines.min(length) {
        // Square cells stay square.
        (across, along) = (across.max(along), across.max(along));
    }
    let (few, points) = (chosen(lines, across), chosen(length, along));
    let window = (points.last().map_or(0, |p| p + 1)).max(1);
    let mut cells = Vec::with_capacity(few.len() * points.len());
    for &l in &few {
        let (rows, columns) = if grid.is_transposed() { (0..window, l..l + 1) } else { (l..l + 1, 0..window) };
        let line = grid.read_numbers(rows, columns)?;
        cells.extend(points.iter().map(|p| line[*p]));
    }
    let (rows, columns) = if grid.is_transposed() { (&points, &few) } else { (&few, &points) };
    let at = |r: usize, c: usize| if grid.is_transposed() { cells[c * points.len() + r] } else { cells[r * points.len() + c] };
    let (h, w) = (rows.len(), columns.len());
    let values = (0..h * w).map(|i| at(i / w, i % w).map_or(f64::NAN, Number::as_f64)).collect();
    let states: Vec<Option<State>> = (0..h * w).map(|i| at(i / w, i % w).err()).collect();
    let (rows, columns) = (axis(&grid.rows, rows), axis(&grid.columns, columns));
    let mut out = Grid::new(rows, columns, crate::grid::Values::F64(values), &states)
        .map_err(|what| SourceError { file: grid.name.clone(), what })?;
    (out.name, out.value_name) = (grid.name.clone(), grid.value_name.clone());
    Ok(out)
}

/// The least step that leaves at most `most` of `n` places.
fn step(n: usize, most: usize) -> usize {
    n.div_ceil(most.max(1)).max(1)
}

/// Places in equal steps, as far from one end as from the other.
fn chosen(n: usize, step: usize) -> Vec<usize> {
    (0..n).skip((n - 1) % step / 2).step_by(step).collect()
}

fn axis(whole: &Axis, chosen: &[usize]) -> Axis {
    if whole.kind != AxisKind::Index {
        return whole.permuted(chosen);
    }
    let centers: Vec<f64> = chosen.iter().map(|i| (whole.start + i) as f64).collect();
    let labels = centers.iter().map(f64::to_string).collect();
    Axis::number(&whole.name, centers, labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_cells_keep_their_places() {
        let of = |n, most| chosen(n, step(n, most));
        assert_eq!((of(10, 5), of(3, 5), of(1, 1), of(11, 3)), (vec![0, 2, 4, 6, 8], vec![0, 1, 2], vec![0], vec![1, 5, 9]));
        let mut grid = Grid::from_rows(3, 4000, (0..12_000).map(f64::from).collect()).unwrap();
        grid.set_state(1, 1, State::Absent);
        let few = coarse(&grid).unwrap();
        assert_eq!((few.height(), few.width()), (3, 1000));
        assert_eq!((few.at(1, 0), few.columns.center(0)), (Err(State::Absent), Some(1.0)));
        assert_eq!(few.at(2, 500).map(|v| v.as_f64()), Ok(8000.0 + few.columns.center(500).unwrap()));
        assert!(!is_worth_it(&[grid]));
    }
}

//! A few rows or columns of a huge grid, to be looked at while all of it is read.

use crate::figure::{Figure, Toggle};
use crate::grid::{Axis, AxisKind, Grid, SourceError, State};

/// Fewer cells than this are read at once.
const LARGE: usize = 1 << 24;
/// Cells that are read for a coarse grid.
const READ: usize = 1 << 23;
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
    let (mut apart, mut beside) = (lines.div_ceil((READ / length.max(1)).clamp(1, SIDE)), length.div_ceil(SIDE));
    if is_matrix(grid) {
        // Its cells are drawn square, so it keeps its shape.
        (apart, beside) = (apart.max(beside), apart.max(beside));
    }
    let (few, points) = (chosen(lines, apart), chosen(length, beside));
    let window = (points.last().map_or(0, |p| p + 1)).max(1);
    let mut line = vec![0u32; window];
    let mut bits = Vec::with_capacity(few.len() * points.len());
    for &l in &few {
        if grid.is_transposed() {
            grid.read(0..window, l..l + 1, &mut line)?;
        } else {
            grid.read(l..l + 1, 0..window, &mut line)?;
        }
        bits.extend(points.iter().map(|p| line[*p]));
    }
    let (rows, columns) = if grid.is_transposed() { (&points, &few) } else { (&few, &points) };
    let at = |r: usize, c: usize| if grid.is_transposed() { bits[c * points.len() + r] } else { bits[r * points.len() + c] };
    let (h, w) = (rows.len(), columns.len());
    let encoding = grid.encoding();
    let value = |i: usize| encoding.decode(f32::from_bits(at(i / w, i % w)));
    let values = (0..h * w).map(|i| if State::of_bits(at(i / w, i % w)).is_some() { f64::NAN } else { value(i) }).collect();
    let states: Vec<Option<State>> = (0..h * w).map(|i| State::of_bits(at(i / w, i % w))).collect();
    let (rows, columns) = (axis(&grid.rows, rows), axis(&grid.columns, columns));
    let mut out = Grid::new(rows, columns, crate::grid::Values::F64(values), &states)
        .map_err(|what| SourceError { file: grid.name.clone(), what })?;
    (out.name, out.value_name) = (grid.name.clone(), grid.value_name.clone());
    Ok(out)
}

/// The figure for coarse grids in place of these: bodies are where they will be when all is read.
pub fn shaped(figure: &Figure, grids: &[Grid]) -> Figure {
    let mut out = figure.clone();
    if out.square.unwrap_or_default() == Toggle::Auto && grids.iter().all(is_matrix) {
        out.square = Some(Toggle::On);
    }
    out
}

fn is_matrix(grid: &Grid) -> bool {
    grid.rows.kind == AxisKind::Index && grid.columns.kind == AxisKind::Index
}

/// Every `step`-th of `n` places, from the middle of each step: equal steps have round ticks.
fn chosen(n: usize, step: usize) -> Vec<usize> {
    let step = step.max(1);
    let list: Vec<usize> = (step / 2..n).step_by(step).collect();
    if list.is_empty() { vec![n / 2] } else { list }
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
        assert_eq!((chosen(10, 2), chosen(3, 1), chosen(1, 1), chosen(3, 8)), (vec![1, 3, 5, 7, 9], vec![0, 1, 2], vec![0], vec![1]));
        let mut grid = Grid::from_rows(3, 4000, (0..12_000).map(f64::from).collect()).unwrap();
        grid.rows = Axis::category("y", ["a", "b", "c"].map(str::to_owned).to_vec());
        grid.set_state(1, 2, State::Absent);
        let few = coarse(&grid).unwrap();
        assert_eq!((few.height(), few.width(), few.rows.label(2)), (3, 1000, "c".to_owned()));
        assert_eq!((few.at(1, 0), few.columns.center(0)), (Err(State::Absent), Some(2.0)));
        assert_eq!(few.at(2, 500).map(|v| v.as_f64()), Ok(8000.0 + few.columns.center(500).unwrap()));
        assert!(!is_worth_it(&[grid]));
    }

    #[test]
    fn a_coarse_matrix_keeps_its_shape_and_its_place_in_the_window() {
        let whole = Grid::from_rows(2500, 5000, vec![1.0; 12_500_000]).unwrap();
        let few = coarse(&whole).unwrap();
        assert_eq!((few.height(), few.width()), (500, 1000));
        let figure = Figure::default();
        assert_eq!(shaped(&figure, &[whole]).square, Some(Toggle::On));
        assert_eq!((shaped(&figure, &[few]).square, figure.square), (None, None));
    }
}

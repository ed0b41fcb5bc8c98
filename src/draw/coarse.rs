//! Samples of huge grids, to show while all cells are read.

use gridscope_core::grid::{Axis, Grid, SourceError, State, Summaries, Values};
use gridscope_core::view::EdgeTable;

/// Grids with fewer cells in all are read at once.
const LARGE: usize = 1 << 24;
/// The most cells of a grid to read for a sample.
const READ: usize = 1 << 24;
/// The most cells of a sample along a side.
const SIDE: usize = 1024;

/// Whether reading all cells takes so long that a coarse picture is worth showing first.
pub fn is_worth_it(grids: &[Grid]) -> bool {
    grids.iter().filter(|g| !g.is_loaded()).map(Grid::len).sum::<usize>() >= LARGE
}

/// Evenly chosen cells of grids, with their positions in the whole. They do not represent the cells between
/// them: a picture of a sample is not a reduction.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The chosen cells of each grid, in memory, with plain positions as axes.
    grids: Vec<Grid>,
    places: Vec<Places>,
}

/// The chosen rows and columns of a grid, ascending.
#[derive(Clone, Debug)]
struct Places {
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Sample {
    /// Chooses cells of each grid.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub fn new(grids: &[Grid]) -> Result<Self, SourceError> {
        Self::within(grids, SIDE)
    }

    /// As [`Sample::new`], with no more than `side` cells along a side.
    ///
    /// # Errors
    /// As [`Sample::new`].
    pub fn within(grids: &[Grid], side: usize) -> Result<Self, SourceError> {
        let chosen = grids.iter().map(|g| choose(g, side)).collect::<Result<Vec<_>, _>>()?;
        let (grids, places) = chosen.into_iter().unzip();
        Ok(Self { grids, places })
    }

    /// The chosen cells of each grid, under its name; the axes are plain positions.
    pub fn grids(&self) -> &[Grid] {
        &self.grids
    }

    /// The Summary of the chosen cells under each pixel of a grid's body, row after row; where there is none,
    /// of the nearest one. The tables are those of the whole grid.
    ///
    /// # Errors
    /// When a table is of another grid.
    ///
    /// # Panics
    /// When there is no such grid.
    pub fn fold(&self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Result<Summaries, SourceError> {
        let places = &self.places[grid];
        self.grids[grid].fold(&under(&places.columns, columns), &under(&places.rows, rows))
    }
}

/// Chooses cells of a grid.
fn choose(grid: &Grid, side: usize) -> Result<(Grid, Places), SourceError> {
    // Cells that are adjacent in the source are read together.
    let (lines, length) =
        if grid.is_transposed() { (grid.width(), grid.height()) } else { (grid.height(), grid.width()) };
    let (mut across, mut along) = (step(lines, (READ / length.max(1)).clamp(1, side)), step(length, side));
    if lines.max(length) <= 4 * lines.min(length) {
        // Square cells stay square.
        (across, along) = (across.max(along), across.max(along));
    }
    let (few, points) = (chosen(lines, across), chosen(length, along));
    let window = (points.last().map_or(0, |p| p + 1)).max(1);
    let mut cells = Vec::with_capacity(few.len() * points.len());
    for &l in &few {
        let (rows, columns) =
            if grid.is_transposed() { (0..window, l..l + 1) } else { (l..l + 1, 0..window) };
        let line = grid.read_numbers(rows, columns)?;
        cells.extend(points.iter().map(|p| line[*p]));
    }
    let transposed = grid.is_transposed();
    let (rows, columns) = if transposed { (points, few) } else { (few, points) };
    let (h, w) = (rows.len(), columns.len());
    let at = |i: usize| {
        if transposed { cells[i % w * h + i / w] } else { cells[i] }
    };
    let states: Vec<Option<State>> = (0..h * w).map(|i| at(i).state()).collect();
    let values = Values::of(grid.kind(), (0..h * w).map(|i| at(i).value()));
    let mut out = Grid::new(Axis::index("", h), Axis::index("", w), values, &states)
        .map_err(|e| SourceError { file: grid.name().to_owned(), what: e.to_string() })?;
    out.set_name(grid.name());
    out.set_value_name(grid.value_name());
    Ok((out, Places { rows, columns }))
}

/// The least step that leaves at most `most` of `n` positions.
fn step(n: usize, most: usize) -> usize {
    n.div_ceil(most.max(1)).max(1)
}

/// Positions in equal steps, with equal margins at both ends.
fn chosen(n: usize, step: usize) -> Vec<usize> {
    (0..n).skip((n - 1) % step / 2).step_by(step).collect()
}

/// The chosen positions under each pixel, else the one nearest to its middle; an empty span for background.
fn under(places: &[usize], table: &EdgeTable) -> Vec<[u32; 2]> {
    let of = |span: &[u32; 2]| {
        let (from, end) = (span[0] as usize, span[1] as usize);
        if from >= end {
            return [0, 0];
        }
        let (first, after) = (places.partition_point(|p| *p < from), places.partition_point(|p| *p < end));
        if first < after {
            return [first as u32, after as u32];
        }
        let far = |i: &usize| (2 * places[*i]).abs_diff(from + end - 1);
        let beside = [first.checked_sub(1), Some(first).filter(|i| *i < places.len())];
        beside.into_iter().flatten().min_by_key(far).map_or([0, 0], |i| [i as u32, i as u32 + 1])
    };
    table.spans().iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::{Cell, Reduced};
    use gridscope_random::{Random, cases};

    #[test]
    fn chosen_cells_keep_their_places() {
        let of = |n, most| chosen(n, step(n, most));
        assert_eq!(
            (of(10, 5), of(3, 5), of(1, 1), of(11, 3)),
            (vec![0, 2, 4, 6, 8], vec![0, 1, 2], vec![0], vec![1, 5, 9])
        );
        let mut grid = Grid::from_rows(3, 4000, (0..12_000).map(f64::from).collect()).unwrap();
        grid.set_state(1, 1, State::Absent);
        let sample = Sample::new(&[grid.clone()]).unwrap();
        let (few, places) = (&sample.grids()[0], &sample.places[0]);
        assert_eq!((few.height(), few.width()), (3, 1000));
        assert_eq!((few.at(1, 0), places.columns[0]), (Cell::Empty(State::Absent), 1));
        assert_eq!(few.at(2, 500).as_f64(), 8000.0 + places.columns[500] as f64);
        assert!(!is_worth_it(&[grid]));
    }

    #[test]
    fn each_pixel_shows_chosen_cells_of_its_own_or_the_nearest() {
        let mut random = Random(5);
        for case in 0..cases(60) {
            let (h, w) = (random.within(1, 60_usize), random.within(1, 60_usize));
            let side = random.within(1, 20_usize);
            let grid = Grid::from_rows(h, w, (0..h * w).map(|i| i as f64).collect()).unwrap();
            let sample = Sample::within(&[grid], side).unwrap();
            let places = &sample.places[0];
            assert!(places.rows.len() <= side && places.columns.len() <= side, "{h} x {w} within {side}");
            let mut table = |n: usize| {
                let from = random.below(3 * n) as f64 / 2.0 - n as f64 / 2.0;
                let len = 0.5 + random.below(2 * n) as f64;
                let table = EdgeTable::part(n as u32, from, from + len, random.within(1, 40));
                if random.chance(0.5) { table } else { table.reversed() }
            };
            let (columns, rows) = (table(w), table(h));
            let Summaries::Wide(folded) = sample.fold(0, &columns, &rows).unwrap() else {
                panic!("f64 is wider than f32")
            };
            // The definition, literally: the positions under the pixel, else a nearest one to its middle.
            let wanted = |places: &[usize], s: &[u32; 2]| -> Vec<Vec<usize>> {
                let within: Vec<usize> =
                    places.iter().copied().filter(|p| (s[0] as usize..s[1] as usize).contains(p)).collect();
                if s[0] >= s[1] || !within.is_empty() {
                    return vec![within];
                }
                let far = |p: &usize| (*p as f64 - (f64::from(s[0]) + f64::from(s[1]) - 1.0) / 2.0).abs();
                let least = places.iter().map(far).fold(f64::MAX, f64::min);
                places.iter().filter(|p| far(p) == least).map(|p| vec![*p]).collect()
            };
            for (i, got) in folded.iter().enumerate() {
                let (x, y) = (i % columns.spans().len(), i / columns.spans().len());
                let (rows, columns) =
                    (wanted(&places.rows, &rows.spans()[y]), wanted(&places.columns, &columns.spans()[x]));
                let fits = rows.iter().flat_map(|r| columns.iter().map(move |c| (r, c))).any(|(r, c)| {
                    let values = || r.iter().flat_map(move |r| c.iter().map(move |c| (r * w + c) as f64));
                    let ends =
                        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
                    (got.count() as usize, (got.least(), got.greatest())) == (values().count(), ends)
                });
                assert!(
                    fits,
                    "case {case}: {h} x {w} within {side}, pixel {x}, {y}: {got:?}, not {rows:?} x {columns:?}"
                );
            }
        }
    }
}

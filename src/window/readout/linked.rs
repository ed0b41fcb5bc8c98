//! The cells of all panels that belong together, and the same cells on the sides of a comparison.

use super::super::geometry::{Hit, WindowGeometry};
use super::pointer::block_at;
use super::text::{Block, ends, shown};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::Point;
use gridscope_core::grid::{Axis, Coords, Grid};
use std::ops::Range;

/// The cells of a panel with the keys of those under the pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkedCells {
    /// Which panel.
    pub panel: usize,
    /// Their rows.
    pub rows: Range<usize>,
    /// Their columns.
    pub columns: Range<usize>,
    /// Value in the panel; empty where too many cells would have to be read.
    pub value: String,
}

/// Cells that are read for one position of the pointer, in all panels together.
const MOST_CELLS: usize = 1_000_000;
/// A cell that is not in memory counts as this many.
const STORED: usize = 100;

/// The cells that belong to the one under a point, in each panel of the window whose body has at least `least` pixels a side;
/// none where the point is not over cells.
pub(crate) fn linked_cells(geometry: &WindowGeometry, at: Point, least: f64) -> Vec<LinkedCells> {
    let Hit::Body(pointed) = geometry.hit(at) else {
        return Vec::new();
    };
    let (Some(from), Some((rows, columns))) = (geometry.grids.get(pointed), block_at(geometry, pointed, at))
    else {
        return Vec::new();
    };
    let large = geometry.in_window().filter(|(_, p)| f64::from(p.body.w.min(p.body.h)) >= least);
    let mut left = MOST_CELLS;
    let linked = large.filter_map(|(panel, _)| {
        let to = geometry.grids.get(panel)?;
        let (rows, columns) = if panel == pointed {
            (rows.clone(), columns.clone())
        } else {
            (twins(from.rows(), &rows, to.rows())?, twins(from.columns(), &columns, to.columns())?)
        };
        let value = value(to, &rows, &columns, geometry, &mut left);
        Some(LinkedCells { panel, rows, columns, value })
    });
    linked.collect()
}

/// Value of cells in a panel, as long as not too many have been read.
fn value(
    grid: &Grid,
    rows: &Range<usize>,
    columns: &Range<usize>,
    geometry: &WindowGeometry,
    left: &mut usize,
) -> String {
    let cells = rows.len() * columns.len();
    let cost = cells.saturating_mul(if grid.is_loaded() { 1 } else { STORED });
    let Some(rest) = left.checked_sub(cost) else {
        return String::new();
    };
    *left = rest;
    shown(grid, &grid.stats_of(rows.clone(), columns.clone()), geometry.reduce)
}

/// The cells of an axis with the keys of some cells of another one.
fn twins(from: &Axis, cells: &Range<usize>, to: &Axis) -> Option<Range<usize>> {
    let (first, last) = (twin(from, cells.start, to)?, twin(from, cells.end - 1, to)?);
    Some(first.min(last)..first.max(last) + 1)
}

/// The cell of an axis with the key of a cell of another one. Axes that measure different things have nothing in common but
/// positions.
fn twin(from: &Axis, cell: usize, to: &Axis) -> Option<usize> {
    let at_place = Some(cell).filter(|c| *c < to.len());
    match (from.levels.is_empty(), to.levels.is_empty()) {
        (true, true) => (from.start + cell).checked_sub(to.start).filter(|c| *c < to.len()),
        (false, false) => {
            let same = |c: &usize| is_same(from, cell, to, *c);
            let found = at_place.filter(same).or_else(|| (0..to.len()).find(same));
            found.or(at_place.filter(|_| from.name != to.name))
        }
        _ => at_place,
    }
}

/// Whether two cells have the same key: the same number, else the same text.
fn is_same(a: &Axis, i: usize, b: &Axis, j: usize) -> bool {
    if let (Some(Coords::Centers(a)), Some(Coords::Centers(b))) = (&a.coords, &b.coords)
        && let (Some(a), Some(b)) = (a.get(i), b.get(j))
    {
        return a == b;
    }
    let (a, b) = (a.levels.iter().map(|l| &l[i]), b.levels.iter().map(|l| &l[j]));
    a.eq(b)
}

/// Text of cells of the panel `p`, which is `own` in the words of the data, then of the same cells in the other panels of its
/// comparison.
pub(super) fn of_sides(
    geometry: &WindowGeometry,
    [baseline, values, difference]: [usize; 3],
    p: usize,
    block: &Block,
    own: String,
) -> String {
    let is_lone = block.0.len() * block.1.len() == 1;
    let of = |side: usize, word: &str| {
        let grid = geometry.grids.get(side)?;
        let text = text(grid, block, geometry.reduce, side == difference);
        Some(format!("{word} {text}"))
    };
    let words = [(values, "value"), (baseline, "baseline"), (difference, "difference")];
    let first = match words.iter().find(|w| w.0 == p) {
        // The data have a name for the values alone.
        Some((side, word)) if is_lone && *side != values => of(*side, word).unwrap_or(own),
        _ => own,
    };
    let others = words.iter().filter(|w| w.0 != p).filter_map(|(side, word)| of(*side, word));
    let all: Vec<String> = std::iter::once(first).chain(others).collect();
    all.join(", ")
}

/// Text of cells of a panel; differences above 0 have a sign.
fn text(grid: &Grid, (rows, columns): &Block, reduce: Reduce, is_difference: bool) -> String {
    let stats = grid.stats_of(rows.clone(), columns.clone());
    let text = shown(grid, &stats, reduce);
    let rises = |stats: &gridscope_core::grid::Stats| ends(stats).is_some_and(|(low, _)| low.as_f64() > 0.0);
    let is_lone = rows.len() * columns.len() == 1;
    match is_difference && is_lone && stats.as_ref().is_ok_and(rises) {
        true => format!("+{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_grids::{geometry, sweep};
    use super::*;
    use gridscope_core::geom::PxSize;

    fn number(values: &[f64]) -> Axis {
        Axis::number("ratio", values.to_vec(), values.iter().map(f64::to_string).collect())
    }

    fn names(name: &str, labels: &[&str]) -> Axis {
        Axis::category(name, labels.iter().map(|l| (*l).to_owned()).collect())
    }

    #[test]
    fn keys_go_before_positions() {
        let (a, b) = (number(&[0.1, 0.2, 0.3]), number(&[0.3, 0.1]));
        assert_eq!([0, 1, 2].map(|i| twin(&a, i, &b)), [Some(1), None, Some(0)]);
        let (a, b) = (names("model", &["x", "y", "z"]), names("model", &["z", "x"]));
        assert_eq!([0, 1, 2].map(|i| twin(&a, i, &b)), [Some(1), None, Some(0)]);
        // Another thing is measured: positions.
        let other = names("method", &["p", "q"]);
        assert_eq!([0, 1, 2].map(|i| twin(&a, i, &other)), [Some(0), Some(1), None]);
        let (whole, mut part) = (Axis::index("", 10), Axis::index("", 4));
        part.start = 3;
        assert_eq!([2, 3, 6, 7].map(|i| twin(&whole, i, &part)), [None, Some(0), Some(3), None]);
        assert_eq!(twin(&part, 1, &whole), Some(4));
        assert_eq!((twin(&whole, 1, &a), twin(&whole, 3, &a)), (Some(1), None));
        assert_eq!(twins(&a, &(0..3), &names("model", &["z", "y", "x"])), Some(0..3));
    }

    #[test]
    fn each_panel_has_its_own_value() {
        let twice = {
            let values = (0..12).map(|i| 2.0 * (f64::from(i) + 0.5)).collect();
            let mut grid = Grid::from_rows(3, 4, values).unwrap();
            grid.set_rows(sweep().rows().clone()).unwrap();
            grid.set_columns(sweep().columns().clone()).unwrap();
            grid
        };
        let mut w = geometry(vec![sweep(), twice], PxSize { w: 400, h: 300 });
        let linked = |w: &WindowGeometry, x, y| {
            let cells = linked_cells(w, Point { x, y }, 50.0);
            cells.into_iter().map(|c| (c.panel, c.rows.start, c.columns.start, c.value)).collect::<Vec<_>>()
        };
        // Row 1, column 2 of the first panel, and the same of the second one.
        let both = |a: &str, b: &str| vec![(0, 1, 2, a.to_owned()), (1, 1, 2, b.to_owned())];
        assert_eq!(linked(&w, 350.0, 200.0), both("6.5", "13"));
        assert_eq!(linked(&w, 850.0, 200.0), both("6.5", "13"));
        assert_eq!(linked(&w, 20.0, 20.0), []);
        w.large = Some(1);
        assert_eq!(linked(&w, 850.0, 200.0), both("6.5", "13")[1..]);
        assert_eq!(linked_cells(&w, Point { x: 850.0, y: 200.0 }, 301.0), []);
    }

    #[test]
    fn reduced_pixels_have_the_reduction_and_huge_ones_no_value() {
        let values = |k: f64| (0..10_000).map(|i| f64::from(i) * k).collect();
        let grids = [1.0, 2.0].map(|k| Grid::from_rows(100, 100, values(k)).unwrap());
        let mut w = geometry(grids.to_vec(), PxSize { w: 50, h: 50 });
        let at = Point { x: 100.5, y: 50.5 };
        let texts =
            |w: &WindowGeometry| linked_cells(w, at, 1.0).into_iter().map(|c| c.value).collect::<Vec<_>>();
        assert_eq!(texts(&w), ["mean 50.5", "mean 101"]);
        w.reduce = Reduce::Max;
        assert_eq!(texts(&w), ["max 101", "max 202"]);
        w.reduce = Reduce::Count;
        assert_eq!(texts(&w), ["4 values", "4 values"]);
        let grids = vec![Grid::from_rows(2000, 2000, vec![1.0; 4_000_000]).unwrap()];
        let w = geometry(grids, PxSize { w: 1, h: 1 });
        assert_eq!(linked_cells(&w, at, 1.0)[0].value, "");
    }
}

#[cfg(test)]
mod sides_tests {
    use super::super::pointer_text;
    use super::*;
    use crate::test_grids::{geometry, sweep};
    use gridscope_core::geom::PxSize;
    use gridscope_core::grid::{Change, State, Values};

    /// A baseline of half the values, the values, their difference; one value has no baseline.
    fn three() -> WindowGeometry {
        let now = sweep();
        let with = |by: f64| {
            let values = (0..now.len()).map(|i| (i as f64 + 0.5) * by).collect();
            let states: Vec<Option<State>> = (0..now.len())
                .map(|i| (i == 1).then_some(if by == 0.5 { State::Absent } else { State::Appeared }))
                .collect();
            now.changed(Values::F64(values), &states, Change::Difference("b".to_owned())).unwrap()
        };
        let grids = vec![
            with(0.5).with_name("before"),
            now.clone().with_name("after"),
            with(-0.25).with_name("after − before"),
        ];
        let mut w = geometry(grids, PxSize { w: 400, h: 300 });
        w.compares = true;
        w
    }

    #[test]
    fn a_cell_is_its_value_its_baseline_and_their_difference() {
        let w = three();
        // Bodies are 500 pixels apart, cells 100 x 100.
        let at = |panel: usize, column: usize| {
            pointer_text(&w, Point { x: 150.0 + 500.0 * panel as f64 + 100.0 * column as f64, y: 60.0 })
        };
        let place = "ratio 0.1, window 500 · row 0, column 0";
        assert_eq!(
            [at(0, 0), at(1, 0), at(2, 0)],
            [
                format!("before · {place} · baseline 0.25, value 0.5, difference -0.125"),
                format!("after · {place} · pass1 0.5, baseline 0.25, difference -0.125"),
                format!("after − before · {place} · difference -0.125, value 0.5, baseline 0.25"),
            ]
        );
        assert!(
            at(1, 1).ends_with("pass1 1.5, baseline no data, difference not in baseline"),
            "{}",
            at(1, 1)
        );
    }

    #[test]
    fn a_pixel_of_several_cells_has_the_reduction_of_each_side() {
        let grid =
            |k: f64| Grid::from_rows(100, 100, (0..10_000).map(|i| f64::from(i) * k).collect()).unwrap();
        let mut w = geometry(vec![grid(1.0), grid(3.0), grid(2.0)], PxSize { w: 50, h: 50 });
        w.compares = true;
        let text = pointer_text(&w, Point { x: 250.5, y: 50.5 });
        assert!(
            text.ends_with("4 cells: mean 151.5, min 0, max 303, baseline mean 50.5, difference mean 101"),
            "{text}"
        );
        w.reduce = Reduce::Max;
        let text = pointer_text(&w, Point { x: 250.5, y: 50.5 });
        assert!(text.ends_with("baseline max 101, difference max 202"), "{text}");
    }
}

//! Same cells on the sides of a comparison: value, baseline and difference.

use super::super::geometry::WindowGeometry;
use super::text::{Block, ends, shown};
use gridscope_core::figure::Reduce;
use gridscope_core::grid::Grid;

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
    use super::super::pointer_text;
    use super::*;
    use gridscope_core::geom::{Point, PxSize};
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

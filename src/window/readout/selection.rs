//! Statistics of the selected cells.

use super::super::geometry::WindowGeometry;
use super::super::state::Selection;
use super::text::{Block, cell, count, figures, panel, place};
use gridscope_core::grid::Grid;

/// Statistics are computed of at most this many selected cells; beyond that only the number is shown.
const MOST_CELLS: usize = 64_000_000;

/// The read-out of a selection; empty where it has no cell.
pub(crate) fn selection_text(geometry: &WindowGeometry, selection: &Selection) -> String {
    selected(geometry, selection)
        .map(|(grid, block)| text(grid, &block, geometry.grids.len()))
        .unwrap_or_default()
}

/// The grid of a selection, and the selected cells cut to the grid.
pub(super) fn selected<'a>(geometry: &'a WindowGeometry, s: &Selection) -> Option<(&'a Grid, Block)> {
    let grid = geometry.grids.get(s.panel)?;
    let rows = s.rows.start..s.rows.end.min(grid.height());
    let columns = s.columns.start..s.columns.end.min(grid.width());
    (!rows.is_empty() && !columns.is_empty()).then_some((grid, (rows, columns)))
}

fn text(grid: &Grid, block: &Block, panels: usize) -> String {
    let (rows, columns) = block.clone();
    let name = panel(grid, panels);
    let cells = rows.len() * columns.len();
    if cells == 1 {
        return format!(
            "selected: {name}{} · {}",
            place(grid, block),
            cell(grid, &grid.stats_of(rows, columns))
        );
    }
    let sides =
        format!("{name}{} cells selected ({} × {})", count(cells), count(rows.len()), count(columns.len()));
    if cells > MOST_CELLS {
        return format!("{sides}, too many for statistics: at most {}", count(MOST_CELLS));
    }
    format!("{sides}: {}", figures(grid, &grid.stats_of(rows, columns)))
}

#[cfg(test)]
mod tests {
    use super::super::super::test_grids::{geometry, sweep};
    use super::*;
    use gridscope_core::geom::PxSize;
    use gridscope_core::grid::State;
    use std::ops::Range;

    fn select(rows: Range<usize>, columns: Range<usize>) -> Selection {
        Selection { panel: 0, anchor: (rows.start, columns.start), rows, columns }
    }

    #[test]
    fn selections_have_statistics_or_their_size() {
        let mut g = sweep();
        g.set_state(0, 0, State::Nan);
        g.set_state(1, 1, State::Nan);
        let w = geometry(vec![g], PxSize { w: 400, h: 300 });
        let text = |s: &Selection| selection_text(&w, s);
        assert_eq!(
            text(&select(0..3, 0..4)),
            "12 cells selected (3 × 4): mean 6.6, min 1.5, max 11.5, 2 no value"
        );
        assert_eq!(
            text(&select(2..3, 3..4)),
            "selected: ratio 0.4, window 2000 · row 2, column 3 · pass1 11.5"
        );
        assert_eq!(text(&select(0..1, 0..1)), "selected: ratio 0.1, window 500 · row 0, column 0 · no value");
        assert_eq!(text(&select(2..9, 2..9)), "2 cells selected (1 × 2): mean 11, min 10.5, max 11.5");
        assert_eq!(
            (text(&select(5..9, 0..1)), text(&Selection { panel: 7, ..select(0..1, 0..1) })),
            (String::new(), String::new())
        );
    }

    #[test]
    fn too_many_cells_are_only_counted() {
        let data = vec![0.0f32; MOST_CELLS + 8_000];
        let grid = Grid::new(
            gridscope_core::grid::Axis::index("", 8_001),
            gridscope_core::grid::Axis::index("", 8_000),
            gridscope_core::grid::Values::F32 { data, integer: false },
            &[],
        );
        let w = geometry(vec![grid.unwrap()], PxSize { w: 10, h: 10 });
        let got = selection_text(&w, &select(0..8_001, 0..8_000));
        assert_eq!(
            got,
            "64,008,000 cells selected (8,001 × 8,000), too many for statistics: at most 64,000,000"
        );
    }
}

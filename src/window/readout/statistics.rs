//! The statistics of a selection, or of a whole panel.

use super::super::geometry::WindowGeometry;
use super::super::state::{Selection, ViewState};
use super::text::{Block, brief, cell, count, digits, ends, figures, indices, labels, number, panel, place};
use gridscope_core::grid::{BlockStatistics, Grid, Number, SourceError, State, Stats};

/// The cells that statistics are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The panel.
    pub panel: usize,
    /// Its rows and columns, of which none is empty.
    pub block: Block,
    /// They are selected; else they are all of the panel.
    pub selected: bool,
}

/// Statistics of some cells.
pub(crate) type BlockResult = Result<BlockStatistics, SourceError>;

/// A table of names and values under a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// Title.
    pub title: String,
    /// Names and values; a line without a value is a text.
    pub lines: Vec<(String, String)>,
}

/// The selected cells, else all cells of `panel`; `None` without a panel.
pub(crate) fn target(geometry: &WindowGeometry, state: &ViewState, panel: usize) -> Option<Target> {
    let of = |s: &Selection| {
        let (_, block) = selected(geometry, s)?;
        Some(Target { panel: s.panel, block, selected: true })
    };
    let whole = || {
        let grid = geometry.grids.get(panel)?;
        Some(Target { panel, block: (0..grid.height(), 0..grid.width()), selected: false })
    };
    state.selection.as_ref().and_then(of).or_else(whole)
}

/// The table of what was found, or that it is being computed.
pub(crate) fn table(
    geometry: &WindowGeometry,
    target: &Target,
    found: Option<&BlockResult>,
) -> Option<Table> {
    let grid = geometry.grids.get(target.panel)?;
    let (rows, columns) = &target.block;
    let shape = format!("{} × {}", count(rows.len()), count(columns.len()));
    let name = panel(grid, geometry.grids.len());
    let title = if target.selected {
        format!("{name}selection · {shape}")
    } else {
        format!("{name}all cells · {shape}")
    };
    let text = |text: String| vec![(text, String::new())];
    let lines = match found {
        None => text("computing…".to_owned()),
        Some(Err(e)) => text(e.to_string()),
        Some(Ok(s)) => lines(grid, s),
    };
    Some(Table { title, lines })
}

fn lines(grid: &Grid, s: &BlockStatistics) -> Vec<(String, String)> {
    let mut out = vec![("n", count(s.stats.values as usize))];
    if let (Some((min, max)), Some(quartiles)) = (ends(&s.stats), s.quartiles) {
        let digits = digits(min.as_f64(), max.as_f64()).max(8);
        let float = |v: f64| brief(Number::F64(v), digits);
        let [low, median, high] = quartiles.map(|v| brief(v, digits));
        let extreme = |v: Number, cells: &[(usize, usize)], ties: u64| match cells.first() {
            Some(first) if v.as_f64().is_finite() => {
                format!("{} · {}", number(grid, v), place_of(grid, *first, ties))
            }
            _ => number(grid, v),
        };
        let sum = match s.sum {
            gridscope_core::grid::Sum::Whole(v) => v.to_string(),
            gridscope_core::grid::Sum::Float(v) => brief(Number::F64(v), digits.max(10)),
        };
        out.extend([
            ("mean", float(s.mean)),
            ("std", float(s.std)),
            ("min", extreme(min, &s.stats.min_cells, s.stats.min_ties)),
            ("q25", low),
            ("median", median),
            ("q75", high),
            ("max", extreme(max, &s.stats.max_cells, s.stats.max_ties)),
            ("sum", sum),
        ]);
    }
    let mut out: Vec<(String, String)> = out.into_iter().map(|(n, v)| (n.to_owned(), v)).collect();
    out.extend(kinds(&s.stats));
    out
}

/// A cell by its labels, by an index where an axis has none, and how many others hold the same value.
fn place_of(grid: &Grid, (row, column): (usize, usize), ties: u64) -> String {
    let (rows, columns) = (row..row + 1, column..column + 1);
    let named = [labels(grid.columns(), &columns), labels(grid.rows(), &rows)];
    let at = match named {
        [Some(column), Some(row)] => format!("{column}, {row}"),
        [column, row] => {
            let row = row.unwrap_or_else(|| indices(grid.rows(), "row", &rows));
            let column = column.unwrap_or_else(|| indices(grid.columns(), "column", &columns));
            format!("{row}, {column}")
        }
    };
    if ties > 1 { format!("{at}, first of {}", count(ties as usize)) } else { at }
}

/// How many infinities there are, and how many cells of each state.
fn kinds(s: &Stats) -> Vec<(String, String)> {
    let infinities = [("inf", s.pos_inf), ("-inf", s.neg_inf)];
    let states = State::ALL.map(|k| (k.key_text(), s.states[k.index()]));
    infinities
        .into_iter()
        .chain(states)
        .filter(|(_, n)| *n > 0)
        .map(|(name, n)| (name.to_owned(), count(n as usize)))
        .collect()
}

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
    use gridscope_core::grid::{Axis, Values};

    fn of(grid: Grid, selection: Option<Selection>) -> (String, Vec<String>) {
        let w = geometry(vec![grid], PxSize { w: 400, h: 300 });
        let mut state = ViewState::new(&w);
        state.selection = selection;
        let target = target(&w, &state, 0).unwrap();
        let (rows, columns) = target.block.clone();
        let found = w.grids[0].block_statistics(rows, columns, 1, &|| true);
        let found = found.transpose().unwrap();
        let table = table(&w, &target, Some(&found)).unwrap();
        let line = |(name, value): &(String, String)| format!("{name} {value}");
        (table.title, table.lines.iter().map(line).collect())
    }

    #[test]
    fn a_panel_has_its_own_and_a_selection_its_cells() {
        let mut g = sweep();
        g.set_state(0, 0, State::Nan);
        g.set_state(1, 1, State::Masked);
        let (title, lines) = of(g.clone(), None);
        assert_eq!(title, "all cells · 3 × 4");
        assert_eq!(
            lines,
            [
                "n 10",
                "mean 6.6",
                "std 3.4785054",
                "min 1.5 · ratio 0.2, window 500",
                "q25 3.75",
                "median 7",
                "q75 9.25",
                "max 11.5 · ratio 0.4, window 2000",
                "sum 66",
                "no value 1",
                "masked 1"
            ]
        );
        let (title, lines) = of(g, Some(Selection { panel: 0, rows: 0..1, columns: 0..9, anchor: (0, 0) }));
        assert_eq!(title, "selection · 1 × 4");
        assert_eq!(lines[..4], ["n 3", "mean 2.5", "std 1", "min 1.5 · ratio 0.2, window 500"]);
    }

    #[test]
    fn infinities_ties_and_large_integers_are_written_out() {
        let g = Grid::from_rows(1, 4, vec![2.0, 2.0, f64::INFINITY, f64::NAN]).unwrap();
        assert_eq!(
            of(g, None).1,
            [
                "n 3",
                "mean inf",
                "std NaN",
                "min 2 · row 0, column 0, first of 2",
                "q25 2",
                "median 2",
                "q75 inf",
                "max inf",
                "sum inf",
                "inf 1",
                "no value 1"
            ]
        );
        let big = (1i64 << 60) + 1;
        let values = Values::I64(vec![big, big + 2, big + 4]);
        let g = Grid::new(Axis::index("", 1), Axis::index("", 3), values, &[]).unwrap();
        let lines = of(g, None).1;
        assert_eq!(
            (lines[2].as_str(), lines[5].as_str(), lines[8].as_str()),
            ("std 2", "median 1152921504606846979", "sum 3458764513820540937")
        );
        let none = Grid::from_rows(1, 2, vec![f64::NAN; 2]).unwrap();
        assert_eq!(of(none, None).1, ["n 0", "no value 2"]);
    }
}

#[cfg(test)]
mod selection_tests {
    use super::*;
    use crate::test_grids::{geometry, sweep};
    use gridscope_core::geom::PxSize;
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

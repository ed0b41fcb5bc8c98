//! Texts about the place under the pointer, and about the part of the data in view.

use super::super::geometry::{BarAt, Hit, WindowGeometry};
use super::super::state::ViewState;
use super::linked::of_sides;
use super::text::{Block, cell, count, figures, indices, labels, panel, place, rounded};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::Point;
use gridscope_core::scale::{BarCurve, ColorScale, apart, short, span};
use gridscope_core::view::EdgeTable;
use std::ops::Range;

/// Statistics are computed of at most this many cells under the pointer; beyond that only position and number
/// are shown.
const MOST_CELLS: usize = 4_000_000;

/// The read-out of a point in the window; may be empty.
pub(crate) fn pointer_text(geometry: &WindowGeometry, at: Point) -> String {
    let text = match geometry.hit(at) {
        Hit::Body(p) | Hit::Divider(p) => {
            block_at(geometry, p, at).and_then(|block| body(geometry, p, &block))
        }
        Hit::XAxis(p) => along(geometry, p, at, true),
        Hit::YAxis(p) => along(geometry, p, at, false),
        Hit::Distribution(_) => {
            geometry.distribution.as_ref().filter(|d| (0.0..=1.0).contains(&d.share(at))).map(|d| {
                let pixel = 1.0 / d.bars.w.max(1.0);
                let v = d.axis.value(d.share(at));
                to_step(v, d.axis.value(d.share(at) + pixel) - d.axis.value(d.share(at) - pixel))
            })
        }
        Hit::Bar(b) => {
            geometry.bars.get(b).and_then(Option::as_ref).zip(geometry.scales.get(b)).map(|(bar, scale)| {
                let said = bar_text(bar, scale, at);
                format!("{said} · drag: limits · double click: automatic")
            })
        }
        Hit::Slider(_)
        | Hit::Title(_)
        | Hit::Thumbnail(_)
        | Hit::Strip
        | Hit::Tool(_)
        | Hit::Entry(_)
        | Hit::Minimap(_)
        | Hit::Elsewhere => None,
    };
    text.unwrap_or_default()
}

/// The cells under a point on the body of panel `p`; `None` in gaps and beyond the data.
pub(super) fn block_at(geometry: &WindowGeometry, p: usize, at: Point) -> Option<Block> {
    let (panel, grid) = (geometry.panels.get(p)?, geometry.grids.get(p)?);
    let (columns, rows) = panel.under(at)?;
    Some((cells(rows, grid.height())?, cells(columns, grid.width())?))
}

/// The cells of a span, of which there are `most`.
fn cells(span: [u32; 2], most: usize) -> Option<Range<usize>> {
    let (first, end) = (span[0] as usize, (span[1] as usize).min(most));
    (first < end).then_some(first..end)
}

/// Name, place and value of the cells of a panel; of a comparison the values of its other sides, too.
fn body(geometry: &WindowGeometry, p: usize, block: &Block) -> Option<String> {
    let grid = geometry.grids.get(p)?;
    let (rows, columns) = block.clone();
    let cells = rows.len() * columns.len();
    let what = if cells == 1 {
        cell(grid, &grid.stats_of(rows, columns))
    } else if cells <= MOST_CELLS {
        format!("{} cells: {}", count(cells), figures(grid, &grid.stats_of(rows, columns)))
    } else {
        format!("{} cells: zoom in for statistics", count(cells))
    };
    let what = match geometry.comparison(p) {
        Some(of) if cells <= MOST_CELLS => of_sides(geometry, of, p, block, what),
        _ => what,
    };
    let panels = geometry.grids.len();
    Some(format!("{}{} · {what}", panel(grid, panels), place(grid, block)))
}

/// The panel, the labels and the indices of a cell.
pub(crate) fn cell_place(geometry: &WindowGeometry, (p, row, column): (usize, usize, usize)) -> String {
    let place_of = |grid| {
        format!("{}{}", panel(grid, geometry.grids.len()), place(grid, &(row..row + 1, column..column + 1)))
    };
    geometry.grids.get(p).map(place_of).unwrap_or_default()
}

/// The label and the index under a point on an axis.
fn along(geometry: &WindowGeometry, p: usize, at: Point, across: bool) -> Option<String> {
    let (panel, grid) = (geometry.panels.get(p)?, geometry.grids.get(p)?);
    let (axis, word, cells) = if across {
        (grid.columns(), "column", cells(panel.columns_at(at.x)?, grid.width())?)
    } else {
        (grid.rows(), "row", cells(panel.rows_at(at.y)?, grid.height())?)
    };
    let indices = indices(axis, word, &cells);
    Some(labels(axis, &cells).map_or(indices.clone(), |l| format!("{l} · {indices}")))
}

/// The value under a point on a bar, and the bar's limits, norm and map.
fn bar_text(bar: &BarAt, scale: &ColorScale, at: Point) -> String {
    let spec = scale.spec();
    let (length, pixel) = if bar.horizontal {
        (bar.ramp.w, at.x - f64::from(bar.ramp.x))
    } else {
        (bar.ramp.h, f64::from(bar.ramp.y) + f64::from(bar.ramp.h) - at.y)
    };
    let n = f64::from(length.max(1));
    let pixel = pixel.floor().clamp(0.0, n - 1.0);
    let value = |pixel: f64| {
        let (t0, t1) = scale.span();
        spec.norm.inverse(t0 + (t1 - t0) * ((pixel + 0.5) / n).clamp(0.0, 1.0), spec.vmin, spec.vmax)
    };
    let here = match spec.norm.traits().bar {
        BarCurve::Steps(b) if b.len() > 1 => {
            let bin = ((pixel / n * (b.len() - 1) as f64) as usize).min(b.len() - 2);
            apart(&b[bin..bin + 2]).join(" to ")
        }
        _ => to_step(value(pixel), value(pixel + 1.0) - value(pixel - 1.0)),
    };
    let map = if spec.map.name.contains(',') { String::new() } else { format!(", {}", spec.map.name) };
    format!("{here} · colours from {}, {}{map}", span(spec.vmin, spec.vmax), spec.norm.word())
}

/// A value with as many digits as a step of one or two pixels changes.
fn to_step(v: f64, step: f64) -> String {
    let step = step.abs() / 2.0;
    if !(step.is_normal() && v.is_finite()) {
        return short(v);
    }
    let unit = step.log10().floor();
    if v.abs() < 0.5 * 10f64.powf(unit) {
        return "0".to_owned();
    }
    rounded(v, (v.abs().log10().floor() - unit + 1.0).max(1.0) as usize)
}

/// The panel under the pointer, else the large or the first one: the rows and columns in view, cells per pixel or pixels per
/// cell, and the word of the reduction where pixels cover several cells, or that the picture is coarse; empty
/// without a panel.
pub(crate) fn view_text(geometry: &WindowGeometry, state: &ViewState, reduce: Reduce) -> String {
    let pointed = match state.pointer.map(|at| geometry.hit(at)) {
        Some(Hit::Body(p) | Hit::XAxis(p) | Hit::YAxis(p)) => p,
        _ => geometry.large.unwrap_or(0),
    };
    let (Some(panel), Some(grid), Some(view)) =
        (geometry.panels.get(pointed), geometry.grids.get(pointed), state.views.get(pointed))
    else {
        return String::new();
    };
    let (h, w) = (grid.height(), grid.width());
    let (rows, columns) = (seen(&panel.rows), seen(&panel.columns));
    let all = format!("{} × {}", count(h), count(w));
    let cells = if rows >= h && columns >= w {
        all
    } else {
        format!("{} × {} of {all}", count(rows), count(columns))
    };
    let per = |part: f64, pixels: u32| part / f64::from(pixels.max(1));
    let (x, y) = (per(view.x.len(), panel.body.w), per(view.y.len(), panel.body.h));
    let zoom = zoom(x, y);
    let reduced = panel.columns.reduces() || panel.rows.reduces();
    let word = match (geometry.coarse, reduced) {
        (true, _) => " · coarse".to_owned(),
        (false, true) => format!(" · {}", reduce.word()),
        (false, false) => String::new(),
    };
    format!("{cells} · {zoom}{word}")
}

/// The number of cells of an axis that are in view.
fn seen(table: &EdgeTable) -> usize {
    let shown = || table.spans().iter().filter(|s| s[0] < s[1]);
    let (first, end) = (shown().map(|s| s[0]).min(), shown().map(|s| s[1]).max());
    first.zip(end).map_or(0, |(a, b)| (b - a) as usize)
}

/// The zoom in words, from `x` columns and `y` rows per pixel.
fn zoom(x: f64, y: f64) -> String {
    let (near, far) = (x.min(y), x.max(y));
    let alike = far <= 1.02 * near;
    let text = |v: f64| {
        if v < 9.95 { format!("{v:.1}").trim_end_matches(".0").to_owned() } else { count(v.round() as usize) }
    };
    let pixels = |v: f64| format!("{} px", text(1.0 / v));
    match (alike, far > 1.0 + 1e-9) {
        (true, true) => format!("{} cells per pixel", text(x)),
        (true, false) if text(1.0 / x) == "1" => "1 cell per pixel".to_owned(),
        (true, false) => format!("{} per cell", pixels(x)),
        (false, false) => format!("{} × {} per cell", text(1.0 / x), pixels(y)),
        (false, true) => {
            let side = |v: f64, one: &str| {
                if v > 1.0 {
                    format!("{} {one}s per pixel", text(v))
                } else {
                    format!("{} per {one}", pixels(v))
                }
            };
            format!("{}, {}", side(x, "column"), side(y, "row"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_grids::{geometry, sweep};
    use super::*;
    use gridscope_core::geom::PxSize;
    use gridscope_core::grid::{Grid, State};
    use gridscope_core::scale::Norm;

    fn at(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    #[test]
    fn a_cell_is_its_labels_its_indices_and_its_own_value() {
        let mut g = sweep();
        g.set_state(2, 1, State::Absent);
        let w = geometry(vec![g.clone()], PxSize { w: 400, h: 300 });
        // Bodies of the sample begin at 100, 50; cells are 100 x 100 pixels.
        assert_eq!(pointer_text(&w, at(100.0, 50.0)), "ratio 0.1, window 500 · row 0, column 0 · pass1 0.5");
        assert_eq!(pointer_text(&w, at(499.9, 149.9)), "ratio 0.4, window 500 · row 0, column 3 · pass1 3.5");
        assert_eq!(pointer_text(&w, at(250.0, 300.0)), "ratio 0.2, window 2000 · row 2, column 1 · no data");
        assert_eq!(pointer_text(&w, at(250.0, 360.0)), "ratio 0.2 · column 1");
        assert_eq!(pointer_text(&w, at(90.0, 160.0)), "window 1000 · row 1");
        assert_eq!(pointer_text(&w, at(5.0, 5.0)), "");
        let (g, other) = (g.clone().with_name("seed = 0"), g.with_name("seed\n= 1"));
        let w = geometry(vec![g, other], PxSize { w: 400, h: 300 });
        assert_eq!(
            pointer_text(&w, at(650.0, 60.0)),
            "seed = 1 · ratio 0.1, window 500 · row 0, column 0 · pass1 0.5"
        );
    }

    #[test]
    fn a_pixel_of_several_cells_is_summed_up_from_the_sources_numbers() {
        let mut values: Vec<f64> = (0..400 * 100).map(|i| f64::from(i % 7) / 10.0).collect();
        values[3] = f64::NAN;
        values[403] = f64::INFINITY;
        let w = geometry(vec![Grid::from_rows(100, 400, values).unwrap()], PxSize { w: 100, h: 50 });
        assert_eq!(
            pointer_text(&w, at(100.5, 50.5)),
            "rows 0–1, columns 0–3 · 8 cells: mean inf, min 0, max inf, 1 no value"
        );
        let got = pointer_text(&w, at(101.5, 50.5));
        // Cells 4 to 7 and 404 to 407: 4 5 6 0 and 5 6 0 1, tenths.
        assert_eq!(got, "rows 0–1, columns 4–7 · 8 cells: mean 0.3375, min 0, max 0.6");
    }

    #[test]
    fn too_many_cells_are_only_counted() {
        let grid = Grid::from_rows(2_000, 2_500, vec![1.0; 5_000_000]).unwrap();
        let w = geometry(vec![grid], PxSize { w: 1, h: 1 });
        assert_eq!(
            pointer_text(&w, at(100.0, 50.0)),
            "rows 0–1999, columns 0–2499 · 5,000,000 cells: zoom in for statistics"
        );
    }

    #[test]
    fn gaps_and_tables_longer_than_their_grid_have_no_text() {
        let mut w = geometry(vec![sweep()], PxSize { w: 400, h: 300 });
        w.panels[0].columns =
            EdgeTable::placed(vec![[0.0, 10.0], [20.0, 30.0], [30.0, 40.0], [40.0, 50.0], [50.0, 60.0]], 400);
        assert_eq!(pointer_text(&w, at(115.0, 60.0)), "");
        assert_eq!(pointer_text(&w, at(155.0, 60.0)), "");
        assert_eq!(pointer_text(&w, at(125.0, 60.0)), "ratio 0.2, window 500 · row 0, column 1 · pass1 1.5");
        w.grids = std::sync::Arc::new(Vec::new());
        assert_eq!(pointer_text(&w, at(125.0, 60.0)), "");
    }

    #[test]
    fn a_bar_shows_the_value_at_its_pixel() {
        // Limits 0.5 to 11.5, a ramp of 110 pixels from y = 50, at x = 600.
        let mut w = geometry(vec![sweep()], PxSize { w: 400, h: 110 });
        let tail = " · colours from 0.5 to 11.5, linear, viridis · drag: limits · double click: automatic";
        assert_eq!(pointer_text(&w, at(602.0, 159.5)), format!("0.55{tail}"));
        assert_eq!(pointer_text(&w, at(602.0, 50.5)), format!("11.45{tail}"));
        assert_eq!(pointer_text(&w, at(602.0, 48.0)), format!("11.45{tail}"));
        let mut spec = w.scales[0].spec().clone();
        (spec.norm, spec.vmin, spec.vmax) = (Norm::Log, 1e-3, 1e3);
        w.scales[0] = std::sync::Arc::new(ColorScale::new(&spec, gridscope_core::grid::Kind::F64));
        assert_eq!(
            pointer_text(&w, at(602.0, 105.5)),
            "0.9 · colours from 0.001 to 1000, log, viridis · drag: limits · double click: automatic"
        );
        (spec.norm, spec.vmin, spec.vmax) = (Norm::Bounds(vec![0.0, 1.0, 4.0, 9.0]), 0.0, 9.0);
        w.scales[0] = std::sync::Arc::new(ColorScale::new(&spec, gridscope_core::grid::Kind::F64));
        assert_eq!(
            pointer_text(&w, at(602.0, 105.5)),
            "1 to 4 · colours from 0 to 9, bounds, viridis · drag: limits · double click: automatic"
        );
    }

    #[test]
    fn digits_follow_the_step() {
        assert_eq!(
            [to_step(41.2837, 0.4), to_step(0.03, 0.4), to_step(12345.0, 60.0), to_step(5.0, 0.0)],
            ["41.3", "0", "12340", "5"]
        );
    }
}

#[cfg(test)]
mod zoom_tests {
    use super::*;
    use crate::test_grids::{geometry, sweep};
    use gridscope_core::geom::PxSize;
    use gridscope_core::grid::Grid;
    use gridscope_core::view::{Part, View};

    #[test]
    fn zooms_in_words() {
        assert_eq!(zoom(8.3, 8.3), "8.3 cells per pixel");
        assert_eq!(
            (zoom(0.125, 0.125), zoom(1.0, 1.0), zoom(0.125, 0.05)),
            ("8 px per cell".into(), "1 cell per pixel".into(), "8 × 20 px per cell".into())
        );
        assert_eq!(zoom(12_345.6, 0.1), "12,346 columns per pixel, 10 px per row");
        assert_eq!(zoom(10.02, 10.0), "10 cells per pixel");
    }

    #[test]
    fn the_view_of_the_panel_under_the_pointer() {
        let w = geometry(vec![sweep()], PxSize { w: 400, h: 300 });
        let state = ViewState::new(&w);
        assert_eq!(view_text(&w, &state, Reduce::Mean), "3 × 4 · 100 px per cell");
        let mut w = geometry(
            vec![Grid::from_rows(2000, 1000, vec![0.0; 2_000_000]).unwrap()],
            PxSize { w: 100, h: 200 },
        );
        let mut state = ViewState::new(&w);
        assert_eq!(view_text(&w, &state, Reduce::Extreme), "2,000 × 1,000 · 10 cells per pixel · extreme");
        state.views[0] = View { x: Part { from: 100.0, to: 150.0 }, y: Part { from: 0.0, to: 100.0 } };
        w.panels[0].columns = w.panels[0].x.table(state.views[0].x, 100);
        w.panels[0].rows = w.panels[0].y.table(state.views[0].y, 200);
        assert_eq!(view_text(&w, &state, Reduce::Mean), "100 × 50 of 2,000 × 1,000 · 2 px per cell");
        assert_eq!(view_text(&WindowGeometry::default(), &ViewState::default(), Reduce::Mean), "");
    }
}

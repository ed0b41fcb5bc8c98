//! Texts about what is under the pointer: a cell, the cells of a pixel, a label, a value of a colour bar.

use super::super::geometry::{BarAt, Hit, WindowGeometry};
use super::sides::of_sides;
use super::text::{Block, cell, count, figures, indices, labels, panel, place, rounded};
use gridscope_core::geom::Point;
use gridscope_core::scale::{BarCurve, ColorScale, apart, short, span};
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

#[cfg(test)]
mod tests {
    use super::super::super::test_grids::{geometry, sweep};
    use super::*;
    use gridscope_core::geom::PxSize;
    use gridscope_core::grid::{Grid, State};
    use gridscope_core::scale::Norm;
    use gridscope_core::view::EdgeTable;

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

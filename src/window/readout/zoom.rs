//! The part of the data in view, and how many cells a pixel shows.

use super::super::geometry::{Hit, WindowGeometry};
use super::super::state::ViewState;
use super::text::count;
use gridscope_core::figure::Reduce;
use gridscope_core::view::EdgeTable;

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

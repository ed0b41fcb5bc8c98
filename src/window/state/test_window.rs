//! A small window for tests: panels of 400 x 300 pixels side by side, one scale, its bar at the right.

use super::super::geometry::{BarAt, PanelAt, WindowGeometry};
pub(crate) use super::super::test_grids::scale;
use super::command::Command;
use super::{Damage, ViewState};
use gridscope_core::geom::{Point, PxRect, PxSize};
use gridscope_core::grid::Grid;
use gridscope_core::scale::Norm;
use gridscope_core::view::{Part, Track, View};
use std::sync::Arc;

/// A point of the window.
pub(crate) fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

/// Panel i has its body at (100 + 500 i, 50), values 0, 1, 2 … row after row; the ramp is 20 x 200 pixels at (`ramp_x`, 50).
pub(crate) fn geometry(panels: usize, rows: usize, columns: usize) -> WindowGeometry {
    let values = |_| Grid::from_rows(rows, columns, (0..rows * columns).map(|i| i as f64).collect()).unwrap();
    of(panels, (0..panels).map(values).collect())
}

/// The left edge of the ramp.
pub(crate) fn ramp_x(panels: usize) -> f64 {
    500.0 * panels as f64 + 60.0
}

/// The same window with other grids.
pub(crate) fn of(panels: usize, grids: Vec<Grid>) -> WindowGeometry {
    let stats: Vec<_> = grids.iter().map(Grid::stats).collect();
    let place = |(i, g): (usize, &Grid)| {
        let (x, y) = (Track::even(g.width()), Track::even(g.height()));
        let body = PxRect { x: 100 + 500 * i as i32, y: 50, w: 400, h: 300 };
        PanelAt {
            body,
            columns: x.table(x.whole(), 400),
            rows: y.table(y.whole(), 300),
            x,
            y,
            lower: false,
            leftward: false,
            range: None,
        }
    };
    let highest =
        stats.iter().filter_map(gridscope_core::grid::Stats::range).fold(1.0, |a: f64, r| a.max(r.1));
    let lowest =
        stats.iter().filter_map(gridscope_core::grid::Stats::range).fold(0.0, |a: f64, r| a.min(r.0));
    let ramp = PxRect { x: ramp_x(panels) as i32, y: 50, w: 20, h: 200 };
    WindowGeometry {
        size: PxSize { w: 500 * panels as u32 + 200, h: 450 },
        unit: 1.0,
        panels: grids.iter().enumerate().map(place).collect(),
        bars: vec![Some(BarAt { ramp, horizontal: false })],
        scale_of: vec![0; panels],
        scales: vec![scale(Norm::Linear, lowest, highest)],
        grids: Arc::new(grids),
        stats: Arc::new(stats),
        labels: true,
        ..WindowGeometry::default()
    }
}

/// Lays the window out for the state's views.
pub(crate) fn paint(geometry: &mut WindowGeometry, state: &ViewState) {
    for (p, v) in geometry.panels.iter_mut().zip(&state.views) {
        let rows = p.y.table(v.y, p.body.h.max(1));
        p.rows = if p.lower { rows.reversed() } else { rows };
        let columns = p.x.table(v.x, p.body.w.max(1));
        p.columns = if p.leftward { columns.reversed() } else { columns };
    }
}

/// A view by its ends along x and y.
pub(crate) fn view(x: (f64, f64), y: (f64, f64)) -> View {
    View { x: Part { from: x.0, to: x.1 }, y: Part { from: y.0, to: y.1 } }
}

/// A zoom of all panels.
pub(crate) fn zoom(at: Point, factor: f64) -> Command {
    Command::Zoom { at, factor, alone: false }
}

/// The damage of a command.
pub(crate) fn run(s: &mut ViewState, w: &WindowGeometry, c: &Command) -> Damage {
    s.apply(c, w).damage
}

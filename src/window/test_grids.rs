//! Windows to test with: grids, and where their panels and bars are.

use super::geometry::{BarAt, PanelAt, WindowGeometry};
use gridscope_core::color::Color;
use gridscope_core::geom::{PxRect, PxSize};
use gridscope_core::grid::{Axis, Grid, Kind, Stats};
use gridscope_core::scale::{ColorScale, Colormap, Norm, ScaleSpec, default_fills};
use gridscope_core::view::{EdgeTable, Track};
use std::sync::Arc;

/// A sweep of 3 windows by 4 ratios, with values from 0.5 to 11.5.
pub(super) fn sweep() -> Grid {
    let mut g = Grid::from_rows(3, 4, (0..12).map(|i| f64::from(i) + 0.5).collect()).unwrap();
    let words = |v: &[f64]| v.iter().map(f64::to_string).collect::<Vec<_>>();
    let (ratios, windows) = (vec![0.1, 0.2, 0.3, 0.4], vec![500.0, 1000.0, 2000.0]);
    g.set_columns(Axis::number("ratio", ratios.clone(), words(&ratios))).unwrap();
    g.set_rows(Axis::number("window", windows.clone(), words(&windows))).unwrap();
    g.set_value_name("pass1");
    g
}

/// Panels with bodies of `body` pixels from (100, 50) on, 100 pixels apart, and a bar 100 pixels right of the
/// last one.
pub(super) fn geometry(grids: Vec<Grid>, body: PxSize) -> WindowGeometry {
    let stats: Vec<Stats> = grids.iter().map(Grid::stats).collect();
    let (vmin, vmax) = stats[0].range().unwrap_or((0.0, 1.0));
    let panel = |(i, g): (usize, &Grid)| PanelAt {
        body: PxRect { x: 100 + i as i32 * (body.w as i32 + 100), y: 50, w: body.w, h: body.h },
        columns: EdgeTable::fit(g.width() as u32, body.w),
        rows: EdgeTable::fit(g.height() as u32, body.h),
        x: Track::even(g.width()),
        y: Track::even(g.height()),
        lower: false,
        leftward: false,
        range: None,
    };
    let panels: Vec<PanelAt> = grids.iter().enumerate().map(panel).collect();
    let end = panels.last().map_or(0, |p| p.body.x + p.body.w as i32);
    WindowGeometry {
        size: PxSize { w: end as u32 + 200, h: body.h + 150 },
        unit: 1.0,
        bars: vec![Some(BarAt { ramp: PxRect { x: end + 100, y: 50, w: 10, h: body.h }, horizontal: false })],
        scale_of: vec![0; panels.len()],
        scales: vec![scale(Norm::Linear, vmin, vmax)],
        panels,
        grids: Arc::new(grids),
        stats: Arc::new(stats),
        labels: true,
        ..WindowGeometry::default()
    }
}

/// A scale in viridis.
pub(super) fn scale(norm: Norm, vmin: f64, vmax: f64) -> Arc<ColorScale> {
    let map = Colormap::named("viridis").unwrap();
    let fills = default_fills(Color::WHITE, &map);
    let spec = ScaleSpec { norm, vmin, vmax, map, under: None, over: None, fills, hide: None, exact: None };
    Arc::new(ColorScale::new(&spec, Kind::F64))
}

//! Grids, scales and bodies that the benchmarks share, the same on every machine.

use gridscope::Color;
use gridscope::Grid;
use gridscope::figure::Reduce;
use gridscope::grid::{Axis, Kind, Summaries, Values};
use gridscope_core::geom::{PxRect, PxSize};
use gridscope_core::scale::{ColorScale, Colormap, Norm, ScaleSpec, default_fills};
use gridscope_core::view::EdgeTable;
use gridscope_draw::scene::{Cells, Item, Scene};
use std::sync::Arc;

/// Noise from 0 to 1, from the index alone.
pub fn noise(i: u32) -> f32 {
    let h = (i ^ (i >> 15)).wrapping_mul(0x9e37_79b1);
    ((h ^ (h >> 13)).wrapping_mul(0x85eb_ca6b) >> 8) as f32 / 16_777_216.0
}

/// A ridge from corner to corner and noise, 1 to 101.
pub fn value(row: u32, column: u32, rows: u32, columns: u32) -> f32 {
    let away = column as f32 / columns as f32 - row as f32 / rows as f32;
    1.0 + 90.0 / (1.0 + 40.0 * away * away) + 10.0 * noise(row * columns + column)
}

/// A grid with one row of NaN in every hundred.
pub fn grid(rows: u32, columns: u32) -> Grid {
    let cell = |i: u32| {
        if (i / columns) % 100 == 99 { f32::NAN } else { value(i / columns, i % columns, rows, columns) }
    };
    let data = (0..rows * columns).map(cell).collect();
    let axis = |n: u32| Axis::index("", n as usize);
    Grid::new(axis(rows), axis(columns), Values::F32 { data, integer: false }, &[]).expect("a grid of cells")
}

/// The edge tables of a whole grid on a picture.
pub fn tables(grid: &Grid, size: PxSize) -> (EdgeTable, EdgeTable) {
    (EdgeTable::fit(grid.width() as u32, size.w), EdgeTable::fit(grid.height() as u32, size.h))
}

/// A scene of only the body of a whole grid.
pub fn body(
    grid: &Grid,
    size: PxSize,
    norm: Norm,
    reduce: Reduce,
    summaries: Option<Arc<Summaries>>,
) -> Scene {
    let map = Colormap::named("viridis").expect("a known map");
    let fills = default_fills(Color::WHITE, &map);
    let spec = ScaleSpec {
        norm,
        vmin: 1.0,
        vmax: 101.0,
        map,
        under: None,
        over: None,
        fills,
        hide: None,
        exact: None,
    };
    let (columns, rows) = tables(grid, size);
    let cells = Cells {
        grid: 0,
        body: PxRect { x: 0, y: 0, w: size.w, h: size.h },
        columns,
        rows,
        summaries,
        before: None,
        scale: Arc::new(ColorScale::new(&spec, Kind::F32)),
        reduce,
        centre: 50.0,
        background: Color::WHITE,
        unit: 1,
    };
    Scene::new(size, Some(Color::WHITE), vec![Item::Cells(Box::new(cells))])
}

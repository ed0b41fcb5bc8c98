//! Folding on the CPU: all cells of a grid to a Summary per pixel.

use super::data::{grid, tables};
use criterion::{BenchmarkId, Criterion, Throughput};
use gridscope::PxSize;
use gridscope::grid::fold;

pub fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("fold");
    group.sample_size(10);
    for (side, w, h) in [(1000, 640, 360), (4096, 1280, 720), (4096, 60, 40)] {
        let grid = grid(side, side);
        let (columns, rows) = tables(&grid, PxSize { w, h });
        group.throughput(Throughput::Elements(u64::from(side) * u64::from(side)));
        group.bench_function(BenchmarkId::from_parameter(format!("{side}x{side} on {w}x{h}")), |b| {
            b.iter(|| fold(grid.cells(), grid.width(), columns.spans(), rows.spans()));
        });
    }
    group.finish();
}

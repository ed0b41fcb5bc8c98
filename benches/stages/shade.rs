//! Painting bodies on the CPU: cells or folded pixels to colours.

use super::data::{body, grid, tables};
use criterion::{BenchmarkId, Criterion, Throughput};
use gridscope::Fonts;
use gridscope::PxSize;
use gridscope::figure::Reduce;
use gridscope::grid::{Summaries, fold};
use gridscope_core::scale::Norm;
use gridscope_draw::raster;
use std::sync::Arc;

const SIZE: PxSize = PxSize { w: 1920, h: 1080 };

pub fn benches(c: &mut Criterion) {
    let mut fonts = Fonts::new();
    let mut group = c.benchmark_group("shade");
    group.sample_size(20).throughput(Throughput::Elements(u64::from(SIZE.w) * u64::from(SIZE.h)));
    for (rows, columns, norm) in [
        (27, 48, Norm::Linear),
        (540, 960, Norm::Linear),
        (1080, 1920, Norm::Linear),
        (1080, 1920, Norm::Log),
    ] {
        let grids = [grid(rows, columns)];
        let scene = body(&grids[0], SIZE, norm.clone(), Reduce::Mean, None);
        let id = BenchmarkId::new(norm.word(), format!("{rows}x{columns} on {}x{}", SIZE.w, SIZE.h));
        group.bench_function(id, |b| b.iter(|| raster::draw(&scene, &grids, &mut fonts)));
    }
    let grids = [grid(2160, 3840)];
    let (columns, rows) = tables(&grids[0], SIZE);
    let folded: Arc<Summaries> =
        Arc::new(fold(grids[0].cells(), grids[0].width(), columns.spans(), rows.spans()).into());
    for reduce in [Reduce::Mean, Reduce::Max, Reduce::Extreme] {
        let scene = body(&grids[0], SIZE, Norm::Linear, reduce, Some(folded.clone()));
        let id = BenchmarkId::new(
            format!("folded {}", reduce.word()),
            format!("2160x3840 on {}x{}", SIZE.w, SIZE.h),
        );
        group.bench_function(id, |b| b.iter(|| raster::draw(&scene, &grids, &mut fonts)));
    }
    group.finish();
}

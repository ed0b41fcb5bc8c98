//! Resolving and layout: from a figure to the places of bodies and labels.

use criterion::{BenchmarkId, Criterion};
use gridscope::Fonts;
use gridscope::figure::Figure;
use gridscope::grid::{Axis, Grid};
use gridscope_draw::layout::layout;
use gridscope_draw::resolve::{Overrides, frame};

/// Panels of labelled categories.
fn panels(count: usize, rows: usize, columns: usize) -> Vec<Grid> {
    let labels = |word: &str, n: usize| (0..n).map(|i| format!("{word} {i}")).collect();
    let panel = |p: usize| {
        let mut grid = Grid::from_rows(rows, columns, (0..rows * columns).map(|i| (i % 97) as f64).collect())
            .expect("a grid of cells");
        grid.set_name(format!("panel {p}"));
        grid.set_rows(Axis::category("topic", labels("topic", rows))).expect("a label per row");
        grid.set_columns(Axis::category("model", labels("m", columns))).expect("a label per column");
        grid
    };
    (0..count).map(panel).collect()
}

pub fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("layout");
    group.sample_size(20);
    let mut figure = Figure::default();
    figure.size.width = Some("1600px".parse().unwrap());
    for (count, rows, columns) in [(1, 4, 5), (4, 4, 5), (1, 60, 60), (1, 2000, 300)] {
        let grids = panels(count, rows, columns);
        let mut fonts = Fonts::new();
        let id = BenchmarkId::from_parameter(format!("{count} of {rows}x{columns} on 1600 px"));
        group.bench_function(id, |b| {
            b.iter(|| {
                layout(&frame(&figure, &Overrides::default(), &grids).expect("a frame"), &mut fonts)
                    .expect("a layout")
                    .texts
                    .len()
            });
        });
    }
    group.finish();
}

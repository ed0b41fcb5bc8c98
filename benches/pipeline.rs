//! The stages of a small figure: reading, layout, composing, drawing, encoding.

#![allow(unreachable_pub, reason = "a benchmark has no public interface")]

use criterion::{Criterion, criterion_group, criterion_main};
use gridscope::Fonts;
use gridscope::Grid;
use gridscope::figure::Figure;
use gridscope::input::{ReadOptions, open};
use gridscope_core::timing::Phases;
use gridscope_draw::render::prepare;
use gridscope_draw::{png, raster};
use std::hint::black_box;

fn annotated() -> (Figure, Vec<Grid>) {
    let mut figure = Figure::default();
    figure.annotations.show = Some("on".parse().unwrap());
    figure.size.width = Some("2400px".parse().unwrap());
    figure.size.height = Some("2400px".parse().unwrap());
    let values = (0..3600)
        .map(|i| 20.0 + 10.0 * (f64::from(i) * 0.37).sin())
        .map(|v| (v * 10.0).round() / 10.0)
        .collect();
    (figure, vec![Grid::from_rows(60, 60, values).expect("60 x 60 cells")])
}

fn stages(c: &mut Criterion) {
    let (figure, grids) = annotated();
    c.bench_function("fonts", |b| b.iter(|| black_box(Fonts::new())));
    c.bench_function("prepare 60x60 annotated on 2400x2400", |b| {
        b.iter(|| {
            let mut fonts = Fonts::new();
            prepare(&figure, &grids, &mut fonts, &mut Phases::new()).map(|p| p.scene.items.len())
        });
    });
    let mut fonts = Fonts::new();
    let prepared = prepare(&figure, &grids, &mut fonts, &mut Phases::new()).expect("a figure");
    c.bench_function("raster 60x60 annotated on 2400x2400", |b| {
        b.iter(|| raster::draw(&prepared.scene, &grids, &mut fonts));
    });
    let image = raster::draw(&prepared.scene, &grids, &mut fonts);
    c.bench_function("png 60x60 annotated on 2400x2400", |b| {
        b.iter(|| png::encode(&image, 200.0, png::Effort::Auto, png::Texts::default()));
    });
}

fn reading(c: &mut Criterion) {
    let mut figure = Figure::default();
    let list = |t: &str| Some(gridscope::figure::List(vec![t.to_owned()]));
    (figure.data.x, figure.data.y, figure.data.value) = (list("ratio"), list("window"), list("pass1"));
    figure.data.panel = Some("dataset".into());
    let file = [concat!(env!("CARGO_MANIFEST_DIR"), "/examples/figures/r1_llama.csv").to_owned()];
    c.bench_function("read r1_llama.csv, 4 panels of 4x5", |b| {
        b.iter(|| open(&file, &figure, &ReadOptions::default(), 1 << 30).map(|l| l.grids.len()));
    });
}

criterion_group!(benches, stages, reading);
criterion_main!(benches);

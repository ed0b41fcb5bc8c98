//! Labels: shaping, measuring, masks, and the cache.

use criterion::{BenchmarkId, Criterion, Throughput};
use gridscope_core::text::{Fonts, GlyphAt, Measure};

fn words(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("high_school_topic_{i}")).collect()
}

fn numbers(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("{:.1}", i as f64 * 0.7)).collect()
}

fn place(fonts: &mut Fonts, texts: &[String], degrees: i32) -> usize {
    let mut out: Vec<GlyphAt> = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        fonts.place(text, 25.0, 10.0, 30.0 * i as f64, degrees, &mut out);
    }
    out.len()
}

pub fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("text");
    group.sample_size(20);
    group.bench_function("fonts", |b| b.iter(Fonts::new));
    for (name, texts) in [("60 words", words(60)), ("3600 numbers", numbers(3600))] {
        group.throughput(Throughput::Elements(texts.len() as u64));
        group.bench_function(BenchmarkId::new("measure", format!("{name} at 25 px")), |b| {
            b.iter_with_setup(Fonts::new, |mut fonts| {
                texts.iter().map(|t| fonts.size(t, 25.0).width).sum::<f64>()
            });
        });
        for degrees in [0, 45, 90] {
            group.bench_function(
                BenchmarkId::new("place new", format!("{name} at 25 px, {degrees} degrees")),
                |b| {
                    b.iter_with_setup(Fonts::new, |mut fonts| place(&mut fonts, &texts, degrees));
                },
            );
        }
        let mut fonts = Fonts::new();
        group.bench_function(BenchmarkId::new("place known", format!("{name} at 25 px")), |b| {
            b.iter(|| place(&mut fonts, &texts, 0));
        });
    }
    group.finish();
}

//! Reading files to grids, from the page cache.

use super::data::{grid, value};
use criterion::{BenchmarkId, Criterion, Throughput};
use gridscope::figure::{Figure, List};
use gridscope::input::{ReadOptions, open};
use gridscope_draw::export::npy_bytes;
use std::fmt::Write;
use std::path::Path;

/// A header and `rows` lines, each with a label.
fn wide(rows: u32, columns: u32) -> Vec<u8> {
    let mut out = (0..columns).fold("topic".to_owned(), |s, c| s + &format!(",model {c}"));
    for r in 0..rows {
        let _ = write!(out, "\ntopic {r}");
        for c in 0..columns {
            let _ = write!(out, ",{:.3}", value(r, c, rows, columns));
        }
    }
    out.into_bytes()
}

/// A line per cell.
fn tidy(rows: u32, columns: u32) -> Vec<u8> {
    let mut out = "x,y,v\n".to_owned();
    for i in 0..rows * columns {
        let _ = writeln!(
            out,
            "{},{},{:.3}",
            i % columns,
            i / columns,
            value(i / columns, i % columns, rows, columns)
        );
    }
    out.into_bytes()
}

pub fn benches(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for files");
    let plain = Figure::default();
    let mut keyed = Figure::default();
    let list = |t: &str| Some(List(vec![t.to_owned()]));
    (keyed.data.x, keyed.data.y, keyed.data.value) = (list("x"), list("y"), list("v"));
    let (square, long) = (grid(1000, 1000), grid(99, 50_000));
    let files: [(&str, &str, Vec<u8>, &Figure); 4] = [
        ("csv wide 1000x100", "wide.csv", wide(1000, 100), &plain),
        ("csv tidy 300x300", "tidy.csv", tidy(300, 300), &keyed),
        // A grid without NaN is written as f32, one with NaN as f64.
        ("npy f4 99x50000", "f4.npy", npy_bytes(&long), &plain),
        ("npy f8 1000x1000", "f8.npy", npy_bytes(&square), &plain),
    ];
    let mut group = c.benchmark_group("read");
    group.sample_size(10);
    for (name, file, bytes, figure) in files {
        let path = folder.path().join(file);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        std::fs::write(&path, bytes).expect("a file");
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| cells(&path, figure));
        });
    }
    group.finish();
}

fn cells(path: &Path, figure: &Figure) -> usize {
    let loaded = open(&[path.display().to_string()], figure, &ReadOptions::default(), 1 << 30)
        .expect("a file that reads");
    loaded.grids[0].cells().len()
}

//! PNG encoding of smooth pictures, as most heatmaps are, and of noisy ones; below and above the size from which speed is
//! preferred.

use super::data::{noise, value};
use criterion::{BenchmarkId, Criterion, Throughput};
use gridscope::Colormap;
use gridscope::Image;
use gridscope_draw::png;

/// A picture whose pixel (x, y) has the entry of the map at `level`, from 0 to 1.
fn picture(width: u32, height: u32, level: impl Fn(u32, u32) -> f32) -> Image {
    let map = Colormap::named("viridis").expect("a known map");
    let n = map.entries.len();
    let color = |i: u32| map.entries[((level(i % width, i / width) * n as f32) as usize).min(n - 1)].rgba();
    Image { width, height, pixels: (0..width * height).flat_map(color).collect() }
}

pub fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("png");
    group.sample_size(10);
    for (w, h) in [(1920, 1080), (3840, 2160)] {
        // Blocks of 16 pixels, like the cells of a figure.
        let smooth = picture(w, h, |x, y| value(y / 16, x / 16, h / 16, w / 16) / 101.0);
        let noisy = picture(w, h, |x, y| noise(y * w + x));
        group.throughput(Throughput::Bytes(smooth.pixels.len() as u64));
        for (name, image) in [("smooth", smooth), ("noisy", noisy)] {
            group.bench_function(BenchmarkId::new(name, format!("{w}x{h}")), |b| {
                b.iter(|| png::encode(&image, 200.0, png::Effort::Auto, png::Texts::default()));
            });
        }
    }
    group.finish();
}

//! Bodies that the CPU paints, and who folds and paints: the device or the CPU.

use super::adapter::AdapterKind;
use super::context::Context;
use super::error::GpuError;
use gridscope_core::geom::PxRect;
use gridscope_core::grid::{Grid, Summaries};
use gridscope_core::image::Image;
use gridscope_core::scale::ColorScale;
use gridscope_core::view::{EdgeTable, shared_pixels};
use gridscope_draw::raster::{body as paint, body_in_place as paint_strip};
use gridscope_draw::scene::Cells;
use std::ops::Range;
use std::sync::{Arc, Weak};

/// The painted bodies of the last picture.
#[derive(Default)]
pub(super) struct PaintedBodies(Vec<PaintedBody>);

/// A body's colours in the target's order of bytes.
struct PaintedBody {
    image: Image,
    /// The key that they were painted for; `None`: they must be painted again.
    of: Option<Key>,
    /// Patterns of states go through it, which do not move with the cells.
    patterned: bool,
    at: [u32; 2],
}

/// Inputs of a body's colours. It owns the scale, so that no other scale can take its address.
struct Key {
    /// Index of the grid, and the address of its cells.
    cells: (usize, usize),
    columns: EdgeTable,
    rows: EdgeTable,
    scale: Arc<ColorScale>,
    looks: (gridscope_core::figure::Reduce, u64, [u8; 4], u32),
    /// Those of a coarser level may be replaced by exact ones.
    summaries: Option<Arc<Summaries>>,
}

impl Key {
    fn of(c: &Cells, grid: &Grid) -> Option<Self> {
        let address = match grid.is_loaded() {
            true => grid.cells().as_ptr().addr(),
            // Those of a file are known by their Summaries.
            false => c.summaries.as_ref().map(|_| 0)?,
        };
        let cells = (c.grid, address);
        let looks = (c.reduce, c.centre.to_bits(), c.background.rgba(), c.unit);
        Some(Self {
            cells,
            columns: c.columns.clone(),
            rows: c.rows.clone(),
            scale: c.scale.clone(),
            looks,
            summaries: c.summaries.clone(),
        })
    }

    /// Whether cells have the same colours, wherever they are.
    fn paints_alike(&self, other: &Key) -> bool {
        (self.cells, self.looks) == (other.cells, other.looks) && Arc::ptr_eq(&self.scale, &other.scale)
    }

    fn is(&self, other: &Key) -> bool {
        let folds = match (&self.summaries, &other.summaries) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        folds && self.paints_alike(other) && (&self.columns, &self.rows) == (&other.columns, &other.rows)
    }

    /// Columns and rows of the pixels that keep the colours of pixels of a body that was painted from this, and where those
    /// were.
    fn kept(&self, now: &Key, before: Option<&Weak<Summaries>>) -> Option<[(Range<usize>, Range<usize>); 2]> {
        let folds = match (&self.summaries, before) {
            (None, None) => now.summaries.is_none(),
            (Some(was), Some(before)) => std::ptr::eq(Arc::as_ptr(was), before.as_ptr()),
            _ => false,
        };
        let columns = || shared_pixels(self.columns.spans(), now.columns.spans());
        let rows = || shared_pixels(self.rows.spans(), now.rows.spans());
        (folds && self.paints_alike(now)).then(|| Some([columns()?, rows()?]))?
    }
}

/// Whether bytes can be copied to a picture unchanged.
pub(super) fn takes_bytes(target: &wgpu::Texture, view: wgpu::TextureFormat) -> bool {
    target.usage().contains(wgpu::TextureUsages::COPY_DST) && swapped(view).is_some()
}

/// Whether blue comes first; `None` where a pixel is not four bytes.
fn swapped(format: wgpu::TextureFormat) -> Option<bool> {
    match format {
        wgpu::TextureFormat::Rgba8Unorm => Some(false),
        wgpu::TextureFormat::Bgra8Unorm => Some(true),
        _ => None,
    }
}

/// Moves what stays of a body, and paints the rest; returns whether there are patterns of states in that.
fn scroll(
    image: &mut Image,
    c: &Cells,
    grid: &Grid,
    swaps: bool,
    [(x, was_x), (y, was_y)]: [(Range<usize>, Range<usize>); 2],
) -> bool {
    let (w, h) = (image.width as usize, image.height as usize);
    let mut line = |k: usize| {
        let from = ((was_y.start + k) * w + was_x.start) * 4;
        let to = ((y.start + k) * w + x.start) * 4;
        image.pixels.copy_within(from..from + was_x.len() * 4, to);
    };
    // No line is overwritten before it is copied.
    match y.start <= was_y.start {
        true => (0..y.len()).for_each(&mut line),
        false => (0..y.len()).rev().for_each(&mut line),
    }
    let strips = [(0..w, 0..y.start), (0..w, y.end..h), (0..x.start, y.clone()), (x.end..w, y)];
    let mut patterned = false;
    for (columns, rows) in strips {
        if columns.is_empty() || rows.is_empty() {
            continue;
        }
        let at = PxRect { x: 0, y: 0, ..c.body };
        let strip = Cells { body: at, ..c.clone() }.cut(columns, rows);
        patterned |= paint_strip(image, &strip, grid);
        let b = strip.body;
        let pixels = (b.x as usize..b.x as usize + b.w as usize, b.y as usize..b.y as usize + b.h as usize);
        swap(image, pixels, swaps);
    }
    patterned
}

/// Exchanges red and blue of some columns and rows, where the target wants blue first.
fn swap(image: &mut Image, (columns, rows): (Range<usize>, Range<usize>), swaps: bool) {
    if !swaps {
        return;
    }
    let stride = image.width as usize * 4;
    for line in image.pixels[rows.start * stride..rows.end * stride].chunks_exact_mut(stride) {
        line[columns.start * 4..columns.end * 4].chunks_exact_mut(4).for_each(|p| p.swap(0, 2));
    }
}

impl PaintedBodies {
    /// Paints the bodies that differ from those of the previous picture.
    pub(super) fn prepare(
        &mut self,
        cells: &[&Cells],
        grids: &[Grid],
        format: wgpu::TextureFormat,
    ) -> Result<(), GpuError> {
        self.0.truncate(cells.len());
        for (i, c) in cells.iter().enumerate() {
            let grid =
                grids.get(c.grid).ok_or_else(|| GpuError::Misuse(format!("there is no grid {}", c.grid)))?;
            let (w, h) = (c.body.w, c.body.h);
            if self.0.get(i).is_none_or(|b| (b.image.width, b.image.height) != (w, h)) {
                let image = Image { width: w, height: h, pixels: vec![0; w as usize * h as usize * 4] };
                self.0.truncate(i);
                self.0.push(PaintedBody { image, of: None, patterned: false, at: [0, 0] });
            }
            let (body, key) = (&mut self.0[i], Key::of(c, grid));
            body.at = [c.body.x.max(0) as u32, c.body.y.max(0) as u32];
            if body.of.as_ref().zip(key.as_ref()).is_some_and(|(a, b)| a.is(b)) {
                continue;
            }
            let swaps = swapped(format) == Some(true);
            let kept = match (&body.of, &key) {
                (Some(was), Some(now)) if !body.patterned => was.kept(now, c.before.as_ref()),
                _ => None,
            };
            // A body that is painted halfway when a fault ends it is painted again.
            body.of = None;
            body.patterned = match kept {
                Some(kept) => scroll(&mut body.image, c, grid, swaps, kept),
                None => {
                    let patterned = paint(&mut body.image, c, grid);
                    swap(&mut body.image, (0..w as usize, 0..h as usize), swaps);
                    patterned
                }
            };
            body.of = key;
        }
        Ok(())
    }

    /// Copies them to a picture.
    pub(super) fn copy(&self, context: &Context, target: &wgpu::Texture) {
        for b in &self.0 {
            let (w, h) = (b.image.width, b.image.height);
            let layout =
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(w * 4), rows_per_image: None };
            let mut to = target.as_image_copy();
            to.origin = wgpu::Origin3d { x: b.at[0], y: b.at[1], z: 0 };
            let size = wgpu::Extent3d { width: w, height: h, depth_or_array_layers: 1 };
            context.queue().write_texture(to, &b.image.pixels, layout, size);
        }
    }

    /// Forgets all bodies: other grids may have taken the addresses of those of the last picture.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }
}

/// Who folds and paints the bodies of a picture; the device draws everything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Worker {
    /// The device.
    #[default]
    Device,
    /// The CPU, whose pixels are copied to the device's picture.
    Cpu,
}

/// From which size on adapters of a kind do the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceWork {
    /// Pixels of a picture.
    pub pixels: u64,
    /// Cells of its grids: small pictures of many cells are work, too.
    pub cells: u64,
}

/// The adapters that do the work. A row that is not listed leaves it to the CPU.
///
/// A software adapter is measured: it runs shaders on the same cores as the CPU back end, only slower, at every size. The rows
/// of hardware are estimates, because none has been measured yet: submitting a fold and a picture is assumed to take 0.5 ms,
/// for which the CPU paints about 100,000 pixels or folds two million cells; an integrated GPU shares the CPU's memory, and
/// a virtual one adds the way to its host. `benches/RESULTS.md` says what has been measured.
const TABLE: [(AdapterKind, DeviceWork); 4] = [
    (AdapterKind::Discrete, from(100_000, 2_000_000)),
    (AdapterKind::Integrated, from(200_000, 4_000_000)),
    (AdapterKind::Virtual, from(400_000, 8_000_000)),
    (AdapterKind::Other, from(400_000, 8_000_000)),
];

/// The fewest pixels of a single picture for which a driver is opened: that is assumed to take 100 to 300 ms, the CPU about
/// 5 ns per pixel. An estimate, because no hardware has been measured yet.
pub const OPENING_PAYS_FROM: u64 = 40_000_000;

const fn from(pixels: u64, cells: u64) -> DeviceWork {
    DeviceWork { pixels, cells }
}

impl DeviceWork {
    /// The row of a kind of adapters; `None` for those that never do the work.
    pub fn of(kind: AdapterKind) -> Option<Self> {
        TABLE.iter().find(|(k, _)| *k == kind).map(|(_, row)| *row)
    }
}

impl Worker {
    /// Who is faster, by the table.
    pub fn faster(kind: AdapterKind, pixels: u64, cells: u64) -> Self {
        match DeviceWork::of(kind) {
            Some(row) if pixels >= row.pixels || cells >= row.cells => Worker::Device,
            _ => Worker::Cpu,
        }
    }

    /// `device` or `cpu`.
    pub fn word(self) -> &'static str {
        match self {
            Worker::Device => "device",
            Worker::Cpu => "cpu",
        }
    }
}

#[cfg(test)]
mod work_tests {
    use super::*;

    const KINDS: [AdapterKind; 5] = [
        AdapterKind::Discrete,
        AdapterKind::Integrated,
        AdapterKind::Virtual,
        AdapterKind::Other,
        AdapterKind::Software,
    ];

    #[test]
    fn a_software_adapter_leaves_the_work_to_the_cpu_at_every_size() {
        for size in [0, 1, 1 << 20, 1 << 40, u64::MAX] {
            assert_eq!(Worker::faster(AdapterKind::Software, size, size), Worker::Cpu);
        }
        assert_eq!(DeviceWork::of(AdapterKind::Software), None);
    }

    #[test]
    fn hardware_takes_over_at_pixels_or_cells_and_never_gives_back() {
        for kind in KINDS.into_iter().filter(|k| *k != AdapterKind::Software) {
            let row = DeviceWork::of(kind).unwrap();
            assert_eq!(Worker::faster(kind, row.pixels - 1, row.cells - 1), Worker::Cpu);
            for (pixels, cells) in [(row.pixels, 0), (0, row.cells), (u64::MAX, u64::MAX)] {
                assert_eq!(Worker::faster(kind, pixels, cells), Worker::Device, "{kind:?}");
            }
        }
    }

    /// A window of any usual size is the device's, and the swatches of a small figure are not.
    #[test]
    fn usual_windows_belong_to_hardware() {
        for kind in KINDS {
            let of = |w: u64, h: u64, cells| Worker::faster(kind, w * h, cells);
            let hardware = kind != AdapterKind::Software;
            assert_eq!(of(1280, 800, 100) == Worker::Device, hardware);
            assert_eq!(of(200, 100, 1 << 30) == Worker::Device, hardware);
            assert_eq!(of(200, 100, 100), Worker::Cpu);
        }
    }
}

#[cfg(test)]
mod tests;

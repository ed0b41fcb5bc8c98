//! Bodies that the CPU paints: a software device runs its shaders on the same cores, only slower.

use super::context::Context;
use super::error::GpuError;
use crate::grid::{Grid, Summaries};
use crate::image::Image;
use crate::raster::body as paint;
use crate::scale::ColorScale;
use crate::scene::Cells;
use crate::view::EdgeTable;
use std::sync::Arc;

/// The painted bodies of the last picture.
#[derive(Default)]
pub(super) struct PaintedBodies(Vec<PaintedBody>);

/// A body's colours in the target's order of bytes.
struct PaintedBody {
    image: Image,
    /// What they were painted from; `None`: they must be painted again.
    of: Option<Key>,
    at: [u32; 2],
}

/// What a body's colours depend on. It owns the scale, so that no other scale can take its address.
struct Key {
    /// Index of the grid, and the address of its cells.
    cells: (usize, usize),
    columns: EdgeTable,
    rows: EdgeTable,
    scale: Arc<ColorScale>,
    looks: (crate::figure::Reduce, u64, [u8; 4], u32),
    /// Those of a coarser level may be replaced by exact ones.
    summaries: Option<Arc<Summaries>>,
}

impl Key {
    /// `None` for cells in a file, which are always painted again.
    fn of(c: &Cells, grid: &Grid) -> Option<Self> {
        let cells = (
            c.grid,
            if grid.is_loaded() {
                grid.cells().as_ptr().addr()
            } else {
                return None;
            },
        );
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

    fn is(&self, other: &Key) -> bool {
        let folds = match (&self.summaries, &other.summaries) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        folds
            && (self.cells, self.looks) == (other.cells, other.looks)
            && Arc::ptr_eq(&self.scale, &other.scale)
            && (&self.columns, &self.rows) == (&other.columns, &other.rows)
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
            let grid = grids
                .get(c.grid)
                .ok_or_else(|| GpuError::Misuse(format!("there is no grid {}", c.grid)))?;
            let (w, h) = (c.body.w, c.body.h);
            if self
                .0
                .get(i)
                .is_none_or(|b| (b.image.width, b.image.height) != (w, h))
            {
                let image = Image {
                    width: w,
                    height: h,
                    pixels: vec![0; w as usize * h as usize * 4],
                };
                self.0.truncate(i);
                self.0.push(PaintedBody {
                    image,
                    of: None,
                    at: [0, 0],
                });
            }
            let (body, key) = (&mut self.0[i], Key::of(c, grid));
            body.at = [c.body.x.max(0) as u32, c.body.y.max(0) as u32];
            if body.of.as_ref().zip(key.as_ref()).is_some_and(|(a, b)| a.is(b)) {
                continue;
            }
            paint(&mut body.image, c, grid);
            if swapped(format) == Some(true) {
                body.image.pixels.chunks_exact_mut(4).for_each(|p| p.swap(0, 2));
            }
            body.of = key;
        }
        Ok(())
    }

    /// Copies them to a picture.
    pub(super) fn copy(&self, context: &Context, target: &wgpu::Texture) {
        for b in &self.0 {
            let (w, h) = (b.image.width, b.image.height);
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(w * 4),
                rows_per_image: None,
            };
            let mut to = target.as_image_copy();
            to.origin = wgpu::Origin3d {
                x: b.at[0],
                y: b.at[1],
                z: 0,
            };
            let size = wgpu::Extent3d {
                width: w,
                height: h,
                depth_or_array_layers: 1,
            };
            context.queue().write_texture(to, &b.image.pixels, layout, size);
        }
    }

    /// Forgets all bodies: other grids may have taken the addresses of those of the last picture.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }
}

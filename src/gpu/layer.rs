//! Layers: rectangles of cells or Summaries in the device's buffers.

use super::bands::{Packer, Placement};
use super::context::Context;
use super::error::GpuError;
use super::fault::Moment;
use super::pipeline::group;
use std::borrow::Cow;
use std::ops::Range;

/// Bytes of a band by default: every device can bind this much.
pub(super) const BAND_BYTES: u64 = 128 << 20;

/// Bytes of a Summary on the device.
pub(super) const SUMMARY_BYTES: u64 = size_of::<super::wire::Summed>() as u64;

/// A rectangle of elements on the device; layers may share buffers.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub placement: Placement,
    pub buffers: Vec<wgpu::Buffer>,
    /// The bind group of each buffer.
    pub groups: Vec<wgpu::BindGroup>,
}

/// Rows of stored bits in memory, to be uploaded.
pub(super) struct Source<'a> {
    pub cells: Cow<'a, [u32]>,
    /// Cells per row.
    pub width: u32,
    /// The rows of its grid.
    pub rows: Range<u32>,
}

/// The most elements of `element` bytes in one buffer.
pub(super) fn most_elements(context: &Context, band_bytes: u64, element: u64) -> u64 {
    let limits = context.device().limits();
    let most = band_bytes.min(limits.max_storage_buffer_binding_size).min(limits.max_buffer_size);
    (most / element).max(1)
}

impl Layer {
    /// A rectangle of cells of so many bytes, to be sent.
    pub(super) fn cells(
        context: &Context,
        layout: &wgpu::BindGroupLayout,
        size: [u32; 2],
        (band_bytes, bytes): (u64, u64),
    ) -> Self {
        let mut packer = Packer::new(most_elements(context, band_bytes, bytes));
        let placement = packer.place(size[0], 0..size[1]);
        let buffers = cell_buffers(context, &packer, bytes);
        let groups = groups(context, layout, &buffers);
        Self { placement, buffers, groups }
    }

    /// A rectangle of empty Summaries.
    pub(super) fn summaries(
        context: &Context,
        layout: &wgpu::BindGroupLayout,
        size: [u32; 2],
        band_bytes: u64,
    ) -> Self {
        let mut packer = Packer::new(most_elements(context, band_bytes, SUMMARY_BYTES));
        let placement = packer.place(size[0], 0..size[1]);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let buffers: Vec<_> = packer.sizes.iter().map(|n| empty(context, n * SUMMARY_BYTES, usage)).collect();
        let groups = groups(context, layout, &buffers);
        Self { placement, buffers, groups }
    }

    /// Width and height.
    pub(super) fn size(&self) -> [u32; 2] {
        [&self.placement.columns, &self.placement.rows].map(|runs| runs.last().map_or(0, |r| r.end))
    }

    /// Uploads sources that are in memory; the layers share buffers.
    pub(super) fn upload(
        context: &Context,
        layout: &wgpu::BindGroupLayout,
        sources: &[Source<'_>],
        band_bytes: u64,
    ) -> Result<Vec<Self>, GpuError> {
        let mut packer = Packer::new(most_elements(context, band_bytes, 4));
        let placements: Vec<Placement> =
            sources.iter().map(|s| packer.place(s.width, s.rows.clone())).collect();
        let mut buffers = Vec::with_capacity(packer.sizes.len());
        for (i, size) in packer.sizes.iter().enumerate() {
            let buffer = context.buffer(&wgpu::BufferDescriptor {
                label: Some("cells"),
                size: size * 4,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: true,
            });
            context.at(Moment::Upload);
            let mut mapped =
                buffer.get_mapped_range_mut(..).map_err(|e| GpuError::OutOfMemory(e.to_string()))?;
            for (source, placement) in sources.iter().zip(&placements) {
                for b in placement.bands().filter(|b| b.buffer == i) {
                    // A band is contiguous in its source too: whole rows, or a part of one.
                    let first = (b.rows.start - source.rows.start) as usize * source.width as usize
                        + b.columns.start as usize;
                    let cells = &source.cells[first..first + b.len() as usize];
                    let at = b.start as usize * 4;
                    mapped.slice(at..at + cells.len() * 4).copy_from_slice(bytemuck::cast_slice(cells));
                }
            }
            drop(mapped);
            buffer.unmap();
            buffers.push(buffer);
        }
        let groups = groups(context, layout, &buffers);
        Ok(placements
            .into_iter()
            .map(|placement| Self { placement, buffers: buffers.clone(), groups: groups.clone() })
            .collect())
    }
}

/// Empty buffers for cells of so many bytes, to be sent.
pub(super) fn cell_buffers(context: &Context, packer: &Packer, bytes: u64) -> Vec<wgpu::Buffer> {
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    packer.sizes.iter().map(|n| empty(context, n * bytes, usage)).collect()
}

/// A buffer of zeros.
pub(super) fn empty(context: &Context, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    context.buffer(&wgpu::BufferDescriptor {
        label: Some("elements"),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// A group for each buffer.
pub(super) fn groups(
    context: &Context,
    layout: &wgpu::BindGroupLayout,
    buffers: &[wgpu::Buffer],
) -> Vec<wgpu::BindGroup> {
    buffers.iter().map(|b| group(context, layout, &[b], None, None)).collect()
}

//! Cells in buffers of the device, as bands of whole rows.

use super::context::Context;
use super::error::GpuError;
use super::pipeline::group;
use std::borrow::Cow;
use std::ops::Range;

/// Bytes of a band unless told otherwise: what every device can bind.
pub const BAND_BYTES: u64 = 128 << 20;

/// How cells lie on the device: the layout of a band, its size, and the grids that stay there.
#[derive(Clone, Copy)]
pub(super) struct Bands<'a> {
    pub layout: &'a wgpu::BindGroupLayout,
    pub bytes: u64,
    pub held: Option<&'a Resident>,
}

/// Rows of stored bits.
pub(super) struct Source<'a> {
    pub cells: Cow<'a, [u32]>,
    /// Cells a row.
    pub width: u32,
    /// Which row of its grid the first one is.
    pub first_row: u32,
}

/// Where some rows of a source lie.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Band {
    /// Index of the buffer.
    pub buffer: usize,
    /// Where in it the first cell stands.
    pub start: u32,
    /// The rows.
    pub rows: Range<u32>,
}

/// Sources on the device.
#[derive(Debug)]
pub(super) struct Resident {
    groups: Vec<wgpu::BindGroup>,
    bands: Vec<Vec<Band>>,
}

impl Resident {
    /// Uploads sources in bands of at most `band_bytes`, or of one row where a row is longer.
    pub fn upload(context: &Context, layout: &wgpu::BindGroupLayout, sources: &[Source<'_>], band_bytes: u64) -> Result<Self, GpuError> {
        let limits = context.device().limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let (bands, sizes) = pack(sources, band_bytes.min(limit) / 4);
        if let Some(most) = sizes.iter().max() {
            Context::within("bytes of cells in one row", most * 4, limit)?;
        }
        let mut groups = Vec::with_capacity(sizes.len());
        for (i, size) in sizes.iter().enumerate() {
            let buffer = context.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("cells"),
                size: size * 4,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: true,
            });
            let mut mapped = buffer.get_mapped_range_mut(..).map_err(|e| GpuError::OutOfMemory(e.to_string()))?;
            for (source, bands) in sources.iter().zip(&bands) {
                let width = source.width as usize;
                for b in bands.iter().filter(|b| b.buffer == i) {
                    let first = (b.rows.start - source.first_row) as usize * width;
                    let cells = &source.cells[first..first + b.rows.len() * width];
                    let at = b.start as usize * 4;
                    mapped.slice(at..at + cells.len() * 4).copy_from_slice(bytemuck::cast_slice(cells));
                }
            }
            drop(mapped);
            buffer.unmap();
            groups.push(group(context, layout, &[&buffer], None, None));
        }
        Ok(Self { groups, bands })
    }

    /// The bands of a source.
    pub fn bands(&self, source: usize) -> &[Band] {
        &self.bands[source]
    }

    /// What a shader reads a buffer's cells by.
    pub fn group(&self, buffer: usize) -> &wgpu::BindGroup {
        &self.groups[buffer]
    }
}

/// The bands of each source, and the cells in each buffer.
fn pack(sources: &[Source<'_>], most: u64) -> (Vec<Vec<Band>>, Vec<u64>) {
    let mut sizes: Vec<u64> = Vec::new();
    let mut all = Vec::with_capacity(sources.len());
    for source in sources {
        let width = u64::from(source.width);
        let end = source.first_row + (source.cells.len() as u64 / width) as u32;
        let mut row = source.first_row;
        let mut bands = Vec::new();
        while row < end {
            let room = sizes.last().map_or(0, |used| most.saturating_sub(*used) / width);
            if room == 0 {
                sizes.push(0);
            }
            let buffer = sizes.len() - 1;
            let rows = (most.saturating_sub(sizes[buffer]) / width).clamp(1, u64::from(end - row));
            bands.push(Band { buffer, start: sizes[buffer] as u32, rows: row..row + rows as u32 });
            sizes[buffer] += rows * width;
            row += rows as u32;
        }
        all.push(bands);
    }
    (all, sizes)
}

/// For each run of pixel rows in one band: the band, and the pixels. Gaps belong to the run around them.
pub(super) fn runs(rows: &[u32], gap: u32, bands: &[Band]) -> Vec<(usize, Range<u32>)> {
    let mut out: Vec<(usize, Range<u32>)> = Vec::new();
    let mut leading = true;
    for (y, row) in (0u32..).zip(rows) {
        let band = if *row == gap { None } else { Some(bands.partition_point(|b| b.rows.end <= *row)) };
        match (out.last_mut(), band) {
            (None, _) => out.push((band.unwrap_or(0), y..y + 1)),
            (Some(run), None) => run.1.end = y + 1,
            (Some(run), Some(b)) if run.0 == b || leading => (run.0, run.1.end) = (b, y + 1),
            (Some(_), Some(b)) => out.push((b, y..y + 1)),
        }
        leading &= band.is_none();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(cells: u32, width: u32, first_row: u32) -> Source<'static> {
        Source { cells: vec![0; cells as usize].into(), width, first_row }
    }

    #[test]
    fn bands_hold_whole_rows_and_share_buffers() {
        let (bands, sizes) = pack(&[source(30, 10, 5), source(8, 4, 0), source(100, 100, 0), source(1, 1, 0)], 64);
        assert_eq!(bands[0], [Band { buffer: 0, start: 0, rows: 5..8 }]);
        assert_eq!(bands[1], [Band { buffer: 0, start: 30, rows: 0..2 }]);
        assert_eq!(bands[2], [Band { buffer: 1, start: 0, rows: 0..1 }]);
        assert_eq!(bands[3], [Band { buffer: 2, start: 0, rows: 0..1 }]);
        assert_eq!(sizes, [38, 100, 1]);
        let (bands, sizes) = pack(&[source(200, 20, 0)], 64);
        assert_eq!((bands[0].len(), sizes), (4, vec![60, 60, 60, 20]));
    }

    #[test]
    fn runs_follow_the_bands_either_way() {
        let bands = pack(&[source(40, 10, 0)], 20).0.remove(0);
        assert_eq!(runs(&[9, 9, 0, 1, 9, 1, 2, 3, 9], 9, &bands), [(0, 0..6), (1, 6..9)]);
        assert_eq!(runs(&[3, 2, 9, 1], 9, &bands), [(1, 0..3), (0, 3..4)]);
        assert_eq!(runs(&[9, 9, 3], 9, &bands), [(1, 0..3)]);
        assert_eq!(runs(&[9, 9], 9, &bands), [(0, 0..2)]);
    }
}

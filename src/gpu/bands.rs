//! Bands: the division of a rectangle of elements (cells or Summaries) among buffers that an adapter can hold.

use super::context::Context;
use super::error::{GpuError, Moment};
use super::pipeline::group;
use std::borrow::Cow;
use std::ops::Range;

/// A run of whole rows in one buffer, or a run of columns of one row where a row exceeds a buffer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Band {
    /// Index of the buffer.
    pub buffer: usize,
    /// Index of the first element in it.
    pub start: u32,
    pub rows: Range<u32>,
    pub columns: Range<u32>,
}

impl Band {
    pub(super) fn len(&self) -> u64 {
        self.rows.len() as u64 * self.columns.len() as u64
    }

    /// Elements per row.
    pub(super) fn stride(&self) -> u32 {
        self.columns.len() as u32
    }

    /// Element (x, y) of the rectangle is at `base + y * stride + x`, in wrapping arithmetic.
    pub(super) fn base(&self) -> u32 {
        self.start.wrapping_sub(self.rows.start.wrapping_mul(self.stride())).wrapping_sub(self.columns.start)
    }
}

/// The bands of a rectangle: one for every pair of a run of rows and a run of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Placement {
    pub rows: Vec<Range<u32>>,
    pub columns: Vec<Range<u32>>,
    /// Buffer and start of each band, row after row.
    places: Vec<(usize, u32)>,
}

impl Placement {
    /// The band of a run of rows and a run of columns.
    pub(super) fn band(&self, row: usize, column: usize) -> Band {
        let (buffer, start) = self.places[row * self.columns.len() + column];
        Band { buffer, start, rows: self.rows[row].clone(), columns: self.columns[column].clone() }
    }

    /// All bands, row after row.
    pub(super) fn bands(&self) -> impl Iterator<Item = Band> {
        (0..self.rows.len()).flat_map(move |r| (0..self.columns.len()).map(move |c| self.band(r, c)))
    }
}

/// Packs rectangles into buffers of at most `most` elements.
pub(super) struct Packer {
    most: u64,
    /// Elements in each buffer.
    pub sizes: Vec<u64>,
}

impl Packer {
    pub(super) fn new(most: u64) -> Self {
        Self { most: most.max(1), sizes: Vec::new() }
    }

    /// Places rows of `width` elements; small rectangles share buffers.
    pub(super) fn place(&mut self, width: u32, rows: Range<u32>) -> Placement {
        let mut out = Placement { columns: parts(0..width, self.most).collect(), ..Placement::default() };
        let whole = out.columns.len() == 1;
        let mut row = rows.start;
        while row < rows.end {
            let room = self.sizes.last().map_or(0, |used| (self.most - used) / u64::from(width));
            let room = if room == 0 { self.most / u64::from(width) } else { room };
            let run = row..row + if whole { room.min(u64::from(rows.end - row)) as u32 } else { 1 };
            for c in &out.columns {
                out.places.push(self.take(run.len() as u64 * c.len() as u64));
            }
            row = run.end;
            out.rows.push(run);
        }
        out
    }

    fn take(&mut self, n: u64) -> (usize, u32) {
        if self.sizes.last().is_none_or(|used| used + n > self.most) {
            self.sizes.push(0);
        }
        let buffer = self.sizes.len() - 1;
        let start = self.sizes[buffer];
        self.sizes[buffer] += n;
        (buffer, start as u32)
    }
}

/// A range in parts of at most `most` elements.
pub(super) fn parts(range: Range<u32>, most: u64) -> impl Iterator<Item = Range<u32>> {
    let step = most.clamp(1, u64::from(u32::MAX)) as u32;
    range.clone().step_by(step as usize).map(move |at| at..at.saturating_add(step).min(range.end))
}

/// A window in pieces of at most `most` elements: whole rows, or parts of one row.
pub(super) fn pieces(
    rows: Range<u32>,
    columns: Range<u32>,
    most: u64,
) -> impl Iterator<Item = (Range<u32>, Range<u32>)> {
    let width = columns.len().max(1) as u64;
    let height = (most / width).max(1);
    parts(rows, height).flat_map(move |r| parts(columns.clone(), most.max(1)).map(move |c| (r.clone(), c)))
}

/// The runs of pixels whose cells are in the same one of `ranges`: its index, and the pixels. Gaps belong to
/// the run around them.
pub(super) fn runs(cells: &[u32], gap: u32, ranges: &[Range<u32>]) -> Vec<(usize, Range<u32>)> {
    let mut out: Vec<(usize, Range<u32>)> = Vec::new();
    let mut leading = true;
    for (pixel, cell) in (0u32..).zip(cells) {
        let found = if *cell == gap { None } else { Some(ranges.partition_point(|r| r.end <= *cell)) };
        match (out.last_mut(), found) {
            (None, _) => out.push((found.unwrap_or(0), pixel..pixel + 1)),
            (Some(run), None) => run.1.end = pixel + 1,
            (Some(run), Some(i)) if run.0 == i || leading => (run.0, run.1.end) = (i, pixel + 1),
            (Some(_), Some(i)) => out.push((i, pixel..pixel + 1)),
        }
        leading &= found.is_none();
    }
    out
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn band(buffer: usize, start: u32, rows: Range<u32>, columns: Range<u32>) -> Band {
        Band { buffer, start, rows, columns }
    }

    #[test]
    fn small_rectangles_share_buffers() {
        let mut p = Packer::new(64);
        assert_eq!(p.place(10, 5..8).bands().collect::<Vec<_>>(), [band(0, 0, 5..8, 0..10)]);
        assert_eq!(p.place(4, 0..2).bands().collect::<Vec<_>>(), [band(0, 30, 0..2, 0..4)]);
        assert_eq!(
            p.place(20, 0..4).bands().collect::<Vec<_>>(),
            [band(0, 38, 0..1, 0..20), band(1, 0, 1..4, 0..20)]
        );
        assert_eq!(p.sizes, [58, 60]);
        let mut p = Packer::new(64);
        assert_eq!((p.place(20, 0..10).rows.len(), p.sizes), (4, vec![60, 60, 60, 20]));
    }

    #[test]
    fn a_row_beyond_a_buffer_is_several_bands() {
        let mut p = Packer::new(64);
        let bands: Vec<Band> = p.place(150, 3..5).bands().collect();
        assert_eq!(
            bands[..3],
            [band(0, 0, 3..4, 0..64), band(1, 0, 3..4, 64..128), band(2, 0, 3..4, 128..150)]
        );
        assert_eq!(
            (bands.len(), &bands[5], p.sizes),
            (6, &band(5, 0, 4..5, 128..150), vec![64, 64, 22, 64, 64, 22])
        );
    }

    #[test]
    fn every_element_has_a_place_of_its_own() {
        for (width, rows, most) in
            [(7u32, 0..9u32, 20u64), (30, 2..5, 8), (1, 0..100, 64), (64, 0..3, 64), (65, 1..3, 64)]
        {
            let mut p = Packer::new(most);
            let placement = p.place(width, rows.clone());
            let mut seen = std::collections::HashSet::new();
            for b in placement.bands() {
                assert!(u64::from(b.start) + b.len() <= p.sizes[b.buffer] && p.sizes[b.buffer] <= most);
                for (x, y) in b.rows.clone().flat_map(|y| b.columns.clone().map(move |x| (x, y))) {
                    let at = b.base().wrapping_add(y.wrapping_mul(b.stride())).wrapping_add(x);
                    assert!(seen.insert((b.buffer, at)), "{x} {y}");
                }
            }
            assert_eq!(seen.len(), width as usize * rows.len());
        }
    }

    #[test]
    fn pieces_are_whole_rows_or_parts_of_one() {
        assert_eq!(
            pieces(2..7, 0..10, 25).collect::<Vec<_>>(),
            [(2..4, 0..10), (4..6, 0..10), (6..7, 0..10)]
        );
        assert_eq!(
            pieces(2..4, 5..10, 3).collect::<Vec<_>>(),
            [(2..3, 5..8), (2..3, 8..10), (3..4, 5..8), (3..4, 8..10)]
        );
    }

    #[test]
    fn runs_follow_the_bands_either_way() {
        let ranges = [0..2, 2..4];
        assert_eq!(runs(&[9, 9, 0, 1, 9, 1, 2, 3, 9], 9, &ranges), [(0, 0..6), (1, 6..9)]);
        assert_eq!(runs(&[3, 2, 9, 1], 9, &ranges), [(1, 0..3), (0, 3..4)]);
        assert_eq!(runs(&[9, 9, 3], 9, &ranges), [(1, 0..3)]);
        assert_eq!(runs(&[9, 9], 9, &ranges), [(0, 0..2)]);
    }
}

//! Cells on their way to the device: read and checked on all cores, and compared with the cells that arrived.

use super::bands::{Layer, parts, pieces};
use super::context::Context;
use super::error::{GpuError, Moment};
use super::folder::Sent;
use super::pipeline::{Binding, Program, Records, buffer, group, layout};
use super::submission::Pace;
use super::target::Staging;
use super::wire::{CHECK_WGSL, Check, CheckSum, Encoding};
use gridscope_core::grid::{Grid, SourceError, cores};
use gridscope_core::workers::share;
use std::ops::Range;

/// Words that are read and sent at once: 4 MiB.
const PIECE_WORDS: u64 = 1 << 20;

/// The most pieces that are read at once. Those of two batches are staged at the same time, and where the device's memory is seen
/// through a window of 256 MiB they have to fit into it.
const MOST_PIECES: usize = 6;

/// A run of cells of one band, and where it goes.
struct Piece {
    rows: Range<u32>,
    columns: Range<u32>,
    staging: wgpu::QueueWriteBufferView,
    sent: Result<Sent, SourceError>,
}

impl Piece {
    /// Reads the cells to where the device copies them from.
    fn fill(&mut self, grid: &Grid, encoding: Encoding) {
        let window = |r: &Range<u32>| r.start as usize..r.end as usize;
        let read = encoding.read(grid, window(&self.rows), window(&self.columns));
        self.sent = read.map(|(words, held)| {
            self.staging.copy_from_slice(bytemuck::cast_slice(&words));
            let mut sent = Sent { held, ..Sent::default() };
            sent.add(&words);
            sent
        });
    }
}

/// Sends all cells of a grid to a layer, and returns what each band must contain afterwards. `progress` is called with the
/// number of cells sent so far.
///
/// # Errors
/// When a source does not give its cells, or the device fails.
pub(super) fn send(
    context: &Context,
    layer: &Layer,
    grid: &Grid,
    encoding: Encoding,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Sent>, GpuError> {
    let (mut out, mut done) = (Vec::new(), 0);
    let readers = cores().min(MOST_PIECES);
    for band in layer.placement.bands() {
        let mut sent = Sent::default();
        let mut at = u64::from(band.start) * encoding.bytes();
        let mut list = pieces(band.rows.clone(), band.columns.clone(), PIECE_WORDS / encoding.words());
        loop {
            let mut batch = Vec::with_capacity(readers);
            for (rows, columns) in list.by_ref().take(readers) {
                let size = rows.len() as u64 * columns.len() as u64 * encoding.bytes();
                context.at(Moment::Upload);
                let buffer = &layer.buffers[band.buffer];
                let staging = std::num::NonZeroU64::new(size)
                    .and_then(|size| context.queue().write_buffer_with(buffer, at, size))
                    .ok_or_else(|| GpuError::Lost("while cells were sent".to_owned()))?;
                at += size;
                batch.push(Piece { rows, columns, staging, sent: Ok(Sent::default()) });
            }
            if batch.is_empty() {
                break;
            }
            share(readers, batch.iter_mut(), |piece| piece.fill(grid, encoding));
            // One batch is on its way while the next one is read, never more.
            context.wait()?;
            let mut counts = Vec::with_capacity(batch.len());
            for piece in batch {
                sent.merge(&piece.sent.map_err(GpuError::Source)?);
                counts.push(piece.rows.len() as u64 * piece.columns.len() as u64);
            }
            context.queue().submit([]);
            for count in counts {
                done += count;
                progress(done);
            }
        }
        out.push(sent);
    }
    Ok(out)
}

/// The most cells checked by one dispatch, and by the first submission.
const PART: u64 = 4 << 20;

/// The most workgroups of a dispatch; each takes several runs of 64 cells.
const MOST_GROUPS: u32 = 1024;

/// The pipeline that checks cells.
pub(super) struct Checker {
    records: wgpu::BindGroupLayout,
    results: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
    pace: Pace,
}

impl Checker {
    pub(super) fn new(context: &Context, bands: &wgpu::BindGroupLayout) -> Self {
        let records = layout(context, "checks", &[Binding::Record(size_of::<Check>() as u64)]);
        let results = layout(context, "found", &[Binding::Target]);
        let program = Program::new(context, "check", CHECK_WGSL, &[&records, bands, &results]);
        Self {
            records,
            results,
            pipeline: program.compute(context, "inspect", &[]),
            pace: Pace::of_cells(PART),
        }
    }

    /// Compares each band of a layer of cells of `words` words with what was sent; `name`: the grid's.
    pub(super) fn compare(
        &self,
        context: &Context,
        (layer, words): (&Layer, u32),
        sent: &[Sent],
        name: &str,
    ) -> Result<(), GpuError> {
        let (mut records, mut calls) = (Records::of::<Check>(context), Vec::new());
        for (result, band) in (0u32..).zip(layer.placement.bands()) {
            let end = band.start + band.len() as u32;
            for part in parts(band.start * words..end * words, PART) {
                let check = Check { first: part.start, count: part.len() as u32, result, pad: 0 };
                calls.push((records.push(&check), band.buffer, check.count));
            }
        }
        let records = buffer(context, "checks", &records.bytes, wgpu::BufferUsages::UNIFORM);
        let records = group(context, &self.records, &[&records], Some((0, size_of::<Check>() as u64)), None);
        let results = vec![CheckSum::default(); sent.len()];
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let found = buffer(context, "found", bytemuck::cast_slice(&results), usage);
        let results = group(context, &self.results, &[&found], None, None);
        let mut at = 0;
        while at < calls.len() {
            let mut encoder = context.encoder("check");
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(2, &results, &[]);
            let (first, mut cost) = (at, 0);
            while let Some((record, band, cells)) =
                calls.get(at).filter(|c| at == first || cost + u64::from(c.2) <= self.pace.budget())
            {
                pass.set_bind_group(0, &records, &[*record]);
                pass.set_bind_group(1, &layer.groups[*band], &[]);
                pass.dispatch_workgroups(cells.div_ceil(64).min(MOST_GROUPS), 1, 1);
                (cost, at) = (cost + u64::from(*cells), at + 1);
            }
            drop(pass);
            let start = context.submit(Moment::Check, encoder)?;
            if at < calls.len() {
                self.pace.observe(cost, context.done(start)?);
            }
        }
        let size = size_of_val(sent) as u64 / size_of::<Sent>() as u64 * size_of::<CheckSum>() as u64;
        let mut bytes: Vec<u8> = Vec::with_capacity(size as usize);
        Staging::new(context, size).read(context, &found, 0, size, |piece| bytes.extend_from_slice(piece))?;
        for ((i, sent), found) in sent
            .iter()
            .enumerate()
            .zip(bytes.chunks_exact(size_of::<CheckSum>()).map(bytemuck::pod_read_unaligned))
        {
            same(name, i, &sent.found, &found)?;
        }
        Ok(())
    }
}

/// An error if a band differs from what was sent.
fn same(name: &str, band: usize, sent: &CheckSum, found: &CheckSum) -> Result<(), GpuError> {
    if sent == found {
        return Ok(());
    }
    let text = |f: &CheckSum| format!("min {:e}, max {:e}, sum of bits {:08x}", f.min(), f.max(), f.sum);
    let what = format!(
        "band {band} of grid '{name}' was corrupted during the upload: sent {}; found {}",
        text(sent),
        text(found)
    );
    Err(GpuError::Device(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named_with_its_numbers() {
        let of = |values: &[f32]| {
            let mut sent = Sent::default();
            sent.add(&values.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
            sent.found
        };
        assert_eq!(same("a", 0, &of(&[1.0, -2.5]), &of(&[-2.5, 1.0])), Ok(()));
        // Zeros amid the values leave the extremes, but not the bits.
        let Err(GpuError::Device(text)) = same("b", 7, &of(&[1.0, -2.5, 0.5]), &of(&[1.0, -2.5, 0.0])) else {
            panic!("taken for the same")
        };
        assert!(text.contains("band 7 of grid 'b'") && text.contains("min -2.5e0, max 1e0"), "{text}");
        assert!(same("c", 0, &of(&[1.0]), &of(&[])).is_err());
    }
}

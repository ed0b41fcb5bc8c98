//! Cells on their way to the device: read and checked on all cores, straight into the memory that the device copies from.

use super::bands::pieces;
use super::context::Context;
use super::device_summary::Sent;
use super::encoding::Encoding;
use super::error::GpuError;
use super::fault::Moment;
use super::layer::Layer;
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
    (grid, encoding): (&Grid, Encoding),
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

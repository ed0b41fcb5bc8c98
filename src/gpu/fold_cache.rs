//! Folds of bodies: cached between pictures while neither edge tables nor grid change, or read back beside the frames.

use super::bands::{Layer, SUMMARY_BYTES};
use super::context::Context;
use super::error::{GpuError, Moment};
use super::folder::Folder;
use super::resident_grid::ResidentGrid;
use super::submission::Stopwatch;
use super::target::{PIECE_BYTES, Staging};
use super::wire::Summed;
use gridscope_core::grid::Summary;
use gridscope_core::view::EdgeTable;
use gridscope_draw::scene::{Cells, Item};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// Inputs of a fold besides grid and tables.
pub(super) struct Folding<'a> {
    pub context: &'a Context,
    pub folder: &'a Folder,
    pub layout: &'a wgpu::BindGroupLayout,
    pub band_bytes: u64,
    pub watch: Option<&'a mut Stopwatch>,
}

/// The Summaries of one body.
struct CachedFold {
    grid: usize,
    columns: EdgeTable,
    rows: EdgeTable,
    layer: Layer,
    /// The picture being drawn shows it.
    shown: bool,
}

/// The folds of the last picture.
#[derive(Default)]
pub(super) struct FoldCache(Vec<CachedFold>);

impl FoldCache {
    /// Folds all bodies that the device has to fold, except those whose fold is cached.
    pub(super) fn update(
        &mut self,
        mut with: Folding<'_>,
        bodies: &[&Item],
        resident: &[Option<ResidentGrid>],
    ) -> Result<(), GpuError> {
        self.0.iter_mut().for_each(|k| k.shown = false);
        let mut missing: Vec<&Cells> = Vec::new();
        for item in bodies {
            let Item::Cells(c) = item else { continue };
            let on_device =
                |i: usize| resident.get(i).and_then(Option::as_ref).is_some_and(ResidentGrid::folds);
            if !c.unfolded() || !on_device(c.grid) {
                continue;
            }
            match self.0.iter_mut().find(|k| k.is_of(c)) {
                Some(cached) => cached.shown = true,
                None if missing
                    .iter()
                    .any(|m| m.grid == c.grid && m.columns == c.columns && m.rows == c.rows) => {}
                None => missing.push(c),
            }
        }
        let (shown, spare): (Vec<CachedFold>, Vec<CachedFold>) =
            std::mem::take(&mut self.0).into_iter().partition(|k| k.shown);
        self.0 = shown;
        let mut spare: Vec<Layer> = spare.into_iter().map(|k| k.layer).collect();
        for c in missing {
            let size = [c.columns.pixels(), c.rows.pixels()];
            let layer = match spare.iter().position(|l| l.size() == size) {
                Some(i) => cleared(with.context, spare.swap_remove(i))?,
                None => Layer::summaries(with.context, with.layout, size, with.band_bytes),
            };
            let Some(grid) = &resident[c.grid] else { continue };
            grid.fold(with.context, with.folder, &c.columns, &c.rows, &layer, with.watch.as_deref_mut())?;
            self.0.push(CachedFold {
                grid: c.grid,
                columns: c.columns.clone(),
                rows: c.rows.clone(),
                layer,
                shown: true,
            });
        }
        Ok(())
    }

    /// Folds what the next picture shows of a grid, unless that is cached.
    pub(super) fn fold_ahead(
        &mut self,
        with: Folding<'_>,
        index: usize,
        grid: &ResidentGrid,
        columns: &EdgeTable,
        rows: &EdgeTable,
    ) -> Result<(), GpuError> {
        if self.find(index, columns, rows).is_some() {
            return Ok(());
        }
        let layer =
            Layer::summaries(with.context, with.layout, [columns.pixels(), rows.pixels()], with.band_bytes);
        grid.fold(with.context, with.folder, columns, rows, &layer, with.watch)?;
        self.0.retain(|k| k.shown || k.grid != index);
        self.0.push(CachedFold {
            grid: index,
            columns: columns.clone(),
            rows: rows.clone(),
            layer,
            shown: false,
        });
        Ok(())
    }

    /// Lets no body find its fold again; the buffers are used for those of the next picture.
    pub(super) fn expire(&mut self) {
        self.0.iter_mut().for_each(|k| k.grid = usize::MAX);
    }

    /// The Summaries of a body.
    pub(super) fn of(&self, cells: &Cells) -> Option<&Layer> {
        self.find(cells.grid, &cells.columns, &cells.rows)
    }

    /// The Summaries of a grid under the pixels of two tables.
    pub(super) fn find(&self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Option<&Layer> {
        let is = |k: &&CachedFold| k.is(grid, columns, rows);
        self.0.iter().find(is).map(|k| &k.layer)
    }
}

impl CachedFold {
    fn is_of(&self, c: &Cells) -> bool {
        self.is(c.grid, &c.columns, &c.rows)
    }

    fn is(&self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> bool {
        self.grid == grid && self.columns == *columns && self.rows == *rows
    }
}

fn cleared(context: &Context, layer: Layer) -> Result<Layer, GpuError> {
    let mut encoder = context.encoder("clear");
    layer.buffers.iter().for_each(|b| encoder.clear_buffer(b, 0, None));
    context.submit(Moment::Fold, encoder)?;
    Ok(layer)
}

/// Folds, unless that is cached, and reads the Summaries of all pixels back, row after row.
pub(super) fn fold(
    with: Folding<'_>,
    cache: &FoldCache,
    index: usize,
    grid: &ResidentGrid,
    columns: &EdgeTable,
    rows: &EdgeTable,
) -> Result<Vec<Summary>, GpuError> {
    if let Some(layer) = cache.find(index, columns, rows) {
        return read(with.context, layer, grid.exponent);
    }
    let size = [columns.pixels(), rows.pixels()];
    let layer = Layer::summaries(with.context, with.layout, size, with.band_bytes);
    grid.fold(with.context, with.folder, columns, rows, &layer, with.watch)?;
    read(with.context, &layer, grid.exponent)
}

/// Reads the Summaries of a layer back, row after row; their sums have this exponent.
fn read(context: &Context, layer: &Layer, exponent: i32) -> Result<Vec<Summary>, GpuError> {
    let size = layer.size();
    let width = size[0] as usize;
    let mut out = vec![Summary::default(); width * size[1] as usize];
    let staging = Staging::new(context, out.len() as u64 * SUMMARY_BYTES);
    // Pieces end between Summaries.
    let staging = Staging { size: staging.size / SUMMARY_BYTES * SUMMARY_BYTES, ..staging };
    for band in layer.placement.bands() {
        // A band is contiguous in the result too: whole rows, or a part of one.
        let mut at = band.rows.start as usize * width + band.columns.start as usize;
        let (start, length) = (u64::from(band.start) * SUMMARY_BYTES, band.len() * SUMMARY_BYTES);
        staging.read(context, &layer.buffers[band.buffer], start, length, |bytes| {
            for (summary, bytes) in out[at..].iter_mut().zip(bytes.chunks_exact(SUMMARY_BYTES as usize)) {
                *summary = bytemuck::pod_read_unaligned::<Summed>(bytes).summary(exponent);
            }
            at += bytes.len() / SUMMARY_BYTES as usize;
        })?;
    }
    Ok(out)
}

/// A copy that has not arrived after this time is lost.
const PATIENCE: Duration = Duration::from_mins(2);

/// How long a thread sleeps before it asks the device again: far less than a frame takes.
const NAP: Duration = Duration::from_micros(300);

type Answer = Result<(), wgpu::BufferAsyncError>;

/// A part of the Summaries, whose copy is submitted.
struct Piece {
    staging: Staging,
    /// Index of its first Summary.
    at: usize,
    answer: Receiver<Answer>,
}

/// Summaries on their way to memory. Their copies are submitted: whatever the device folds later does not change them.
pub struct ComingFold {
    context: Context,
    pieces: Vec<Piece>,
    pixels: usize,
    exponent: i32,
}

impl std::fmt::Debug for ComingFold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ComingFold").field("pixels", &self.pixels).finish_non_exhaustive()
    }
}

impl ComingFold {
    /// Submits the copies of a layer of Summaries, whose sums have this exponent.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn of(context: &Context, layer: &Layer, exponent: i32) -> Result<Self, GpuError> {
        let [width, height] = layer.size();
        let most = PIECE_BYTES.min(context.device().limits().max_buffer_size) / SUMMARY_BYTES;
        let mut pieces = Vec::new();
        for band in layer.placement.bands() {
            // A band is contiguous in the result too: whole rows, or a part of one.
            let first = band.rows.start as usize * width as usize + band.columns.start as usize;
            for from in (0..band.len()).step_by(most as usize) {
                let bytes = most.min(band.len() - from) * SUMMARY_BYTES;
                let staging = Staging::new(context, bytes);
                let start = (u64::from(band.start) + from) * SUMMARY_BYTES;
                let mut encoder = context.encoder("readback");
                encoder.copy_buffer_to_buffer(&layer.buffers[band.buffer], start, &staging.buffer, 0, bytes);
                context.submit(Moment::Copy, encoder)?;
                context.counter().read_back(bytes);
                let (sender, answer) = channel();
                context.at(Moment::Map);
                staging.buffer.map_async(wgpu::MapMode::Read, .., move |r| drop(sender.send(r)));
                let at = first + from as usize;
                pieces.push(Piece { staging, at, answer });
            }
        }
        Ok(Self { context: context.clone(), pieces, pixels: width as usize * height as usize, exponent })
    }

    /// Waits for the Summaries of all pixels, row after row, in a thread of its own: the device may draw meanwhile.
    ///
    /// # Errors
    /// When the device is lost, or does not answer for two minutes.
    pub fn take(self) -> Result<Vec<Summary>, GpuError> {
        let context = self.context.clone();
        context.guarded(|| self.arrived())
    }

    fn arrived(self) -> Result<Vec<Summary>, GpuError> {
        let lost = || GpuError::Lost("while Summaries were read back".to_owned());
        let mut out = vec![Summary::default(); self.pixels];
        let started = Instant::now();
        for piece in &self.pieces {
            loop {
                self.context.look()?;
                match piece.answer.try_recv() {
                    Ok(Ok(())) => break,
                    Err(TryRecvError::Empty) if started.elapsed() < PATIENCE => std::thread::sleep(NAP),
                    _ => return Err(lost()),
                }
            }
            let mapped = piece.staging.buffer.get_mapped_range(..).map_err(|_| lost())?;
            let list = mapped.chunks_exact(SUMMARY_BYTES as usize);
            for (summary, bytes) in out[piece.at..].iter_mut().zip(list) {
                *summary = bytemuck::pod_read_unaligned::<Summed>(bytes).summary(self.exponent);
            }
        }
        Ok(out)
    }
}

//! The Summaries of a body on their way from the device to memory, beside the frames that it draws.

use super::context::Context;
use super::error::GpuError;
use super::fault::Moment;
use super::layer::{Layer, SUMMARY_BYTES};
use super::readback::{PIECE_BYTES, Staging};
use super::wire::Summed;
use gridscope_core::grid::Summary;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

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

//! The window's surface: scenes to the display, grids to the device, and a new device where one is lost.

use super::device_folds::{FoldedPart, ReadFolds};
use super::display::FairMutex;
use super::swapchain::{Swapchain, Terms};
use super::task::Wake;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, Summaries};
use gridscope_core::text::Fonts;
use gridscope_core::workers;
use gridscope_draw::scene::Scene;
use gridscope_gpu::{AdapterSummary, Counts, GpuError, Painter, Worker};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use winit::dpi::PhysicalSize;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

/// The outcome of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presented {
    /// It was passed to the display.
    Yes,
    /// The window is hidden or about to be resized; an event will follow.
    Later,
}

/// A window's surface with its device.
pub(super) struct Surface {
    window: Arc<Window>,
    display: OwnedDisplayHandle,
    terms: Terms,
    /// The window's size in pixels; 0 while it is minimised.
    size: PhysicalSize<u32>,
    swapchain: Swapchain,
    /// Counts devices and figures, so that an old upload can be recognized.
    generation: u32,
    /// Folds of frames that were read back.
    reads: ReadFolds,
    /// Work of earlier devices.
    counts: Counts,
}

/// An upload of grids to the device, for a thread of its own.
pub(super) struct Upload {
    painter: Painter,
    generation: u32,
    /// The device may fold and paint.
    worthwhile: bool,
    turns: Arc<FairMutex>,
}

/// The end of an upload.
pub(super) type Uploaded = (Upload, Result<(), GpuError>);

impl Upload {
    /// Uploads the grids in a thread of its own, which then sends the end to `ended` and calls `wake`.
    pub(super) fn start(
        mut self,
        grids: Arc<Vec<Grid>>,
        ended: Sender<Uploaded>,
        wake: impl FnOnce() + Send + 'static,
    ) {
        // Here and not in the generic event loop: that an upload is Send takes the compiler seconds to prove.
        workers::aside(move || {
            let done = self.run(&grids);
            if ended.send((self, done)).is_ok() {
                wake();
            }
        });
    }

    /// Uploads the grids, unless the CPU folds and paints at every size.
    ///
    /// # Errors
    /// As [`Painter::upload`].
    fn run(&mut self, grids: &[Grid]) -> Result<(), GpuError> {
        if !self.worthwhile {
            return Err(GpuError::Misuse("the CPU paints".to_owned()));
        }
        let mut turn = Some(self.turns.lock());
        self.painter.upload(grids, &mut |_, _| {
            // The lock must be released before it is acquired again.
            turn = None;
            turn = Some(self.turns.lock());
        })
    }
}

impl Surface {
    /// Opens the surface of a window and the best device that draws to it.
    ///
    /// # Errors
    /// When no device draws to it.
    pub(super) fn open(
        window: Arc<Window>,
        display: OwnedDisplayHandle,
        terms: Terms,
    ) -> Result<Self, GpuError> {
        let swapchain = Swapchain::open(&window, &display, &terms)?;
        let size = window.inner_size();
        Ok(Self {
            window,
            display,
            terms,
            size,
            swapchain,
            generation: 0,
            reads: ReadFolds::default(),
            counts: Counts::default(),
        })
    }

    /// Takes the window's new size from the caller: winit panics when asked for the size of a window that
    /// another program closed.
    pub(super) fn resize(&mut self, size: PhysicalSize<u32>) {
        self.size = size;
    }

    /// The size that scenes must have; `None` while the window is minimised.
    pub(super) fn size(&self) -> Option<PxSize> {
        clamped(self.size, self.swapchain.context.device().limits().max_texture_dimension_2d)
    }

    /// Shows a scene of the window's size; `grids` are those that its cells name.
    ///
    /// # Errors
    /// When the device fails; [`Surface::recover`] may help.
    pub(super) fn draw(
        &mut self,
        scene: &Scene,
        grids: &[Grid],
        fonts: &mut Fonts,
    ) -> Result<Presented, GpuError> {
        if self.size() != Some(scene.size) {
            return Ok(Presented::Later);
        }
        for _ in 0..TRIES {
            self.swapchain.fit(scene.size)?;
            let texture = match self.swapchain.next()? {
                wgpu::CurrentSurfaceTexture::Success(t) | wgpu::CurrentSurfaceTexture::Suboptimal(t) => t,
                wgpu::CurrentSurfaceTexture::Outdated => {
                    self.swapchain.configured = false;
                    continue;
                }
                wgpu::CurrentSurfaceTexture::Timeout | wgpu::CurrentSurfaceTexture::Occluded => {
                    return Ok(Presented::Later);
                }
                wgpu::CurrentSurfaceTexture::Lost | wgpu::CurrentSurfaceTexture::Validation => {
                    return Err(GpuError::Lost("the window's surface has no texture to draw to".to_owned()));
                }
            };
            self.swapchain.paint(&texture, scene, grids, fonts)?;
            self.window.pre_present_notify();
            let context = &self.swapchain.context;
            context.guarded(|| {
                context.queue().present(texture);
                Ok(())
            })?;
            return Ok(Presented::Yes);
        }
        Ok(Presented::Later)
    }

    /// Waits until the device has drawn all frames.
    ///
    /// # Errors
    /// When the device is lost.
    pub(super) fn wait(&self) -> Result<(), GpuError> {
        self.swapchain.context.guarded(|| self.swapchain.context.wait())
    }

    /// Opens a new device and surface for the same window; no grid is on it yet.
    ///
    /// # Errors
    /// When no device draws to the window.
    pub(super) fn recover(&mut self) -> Result<(), GpuError> {
        self.counts();
        self.reads.forget();
        self.swapchain = Swapchain::open(&self.window, &self.display, &self.terms)?;
        self.generation += 1;
        Ok(())
    }

    /// Destroys the device, for tests.
    pub(super) fn lose(&self) {
        self.swapchain.context.device().destroy();
    }

    /// The adapter that draws frames.
    pub(super) fn adapter(&self) -> &AdapterSummary {
        self.swapchain.context.adapter_info()
    }

    /// An upload of grids that can run while frames are drawn.
    pub(super) fn upload(&self) -> Upload {
        let (painter, turns) = (self.swapchain.painter.fork(), self.swapchain.turns.clone());
        Upload {
            painter,
            generation: self.generation,
            worthwhile: self.swapchain.may_work(self.terms.worker),
            turns,
        }
    }

    /// Drops the grids on the device and ignores uploads in progress: other grids are drawn from now on.
    pub(super) fn release(&mut self) {
        self.generation += 1;
        self.swapchain.resident = false;
        self.reads.forget();
        // Without grids there is no upload that could fail.
        let _ = self.swapchain.painter.upload(&[], &mut |_, _| {});
    }

    /// Whether an upload belongs to this device and to the grids that are drawn now.
    pub(super) fn is_current(&self, upload: &Upload) -> bool {
        upload.generation == self.generation
    }

    /// Draws from uploaded grids from now on; an upload to an earlier device is dropped.
    pub(super) fn adopt(&mut self, upload: Upload) {
        if self.is_current(&upload) {
            self.swapchain.painter.adopt(upload.painter);
            self.swapchain.resident = true;
        }
    }

    /// Chooses who folds and paints the next frame: whom the user wants, otherwise whoever is faster at this size with grids of
    /// this many cells.
    pub(super) fn assign(&mut self, size: PxSize, cells: u64) {
        self.swapchain.assign(self.terms.worker, size, cells);
    }

    /// Who folds and paints.
    pub(super) fn worker(&self) -> Worker {
        self.swapchain.painter.worker()
    }

    /// Whether bodies are folded on the device.
    pub(super) fn folds(&self) -> bool {
        self.swapchain.resident && self.worker() == Worker::Device
    }

    /// The Summaries of a body of the next frame, if they are in memory; otherwise they are read back after it.
    pub(super) fn known(&mut self, part: FoldedPart) -> Option<Arc<Summaries>> {
        self.reads.known(part)
    }

    /// The Summaries of a body of the next frame, folded on the device now; on the CPU where that fails.
    ///
    /// # Errors
    /// When a source cannot be read.
    pub(super) fn fold(
        &mut self,
        grids: &[Grid],
        part: FoldedPart,
    ) -> Result<Arc<Summaries>, gridscope_core::grid::SourceError> {
        if let Some(all) = self.reads.known(part.clone()) {
            return Ok(all);
        }
        let painter = &mut self.swapchain.painter;
        let (columns, rows) = (&part.columns, &part.rows);
        // The frame that follows shows the same fold.
        let ahead = painter.fold_ahead(part.grid, columns, rows);
        let all = Arc::new(match ahead.and_then(|()| painter.fold(part.grid, columns, rows)) {
            Ok(folded) => folded.into(),
            // The next frame reports whether the device is lost.
            Err(_) => grids[part.grid].fold(columns.spans(), rows.spans())?,
        });
        self.reads.store(part, all.clone());
        Ok(all)
    }

    /// Starts to read back what the last frame has folded and the CPU wants; `wake` is called when something has arrived.
    pub(super) fn start_reading(&mut self, wake: &Wake, grids: &Arc<Vec<Grid>>) {
        let painter = &self.swapchain.painter;
        self.reads.start(wake, grids, |part| painter.read_fold(part.grid, &part.columns, &part.rows));
    }

    /// Takes up Summaries that were read back; returns whether there were any.
    pub(super) fn collect(&mut self) -> bool {
        self.reads.collect()
    }

    /// Whether something is being read back.
    pub(super) fn is_reading(&self) -> bool {
        self.reads.is_reading()
    }

    /// Work of the devices of this window.
    pub(super) fn counts(&mut self) -> Counts {
        self.counts.merge(&self.swapchain.context.take_counts());
        self.counts
    }
}

/// A frame is tried this often on a surface that is out of date.
const TRIES: usize = 3;

/// A window's size, at most `most` pixels a side; `None` for a minimised window.
fn clamped(size: PhysicalSize<u32>, most: u32) -> Option<PxSize> {
    (size.width > 0 && size.height > 0).then(|| PxSize { w: size.width.min(most), h: size.height.min(most) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_end_at_the_limit_and_a_minimised_window_has_none() {
        let of = |w, h| clamped(PhysicalSize::new(w, h), 8192).map(|s| (s.w, s.h));
        assert_eq!(
            (of(800, 600), of(u32::MAX, 1), of(0, 600), of(800, 0)),
            (Some((800, 600)), Some((8192, 1)), None, None)
        );
    }
}

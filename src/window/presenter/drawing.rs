//! Draws the content of the window; a lost device is replaced.

use super::Presenter;
use crate::device_folds::{DeviceFolds, FoldedPart};
use crate::display::{of_device, placeholder};
use crate::surface::{Presented, Surface, Upload};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, Summaries};
use gridscope_core::text::{Fonts, one_line};
use gridscope_core::view::EdgeTable;
use gridscope_draw::error::Error;
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::Scene;
use gridscope_gpu::GpuError;
use std::sync::Arc;

/// Folds of some grids by the surface's device.
struct FrameFolds<'a> {
    surface: &'a mut Surface,
    grids: Arc<Vec<Grid>>,
}

impl DeviceFolds for FrameFolds<'_> {
    fn known(&mut self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Option<Arc<Summaries>> {
        self.surface.known(FoldedPart::new(grid, columns, rows))
    }

    fn fold(&mut self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Result<Arc<Summaries>, Error> {
        let part = FoldedPart::new(grid, columns, rows);
        Ok(self.surface.fold(&self.grids, part)?)
    }
}

/// A frame is tried this often, since one device may be lost.
const TRIES: usize = 2;

impl Presenter {
    /// Shows the figure as it is now; a lost device is replaced once.
    ///
    /// # Errors
    /// When the figure cannot be drawn at all, or a second device in a row fails.
    pub(crate) fn draw(&mut self) -> Result<Presented, Error> {
        self.is_requested = false;
        for _ in 0..TRIES {
            let Some(size) = self.surface.size() else {
                return Ok(Presented::Later);
            };
            let scene = self.scene(size)?;
            let none = Arc::default();
            let (grids, fonts): (&[Grid], &mut Fonts) = match &mut self.session {
                Some(session) => session.grids_and_fonts(),
                None => (&*none as &Vec<Grid>, &mut self.fonts),
            };
            match self.surface.draw(&scene, grids, fonts) {
                Ok(Presented::Later) => return Ok(Presented::Later),
                Ok(Presented::Yes) => {
                    self.failed = false;
                    if let Some(session) = &self.session {
                        self.surface.start_reading(&self.wake, &session.geometry().grids);
                    }
                    if self.session.is_some() && !self.shown {
                        self.shown = true;
                        self.send();
                        for command in std::mem::take(&mut self.early) {
                            self.apply(&command);
                        }
                    }
                    return Ok(Presented::Yes);
                }
                Err(e) => self.recover(e)?,
            }
        }
        Ok(Presented::Later)
    }

    /// Waits until the device has drawn all frames.
    ///
    /// # Errors
    /// When a second device in a row fails.
    pub(crate) fn wait(&mut self) -> Result<(), Error> {
        self.surface.wait().or_else(|e| self.recover(e))
    }

    /// Destroys the device.
    pub(crate) fn lose(&self) {
        self.surface.lose();
    }

    /// Takes over uploaded grids; those that the device has no room for are drawn from memory.
    pub(crate) fn uploaded(&mut self, upload: Upload, done: Result<(), GpuError>) {
        if !self.surface.is_current(&upload) {
            // They belong to an earlier device or earlier data.
            return;
        }
        self.uploading = false;
        match done {
            Ok(()) => {
                self.surface.adopt(upload);
                // From the next frame on the device folds.
                self.request_frame();
            }
            Err(
                GpuError::Misuse(_) | GpuError::Limit { .. } | GpuError::OutOfMemory(_) | GpuError::Lost(_),
            ) => {}
            Err(e) => self.frames.errors.push(e.to_string()),
        }
    }

    /// The scene to show. If the figure cannot be drawn any more, the scene says why; if it never could, that
    /// is an error.
    fn scene(&mut self, size: PxSize) -> Result<Scene, Error> {
        let Some(session) = &mut self.session else {
            self.ticked = false;
            let text = format!("reading {}, {} s", self.reading, self.opened.elapsed().as_secs());
            let palette = Palette::of(self.theme);
            let mut scene = placeholder(&text, size, self.unit, palette, &mut self.fonts);
            scene.items.extend(self.early_items(size));
            return Ok(scene);
        };
        session.resize(size, self.unit);
        let grids = &session.geometry().grids;
        let cells = grids.iter().map(|g| g.len() as u64).sum();
        let surface = &mut self.surface;
        surface.assign(size, cells);
        let drawn = if surface.folds() {
            let grids = session.geometry().grids.clone();
            session.draw(Some(&mut FrameFolds { surface, grids }))
        } else {
            session.draw(None)
        };
        drawn.or_else(|e| {
            if self.shown {
                let text = one_line(&e.to_string());
                Ok(placeholder(&text, size, self.unit, Palette::of(self.theme), &mut self.fonts))
            } else {
                Err(e)
            }
        })
    }

    /// Starts the upload of the grids.
    fn send(&mut self) {
        // While the session is coarse, an upload would read all cells a second time.
        if let Some(session) = self.session.as_ref().filter(|s| !s.is_coarse()) {
            self.uploading = true;
            (self.start_upload)(self.surface.upload(), session.geometry().grids.clone());
        }
    }

    /// Opens a new device, unless the previous frame failed too.
    fn recover(&mut self, e: GpuError) -> Result<(), Error> {
        if std::mem::replace(&mut self.failed, true) {
            return Err(of_device(&e));
        }
        self.frames.errors.push(e.to_string());
        self.surface.recover().map_err(|e| of_device(&e))?;
        self.uploading = false;
        if self.shown && !matches!(e, GpuError::OutOfMemory(_)) {
            self.send();
        }
        Ok(())
    }
}

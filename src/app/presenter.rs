//! What the window shows: a figure or a message; effects of commands, and a new device where one is lost.

use super::clipboard::Clipboard;
use super::display::of_device;
use super::frames::Frames;
use super::geometry::WindowGeometry;
use super::placeholder::placeholder;
use super::save::perform;
use super::session::{Data, Session};
use super::state::{Command, Effect, ViewState};
use super::surface::{Presented, Surface, Upload};
use crate::error::Error;
use crate::figure::Figure;
use crate::geom::PxSize;
use crate::gpu::GpuError;
use crate::grid::Grid;
use crate::scene::Scene;
use crate::text::{Fonts, one_line};
use crate::view::EdgeTable;
use std::sync::Arc;
use std::time::Instant;
use winit::dpi::PhysicalSize;
use winit::window::{CursorIcon, Fullscreen, Window};

/// A frame is tried this often, since one device may be lost.
const TRIES: usize = 2;

/// Uploads grids in a thread of its own, which then calls [`Presenter::uploaded`].
pub(super) type StartUpload = Box<dyn Fn(Upload, Arc<Vec<Grid>>)>;

/// A window and what it shows.
pub(super) struct Presenter {
    window: Arc<Window>,
    surface: Surface,
    session: Option<Session>,
    /// Fonts while there is no session,
    fonts: Fonts,
    /// the geometry and the state that input refers to then,
    nothing: (WindowGeometry, ViewState),
    /// and whether the seconds shown have advanced.
    ticked: bool,
    /// The first part of the names of saved files.
    stem: String,
    start_upload: StartUpload,
    /// An upload of grids is in progress.
    uploading: bool,
    unit: f64,
    opened: Instant,
    reading: String,
    clipboard: Clipboard,
    /// The last frame failed.
    failed: bool,
    /// A frame of the figure was shown.
    shown: bool,
    /// What was asked for before there was a figure; it is done when the figure is shown.
    early: Vec<Effect>,
    cursor: CursorIcon,
    frames: Frames,
}

impl Presenter {
    /// A window without a figure while `file` is being read, until [`Presenter::enter`].
    pub(super) fn new(
        window: Arc<Window>,
        surface: Surface,
        (file, stem): (&str, &str),
        start_upload: StartUpload,
    ) -> Self {
        let unit = sane(window.scale_factor());
        let frames = Frames {
            adapter: surface.adapter().name.clone(),
            ..Frames::default()
        };
        Self {
            window,
            surface,
            session: None,
            fonts: Fonts::new(),
            nothing: Default::default(),
            ticked: false,
            stem: stem.to_owned(),
            start_upload,
            uploading: false,
            unit,
            opened: Instant::now(),
            reading: file.to_owned(),
            clipboard: Clipboard::default(),
            failed: false,
            shown: false,
            early: Vec::new(),
            cursor: CursorIcon::Default,
            frames,
        }
    }

    /// Shows a figure; it takes the place of a coarse one.
    pub(super) fn enter(&mut self, mut session: Session) {
        if let Some(before) = self.session.take() {
            session.take_over(before);
            self.surface.release();
        }
        (self.session, self.shown, self.uploading) = (Some(session), false, false);
        self.perform_deferred();
    }

    /// Shows the figure with new data.
    pub(super) fn change(&mut self, figure: Figure, data: Data) {
        let Some(session) = &mut self.session else { return };
        let message = match session.replace(figure, data) {
            Ok(0) => "the file has changed".to_owned(),
            Ok(n) => format!("{n} new values"),
            Err(e) => one_line(&e.to_string()),
        };
        session.show_message(message);
        self.surface.release();
        (self.shown, self.uploading) = (false, false);
        self.perform_deferred();
    }

    /// Shows a message.
    pub(super) fn show_message(&mut self, text: &str) {
        self.session
            .iter_mut()
            .for_each(|s| s.show_message(one_line(text)));
    }

    /// Shows how far a file is read.
    pub(super) fn set_progress(&mut self, progress: Option<(String, Option<f64>)>) {
        self.session
            .iter_mut()
            .for_each(|s| s.set_progress(progress.clone()));
    }

    /// Takes the window's new size.
    pub(super) fn resize(&mut self, size: PhysicalSize<u32>) {
        self.surface.resize(size);
    }

    /// Takes the display's new scale factor.
    pub(super) fn rescale(&mut self, scale_factor: f64) {
        self.unit = sane(scale_factor);
    }

    /// Asks the system for a size in pixels.
    pub(super) fn ask_size(&mut self, size: PxSize) {
        // A size that is granted at once is not followed by an event.
        if let Some(given) = self.window.request_inner_size(PhysicalSize::new(size.w, size.h)) {
            self.resize(given);
        }
    }

    /// The pixels that can be drawn; `None` while the window is minimised.
    pub(super) fn size(&self) -> Option<PxSize> {
        self.surface.size()
    }

    /// The window.
    pub(super) fn window(&self) -> &Window {
        &self.window
    }

    /// Whether there is a figure.
    pub(super) fn has_figure(&self) -> bool {
        self.session.is_some()
    }

    /// The geometry and the state that input refers to.
    pub(super) fn seen(&self) -> (&WindowGeometry, &ViewState) {
        match &self.session {
            Some(session) => (session.geometry(), session.state()),
            None => (&self.nothing.0, &self.nothing.1),
        }
    }

    /// Whether a frame is due.
    pub(super) fn is_damaged(&self) -> bool {
        self.session.as_ref().map_or(self.ticked, Session::is_damaged)
    }

    /// The window has been idle: the view comes to rest, or the time shown while a file is read advances. A
    /// frame is due.
    pub(super) fn idle(&mut self) {
        match &mut self.session {
            Some(session) => session.rest(),
            None => self.ticked = true,
        }
    }

    /// Records how many milliseconds the last frame took; returns whether a better one is to follow when the view rests.
    pub(super) fn add_frame_time(&mut self, ms: f64) -> bool {
        self.session.as_mut().is_some_and(|session| {
            session.add_frame_time(ms);
            session.is_moving()
        })
    }

    /// Whether the complete figure has been shown and no upload is in progress.
    pub(super) fn is_complete(&self) -> bool {
        self.shown && !self.uploading && !self.is_coarse()
    }

    /// The report on the frames.
    pub(super) fn frames(&mut self) -> &mut Frames {
        self.frames.size = self.size().unwrap_or_default();
        &mut self.frames
    }

    /// Applies commands one after the other until the window closes; returns whether it does.
    pub(super) fn apply_all(&mut self, commands: &[Command]) -> bool {
        commands.iter().any(|command| self.apply(command))
    }

    /// Applies a command; returns whether the window closes.
    pub(super) fn apply(&mut self, command: &Command) -> bool {
        let Some(session) = &mut self.session else {
            if let Command::Effect(effect) = command
                && !self.early.contains(effect)
            {
                self.early.push(*effect);
            }
            return *command == Command::Effect(Effect::Quit);
        };
        let Some(effect) = session.apply(command) else {
            return false;
        };
        match effect {
            Effect::Quit => return true,
            Effect::FullScreen => {
                let full = self.window.fullscreen().is_some();
                self.window
                    .set_fullscreen((!full).then_some(Fullscreen::Borderless(None)));
            }
            effect => {
                let message = perform(session, &mut self.clipboard, &self.stem, effect);
                session.show_message(message);
            }
        }
        false
    }

    /// Saves and copies what had to wait until all cells were read, as it looked when the command was given.
    fn perform_deferred(&mut self) {
        let Some(session) = &mut self.session else { return };
        for (effect, then) in session.take_deferred() {
            let now = session.swap(then);
            let message = perform(session, &mut self.clipboard, &self.stem, effect);
            session.swap(now);
            session.show_message(message);
        }
    }

    fn is_coarse(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_coarse)
    }

    /// Shows the figure as it is now; a lost device is replaced once.
    ///
    /// # Errors
    /// When the figure cannot be drawn at all, or a second device in a row fails.
    pub(super) fn draw(&mut self) -> Result<Presented, Error> {
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
                    if self.session.is_some() && !self.shown {
                        self.shown = true;
                        self.send();
                        for effect in std::mem::take(&mut self.early) {
                            self.apply(&Command::Effect(effect));
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
    pub(super) fn wait(&mut self) -> Result<(), Error> {
        self.surface.wait().or_else(|e| self.recover(e))
    }

    /// Destroys the device.
    pub(super) fn lose(&self) {
        self.surface.lose();
    }

    /// Takes over uploaded grids; those that the device has no room for are drawn from memory.
    pub(super) fn uploaded(&mut self, upload: Upload, done: Result<(), GpuError>) {
        if !self.surface.is_current(&upload) {
            // They belong to an earlier device or earlier data.
            return;
        }
        self.uploading = false;
        match done {
            Ok(()) => self.surface.adopt(upload),
            Err(
                GpuError::Misuse(_) | GpuError::Limit { .. } | GpuError::OutOfMemory(_) | GpuError::Lost(_),
            ) => {}
            Err(e) => self.frames.errors.push(e.to_string()),
        }
    }

    /// Sets the shape of the pointer.
    pub(super) fn point(&mut self, icon: CursorIcon) {
        if icon != self.cursor {
            self.cursor = icon;
            self.window.set_cursor(icon);
        }
    }

    /// The scene to show. If the figure cannot be drawn any more, the scene says why; if it never could, that
    /// is an error.
    fn scene(&mut self, size: PxSize) -> Result<Scene, Error> {
        let Some(session) = &mut self.session else {
            self.ticked = false;
            let text = format!("reading {}, {} s", self.reading, self.opened.elapsed().as_secs());
            return Ok(placeholder(&text, size, self.unit, &mut self.fonts));
        };
        session.resize(size, self.unit);
        let surface = &mut self.surface;
        let drawn = if surface.folds() {
            let grids = session.geometry().grids.clone();
            let mut fold =
                |i: usize, columns: &EdgeTable, rows: &EdgeTable| Ok(surface.fold(&grids, i, columns, rows)?);
            session.draw(Some(&mut fold))
        } else {
            session.draw(None)
        };
        drawn.or_else(|e| {
            if self.shown {
                let text = one_line(&e.to_string());
                Ok(placeholder(&text, size, self.unit, &mut self.fonts))
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

/// A plausible scale factor, whatever a driver reports.
fn sane(scale_factor: f64) -> f64 {
    if scale_factor.is_finite() && scale_factor > 0.0 {
        scale_factor.clamp(0.25, 16.0)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_factors_stay_sane() {
        assert_eq!(
            [1.5, 718.0, 1e-9, f64::NAN, f64::INFINITY, -2.0, 0.0].map(sane),
            [1.5, 16.0, 0.25, 1.0, 1.0, 1.0, 1.0]
        );
    }
}

//! Content of the window: a figure or a message; effects of commands, and a new device where one is lost.

mod drawing;
mod effects;
mod slices;

use super::clipboard::Clipboard;
use super::geometry::WindowGeometry;
use super::player::Frames;
use super::prompt::Folder;
use super::script::ScriptLine;
use super::session::{Data, Session};
use super::slices::SliceAsker;
use super::state::{Command, Effect, ViewState};
use super::surface::{Surface, Upload};
use super::task::Wake;
use gridscope_core::figure::{Figure, Theme};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::text::{Fonts, one_line};
use std::sync::Arc;
use std::time::Instant;
use winit::dpi::PhysicalSize;
use winit::window::{CursorIcon, Theme as WindowTheme, Window};

/// Uploads grids in a thread of its own, which then calls [`Presenter::uploaded`].
pub(super) type StartUpload = Box<dyn Fn(Upload, Arc<Vec<Grid>>)>;

/// Another file to open.
pub(super) enum Wanted {
    /// The one that a person chooses; `Effect::CompareDialog`: to compare with it.
    Dialog(Effect),
    /// Those of a command.
    Files(Command),
}

/// A window and its content.
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
    /// The files that the prompt offers while there is no session.
    folder: Folder,
    /// The first part of the names of saved files.
    stem: String,
    start_upload: StartUpload,
    /// Wakes the event loop for what a session computes beside the window.
    wake: Wake,
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
    /// Commands from before there was a figure; they are done when it is shown.
    early: Vec<Command>,
    /// Lines of the prompt from that time.
    early_lines: Vec<ScriptLine>,
    /// Another file that a command asked for.
    wanted: Option<Wanted>,
    /// A frame was asked for and is not drawn yet.
    is_requested: bool,
    cursor: CursorIcon,
    fading: effects::Fading,
    /// The desktop's theme.
    theme: Theme,
    frames: Frames,
    slices: SliceAsker,
    is_patient: bool,
}

impl Presenter {
    /// A window without a figure while `file` is being read, until [`Presenter::enter`].
    pub(super) fn new(
        window: Arc<Window>,
        surface: Surface,
        (file, stem): (&str, &str),
        start_upload: StartUpload,
        wake: Wake,
    ) -> Self {
        let (unit, theme) = (sane(window.scale_factor()), theme_of(window.theme()));
        let frames = Frames { adapter: surface.adapter().name.clone(), ..Frames::default() };
        Self {
            window,
            surface,
            session: None,
            fonts: Fonts::new(),
            nothing: Default::default(),
            folder: Folder::default(),
            ticked: false,
            stem: stem.to_owned(),
            start_upload,
            wake,
            uploading: false,
            unit,
            opened: Instant::now(),
            reading: file.to_owned(),
            clipboard: Clipboard::default(),
            failed: false,
            shown: false,
            early: Vec::new(),
            wanted: None,
            early_lines: Vec::new(),
            is_requested: false,
            cursor: CursorIcon::Default,
            fading: effects::Fading::default(),
            theme,
            frames,
            slices: SliceAsker::default(),
            is_patient: false,
        }
    }

    /// The same presenter, which asks this reader for other slices of the arrays.
    pub(super) fn with_slices(mut self, slices: SliceAsker) -> Self {
        self.slices = slices;
        self
    }

    /// Shows a figure; it takes the place of a coarse one.
    pub(super) fn enter(&mut self, mut session: Session) {
        if self.slices.is_answered() {
            session = session.with_slices();
        }
        if let Some(before) = self.session.take() {
            session.take_over(before);
            self.surface.release();
        } else {
            session.take_line(&mut self.nothing.1);
        }
        session.follow_theme(self.theme);
        session.set_wake(self.wake.clone());
        if self.is_patient {
            session.be_patient();
        }
        (self.session, self.shown, self.uploading) = (Some(session), false, false);
        self.name_window();
        self.perform_deferred();
    }

    /// Names the file that is shown from now on, and the files that are saved.
    pub(super) fn call(&mut self, file: &str, stem: &str) {
        (self.reading, self.stem) = (file.to_owned(), stem.to_owned());
    }

    /// Shows a figure of another file in place of this one, or of the same files `again` with other flags.
    pub(super) fn replace(&mut self, session: Session, slices: SliceAsker, again: Option<&[String]>) {
        self.slices = slices;
        let before = self.session.take();
        if before.is_some() {
            self.surface.release();
        }
        self.enter(session);
        let Some((session, before)) = self.session.as_mut().zip(before) else { return };
        if let Some(flags) = again {
            session.see_as(&before, flags);
        }
        if before.has_deferred() {
            session.show_message("not saved: another file came before all cells were read".to_owned());
        }
    }

    /// Takes the other file that a command asked for.
    pub(super) fn take_wanted(&mut self) -> Option<Wanted> {
        self.wanted.take()
    }

    /// Lists the files that were opened last in the menu.
    pub(super) fn set_recent(&mut self, files: &[String]) {
        self.session.iter_mut().for_each(|s| s.set_recent(files));
    }

    /// Shows the figure with new data.
    pub(super) fn change(&mut self, figure: Figure, data: Data) {
        let now = self.session.as_mut().and_then(|session| session.foresee(figure, data));
        if let Some((figure, data)) = now {
            self.show_change(figure, data);
        }
    }

    fn show_change(&mut self, figure: Figure, data: Data) {
        let Some(session) = &mut self.session else { return };
        let news = match session.replace(figure, data) {
            Ok(news) => Ok(news.to_string()),
            Err(e) => Err(one_line(&e.to_string())),
        };
        session.set_standing(None);
        session.show_outcome(news);
        session.follow_theme(self.theme);
        self.slices.forget();
        self.surface.release();
        (self.shown, self.uploading) = (false, false);
        self.name_window();
        self.perform_deferred();
    }

    /// Shows results that were computed beside the window.
    pub(super) fn computed(&mut self) {
        let arrived = self.surface.collect();
        if let Some(session) = &mut self.session {
            session.collect();
            if arrived {
                session.summaries_arrived();
            }
        }
        if let Some((figure, data)) = self.session.as_mut().and_then(Session::take_changed) {
            self.show_change(figure, data);
        }
        self.look_at_order();
        self.perform_deferred();
    }

    /// A script waits for each of its steps: nothing is done beside the window.
    pub(super) fn be_patient(&mut self) {
        self.is_patient = true;
    }

    /// Whether the last command waits for what is computed of all cells.
    pub(super) fn waits_for_cells(&self) -> bool {
        self.session.as_ref().is_some_and(Session::waits_for_cells)
    }

    /// Shows that the files cannot be read as they are now, until they can.
    pub(super) fn show_trouble(&mut self, text: &str) {
        self.session.iter_mut().for_each(|s| s.set_standing(Some(one_line(text))));
    }

    /// A line of the prompt that was not carried out, and why; it can be changed.
    pub(super) fn refuse(&mut self, line: &str, why: &str) {
        self.session.iter_mut().for_each(|s| s.refuse(line, vec![one_line(why)]));
    }

    /// Shows how far a file is read.
    pub(super) fn set_progress(&mut self, progress: Option<(String, Option<f64>)>) {
        self.session.iter_mut().for_each(|s| s.set_progress(progress.clone()));
    }

    /// Takes the window's new size.
    pub(super) fn resize(&mut self, size: PhysicalSize<u32>) {
        self.surface.resize(size);
    }

    /// Takes the display's new scale factor.
    pub(super) fn rescale(&mut self, scale_factor: f64) {
        self.unit = sane(scale_factor);
    }

    /// Takes the desktop's new theme.
    pub(super) fn retheme(&mut self, theme: WindowTheme) {
        self.theme = theme_of(Some(theme));
        self.session.iter_mut().for_each(|s| s.follow_theme(self.theme));
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

    /// Asks the system for a frame.
    pub(super) fn request_frame(&mut self) {
        self.is_requested = true;
        self.window.request_redraw();
    }

    /// Whether a frame is due or asked for.
    pub(super) fn is_frame_due(&self) -> bool {
        self.is_requested || self.is_damaged()
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

    /// Whether the complete figure has been shown, and nothing is on its way to the device or back.
    pub(super) fn is_complete(&self) -> bool {
        let moves = self.uploading || self.surface.is_reading();
        self.shown && !moves && !self.is_coarse() && !self.awaits_slice()
    }

    /// Whether the complete figure is shown, and nothing is being read or computed for it.
    pub(super) fn is_at_rest(&self) -> bool {
        self.is_complete() && self.session.as_ref().is_some_and(|s| !s.is_computing())
    }

    /// The report on the frames.
    pub(super) fn frames(&mut self) -> &mut Frames {
        self.frames.size = self.size().unwrap_or_default();
        self.frames.worker = self.surface.worker();
        self.frames.counts = self.surface.counts();
        &mut self.frames
    }

    fn is_coarse(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_coarse)
    }

    /// Sets the shape of the pointer.
    pub(super) fn point(&mut self, icon: CursorIcon) {
        if icon != self.cursor {
            self.cursor = icon;
            self.window.set_cursor(icon);
        }
    }
}

/// The desktop's theme; light where it reports none.
fn theme_of(reported: Option<WindowTheme>) -> Theme {
    match reported {
        Some(WindowTheme::Dark) => Theme::Dark,
        Some(WindowTheme::Light) | None => Theme::Light,
    }
}

/// A plausible scale factor, whatever a driver reports.
fn sane(scale_factor: f64) -> f64 {
    if scale_factor.is_finite() && scale_factor > 0.0 { scale_factor.clamp(0.25, 16.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_desktop_without_a_theme_is_light() {
        let of = [None, Some(WindowTheme::Light), Some(WindowTheme::Dark)].map(theme_of);
        assert_eq!(of, [Theme::Light, Theme::Light, Theme::Dark]);
    }

    #[test]
    fn scale_factors_stay_sane() {
        assert_eq!(
            [1.5, 718.0, 1e-9, f64::NAN, f64::INFINITY, -2.0, 0.0].map(sane),
            [1.5, 16.0, 0.25, 1.0, 1.0, 1.0, 1.0]
        );
    }
}

//! Reactions of the window to a figure, an event, a step of a script.

use super::{App, Message, REST};
use crate::display::{no_display, of_device, reason};
use crate::options::fitted;
use crate::player::Player;
use crate::presenter::{Presenter, StartUpload};
use crate::script::Step;
use crate::session::Session;
use crate::slices::SliceAsker;
use crate::state::{Action, Command};
use crate::surface::{Presented, Surface};
use crate::swapchain::{Pace, Terms};
use gridscope_draw::error::Error;
use std::sync::Arc;
use std::time::Instant;
use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

impl<E: From<Error> + Send + 'static> App<E> {
    pub(super) fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<Presenter, Error> {
        let [width, height] = self.first_size(event_loop);
        let title = format!("{} - gridscope", self.options.file);
        let attributes =
            Window::default_attributes().with_title(title).with_inner_size(LogicalSize::new(width, height));
        // It becomes visible when its first frame is drawn.
        let window = event_loop
            .create_window(attributes.with_visible(false))
            .map_err(|e| no_display(&format!("no window: {}", reason(&e.to_string()))))?;
        let window = Arc::new(window);
        let pace = if self.options.script.is_empty() { Pace::Person } else { Pace::Script };
        let terms = Terms {
            preference: self.options.preference.clone(),
            pace,
            memory: self.options.memory,
            worker: self.options.worker,
        };
        let surface = Surface::open(window.clone(), event_loop.owned_display_handle(), terms)
            .map_err(|e| of_device(&e))?;
        let (proxy, ended) = (self.proxy.clone(), self.uploads.0.clone());
        let start_upload: StartUpload = Box::new(move |upload, grids| {
            let proxy = proxy.clone();
            upload.start(grids, ended.clone(), move || {
                let _ = proxy.send_event(Message::Uploaded);
            });
        });
        let proxy = self.proxy.clone();
        let wake = Arc::new(move || {
            let _ = proxy.send_event(Message::Computed);
        });
        let mut presenter =
            Presenter::new(window, surface, (&self.options.file, &self.options.stem), start_upload, wake)
                .with_slices(SliceAsker::new(self.options.slices.take()));
        if !self.options.script.is_empty() {
            presenter.be_patient();
        }
        if let Some(session) = self.ready.take() {
            presenter.enter(session);
            self.enter(&mut presenter);
        }
        // The first frame prepares pipelines and text, and the window does not flash black.
        presenter.draw()?;
        presenter.window().set_visible(true);
        presenter.request_frame();
        Ok(presenter)
    }

    /// The size of the new window in logical pixels. A script has the size that it asks for on any monitor.
    fn first_size(&self, event_loop: &ActiveEventLoop) -> [f64; 2] {
        if !self.options.script.is_empty() {
            return self.options.size;
        }
        let first = || event_loop.available_monitors().next();
        let monitor = event_loop.primary_monitor().or_else(first).map(|m| {
            let size = m.size().to_logical::<f64>(m.scale_factor());
            [size.width, size.height]
        });
        // A monitor that does not know its size says 0.
        fitted(self.options.size, monitor.filter(|m| m[0] > 0.0 && m[1] > 0.0))
    }

    /// Shows a figure that has come, perhaps a coarse one.
    pub(super) fn show(&mut self, session: Session) {
        let Some(mut presenter) = self.presenter.take() else {
            self.ready = Some(session);
            return;
        };
        let first = !presenter.has_figure();
        presenter.enter(session);
        if first {
            self.enter(&mut presenter);
            self.rest = None;
        }
        self.presenter = Some(presenter);
    }

    /// Prepares for the first frame of a figure.
    pub(super) fn enter(&mut self, presenter: &mut Presenter) {
        if let Some(path) = &self.options.path {
            self.recent.add(path);
        }
        presenter.set_recent(&self.recent.files());
        if self.options.frames {
            presenter.apply(&Command::Do(Action::Frames));
        }
        presenter.request_frame();
    }

    /// Draws a frame, if the window is visible. Events that came before it are applied first: they are about the frame before.
    pub(super) fn redraw(&mut self, event_loop: &ActiveEventLoop) {
        if self.catch_up() {
            return self.end(event_loop, None);
        }
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        if self.hidden {
            self.owed = true;
            return;
        }
        let start = Instant::now();
        match presenter.draw() {
            Ok(Presented::Yes) => {
                self.owed = false;
                self.probe.count_frame();
            }
            Ok(Presented::Later) => self.owed = true,
            Err(e) => return self.end(event_loop, Some(e.into())),
        }
        self.blink.seen(Instant::now());
        if presenter.has_figure() && presenter.add_frame_time(start.elapsed().as_secs_f64() * 1e3) {
            self.rest = Some(Instant::now() + REST);
        }
    }

    /// Applies all events since the last frame; returns whether the window closes.
    pub(super) fn catch_up(&mut self) -> bool {
        let Some(presenter) = &mut self.presenter else {
            return false;
        };
        let mut quits = false;
        for event in self.queue.drain(..) {
            let (geometry, state) = presenter.seen();
            let commands = self.input.event(event, geometry, state);
            if !self.typed.is_over() && commands.contains(&Command::Do(Action::Cancel)) {
                // Esc ends a line of the prompt that is still running.
                self.typed = Player::new(Vec::new());
            }
            quits = presenter.apply_all(&commands) || quits;
        }
        let (geometry, state) = presenter.seen();
        let icon = self.input.pointer(geometry, state);
        presenter.point(icon);
        self.open_wanted();
        quits
    }

    /// Carries out a step; returns whether the window closes.
    fn carry_out(&mut self, step: Step) -> bool {
        let Some(presenter) = &mut self.presenter else {
            return false;
        };
        match step {
            Step::Do(command) => return presenter.apply(&command),
            Step::Key(chord) => {
                let commands = self.input.press(chord, chord.text(), false, presenter.seen().1);
                return presenter.apply_all(&commands);
            }
            Step::Size(size) => presenter.ask_size(size),
            Step::LoseDevice => presenter.lose(),
            Step::Wait(_) => {}
        }
        false
    }

    /// Runs the next step of the lines that were entered in the prompt, if it is due; returns whether the window closes.
    pub(super) fn run_typed(&mut self, now: Instant) -> bool {
        let Some(presenter) = &mut self.presenter else {
            return false;
        };
        if self.typed.is_over() {
            self.typed = Player::new(presenter.take_lines());
        }
        // A step means what the step before it has left in the window, however long a frame takes.
        if presenter.is_damaged() && !self.owed && !self.hidden || presenter.waits_for_cells() {
            return false;
        }
        let Some(step) = self.typed.next(now, presenter.size()) else {
            return false;
        };
        presenter.request_frame();
        self.carry_out(step)
    }

    /// Runs a step of the script, and waits until its frame is drawn.
    pub(super) fn step(&mut self, event_loop: &ActiveEventLoop, step: Step) {
        let start = Instant::now();
        let has_frame = !matches!(step, Step::Wait(_) | Step::Size(_));
        if self.carry_out(step) {
            return self.end(event_loop, None);
        }
        self.open_wanted();
        let Some(presenter) = self.presenter.as_mut().filter(|_| has_frame) else {
            return;
        };
        let shown = match presenter.draw().and_then(|shown| presenter.wait().map(|()| shown)) {
            Ok(shown) => shown,
            Err(e) => return self.end(event_loop, Some(e.into())),
        };
        if shown == Presented::Later {
            presenter.frames().errors.push("the window was hidden during a frame".to_owned());
            return;
        }
        self.probe.count_frame();
        let ms = start.elapsed().as_secs_f64() * 1e3;
        presenter.frames().times.push(ms);
        if presenter.add_frame_time(ms) {
            self.rest = Some(Instant::now() + REST);
        }
    }

    pub(super) fn end(&mut self, event_loop: &ActiveEventLoop, failure: Option<E>) {
        // Only the first failure counts: closing the window reports it again.
        self.failure = self.failure.take().or(failure);
        event_loop.exit();
    }
}

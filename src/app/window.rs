//! The event loop: events become commands, several events share one frame, and nothing is done while nothing
//! changes.

use super::display::{event_loop, no_display, of_device, reason};
use super::frames::Frames;
use super::input::{Event, Input, translate};
use super::options::Options;
use super::player::Player;
use super::presenter::{Presenter, StartUpload};
use super::script::Step;
use super::session::{Data, Session};
use super::state::{Action, Command};
use super::surface::{Presented, Surface, Uploaded};
use super::swapchain::{Pace, Terms};
use crate::error::Error;
use crate::figure::Figure;
use crate::workers;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Window, WindowId};

/// The view comes to rest after this long without a move.
const REST: Duration = Duration::from_millis(150);
/// While a file is read, the seconds shown are updated this often.
const TICK: Duration = Duration::from_millis(500);

/// What a reader reports to the window.
#[derive(Debug)]
#[non_exhaustive]
pub enum News<E> {
    /// A figure; after a coarse one, the figure of all cells follows.
    Figure(Box<Session>),
    /// A file and the share read (0 to 1); `None`: all is read.
    Reads(Option<(String, Option<f64>)>),
    /// The data have changed.
    Changed(Box<(Figure, Data)>),
    /// The data have changed and cannot be read.
    Trouble(String),
    /// No figure will come.
    Failed(E),
}

/// What other threads report to the window.
enum Message<E> {
    News(News<E>),
    /// The reader has ended.
    Gone,
    /// An upload has ended.
    Uploaded,
}

/// Opens a window on a figure, and returns when it closes. A figure that is `ready`, perhaps a coarse one, is
/// in the first frame; `news` brings the figure otherwise, and later data.
///
/// # Errors
/// When there is no display or device, when the file is refused, or the figure cannot be drawn.
pub fn run<E: From<Error> + Send + 'static>(
    options: Options,
    ready: Option<Session>,
    news: Receiver<News<E>>,
) -> Result<Frames, E> {
    let event_loop = event_loop::<Message<E>>()?;
    let proxy = event_loop.create_proxy();
    let teller = proxy.clone();
    let hands_on = move || {
        // The window may have been closed.
        let sent = news
            .into_iter()
            .all(|n| teller.send_event(Message::News(n)).is_ok());
        let _ = sent && teller.send_event(Message::Gone).is_ok();
    };
    workers::detached(hands_on)
        .map_err(|e| no_display(&format!("no window: no thread can be started: {e}")))?;
    let player = Player::new(options.script.clone());
    let mut app = App {
        options,
        proxy,
        ready,
        presenter: None,
        uploads: channel(),
        input: Input::default(),
        queue: Vec::new(),
        player,
        started: Instant::now(),
        owed: false,
        hidden: false,
        rest: None,
        failure: None,
        frames: Frames::default(),
    };
    let ended = event_loop.run_app(&mut app);
    match (app.failure, ended) {
        (Some(e), _) => Err(e),
        (None, Err(e)) => Err(no_display(&format!("the connection to the display was lost: {e}")).into()),
        (None, Ok(())) => Ok(app.frames),
    }
}

struct App<E: 'static> {
    options: Options,
    proxy: EventLoopProxy<Message<E>>,
    /// A figure that came before the window was open.
    ready: Option<Session>,
    presenter: Option<Presenter>,
    /// Ends of uploads.
    uploads: (Sender<Uploaded>, Receiver<Uploaded>),
    input: Input,
    /// Events since the last frame.
    queue: Vec<Event>,
    player: Player,
    /// The time that events are measured from.
    started: Instant,
    /// A frame could not be shown; the next event tries again.
    owed: bool,
    /// The window is not visible.
    hidden: bool,
    /// When the view counts as resting; while a file is read, when the seconds are updated next.
    rest: Option<Instant>,
    failure: Option<E>,
    frames: Frames,
}

impl<E: From<Error> + Send + 'static> App<E> {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<Presenter, Error> {
        let [width, height] = self.options.size;
        let title = format!("{} - gridscope", self.options.file);
        let attributes = Window::default_attributes()
            .with_title(title)
            .with_inner_size(LogicalSize::new(width, height));
        // It becomes visible when its first frame is drawn.
        let window = event_loop
            .create_window(attributes.with_visible(false))
            .map_err(|e| no_display(&format!("no window: {}", reason(&e.to_string()))))?;
        let window = Arc::new(window);
        let pace = if self.options.script.is_empty() {
            Pace::Person
        } else {
            Pace::Script
        };
        let terms = Terms {
            preference: self.options.preference.clone(),
            pace,
            memory: self.options.memory,
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
        let mut presenter = Presenter::new(
            window,
            surface,
            (&self.options.file, &self.options.stem),
            start_upload,
        );
        if let Some(session) = self.ready.take() {
            presenter.enter(session);
            self.enter(&mut presenter);
        }
        // The first frame prepares pipelines and text, and the window does not flash black.
        presenter.draw()?;
        presenter.window().set_visible(true);
        presenter.window().request_redraw();
        Ok(presenter)
    }

    /// Shows a figure that has come, perhaps a coarse one.
    fn show(&mut self, session: Session) {
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
    fn enter(&self, presenter: &mut Presenter) {
        if self.options.frames {
            presenter.apply(&Command::Do(Action::Frames));
        }
        presenter.window().request_redraw();
    }

    /// Draws a frame, if the window is visible.
    fn redraw(&mut self, event_loop: &ActiveEventLoop) {
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        if self.hidden {
            self.owed = true;
            return;
        }
        let start = Instant::now();
        match presenter.draw() {
            Ok(shown) => self.owed = shown != Presented::Yes,
            Err(e) => return self.end(event_loop, Some(e.into())),
        }
        if presenter.has_figure() && presenter.add_frame_time(start.elapsed().as_secs_f64() * 1e3) {
            self.rest = Some(Instant::now() + REST);
        }
    }

    /// Applies all events since the last frame; returns whether the window closes.
    fn catch_up(&mut self) -> bool {
        let Some(presenter) = &mut self.presenter else {
            return false;
        };
        let mut quits = false;
        for event in self.queue.drain(..) {
            let (geometry, state) = presenter.seen();
            let commands = self.input.event(event, geometry, state);
            quits = presenter.apply_all(&commands) || quits;
        }
        let (geometry, state) = presenter.seen();
        let icon = self.input.pointer(geometry, state);
        presenter.point(icon);
        quits
    }

    /// Runs a step of the script, and waits until its frame is drawn.
    fn step(&mut self, event_loop: &ActiveEventLoop, step: Step) {
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        let start = Instant::now();
        let quits = match step {
            Step::Wait(_) => return,
            Step::Do(command) => presenter.apply(&command),
            Step::Key(chord) => {
                let commands = self.input.press(chord, chord.text(), false, presenter.seen().1);
                presenter.apply_all(&commands)
            }
            Step::Size(size) => return presenter.ask_size(size),
            Step::LoseDevice => {
                presenter.lose();
                false
            }
        };
        if quits {
            return self.end(event_loop, None);
        }
        let shown = match presenter
            .draw()
            .and_then(|shown| presenter.wait().map(|()| shown))
        {
            Ok(shown) => shown,
            Err(e) => return self.end(event_loop, Some(e.into())),
        };
        if shown == Presented::Later {
            presenter
                .frames()
                .errors
                .push("the window was hidden during a frame".to_owned());
            return;
        }
        let ms = start.elapsed().as_secs_f64() * 1e3;
        presenter.frames().times.push(ms);
        if presenter.add_frame_time(ms) {
            self.rest = Some(Instant::now() + REST);
        }
    }

    fn end(&mut self, event_loop: &ActiveEventLoop, failure: Option<E>) {
        // Only the first failure counts: closing the window reports it again.
        self.failure = self.failure.take().or(failure);
        event_loop.exit();
    }
}

impl<E: From<Error> + Send + 'static> ApplicationHandler<Message<E>> for App<E> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.presenter.is_some() {
            return;
        }
        match self.open(event_loop) {
            Ok(presenter) => self.presenter = Some(presenter),
            Err(e) => self.end(event_loop, Some(e.into())),
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, message: Message<E>) {
        match message {
            Message::Gone
                if self.ready.is_none() && self.presenter.as_ref().is_none_or(|s| !s.has_figure()) =>
            {
                self.end(event_loop, None);
            }
            Message::Gone => {}
            Message::News(News::Failed(e)) => self.end(event_loop, Some(e)),
            Message::News(News::Figure(session)) => self.show(*session),
            Message::News(news) => {
                let Some(presenter) = &mut self.presenter else {
                    return;
                };
                match news {
                    News::Reads(progress) => presenter.set_progress(progress),
                    News::Changed(now) => presenter.change(now.0, now.1),
                    News::Trouble(text) => presenter.show_message(&text),
                    News::Figure(_) | News::Failed(_) => {}
                }
            }
            Message::Uploaded => {
                if let Some(presenter) = &mut self.presenter {
                    let ended = self.uploads.1.try_iter();
                    ended.for_each(|(upload, done)| presenter.uploaded(upload, done));
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match &event {
            WindowEvent::RedrawRequested => return self.redraw(event_loop),
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return self.end(event_loop, None),
            WindowEvent::Occluded(hidden) => self.hidden = *hidden,
            WindowEvent::Resized(size) => self.presenter.iter_mut().for_each(|s| s.resize(*size)),
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                self.presenter.iter_mut().for_each(|s| s.rescale(*scale_factor));
            }
            _ => {}
        }
        let Some(presenter) = &self.presenter else { return };
        if self.owed
            || matches!(
                event,
                WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. }
            )
        {
            self.owed = false;
            presenter.window().request_redraw();
        }
        self.queue.extend(translate(&event, self.started.elapsed()));
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if self.catch_up() {
            return self.end(event_loop, None);
        }
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        let now = Instant::now();
        if presenter.is_complete() && !self.options.script.is_empty() {
            if let Some(step) = self.player.next(now, presenter.size()) {
                event_loop.set_control_flow(ControlFlow::Poll);
                return self.step(event_loop, step);
            }
            if self.player.is_over() && self.options.closes {
                return self.end(event_loop, None);
            }
        }
        if self.rest.is_none_or(|rest| rest <= now) {
            let ticks = !presenter.has_figure();
            if self.rest.take().is_some() || ticks {
                presenter.idle();
            }
            self.rest = ticks.then(|| now + TICK);
        }
        if presenter.is_damaged() && !self.owed {
            presenter.window().request_redraw();
        }
        let next = self.rest.into_iter().chain(self.player.until()).min();
        event_loop.set_control_flow(next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // The surface must be dropped before its display.
        if let Some(mut presenter) = self.presenter.take() {
            self.frames = std::mem::take(presenter.frames());
        }
    }
}

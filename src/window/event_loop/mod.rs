//! The event loop: events become commands, several events share one frame, and nothing is done while nothing
//! changes.

mod blink_clock;
mod event_clock;
mod slice_clock;
mod probe;
mod app;
mod opening;

use super::display::{event_loop, no_display};
use super::file_request::FileRequest;
use super::input::{Event, Input, translate};
use super::options::Options;
use super::player::{Frames, Player};
use super::presenter::Presenter;
use super::recent::Recent;
use super::session::{Data, Session, SliceWish};
use super::slices::SliceNews;
use super::state::Effect;
use super::surface::Uploaded;
use blink_clock::BlinkClock;
use event_clock::EventClock;
use gridscope_core::figure::Figure;
use gridscope_draw::error::Error;
use opening::Readers;
use probe::{Probe, Progress, Question};
use slice_clock::SliceClock;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::WindowId;

/// The view comes to rest after this long without a move.
const REST: Duration = Duration::from_millis(150);
/// While a file is read, the seconds shown are updated this often.
const TICK: Duration = Duration::from_millis(500);

/// Report of a reader to the window.
#[derive(Debug)]
#[non_exhaustive]
pub enum News<E> {
    /// A figure; after a coarse one, the figure of all cells follows.
    Figure(Box<Session>),
    /// A file and the share read (0 to 1); `None`: all is read.
    Reads(Option<(String, Option<f64>)>),
    /// The data have changed.
    Changed(Box<(Figure, Data)>),
    /// Another slice that was asked for.
    Slice(SliceNews),
    /// The data have changed and cannot be read.
    Trouble(String),
    /// The files that were asked for cannot be shown.
    Refused {
        /// Why.
        why: String,
        /// Flags with which they can, as in a shell; empty where none are known.
        flags: String,
    },
    /// No figure will come.
    Failed(E),
}

/// Files that are being read.
#[derive(Debug)]
pub struct Opened<E> {
    /// Brings its figure, and later data.
    pub news: Receiver<News<E>>,
    /// Who reads other slices of its arrays.
    pub slices: Option<Sender<SliceWish>>,
}

/// Starts to read other files, or those that are shown in another way; a text says why it cannot.
pub type Opener<E> = Box<dyn FnMut(&FileRequest) -> Result<Opened<E>, String>>;

/// Report of another thread to the window.
enum Message<E> {
    /// News of a reader, by its number.
    News(u64, News<E>),
    /// A reader has ended.
    Gone(u64),
    /// A person chose a file, or none, for what the effect asks for.
    Chosen(Effect, Option<PathBuf>),
    /// An upload has ended.
    Uploaded,
    /// Something was computed beside the window.
    Computed,
    /// A test waits for the window.
    Asked(Question),
}

/// Opens a window on a figure, and returns when it closes. A figure that is `ready`, perhaps a coarse one, is
/// in the first frame; `news` brings the figure otherwise, and later data. `opener` reads other files in its place;
/// without it the window opens none.
///
/// # Errors
/// When there is no display or device, when the file is refused, or the figure cannot be drawn.
pub fn run<E: From<Error> + Send + 'static>(
    options: Options,
    ready: Option<Session>,
    news: Receiver<News<E>>,
    opener: Option<Opener<E>>,
) -> Result<Frames, E> {
    let event_loop = event_loop::<Message<E>>()?;
    let proxy = event_loop.create_proxy();
    let readers = Readers::new(opener);
    readers.listen(news, &proxy).map_err(|e| no_display(&format!("no window: {e}")))?;
    let recent = match options.script.is_empty() {
        true => Recent::load(),
        false => Recent::default(),
    };
    let player = Player::new(options.script.clone());
    let asked = proxy.clone();
    let probe = Probe::connect(move |question| asked.send_event(Message::Asked(question)).is_ok());
    let mut app = App {
        options,
        proxy,
        readers,
        recent,
        ready,
        presenter: None,
        uploads: channel(),
        input: Input::default(),
        queue: Vec::new(),
        dropped: Vec::new(),
        player,
        typed: Player::new(Vec::new()),
        clock: EventClock::new(Instant::now()),
        probe,
        owed: false,
        hidden: false,
        rest: None,
        slices: SliceClock::default(),
        blink: BlinkClock::default(),
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
    readers: Readers<E>,
    /// The files that were opened last.
    recent: Recent,
    /// A figure that came before the window was open.
    ready: Option<Session>,
    presenter: Option<Presenter>,
    /// Ends of uploads.
    uploads: (Sender<Uploaded>, Receiver<Uploaded>),
    input: Input,
    /// Events since the last frame.
    queue: Vec<Event>,
    /// Files dropped since then.
    dropped: Vec<PathBuf>,
    player: Player,
    /// Lines entered in the prompt.
    typed: Player,
    clock: EventClock,
    probe: Probe,
    /// A frame could not be shown; the next event tries again.
    owed: bool,
    /// The window is not visible.
    hidden: bool,
    /// When the view counts as resting; while a file is read, when the seconds are updated next.
    rest: Option<Instant>,
    slices: SliceClock,
    blink: BlinkClock,
    failure: Option<E>,
    frames: Frames,
}

impl<E: From<Error> + Send + 'static> ApplicationHandler<Message<E>> for App<E> {
    fn new_events(&mut self, _: &ActiveEventLoop, _: StartCause) {
        self.clock.looks(Instant::now());
    }

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
            Message::News(reader, _) | Message::Gone(reader) if !self.readers.is_heard(reader) => {}
            Message::News(reader, news) if self.readers.is_next(reader) => self.next_news(event_loop, news),
            Message::Gone(reader) if self.readers.is_next(reader) => self.give_up_next(),
            Message::Chosen(purpose, file) => self.chosen(purpose, file),
            Message::Gone(_)
                if self.ready.is_none() && self.presenter.as_ref().is_none_or(|s| !s.has_figure()) =>
            {
                self.end(event_loop, None);
            }
            Message::Gone(_) => {}
            Message::News(_, News::Failed(e)) => self.end(event_loop, Some(e)),
            Message::News(_, News::Figure(session)) => self.show(*session),
            Message::News(_, news) => {
                let Some(presenter) = &mut self.presenter else {
                    return;
                };
                match news {
                    News::Reads(progress) => presenter.set_progress(progress),
                    News::Changed(now) => presenter.change(now.0, now.1),
                    News::Slice(slice) => presenter.show_slice(slice),
                    News::Trouble(text) => presenter.show_trouble(&text),
                    // Of a figure that is shown already, not all cells could be read.
                    News::Refused { why, .. } => {
                        presenter.set_progress(None);
                        presenter.show_trouble(&why);
                    }
                    News::Figure(_) | News::Failed(_) => {}
                }
            }
            Message::Computed => self.presenter.iter_mut().for_each(Presenter::computed),
            Message::Asked(question) => self.probe.ask(question),
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
            WindowEvent::DroppedFile(path) => self.dropped.push(path.clone()),
            WindowEvent::Occluded(hidden) => self.hidden = *hidden,
            WindowEvent::Resized(size) => self.presenter.iter_mut().for_each(|s| s.resize(*size)),
            WindowEvent::ThemeChanged(theme) => self.presenter.iter_mut().for_each(|s| s.retheme(*theme)),
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                self.presenter.iter_mut().for_each(|s| s.rescale(*scale_factor));
            }
            _ => {}
        }
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        if self.owed || matches!(event, WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. }) {
            self.owed = false;
            presenter.request_frame();
        }
        let when = self.clock.time(Instant::now());
        self.queue.extend(translate(&event, when));
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.turn(event_loop);
        if self.probe.is_asked() {
            self.answer(event_loop);
        }
        self.clock.waits(Instant::now());
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // The surface must be dropped before its display.
        if let Some(mut presenter) = self.presenter.take() {
            self.frames = std::mem::take(presenter.frames());
        }
    }
}

impl<E: From<Error> + Send + 'static> App<E> {
    /// Does what is due, and decides when the loop wakes without an event.
    fn turn(&mut self, event_loop: &ActiveEventLoop) {
        if self.catch_up() || self.run_typed(Instant::now()) {
            return self.end(event_loop, None);
        }
        self.open_dropped();
        let is_running = !self.typed.is_over();
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        let now = Instant::now();
        if presenter.is_complete() && !self.readers.has_next() && !self.options.script.is_empty() {
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
        if !self.hidden {
            self.slices.tick(presenter, now);
            if self.blink.ticks(presenter.is_blinking(), now) {
                presenter.blink_on();
            }
        }
        presenter.ask_slices();
        let fades = presenter.fade(now);
        if presenter.is_damaged() && !self.owed {
            presenter.request_frame();
        }
        if is_running && self.typed.until().is_none() {
            return event_loop.set_control_flow(ControlFlow::Poll);
        }
        let waits = [
            self.rest,
            self.player.until(),
            self.typed.until(),
            self.slices.next(),
            // Sides of a window that is not seen wait.
            self.blink.next().filter(|_| !self.hidden),
            fades,
        ];
        let next = waits.into_iter().flatten().min();
        event_loop.set_control_flow(next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    /// Answers a test, if the window is as far as it waits for.
    fn answer(&mut self, event_loop: &ActiveEventLoop) {
        if self.probe.looks_again() {
            return event_loop.set_control_flow(ControlFlow::Poll);
        }
        let is_over = self.queue.is_empty() && self.typed.is_over();
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        self.probe.answer(Progress {
            shown: is_over && !self.owed && !presenter.is_frame_due(),
            rests: presenter.is_at_rest()
                && self.rest.is_none()
                && self.player.is_over()
                && !self.readers.has_next(),
            timed: event_loop.control_flow() != ControlFlow::Wait,
        });
    }
}

//! The event loop: events to commands, one frame for all that came together, and no work where nothing changes.

use super::command::Command;
use super::display::{event_loop, no_display, reason};
use super::frames::Frames;
use super::input::{Event, Input, translate};
use super::overlay::status_height;
use super::player::Player;
use super::screen::{Holding, Pace, Screen, Shown, Terms};
use super::script::{Line, Step};
use super::session::{Data, Session};
use super::stage::{Hold, Stage, of_device};
use crate::error::Error;
use crate::figure::Figure;
use crate::gpu::{GpuError, Wish};
use crate::workers;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Window, WindowId};

/// The window in logical pixels, where the figure names no size.
const SIZE: [f64; 2] = [1280.0, 800.0];
/// No side begins smaller or larger than this.
const SIDES: [f64; 2] = [64.0, 8192.0];
/// After this long without a move the view rests.
const REST: Duration = Duration::from_millis(150);
/// While a file is read, the window tells so often for how long.
const TICK: Duration = Duration::from_millis(500);

/// How the window is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// The file's name, for the title.
    pub file: String,
    /// The first part of the names of what is kept.
    pub stem: String,
    /// The window in logical pixels.
    pub size: [f64; 2],
    /// Which device.
    pub wish: Wish,
    /// Bytes that grids may take on the device.
    pub memory: u64,
    /// A frame each, once the figure is there.
    pub script: Vec<Line>,
    /// The window closes when the script ends.
    pub closes: bool,
    /// Frame times are shown.
    pub frames: bool,
}

/// What a reader tells the window.
pub enum News<E> {
    /// The figure; a coarse one is looked at until another one comes.
    Figure(Box<Session>),
    /// A file and how far it is read; none: it is.
    Reads(Option<(String, Option<f64>)>),
    /// The data are others now.
    Changed(Box<(Figure, Data)>),
    /// The data changed and cannot be read.
    Trouble(String),
    /// There will be no figure.
    Failed(E),
}

/// What other threads tell the window.
enum Message<E> {
    News(News<E>),
    /// The reader has ended.
    Gone,
    Held(Box<Holding>, Result<(), GpuError>),
}

/// Opens a window on a figure, and stays until it closes. One that is `ready`, perhaps a coarse one, is in its first frame.
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
        // A window that is closed by now needs no news.
        let told = news
            .into_iter()
            .all(|n| teller.send_event(Message::News(n)).is_ok());
        let _ = told && teller.send_event(Message::Gone).is_ok();
    };
    workers::detached(hands_on)
        .map_err(|e| no_display(&format!("no window: no thread can be started: {e}")))?;
    let player = Player::new(options.script.clone());
    let mut app = App {
        options,
        proxy,
        ready,
        stage: None,
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
        (None, Err(e)) => Err(no_display(&format!("the display went away: {e}")).into()),
        (None, Ok(())) => Ok(app.frames),
    }
}

struct App<E: 'static> {
    options: Options,
    proxy: EventLoopProxy<Message<E>>,
    /// A figure that was there before the window.
    ready: Option<Session>,
    stage: Option<Stage>,
    input: Input,
    /// What a person did since the last frame.
    queue: Vec<Event>,
    player: Player,
    /// Where the clock of events begins.
    started: Instant,
    /// A frame could not be shown: the next event tries again.
    owed: bool,
    /// Nobody can see the window.
    hidden: bool,
    /// When the view counts as resting, or while a file is read, when to tell so again.
    rest: Option<Instant>,
    failure: Option<E>,
    frames: Frames,
}

impl<E: From<Error> + Send + 'static> App<E> {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<Stage, Error> {
        let [width, height] = self.options.size;
        let title = format!("{} - gridscope", self.options.file);
        let attributes = Window::default_attributes()
            .with_title(title)
            .with_inner_size(LogicalSize::new(width, height));
        // Seen as soon as there is something to see.
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
            wish: self.options.wish.clone(),
            pace,
            memory: self.options.memory,
        };
        let screen = Screen::open(window.clone(), event_loop.owned_display_handle(), terms)
            .map_err(|e| of_device(&e))?;
        let proxy = self.proxy.clone();
        let hold: Hold = Box::new(move |mut holding, grids| {
            let proxy = proxy.clone();
            workers::aside(move || {
                let done = holding.hold(&grids);
                let _ = proxy.send_event(Message::Held(Box::new(holding), done));
            });
        });
        let mut stage = Stage::new(window, screen, (&self.options.file, &self.options.stem), hold);
        if let Some(session) = self.ready.take() {
            stage.enter(session);
            self.enter(&mut stage);
        }
        // Drawn before it is seen: pipelines and text are ready, and nothing black flashes up.
        stage.draw()?;
        stage.window().set_visible(true);
        stage.window().request_redraw();
        Ok(stage)
    }

    /// A figure has come, perhaps a coarse one.
    fn show(&mut self, session: Session) {
        let Some(mut stage) = self.stage.take() else {
            self.ready = Some(session);
            return;
        };
        let first = !stage.has_figure();
        stage.enter(session);
        if first {
            self.enter(&mut stage);
            self.rest = None;
        }
        self.stage = Some(stage);
    }

    /// The first command of a figure that has come.
    fn enter(&self, stage: &mut Stage) {
        if self.options.frames {
            stage.apply(&Command::Frames);
        }
        stage.window().request_redraw();
    }

    /// A frame, if the window can be seen.
    fn redraw(&mut self, event_loop: &ActiveEventLoop) {
        let Some(stage) = &mut self.stage else { return };
        if self.hidden {
            self.owed = true;
            return;
        }
        let start = Instant::now();
        match stage.draw() {
            Ok(shown) => self.owed = shown != Shown::Yes,
            Err(e) => return self.end(event_loop, Some(e.into())),
        }
        if stage.has_figure() && stage.took(start.elapsed().as_secs_f64() * 1e3) {
            self.rest = Some(Instant::now() + REST);
        }
    }

    /// What a person did since the last frame, all of it before the next one; gives whether the window closes.
    fn catch_up(&mut self) -> bool {
        let Some(stage) = &mut self.stage else {
            return false;
        };
        let mut quits = false;
        for event in self.queue.drain(..) {
            let (world, state) = stage.seen();
            let commands = self.input.event(event, world, state);
            quits = stage.apply_all(&commands) || quits;
        }
        let (world, state) = stage.seen();
        let icon = self.input.pointer(world, state);
        stage.point(icon);
        quits
    }

    /// A step of the script, and its frame drawn to its end.
    fn step(&mut self, event_loop: &ActiveEventLoop, step: Step) {
        let Some(stage) = &mut self.stage else { return };
        let start = Instant::now();
        let quits = match step {
            Step::Wait(_) => return,
            Step::Do(command) => stage.apply(&command),
            Step::Key(chord) => {
                let commands = self.input.press(chord, chord.text(), false, stage.seen().1);
                stage.apply_all(&commands)
            }
            Step::Size(size) => return stage.ask_size(size),
            Step::LoseDevice => {
                stage.lose();
                false
            }
        };
        if quits {
            return self.end(event_loop, None);
        }
        let shown = match stage.draw().and_then(|shown| stage.wait().map(|()| shown)) {
            Ok(shown) => shown,
            Err(e) => return self.end(event_loop, Some(e.into())),
        };
        if shown == Shown::Later {
            stage
                .frames()
                .errors
                .push("a frame found the window hidden".to_owned());
            return;
        }
        let ms = start.elapsed().as_secs_f64() * 1e3;
        stage.frames().times.push(ms);
        if stage.took(ms) {
            self.rest = Some(Instant::now() + REST);
        }
    }

    fn end(&mut self, event_loop: &ActiveEventLoop, failure: Option<E>) {
        // A window that goes with its failure tells so once more.
        self.failure = self.failure.take().or(failure);
        event_loop.exit();
    }
}

impl<E: From<Error> + Send + 'static> ApplicationHandler<Message<E>> for App<E> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.stage.is_some() {
            return;
        }
        match self.open(event_loop) {
            Ok(stage) => self.stage = Some(stage),
            Err(e) => self.end(event_loop, Some(e.into())),
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, message: Message<E>) {
        match message {
            Message::Gone if self.ready.is_none() && self.stage.as_ref().is_none_or(|s| !s.has_figure()) => {
                self.end(event_loop, None)
            }
            Message::Gone => {}
            Message::News(News::Failed(e)) => self.end(event_loop, Some(e)),
            Message::News(News::Figure(session)) => self.show(*session),
            Message::News(news) => {
                let Some(stage) = &mut self.stage else { return };
                match news {
                    News::Reads(progress) => stage.reads(progress),
                    News::Changed(now) => stage.change(now.0, now.1),
                    News::Trouble(text) => stage.say(&text),
                    News::Figure(_) | News::Failed(_) => {}
                }
            }
            Message::Held(holding, done) => {
                if let Some(stage) = &mut self.stage {
                    stage.held(*holding, done);
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match &event {
            WindowEvent::RedrawRequested => return self.redraw(event_loop),
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return self.end(event_loop, None),
            WindowEvent::Occluded(hidden) => self.hidden = *hidden,
            WindowEvent::Resized(size) => self.stage.iter_mut().for_each(|s| s.resize(*size)),
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                self.stage.iter_mut().for_each(|s| s.rescale(*scale_factor))
            }
            _ => {}
        }
        let Some(stage) = &self.stage else { return };
        if self.owed
            || matches!(
                event,
                WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. }
            )
        {
            self.owed = false;
            stage.window().request_redraw();
        }
        self.queue.extend(translate(&event, self.started.elapsed()));
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if self.catch_up() {
            return self.end(event_loop, None);
        }
        let Some(stage) = &mut self.stage else { return };
        let now = Instant::now();
        if stage.is_settled() && !self.options.script.is_empty() {
            if let Some(step) = self.player.next(now, stage.size()) {
                event_loop.set_control_flow(ControlFlow::Poll);
                return self.step(event_loop, step);
            }
            if self.player.is_over() && self.options.closes {
                return self.end(event_loop, None);
            }
        }
        if self.rest.is_none_or(|rest| rest <= now) {
            let ticks = !stage.has_figure();
            if self.rest.take().is_some() || ticks {
                stage.settle();
            }
            self.rest = ticks.then(|| now + TICK);
        }
        if stage.is_damaged() && !self.owed {
            stage.window().request_redraw();
        }
        let next = self.rest.into_iter().chain(self.player.until()).min();
        event_loop.set_control_flow(next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // The surface goes before its display does.
        if let Some(mut stage) = self.stage.take() {
            self.frames = std::mem::take(stage.frames());
        }
    }
}

/// The window that a figure asks for, in logical pixels, its status line included.
pub fn wanted(figure: &Figure) -> [f64; 2] {
    // Pixels of a figure with a resolution of its own are those of a display as fine.
    let dpi = figure
        .size
        .dpi
        .filter(|d| (1.0..=10_000.0).contains(d))
        .unwrap_or(96.0);
    let side = |given: &Option<crate::figure::Length>, usual: f64, more: f64| {
        let pixels = given
            .as_ref()
            .and_then(|l| l.pixels(dpi, "px").ok())
            .map(|p| p * 96.0 / dpi + more);
        pixels.map_or(usual, |p| p.clamp(SIDES[0], SIDES[1]))
    };
    [
        side(&figure.size.width, SIZE[0], 0.0),
        side(&figure.size.height, SIZE[1], f64::from(status_height(1.0))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Length;

    #[test]
    fn the_window_is_as_large_as_the_figure_says() {
        let of = |w: &str, h: &str| {
            let mut figure = Figure::default();
            (figure.size.width, figure.size.height) =
                (Some(Length(w.to_owned())), Some(Length(h.to_owned())));
            wanted(&figure)
        };
        assert_eq!(
            (of("6.5in", "auto"), of("900", "1e9"), of("1px", "72pt")),
            ([624.0, 800.0], [900.0, 8192.0], [64.0, 120.0])
        );
        assert_eq!(wanted(&Figure::default()), SIZE);
    }
}

//! Other files in the same window, or the same ones with other flags: dropped, chosen in a dialog, named in the prompt. The figure
//! stays until the next one can be shown, and if that fails.

use super::{App, Message, News, Opened, Opener};
use crate::file_request::FileRequest;
use crate::options::stem;
use crate::presenter::Wanted;
use crate::session::Session;
use crate::slices::SliceAsker;
use crate::state::{Command, Effect, Typing};
use gridscope_core::text::one_line;
use gridscope_core::workers;
use gridscope_draw::error::Error;
use rfd::AsyncFileDialog;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};

/// Said where no file was chosen in a dialog, and where this machine has none.
const NOT_CHOSEN: &str = "no file chosen; :open FILE opens one too, or a file dropped here";
const NO_DIALOG: &str = "no file dialog on this machine: type the file's name, or drop it here";

/// The readers whose news count: that of the figure, and that of the file to be shown next.
pub(super) struct Readers<E: 'static> {
    opener: Option<Opener<E>>,
    /// The number of the figure's reader.
    current: Arc<AtomicU64>,
    /// The reader that was started last.
    last: Arc<AtomicU64>,
    /// What is shown.
    shown: FileRequest,
    /// What is read to be shown next, if anything, by the reader that was started last; and who reads its slices.
    next: Option<(FileRequest, SliceAsker)>,
}

impl<E: From<Error> + Send + 'static> Readers<E> {
    pub(super) fn new(opener: Option<Opener<E>>) -> Self {
        Self {
            opener,
            current: Arc::default(),
            last: Arc::default(),
            shown: FileRequest::default(),
            next: None,
        }
    }

    /// Sends the news of the reader that was started last to the event loop, while they count.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(super) fn listen(
        &self,
        news: Receiver<News<E>>,
        proxy: &EventLoopProxy<Message<E>>,
    ) -> Result<(), String> {
        let (proxy, current, last) = (proxy.clone(), self.current.clone(), self.last.clone());
        let reader = last.load(Ordering::Relaxed);
        let hands_on = move || {
            // A reader ends when nobody hears it: the window may have been closed, or may show another file.
            let counts = || [&current, &last].iter().any(|n| n.load(Ordering::Relaxed) == reader);
            let sent =
                news.into_iter().all(|n| counts() && proxy.send_event(Message::News(reader, n)).is_ok());
            let _ = sent && proxy.send_event(Message::Gone(reader)).is_ok();
        };
        workers::detached(hands_on).map(drop).map_err(|e| format!("no thread can be started: {e}"))
    }

    /// Whether the news of a reader count.
    pub(super) fn is_heard(&self, reader: u64) -> bool {
        reader == self.current.load(Ordering::Relaxed) || self.is_next(reader)
    }

    /// Whether a reader brings the next figure.
    pub(super) fn is_next(&self, reader: u64) -> bool {
        self.next.is_some() && reader == self.last.load(Ordering::Relaxed)
    }

    /// Whether another file is being read.
    pub(super) fn has_next(&self) -> bool {
        self.next.is_some()
    }

    /// Starts to read files.
    fn start(&mut self, request: FileRequest, proxy: &EventLoopProxy<Message<E>>) -> Result<(), String> {
        let Some(opener) = &mut self.opener else {
            return Err("this window opens no other file".to_owned());
        };
        let Opened { news, slices } = opener(&request)?;
        self.last.fetch_add(1, Ordering::Relaxed);
        self.listen(news, proxy)?;
        self.next = Some((request, SliceAsker::new(slices)));
        Ok(())
    }

    /// The next file becomes that of the figure. Returns who reads its slices, and the further flags where the same files were read
    /// again.
    fn arrive(&mut self) -> Option<(SliceAsker, Option<Vec<String>>)> {
        let reader = self.last.load(Ordering::Relaxed);
        self.current.store(reader, Ordering::Relaxed);
        let (request, slices) = self.next.take()?;
        let before = std::mem::replace(&mut self.shown, request);
        Some((slices, self.shown.further(&before)))
    }
}

impl<E: From<Error> + Send + 'static> App<E> {
    /// Opens what a command asked for.
    pub(super) fn open_wanted(&mut self) {
        match self.presenter.as_mut().and_then(crate::presenter::Presenter::take_wanted) {
            Some(Wanted::Dialog(purpose)) => self.ask_file(purpose),
            Some(Wanted::Files(Command::Open { file, flags })) => {
                self.open_next(FileRequest::new(vec![file], flags));
            }
            Some(Wanted::Files(Command::Read(flags))) => self.open_next(self.readers.shown.with(flags)),
            Some(Wanted::Files(_)) | None => {}
        }
    }

    /// Asks for a file, in a dialog of the desktop.
    fn ask_file(&mut self, purpose: Effect) {
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        let title = if purpose == Effect::CompareDialog { "Compare with a file" } else { "Open a file" };
        let dialog = AsyncFileDialog::new().set_title(title).set_parent(presenter.window());
        let (chosen, proxy) = (dialog.pick_file(), self.proxy.clone());
        let waits = move || {
            let file = pollster::block_on(chosen).map(|file| file.path().to_owned());
            // The window may have been closed.
            let _ = proxy.send_event(Message::Chosen(purpose, file));
        };
        if let Err(e) = workers::detached(waits) {
            presenter.show_message(&format!("no thread can be started: {e}"));
        }
    }

    /// A person chose a file, or none.
    pub(super) fn chosen(&mut self, purpose: Effect, file: Option<PathBuf>) {
        let compares = purpose == Effect::CompareDialog;
        match (file, &mut self.presenter) {
            (Some(file), _) if compares => self.open_paths(&[file], |shown, files| {
                shown.with([vec!["--against".to_owned()], files].concat())
            }),
            (Some(file), _) => self.open_paths(&[file], |_, files| FileRequest::new(files, Vec::new())),
            (None, Some(presenter)) => {
                if has_dialogs() {
                    presenter.show_message(NOT_CHOSEN);
                } else {
                    let word = if compares { "compare" } else { "open" };
                    _ = presenter.apply(&Command::Type(Typing::Prompt(word.to_owned())));
                    presenter.show_message(NO_DIALOG);
                }
            }
            (None, None) => {}
        }
    }

    /// Opens files that were dropped, together as the command line does.
    pub(super) fn open_dropped(&mut self) {
        let dropped = std::mem::take(&mut self.dropped);
        if !dropped.is_empty() {
            self.open_paths(&dropped, |_, files| FileRequest::new(files, Vec::new()));
        }
    }

    /// Starts to read what `request` makes of what is shown and of paths.
    fn open_paths(&mut self, paths: &[PathBuf], request: impl Fn(&FileRequest, Vec<String>) -> FileRequest) {
        let names: Option<Vec<String>> = paths.iter().map(|path| path.to_str().map(str::to_owned)).collect();
        match (names, &mut self.presenter) {
            (Some(names), _) => self.open_next(request(&self.readers.shown, names)),
            (None, Some(presenter)) => presenter.show_message("not opened: a name that is not UTF-8"),
            (None, None) => {}
        }
    }

    /// Starts to read what takes the place of the figure. Of several requests, the last one is shown.
    fn open_next(&mut self, request: FileRequest) {
        let request = request.at_home(std::env::home_dir().as_deref());
        let name = self.name_of(&request);
        let started = self.readers.start(request, &self.proxy);
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        match started {
            Ok(()) => presenter.set_progress(Some((name, None))),
            Err(why) => presenter.show_message(&format!("{name} is not opened: {why}")),
        }
    }

    /// What a request reads, for people.
    fn name_of(&self, request: &FileRequest) -> String {
        if request.files.is_empty() { self.options.file.clone() } else { request.to_string() }
    }

    /// News of the file to be shown next.
    pub(super) fn next_news(&mut self, event_loop: &ActiveEventLoop, news: News<E>) {
        match news {
            News::Figure(session) => self.show_next(*session),
            News::Failed(e) => self.end(event_loop, Some(e)),
            News::Refused { why, flags } => self.refuse_next(&why, &flags),
            News::Reads(progress) => {
                self.presenter.iter_mut().for_each(|p| p.set_progress(progress.clone()));
            }
            News::Changed(_) | News::Slice(_) | News::Trouble(_) => {}
        }
    }

    /// The next file is refused; with flags that may help, the prompt is open for them.
    fn refuse_next(&mut self, why: &str, flags: &str) {
        let line = match &self.readers.next {
            Some((request, _)) if !flags.is_empty() => request.line(flags),
            _ => None,
        };
        self.give_up_next();
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        match line {
            Some(line) => presenter.refuse(&line, why),
            None => presenter.show_message(&one_line(&format!("not opened: {why}"))),
        }
    }

    /// The next file cannot be shown.
    pub(super) fn give_up_next(&mut self) {
        self.readers.next = None;
        self.presenter.iter_mut().for_each(|p| p.set_progress(None));
    }

    fn show_next(&mut self, session: Session) {
        let Some((slices, again)) = self.readers.arrive() else {
            return;
        };
        let shown = &self.readers.shown;
        if let Some(first) = shown.files.first() {
            (self.options.file, self.options.stem) = (self.name_of(shown), stem(first));
            let is_one = shown.files.len() == 1;
            self.options.path = self.options.path.as_ref().and(Some(first)).filter(|_| is_one).cloned();
        }
        let Some(mut presenter) = self.presenter.take() else {
            self.ready = Some(session);
            return;
        };
        presenter.call(&self.options.file, &self.options.stem);
        presenter.replace(session, slices, again.as_deref());
        self.enter(&mut presenter);
        self.rest = None;
        self.presenter = Some(presenter);
    }
}

/// Whether this machine may have a dialog: on Unix, a session bus for the desktop's own or a program for one.
fn has_dialogs() -> bool {
    if !cfg!(unix) || cfg!(target_os = "macos") {
        return true;
    }
    let bus = std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|dir| Path::new(&dir).join("bus").exists());
    let programs = std::env::var_os("PATH").unwrap_or_default();
    bus || std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
        || std::env::split_paths(&programs).any(|dir| dir.join("zenity").is_file())
}

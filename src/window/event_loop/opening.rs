//! Other files in the same window: dropped, chosen in a dialog, or opened before. The figure stays until the next one
//! can be shown, and if that fails.

use super::{App, Message, News, Opened, Opener};
use crate::options::stem;
use crate::presenter::Wanted;
use crate::session::Session;
use crate::slices::SliceAsker;
use crate::state::{Command, Typing};
use gridscope_core::text::{clean, one_line};
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
    /// The file that is read to be shown next, if any, by the reader that was started last; and who reads its slices.
    next: Option<(PathBuf, SliceAsker)>,
}

impl<E: From<Error> + Send + 'static> Readers<E> {
    pub(super) fn new(opener: Option<Opener<E>>) -> Self {
        Self { opener, current: Arc::default(), last: Arc::default(), next: None }
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

    /// Starts to read a file.
    fn start(&mut self, path: &Path, proxy: &EventLoopProxy<Message<E>>) -> Result<(), String> {
        let Some(opener) = &mut self.opener else {
            return Err("this window opens no other file".to_owned());
        };
        let name = path.to_str().ok_or("its name is not UTF-8")?;
        let Opened { news, slices } = opener(name)?;
        self.last.fetch_add(1, Ordering::Relaxed);
        self.listen(news, proxy)?;
        self.next = Some((path.to_owned(), SliceAsker::new(slices)));
        Ok(())
    }

    /// The next file becomes that of the figure.
    fn arrive(&mut self) -> Option<(PathBuf, SliceAsker)> {
        let reader = self.last.load(Ordering::Relaxed);
        self.current.store(reader, Ordering::Relaxed);
        self.next.take()
    }
}

impl<E: From<Error> + Send + 'static> App<E> {
    /// Opens the file of a command.
    pub(super) fn open_wanted(&mut self) {
        match self.presenter.as_mut().and_then(crate::presenter::Presenter::take_wanted) {
            Some(Wanted::Dialog) => self.ask_file(),
            Some(Wanted::File(file)) => self.open_next(&at_home(&file, std::env::home_dir())),
            None => {}
        }
    }

    /// Asks for a file, in a dialog of the desktop.
    fn ask_file(&mut self) {
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        let dialog = AsyncFileDialog::new().set_title("Open a file").set_parent(presenter.window());
        let (chosen, proxy) = (dialog.pick_file(), self.proxy.clone());
        let waits = move || {
            let file = pollster::block_on(chosen).map(|file| file.path().to_owned());
            // The window may have been closed.
            let _ = proxy.send_event(Message::Chosen(file));
        };
        if let Err(e) = workers::detached(waits) {
            presenter.show_message(&format!("no thread can be started: {e}"));
        }
    }

    /// A person chose a file, or none.
    pub(super) fn chosen(&mut self, file: Option<PathBuf>) {
        match (file, &mut self.presenter) {
            (Some(file), _) => self.open_next(&file),
            (None, Some(presenter)) => {
                if has_dialogs() {
                    presenter.show_message(NOT_CHOSEN);
                } else {
                    _ = presenter.apply(&Command::Type(Typing::Prompt("open".to_owned())));
                    presenter.show_message(NO_DIALOG);
                }
            }
            (None, None) => {}
        }
    }

    /// Starts to read a file that takes the place of this one. Of several, the last one is shown.
    pub(super) fn open_next(&mut self, path: &Path) {
        let started = self.readers.start(path, &self.proxy);
        let Some(presenter) = &mut self.presenter else {
            return;
        };
        match started {
            Ok(()) => presenter.set_progress(Some((name(path), None))),
            Err(why) => presenter.show_message(&format!("{} is not opened: {why}", name(path))),
        }
    }

    /// News of the file to be shown next.
    pub(super) fn next_news(&mut self, event_loop: &ActiveEventLoop, news: News<E>) {
        match news {
            News::Figure(session) => self.show_next(*session),
            News::Failed(e) => self.end(event_loop, Some(e)),
            News::Trouble(why) => {
                self.give_up_next();
                let Some(presenter) = &mut self.presenter else {
                    return;
                };
                presenter.show_message(&one_line(&why));
            }
            News::Reads(progress) => {
                self.presenter.iter_mut().for_each(|p| p.set_progress(progress.clone()));
            }
            News::Changed(_) | News::Slice(_) => {}
        }
    }

    /// The next file cannot be shown.
    pub(super) fn give_up_next(&mut self) {
        self.readers.next = None;
        self.presenter.iter_mut().for_each(|p| p.set_progress(None));
    }

    fn show_next(&mut self, session: Session) {
        let Some((path, slices)) = self.readers.arrive() else {
            return;
        };
        (self.options.file, self.options.stem) = (name(&path), stem(&path.to_string_lossy()));
        self.options.path = self.options.path.as_ref().and(path.to_str().map(str::to_owned));
        let Some(mut presenter) = self.presenter.take() else {
            self.ready = Some(session);
            return;
        };
        presenter.replace(session, slices, &self.options.file, &self.options.stem);
        self.enter(&mut presenter);
        self.rest = None;
        self.presenter = Some(presenter);
    }
}

/// The path of a file that was named; `~` is the home folder.
fn at_home(file: &str, home: Option<PathBuf>) -> PathBuf {
    match (file.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with(['/', std::path::MAIN_SEPARATOR]) => {
            home.join(rest.trim_start_matches(['/', std::path::MAIN_SEPARATOR]))
        }
        _ => PathBuf::from(file),
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

/// The name of a file, for people.
fn name(path: &Path) -> String {
    clean(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_the_home_folder() {
        let at = |file: &str| at_home(file, Some(PathBuf::from("/home/me")));
        assert_eq!(
            ["~/runs/a.csv", "~", "~me/a.csv", "runs/~/a.csv", "/a.csv"].map(at),
            ["/home/me/runs/a.csv", "/home/me/", "~me/a.csv", "runs/~/a.csv", "/a.csv"].map(PathBuf::from)
        );
        assert_eq!(at_home("~/a.csv", None), PathBuf::from("~/a.csv"));
    }
}

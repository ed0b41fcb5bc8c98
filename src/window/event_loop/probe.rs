//! Probe of a window, for tests: over a socket they ask for the moment when the window has done all that it was asked to do,
//! and wait for that instead of some time. Without the variable that names the socket there is none.

use gridscope_core::workers;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};

/// Variable that names a Unix socket on which a test listens.
const SOCKET: &str = "GRIDSCOPE_PROBE";

/// Question of a test, in a line of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// `shown`: all events that came before the question are in the frame that is shown.
    Shown,
    /// `rests`: nothing else is on its way either, from files, from the device, from threads or from a script.
    Rests,
}

impl Question {
    fn parse(line: &str) -> Option<Self> {
        match line {
            "shown" => Some(Self::Shown),
            "rests" => Some(Self::Rests),
            _ => None,
        }
    }
}

/// How far a window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// All events received so far are in the frame that is shown.
    pub shown: bool,
    /// Nothing is on its way.
    pub rests: bool,
    /// The window acts by itself at some time, without an event: it plays or blinks, or a message goes away.
    pub timed: bool,
}

/// The window's end of the socket.
#[derive(Default)]
pub(super) struct Probe {
    answers: Option<Box<dyn Write>>,
    asked: Option<Question>,
    /// Events that came before the question may still have to be received.
    is_new: bool,
    /// Serial number of the last frame that was shown.
    frame: u64,
}

impl Probe {
    /// Connects to the socket that the environment names, if any. `ask` passes questions on to the event loop until it
    /// returns `false`.
    pub(super) fn connect(ask: impl FnMut(Question) -> bool + Send + 'static) -> Self {
        let ends = std::env::var_os(SOCKET).and_then(|path| socket(path).ok());
        ends.map_or_else(Self::default, |(questions, answers)| Self::between(questions, answers, ask))
    }

    fn between(
        questions: impl Read + Send + 'static,
        answers: impl Write + 'static,
        mut ask: impl FnMut(Question) -> bool + Send + 'static,
    ) -> Self {
        let passes_on = move || {
            let lines = BufReader::new(questions).lines().map_while(io::Result::ok);
            lines.filter_map(|l| Question::parse(&l)).all(&mut ask)
        };
        // A test without answers fails.
        let _ = workers::detached(move || _ = passes_on());
        Self { answers: Some(Box::new(answers)), ..Self::default() }
    }

    /// A test asks.
    pub(super) fn ask(&mut self, question: Question) {
        (self.asked, self.is_new) = (Some(question), true);
    }

    /// Whether a test waits for an answer.
    pub(super) fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether the loop has to look for events once more before an answer. It takes up a question after events: one that came
    /// between the two was made before the question and is received after it.
    pub(super) fn looks_again(&mut self) -> bool {
        std::mem::take(&mut self.is_new)
    }

    /// A frame was shown.
    pub(super) fn count_frame(&mut self) {
        self.frame += 1;
    }

    /// Answers if the window is as far as the test waits for: the number of the frame that is shown, and `timed` or `still`.
    pub(super) fn answer(&mut self, progress: Progress) {
        let is_there = match self.asked {
            None => false,
            Some(Question::Shown) => progress.shown,
            Some(Question::Rests) => progress.shown && progress.rests,
        };
        if let (true, Some(answers)) = (is_there, &mut self.answers) {
            self.asked = None;
            let then = if progress.timed { "timed" } else { "still" };
            // The test may have ended.
            let _ = writeln!(answers, "{} {then}", self.frame);
        }
    }
}

#[cfg(unix)]
fn socket(path: OsString) -> io::Result<(impl Read + Send, impl Write)> {
    let questions = std::os::unix::net::UnixStream::connect(path)?;
    let answers = questions.try_clone()?;
    Ok((questions, answers))
}

#[cfg(not(unix))]
fn socket(_: OsString) -> io::Result<(io::Empty, io::Sink)> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::mpsc::channel;

    #[derive(Clone, Default)]
    struct Sent(Rc<RefCell<Vec<u8>>>);

    impl Write for Sent {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_question_is_answered_once_when_the_window_is_that_far() {
        let (send, asked) = channel();
        let sent = Sent::default();
        let questions: &[u8] = b"shown\nwhat\nrests\n";
        let mut probe = Probe::between(questions, sent.clone(), move |q| send.send(q).is_ok());
        let all: Vec<Question> = asked.iter().collect();
        assert_eq!(all, [Question::Shown, Question::Rests]);
        let said = || String::from_utf8(sent.0.take()).unwrap();
        let at = |shown, rests| Progress { shown, rests, timed: !rests };
        probe.answer(at(true, true));
        assert!(said().is_empty() && !probe.looks_again());
        probe.ask(all[0]);
        assert!(probe.is_asked() && probe.looks_again() && !probe.looks_again());
        probe.answer(at(false, true));
        probe.count_frame();
        assert_eq!(said(), "");
        probe.answer(at(true, false));
        probe.answer(at(true, false));
        assert_eq!(said(), "1 timed\n");
        probe.ask(all[1]);
        probe.answer(at(true, false));
        probe.answer(at(false, true));
        assert_eq!((said().as_str(), probe.is_asked()), ("", true));
        probe.answer(at(true, true));
        assert_eq!((said().as_str(), probe.is_asked()), ("1 still\n", false));
    }
}

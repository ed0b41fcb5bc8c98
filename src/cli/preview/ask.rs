//! Questions to the terminal about pixels, asked while it passes every key to this program.

use super::Terminal;
use super::answers::{Answers, KITTY_ID};
use super::pixels::{Protocol, Screen};
use super::sixel::MOST_COLOURS;
use gridscope_core::output::abandon;
use rustix::io::ioctl_fionread;
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcgetpgrp,
    tcgetwinsize, tcsetattr,
};
use signal_hook::consts::SIGINT;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest wait for the answers to a question.
const PATIENCE: Duration = Duration::from_secs(3);
/// The longest wait for a byte, in tenths of a second.
const WAIT: u8 = 1;
/// What iTerm2 can do, the pixels of its points, and pixels of a character and of all.
const FILES_AND_SIZES: &str =
    "\u{1b}]1337;Capabilities\u{1b}\\\u{1b}]1337;ReportCellSize\u{1b}\\\u{1b}[16t\u{1b}[14t";
/// The most colours and pixels of sixels. Only terminals that have sixels are asked: to some others it means to scroll.
const SIXEL_LIMITS: &str = "\u{1b}[?1;1;0S\u{1b}[?2;1;0S";
/// The question that every terminal answers. What it printed of others that it does not know is erased.
const LAST: &str = "\u{1b}[c\r\u{1b}[K";

/// The terminal and its mode before the questions.
static BEFORE: Mutex<Option<(File, Termios)>> = Mutex::new(None);

/// Gives the terminal the mode that it had before the questions, if they are being asked.
pub(in super::super) fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((tty, mode)) = before {
        let _ = tcsetattr(tty, OptionalActions::Now, &mode);
    }
}

/// The terminal while it passes every byte at once and shows none.
struct Raw {
    tty: File,
    /// The byte of the key that interrupts.
    interrupt: u8,
}

impl Raw {
    /// None where keys wait that were typed before: they are for the next program.
    fn new(tty: File) -> Option<Self> {
        let before = tcgetattr(&tty).ok()?;
        let mut mode = before.clone();
        mode.local_modes
            .remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN);
        mode.special_codes[SpecialCodeIndex::VMIN] = 0;
        mode.special_codes[SpecialCodeIndex::VTIME] = WAIT;
        let interrupt = before.special_codes[SpecialCodeIndex::VINTR];
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some((tty.try_clone().ok()?, before));
        let raw = Self { tty, interrupt };
        tcsetattr(&raw.tty, OptionalActions::Now, &mode).ok()?;
        (ioctl_fionread(&raw.tty).ok()? == 0).then_some(raw)
    }

    /// Asks, and takes the answers up to the last, or as long as patience lasts.
    fn ask(&mut self, question: &str, answers: &mut Answers) -> std::io::Result<()> {
        answers.ended = false;
        self.tty.write_all(format!("{question}{LAST}").as_bytes())?;
        let until = Instant::now() + PATIENCE;
        let mut bytes = [0; 256];
        while !answers.ended && Instant::now() < until {
            let n = self.tty.read(&mut bytes)?;
            answers.take(&bytes[..n]);
        }
        if !answers.ended {
            // The rest of an answer is no key.
            tcflush(&self.tty, QueueSelector::IFlush)?;
        }
        Ok(())
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        restore();
    }
}

/// What the terminal of standard output answers about pixels; none if it shows none, or cannot be asked.
pub(super) fn ask(terminal: &Terminal) -> Option<Screen> {
    let mut raw = Raw::new(own_terminal()?)?;
    let mut answers = Answers::new(raw.interrupt);
    let asked = raw.ask(&format!("{}{FILES_AND_SIZES}", kitty_question()), &mut answers);
    let protocol = answers.protocol().filter(|_| asked.is_ok());
    if protocol == Some(Protocol::Sixel) {
        // Without an answer the usual limits hold.
        let _ = raw.ask(SIXEL_LIMITS, &mut answers);
    }
    drop(raw);
    if answers.interrupted {
        abandon(|| std::process::exit(128 + SIGINT));
    }
    let protocol = protocol?;
    let cell = answers.cell(protocol, terminal.columns as u32, terminal.lines as u32).or_else(cell);
    let mut screen = Screen::new(protocol, cell);
    if protocol == Protocol::Sixel {
        screen.colours = answers.colours.map_or(MOST_COLOURS, |n| (n as usize).clamp(2, MOST_COLOURS));
        let most = answers.most.filter(|m| m.iter().all(|side| *side > 0));
        screen.most = most.map_or(screen.most, |[w, h]| [w.min(screen.most[0]), h.min(screen.most[1])]);
    }
    Some(screen)
}

/// A character of the terminal of standard output in pixels, as far as the system has it.
pub(super) fn cell() -> Option<[u32; 2]> {
    let size = tcgetwinsize(std::io::stdout()).ok()?;
    let side = |pixels: u16, cells: u16| pixels.checked_div(cells).filter(|n| *n > 0).map(u32::from);
    Some([side(size.ws_xpixel, size.ws_col)?, side(size.ws_ypixel, size.ws_row)?])
}

/// The terminal of standard output, if this process may ask it: it controls the process, which is in the foreground.
fn own_terminal() -> Option<File> {
    let foreground = tcgetpgrp(std::io::stdout()).ok()?;
    let may_ask = foreground == getpgrp();
    may_ask.then(|| OpenOptions::new().read(true).write(true).open("/dev/tty").ok()).flatten()
}

/// The question about kitty's protocol: a picture of one pixel that is not shown. tmux takes it for a title, and screen passes
/// it to a terminal whose pictures it cannot move with its text; both name themselves in TERM.
fn kitty_question() -> String {
    let term = std::env::var("TERM").unwrap_or_default();
    if term.starts_with("screen") || term.starts_with("tmux") {
        return String::new();
    }
    format!("\u{1b}_Gi={KITTY_ID},s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\")
}

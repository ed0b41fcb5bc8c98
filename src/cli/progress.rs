//! A progress line on the terminal, for work that lasts over half a second.

use super::args::When;
use gridscope_core::workers::detached;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// The interval between two frames of the spinner.
const TURN: Duration = Duration::from_millis(120);

/// A spinner that appears after half a second and vanishes when dropped.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts the time. Nothing appears in the first half second, nor if standard error is not a terminal.
    pub(super) fn start(when: When, quiet: bool) -> Self {
        let show = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => !quiet && std::io::stderr().is_terminal(),
        };
        if !show {
            return Self { bar: None };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(
            ProgressStyle::default_spinner()
                .template("{spinner} {msg} {elapsed}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner()),
        );
        let late = bar.clone();
        let delay = if when == When::Always { Duration::ZERO } else { Duration::from_millis(500) };
        let turns = move || {
            std::thread::sleep(delay);
            if !late.is_finished() {
                late.set_draw_target(ProgressDrawTarget::stderr());
            }
            while !late.is_finished() {
                late.tick();
                std::thread::sleep(TURN);
            }
        };
        // If no thread can be started, nothing appears.
        Self { bar: detached(turns).is_ok().then_some(bar) }
    }

    /// Removes the spinner for good.
    pub(super) fn finish(&self) {
        if let Some(b) = &self.bar {
            b.finish_and_clear();
        }
    }

    /// Sets the text beside the spinner.
    pub(super) fn stage(&self, text: &str) {
        if let Some(b) = &self.bar {
            b.set_message(text.to_owned());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

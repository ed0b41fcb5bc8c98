//! A display that goes away while the window is open is reported like one that was never there.
//!
//! Xlib ends the process with code 1 when its connection breaks, without returning to its caller. The thread's own
//! values are still dropped then, which is where this is noticed.

use super::diagnostics::{self, Failure};
use gridscope_draw::error::Error;
use std::cell::Cell;

/// Dropped when the thread ends, or ends the process.
struct Window {
    is_open: Cell<bool>,
}

impl Drop for Window {
    fn drop(&mut self) {
        if self.is_open.get() {
            gridscope_core::output::abandon(|| ());
            std::process::exit(diagnostics::report(&lost()).into());
        }
    }
}

thread_local! {
    static WINDOW: Window = const { Window { is_open: Cell::new(false) } };
}

/// Runs the event loop of a window; if a library ends the process meanwhile, the display was lost.
pub(super) fn watched<T>(run: impl FnOnce() -> T) -> T {
    /// Also after a panic, which is not a lost display.
    struct Open;
    impl Drop for Open {
        fn drop(&mut self) {
            WINDOW.with(|w| w.is_open.set(false));
        }
    }
    WINDOW.with(|w| w.is_open.set(true));
    let _open = Open;
    run()
}

fn lost() -> Failure {
    Error::device("the connection to the display was lost")
        .with_hint("gridscope render FILE -o picture.png")
        .into()
}

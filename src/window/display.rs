//! Opens the display, guarded against libraries that panic where others are missing.

use gridscope_draw::error::Error;
use gridscope_gpu::{GpuError, panic_text};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use winit::event_loop::EventLoop;

thread_local! {
    static OPENING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is opening a display: a panic of this thread is then caught and reported as a missing
/// display, so a panic hook may stay silent.
pub fn is_opening() -> bool {
    OPENING.get()
}

/// Connects to the display.
///
/// # Errors
/// When there is none.
pub(super) fn event_loop<T: 'static>() -> Result<EventLoop<T>, Error> {
    match guarded(|| EventLoop::with_user_event().build()) {
        Ok(Ok(event_loop)) => Ok(event_loop),
        Ok(Err(e)) => Err(no_display(&format!("no display: {}", reason(&e.to_string())))),
        Err(panic) => {
            let why = panic_text(&*panic).unwrap_or("its libraries fail");
            Err(no_display(&format!("no display: {why}")))
        }
    }
}

/// Runs what may panic without a display. The process's panic hook is not replaced, for the sake of all other
/// threads.
fn guarded<T>(open: impl FnOnce() -> T) -> std::thread::Result<T> {
    let before = OPENING.replace(true);
    let done = catch_unwind(AssertUnwindSafe(open));
    OPENING.set(before);
    done
}

/// The text of a system error, without the position in winit's source that precedes it.
pub(super) fn reason(text: &str) -> &str {
    text.strip_prefix("os error at ").and_then(|rest| rest.split_once(": ")).map_or(text, |(_, what)| what)
}

/// The error of a device that cannot draw.
pub(super) fn of_device(e: &GpuError) -> Error {
    let hint = match e.hint() {
        Some(hint) if matches!(e, GpuError::NoAdapter { .. }) => format!("{hint}; without one: {WITHOUT}"),
        _ => WITHOUT.to_owned(),
    };
    Error::device(e.to_string()).with_hint(hint)
}

/// How to get a picture without a window.
const WITHOUT: &str = "gridscope render FILE -o picture.png";

/// The error of a window that cannot be opened; the hint names the way without one.
pub(super) fn no_display(what: &str) -> Error {
    Error::device(what).with_hint(WITHOUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_no_source_file() {
        assert_eq!(reason("os error at /a/b.rs:788: Failed to open: X"), "Failed to open: X");
        assert_eq!(reason("Exit Failure: 1"), "Exit Failure: 1");
    }

    #[test]
    fn only_the_thread_that_opens_is_guarded_and_only_so_long() {
        let seen = guarded(|| (is_opening(), std::thread::scope(|s| s.spawn(is_opening).join().unwrap())));
        assert_eq!((seen.unwrap(), is_opening()), ((true, false), false));
        let lost = guarded(|| -> u8 { panic!("no library") });
        assert_eq!((lost.is_err(), is_opening()), (true, false));
    }

    #[test]
    fn failures_name_the_way_without_a_window() {
        let hint = |e: GpuError| of_device(&e).hint().unwrap().to_owned();
        assert_eq!(hint(GpuError::Lost(String::new())), WITHOUT);
        let none = hint(GpuError::NoAdapter { found: Vec::new(), hint: "install mesa".to_owned() });
        assert!(none.starts_with("install mesa") && none.ends_with(WITHOUT), "{none}");
    }
}

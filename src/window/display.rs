//! Opens the display, guarded against libraries that panic where others are missing; what it shows without a figure.

use super::shades::grey;
use gridscope_core::geom::{Point, PxSize};
use gridscope_core::text::{Measure, shorten};
use gridscope_draw::error::Error;
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::{Item, Scene};
use gridscope_gpu::{GpuError, panic_text};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
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

/// Height of the text in logical pixels.
const FONT: f64 = 16.0;

/// A line of text in a window of `size` pixels; `unit` is the scale factor.
pub(super) fn placeholder(
    text: &str,
    size: PxSize,
    unit: f64,
    palette: Palette,
    m: &mut dyn Measure,
) -> Scene {
    let (font_size, room) = (FONT * unit, f64::from(size.w) - FONT * unit);
    let whole = m.size(text, font_size).width;
    let share = (room / whole).clamp(0.0, 1.0);
    let text = if share < 1.0 {
        shorten(text, (text.chars().count() as f64 * share * 0.95) as usize)
    } else {
        text.to_owned()
    };
    let at = Point {
        x: ((f64::from(size.w) - m.size(&text, font_size).width) / 2.0).round(),
        y: (f64::from(size.h) / 2.0).round(),
    };
    let items = vec![Item::Text { text, font_size, at, degrees: 0, color: grey(palette, 0.68) }];
    Scene::new(size, Some(palette.background), items)
}

/// A fair mutex: a waiter acquires it before the last holder can re-acquire it.
#[derive(Debug, Default)]
pub(super) struct FairMutex {
    next: Mutex<()>,
    inner: Mutex<()>,
}

impl FairMutex {
    /// Waits for the lock, which is held as long as the guard lives.
    pub(super) fn lock(&self) -> MutexGuard<'_, ()> {
        // Whoever waits for `inner` holds `next`, so that no other thread can overtake.
        let _next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::Theme;
    use gridscope_core::text::Fonts;

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

    #[test]
    fn the_line_stays_in_the_window() {
        let (mut fonts, text) = (Fonts::new(), "reading a-results-file-with-a-very-long-name.csv, 12 s");
        for w in [1, 40, 300, 2000] {
            let scene = placeholder(text, PxSize { w, h: 100 }, 1.0, Palette::of(Theme::Dark), &mut fonts);
            let [Item::Text { text: shown, at, font_size, .. }] = scene.items.as_slice() else {
                panic!("one line")
            };
            let width = fonts.size(shown, *font_size).width;
            assert!(w < 40 || (at.x >= 0.0 && at.x + width <= f64::from(w)), "{w}: {shown} at {at:?}");
            assert_eq!(shown == text, w == 2000);
        }
    }

    #[test]
    fn a_busy_thread_lets_others_in() {
        let (mutex, order) = (FairMutex::default(), Mutex::new(Vec::new()));
        for round in 0..20 {
            std::thread::scope(|s| {
                let turn = mutex.lock();
                s.spawn(|| {
                    let _turn = mutex.lock();
                    order.lock().unwrap().push((round, "who waited"));
                });
                while mutex.next.try_lock().is_ok() {
                    std::thread::yield_now();
                }
                drop(turn);
                let _turn = mutex.lock();
                order.lock().unwrap().push((round, "who was busy"));
            });
        }
        let all = (0..20).flat_map(|round| [(round, "who waited"), (round, "who was busy")]);
        assert_eq!(order.into_inner().unwrap(), all.collect::<Vec<_>>());
    }
}

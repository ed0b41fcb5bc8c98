//! A library that panics without a display: the process's panic hook is not replaced.

use gridscope::window::{News, Options, is_opening, run};
use gridscope::{Error, Figure};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;

#[test]
fn a_panic_on_the_way_to_a_display_is_an_error_and_the_hook_stays() {
    static OPENING: AtomicU32 = AtomicU32::new(0);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if is_opening() {
            OPENING.fetch_add(1, Ordering::Relaxed);
        } else {
            usual(info);
        }
    }));
    let mut options = Options::new("a.csv", &Figure::default());
    options.closes = true;
    let (_send, news) = channel::<News<Error>>();
    // Tests do not run in the main thread, where alone winit works: it panics.
    let Err(Error::Device { what, hint }) = run(options, None, news, None) else {
        panic!("a window in a test's thread")
    };
    assert!(
        what.starts_with("no display: ") && hint.is_some_and(|h| h.contains("gridscope render")),
        "{what}"
    );
    assert_eq!((OPENING.load(Ordering::Relaxed), is_opening()), (1, false));
}

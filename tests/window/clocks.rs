//! Actions of the window by itself: slices play, sides blink, messages go away. When each is due is tested without a window.

use super::display::Display;
use super::sweep::{SIZE, sweep};
use super::viewer::Viewer;
use crate::support::npy::npy;

/// Waits until the title names this slice.
fn shows(viewer: &mut Viewer<'_>, index: usize) {
    let wanted = format!("axis 0 = {index} - gridscope");
    viewer.wait_for(&wanted, |v| v.title().ends_with(&wanted));
}

#[test]
fn slices_play_until_a_key_is_pressed() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("volume.npy");
    let values: Vec<f64> = (0..6 * 40 * 50).map(|i| f64::from(i * 7 % 31) + f64::from(i / 2000)).collect();
    std::fs::write(&path, npy("(6, 40, 50)", &values)).unwrap();
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    shows(&mut viewer, 0);
    viewer.key("period");
    shows(&mut viewer, 1);
    let sliced = |viewer: &mut Viewer<'_>| viewer.keeps_what_render_draws().0.figure.data.slice.unwrap().0;
    assert_eq!(sliced(&mut viewer), ["0=1"]);
    viewer.key("space");
    // Round and round: the slice before comes after all others.
    shows(&mut viewer, 5);
    shows(&mut viewer, 0);
    viewer.key("Escape");
    viewer.rests();
    let last = viewer.title();
    viewer.wait_for("the end of its message", Viewer::rests);
    assert_eq!(viewer.title(), last);
    sliced(&mut viewer);
    // Limits of all slices, which a thread reads.
    viewer.key("ctrl+l");
    viewer.rests();
    assert!(viewer.seen().limits() != (None, None));
}

#[test]
fn sides_blink_until_a_key_is_pressed() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [before, after] = [("before", 0.0), ("after", 100.0)].map(|(name, from)| {
        let path = folder.path().join(format!("{name}.npy"));
        let values: Vec<f64> = (0..720).map(|i| from + f64::from(i * 7 % 13)).collect();
        std::fs::write(&path, npy("(24, 30)", &values)).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let args = [&after, "--against", &before, "--square", "off", "--width", "700", "--height", "476"];
    let mut viewer = Viewer::open(&display, &args);
    viewer.keys(&["bracketright", "bracketright", "b"]);
    let seen = viewer.shows_what_render_draws(SIZE);
    assert_eq!(seen.figure.only_panel.as_deref(), Some("after"));
    let (x, y) = seen.at(0.3, 0.8);
    // viridis ends in yellow.
    let is_after = |v: &Viewer<'_>| {
        let [r, g, b, _] = v.shot().at(x as u32, y as u32).rgba();
        u32::from(r) + u32::from(g) + u32::from(b) > 300
    };
    viewer.key("shift+b");
    for side in [false, true, false] {
        viewer.wait_for("the other side", |v| is_after(v) == side);
    }
    viewer.key("Escape");
    viewer.wait_for("the end of its message", Viewer::rests);
    let end = viewer.shows_what_render_draws(SIZE).figure.only_panel;
    assert_eq!(end.as_deref(), Some(if is_after(&viewer) { "after" } else { "before" }));
}

#[test]
fn a_message_goes_away_and_then_nothing_is_done() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    assert!(viewer.rests(), "a window at rest wakes for events alone");
    let before = viewer.still(SIZE);
    viewer.new_file("s");
    assert!(!viewer.rests() && viewer.still(SIZE) != before);
    viewer.wait_for("the end of the message", Viewer::rests);
    viewer.wait_for("the figure alone", |v| v.still(SIZE) == before);
    assert_eq!(viewer.shown(), viewer.shown());
}

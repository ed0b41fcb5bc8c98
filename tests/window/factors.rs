//! At a scale factor other than 1 what is saved and shown is what `render` draws of the window's own description.

use super::display::Display;
use super::viewer::Viewer;
use crate::support::npy::npy;
use std::path::Path;

/// The sizes of screen and window in logical pixels.
const SCREEN: (f64, f64) = (820.0, 640.0);
const WINDOW: (f64, f64) = (760.0, 560.0);

/// An array whose cells tell rows, columns and `from` apart, written under a name.
fn array(folder: &Path, name: &str, shape: &str, from: f64, n: usize) -> String {
    let path = folder.join(format!("{name}.npy"));
    let values: Vec<f64> = (0..n).map(|i| from + (i * 7919 % 1009) as f64 / 10.0).collect();
    std::fs::write(&path, npy(shape, &values)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Opens files in a window of [`WINDOW`], and checks them before anything has come to rest.
fn open<'a>(display: &'a Display, args: &[&str]) -> (Viewer<'a>, (u32, u32)) {
    let mut viewer = Viewer::open(display, args);
    let scale = viewer.display.scale;
    let size = ((WINDOW.0 * scale) as u32, (WINDOW.1 * scale) as u32);
    viewer.keeps_what_render_draws();
    viewer.resize(size.0, size.1);
    viewer.keeps_what_render_draws();
    (viewer, size)
}

#[test]
fn between_the_whole_numbers() {
    let scale = 1.5;
    let pixels = |side: f64| (side * scale) as u32;
    let Some(display) = Display::of_size(&format!("{}x{}x24", pixels(SCREEN.0), pixels(SCREEN.1)), scale)
    else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    // More cells than pixels at every factor: they are folded.
    let volume = array(folder.path(), "volume", "(2, 1200, 1600)", 0.0, 2 * 1200 * 1600);
    let (mut viewer, size) = open(&display, &[&volume, "--square", "off"]);
    let whole = viewer.shows_what_render_draws(size);
    // A slice, a part of it, another map, and a slice of that; the second check of each is at rest.
    for keys in [&["period"][..], &["plus", "plus"], &["l", "c"], &["comma"], &["Home"]] {
        for key in keys {
            viewer.key(key);
        }
        viewer.keeps_what_render_draws();
    }
    assert_eq!(viewer.shows_what_render_draws(size).view(), whole.view());
    // While a wheel turns.
    viewer.point(whole.at(0.4, 0.6));
    for _ in 0..2 {
        viewer.click(4, 3);
        viewer.keeps_what_render_draws();
    }
    assert_ne!(viewer.shows_what_render_draws(size).view(), whole.view());
    viewer.key("q");
    assert_eq!(viewer.code(), Some(0));
    let [before, after] = [("before", 0.0), ("after", 60.0)]
        .map(|(name, from)| array(folder.path(), name, "(300, 400)", from, 120_000));
    let (mut viewer, size) = open(&display, &[&after, "--against", &before, "--square", "off"]);
    viewer.shows_what_render_draws(size);
    // One panel without the thumbnails of the others, then the baseline, their difference and both.
    for key in ["bracketright", "b", "Tab", "plus", "shift+d", "shift+d", "shift+w"] {
        viewer.key(key);
        viewer.keeps_what_render_draws();
    }
    viewer.key("Escape");
    viewer.shows_what_render_draws(size);
}

//! The size of a new window, and a window that takes many sizes.

use super::display::Display;
use super::sweep::{SIZE, sweep};
use super::viewer::Viewer;
use std::fmt::Write;

/// Sizes in a short run; RESIZES sets another number.
const SHORT: usize = 120;

#[test]
fn a_thousand_sizes_leave_the_right_picture() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let sizes = std::env::var("RESIZES").ok().and_then(|s| s.parse().ok()).unwrap_or(SHORT);
    let mut seed = 99_991u32;
    let mut random = |most: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % most + 1
    };
    let mut script = String::new();
    for i in 0..sizes {
        let (w, h) = match i % 40 {
            7 => (1, 1),
            13 => (1, random(900)),
            19 => (random(900), 1),
            23 => (16_384, 3),
            29 => (2, 16_384),
            _ if i % 10 == 0 => (random(2400), random(1600)),
            _ => (random(700), random(500)),
        };
        writeln!(script, "size {w} {h}").unwrap();
        // Some sizes follow each other without a frame, and some frames come too late for their size.
        match random(3) {
            1 => writeln!(script, "nearer 1.1").unwrap(),
            2 => writeln!(script, "step 1 0").unwrap(),
            _ => {}
        }
    }
    writeln!(script, "size {} {}", SIZE.0, SIZE.1).unwrap();
    let file = folder.path().join("sizes.txt");
    std::fs::write(&file, script).unwrap();
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap(), "--script", file.to_str().unwrap()]);
    viewer.shows_what_render_draws(SIZE);
    // Then by the display.
    for i in 0..30 {
        match i {
            10 => viewer.resize(1, 1),
            20 => viewer.resize(3000, 1500),
            25 => viewer.resize(17_000, 40),
            _ => viewer.resize(random(2000), random(1200)),
        }
    }
    for size in [(3000, 1500), (820, 540)] {
        viewer.resize(size.0, size.1);
        viewer.shows_what_render_draws(size);
    }
}

#[test]
fn a_new_window_fits_its_monitor() {
    for (screen, scale) in [((1600, 1000), 1.0), ((1920, 1080), 2.0), ((1024, 700), 1.0)] {
        let size = format!("{}x{}x24", screen.0, screen.1);
        let Some(display) = Display::of_size(&size, scale) else {
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        let path = sweep(folder.path());
        // The table alone has no size of its own.
        let table = path.with_file_name("scores.csv");
        let args = [table.to_str().unwrap(), "-x", "length", "-y", "method", "-z", "score"];
        let viewer = Viewer::open(&display, &args);
        let shot = viewer.shot();
        let room = |side: u32, beside: f64| (f64::from(side) - beside * scale).round() as u32;
        let expected = (
            ((1280.0 * scale) as u32).min(room(screen.0, 32.0)),
            ((800.0 * scale) as u32).min(room(screen.1, 96.0)),
        );
        assert_eq!((shot.width, shot.height), expected, "{size} at {scale}");
    }
}

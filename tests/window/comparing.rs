//! Two files compared: the other side, the divider, both in turn.

use super::display::{Display, Viewer};
use crate::support::npy::npy;
use gridscope::Image;
use std::path::Path;
use std::time::{Duration, Instant};

const SIZE: (u32, u32) = (760, 600);
const ROWS: usize = 24;
const COLUMNS: usize = 30;

/// Two files of the same cells: low numbers before, high ones after, so that their colours tell the sides apart.
fn files(folder: &Path) -> [String; 2] {
    [("before", 0.0), ("after", 100.0)].map(|(name, from)| {
        let path = folder.join(format!("{name}.npy"));
        let value = |i: usize| from + (i * 7 % 13) as f64;
        let values: Vec<f64> = (0..ROWS * COLUMNS).map(value).collect();
        std::fs::write(&path, npy(&format!("({ROWS}, {COLUMNS})"), &values)).unwrap();
        path.to_str().unwrap().to_owned()
    })
}

/// The brightness of a pixel: viridis ends in yellow.
fn bright(image: &Image, (x, y): (i32, i32)) -> u32 {
    let at = (y as u32 * image.width + x as u32) as usize * 4;
    image.pixels[at..at + 3].iter().map(|v| u32::from(*v)).sum()
}

/// Whether the values are seen at a place, not the baseline.
fn is_after(image: &Image, at: (i32, i32)) -> bool {
    bright(image, at) > 300
}

#[test]
fn sides_change_in_place_share_a_divider_and_blink() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [before, after] = files(folder.path());
    let mut viewer = Viewer::open(&display, &[&after, "--against", &before, "--square", "off"]);
    viewer.resize(SIZE.0, SIZE.1);
    viewer.still(SIZE);
    // The values, then the baseline, where the values were.
    viewer.key("bracketright");
    viewer.key("bracketright");
    // Without thumbnails the figure has the window.
    viewer.key("b");
    let values = viewer.shows_what_render_draws(SIZE);
    assert_eq!(values.figure.only_panel.as_deref(), Some("after"));
    viewer.key("Tab");
    let baseline = viewer.shows_what_render_draws(SIZE);
    assert_eq!(baseline.figure.only_panel.as_deref(), Some("before"));
    assert_eq!(baseline.bodies, values.bodies);
    viewer.key("Tab");
    // The divider, by key and by drag.
    viewer.key("shift+w");
    viewer.point_away();
    let sides = |viewer: &mut Viewer| {
        let shot = viewer.still(SIZE);
        [0.1, 0.3, 0.45, 0.55, 0.7, 0.9].map(|x| is_after(&shot, values.at(x, 0.8)))
    };
    assert_eq!(sides(&mut viewer), [false, false, false, true, true, true]);
    viewer.drag("1", values.at(0.5, 0.4), values.at(0.2, 0.4));
    viewer.point_away();
    assert_eq!(sides(&mut viewer), [false, true, true, true, true, true]);
    // What is saved and written is the panel without it.
    let (seen, drawn) = viewer.keeps_what_render_draws();
    assert_eq!(seen.figure.only_panel.as_deref(), Some("after"));
    let low = |(x, y): (i32, i32)| (x, y - super::seen::TOOLBAR as i32);
    assert!(is_after(&drawn, low(values.at(0.1, 0.8))));
    viewer.key("Escape");
    viewer.key("shift+d");
    let difference = viewer.shows_what_render_draws(SIZE);
    assert_eq!(difference.figure.only_panel.as_deref(), Some("after − before"));
    assert_eq!(difference.bodies, values.bodies);
    viewer.key("shift+d");
    // Both in turn, slowly enough.
    viewer.key("shift+b");
    viewer.point_away();
    let (start, mut changes) = (Instant::now(), Vec::new());
    let mut last = is_after(&viewer.shot(), values.at(0.3, 0.8));
    while start.elapsed() < Duration::from_secs(20) && changes.len() < 5 {
        let now = is_after(&viewer.shot(), values.at(0.3, 0.8));
        if now != last {
            changes.push(start.elapsed());
            last = now;
        }
    }
    assert_eq!(changes.len(), 5, "{changes:?}");
    let whole = changes[4].saturating_sub(changes[0]);
    assert!(whole > Duration::from_millis(1200), "four sides in {whole:?}");
    viewer.key("Escape");
    viewer.still(SIZE);
    let end = viewer.seen().figure.only_panel;
    std::thread::sleep(Duration::from_millis(900));
    assert_eq!(viewer.seen().figure.only_panel, end);
}

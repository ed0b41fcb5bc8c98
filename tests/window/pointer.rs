//! What the pointer does: wheel, drags, boxes, clicks, the colour bar.

use super::display::{Display, Viewer};
use std::path::{Path, PathBuf};

pub const SIZE: (u32, u32) = (700, 530);
/// The score of a cell.
pub fn score(row: usize, column: usize) -> f64 {
    ((row * 37 + column * 101) % 97) as f64 / 4.0
}

/// A figure of 20 methods and 30 lengths.
pub fn sweep(folder: &Path) -> PathBuf {
    let mut text = "method,length,score\n".to_owned();
    for r in 0..20 {
        for c in 0..30 {
            text += &format!("method {r},{},{}\n", c * 10, score(r, c));
        }
    }
    std::fs::write(folder.join("scores.csv"), text).unwrap();
    let words = "title = \"Sweep\"\nsquare = \"off\"\n[data]\nfile = \"scores.csv\"\nx = \"length\"\ny = \"method\"\nvalue = \"score\"\n[y]\norder = \"data\"\n[size]\nwidth = \"700px\"\nheight = \"476px\"\n";
    let path = folder.join("sweep.toml");
    std::fs::write(&path, words).unwrap();
    path
}

/// Equal except for rounding.
fn near(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> bool {
    a.as_flattened()
        .iter()
        .zip(b.as_flattened())
        .all(|(a, b)| (a - b).abs() < 1e-6)
}

#[test]
fn the_wheel_zooms_at_the_pointer() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    let seen = viewer.shows_what_render_draws(SIZE);
    let whole = seen.view();
    assert_eq!(whole, [[0.0, 30.0], [0.0, 20.0]]);
    let at = seen.at(0.3, 0.4);
    let [x, y] = seen.share(at);
    viewer.point(at);
    viewer.click(4, 3);
    let zoomed = viewer.shows_what_render_draws(SIZE).view();
    let notches = ((30.0 / (zoomed[0][1] - zoomed[0][0])).ln() / 1.15f64.ln()).round();
    // winit reports a wheel made of buttons twice: when it goes down and when it comes up.
    assert!(notches == 3.0 || notches == 6.0, "{zoomed:?}");
    let factor = 1.15f64.powf(notches);
    let about = |share: f64, length: f64| {
        [
            share * length - share * length / factor,
            share * length + (1.0 - share) * length / factor,
        ]
    };
    assert!(near(zoomed, [about(x, 30.0), about(y, 20.0)]), "{zoomed:?}");
    viewer.point(at);
    viewer.click(5, 3);
    assert!(near(viewer.seen().view(), whole));
    // Over an axis that axis alone.
    viewer.point((at.0, seen.at(0.0, 1.0).1 + 8));
    viewer.click(4, 2);
    let along = viewer.shows_what_render_draws(SIZE).view();
    assert!(
        (along[0][1] - along[0][0] - 30.0 / factor.powf(2.0 / 3.0)).abs() < 1e-6 && along[1] == whole[1],
        "{along:?}"
    );
}

#[test]
fn drags_pan_and_draw_boxes() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    let seen = viewer.seen();
    viewer.point(seen.at(0.5, 0.5));
    viewer.click(4, 6);
    let before = viewer.seen().view();
    let (from, body) = (seen.at(0.5, 0.5), seen.bodies[0]);
    viewer.drag("1", from, (from.0 - 60, from.1 + 40));
    let panned = viewer.shows_what_render_draws(SIZE).view();
    let by = [
        60.0 / body.w * (before[0][1] - before[0][0]),
        -40.0 / body.h * (before[1][1] - before[1][0]),
    ];
    assert!(
        near(
            panned,
            [before[0].map(|v| v + by[0]), before[1].map(|v| v + by[1])]
        ),
        "{before:?} {panned:?}"
    );
    // The data cannot be lost.
    viewer.drag("1", seen.at(0.1, 0.1), (3100, 1700));
    let edge = viewer.seen().view();
    assert!(edge[0][0] == 0.0 && edge[1][0] == 0.0, "{edge:?}");
    viewer.point(seen.at(0.6, 0.6));
    viewer.click(1, 2);
    // The first of two clicks selects a cell.
    viewer.key("Escape");
    assert_eq!(
        viewer.shows_what_render_draws(SIZE).view(),
        [[0.0, 30.0], [0.0, 20.0]]
    );
    let (a, b) = (seen.at(0.2, 0.25), seen.at(0.6, 0.75));
    let ([ax, ay], [bx, by]) = (seen.share(a), seen.share(b));
    let boxed = [[30.0 * ax, 30.0 * bx], [20.0 * ay, 20.0 * by]];
    // Right drag and Shift+drag draw the same box; its last corner is a pixel of it.
    for (key, button) in [(None, "3"), (Some("shift"), "1")] {
        key.iter().for_each(|k| viewer.press("keydown", k));
        viewer.hold(button, a, b);
        key.iter().for_each(|k| viewer.press("keyup", k));
        viewer.press("mouseup", button);
        let view = viewer.shows_what_render_draws(SIZE).view();
        assert!(
            view.as_flattened()
                .iter()
                .zip(boxed.as_flattened())
                .all(|(a, b)| (a - b).abs() < 0.1),
            "{view:?} {boxed:?}"
        );
        viewer.key("BackSpace");
        assert_eq!(viewer.seen().view(), [[0.0, 30.0], [0.0, 20.0]]);
    }
    viewer.hold("3", a, b);
    viewer.key("Escape");
    viewer.press("mouseup", "3");
    assert_eq!(
        viewer.shows_what_render_draws(SIZE).view(),
        [[0.0, 30.0], [0.0, 20.0]]
    );
}

#[test]
fn cells_are_selected_and_copied() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    let seen = viewer.seen();
    let cell = |r: usize, c: usize| seen.at((c as f64 + 0.5) / 30.0, (r as f64 + 0.5) / 20.0);
    viewer.press("keydown", "ctrl");
    viewer.drag("1", cell(2, 3), cell(4, 6));
    viewer.press("keyup", "ctrl");
    viewer.key("ctrl+c");
    let row = |r: usize| {
        format!("method {r}\t")
            + &(3..7)
                .map(|c| score(r, c).to_string())
                .collect::<Vec<_>>()
                .join("\t")
            + "\n"
    };
    let block = "method\t30\t40\t50\t60\n".to_owned() + &row(2) + &row(3) + &row(4);
    let mut text = String::new();
    viewer.wait_for("a copied block", |v| {
        text = v.clipboard();
        !text.is_empty()
    });
    assert_eq!(text, block);
    viewer.point(cell(7, 9));
    viewer.click(1, 1);
    viewer.key("ctrl+c");
    let value = score(7, 9).to_string();
    viewer.wait_for("a copied value", |v| v.clipboard() == value);
    viewer.key("Escape");
    assert_eq!(
        viewer.shows_what_render_draws(SIZE).view(),
        [[0.0, 30.0], [0.0, 20.0]]
    );
}

#[test]
fn the_bar_sets_limits() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    let seen = viewer.seen();
    assert_eq!(seen.limits(), (None, None));
    let (low, high) = (0.0, 24.0);
    let ramp = seen.ramps[0];
    let on = |share: f64| (ramp.center().x as i32, (ramp.bottom() - share * ramp.h) as i32);
    let (from, to) = (on(0.95), on(0.7));
    viewer.drag("1", from, to);
    let seen = viewer.shows_what_render_draws(SIZE);
    let pixel = (high - low) / ramp.h;
    let wanted = high - pixel * f64::from(to.1 - from.1);
    // A round number within three pixels.
    assert!(
        matches!(seen.limits(), (Some(a), Some(b)) if a == low && (b - wanted).abs() < 3.1 * pixel && b * 2.0 == (b * 2.0).round()),
        "{:?} {wanted}",
        seen.limits()
    );
    // With Ctrl the very place.
    viewer.key("ctrl+z");
    viewer.press("keydown", "ctrl");
    viewer.drag("1", from, to);
    viewer.press("keyup", "ctrl");
    let seen = viewer.shows_what_render_draws(SIZE);
    assert!(
        matches!(seen.limits(), (Some(a), Some(b)) if a == low && (b - wanted).abs() < 1e-9),
        "{:?} {wanted}",
        seen.limits()
    );
    let ramp = seen.ramps[0];
    let middle = (ramp.center().x as i32, ramp.center().y as i32);
    viewer.point(middle);
    viewer.click(5, 2);
    let seen = viewer.shows_what_render_draws(SIZE);
    assert!(
        matches!(seen.limits(), (Some(a), Some(b)) if a < low && b > wanted),
        "{:?}",
        seen.limits()
    );
    viewer.point(middle);
    viewer.click(1, 2);
    assert_eq!(viewer.shows_what_render_draws(SIZE).limits(), (None, None));
}

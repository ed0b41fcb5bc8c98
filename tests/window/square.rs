//! Square cells under the pointer, and the size of a new window.

use super::display::{Display, Viewer};
use std::path::{Path, PathBuf};

const SIZE: (u32, u32) = (1100, 654);
const SIZED: [&str; 4] = ["--width", "1100", "--height", "600"];

/// A matrix of 60 x 60.
fn matrix(folder: &Path) -> PathBuf {
    let path = folder.join("matrix.csv");
    let row = |r: usize| {
        (0..60)
            .map(|c| ((r * 37 + c * 101) % 97).to_string())
            .collect::<Vec<_>>()
            .join(",")
    };
    std::fs::write(&path, (0..60).map(row).collect::<Vec<_>>().join("\n")).unwrap();
    path
}

#[test]
fn the_wheel_over_an_axis_of_square_cells_zooms_that_axis_alone() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = matrix(folder.path());
    let mut viewer = Viewer::open(&display, &[&[path.to_str().unwrap()], &SIZED[..]].concat());
    let seen = viewer.shows_what_render_draws(SIZE);
    let (whole, body) = (seen.view(), seen.bodies[0]);
    assert_eq!(whole, [[0.0, 60.0], [0.0, 60.0]]);
    // Over the body both axes, and the body takes the free room.
    viewer.point(seen.at(0.5, 0.5));
    viewer.click(4, 4);
    let near = viewer.shows_what_render_draws(SIZE);
    let [x, y] = near.view().map(|ends| ends[1] - ends[0]);
    let cell = near.bodies[0].h / y;
    assert!(y < 40.0 && (near.bodies[0].w / x - cell).abs() < 0.1, "{x} x {y}");
    assert!(
        near.bodies[0].w > 1.2 * body.w,
        "{:?}, at first {body:?}",
        near.bodies
    );
    viewer.key("Home");
    assert_eq!(viewer.shows_what_render_draws(SIZE).bodies[0], body);
    // Over an axis that axis alone; so near the middle that no frame between two notches ends at the edge of the data.
    let under = (seen.at(0.55, 0.0).0, (body.bottom() + 8.0) as i32);
    viewer.point(under);
    viewer.click(4, 2);
    let one = viewer.shows_what_render_draws(SIZE);
    let [x, y] = one.view();
    assert!(x[1] - x[0] < 50.0 && y == whole[1], "{x:?} {y:?}");
    let place = |s: &super::seen::Seen, view: [f64; 2]| view[0] + s.share(under)[0] * (view[1] - view[0]);
    let places = [place(&one, x), place(&seen, whole[0])];
    assert!(
        (places[0] - places[1]).abs() < 0.2,
        "{x:?}, {places:?} in {:?} and {:?}",
        one.bodies,
        seen.bodies
    );
    assert_eq!(one.figure.square, Some(gridscope::figure::Toggle::Off));
    viewer.key("Home");
    let again = viewer.shows_what_render_draws(SIZE);
    assert_eq!((again.view(), again.bodies[0]), (whole, body));
}

#[test]
fn a_new_window_fits_its_monitor() {
    for (screen, scale) in [
        ((1600, 1000), 1.0),
        ((1600, 1000), 1.5),
        ((1920, 1080), 2.0),
        ((1024, 700), 1.0),
    ] {
        let size = format!("{}x{}x24", screen.0, screen.1);
        let Some(display) = Display::of_size(&size, scale) else {
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        let path = matrix(folder.path());
        let viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
        let shot = viewer.shot();
        let room = |side: u32, beside: f64| (f64::from(side) - beside * scale).round() as u32;
        let expected = (
            ((1280.0 * scale) as u32).min(room(screen.0, 32.0)),
            ((800.0 * scale) as u32).min(room(screen.1, 96.0)),
        );
        assert_eq!((shot.width, shot.height), expected, "{size} at {scale}");
    }
}

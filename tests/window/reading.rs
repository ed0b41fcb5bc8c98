//! Reading numbers: what lies over the figure is never saved, what is hidden is saved and drawn again.

use super::display::{Display, Viewer};
use super::pointer::{SIZE, score, sweep};

/// The bars of the distribution in a window of 700 x 530 pixels: from 64 on, 612 pixels; its track of thresholds below them.
const BARS: (f64, f64) = (64.0, 612.0);
const TRACK: i32 = 471;
const MIDDLE: i32 = 420;

/// A pixel at a share of the bars.
fn at(share: f64, y: i32) -> (i32, i32) {
    ((BARS.0 + share * BARS.1) as i32, y)
}

#[test]
fn thresholds_that_are_dragged_are_drawn_again_by_render() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    let (before, plain) = viewer.keeps_what_render_draws();
    assert_eq!(
        (before.figure.color.hide_below, before.figure.color.hide_above),
        (None, None)
    );
    // Profiles and tables are the window's own.
    for key in ["p", "shift+i", "k"] {
        viewer.key(key);
        viewer.point((300, 200));
        assert!(
            viewer.keeps_what_render_draws().1 == plain,
            "{key} changes the figure"
        );
    }
    viewer.key("shift+i");
    viewer.key("p");
    // The distribution has room of its own, below a smaller figure.
    viewer.key("shift+h");
    let (_, lower) = viewer.keeps_what_render_draws();
    assert!(lower.height < plain.height);
    let all = (0..20).flat_map(|r| (0..30).map(move |c| score(r, c)));
    let (low, high) = all.fold((f64::MAX, f64::MIN), |a, v| (a.0.min(v), a.1.max(v)));
    viewer.drag("1", at(0.0, TRACK), at(0.5, TRACK));
    let (seen, drawn) = viewer.keeps_what_render_draws();
    let below = seen.figure.color.hide_below.unwrap();
    assert!(
        (below - f64::midpoint(low, high)).abs() < 0.02 * (high - low),
        "{below}"
    );
    assert!(drawn != lower && seen.figure.color.hide_above.is_none());
    viewer.drag("1", at(1.0, TRACK), at(0.75, TRACK));
    let (seen, fewer) = viewer.keeps_what_render_draws();
    assert!(fewer != drawn && seen.figure.color.hide_above.unwrap() > below);
    viewer.drag("1", at(0.0, MIDDLE), at(0.25, MIDDLE));
    let (seen, _) = viewer.keeps_what_render_draws();
    let vmin = seen.limits().0.unwrap();
    assert!(
        (vmin - (low + 0.25 * (high - low))).abs() < 0.02 * (high - low),
        "{vmin}"
    );
    viewer.point(at(0.5, MIDDLE));
    viewer.click(1, 2);
    viewer.point(at(0.5, TRACK));
    viewer.click(1, 2);
    viewer.key("shift+h");
    let (seen, again) = viewer.keeps_what_render_draws();
    assert_eq!(
        (seen.figure.color.hide_below, seen.figure.color.hide_above),
        (None, None)
    );
    assert!(again == plain);
    viewer.shows_what_render_draws(SIZE);
}

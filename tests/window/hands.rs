//! Keys and pointer of a display reach the figure. What each of them does is tested without a window.

use super::display::Display;
use super::seen::TOOLBAR;
use super::sweep::{SIZE, WHOLE, score, sweep};
use super::viewer::Viewer;
use gridscope::Literal;

/// Equal except for rounding.
fn near(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> bool {
    let all = a.as_flattened().iter().zip(b.as_flattened());
    all.into_iter().all(|(a, b)| (a - b).abs() < 1e-6)
}

#[test]
fn a_pointer_turns_drags_and_clicks() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    let seen = viewer.shows_what_render_draws(SIZE);
    assert_eq!(seen.view(), WHOLE);
    // A wheel, at the pointer.
    let at = seen.at(0.3, 0.4);
    viewer.click_at(at, 4, 3);
    let zoomed = viewer.shows_what_render_draws(SIZE).view();
    let notches = ((30.0 / (zoomed[0][1] - zoomed[0][0])).ln() / 1.15f64.ln()).round();
    // winit reports a wheel made of buttons twice: when it goes down and when it comes up.
    assert!(notches == 3.0 || notches == 6.0, "{zoomed:?}");
    let factor = 1.15f64.powf(notches);
    let [x, y] = seen.share(at);
    let about = |share: f64, length: f64| [share, share - 1.0].map(|s| length * (share - s / factor));
    assert!(near(zoomed, [about(x, 30.0), about(y, 20.0)]), "{zoomed:?}");
    // A drag.
    let (from, body) = (seen.at(0.5, 0.5), seen.bodies[0]);
    viewer.drag(None, from, (from.0 - 60, from.1 + 40));
    let panned = viewer.shows_what_render_draws(SIZE).view();
    let by = [60.0 / body.w * 30.0 / factor, -40.0 / body.h * 20.0 / factor];
    let wanted = [0, 1].map(|axis| zoomed[axis].map(|v| v + by[axis]));
    assert!(near(panned, wanted), "{panned:?} {wanted:?}");
    // Two clicks.
    viewer.click_at(seen.at(0.6, 0.6), 1, 2);
    assert_eq!(viewer.shows_what_render_draws(SIZE).view(), WHOLE);
    // A box; its last corner is a pixel of it.
    let (a, b) = (seen.at(0.2, 0.25), seen.at(0.6, 0.75));
    viewer.drag(Some("shift"), a, b);
    let view = viewer.shows_what_render_draws(SIZE).view();
    let ([ax, ay], [bx, by]) = (seen.share(a), seen.share(b));
    let boxed = [30.0 * ax, 30.0 * bx, 20.0 * ay, 20.0 * by];
    let all = view.as_flattened().iter().zip(boxed);
    assert!(all.into_iter().all(|(a, b)| (a - b).abs() < 0.1), "{view:?} {boxed:?}");
    // The first button of the toolbar shows all; two clicks on the second one are two presses.
    let button = |n: i32| (2 + 28 * n + 14, TOOLBAR as i32 / 2);
    viewer.click_at(button(0), 1, 1);
    assert_eq!(viewer.seen().view(), WHOLE);
    viewer.click_at(button(1), 1, 1);
    let once = viewer.seen().view();
    viewer.click_at(button(0), 1, 1);
    viewer.click_at(button(1), 1, 2);
    let twice = viewer.seen().view();
    assert!(twice[0][1] - twice[0][0] < once[0][1] - once[0][0] && once[0][0] > 0.0, "{once:?} {twice:?}");
    viewer.click_at(button(0), 1, 1);
    // The bar: with Ctrl the very place.
    let ramp = viewer.seen().ramps[0];
    let on = |share: f64| (ramp.center().x as i32, (ramp.bottom() - share * ramp.h) as i32);
    let (from, to) = (on(0.95), on(0.7));
    viewer.drag(Some("ctrl"), from, to);
    let limits = viewer.shows_what_render_draws(SIZE).limits();
    let wanted = 24.0 - 24.0 / ramp.h * f64::from(to.1 - from.1);
    assert!(
        matches!(limits, (Some(a), Some(b)) if a == 0.0 && (b - wanted).abs() < 1e-9),
        "{limits:?} {wanted}"
    );
}

#[test]
fn cells_are_copied_to_the_clipboard() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    let seen = viewer.seen();
    let cell = |r: usize, c: usize| seen.at((c as f64 + 0.5) / 30.0, (r as f64 + 0.5) / 20.0);
    let copies = |viewer: &mut Viewer<'_>, wanted: &str| {
        viewer.key("ctrl+c");
        viewer.shown();
        assert_eq!(viewer.clipboard(), wanted);
    };
    let row = |r: usize| {
        let scores: Vec<String> = (3..7).map(|c| score(r, c).to_string()).collect();
        format!("method {r}\t{}\n", scores.join("\t"))
    };
    viewer.drag(Some("ctrl"), cell(2, 3), cell(4, 6));
    let block = ["method\t30\t40\t50\t60\n".to_owned(), row(2), row(3), row(4)];
    copies(&mut viewer, &block.concat());
    viewer.click_at(cell(7, 9), 1, 1);
    copies(&mut viewer, &score(7, 9).to_string());
    // The first entry of the menu, 15 pixels below its top, selects the cell.
    let at = cell(5, 6);
    viewer.click_at(at, 3, 1);
    viewer.shown();
    viewer.click_at((at.0 + 30, at.1 + 15), 1, 1);
    copies(&mut viewer, &score(5, 6).to_string());
}

#[test]
fn keys_type_search_and_quit() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    let before = viewer.still(SIZE);
    // Letters of the prompt are no keys, and a refused line stays.
    viewer.key("colon");
    viewer.write("qcsaxhfmn1");
    viewer.key("Return");
    let refused = viewer.still(SIZE);
    assert!(refused != before && !viewer.has_ended());
    viewer.key("Escape");
    viewer.wait_for("the figure again", |v| v.still(SIZE) == before);
    viewer.key("colon");
    viewer.write("vmin");
    viewer.key("Return");
    viewer.write(" 5");
    viewer.key("Return");
    let cmap = |figure: &gridscope::Figure| figure.color.cmap.as_ref().map(|c| Literal::text(c).to_owned());
    // Tab completes, Ctrl+U clears.
    viewer.key("colon");
    viewer.write("nothing");
    viewer.key("ctrl+u");
    viewer.write("cma");
    viewer.key("Tab");
    viewer.write("inf");
    viewer.keys(&["Tab", "Return"]);
    let seen = viewer.keeps_what_render_draws().0;
    assert_eq!((seen.limits().0, cmap(&seen.figure).as_deref()), (Some(5.0), Some("inferno")));
    // Lines of several steps.
    viewer.keys(&["plus", "plus", "plus"]);
    viewer.key("colon");
    viewer.write("repeat 3 nearer 0.5");
    viewer.key("Return");
    viewer.rests();
    assert_eq!(viewer.seen().view(), WHOLE);
    // A label is found by its words.
    viewer.keys(&["plus", "plus", "plus", "plus", "slash"]);
    viewer.write("Method 17");
    viewer.keys(&["Return", "Escape", "Escape"]);
    let [_, y] = viewer.shows_what_render_draws(SIZE).view();
    assert!(y[0] <= 17.0 && y[1] >= 18.0, "{y:?}");
    // The list of keys comes and goes; Esc never quits.
    viewer.key("shift+t");
    let dark = viewer.still(SIZE);
    assert!(dark.pixels[..3].iter().all(|c| *c < 60), "{:?}", &dark.pixels[..3]);
    viewer.key("F1");
    assert!(viewer.still(SIZE) != dark);
    viewer.keys(&["Escape"; 5]);
    viewer.rests();
    assert!(!viewer.has_ended());
    viewer.key("ctrl+q");
    assert_eq!(viewer.code(), Some(0));
}

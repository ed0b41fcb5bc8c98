//! What the toolbar, menus, the minimap and the theme do.

use super::display::{Display, Viewer};
use super::pointer::{SIZE, score, sweep};
use super::seen::{STATUS, TOOLBAR};
use crate::support::image::decode;
use gridscope::Literal;

/// The buttons before which there is a gap.
const BEGINS: [i32; 5] = [3, 5, 7, 11, 13];

/// The middle of a button of the toolbar.
fn button(n: i32) -> (i32, i32) {
    let gaps = BEGINS.iter().filter(|b| **b <= n).count() as i32;
    (2 + 28 * n + 9 * gaps + 14, TOOLBAR as i32 / 2)
}

#[test]
fn buttons_do_what_their_keys_do() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    let press = |v: &Viewer<'_>, n: i32| {
        v.point(button(n));
        v.click(1, 1);
    };
    let whole = [[0.0, 30.0], [0.0, 20.0]];
    press(&viewer, 1);
    let nearer = viewer.shows_what_render_draws(SIZE).view();
    assert!(nearer[0][1] - nearer[0][0] < 25.0, "{nearer:?}");
    press(&viewer, 0);
    assert_eq!(viewer.shows_what_render_draws(SIZE).view(), whole);
    press(&viewer, 5);
    assert_eq!(viewer.seen().view(), nearer);
    press(&viewer, 6);
    assert_eq!(viewer.seen().view(), whole);
    // Colours: the next map, reversed, another norm.
    for n in [7, 8, 9] {
        press(&viewer, n);
    }
    let color = viewer.shows_what_render_draws(SIZE).figure.color;
    let map = color.cmap.as_ref().map(Literal::text).unwrap();
    assert!(
        map.ends_with("_r") && map != "viridis_r" && color.norm.is_some(),
        "{map}"
    );
    // Two clicks in a row are two presses.
    viewer.point(button(1));
    viewer.click(1, 2);
    let twice = viewer.seen().view();
    assert!(twice[0][1] - twice[0][0] < 14.0, "{twice:?}");
    press(&viewer, 5);
    assert_eq!(viewer.seen().view(), whole);
    let pictures = |v: &Viewer<'_>| {
        let all = std::fs::read_dir(v.folder()).unwrap().map(|e| e.unwrap().path());
        all.filter(|p| p.extension().is_some_and(|e| e == "png")).count()
    };
    let before = pictures(&viewer);
    press(&viewer, 14);
    viewer.wait_for("a saved picture", |v| pictures(v) == before + 1);
}

#[test]
fn modes_of_the_left_drag_hold_until_esc() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    let seen = viewer.seen();
    viewer.point(button(3));
    viewer.click(1, 1);
    let (a, b) = (seen.at(0.2, 0.25), seen.at(0.6, 0.75));
    viewer.drag("1", a, b);
    let view = viewer.shows_what_render_draws(SIZE).view();
    let ([ax, ay], [bx, by]) = (seen.share(a), seen.share(b));
    let boxed = [[30.0 * ax, 30.0 * bx], [20.0 * ay, 20.0 * by]];
    let near = |a: [[f64; 2]; 2], b: [[f64; 2]; 2]| {
        let all = a.as_flattened().iter().zip(b.as_flattened());
        all.into_iter().all(|(a, b)| (a - b).abs() < 0.1)
    };
    assert!(near(view, boxed), "{view:?} {boxed:?}");
    // After Esc a drag moves the view again.
    viewer.key("Escape");
    let size = view[0][1] - view[0][0];
    viewer.drag("1", seen.at(0.5, 0.5), seen.at(0.4, 0.5));
    let moved = viewer.seen().view();
    assert!(
        moved[0][0] > view[0][0] && (moved[0][1] - moved[0][0] - size).abs() < 1e-6,
        "{moved:?}"
    );
    viewer.key("Home");
    viewer.key("v");
    let cell = |r: usize, c: usize| seen.at((c as f64 + 0.5) / 30.0, (r as f64 + 0.5) / 20.0);
    viewer.drag("1", cell(2, 3), cell(2, 4));
    viewer.key("ctrl+c");
    let block = format!("method\t30\t40\nmethod 2\t{}\t{}\n", score(2, 3), score(2, 4));
    viewer.wait_for("a copied block", |v| v.clipboard() == block);
    assert_eq!(viewer.seen().view(), [[0.0, 30.0], [0.0, 20.0]]);
}

#[test]
fn the_toolbar_says_what_it_does_and_gives_its_room_back() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    let before = viewer.still(SIZE);
    viewer.point(button(0));
    viewer.wait_for("a tooltip", |v| {
        let now = v.shot();
        let row = (SIZE.0 * (TOOLBAR + 10) * 4) as usize;
        now.pixels[row..row + 400] != before.pixels[row..row + 400]
    });
    viewer.point_away();
    viewer.wait_for("no tooltip", |v| v.shot() == before);
    let saved = |v: &mut Viewer<'_>| {
        let path = v.new_file("s");
        decode(&std::fs::read(path).unwrap()).height
    };
    assert_eq!(saved(&mut viewer), SIZE.1 - STATUS - TOOLBAR);
    viewer.key("F10");
    assert_eq!(saved(&mut viewer), SIZE.1 - STATUS);
    viewer.key("F10");
    viewer.shows_what_render_draws(SIZE);
}

#[test]
fn a_right_click_opens_a_menu_of_its_place() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    let before = viewer.still(SIZE);
    let seen = viewer.seen();
    let cell = |r: usize, c: usize| seen.at((c as f64 + 0.5) / 30.0, (r as f64 + 0.5) / 20.0);
    // By keys: the second entry selects the row.
    viewer.point(cell(3, 4));
    viewer.click(3, 1);
    for key in ["Down", "Down", "Return"] {
        viewer.key(key);
    }
    viewer.key("ctrl+c");
    let row: Vec<String> = (0..30).map(|c| score(3, c).to_string()).collect();
    viewer.wait_for("a copied row", |v| {
        v.clipboard()
            .ends_with(&format!("method 3\t{}\n", row.join("\t")))
    });
    viewer.key("Escape");
    // By the mouse: the first entry, 15 pixels below the top of the menu, selects the cell.
    let at = cell(5, 6);
    viewer.point(at);
    let before_menu = viewer.still(SIZE);
    viewer.click(3, 1);
    viewer.wait_for("a menu", |v| v.shot() != before_menu);
    viewer.point((at.0 + 30, at.1 + 15));
    viewer.click(1, 1);
    viewer.key("ctrl+c");
    let value = score(5, 6).to_string();
    viewer.wait_for("a copied value", |v| v.clipboard() == value);
    // A click beside a menu closes it, and selects nothing.
    viewer.key("Escape");
    viewer.point(cell(2, 2));
    viewer.click(3, 1);
    viewer.still(SIZE);
    viewer.point(cell(15, 28));
    viewer.click(1, 1);
    viewer.point_away();
    viewer.wait_for("the figure again", |v| v.shot() == before);
}

#[test]
fn a_dark_window_is_what_render_draws() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    viewer.key("shift+t");
    let figure = viewer.shows_what_render_draws(SIZE).figure;
    assert_eq!(figure.theme, Some(gridscope::figure::Theme::Dark));
    // The toolbar is dark, too.
    let corner = |v: &Viewer<'_>| v.shot().pixels[..3].to_vec();
    assert!(corner(&viewer).iter().all(|c| *c < 60), "{:?}", corner(&viewer));
    viewer.key("shift+t");
    let figure = viewer.shows_what_render_draws(SIZE).figure;
    assert!(figure.theme != Some(gridscope::figure::Theme::Dark));
}

#[test]
fn the_minimap_moves_the_view() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    let whole = viewer.seen();
    for key in ["plus", "plus", "plus", "o"] {
        viewer.key(key);
    }
    let before = viewer.keeps_what_render_draws().0.view();
    // In the lower right corner of the body, 8 pixels from its edges: its first pixel shows the last data.
    let body = whole.bodies[0];
    let corner = ((body.right() - 10.0) as i32, (body.bottom() - 10.0) as i32);
    viewer.point(corner);
    viewer.click(1, 1);
    let view = viewer.keeps_what_render_draws().0.view();
    assert!(
        (view[0][1], view[1][1]) == (30.0, 20.0) && view != before,
        "{view:?}"
    );
    viewer.hold("1", corner, (corner.0 - 70, corner.1));
    viewer.press("mouseup", "1");
    let moved = viewer.keeps_what_render_draws().0.view();
    assert!(moved[0][1] < 29.0 && moved[1][1] == 20.0, "{moved:?}");
    viewer.key("o");
    viewer.shows_what_render_draws(SIZE);
}

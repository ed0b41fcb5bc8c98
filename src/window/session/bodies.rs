//! Bodies in the window: square cells that are zoomed take the free room, and give way to a move of one axis; lines of cells are
//! readable; panels fill the window.

use super::*;
use crate::dice::Dice;
use crate::state::{Action, Drag};
use gridscope_core::figure::Toggle;
use gridscope_core::geom::{Point, PxRect};
use gridscope_core::grid::Axis;
use gridscope_core::view::View;
use gridscope_draw::raster;
use gridscope_draw::rendered::render;

fn grid(rows: usize, columns: usize) -> Grid {
    let values = (0..rows * columns).map(|i| (i * 7919 % 1000) as f64).collect();
    Grid::from_rows(rows, columns, values).unwrap()
}

fn open(figure: &Figure, grids: &[Grid], size: (u32, u32), unit: f64) -> Session {
    let data = Data::new(grids.to_vec()).unwrap();
    let mut session = Session::new(figure.clone(), data, Fonts::new()).unwrap();
    session.resize(PxSize { w: size.0, h: size.1 }, unit);
    session.draw(None).unwrap();
    session
}

fn body(s: &Session, panel: usize) -> PxRect {
    s.geometry.panels[panel].body
}

/// The place of the data under a point, as the first panel shows it.
fn under(s: &Session, at: Point) -> (f64, f64) {
    let (share, view) = (s.geometry.panels[0].share(at), s.state.views[0]);
    (view.x.at(share.0), view.y.at(share.1))
}

fn zoom(s: &mut Session, at: Point, factor: f64) {
    s.apply(&Command::Zoom { at, factor, alone: false });
}

/// Checks that cells are square to the pixel, and that `render` draws the description of the window as the window does.
fn check(s: &mut Session, grids: &[Grid], what: &str) {
    let (scene, _) = s.picture().unwrap();
    if s.state.overrides.square == Some(true) {
        for (p, v) in s.geometry.panels.iter().zip(&s.state.views) {
            let sides =
                [(p.body.w, v.x), (p.body.h, v.y)].map(|(pixels, part)| (f64::from(pixels), part.len()));
            let [x, y] = sides.map(|(pixels, cells)| [(pixels - 1.0) / cells, (pixels + 1.0) / cells]);
            assert!(x[0] <= y[1] && y[0] <= x[1], "{x:?} and {y:?} pixels a cell: {what}");
        }
    }
    let text = s.figure_file().unwrap();
    let figure: Figure = toml::from_str(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let shown = raster::draw(&scene, grids, &mut s.fonts);
    let drawn = render(&figure, grids).unwrap().picture;
    assert!(shown == drawn, "{what}\n{text}");
}

#[test]
fn zoomed_square_cells_take_the_window_and_give_it_back() {
    for unit in [1.0, 1.5, 2.0] {
        for (rows, columns) in [(100, 100), (1000, 200), (60, 700), (7, 5)] {
            let grids = [grid(rows, columns)];
            let size = ((1280.0 * unit) as u32, (800.0 * unit) as u32);
            let mut s = open(&Figure::default(), &grids, size, unit);
            let what = format!("{rows} x {columns} at {unit}");
            let (base, range) = (body(&s, 0), s.geometry.panels[0].range());
            assert_eq!(range.base, PxSize { w: base.w, h: base.h }, "{what}");
            let r = base.rect();
            let at = Point { x: (r.x + 0.3 * r.w).floor(), y: (r.y + 0.6 * r.h).floor() };
            for step in 0..12 {
                let (before, place) = (body(&s, 0), under(&s, at));
                zoom(&mut s, at, 1.3);
                s.draw(None).unwrap();
                // Along a side that shows all cells, these are centred until they fill it.
                let (after, now) = (body(&s, 0), under(&s, at));
                let (x, y) = ((now.0 - place.0).abs(), (now.1 - place.1).abs());
                let held = (before.w != after.w || x < 1e-6) && (before.h != after.h || y < 1e-6);
                assert!(held, "{now:?}, not {place:?}: {what}, step {step}");
                if step % 5 == 0 {
                    check(&mut s, &grids, &what);
                }
            }
            let near = body(&s, 0);
            assert_eq!((near.w, near.h), (range.most.w, range.most.h), "{what}");
            let share = f64::from(near.w * near.h) / f64::from(size.0 * size.1);
            assert!(share > 0.7, "{share} of the window: {what}");
            s.apply(&Command::Do(Action::Home));
            s.draw(None).unwrap();
            assert_eq!(body(&s, 0), base, "{what}");
            check(&mut s, &grids, &what);
        }
    }
}

#[test]
fn the_wheel_over_an_axis_keeps_the_place_under_the_pointer() {
    let grids = [grid(100, 100)];
    let mut s = open(&Figure::default(), &grids, (1280, 800), 1.0);
    let r = body(&s, 0).rect();
    let at = Point { x: r.x + 0.8 * r.w, y: r.bottom() + 10.0 };
    let column = under(&s, at).0;
    for _ in 0..3 {
        zoom(&mut s, at, 1.5);
        s.apply(&Command::Point(at));
    }
    s.draw(None).unwrap();
    assert!((under(&s, at).0 - column).abs() < 0.05, "{} is not {column}", under(&s, at).0);
    assert_eq!(s.state.views[0].y, s.geometry.panels[0].y.whole());
    assert!(f64::from(body(&s, 0).w) > 1.3 * r.w, "{:?}", body(&s, 0));
    assert!(s.figure().square == Some(Toggle::Off));
    check(&mut s, &grids, "one axis");
    s.apply(&Command::Do(Action::Home));
    s.draw(None).unwrap();
    assert_eq!(body(&s, 0).rect(), r);
    check(&mut s, &grids, "all again");
}

#[test]
fn the_part_that_a_figure_names_is_shown_in_a_window_of_any_size() {
    let text = "[view]\nx = '20:40'\ny = '15:30'";
    let figure: Figure = toml::from_str(text).unwrap();
    for size in [(900, 700), (1280, 800), (700, 1100), (3000, 2000)] {
        let grids = [grid(60, 80)];
        let data = Data::new(grids.to_vec()).unwrap();
        let mut s = Session::new(figure.clone(), data, Fonts::new()).unwrap().with_slices();
        s.resize(PxSize { w: size.0, h: size.1 }, 1.0);
        s.draw(None).unwrap();
        let view = s.state.views[0];
        assert!(view.x.from <= 21.0 && view.x.to >= 39.0 && view.x.len() < 30.0, "{size:?}: {view:?}");
        assert!(view.y.from <= 16.0 && view.y.to >= 29.0 && view.y.len() < 40.0, "{size:?}: {view:?}");
        check(&mut s, &grids, "part");
        s.draw(None).unwrap();
        assert_eq!(s.state.views[0], view, "{size:?}");
    }
}

#[test]
fn a_line_of_cells_is_readable() {
    for n in [1, 2, 20, 21, 300] {
        for (rows, columns) in [(1, n), (n, 1), (2, n)] {
            let grids = [grid(rows, columns)];
            for (size, unit) in [((1280, 800), 1.0), ((1500, 900), 2.0)] {
                let mut s = open(&Figure::default(), &grids, size, unit);
                let (b, what) = (body(&s, 0), format!("{rows} x {columns} at {unit}"));
                assert!(f64::from(b.w.min(b.h)) > 15.0 * unit, "{b:?}: {what}");
                let whole = View { x: s.geometry.panels[0].x.whole(), y: s.geometry.panels[0].y.whole() };
                assert_eq!(s.state.views[0], whole, "{what}");
                check(&mut s, &grids, &what);
            }
        }
    }
}

#[test]
fn panels_fill_the_window() {
    for ((rows, columns), size, least) in [
        ((60, 80), (1280, 800), 0.5),
        ((60, 80), (700, 1100), 0.45),
        ((100, 100), (1280, 800), 0.4),
        ((1000, 200), (1280, 800), 0.3),
        ((100, 800), (1280, 800), 0.3),
    ] {
        for n in [2, 3, 6] {
            let named = |i: usize| grid(rows, columns).with_name(format!("p{i}"));
            let grids: Vec<Grid> = (0..n).map(named).collect();
            let s = open(&Figure::default(), &grids, size, 1.0);
            let area: u32 = (0..n).map(|i| body(&s, i)).map(|b| b.w * b.h).sum();
            let share = f64::from(area) / f64::from(size.0 * size.1);
            // The best number of columns: cells are as large as with any other.
            let most = (1..=n as u32).filter_map(|c| {
                let figure = Figure { columns: Some(c), ..Figure::default() };
                let data = Data::new(grids.clone()).unwrap();
                let mut s = Session::new(figure, data, Fonts::new()).ok()?;
                s.resize(PxSize { w: size.0, h: size.1 }, 1.0);
                s.draw(None).ok()?;
                s.trouble.is_none().then(|| (0..n).map(|i| body(&s, i)).map(|b| b.w * b.h).sum())
            });
            let most: u32 = most.max().unwrap();
            assert!(
                share > least || f64::from(area) > 0.8 * f64::from(most),
                "{n} panels of {rows} x {columns} cover {share}"
            );
            assert!(
                f64::from(area) > 0.7 * f64::from(most),
                "{n} panels of {rows} x {columns}: {area} of {most}"
            );
        }
    }
}

#[test]
fn whatever_is_done_render_draws_the_same() {
    let cases = std::env::var("GRIDSCOPE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    for case in 0..cases {
        let mut d = Dice(case + 500);
        let panels = 1 + d.below(3) as usize;
        let shape = (1 + d.below(120) as usize, 1 + d.below(120) as usize);
        let own = d.below(3) == 0;
        let named = |i: usize| {
            let more = if own { 20 * i } else { 0 };
            grid(shape.0 + more, shape.1).with_name(format!("panel {i}"))
        };
        let grids: Vec<Grid> = (0..panels).map(named).collect();
        let figure = Figure {
            square: [None, Some(Toggle::On), Some(Toggle::Off)][d.below(3) as usize],
            ..Figure::default()
        };
        let unit = [1.0, 1.5, 2.0][d.below(3) as usize];
        let size = |d: &mut Dice| {
            let side = |d: &mut Dice| ((500 + d.below(900)) as f64 * unit) as u32;
            (side(d), side(d))
        };
        let first = size(&mut d);
        let mut s = open(&figure, &grids, first, unit);
        let mut story = format!("case {case}: {panels} of {shape:?}, {first:?} at {unit}");
        for _ in 0..12 {
            let panel = d.below(panels as u64) as usize;
            let r = s.geometry.panels.get(panel).map_or_else(Default::default, |p| p.body.rect());
            let share = |d: &mut Dice| d.below(1000) as f64 / 1000.0;
            let inside = Point { x: r.x + share(&mut d) * r.w, y: r.y + share(&mut d) * r.h };
            let axis = [Point { y: r.bottom() + 8.0, ..inside }, Point { x: r.x - 8.0, ..inside }]
                [d.below(2) as usize];
            let at = if d.below(4) == 0 { axis } else { inside };
            let alone = d.below(5) == 0;
            let factor = [0.4, 1.15, 1.15, 3.0, 20.0][d.below(5) as usize];
            let drag = Drag::Box;
            let commands = match d.below(12) {
                0..=4 => vec![Command::Zoom { at, factor, alone }],
                5 => vec![Command::Nearer(factor)],
                6 => vec![Command::Do(Action::Home)],
                7 => vec![Command::Do(Action::Square)],
                8 => vec![Command::Do(Action::Back)],
                9 => vec![Command::Do(Action::Actual)],
                10 => vec![Command::Begin { drag, at, alone }, Command::End(inside)],
                _ => vec![Command::Fit { at, alone }],
            };
            story.push_str(&format!("; {commands:?}"));
            commands.iter().for_each(|c| {
                s.apply(c);
            });
            if d.below(8) == 0 {
                let (w, h) = size(&mut d);
                story.push_str(&format!("; {w} x {h}"));
                s.resize(PxSize { w, h }, unit);
            }
            if d.below(3) > 0 {
                s.draw(None).unwrap();
                assert!(s.trouble.is_none(), "{:?} {story}", s.trouble);
            }
            if d.below(4) == 0 {
                check(&mut s, &grids, &story);
            }
        }
        check(&mut s, &grids, &story);
    }
}

#[test]
fn the_whole_figure_without_square_cells_is_what_render_draws() {
    for (rows, columns) in [(60, 80), (1000, 200), (1, 300), (20, 20)] {
        for n in [1, 3] {
            let grids: Vec<Grid> = (0..n).map(|i| grid(rows, columns).with_name(format!("p{i}"))).collect();
            let mut s = open(&Figure::default(), &grids, (1000, 700), 1.0);
            if s.state.overrides.square == Some(true) {
                s.apply(&Command::Do(Action::Square));
            }
            s.draw(None).unwrap();
            let r = body(&s, 0).rect();
            zoom(&mut s, Point { x: r.x + 5.0, y: r.bottom() + 8.0 }, 3.0);
            let scene = s.whole_figure().unwrap().1.scene;
            let saved = raster::draw(&scene, &grids, &mut s.fonts);
            let figure = Figure { square: Some(Toggle::Off), ..Figure::default() };
            assert!(saved == render(&figure, &grids).unwrap().picture, "{n} of {rows} x {columns}");
        }
    }
}

#[test]
fn a_small_window_says_which_side_is_short_and_what_helps() {
    let mut named = grid(12, 10);
    let labels = (0..12).map(|i| format!("row number {i}")).collect();
    named.set_rows(Axis::category("method", labels)).unwrap();
    let mut met = [0; 3];
    for (w, h) in (40..400).step_by(24).map(|w| (w, 500)).chain((30..200).step_by(12).map(|h| (900, h))) {
        let mut s = open(&Figure::default(), &[named.clone()], (w, h), 1.0);
        let Some(why) = s.trouble.clone() else { continue };
        let side = if h == 500 { "narrow" } else { "low" };
        assert!(why.starts_with(&format!("The window is too {side}: make it ")), "{why}");
        let labels_help = why.contains("t hides tick labels");
        s.apply(&Command::Do(Action::Labels));
        s.draw(None).unwrap();
        assert_eq!(s.trouble.is_none(), labels_help, "{w} x {h}: {why}");
        s.apply(&Command::Do(Action::Labels));
        s.draw(None).unwrap();
        s.apply(&Command::Do(Action::Toolbar));
        s.draw(None).unwrap();
        assert_eq!(s.trouble.is_none(), why.contains("F10 hides the toolbar"), "{w} x {h}: {why}");
        s.apply(&Command::Do(Action::Toolbar));
        let more = |word: &str| {
            let before = why.split(word).next().filter(|before| before.len() < why.len());
            before.and_then(|b| b.split_whitespace().rev().find_map(|n| n.parse::<u32>().ok())).unwrap_or(0)
        };
        let (wider, higher) = (more(" wider"), more(" higher"));
        s.resize(PxSize { w: w + wider, h: h + higher }, 1.0);
        s.draw(None).unwrap();
        assert!(s.trouble.is_none(), "{w} x {h}: {why}: {:?}", s.trouble);
        met[usize::from(h == 500)] += 1;
        met[2] += u32::from(labels_help);
    }
    assert!(met.iter().all(|n| *n > 0), "{met:?}");
}

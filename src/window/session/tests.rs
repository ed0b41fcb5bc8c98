//! A window's figure against what `render` draws.

use super::*;
use crate::state::{Action, Colors};
use gridscope_core::figure::{Marks, Reduce, Toggle};
use gridscope_core::geom::Point;
use gridscope_core::grid::Axis;
use gridscope_core::view::{Part, View};
use gridscope_draw::raster;
use gridscope_draw::rendered::render;

fn grid(rows: usize, columns: usize) -> Grid {
    let value = |i: usize| {
        if i % 97 == 5 { f64::NAN } else { (i * 7919 % 1000) as f64 / 8.0 }
    };
    Grid::from_rows(rows, columns, (0..rows * columns).map(value).collect()).unwrap()
}

fn session(figure: &Figure, grids: &[Grid]) -> Session {
    Session::new(figure.clone(), Data::new(grids.to_vec()).unwrap(), Fonts::new()).unwrap()
}

fn near(session: &mut Session, zoom: f64) {
    let (at, near) = (&session.geometry.panels[0], |p: Part| p.zoom_about(p.at(0.3), zoom));
    let view = View { x: near(at.x.whole()), y: near(at.y.whole()) };
    session.apply(&Command::Show(view));
}

/// Figure in the window, and the picture that `render` draws of the description of its state.
fn both(
    session: &mut Session,
    grids: &[Grid],
) -> (gridscope_core::image::Image, gridscope_core::image::Image) {
    let (scene, _) = session.picture().unwrap();
    let text = session.figure_file().unwrap();
    let figure: Figure = toml::from_str(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    (raster::draw(&scene, grids, &mut session.fonts), render(&figure, grids).unwrap().picture)
}

#[test]
fn until_the_next_frame_other_data_leave_everything_where_it_is_seen() {
    let grids = |n: usize| (0..n).map(|i| grid(30, 20).with_name(["a", "b", "c"][i])).collect::<Vec<_>>();
    let mut s = session(&Figure::default(), &grids(2));
    s.resize(PxSize { w: 900, h: 600 }, 1.0);
    s.draw(None).unwrap();
    let hits = |s: &Session| -> Vec<_> {
        let at = |i: u32| Point { x: f64::from(i % 90 * 10), y: f64::from(i / 90 * 10) };
        (0..90 * 60).map(|i| s.geometry.hit(at(i))).collect()
    };
    let seen = hits(&s);
    s.replace(Figure::default(), Data::new(grids(2)).unwrap()).unwrap();
    for (now, was) in hits(&s).iter().zip(&seen) {
        assert_eq!(now, was);
    }
    assert!(s.damage.layout);
    // One more panel: nothing is taken for what it is not, and the next frame places it.
    s.replace(Figure::default(), Data::new(grids(3)).unwrap()).unwrap();
    let _ = hits(&s);
    s.draw(None).unwrap();
    assert!(hits(&s) != seen);
}

#[test]
fn margins_follow_the_view_and_are_those_that_render_draws() {
    let grids = [grid(300, 200), grid(300, 200).with_name("second")];
    let margins = "margin = ['rows:mean', 'columns:minmax', 'both:std', 'rows:max:strip']";
    let mut session = session(&toml::from_str(margins).unwrap(), &grids);
    session.resize(PxSize { w: 1000, h: 700 }, 1.0);
    for zoom in [1.0, 3.0, 40.0] {
        near(&mut session, zoom);
        session.draw(None).unwrap();
        let (shown, rendered) = both(&mut session, &grids);
        assert!(shown == rendered, "zoom {zoom}");
    }
}

#[test]
fn the_window_shows_what_render_draws() {
    let labels = |n: usize| (0..n).map(|i| format!("method number {i}")).collect::<Vec<_>>();
    let mut named = grid(40, 12);
    named.set_rows(Axis::category("method", labels(40))).unwrap();
    let outer = (0..12).map(|i| if i < 6 { "one" } else { "two" }.to_owned()).collect();
    named.set_columns(Axis::nested("a,b", vec![outer, labels(12)])).unwrap();
    let (named, twin) = (named.clone().with_name("first"), named.with_name("second"));
    let mut wide = Figure { square: Some(Toggle::Off), ..Figure::default() };
    wide.annotations.mark = "max".parse().ok();
    let mut marked = Figure::default();
    let marks =
        ["min", "value >= 100 as star", "value < 10 as hatch", "value = 62.5 as dot", "row=3", "value > 80"];
    marked.annotations.mark = Some(Marks(marks.map(|m| m.parse().unwrap()).into()));
    marked.contours = "3".parse().ok();
    for (figure, grids) in [
        (Figure::default(), vec![grid(1500, 2200)]),
        (marked.clone(), vec![grid(1500, 2200)]),
        (marked, vec![grid(9, 14)]),
        (wide.clone(), vec![grid(9, 14)]),
        (wide, vec![named, twin]),
    ] {
        let mut session = session(&figure, &grids);
        for (size, unit, zoom) in [
            ((900, 640), 1.0, 1.0),
            ((1280, 720), 1.0, 3.0),
            ((1500, 1100), 2.0, 7.7),
            ((900, 640), 1.0, 60.0),
        ] {
            session.resize(PxSize { w: size.0, h: size.1 }, unit);
            session.draw(None).unwrap();
            near(&mut session, zoom);
            let (shown, drawn) = both(&mut session, &grids);
            assert!(shown == drawn, "{size:?}, {zoom} times nearer");
        }
    }
}

#[test]
fn limits_and_norms_move_what_they_need_room_for() {
    let grids = vec![grid(70, 90)];
    let mut session = session(&Figure::default(), &grids);
    session.resize(PxSize { w: 400, h: 300 }, 1.0);
    session.draw(None).unwrap();
    for change in [
        Colors::Limits(7.245_753_4, 57.680_536_1),
        Colors::Auto,
        Colors::Norm("power:0.5".to_owned()),
        Colors::Limits(1.0, 2.0),
    ] {
        session.apply(&Command::Colors(change.clone()));
        session.draw(None).unwrap();
        session.rest();
        session.draw(None).unwrap();
        let (shown, drawn) = both(&mut session, &grids);
        assert!(shown == drawn, "{change:?}");
    }
}

#[test]
fn frames_share_the_figure_while_only_the_overlay_changes() {
    let grids = vec![grid(9, 14)];
    let mut session = session(&Figure::default(), &grids);
    session.resize(PxSize { w: 900, h: 640 }, 1.0);
    session.draw(None).unwrap();
    session.rest();
    let before = session.draw(None).unwrap();
    session.apply(&Command::Point(session.geometry.panels[0].body.rect().center()));
    assert!(session.is_damaged());
    let after = session.draw(None).unwrap();
    assert!(Arc::ptr_eq(&before.base, &after.base) && before.items.len() != after.items.len());
    session.apply(&Command::Nearer(2.0));
    let nearer = session.draw(None).unwrap();
    assert!(!Arc::ptr_eq(&after.base, &nearer.base));
}

#[test]
fn a_panel_that_moves_alone_has_labels_of_its_own() {
    let grids = vec![grid(20, 30).with_name("a"), grid(20, 30).with_name("b")];
    let mut session = session(&Figure { square: Some(Toggle::Off), ..Figure::default() }, &grids);
    session.resize(PxSize { w: 1200, h: 600 }, 1.0);
    session.draw(None).unwrap();
    let texts =
        |s: &Session| s.scene.all().filter(|i| matches!(i, gridscope_draw::scene::Item::Text { .. })).count();
    let (linked, at) = (texts(&session), session.geometry.panels[1].body.rect().center());
    session.apply(&Command::Zoom { at, factor: 2.0, alone: true });
    session.draw(None).unwrap();
    assert!(texts(&session) > linked + 3 && session.state.views[0] != session.state.views[1]);
    let (shown, drawn) = both(&mut session, &grids);
    assert!(shown == drawn);
}

#[test]
fn panels_that_come_to_show_the_same_share_their_labels_again() {
    let grids = vec![grid(20, 30).with_name("a"), grid(20, 30).with_name("b")];
    let mut session = session(&Figure { square: Some(Toggle::Off), ..Figure::default() }, &grids);
    session.resize(PxSize { w: 900, h: 600 }, 1.0);
    session.draw(None).unwrap();
    // Less than a view that is settled may be off all of the data.
    session.state.views[1].x.from += 1e-12;
    session.damage.layout = true;
    session.draw(None).unwrap();
    assert!(session.is_linked());
    let (shown, drawn) = both(&mut session, &grids);
    assert!(shown == drawn);
    // Together with other colours, too.
    let at = session.geometry.panels[1].body.rect().center();
    session.apply(&Command::Zoom { at, factor: 2.0, alone: true });
    session.draw(None).unwrap();
    session.apply(&Command::Do(Action::Home));
    session.apply(&Command::Colors(Colors::Invert));
    let (shown, drawn) = both(&mut session, &grids);
    assert!(shown == drawn);
}

#[test]
fn new_data_keep_views_and_limits_and_count_what_came() {
    let figure = Figure { square: Some(Toggle::Off), ..Figure::default() };
    let few = |rows: usize, scale: f64| {
        vec![Grid::from_rows(rows, 10, (0..rows * 10).map(|i| i as f64 * scale).collect()).unwrap()]
    };
    let mut session = session(&figure, &few(10, 1.0));
    session.resize(PxSize { w: 800, h: 600 }, 1.0);
    session.draw(None).unwrap();
    let limits = |s: &Session| (s.geometry.scales[0].spec().vmin, s.geometry.scales[0].spec().vmax);
    assert_eq!(limits(&session), (0.0, 99.0));
    assert_eq!(
        session.replace(figure.clone(), Data::new(few(12, 0.5)).unwrap()).unwrap(),
        Novelty::Values(20)
    );
    session.draw(None).unwrap();
    // A view of all data shows all of the new data; automatic limits only widen.
    assert_eq!((session.state.views[0], limits(&session)), (View::whole(10.0, 12.0), (0.0, 99.0)));
    let grids = few(12, 0.5);
    let (shown, drawn) = both(&mut session, &grids);
    assert!(shown == drawn);
    // A norm that a person chose begins with the data as they are, and so does a count.
    for change in [Command::Colors(Colors::Norm("log".to_owned())), Command::Reduce(Some(Reduce::Count))] {
        session.apply(&change);
        session.draw(None).unwrap();
        let (shown, drawn) = both(&mut session, &grids);
        assert!(shown == drawn && session.trouble.is_none());
        assert_eq!(
            session.replace(figure.clone(), Data::new(grids.clone()).unwrap()).unwrap(),
            Novelty::Values(0)
        );
        session.draw(None).unwrap();
    }
    session.apply(&Command::Colors(Colors::Norm("linear".to_owned())));
    session.apply(&Command::Reduce(Some(Reduce::Mean)));
    session.draw(None).unwrap();
    near(&mut session, 3.0);
    let view = session.state.views[0];
    session.apply(&Command::Colors(Colors::Limits(5.0, 50.0)));
    session.draw(None).unwrap();
    session.replace(figure.clone(), Data::new(few(20, 9.0)).unwrap()).unwrap();
    session.draw(None).unwrap();
    assert_eq!((session.state.views[0], limits(&session)), (view, (5.0, 50.0)));
    // Limits set by hand are not limits of the data.
    session.apply(&Command::Colors(Colors::Limits(-900.0, 9000.0)));
    session.draw(None).unwrap();
    session.replace(figure, Data::new(few(20, 9.0)).unwrap()).unwrap();
    session.apply(&Command::Colors(Colors::Auto));
    session.draw(None).unwrap();
    assert_eq!(limits(&session), (0.0, 1791.0));
}

#[test]
fn views_of_square_cells_stay_when_data_change() {
    let grids = vec![grid(37, 100)];
    let mut session = session(&Figure::default(), &grids);
    session.resize(PxSize { w: 500, h: 400 }, 1.0);
    session.draw(None).unwrap();
    session.apply(&Command::Nearer(3.0));
    session.draw(None).unwrap();
    let (view, whole) = (session.state.views[0], session.geometry.panels[0].x.length());
    assert!(view.x.len() < 0.4 * whole, "{view:?}");
    session.replace(Figure::default(), Data::new(grids).unwrap()).unwrap();
    session.draw(None).unwrap();
    assert_eq!(session.state.views[0], view);
}

#[test]
fn a_window_too_small_shows_a_notice_and_grows_again() {
    let grids = vec![grid(20, 30)];
    let mut session = session(&Figure::default(), &grids);
    for (w, h, fits) in [(900, 600, true), (30, 20, false), (1, 1, false), (900, 600, true)] {
        session.resize(PxSize { w, h }, 1.0);
        // What is written is of this size, drawn or not.
        assert_eq!(session.figure_file().is_ok(), fits, "{w} x {h}");
        session.resize(PxSize { w: 800, h: 500 }, 1.0);
        session.draw(None).unwrap();
        session.resize(PxSize { w, h }, 1.0);
        let scene = session.draw(None).unwrap();
        assert_eq!((scene.size, session.trouble.is_none()), (PxSize { w, h }, fits), "{w} x {h}");
        session.apply(&Command::Zoom {
            at: gridscope_core::geom::Point { x: 5.0, y: 5.0 },
            factor: 2.0,
            alone: false,
        });
    }
}

//! A colour bar while its limits are dragged: it stays under the pointer, and its histogram follows.

use super::super::*;
use crate::state::Drag;
use gridscope_core::geom::{Point, PxRect};
use gridscope_draw::raster;
use gridscope_draw::rendered::render;

fn grids(panels: usize, cells: usize) -> Vec<Grid> {
    let values = |p: usize| (0..cells * cells).map(move |i| ((i * 7919 + p) % 100_003) as f64 / 8.0);
    let grid = |p: usize| {
        Grid::from_rows(cells, cells, values(p).collect()).unwrap().with_name(format!("panel {p}"))
    };
    (0..panels).map(grid).collect()
}

fn session(figure: &str, grids: &[Grid]) -> Session {
    let figure: Figure = toml::from_str(figure).unwrap();
    let mut session = Session::new(figure, Data::new(grids.to_vec()).unwrap(), Fonts::new()).unwrap();
    session.resize(PxSize { w: 1000, h: 700 }, 1.0);
    session.draw(None).unwrap();
    session.rest();
    session.draw(None).unwrap();
    session
}

/// Where the bodies and the ramps are.
fn places(session: &Session) -> (Vec<PxRect>, Vec<Option<PxRect>>) {
    let g = session.geometry();
    (g.panels.iter().map(|p| p.body).collect(), g.bars.iter().map(|b| b.as_ref().map(|b| b.ramp)).collect())
}

fn counts(session: &Session) -> Vec<u64> {
    let h = session.readings.histograms[0].as_ref().unwrap();
    [&h.bins[..], &[h.below, h.above]].concat()
}

/// A place on the first bar, this share up.
fn on_bar(session: &Session, share: f64) -> Point {
    let bar = session.geometry().bars[0].as_ref().unwrap();
    let r = bar.ramp.rect();
    if bar.horizontal {
        Point { x: r.x + share * r.w, y: r.center().y }
    } else {
        Point { x: r.center().x, y: r.bottom() - share * r.h }
    }
}

#[test]
fn bar_and_bodies_stay_until_the_drag_ends_and_the_picture_is_that_of_its_description() {
    let figures = [
        "",
        "square = 'off'",
        "[color]\nbar = 'bottom'",
        "[color]\nscale = 'panel'",
        "[color]\nnorm = 'symlog:10'",
    ];
    for (n, figure) in figures.into_iter().enumerate() {
        let grids = grids(1 + n % 3, 40);
        let mut session = session(figure, &grids);
        let (from, to) = (on_bar(&session, 0.95), on_bar(&session, 0.4));
        let before = places(&session);
        session.apply(&Command::Begin { drag: Drag::Limits, at: from, alone: false });
        let mut moved = 0;
        for k in 1..=12 {
            let share = f64::from(k) / 12.0;
            let at = Point { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
            let limits = session.state().overrides.scales[0].limits;
            session.apply(&Command::Move(at));
            session.draw(None).unwrap();
            assert_eq!(places(&session), before, "{figure}: step {k}");
            moved += usize::from(session.state().overrides.scales[0].limits != limits);
            if k % 4 == 0 {
                session.rest();
                session.draw(None).unwrap();
                assert_eq!(places(&session), before, "{figure}: at rest in step {k}");
            }
        }
        assert!(moved > 3, "{figure}");
        session.apply(&Command::End(to));
        session.draw(None).unwrap();
        let (scene, _) = session.picture().unwrap();
        let text = session.figure_file().unwrap();
        let described: Figure = toml::from_str(&text).unwrap();
        let shown = raster::draw(&scene, &grids, &mut session.fonts);
        assert!(shown == render(&described, &grids).unwrap().picture, "{figure}");
    }
}

#[test]
fn a_picture_that_is_saved_within_a_drag_is_that_of_its_description() {
    let grids = grids(2, 40);
    let mut session = session("[color]\nscale = 'panel'", &grids);
    let (from, to) = (on_bar(&session, 0.95), on_bar(&session, 0.5));
    session.apply(&Command::Begin { drag: Drag::Limits, at: from, alone: false });
    session.apply(&Command::Move(to));
    session.draw(None).unwrap();
    let text = session.figure_file().unwrap();
    let (scene, _) = session.picture().unwrap();
    let shown = raster::draw(&scene, &grids, &mut session.fonts);
    let described: Figure = toml::from_str(&text).unwrap();
    assert!(shown == render(&described, &grids).unwrap().picture);
    // The drag goes on.
    let limits = session.state().overrides.scales[0].limits;
    session.apply(&Command::Move(from));
    session.draw(None).unwrap();
    assert!(limits != session.state().overrides.scales[0].limits);
}

#[test]
fn histograms_count_cells_and_follow_a_drag() {
    // More cells than pixels.
    let grids = grids(1, 900);
    let mut session = session("", &grids);
    let all = counts(&session);
    assert_eq!(all.iter().sum::<u64>(), 810_000, "each cell once");
    let (from, to) = (on_bar(&session, 0.95), on_bar(&session, 0.45));
    session.apply(&Command::Begin { drag: Drag::Limits, at: from, alone: false });
    session.apply(&Command::Move(to));
    session.draw(None).unwrap();
    let (_, high) = session.state().overrides.scales[0].limits.unwrap();
    let truth = (0..810_000u64).filter(|i| ((i * 7919) % 100_003) as f64 / 8.0 > high).count() as f64;
    let above = |s: &Session| *counts(s).last().unwrap() as f64;
    assert!((above(&session) / truth - 1.0).abs() < 0.05, "{} of {truth}", above(&session));
    session.apply(&Command::End(to));
    session.draw(None).unwrap();
    session.rest();
    session.draw(None).unwrap();
    assert_eq!(above(&session), truth, "exact at rest");
}

#[test]
fn limits_are_round_at_every_moment_of_a_drag() {
    for figure in ["", "[color]\nnorm = 'log'", "[color]\nnorm = 'symlog:10'"] {
        let mut session = session(figure, &grids(1, 30));
        let from = on_bar(&session, 0.95);
        session.apply(&Command::Begin { drag: Drag::Limits, at: from, alone: false });
        for k in 1..60 {
            let to = on_bar(&session, 0.95 - f64::from(k) * 0.011);
            session.apply(&Command::Move(to));
            session.draw(None).unwrap();
            let (_, high) = session.state().overrides.scales[0].limits.unwrap();
            let text = format!("{high:e}");
            let mantissa = text.split('e').next().unwrap().replace('.', "");
            assert!(mantissa.len() <= 3, "{figure}: {high}");
        }
    }
}

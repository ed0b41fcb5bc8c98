//! Zooms, pans and steps of views.

use super::super::command::{Command, Reach};
use super::super::test_window::{at, geometry, run, view, zoom};
use super::*;
use gridscope_core::view::Track;

#[test]
fn the_point_under_the_pointer_stays() {
    let w = geometry(2, 30, 40);
    let mut s = ViewState::new(&w);
    assert_eq!(run(&mut s, &w, &zoom(at(200.0, 125.0), 2.0)), Damage::VIEW);
    // A quarter along both axes: cell place (10, 7.5).
    assert_eq!(s.views, [view((5.0, 25.0), (3.75, 18.75)); 2]);
    run(&mut s, &w, &Command::Zoom { at: at(600.0, 50.0), factor: 2.0, alone: true });
    assert_eq!(s.views, [view((5.0, 25.0), (3.75, 18.75)), view((5.0, 15.0), (3.75, 11.25))]);
    run(&mut s, &w, &zoom(at(200.0, 360.0), 2.0));
    assert_eq!(s.views[0], view((7.5, 17.5), (3.75, 18.75)));
    run(&mut s, &w, &zoom(at(90.0, 50.0), 0.5));
    assert_eq!(s.views[0], view((7.5, 17.5), (0.0, 30.0)));
    assert_eq!(run(&mut s, &w, &zoom(at(90.0, 50.0), 0.5)), Damage::VIEW, "the other panel is still nearer");
    assert_eq!(run(&mut s, &w, &zoom(at(90.0, 50.0), 0.5)), Damage::NONE);
    for nothing in [f64::NAN, f64::INFINITY, 0.0, -1.0, 1.0] {
        assert_eq!(run(&mut s, &w, &zoom(at(200.0, 125.0), nothing)), Damage::NONE);
    }
    assert_eq!(run(&mut s, &w, &zoom(at(2.0, 2.0), 2.0)), Damage::NONE);
}

#[test]
fn rows_from_below_zoom_and_pan_upwards() {
    let mut w = geometry(1, 30, 40);
    w.panels[0].lower = true;
    let mut s = ViewState::new(&w);
    run(&mut s, &w, &zoom(at(100.0, 275.0), 2.0));
    assert_eq!(s.views[0].y, Part { from: 3.75, to: 18.75 });
    // The content follows the pointer 30 pixels down: a tenth of the body.
    run(&mut s, &w, &Command::Pan { at: at(200.0, 100.0), by: at(0.0, 30.0), alone: false });
    assert_eq!(s.views[0].y, Part { from: 5.25, to: 20.25 });
    run(&mut s, &w, &Command::Step { right: 0, down: 1, reach: Reach::Step });
    assert_eq!(s.views[0].y, Part { from: 3.75, to: 18.75 });
}

#[test]
fn panels_of_other_lengths_move_by_the_same_share() {
    let mut w = geometry(2, 30, 40);
    w.panels[1].x = Track::even(80);
    let mut s = ViewState::new(&w);
    run(&mut s, &w, &zoom(at(200.0, 200.0), 2.0));
    assert_eq!((s.views[0].x, s.views[1].x), (Part { from: 5.0, to: 25.0 }, Part { from: 10.0, to: 50.0 }));
    run(&mut s, &w, &Command::Pan { at: at(200.0, 200.0), by: at(-100.0, 0.0), alone: false });
    assert_eq!((s.views[0].x, s.views[1].x), (Part { from: 10.0, to: 30.0 }, Part { from: 20.0, to: 60.0 }));
}

#[test]
fn pans_and_arrows_end_at_the_data() {
    let w = geometry(1, 30, 40);
    let mut s = ViewState::new(&w);
    run(&mut s, &w, &Command::Show(view((10.0, 20.0), (10.0, 20.0))));
    let step = |right, down, reach| Command::Step { right, down, reach };
    run(&mut s, &w, &step(2, -1, Reach::Step));
    assert_eq!(s.views[0], view((12.0, 22.0), (9.0, 19.0)));
    run(&mut s, &w, &step(1, 0, Reach::Page));
    assert_eq!(s.views[0].x, Part { from: 21.0, to: 31.0 });
    run(&mut s, &w, &step(1, -1, Reach::Edge));
    assert_eq!(s.views[0], view((30.0, 40.0), (0.0, 10.0)));
    assert_eq!(run(&mut s, &w, &step(1, -1, Reach::Page)), Damage::NONE);
    assert_eq!(
        run(&mut s, &w, &Command::Pan { at: at(200.0, 200.0), by: at(-5.0, 5.0), alone: false }),
        Damage::NONE
    );
    run(&mut s, &w, &Command::Pan { at: at(200.0, 360.0), by: at(40.0, 30.0), alone: false });
    assert_eq!(s.views[0], view((29.0, 39.0), (0.0, 10.0)));
    run(&mut s, &w, &Command::Pan { at: at(200.0, 200.0), by: at(1e308, -1e308), alone: false });
    assert_eq!(s.views[0], view((0.0, 10.0), (20.0, 30.0)));
}

//! Where everything is in the window.

use super::*;

fn panel(lower: bool) -> PanelAt {
    let (x, y) = (Track::even(4), Track::placed(vec![[0.0, 1.0], [2.0, 3.0]]));
    let rows = y.table(y.whole(), 60);
    let rows = if lower { rows.reversed() } else { rows };
    PanelAt {
        body: PxRect { x: 100, y: 50, w: 40, h: 60 },
        columns: x.table(x.whole(), 40),
        rows,
        x,
        y,
        lower,
        leftward: false,
        range: None,
    }
}

#[test]
fn cells_lie_under_the_pixels_that_show_them() {
    let at = |x: f64, y: f64| Point { x, y };
    let p = panel(false);
    assert_eq!((p.cell(at(100.0, 50.0)), p.cell(at(139.9, 109.9))), (Some((0, 0)), Some((1, 3))));
    assert_eq!(
        (p.cell(at(110.0, 80.0)), p.cell(at(99.9, 60.0)), p.cell(at(140.0, 60.0))),
        (None, None, None)
    );
    assert_eq!((panel(true).cell(at(100.0, 50.0)), p.cell(at(f64::NAN, 60.0))), (Some((1, 0)), None));
    assert_eq!((p.share(at(110.0, 65.0)), panel(true).share(at(110.0, 65.0))), ((0.25, 0.25), (0.25, 0.75)));
}

#[test]
fn axes_reach_as_far_as_their_labels_may() {
    let mut w = WindowGeometry { size: PxSize { w: 1000, h: 800 }, unit: 1.0, ..WindowGeometry::default() };
    let body = |x, y| PanelAt { body: PxRect { x, y, w: 200, h: 100 }, ..panel(false) };
    w.panels = vec![body(450, 100)];
    let hit = |w: &WindowGeometry, x, y| w.hit(Point { x, y });
    assert_eq!((hit(&w, 51.0, 150.0), hit(&w, 49.0, 150.0)), (Hit::YAxis(0), Hit::Elsewhere));
    assert_eq!((hit(&w, 500.0, 519.0), hit(&w, 500.0, 521.0)), (Hit::XAxis(0), Hit::Elsewhere));
    // Not under a bar with labels of its own, nor into the status line.
    w.bars = vec![Some(BarAt { ramp: PxRect { x: 450, y: 400, w: 200, h: 10 }, horizontal: true })];
    assert_eq!(
        [390.0, 405.0, 430.0].map(|y| hit(&w, 500.0, y)),
        [Hit::XAxis(0), Hit::Bar(0), Hit::Elsewhere]
    );
    w.panels[0].body.y = 600;
    assert_eq!((hit(&w, 500.0, 775.0), hit(&w, 500.0, 777.0)), (Hit::XAxis(0), Hit::Elsewhere));
    // Between panels the room is shared.
    w.panels.push(body(780, 600));
    assert_eq!((hit(&w, 721.0, 650.0), hit(&w, 719.0, 650.0)), (Hit::YAxis(1), Hit::Elsewhere));
    assert_eq!(hit(&w, 60.0, 650.0), Hit::YAxis(0));
}

#[test]
fn bars_run_to_the_right_or_upwards() {
    let ramp = PxRect { x: 10, y: 20, w: 200, h: 100 };
    let share = |horizontal, x, y| BarAt { ramp, horizontal }.share(Point { x, y });
    assert_eq!((share(true, 60.0, 0.0), share(false, 0.0, 95.0), share(false, 0.0, 20.0)), (0.25, 0.25, 1.0));
}

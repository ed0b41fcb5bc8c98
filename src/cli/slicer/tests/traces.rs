//! Traces through slices of files against plain indexing.

use super::*;
use gridscope_core::geom::Point;
use gridscope_window::{SliceWish, TracePart, TraceWish};

/// Points at a cell, and returns what the session wants then.
fn point(front: &mut Front, (row, column): (usize, usize)) -> SliceWish {
    let geometry = front.session.geometry();
    let (body, grid) = (geometry.panels[0].body.rect(), &geometry.grids[0]);
    let share = |i: usize, n: usize, long: f64| (i as f64 + 0.5) / n as f64 * long;
    let x = body.x + share(column, grid.width(), body.w);
    let y = body.y + share(row, grid.height(), body.h);
    front.session.apply(&Command::Point(Point { x, y }));
    front.session.draw(None).unwrap();
    front.session.slices_to_read().unwrap()
}

fn next(front: &Front) -> TracePart {
    match front.slices.recv_timeout(PATIENCE).unwrap() {
        SliceNews::Trace(part) => part,
        news => panic!("{news:?}"),
    }
}

/// The values of a trace that is wanted.
fn read(front: &mut Front, of: &TraceWish) -> Vec<Option<f64>> {
    let mut all = Vec::new();
    while front.session.slices_to_read().unwrap().trace.is_some() {
        let part = next(front);
        if part.of == *of {
            assert_eq!(part.from, all.len());
            all.extend(part.values.clone());
        }
        front.session.take_trace(part);
    }
    all
}

#[test]
fn traces_are_those_of_plain_indexing() {
    let dir = tempfile::tempdir().unwrap();
    let mut d = Random(23);
    for case in 0..cases(8) {
        let shape: Vec<usize> = (0..4).map(|_| 2 + d.below(5)).collect();
        let (dtype, turned) = (d.pick(&DTYPES), d.below(2) == 0);
        let path = dir.path().join(format!("{case}.npy"));
        write_npy(&path, dtype, &shape, d.below(2) == 0);
        let mut figure = Figure::default();
        figure.data.transpose = Some(turned);
        let mut front = Front::open(&path, &figure, LIMIT);
        let (axis, other) = (d.below(2_usize), d.below(2_usize));
        front.go(&to(1 - axis, other));
        front.go(&to(axis, 0));
        front.session.apply(&Command::Do(Action::Trace));
        let (h, w) = (front.session.geometry().grids[0].height(), front.session.geometry().grids[0].width());
        let mut last = None;
        for _ in 0..3 {
            let cell = (d.below(h), d.below(w));
            // What is known is not read again.
            if last.replace(cell) == Some(cell) {
                continue;
            }
            let wish = point(&mut front, cell);
            let of = wish.trace.clone().unwrap();
            assert_eq!(of.cell, cell);
            front.wishes.as_ref().unwrap().send(wish).unwrap();
            let got = read(&mut front, &of);
            let wanted = |index: usize| {
                let free = if turned { [cell.1, cell.0] } else { [cell.0, cell.1] };
                let mut at = [0, 0, free[0], free[1]];
                (at[axis], at[1 - axis]) = (index, other);
                let flat = at.iter().zip(&shape).fold(0, |flat, (i, side)| flat * side + i);
                Some(element(dtype, flat).1).filter(|v| !v.is_nan())
            };
            let wanted: Vec<Option<f64>> = (0..shape[axis]).map(wanted).collect();
            assert_eq!(got, wanted, "case {case}: {dtype} of {shape:?} along {axis}, {cell:?}");
            // Another slice along the axis has the same trace.
            front.go(&to(axis, d.below(shape[axis])));
            front.session.draw(None).unwrap();
            assert_eq!(front.session.slices_to_read().unwrap().trace, None);
        }
        front.session.apply(&Command::Leave);
        front.session.draw(None).unwrap();
        front.session.apply(&Command::Do(Action::Cancel));
        front.session.draw(None).unwrap();
        assert!(!front.session.state().trace, "Esc closes it");
    }
}

#[test]
fn of_several_traces_the_last_one_is_read_to_its_end_and_esc_ends_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.npy");
    write_npy(&path, "<f8", &[900, 4, 5], false);
    let mut front = Front::open(&path, &Figure::default(), LIMIT);
    front.session.apply(&Command::Do(Action::Trace));
    let ask = |front: &mut Front, cell| {
        let wish = point(front, cell);
        let of = wish.trace.clone().unwrap();
        front.wishes.as_ref().unwrap().send(wish).unwrap();
        of
    };
    ask(&mut front, (0, 0));
    ask(&mut front, (1, 2));
    let of = ask(&mut front, (0, 0));
    let all = read(&mut front, &of);
    let wanted = |i: usize| Some(element("<f8", i * 20).1).filter(|v| !v.is_nan());
    assert_eq!(all, (0..900).map(wanted).collect::<Vec<_>>());
    ask(&mut front, (2, 2));
    front.session.apply(&Command::Do(Action::Cancel));
    front.session.draw(None).unwrap();
    let wish = front.session.slices_to_read().unwrap();
    assert_eq!(wish.trace, None);
    front.wishes.as_ref().unwrap().send(wish).unwrap();
}

#[test]
fn a_trace_that_cannot_be_read_says_why_and_is_not_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.npy");
    write_npy(&path, "<f8", &[5, 4, 5], false);
    let mut front = Front::open(&path, &Figure::default(), LIMIT);
    front.session.apply(&Command::Do(Action::Trace));
    let wish = point(&mut front, (1, 1));
    std::fs::write(&path, "gone").unwrap();
    front.link.kept.clear();
    front.wishes.as_ref().unwrap().send(wish).unwrap();
    let part = next(&front);
    assert!(part.failed.is_some(), "{part:?}");
    front.session.take_trace(part);
    assert_eq!(front.session.slices_to_read().unwrap().trace, None);
}

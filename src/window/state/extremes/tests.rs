//! Tests of going through the greatest and the least values.

use super::super::action::Action;
use super::super::command::Command;
use super::super::test_window::{at, geometry, of};
use super::*;

fn next(s: &mut ViewState, w: &WindowGeometry) -> Option<(usize, usize, usize)> {
    s.apply(&Command::Do(Action::NextMaximum), w);
    s.selection.as_ref().map(|s| (s.panel, s.rows.start, s.columns.start))
}

#[test]
fn the_greatest_come_one_after_the_other_and_again() {
    let w = of(1, vec![Grid::from_rows(2, 2, vec![5.0, 9.0, f64::NAN, 9.0]).unwrap()]);
    let mut s = ViewState::new(&w);
    let found: Vec<_> = (0..3).map(|_| next(&mut s, &w).unwrap()).collect();
    assert_eq!(
        (found, s.message.as_deref()),
        (vec![(0, 0, 1), (0, 1, 1), (0, 0, 0)], Some("3rd greatest value"))
    );
    assert_eq!(
        (next(&mut s, &w), s.message.as_deref()),
        (Some((0, 0, 1)), Some("back at the greatest value"))
    );
    assert_eq!(next(&mut s, &w), Some((0, 1, 1)));
    // Moving the view continues the list, selecting starts it again.
    s.apply(&Command::Zoom { at: at(200.0, 100.0), factor: 1.5, alone: false }, &w);
    assert_eq!(next(&mut s, &w), Some((0, 0, 0)));
    s.apply(&Command::Do(Action::Cancel), &w);
    assert_eq!(next(&mut s, &w), Some((0, 0, 1)));
    let other = of(1, vec![Grid::from_rows(2, 2, vec![7.0, 1.0, 1.0, 2.0]).unwrap()]);
    assert_eq!(next(&mut s, &other), Some((0, 0, 0)), "other data");
    let none = of(1, vec![Grid::from_rows(1, 1, vec![f64::INFINITY]).unwrap()]);
    let mut s = ViewState::new(&none);
    assert_eq!((next(&mut s, &none), s.message.as_deref()), (None, Some("no value is finite")));
}

#[test]
fn of_several_panels_it_is_said_which_has_the_greatest_value() {
    let of_value = |name: &str, most: f64| {
        let mut grid = Grid::from_rows(1, 3, vec![1.0, most, 2.0]).unwrap();
        grid.set_name(name);
        grid
    };
    let mut w = of(2, vec![of_value("a", 7.5), of_value("b", 8.0)]);
    w.large = Some(0);
    let mut s = ViewState::new(&w);
    next(&mut s, &w);
    assert_eq!(s.message.as_deref(), Some("greatest value of a; of all panels: 8 in b"));
    next(&mut s, &w);
    assert_eq!(s.message.as_deref(), Some("2nd greatest value of a"));
    w.large = Some(1);
    next(&mut s, &w);
    assert_eq!(s.message.as_deref(), Some("greatest value of all panels"));
    assert_eq!(
        [1, 2, 3, 4, 11, 12, 21, 22, 103, 111].map(ordinal),
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "22nd", "103rd", "111th"]
    );
}

#[test]
fn the_view_comes_nearer_once_and_then_follows() {
    let w = geometry(2, 300, 400);
    let mut s = ViewState::new(&w);
    next(&mut s, &w);
    assert_eq!(s.views[1], View { x: Part { from: 360.0, to: 400.0 }, y: Part { from: 260.0, to: 300.0 } });
    s.apply(&Command::Show(View { x: Part { from: 0.0, to: 9.0 }, y: Part { from: 0.0, to: 9.0 } }), &w);
    s.apply(&Command::Point(at(700.0, 100.0)), &w);
    assert_eq!(next(&mut s, &w), Some((1, 299, 399)));
    assert_eq!(s.views[0], View { x: Part { from: 391.0, to: 400.0 }, y: Part { from: 291.0, to: 300.0 } });
    s.apply(&Command::Do(Action::Back), &w);
    assert_eq!(s.views[0].x, Part { from: 0.0, to: 9.0 });
    let w = geometry(1, 20, 1000);
    let mut s = ViewState::new(&w);
    next(&mut s, &w);
    assert_eq!(s.views[0], View { x: Part { from: 960.0, to: 1000.0 }, y: Part { from: 0.0, to: 20.0 } });
}

#[test]
fn a_cell_that_is_seen_well_does_not_move_the_view() {
    // Cells of 8 pixels and of 7.
    for (rows, columns, stays) in [(20, 50, true), (37, 50, true), (20, 57, false), (43, 50, false)] {
        let w = geometry(1, rows, columns);
        let mut s = ViewState::new(&w);
        let whole = s.views[0];
        assert_eq!(next(&mut s, &w), Some((0, rows - 1, columns - 1)));
        assert_eq!(s.views[0] == whole, stays, "{rows} x {columns}");
    }
}

#[test]
fn one_goes_back_through_what_was_found_and_to_the_least() {
    let w = of(1, vec![Grid::from_rows(2, 3, vec![5.0, 9.0, f64::NAN, 9.0, -1.0, 2.0]).unwrap()]);
    let mut s = ViewState::new(&w);
    let mut go = |action: Action| {
        s.apply(&Command::Do(action), &w);
        let at = s.selection.as_ref().map(|s| s.anchor).unwrap();
        (at, s.message.clone().unwrap_or_default())
    };
    let place = |row, column, said: &str| ((row, column), said.to_owned());
    let (next, before) = (Action::NextMaximum, Action::PreviousMaximum);
    assert_eq!(go(before), place(0, 1, "greatest value"));
    assert_eq!(go(before), ((0, 1), "this is the greatest value".to_owned()));
    assert_eq!(
        [next, next, before].map(&mut go),
        [
            place(1, 0, "2nd greatest value"),
            place(0, 0, "3rd greatest value"),
            place(1, 0, "2nd greatest value")
        ]
    );
    // The least values are a list of their own.
    let (next, before) = (Action::NextMinimum, Action::PreviousMinimum);
    assert_eq!(
        [next, next, next].map(&mut go),
        [place(1, 1, "least value"), place(1, 2, "2nd least value"), place(0, 0, "3rd least value")]
    );
    assert_eq!([before, before].map(&mut go), [place(1, 2, "2nd least value"), place(1, 1, "least value")]);
    assert_eq!(go(before), ((1, 1), "this is the least value".to_owned()));
    let round: Vec<_> = (0..5).map(|_| go(next)).collect();
    assert_eq!(round.last(), Some(&((1, 1), "back at the least value".to_owned())));
}

#[test]
fn every_step_back_undoes_a_step() {
    let mut dice = crate::dice::Dice(5);
    for _ in 0..20 {
        let n = 1 + dice.below(9) as usize;
        let values = (0..n * 3).map(|_| dice.below(4) as f64).collect();
        let w = of(1, vec![Grid::from_rows(n, 3, values).unwrap()]);
        let mut s = ViewState::new(&w);
        let mut seen = Vec::new();
        let mut go = |action| {
            s.apply(&Command::Do(action), &w);
            s.selection.as_ref().map(|s| s.anchor)
        };
        (0..n * 3).for_each(|_| seen.push(go(Action::NextMinimum)));
        let mut places = seen.clone();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), n * 3, "each cell once");
        for wanted in seen.iter().rev().skip(1) {
            assert_eq!(go(Action::PreviousMinimum), *wanted);
        }
    }
}

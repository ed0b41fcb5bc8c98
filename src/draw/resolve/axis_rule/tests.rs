//! Rules of regular and of other axes.

use super::*;
use crate::resolve::{Overrides, frame};
use gridscope_core::figure::{Reverse, Toggle};
use gridscope_core::grid::Values;

fn numbers(name: &str, centers: &[f64]) -> Axis {
    let labels = centers.iter().map(f64::to_string).collect();
    Axis::number(name, centers.to_vec(), labels)
}

fn steps(name: &str, from: f64, step: f64, n: usize) -> Axis {
    numbers(name, &(0..n).map(|i| from + step * i as f64).collect::<Vec<_>>())
}

fn grid(x: Axis, y: Axis) -> Vec<Grid> {
    let values = Values::F64(vec![1.0; x.len() * y.len()]);
    vec![Grid::new(y, x, values, &[]).unwrap()]
}

/// Row 0 below, cells of a fixed shape, and that shape.
fn drawn(figure: &Figure, grids: &[Grid]) -> (bool, bool, f64) {
    let frame = frame(figure, &Overrides::default(), grids).unwrap();
    (frame.lower, frame.square, frame.aspect)
}

#[test]
fn a_globe_is_to_scale_with_north_on_top() {
    let globe = grid(steps("lon", -180.0, 5.0, 72), steps("lat", -87.5, 2.5, 71));
    let mut figure = Figure::default();
    assert_eq!(drawn(&figure, &globe), (true, true, 0.5));
    let text = |rule: Option<AxisRule>| rule.unwrap().to_string();
    assert_eq!(text(rules(&figure, &globe).y), "equal steps of 2.5: latitude, true spacing, upward");
    figure.origin = Some(Origin::Upper);
    figure.square = Some(Toggle::Off);
    assert_eq!(drawn(&figure, &globe), (false, false, 1.0));
    figure.square = Some(Toggle::On);
    assert_eq!(drawn(&figure, &globe), (false, true, 1.0));
    // Gauss latitudes have no equal steps.
    let gauss = grid(steps("lon", 0.0, 30.0, 12), numbers("lat", &[-80.0, -45.0, 0.0, 44.0, 81.0]));
    let drawn = frame(&Figure::default(), &Overrides::default(), &gauss).unwrap();
    assert!(drawn.y.true_spacing && !drawn.x.true_spacing && drawn.lower);
}

#[test]
fn keys_stay_equal_cells_with_row_0_on_top() {
    let figure = Figure::default();
    for (x, y) in [
        (steps("length", 5.0, 1.0, 15), steps("layer", 0.0, 1.0, 12)),
        (steps("hour", 0.0, 1.0, 24), steps("day", 1.0, 1.0, 31)),
        (steps("ratio", 0.1, 0.1, 9), steps("dropout", 0.0, 0.05, 5)),
        (numbers("C", &[0.01, 0.1, 1.0, 10.0]), numbers("gamma", &[0.1, 1.0, 10.0])),
        (steps("x (mm)", 0.0, 0.5, 20), steps("time (s)", 0.0, 0.25, 9)),
        (steps("x", 0.0, 0.5, 4), steps("y", 0.0, 900.5, 7)),
    ] {
        assert_eq!(drawn(&figure, &grid(x, y)), (false, false, 1.0));
    }
    let mm = grid(steps("x (mm)", 0.0, 0.5, 20), steps("y (mm)", 0.0, 0.25, 30));
    assert_eq!(drawn(&figure, &mm), (false, true, 0.5));
    // Of several panels, all must be alike.
    let mut two = grid(steps("x (mm)", 0.0, 0.5, 20), steps("y (mm)", 0.0, 0.5, 30));
    two.extend(mm);
    assert_eq!(drawn(&figure, &two), (false, false, 1.0));
}

#[test]
fn an_uneven_logarithm_is_to_scale_and_keeps_its_rows() {
    let mut log = numbers("w", &[1.0, 2.0, 5.0, 30.0]);
    log.kind = AxisKind::Log;
    let grids = grid(log.clone(), log);
    let drawn = frame(&Figure::default(), &Overrides::default(), &grids).unwrap();
    assert!(drawn.x.true_spacing && drawn.y.true_spacing && !drawn.lower);
    let mut figure = Figure::default();
    figure.x.spacing = Some(Spacing::Even);
    assert!(!frame(&figure, &Overrides::default(), &grids).unwrap().x.true_spacing);
}

#[test]
fn the_rule_says_what_an_axis_is_drawn_by() {
    let mut figure = Figure::default();
    let text =
        |figure: &Figure, y: Axis| rules(figure, &grid(Axis::index("", 2), y)).y.map(|r| r.to_string());
    let of = |figure: &Figure, y: Axis| text(figure, y).unwrap();
    assert_eq!(
        of(&figure, steps("d", 0.0, 0.1, 12)),
        "equal steps of 0.1: true spacing, row 0 on top; --y-spacing true draws them upward"
    );
    assert_eq!(
        of(&figure, steps("d", 0.0, 2.0, 12)),
        "equal steps of 2: whole numbers, equal cells, row 0 on top; --y-spacing true draws them upward"
    );
    assert_eq!(
        of(&figure, numbers("C", &[0.25, 0.5, 1.0])),
        "equal ratios of 2: equal cells, to the scale of a logarithm"
    );
    assert_eq!(
        of(&figure, numbers("w", &[1.0, 2.0, 5.0])),
        "no equal steps: equal cells; --y-spacing true draws them to scale"
    );
    let mut log = numbers("w", &[1.0, 2.0, 5.0]);
    log.kind = AxisKind::Log;
    assert_eq!(of(&figure, log.clone()), "no equal steps: to the scale of a logarithm");
    figure.y.spacing = Some(Spacing::Even);
    assert_eq!(of(&figure, log), "no equal steps: equal cells, as --y-spacing says");
    figure.y.spacing = None;
    let mut days = steps("day", 0.0, 86_400.0, 4);
    days.kind = AxisKind::Time;
    assert_eq!(of(&figure, days), "equal steps of 1 day: true spacing");
    assert_eq!(text(&figure, Axis::category("k", vec!["a".to_owned()])), None);
    figure.y.spacing = Some(Spacing::True);
    assert_eq!(
        of(&figure, numbers("w", &[1.0, 2.0, 5.0])),
        "no equal steps: true spacing, as --y-spacing says, upward"
    );
}

#[test]
fn rows_that_fell_in_the_file_keep_its_first_on_top() {
    let mut pressure = numbers("level", &[100.0, 500.0, 850.0]);
    assert!(!drawn(&Figure::default(), &grid(Axis::index("", 2), pressure.clone())).0);
    pressure.fell = true;
    let falling = grid(Axis::index("", 2), pressure.clone());
    assert!(drawn(&Figure::default(), &falling).0);
    let text = rules(&Figure::default(), &falling).y.map(|rule| rule.to_string());
    assert_eq!(text.unwrap(), "no equal steps: equal cells; --y-spacing true draws them to scale, upward");
    let mut figure = Figure { origin: Some(Origin::Upper), ..Figure::default() };
    assert!(!drawn(&figure, &falling).0);
    figure.origin = None;
    figure.reverse = Some(Reverse(vec![AxisName::Y]));
    assert!(!directions(&figure, &falling)[1]);
    // In another order than by their numbers, they are names.
    let sorted = Axis::permuted(&pressure, &[1, 0, 2]);
    assert!(!drawn(&Figure::default(), &grid(Axis::index("", 2), sorted)).0);
}

#[test]
fn reversing_the_other_origin_changes_nothing() {
    let globe = grid(steps("lon", 0.0, 5.0, 4), steps("lat", 0.0, 5.0, 3));
    let plain = grid(Axis::index("", 4), Axis::index("", 3));
    for grids in [&globe, &plain] {
        for origin in [None, Some(Origin::Upper), Some(Origin::Lower)] {
            let mut figure = Figure { origin, ..Figure::default() };
            let before = directions(&figure, grids);
            figure.reverse = Some(Reverse(vec![AxisName::Y]));
            assert_eq!(directions(&figure, grids), [before[0], !before[1]]);
            // The other origin, reversed.
            figure.origin = Some(if before[1] { Origin::Upper } else { Origin::Lower });
            assert_eq!(directions(&figure, grids), before);
            figure.reverse = Some(Reverse(vec![AxisName::X, AxisName::Y]));
            assert!(directions(&figure, grids)[0]);
        }
    }
}

#[test]
fn whole_numbers_in_one_unit_are_to_scale() {
    let plate = grid(steps("x_mm", 0.0, 1.0, 60), steps("y_mm", 0.0, 2.0, 20));
    assert_eq!(drawn(&Figure::default(), &plate), (false, true, 2.0));
    let other = grid(steps("x_mm", 0.0, 1.0, 60), steps("y_s", 0.0, 2.0, 20));
    assert_eq!(drawn(&Figure::default(), &other), (false, false, 1.0));
}

#[test]
fn the_same_keys_on_both_axes_make_square_cells() {
    let names = |list: &[&str]| Axis::category("", list.iter().map(|n| (*n).to_owned()).collect());
    let is_square = |x: &[&str], y: &[&str]| drawn(&Figure::default(), &grid(names(x), names(y))).1;
    assert!(is_square(&["a", "b", "c"], &["a", "b", "c"]));
    assert!(!is_square(&["a", "b", "c"], &["a", "c", "b"]));
    assert!(!is_square(&["a", "b"], &["a", "b"]));
    let layers = || steps("layer", 0.0, 1.0, 12);
    assert!(drawn(&Figure::default(), &grid(layers(), layers())).1);
}

//! Numbers of different types are compared exactly by value, in every place that compares them.

use crate::support::random::{Random, cases};
use gridscope::grid::{Axis, Cell, Number, Values};
use gridscope::{Figure, Grid, render};
use std::cmp::Ordering;

/// Twice the value, from all decimal digits of the number, and one more or less if it has a fraction. `None` for NaN.
fn twice(n: Number) -> Option<i128> {
    let float = match n {
        Number::I64(v) => return Some(2 * i128::from(v)),
        Number::U64(v) => return Some(2 * i128::from(v)),
        Number::F64(v) => v,
    };
    if float.is_nan() {
        return None;
    }
    // The fraction of an f64 has at most 1,074 digits.
    let text = format!("{:.1074}", float.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or(("inf", "0"));
    let fraction = i128::from(fraction.bytes().any(|b| b != b'0'));
    let magnitude =
        whole.parse::<i128>().ok().filter(|w| *w < 1 << 100).map_or(1 << 110, |w| 2 * w + fraction);
    Some(if float.is_sign_negative() { -magnitude } else { magnitude })
}

fn check(a: Number, b: Number) {
    // Two fractions may have the same whole part; they are compared as f64.
    let want = match (a, b) {
        (Number::F64(a), Number::F64(b)) => a.partial_cmp(&b),
        _ => twice(a).zip(twice(b)).map(|(a, b)| a.cmp(&b)),
    };
    assert_eq!(a.compare(b), want, "{a:?} {b:?}");
    assert_eq!(b.compare(a), want.map(Ordering::reverse), "{b:?} {a:?}");
    assert_eq!(a.is_below(b), want == Some(Ordering::Less), "{a:?} {b:?}");
}

/// Whole numbers of both types near a value.
fn about(v: f64) -> Vec<Number> {
    let whole = v as i128;
    let near = (-2..=2).filter_map(|d| whole.checked_add(d));
    let ends: [i128; 4] = [i64::MIN.into(), i64::MAX.into(), u64::MAX.into(), 0];
    near.chain(ends)
        .flat_map(|w| [i64::try_from(w).ok().map(Number::I64), u64::try_from(w).ok().map(Number::U64)])
        .flatten()
        .collect()
}

#[test]
fn numbers_of_all_types_compare_as_their_decimal_digits_do() {
    let edges = [53, 62, 63, 64, 65].map(|e| f64::powi(2.0, e));
    let beside = edges.iter().flat_map(|v| [v.next_down(), *v, v.next_up()]);
    let special = [
        0.0,
        0.5,
        1.0,
        5e-324,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        u64::MAX as f64,
        i64::MAX as f64,
        1e19,
        9.5,
        1e-300,
    ];
    let mut floats: Vec<f64> = beside.chain(special).flat_map(|v| [v, -v]).collect();
    let mut random = Random(7);
    for _ in 0..cases(400) {
        // Of any size from 2^-8 to 2^71, so that most have whole neighbours.
        let (exponent, bits) = (random.within(1015, 1094_u64), random.bits());
        floats.push(f64::from_bits((bits & 1) << 63 | exponent << 52 | bits >> 12));
    }
    for v in &floats {
        for whole in about(*v) {
            check(Number::F64(*v), whole);
            about(-*v).iter().for_each(|other| check(whole, *other));
        }
        check(Number::F64(*v), Number::F64(floats[0]));
    }
}

#[test]
fn no_float_equals_an_integer_that_it_only_rounds_to() {
    let of = |f: f64, whole: Number| Number::F64(f).compare(whole);
    assert_eq!(of(1.844_674_407_370_955_2e19, Number::U64(u64::MAX)), Some(Ordering::Greater));
    assert_eq!(of(9_007_199_254_740_992.0, Number::I64((1 << 53) + 1)), Some(Ordering::Less));
    assert_eq!(of(9_223_372_036_854_775_808.0, Number::I64(i64::MAX)), Some(Ordering::Greater));
    assert_eq!(of(-0.0, Number::U64(0)), Some(Ordering::Equal));
    assert_eq!(of(f64::NEG_INFINITY, Number::I64(i64::MIN)), Some(Ordering::Less));
    assert_eq!(of(f64::NAN, Number::I64(0)), None);
    assert_eq!(Number::I64(5).compare(Number::F64(1.0)), Some(Ordering::Greater));
}

/// The greatest value of the unsigned panel once won every comparison, so that that of the other panel was clipped.
#[test]
fn panels_of_two_integer_types_share_the_limits_of_their_values() {
    let grid = |values: Values| Grid::new(Axis::index("", 1), Axis::index("", 2), values, &[]).unwrap();
    let grids = [grid(Values::I64(vec![0, 1 << 60])), grid(Values::U64(vec![1, 1 << 55]))];
    let mut figure = Figure::default();
    figure.color.over = Some("#ff0000".parse().unwrap());
    figure.color.under = Some("#00ff00".parse().unwrap());
    let picture = render(&figure, &grids).unwrap().picture;
    let beyond = picture
        .pixels
        .chunks_exact(4)
        .filter(|p| [[255, 0, 0, 255], [0, 255, 0, 255]].iter().any(|c| *p == c))
        .count();
    assert_eq!(beyond, 0);
}

#[test]
fn the_view_is_about_the_greatest_value_of_any_type() {
    let grid = |values: Values| Grid::new(Axis::index("", 1), Axis::index("", 3), values, &[]).unwrap();
    let top = 1i64 << 60;
    let grids = vec![grid(Values::F64(vec![top as f64, 0.0, 0.0])), grid(Values::I64(vec![0, 0, top + 1]))];
    let mut figure = Figure::default();
    (figure.view.around, figure.view.radius) = (Some("max".parse().unwrap()), Some(0));
    let shown = gridscope::input::apply(grids, &figure, std::path::Path::new(""), "a.csv", 1 << 30).unwrap();
    assert_eq!(
        (shown[0].at(0, 0), shown[1].at(0, 0)),
        (Cell::Value(Number::F64(0.0)), Cell::Value(Number::I64(top + 1)))
    );
}

//! The steps between the coordinates of an axis, and the rounding errors in them.

use gridscope_core::grid::Axis;
use std::ops::Range;

/// 2^53, from which on f64 does not represent every integer.
pub(super) const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Whether a numeric axis runs in equal steps.
pub(super) fn even_steps(axis: &Axis) -> bool {
    let n = axis.len();
    let (Some(a), Some(b)) = (axis.center(0), axis.center(n - 1)) else {
        return false;
    };
    if n < 3 {
        return false;
    }
    let parts = (n - 1) as f64;
    let (span, share) = (b - a, |i: usize| i as f64 / parts);
    // If the span exceeds f64, coordinates are weighted sums of both ends.
    let step = if span.is_finite() { span / parts } else { b / parts - a / parts };
    let even = |i: usize| {
        if span.is_finite() { a + step * i as f64 } else { a * (1.0 - share(i)) + b * share(i) }
    };
    (0..n).all(|i| axis.center(i).is_some_and(|c| (c - even(i)).abs() <= step.abs() * 1e-6 + 1e-9 * c.abs()))
}

/// Whether a numeric axis runs in equal ratios.
pub(super) fn geometric_steps(axis: &Axis) -> bool {
    let n = axis.len();
    let c: Vec<f64> = (0..n).filter_map(|i| axis.center(i)).collect();
    if c.len() < 3 || c.iter().any(|v| *v <= 0.0) {
        return false;
    }
    let ratio = (c[n - 1] / c[0]).ln() / (n - 1) as f64;
    c.windows(2).all(|p| ((p[1] / p[0]).ln() - ratio).abs() <= ratio.abs() * 1e-3)
}

/// Whether the labels of these cells are integers.
pub(super) fn whole(axis: &Axis, cells: Range<usize>) -> bool {
    axis.levels
        .last()
        .is_some_and(|labels| labels[cells].iter().all(|l| l.trim_start_matches('−').parse::<i128>().is_ok()))
}

/// A number without the rounding error of a sum of floats, `0.3` for `0.30000000000000004`: the number of 14 digits if it is
/// that close and the difference cannot be seen on an axis of length `span`, otherwise the number itself.
pub(super) fn near_round(v: f64, span: f64) -> f64 {
    let round: f64 = format!("{v:.13e}").parse().unwrap_or(v);
    // Such sums are off by a few units in the last place.
    if v.to_bits().abs_diff(round.to_bits()) <= 4 && (round - v).abs() <= 1e-9 * span { round } else { v }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_errors_of_sums_are_removed() {
        assert_eq!(
            [near_round(0.1 + 0.2, 1.0), near_round(0.7 + 0.1, 1.0), near_round(0.0, 1.0)],
            [0.3, 0.8, 0.0]
        );
        assert_eq!(near_round(0.1 + 0.2, 1e-15), 0.1 + 0.2);
        let own = [1.0 / 3.0, 5e-324, f64::MAX, -0.123456789012345];
        assert_eq!(own.map(|v| near_round(v, 1.0)), own);
    }

    #[test]
    fn steps_beyond_f64_are_even_or_not() {
        let axis = |c: Vec<f64>| Axis::number("x", c.clone(), c.iter().map(f64::to_string).collect());
        assert!(even_steps(&axis(vec![-1.7e308, 0.0, 1.7e308])));
        assert!(!even_steps(&axis(vec![-1.7e308, 1e308, 1.7e308])));
        assert!(whole(&Axis::number("x", vec![1.0], vec!["9007199254740993".to_owned()]), 0..1));
        assert!(!whole(&axis(vec![1.5]), 0..1));
    }
}

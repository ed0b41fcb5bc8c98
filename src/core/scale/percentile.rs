//! Exact percentiles by numpy's `linear` rule.

/// The ranks between which a percentile (0 to 100) of `n` values lies, and how far it is from the first to the second.
pub fn place(n: usize, percent: f64) -> (usize, usize, f64) {
    let last = n.saturating_sub(1);
    let x = percent / 100.0 * last as f64;
    let k = (x as usize).min(last);
    (k, (k + 1).min(last), x - k as f64)
}

/// The value at a share `t` of the way from `a` to `b`.
pub fn between(a: f64, b: f64, t: f64) -> f64 {
    // numpy's interpolation, from the nearer end; a span beyond f64 is weighed instead.
    match b - a {
        span if span.is_infinite() => a * (1.0 - t) + b * t,
        span if t < 0.5 => a + span * t,
        span => b - span * (1.0 - t),
    }
}

/// The percentiles (0 to 100) of values without NaN; the values are reordered. Empty for no value.
pub fn percentiles(values: &mut [f64], at: &[f64]) -> Vec<f64> {
    if values.is_empty() {
        return Vec::new();
    }
    values.sort_unstable_by(f64::total_cmp);
    let value = |p: &f64| {
        let (a, b, t) = place(values.len(), *p);
        between(values[a], values[b], t)
    };
    at.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_numpys_linear_rule() {
        let mut v: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        assert_eq!(percentiles(&mut v, &[0.0, 2.0, 50.0, 98.0, 100.0]), [1.0, 1.18, 5.5, 9.82, 10.0]);
        assert!(percentiles(&mut [], &[50.0]).is_empty());
        assert_eq!(percentiles(&mut [-1.7e308, 1.7e308], &[0.0, 50.0, 100.0]), [-1.7e308, 0.0, 1.7e308]);
    }
}

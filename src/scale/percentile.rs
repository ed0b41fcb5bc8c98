//! Exact percentiles by numpy's `linear` rule.

/// The percentiles (0 to 100, ascending) of values without NaN; the values are reordered. Empty for no value.
pub fn percentiles(values: &mut [f64], at: &[f64]) -> Vec<f64> {
    if values.is_empty() {
        return Vec::new();
    }
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len() - 1;
    at.iter()
        .map(|p| {
            let x = p / 100.0 * last as f64;
            let k = (x as usize).min(last);
            let (a, b) = (values[k], values[(k + 1).min(last)]);
            let t = x - k as f64;
            // numpy's interpolation, from the nearer end; a span beyond f64 is weighed instead.
            match b - a {
                span if span.is_infinite() => a * (1.0 - t) + b * t,
                span if t < 0.5 => a + span * t,
                span => b - span * (1.0 - t),
            }
        })
        .collect()
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

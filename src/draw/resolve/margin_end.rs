//! The round end of an axis that begins at 0: near the largest number, so that a bar can be read against it.

/// Leading digits of round ends.
const ROUND: [f64; 12] = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 9.0, 10.0];

/// The round number nearest to a positive one by their ratio; none where f64 has none.
pub fn round_end(largest: f64) -> Option<f64> {
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let power = largest.log10().floor() as i32;
    let round = |digits: &f64| format!("{digits}e{power}").parse::<f64>().ok();
    let far = |v: f64| (v.ln() - largest.ln()).abs();
    let all = ROUND.iter().filter_map(round).filter(|v| *v > 0.0 && v.is_finite());
    all.min_by(|a, b| far(*a).total_cmp(&far(*b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_near_and_stay_where_they_are() {
        for (largest, end) in
            [(76.0, 80.0), (0.77, 0.8), (8.0, 8.0), (1e300, 1e300), (0.93, 0.9), (9.9, 10.0)]
        {
            assert_eq!(round_end(largest), Some(end));
        }
        for k in 0..2000 {
            let v = 10f64.powf(f64::from(k) * 0.3 - 300.0);
            let end = round_end(v).unwrap();
            assert!((0.8 * v..=1.25 * v).contains(&end), "{v}: {end}");
            assert_eq!(round_end(end), Some(end), "{v}");
        }
        assert_eq!((round_end(0.0), round_end(f64::NAN), round_end(-1.0)), (None, None, None));
        assert!(round_end(f64::MAX).is_some_and(f64::is_finite) && round_end(5e-324).is_some());
    }
}

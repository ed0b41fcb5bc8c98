//! Regular axes: numbers in equal steps, or in equal ratios.

use super::{Axis, AxisKind};

/// How far a step or a ratio may be from the others, relative to it.
const TOLERANCE: f64 = 1e-9;
/// The fewest numbers that can be regular.
const FEWEST: usize = 3;

/// The distance of neighbours on a regular axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steps {
    /// Each number is the one before it plus this.
    Equal(f64),
    /// Each number is the one before it times this.
    Ratio(f64),
}

impl Steps {
    /// The steps of numbers, where all are equal within 1e-9 of them or within the rounding of the numbers themselves, which are
    /// often sums of steps or have been 32-bit floats. `None` for fewer than three numbers.
    pub fn of(values: &[f64]) -> Option<Steps> {
        let [first, .., last] = *values else { return None };
        if values.len() < FEWEST || values.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let parts = (values.len() - 1) as f64;
        let is_single = values.iter().all(|v| f64::from(*v as f32) == *v);
        let rounding = 4.0 * if is_single { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let largest = values.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let step = (last - first) / parts;
        // Numbers that are hardly more than their rounding apart have no steps.
        let slack = (rounding * largest).min(0.01 * step.abs());
        let is_step = |w: &[f64]| (w[1] - w[0] - step).abs() <= TOLERANCE * step.abs() + slack;
        if step.is_finite() && step != 0.0 && values.windows(2).all(is_step) {
            return Some(Steps::Equal(step));
        }
        let ratio = (last / first).powf(1.0 / parts);
        let is_ratio = |w: &[f64]| (w[1] / w[0] / ratio - 1.0).abs() <= TOLERANCE + rounding;
        let is_positive = values.iter().all(|v| v.is_normal() && *v > 0.0);
        let differ = (ratio - 1.0).abs() > 100.0 * rounding;
        (is_positive && differ && values.windows(2).all(is_ratio)).then_some(Steps::Ratio(ratio))
    }
}

impl Axis {
    /// The steps between its centres, where it has coordinates and is regular.
    pub fn steps(&self) -> Option<Steps> {
        let centers = (0..self.len()).map(|i| self.center(i));
        Steps::of(&centers.collect::<Option<Vec<f64>>>()?)
    }

    /// Whether its labels are whole numbers, and its coordinates too.
    pub fn is_whole(&self) -> bool {
        self.kind == AxisKind::Number
            && (0..self.len()).all(|i| self.center(i).is_some_and(|c| c.fract() == 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_steps_and_powers_are_regular() {
        let sums: Vec<f64> = std::iter::successors(Some(0.1), |v| Some(v + 0.1)).take(100).collect();
        assert!(matches!(Steps::of(&sums), Some(Steps::Equal(s)) if (s - 0.1).abs() < 1e-12));
        let singles: Vec<f64> = (0..900).map(|i| f64::from(-45.0f32 + 0.1 * i as f32)).collect();
        assert!(matches!(Steps::of(&singles), Some(Steps::Equal(s)) if (s - 0.1).abs() < 1e-6));
        let powers: Vec<f64> = (-5..15).map(|i| 2f64.powi(i)).collect();
        assert_eq!(Steps::of(&powers), Some(Steps::Ratio(2.0)));
        assert_eq!(Steps::of(&[3.0, 1.0, -1.0]), Some(Steps::Equal(-2.0)));
        for irregular in [
            &[1.0, 2.0][..],
            &[],
            &[1.0, 1.0, 1.0],
            &[1.0, 2.0, 4.0, 9.0],
            &[1.0, 2.0, f64::NAN],
            &[-1.7e308, 0.0, 1.7e308],
            &[0.0, 1.0, 10.0],
            &[-1.0, -10.0, -100.0],
            &[1e16, 1e16 + 2.0, 1e16 + 6.0],
        ] {
            assert_eq!(Steps::of(irregular), None, "{irregular:?}");
        }
    }

    #[test]
    fn the_tolerance_is_that_of_the_steps() {
        let cases: u64 = std::env::var("GRIDSCOPE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
        let mut state = 5u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..cases {
            let (n, step) = (3 + (random() * 40.0) as usize, 10f64.powf(random() * 12.0 - 6.0));
            let start = (random() - 0.5) * 100.0 * step;
            let by_ratio = random() < 0.5;
            let ratio = 1.1 + 3.0 * random();
            // As numpy.arange and numpy.geomspace, each number on its own.
            let of = |i: usize| {
                if by_ratio { step * ratio.powi(i as i32) } else { start + step * i as f64 }
            };
            let at = (random() * n as f64) as usize;
            let jittered = |by: f64| -> Vec<f64> {
                let unit = if by_ratio { of(at) } else { step };
                (0..n).map(|i| of(i) + if i == at { by * unit } else { 0.0 }).collect()
            };
            for by in [0.0, 2e-10, -2e-10] {
                let found = Steps::of(&jittered(by));
                let is_found = match found {
                    Some(Steps::Equal(s)) => !by_ratio && (s / step - 1.0).abs() < 1e-8,
                    Some(Steps::Ratio(r)) => by_ratio && (r / ratio - 1.0).abs() < 1e-8,
                    None => false,
                };
                assert!(is_found, "{by} {found:?} {:?}", jittered(by));
            }
            for by in [1e-8, -1e-8, 1e-3] {
                assert_eq!(Steps::of(&jittered(by)), None, "{by} {:?}", jittered(by));
            }
        }
    }
}

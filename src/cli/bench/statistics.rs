//! Quantiles of lists of times.

use gridscope_core::scale::percentiles;

/// Quantiles of times in ms by numpy's linear rule; NaN of an empty list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub median: f64,
    pub p95: f64,
    pub p99: f64,
    pub min: f64,
}

impl Spread {
    pub(super) fn of(samples: &[f64]) -> Self {
        let at = percentiles(&mut samples.to_vec(), &[0.0, 50.0, 95.0, 99.0]);
        let [min, median, p95, p99] = at[..] else {
            return Self {
                median: f64::NAN,
                p95: f64::NAN,
                p99: f64::NAN,
                min: f64::NAN,
            };
        };
        Self {
            median,
            p95,
            p99,
            min,
        }
    }
}

/// The median; NaN of an empty list.
pub(super) fn median(samples: &[f64]) -> f64 {
    Spread::of(samples).median
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_numpys() {
        // numpy.quantile(numpy.arange(1, 21) ** 2, [0, .5, .95, .99])
        let squares: Vec<f64> = (1..=20).rev().map(|i| f64::from(i * i)).collect();
        let s = Spread::of(&squares);
        assert_eq!((s.min, s.median), (1.0, 110.5));
        assert!(
            (s.p95 - 362.95).abs() < 1e-9 && (s.p99 - 392.59).abs() < 1e-9,
            "{s:?}"
        );
    }

    #[test]
    fn few_samples_have_a_spread_too() {
        assert_eq!(
            Spread::of(&[2.5]),
            Spread {
                median: 2.5,
                p95: 2.5,
                p99: 2.5,
                min: 2.5
            }
        );
        assert_eq!((median(&[4.0, 1.0]), median(&[3.0, 9.0, 1.0])), (2.5, 3.0));
        assert!(Spread::of(&[]).median.is_nan());
    }
}

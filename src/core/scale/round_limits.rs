//! Round numbers near a place of a scale: what a dragged limit stops at.

use super::decimal::Decimal;

/// Mantissas of round steps; the coarsest first.
const STEPS: [i128; 3] = [5, 2, 1];
/// The most digits of a round number.
const DIGITS: i32 = 17;

/// The roundest number from `low` to `high`: 0, else a multiple of the greatest step of 1, 2 or 5 times a power of ten
/// that has one there; of several the one nearest to `near`. `None` where one of the numbers is not finite or they do
/// not ascend.
pub fn roundest_near(low: f64, near: f64, high: f64) -> Option<f64> {
    if !(low.is_finite() && high.is_finite() && low <= near && near <= high) {
        return None;
    }
    if low <= 0.0 && high >= 0.0 {
        return Some(0.0);
    }
    let [from, middle, to] = [low, near, high].map(Decimal::shortest);
    let (from, middle, to) = (from?, middle?, to?);
    let top = from.order().max(to.order()) + 1;
    let steps = (top - DIGITS..=top).rev().flat_map(|e| STEPS.map(|m| Decimal::new(m, e)));
    let found = steps.into_iter().find_map(|step| {
        let (first, last) = (from.steps_above(step)?, to.steps_below(step)?);
        let below = middle.steps_below(step)?;
        (first <= last)
            .then(|| [below, below + 1].map(|n| n.clamp(first, last)))?
            .into_iter()
            .filter_map(|n| Some(step.times(n)?.value()))
            .min_by(|a, b| (a - near).abs().total_cmp(&(b - near).abs()))
    });
    found.filter(|v| v.is_finite())
}

/// `v + (to - from)` as decimals, so that round numbers stay round; as f64 where the decimals are too far apart.
pub fn shifted(v: f64, from: f64, to: f64) -> f64 {
    let exact = || {
        let [v, from, to] = [v, from, to].map(Decimal::shortest);
        Some(v?.plus(to?.minus(from?)?)?.value())
    };
    exact().unwrap_or(v + (to - from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roundest_number_wins_and_then_the_nearest() {
        let at = |low, near, high| roundest_near(low, near, high).unwrap();
        assert_eq!(at(23.5, 25.1, 26.5), 25.0);
        assert_eq!(at(98.1, 99.6, 99.609), 99.0);
        assert_eq!(at(-1.0, 0.4, 2.0), 0.0);
        assert_eq!(at(5.3, 7.1, 9.2), 8.0);
        assert_eq!(at(-9.2, -7.1, -5.3), -8.0);
        assert_eq!(at(0.29, 0.301, 0.312), 0.3);
        assert_eq!(at(7.6e-9, 9e-9, 1.3e-8), 1e-8);
        assert_eq!(at(20_240_101.3, 20_240_104.9, 20_240_107.9), 20_240_105.0);
        assert_eq!(at(3.25, 3.25, 3.25), 3.25);
        assert_eq!(at(1.6e308, 1.69e308, f64::MAX), 1.6e308);
        for (low, near, high) in [(2.0, 1.0, 3.0), (f64::NAN, 1.0, 2.0), (1.0, 2.0, f64::INFINITY)] {
            assert_eq!(roundest_near(low, near, high), None);
        }
    }

    #[test]
    fn it_lies_between_and_has_few_digits() {
        let mut seed = 5u64;
        let mut roll = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as f64 / (1u64 << 31) as f64
        };
        for _ in 0..5000 {
            let size = 10f64.powf(roll() * 80.0 - 40.0);
            let low = (roll() - 0.5) * size;
            let high = low + roll() * size * 10f64.powf(-4.0 * roll());
            let near = low / 2.0 + high / 2.0;
            if !(low <= near && near <= high) {
                continue;
            }
            let v = roundest_near(low, near, high).unwrap_or(low);
            assert!((low..=high).contains(&v), "{low} {v} {high}");
        }
        for _ in 0..2000 {
            // A window of a hundredth of the number: two digits and a bit.
            let v = 1.0 + 9.0 * roll();
            let round = roundest_near(v * 0.995, v, v * 1.005).unwrap();
            assert!((round * 100.0 - (round * 100.0).round()).abs() < 1e-9, "{v} {round}");
        }
    }

    #[test]
    fn sums_of_round_numbers_are_round() {
        assert_eq!(shifted(0.1, 0.0, 0.2), 0.3);
        assert_eq!(shifted(24.0, 0.0, -0.7), 23.3);
        assert_eq!(shifted(1e300, 0.0, 1.0), 1e300);
    }
}

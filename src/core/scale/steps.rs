//! Round numbers in a range, as exact decimals.

use super::decimal::Decimal;

/// Mantissas of round steps, as in matplotlib's `MaxNLocator`, and their common exponent.
const STEPS: ([i128; 4], i32) = ([10, 20, 25, 50], -1);

/// The most ticks that are found, whatever is requested.
pub(super) const MOST_TICKS: usize = 1_000;

/// The multiples of a round step between two numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Round {
    pub values: Vec<Decimal>,
    pub step: Decimal,
}

/// At most `most` multiples of the least round step for which `holds` each of them, from `low` to `high`.
pub(super) fn multiples(
    low: Decimal,
    high: Decimal,
    most: usize,
    holds: impl Fn(Decimal) -> bool,
) -> Option<Round> {
    let most = most.min(MOST_TICKS);
    let decade = decade(low, high, most)?;
    for exponent in decade..=decade + 3 {
        for mantissa in STEPS.0 {
            let step = Decimal::new(mantissa, exponent + STEPS.1);
            let (Some(first), Some(last)) = (low.steps_above(step), high.steps_below(step)) else {
                continue;
            };
            let count = last.checked_sub(first).unwrap_or(i128::MAX).saturating_add(1);
            if !(1..=most as i128).contains(&count) {
                continue;
            }
            let values: Option<Vec<Decimal>> =
                (first..=last).map(|n| step.times(n).filter(|v| holds(*v))).collect();
            if let Some(values) = values {
                return Some(Round { values, step });
            }
        }
    }
    None
}

/// The decade of the step that divides a range in `most - 1` parts.
fn decade(low: Decimal, high: Decimal, most: usize) -> Option<i32> {
    let parts = most.checked_sub(1).filter(|n| *n > 0)? as f64;
    let (span, exponent) = match high.minus(low) {
        Some(span) => (span.parts().0 as f64, span.parts().1),
        // So far apart that the smaller one does not count.
        None => (high.value() - low.value(), 0),
    };
    (span > 0.0).then(|| (span / parts).log10().floor() as i32 + exponent)
}

/// The number from `low` to `high`, which is not below it, with the fewest digits: of several the least.
pub(super) fn roundest(low: Decimal, high: Decimal) -> Decimal {
    let end = low.parts().1;
    let from = low.order().max(high.order()).max(end) + 1;
    (end..=from)
        .rev()
        .find_map(|exponent| {
            let unit = Decimal::new(1, exponent);
            let n = low.steps_above(unit)?;
            if n <= high.steps_below(unit)? { unit.times(n) } else { None }
        })
        .unwrap_or(low)
}

/// Where labels with a base begin: the roundest number of the lowest quarter, so that the base has few digits.
pub(super) fn base(low: Decimal, high: Decimal) -> Option<Decimal> {
    let span = high.minus(low)?;
    let quarter = Decimal::new(span.parts().0.checked_mul(25)?, span.parts().1 - 2);
    Some(roundest(low, low.plus(quarter)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    fn texts(low: &str, high: &str, most: usize) -> Vec<String> {
        let round = multiples(d(low), d(high), most, |_| true);
        round.map_or(Vec::new(), |r| r.values.into_iter().map(Decimal::brief).collect())
    }

    #[test]
    fn multiples_are_exact_at_both_ends_of_f64() {
        assert_eq!(
            texts("0", "2e6", 9),
            ["0", "2.5e5", "5e5", "7.5e5", "1e6", "1.25e6", "1.5e6", "1.75e6", "2e6"]
        );
        assert_eq!(texts("-1.7e308", "1.7e308", 4), ["-1e308", "0", "1e308"]);
        assert_eq!(texts("5e-324", "2e-323", 5), ["5e-324", "1e-323", "1.5e-323", "2e-323"]);
        assert_eq!(texts("1e-300", "1e300", 3), ["5e299", "1e300"]);
        assert_eq!(texts("18446744073709551613", "18446744073709551615", 3).len(), 3);
        assert_eq!(multiples(d("1"), d("2"), 1, |_| true), None);
        assert_eq!(multiples(d("2"), d("1"), 5, |_| true), None);
        assert!(
            multiples(d("0"), d("1"), usize::MAX, |_| true).is_some_and(|r| r.values.len() <= MOST_TICKS)
        );
    }

    #[test]
    fn the_roundest_number_has_the_fewest_digits() {
        let found = |low: &str, high: &str| roundest(d(low), d(high)).brief();
        assert_eq!(
            [found("20240101", "20240120"), found("-3", "5"), found("0.13", "0.19")],
            ["20240110", "0", "0.13"]
        );
        assert_eq!(
            [found("7", "7"), found("-123.4", "-123.1"), found("1e-300", "1e300")],
            ["7", "-123.4", "1e300"]
        );
        assert_eq!(base(d("20240101"), d("20240120")), Some(d("20240101")));
        assert_eq!(base(d("999999999.7"), d("1000000000.9")), Some(d("1e9")));
    }
}

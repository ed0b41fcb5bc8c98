//! Round numbers in a range as exact decimals, powers of a base, and round places that a dragged limit stops at.

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

/// More powers than base 2 has in all of f64.
const MOST_POWERS: i64 = 5_000;

/// Factors of ticks in each decade, the most ticks first.
const DENSE: [&[i128]; 3] = [&[1, 2, 5], &[1, 3], &[1]];

/// Two to `most` ticks of a log norm; `None` where no choice of powers gives that many.
pub(super) fn log_ticks(vmin: f64, vmax: f64, most: usize) -> Option<Vec<Decimal>> {
    let (low, high) = (vmin.log10().floor() as i32, vmax.log10().ceil() as i32);
    let within = |d: &Decimal| (vmin..=vmax).contains(&d.value()) && d.is_shortest();
    let ticks = |factors: &[i128], stride: usize| -> Vec<Decimal> {
        let decades = (low..=high).step_by(stride);
        decades.flat_map(|e| factors.iter().map(move |f| Decimal::new(*f, e))).filter(&within).collect()
    };
    let some = |v: &Vec<Decimal>| (2..=most).contains(&v.len());
    // Decades that surely lie within the limits: where there are too many, counting their ticks would be wasted.
    let sure = usize::try_from(high - low).unwrap_or(0).saturating_sub(4);
    let dense = DENSE.into_iter().filter(|_| sure <= most).map(|f| ticks(f, 1)).find(some);
    let least = (sure / (most + 1)).max(2);
    dense.or_else(|| (least..=((high - low).max(2) as usize)).map(|stride| ticks(&[1], stride)).find(some))
}

/// Ticks of a symlog norm on both sides of 0; `None` where no choice of powers gives few enough.
pub(super) fn symlog_ticks(
    vmin: f64,
    vmax: f64,
    (linthresh, base): (f64, f64),
    most: usize,
) -> Option<Vec<Decimal>> {
    let top = vmax.abs().max(vmin.abs());
    let first = (linthresh.ln() / base.ln()).ceil() as i32;
    let last = (top.ln() / base.ln() + 1e-9).floor() as i32;
    // A base next to 1 has more powers than any bar has room for.
    if i64::from(last) - i64::from(first) > MOST_POWERS {
        return None;
    }
    let mut powers: Vec<(Decimal, f64)> =
        (first..=last).rev().filter_map(|e| power(base, e)).map(|d| (d, d.value())).collect();
    powers.dedup();
    let sides = usize::from(vmin < 0.0) + usize::from(vmax > 0.0);
    (1..=powers.len().max(1)).find_map(|stride| {
        let decades: Vec<(Decimal, f64)> = powers.iter().copied().step_by(stride).collect();
        let below = decades.iter().filter_map(|(d, v)| Some((d.times(-1)?, -v)));
        let all = below.chain([(Decimal::new(0, 0), 0.0)]).chain(decades.iter().rev().copied());
        let ticks: Vec<Decimal> = all.filter(|(_, v)| (vmin..=vmax).contains(v)).map(|(d, _)| d).collect();
        (ticks.len() <= most.max(sides + 1) && ticks.len() > 1).then_some(ticks)
    })
}

/// A power of the base as a label can say it: itself up to six digits, else the number of three digits beside it.
fn power(base: f64, e: i32) -> Option<Decimal> {
    if base == 10.0 {
        return Some(Decimal::new(1, e)).filter(|d| d.is_shortest());
    }
    let by_steps = base.powi(e);
    // Steps towards the least numbers pass by the greatest, which overflow.
    let value = if by_steps.is_normal() { by_steps } else { base.powf(f64::from(e)) };
    let exact = Decimal::shortest(value).filter(|_| value > 0.0)?;
    if exact.parts().0.unsigned_abs() < 1_000_000 {
        return Some(exact);
    }
    Decimal::parse(&format!("{:.2e}", exact.value())).filter(|d| d.is_shortest())
}

/// Mantissas of round steps; the coarsest first.
const ROUND: [i128; 3] = [5, 2, 1];
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
    let steps = (top - DIGITS..=top).rev().flat_map(|e| ROUND.map(|m| Decimal::new(m, e)));
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
    use gridscope_random::Random;

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
        let mut random = Random(5);
        for _ in 0..5000 {
            let size = 10f64.powf(random.unit() * 80.0 - 40.0);
            let low = (random.unit() - 0.5) * size;
            let high = low + random.unit() * size * 10f64.powf(-4.0 * random.unit());
            let near = low / 2.0 + high / 2.0;
            if !(low <= near && near <= high) {
                continue;
            }
            let v = roundest_near(low, near, high).unwrap_or(low);
            assert!((low..=high).contains(&v), "{low} {v} {high}");
        }
        for _ in 0..2000 {
            // A window of a hundredth of the number: two digits and a bit.
            let v = 1.0 + 9.0 * random.unit();
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

#[cfg(test)]
mod decades_tests {
    use super::*;

    fn texts(ticks: Option<Vec<Decimal>>) -> Vec<String> {
        ticks.unwrap_or_default().into_iter().map(Decimal::text).collect()
    }

    #[test]
    fn decades_reach_both_ends_of_f64() {
        assert_eq!(texts(log_ticks(0.001, 10.0, 6)), ["0.001", "0.01", "0.1", "1", "10"]);
        assert_eq!(texts(log_ticks(1e-323, 1.7e308, 3)), ["1e-165", "1e-6", "1e153"]);
        assert_eq!(log_ticks(3.1, 3.2, 5), None);
    }

    #[test]
    fn powers_that_are_no_short_numbers_are_replaced_by_short_ones() {
        assert_eq!(
            texts(symlog_ticks(-8.0, 8.0, (1.0, 2.0), 9)),
            ["-8", "-4", "-2", "-1", "0", "1", "2", "4", "8"]
        );
        assert_eq!(power(2.0, 20).map(Decimal::text), Some("1050000".to_owned()));
        assert_eq!(power(2.0, 10).map(Decimal::text), Some("1024".to_owned()));
        assert_eq!(
            texts(symlog_ticks(0.0, 30.0, (1.0, std::f64::consts::E), 9)),
            ["0", "1", "2.72", "7.39", "20.1"]
        );
        assert_eq!(symlog_ticks(-1e300, 1e300, (1.0, 1.0 + 1e-10), 9), None);
        assert_eq!(texts(symlog_ticks(0.0, 1e-322, (3.5e-323, 2.0), 9)), ["0", "4e-323", "8e-323"]);
    }
}

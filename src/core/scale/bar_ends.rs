//! The limits of a colour bar among its ticks, with as many digits as these.

use super::decimal::Decimal;
use super::digits::significant;
use super::ticks::{Tick, ascend, tell_apart};

/// Digits of a limit that was given as a round number.
const FEW: i32 = 4;
/// The most decimals that ticks get because of a limit.
const MOST_DECIMALS: usize = 6;
/// Steps of the last decimal along a bar, so that a rounded limit is off by at most half a step, 2 % of the bar.
const STEPS: f64 = 25.0;
/// Digits of limits between ticks of which each has its own.
const DIGITS: usize = 3;

/// Puts both limits beside the ticks between them. All have the same decimals: those of the ticks, of a limit of few digits, and
/// as many as place the limit on the bar.
pub(super) fn add_limits(ticks: &mut Vec<Tick>, low: f64, high: f64) {
    ticks.insert(0, Tick::given(low));
    ticks.push(Tick::given(high));
    let given = ticks.clone();
    if aligned(ticks, low, high).is_some() && ascend(ticks.iter().map(|t| t.label.as_str())) {
        return;
    }
    ticks.clone_from(&given);
    for t in ticks.iter_mut().filter(|t| !t.exact) {
        t.label = significant(t.value, DIGITS);
    }
    if !ascend(ticks.iter().map(|t| t.label.as_str())) {
        *ticks = given;
        tell_apart(ticks);
    }
}

/// Gives all labels the same decimals; `None` where that would take too many, or labels have exponents.
fn aligned(ticks: &mut [Tick], low: f64, high: f64) -> Option<()> {
    let number = |t: &Tick| {
        if t.exact { Decimal::parse(&t.label) } else { Decimal::shortest(t.value) }
    };
    let numbers: Vec<Decimal> = ticks.iter().map(number).collect::<Option<_>>()?;
    let written_out = |t: &Tick| !t.exact || !t.label.contains('e');
    if !ticks.iter().all(written_out) || numbers.iter().any(|d| !(-6..7).contains(&d.order())) {
        return None;
    }
    let decimals_of = |unit: i32| usize::try_from(-unit).unwrap_or(0);
    let unit = ((high - low) / STEPS).log10().floor() as i32;
    let needed = |(t, d): (&Tick, &Decimal)| {
        if t.exact {
            return t.label.split_once('.').map_or(0, |(_, f)| f.len());
        }
        let own = decimals_of(d.parts().1);
        if d.digits() <= FEW {
            return own;
        }
        // A limit beside 0 is not 0.
        decimals_of(unit.min(d.order())).min(own)
    };
    let decimals = ticks.iter().zip(&numbers).map(needed).max()?;
    if decimals > MOST_DECIMALS {
        return None;
    }
    for (t, d) in ticks.iter_mut().zip(numbers) {
        t.label = d.rounded(-(decimals as i32)).fixed(decimals);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::{Norm, norm_ticks};

    fn labels(low: f64, high: f64) -> Vec<String> {
        let mut ticks = norm_ticks(&Norm::Linear, low, high, 6);
        ticks.retain(|t| t.value > low && t.value < high);
        add_limits(&mut ticks, low, high);
        ticks.into_iter().map(|t| t.label).collect()
    }

    #[test]
    fn limits_have_the_decimals_of_the_ticks() {
        assert_eq!(labels(0.0, 0.871_234_5), ["0.00", "0.20", "0.40", "0.60", "0.80", "0.87"]);
        assert_eq!(labels(0.0, 97.834), ["0", "20", "40", "60", "80", "98"]);
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-2.5, 7.123_456), ["-2.5", "-2.0", "0.0", "2.0", "4.0", "6.0", "7.1"]);
        assert_eq!(labels(0.05, 0.5), ["0.05", "0.10", "0.20", "0.30", "0.40", "0.50"]);
        assert_eq!(labels(0.031_415_9, 1.0)[0], "0.03");
        assert_eq!(labels(0.001_234_56, 10.0)[0], "0.001");
        assert!(ascend(labels(1e9, 1e9 + 1.0).iter().map(String::as_str)));
        assert_eq!(labels(0.0, 2.345_678e-7).last().map(String::as_str), Some("2.35e-7"));
    }
}

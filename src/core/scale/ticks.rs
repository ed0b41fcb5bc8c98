//! Ticks of an axis or a norm: values, and labels that say exactly these values.

use super::decimal::{Decimal, short, significant};
use super::norm::{Norm, TickRule};
use super::number_labels::{Labelled, number_labels};
use super::steps::{MOST_TICKS, Round, base, log_ticks, multiples, roundest, roundest_near, symlog_ticks};

/// A value and its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where it lies.
    pub value: f64,
    /// Its text, like no other of the same axis.
    pub label: String,
    /// Whether the text is the value. A limit, a boundary, a quantile and a lone value are not chosen, so their texts are
    /// rounded to the digits that they show.
    pub exact: bool,
}

impl Tick {
    /// A chosen tick.
    pub(super) fn at(d: Decimal, label: String) -> Self {
        Self { value: d.value(), label, exact: true }
    }

    /// A value with a text that reads back the same.
    pub fn exactly(value: f64) -> Self {
        Self { value, label: value.to_string(), exact: true }
    }

    /// A value that the data or the user gave, to six digits.
    pub(super) fn given(value: f64) -> Self {
        Self { value, label: short(value), exact: false }
    }
}

/// At most `most` round values from `low` to `high` with the same decimals, a thousand at most; one for an empty range.
pub fn nice_ticks(low: f64, high: f64, most: usize) -> Vec<Tick> {
    match (Decimal::shortest(low), Decimal::shortest(high)) {
        (Some(a), Some(b)) if low < high => round_ticks(a, b, most, Decimal::is_shortest),
        _ => vec![Tick::given(low)],
    }
}

/// Round values that each `hold`, or one of few digits.
pub(super) fn round_ticks(
    low: Decimal,
    high: Decimal,
    most: usize,
    hold: impl Fn(Decimal) -> bool,
) -> Vec<Tick> {
    if let Some(round) = multiples(low, high, most, &hold) {
        return labelled(round);
    }
    let few = |d: &Decimal| d.parts().0.unsigned_abs() < 1_000_000;
    let one = Some(low).filter(few).unwrap_or_else(|| roundest(low, high));
    // Where f64 has few values, another text may be that of the same value.
    let one = if hold(one) { one } else { Decimal::shortest(one.value()).unwrap_or(low) };
    vec![Tick::at(one, one.text())]
}

/// At most `most` ticks that lie at a base and at round distances from it; the base comes first and has few digits.
pub(super) fn ticks_from_base(
    low: Decimal,
    high: Decimal,
    most: usize,
    hold: impl Fn(Decimal) -> bool,
) -> Option<Vec<Tick>> {
    let base = base(low, high).filter(|b| hold(*b))?;
    let sum = |d: Decimal| base.plus(d);
    let round = multiples(Decimal::new(0, 0), high.minus(base)?, most, |d| sum(d).is_some_and(&hold))?;
    round.values.into_iter().map(|d| sum(d).map(|d| Tick::at(d, d.text()))).collect()
}

/// Ticks at equal shares give way to round values that lie this near, as a share of the distance of two ticks.
const ROUNDED: f64 = 0.3;

/// Labels in one style.
fn labelled(round: Round) -> Vec<Tick> {
    chosen(round.values, Labelled::Ticks)
}

/// Chosen ticks with labels in one style.
fn chosen(values: Vec<Decimal>, kind: Labelled) -> Vec<Tick> {
    let labels = number_labels(&values, kind);
    values.into_iter().zip(labels).map(|(d, label)| Tick::at(d, label)).collect()
}

/// At most `most` ticks of a colour bar, ascending, all between the limits.
pub fn norm_ticks(norm: &Norm, vmin: f64, vmax: f64, most: usize) -> Vec<Tick> {
    // Not so where a limit is NaN either.
    if vmin.partial_cmp(&vmax) != Some(std::cmp::Ordering::Less) {
        return vec![Tick::given(vmin)];
    }
    let mut ticks: Vec<Tick> = match norm.traits().ticks {
        TickRule::Round => return nice_ticks(vmin, vmax, most),
        TickRule::Powers => {
            let powers = log_ticks(vmin, vmax, most);
            return powers
                .map_or_else(|| nice_ticks(vmin, vmax, most), |powers| chosen(powers, Labelled::Powers));
        }
        TickRule::SignedPowers { linthresh, base } => {
            let powers = symlog_ticks(vmin, vmax, (linthresh, base), most);
            return powers.map_or_else(
                || plainly(nice_ticks(vmin, vmax, most)),
                |powers| chosen(powers, Labelled::Powers),
            );
        }
        TickRule::TwoSides(center) => {
            let side = (most / 2 + 1).max(2);
            let mut v: Vec<Tick> =
                plainly(nice_ticks(vmin, center, side)).into_iter().filter(|t| t.value < center).collect();
            v.push(Tick::given(center));
            v.extend(plainly(nice_ticks(center, vmax, side)).into_iter().filter(|t| t.value > center));
            thinned(v.len(), most).map(|i| v[i].clone()).collect()
        }
        TickRule::At(b) => every_kth(b.len(), most).map(|i| Tick::given(b[i])).collect(),
        TickRule::EqualShares => {
            let most = most.clamp(2, MOST_TICKS);
            let (last, mut ticks) = (most - 1, Vec::with_capacity(most));
            for i in 0..most {
                // The ends are values of the data; between them a round value nearby is as good.
                let place = |by: f64| norm.inverse((i as f64 + by) / last as f64, vmin, vmax);
                let round = Some([-ROUNDED, 0.0, ROUNDED].map(place)).filter(|_| i > 0 && i < last);
                let round = round.and_then(|[from, near, to]| roundest_near(from, near, to));
                let shortest = round.and_then(Decimal::shortest);
                ticks.push(match (i, shortest) {
                    (0, _) => Tick::given(vmin),
                    (_, Some(d)) => Tick::at(d, d.text()),
                    (i, None) if i == last => Tick::given(vmax),
                    _ => Tick::given(place(0.0)),
                });
            }
            ticks
        }
    };
    ticks.dedup_by(|b, a| b.value <= a.value);
    let digits = if norm.traits().ticks == TickRule::EqualShares { 3 } else { DIGITS };
    tell_apart_from(&mut ticks, digits);
    ticks
}

/// The same ticks, each with its own decimals.
fn plainly(mut ticks: Vec<Tick>) -> Vec<Tick> {
    for t in ticks.iter_mut().filter(|t| t.exact) {
        t.label = Decimal::shortest(t.value).map_or_else(|| short(t.value), Decimal::text);
    }
    ticks
}

/// Digits of a rounded label.
const DIGITS: usize = 6;

/// Gives labels that are rounded as many digits as they need to read differently from their neighbours.
pub(super) fn tell_apart(ticks: &mut [Tick]) {
    tell_apart_from(ticks, DIGITS);
}

fn tell_apart_from(ticks: &mut [Tick], least: usize) {
    for digits in least..=17 {
        for t in ticks.iter_mut().filter(|t| !t.exact) {
            t.label = significant(t.value, digits);
        }
        if ascend(ticks.iter().map(|t| t.label.as_str())) {
            return;
        }
    }
}

/// Whether each label says more than the one before.
pub(super) fn ascend<'a>(labels: impl Iterator<Item = &'a str>) -> bool {
    let said: Option<Vec<Decimal>> = labels.map(Decimal::parse).collect();
    said.is_some_and(|d| d.windows(2).all(|p| p[0].is_below(p[1])))
}

/// Places of every k-th of a list from the first on, for the least k that gives at most `most`, and of the last, before which one
/// that is nearer than half of k gives way.
fn every_kth(n: usize, most: usize) -> impl Iterator<Item = usize> {
    let (last, most) = (n.saturating_sub(1), most.max(1));
    let k = if most == 1 { n.max(1) } else { last.div_ceil(most - 1).max(1) };
    let is_near = move |i: usize| 2 * (last - i) < k && i > 0;
    (0..n).filter(move |i| if *i == last { most > 1 || n == 1 } else { i % k == 0 && !is_near(*i) })
}

/// Evenly chosen places of a list, both ends among them.
fn thinned(n: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = n.min(most.max(1));
    (0..count).map(
        move |i| {
            if count < n && count > 1 { (i * (n - 1) + (count - 1) / 2) / (count - 1) } else { i }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(t: Vec<Tick>) -> Vec<String> {
        t.into_iter().map(|t| t.label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(nice_ticks(0.0, 100.0, 6)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(nice_ticks(24.0, 48.0, 6)), ["25", "30", "35", "40", "45"]);
        assert_eq!(labels(nice_ticks(0.0, 1.0, 6)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(nice_ticks(-1.0, 1.0, 5)), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(nice_ticks(0.0, 3e-7, 4)), ["0", "1e-7", "2e-7", "3e-7"]);
        let big = labels(nice_ticks(1e9, 1e9 + 1.0, 3));
        assert!(big.windows(2).all(|p| p[0] != p[1]), "{big:?}");
        assert_eq!(labels(nice_ticks(5.0, 5.0, 6)), ["5"]);
    }

    #[test]
    fn bars_have_ticks_of_their_norm() {
        assert_eq!(labels(norm_ticks(&Norm::Log, 0.001, 10.0, 6)), ["1e-3", "1e-2", "1e-1", "1e0", "1e1"]);
        assert_eq!(labels(norm_ticks(&Norm::Log, 0.1, 100.0, 6)), ["0.1", "1", "10", "100"]);
        assert_eq!(labels(norm_ticks(&Norm::Bounds(vec![0.0, 10.0, 50.0]), 0.0, 50.0, 9)), ["0", "10", "50"]);
        let s = Norm::SymLog { linthresh: 1.0, linscale: 1.0, base: 10.0 };
        assert_eq!(labels(norm_ticks(&s, -100.0, 100.0, 9)), ["-100", "-10", "-1", "0", "1", "10", "100"]);
        assert_eq!(
            labels(norm_ticks(&Norm::TwoSlope { center: 0.0 }, -2.0, 10.0, 6)),
            ["-2", "-1", "0", "5", "10"]
        );
    }

    #[test]
    fn labels_say_where_ticks_lie() {
        assert_eq!(
            labels(nice_ticks(0.0, 2e6, 9)),
            ["0", "250000", "500000", "750000", "1000000", "1250000", "1500000", "1750000", "2000000"]
        );
        assert_eq!(labels(nice_ticks(5e-324, 2e-323, 5)), ["5.0e-324", "1.0e-323", "1.5e-323", "2.0e-323"]);
        assert_eq!(labels(nice_ticks(-f64::MAX, f64::MAX, 4)), ["-1e308", "0", "1e308"]);
        assert_eq!(labels(nice_ticks(1e9, 1e9 + 1.2e-7, 9)), ["1000000000.0000000", "1000000000.0000001"]);
        // No multiple of a step lies between these, so that the ticks are numbers of few digits.
        let next = f64::from_bits(0.3f64.to_bits() + 1);
        assert!(nice_ticks(0.3, next, 5).iter().all(|t| t.label.parse::<f64>() == Ok(t.value)));
        assert_eq!(labels(nice_ticks(f64::MAX, f64::MAX, 5)), ["1.79769e308"]);
        assert!(nice_ticks(0.0, 1.0, usize::MAX).len() <= MOST_TICKS);
        assert_eq!(nice_ticks(0.0, 1.0, 0).len(), 1);
    }

    #[test]
    fn boundaries_read_differently() {
        let bounds = Norm::Bounds(vec![0.0, 1.0, 1.0000001, 1.0000002, 20240101.0]);
        assert_eq!(
            labels(norm_ticks(&bounds, 0.0, 20240101.0, 9)),
            ["0", "1", "1.0000001", "1.0000002", "20240101"]
        );
        let skewed = Norm::Quantile(vec![0.012_345, 1.876, 3.999_2, 7.123_4, 951.237]);
        assert_eq!(labels(norm_ticks(&skewed, 0.012_345, 951.237, 5)), ["0.0123", "2", "4", "200", "951"]);
        let equal = Norm::Quantile(vec![1.0, 1.0, 1.0, 2.0]);
        assert_eq!(labels(norm_ticks(&equal, 1.0, 2.0, 4)), ["1", "1.5", "2"]);
        assert_eq!(
            labels(norm_ticks(&Norm::Quantile(vec![-1.7e308, 1.7e308]), -1.7e308, 1.7e308, 3)),
            ["-1.7e308", "0", "1.7e308"]
        );
    }

    #[test]
    fn boundaries_are_thinned_regularly() {
        let places = |n, most| every_kth(n, most).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(places(5, 9), "0 1 2 3 4");
        assert_eq!(places(9, 5), "0 2 4 6 8");
        assert_eq!(places(12, 5), "0 3 6 9 11");
        assert_eq!(places(11, 4), "0 4 8 10");
        assert_eq!((places(10, 4), places(14, 3)), ("0 3 6 9".to_owned(), "0 7 13".to_owned()));
        assert_eq!(
            (places(1, 3), places(7, 1), places(0, 3)),
            ("0".to_owned(), "0".to_owned(), String::new())
        );
        for (n, most) in (1..60).flat_map(|n| (1..12).map(move |most| (n, most))) {
            let found: Vec<usize> = every_kth(n, most).collect();
            assert!((1..=most).contains(&found.len()), "{n} {most}: {found:?}");
        }
    }

    #[test]
    fn no_range_breaks_them() {
        for (a, b) in [(0.0, 5e-324), (-1.7e308, 1.7e308), (1e-300, 1e300), (1e15, 1e15 + 2.0), (-5.0, 3.0)] {
            for n in [
                Norm::Linear,
                Norm::SymLog { linthresh: 1.0, linscale: 1.0, base: 2.0 },
                Norm::SymLog { linthresh: 1.0, linscale: 1.0, base: 1.0 + 1e-10 },
                Norm::TwoSlope { center: f64::midpoint(a, b) },
            ] {
                for most in 1..9 {
                    let t = norm_ticks(&n, a, b, most);
                    assert!(
                        !t.is_empty() && t.iter().all(|t| t.value >= a && t.value <= b),
                        "{n:?} {a} {b} {t:?}"
                    );
                }
            }
        }
    }
}

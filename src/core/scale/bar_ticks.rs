//! Ticks of a scale's colour bar and its ends: where they lie, and their labels from a common base.

use super::color_scale::ColorScale;
use super::decimal::{Decimal, brief, short, significant};
use super::norm::{Norm, TickRule};
use super::ticks::{Tick, ascend, norm_ticks, round_ticks, tell_apart, ticks_from_base};

/// How the numbers of a colour bar are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BarNumbers {
    /// They are in units of this power of ten, which the bar's title names.
    pub power: i32,
    /// All values are whole, and so are ticks at round values.
    pub whole: bool,
}

impl BarNumbers {
    /// A value in units of the power.
    pub fn in_units(self, v: f64) -> f64 {
        self.shifted(v, -self.power)
    }

    fn value(self, v: f64) -> f64 {
        self.shifted(v, self.power)
    }

    fn shifted(self, v: f64, power: i32) -> f64 {
        let known = Decimal::shortest(v).filter(|_| power != 0);
        known.map_or(v, |d| d.shifted(power).value())
    }

    /// Whether a tick may lie at a number of units.
    fn allows(self, d: Decimal) -> bool {
        !self.whole || d.parts().1 >= -self.power
    }
}

impl ColorScale {
    /// At most `most` ticks, ascending, in the units of `numbers`; with `limits` both limits beside them, whatever their digits.
    pub fn ticks(&self, most: usize, limits: bool, numbers: BarNumbers) -> Vec<Tick> {
        let s = self.spec();
        let is_own = numbers != BarNumbers::default() && s.norm.traits().ticks == TickRule::Round;
        let mut ticks = match self.whole() {
            // Integers beyond f64 have only their own texts.
            Some((low, high)) if low == high => {
                vec![Tick { value: s.vmin, label: low.fixed(0), exact: false }]
            }
            Some((low, high)) => {
                let units = |d: Decimal| d.shifted(-numbers.power);
                round_ticks(units(low), units(high), most, |d| numbers.allows(d))
            }
            None if is_own => self.own_ticks(most, numbers),
            None => norm_ticks(&s.norm, s.vmin, s.vmax, most),
        };
        if limits && s.vmin < s.vmax {
            let (low, high) = (numbers.in_units(s.vmin), numbers.in_units(s.vmax));
            ticks.retain(|t| t.value > low && t.value < high);
            add_limits(&mut ticks, low, high);
        }
        ticks
    }

    /// Ticks at round numbers of units.
    fn own_ticks(&self, most: usize, numbers: BarNumbers) -> Vec<Tick> {
        let s = self.spec();
        let end = |v: f64| Decimal::shortest(v).map(|d| d.shifted(-numbers.power));
        match end(s.vmin).zip(end(s.vmax)).filter(|_| s.vmin < s.vmax) {
            Some((low, high)) => {
                round_ticks(low, high, most, |d| d.shifted(numbers.power).is_shortest() && numbers.allows(d))
            }
            None => vec![Tick::given(numbers.in_units(s.vmin))],
        }
    }

    /// Both limits as ticks, for a bar too short for others; none of a scale of one value.
    pub fn ends(&self, numbers: BarNumbers) -> Option<Vec<Tick>> {
        let s = self.spec();
        let mut ticks = Vec::new();
        if s.vmin < s.vmax {
            add_limits(&mut ticks, numbers.in_units(s.vmin), numbers.in_units(s.vmax));
        }
        Some(ticks).filter(|t| t.len() == 2)
    }

    /// As [`ColorScale::ticks`] where labels as long as the limits do not fit: at a number of few digits and at round
    /// distances from it. None on a scale that is not straight.
    pub fn ticks_from_base(&self, most: usize) -> Option<Vec<Tick>> {
        let s = self.spec();
        if let Some((low, high)) = self.whole() {
            return ticks_from_base(low, high, most, |_| true);
        }
        let straight = s.norm.traits().ticks == TickRule::Round;
        let (low, high) = Decimal::shortest(s.vmin)
            .zip(Decimal::shortest(s.vmax))
            .filter(|_| straight && s.vmin < s.vmax)?;
        ticks_from_base(low, high, most, Decimal::is_shortest)
    }

    /// Where a tick lies on the bar, 0 at its low end and 1 at its high end.
    pub fn place(&self, tick: &Tick, numbers: BarNumbers) -> f64 {
        let (s, (t0, t1)) = (self.spec(), self.span());
        let at = match (&s.norm, self.whole()) {
            _ if t1 <= t0 => 0.5,
            // Bins are equally long, so boundaries lie by their place in the list.
            (Norm::Bounds(b), _) => {
                let (value, after) = (numbers.value(tick.value), b.partition_point(|v| *v <= tick.value));
                let bin = b.get(after.wrapping_sub(1)).zip(b.get(after));
                let within = bin.map_or(0.0, |(low, high)| (value - low) / (high - low));
                (after.saturating_sub(1) as f64 + within) / (b.len().max(2) - 1) as f64
            }
            (_, Some((low, high))) => {
                let from_low = |d: Decimal| d.minus(low).map_or(f64::NAN, Decimal::value);
                let value = Decimal::parse(&tick.label).map(|d| d.shifted(numbers.power));
                value.map_or(0.0, |d| from_low(d) / from_low(high))
            }
            _ => (s.norm.t(numbers.value(tick.value), s.vmin, s.vmax, s.map.entries.len()) - t0) / (t1 - t0),
        };
        if at.is_nan() { 0.0 } else { at.clamp(0.0, 1.0) }
    }

    /// The limits of integers that f64 would round.
    fn whole(&self) -> Option<(Decimal, Decimal)> {
        let (low, high) = self.spec().exact?;
        Decimal::of(low).zip(Decimal::of(high))
    }
}

/// The least text of each label that still says the same: exponents where they are shorter, in all labels or in none. A rounded
/// number gets no zeros in place of the digits that it lost.
pub fn brief_labels(ticks: &[Tick]) -> Vec<String> {
    let text = |t: &Tick| match Decimal::parse(&t.label) {
        Some(d) if t.exact || d.parts().1 <= 0 => d.brief(),
        Some(d) => d.scientific(),
        None => t.label.clone(),
    };
    let texts: Vec<String> = ticks.iter().map(text).collect();
    let is_power = |t: &&String| t.contains('e');
    let powers = texts.iter().filter(is_power).count();
    if powers + texts.iter().filter(|t| *t == "0").count() == texts.len() || powers == 0 {
        return texts;
    }
    ticks.iter().map(|t| t.label.clone()).collect()
}

/// As [`brief_labels`], what is not exact cut to `digits`; none where neighbours would read the same, or all labels are exact.
pub fn cut_labels(ticks: &[Tick], digits: usize) -> Option<Vec<String>> {
    if ticks.iter().all(|t| t.exact) {
        return None;
    }
    let mut texts = brief_labels(ticks);
    for (text, t) in texts.iter_mut().zip(ticks).filter(|(_, t)| !t.exact) {
        *text = brief(t.value, digits);
    }
    ascend(texts.iter().map(String::as_str)).then_some(texts)
}

/// A base is this many times the distance of the last tick from it: only the late digits of the values differ.
const FAR: f64 = 100.0;

/// Ticks as a base, the value of the first one with all its digits, and how far each lies from it.
#[derive(Clone, Debug)]
pub struct FromBase {
    /// The base.
    pub base: String,
    /// The distances, `+0` first.
    pub labels: Vec<String>,
    /// The distances as multiples of a power of ten, where these are short.
    pub multiples: Option<(i32, Vec<String>)>,
}

/// The most characters of multiples of a power of ten; longer ones are no shorter than distances.
const SHORT_MULTIPLE: usize = 4;

/// Ticks as distances from the first; none where the values differ in their first digits, that is no shorter, or neighbours
/// would read the same.
pub fn labels_from_base(ticks: &[Tick]) -> Option<FromBase> {
    let value = |t: &Tick| {
        if t.exact { Decimal::parse(&t.label) } else { Decimal::shortest(t.value) }
    };
    let base = value(ticks.first().filter(|_| ticks.len() > 1)?)?;
    let reach = value(ticks.last()?)?.minus(base)?;
    if base.value().abs() < FAR * reach.value() {
        return None;
    }
    let distances: Vec<Decimal> = ticks.iter().map(|t| value(t)?.minus(base)).collect::<Option<_>>()?;
    let label = |(t, d): (&Tick, &Decimal)| {
        let text =
            if t.exact || d.text().len() <= short(d.value()).len() { d.brief() } else { brief(d.value(), 6) };
        format!("+{text}")
    };
    let labels: Vec<String> = ticks.iter().zip(&distances).map(label).collect();
    let plain = brief_labels(ticks);
    let shorter = labels.iter().zip(&plain).skip(1).all(|(a, b)| a.len() < b.len());
    let longest = labels.iter().map(String::len).max().unwrap_or(0);
    // A short base stands beside distances where these are far shorter than the numbers.
    let is_far = plain.iter().all(|text| text.len() <= 2 * longest);
    if !shorter || base.brief().len() <= longest && is_far || !ascend(labels.iter().map(String::as_str)) {
        return None;
    }
    let power = distances.iter().filter(|d| !d.is_zero()).map(|d| d.parts().1).min();
    let multiples = power.map(|power| {
        let texts: Vec<String> = distances.iter().map(|d| d.shifted(-power).text()).collect();
        // Fractions of two digits are those of one with a decimal.
        match texts.iter().map(String::len).max() {
            Some(2) if power < -1 => {
                (power + 1, distances.iter().map(|d| d.shifted(-power - 1).fixed(1)).collect())
            }
            _ => (power, texts),
        }
    });
    Some(FromBase {
        base: base.brief(),
        labels,
        multiples: multiples.filter(|(_, texts)| texts.iter().all(|t| t.len() <= SHORT_MULTIPLE)),
    })
}

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
fn add_limits(ticks: &mut Vec<Tick>, low: f64, high: f64) {
    let (mut low_end, mut high_end) = (Tick::given(low), Tick::given(high));
    // Beside powers of ten, limits are written as these are.
    if ticks.len() > 1 && ticks.iter().all(|t| t.label.contains('e')) {
        for end in [&mut low_end, &mut high_end] {
            if let Some(round) = Decimal::parse(&end.label).filter(|d| d.parts().0.unsigned_abs() < 10) {
                (end.label, end.exact) = (round.scientific(), true);
            }
        }
    }
    ticks.insert(0, low_end);
    ticks.push(high_end);
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
    fn limits_beside_powers_are_powers() {
        let labels = |low: f64, high: f64| {
            let mut ticks = norm_ticks(&Norm::Log, low, high, 8);
            ticks.retain(|t| t.value > low && t.value < high);
            add_limits(&mut ticks, low, high);
            ticks.into_iter().map(|t| t.label).collect::<Vec<_>>()
        };
        assert_eq!(labels(1.0, 1e6), ["1e0", "1e1", "1e2", "1e3", "1e4", "1e5", "1e6"]);
        assert_eq!(labels(2e-6, 1.0).first().unwrap(), "2e-6");
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

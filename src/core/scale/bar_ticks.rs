//! Ticks of a scale's colour bar: where they lie on it, and their labels from a common base.

use super::bar_ends::add_limits;
use super::color_scale::ColorScale;
use super::decimal::Decimal;
use super::digits::{brief, short};
use super::norm::{Norm, TickRule};
use super::ticks::{Tick, ascend, norm_ticks, round_ticks, ticks_from_base};

/// The most ticks of a bar.
const MOST_CANDIDATES: usize = 12;

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

    /// At most `most` ticks between two limits, ascending.
    fn ticks(self, norm: &Norm, (vmin, vmax): (f64, f64), most: usize) -> Vec<Tick> {
        if self == Self::default() || norm.traits().ticks != TickRule::Round {
            return norm_ticks(norm, vmin, vmax, most);
        }
        let end = |v: f64| Decimal::shortest(v).map(|d| d.shifted(-self.power));
        match end(vmin).zip(end(vmax)).filter(|_| vmin < vmax) {
            Some((low, high)) => round_ticks(low, high, most, |d| {
                d.shifted(self.power).is_shortest() && self.allows(d)
            }),
            None => vec![Tick::given(self.in_units(vmin))],
        }
    }

    /// Puts both limits beside the ticks between them.
    fn limit(self, ticks: &mut Vec<Tick>, (vmin, vmax): (f64, f64)) {
        if vmin < vmax {
            let (low, high) = (self.in_units(vmin), self.in_units(vmax));
            ticks.retain(|t| t.value > low && t.value < high);
            add_limits(ticks, low, high);
        }
    }

    /// The ticks of bars of any length between two limits, with these among them where `limited`.
    pub fn candidates(self, norm: &Norm, limits: (f64, f64), limited: bool) -> Vec<Tick> {
        let of_length = |most| {
            let mut ticks = self.ticks(norm, limits, most);
            if limited {
                self.limit(&mut ticks, limits);
            }
            ticks
        };
        (1..=MOST_CANDIDATES).flat_map(of_length).collect()
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
        let mut ticks = match self.whole() {
            // Integers beyond f64 have only their own texts.
            Some((low, high)) if low == high => vec![Tick {
                value: s.vmin,
                label: low.fixed(0),
                exact: false,
            }],
            Some((low, high)) => {
                let units = |d: Decimal| d.shifted(-numbers.power);
                round_ticks(units(low), units(high), most, |d| numbers.allows(d))
            }
            None => numbers.ticks(&s.norm, (s.vmin, s.vmax), most),
        };
        if limits {
            numbers.limit(&mut ticks, (s.vmin, s.vmax));
        }
        ticks
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
                b.partition_point(|v| *v < tick.value) as f64 / (b.len().max(2) - 1) as f64
            }
            (_, Some((low, high))) => {
                let from_low = |d: Decimal| d.minus(low).map_or(f64::NAN, Decimal::value);
                let value = Decimal::parse(&tick.label).map(|d| d.shifted(numbers.power));
                value.map_or(0.0, |d| from_low(d) / from_low(high))
            }
            _ => {
                (s.norm
                    .t(numbers.value(tick.value), s.vmin, s.vmax, s.map.entries.len())
                    - t0)
                    / (t1 - t0)
            }
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

/// The value of the first tick with all its digits, and how far each tick lies from it, `+0` first; none where the values differ
/// in their first digits, that is no shorter, or neighbours would read the same.
pub fn labels_from_base(ticks: &[Tick]) -> Option<(String, Vec<String>)> {
    let value = |t: &Tick| {
        if t.exact {
            Decimal::parse(&t.label)
        } else {
            Decimal::shortest(t.value)
        }
    };
    let base = value(ticks.first().filter(|_| ticks.len() > 1)?)?;
    let reach = value(ticks.last()?)?.minus(base)?;
    if base.value().abs() < FAR * reach.value() {
        return None;
    }
    let distance = |t: &Tick| {
        let d = value(t)?.minus(base)?;
        let text = if t.exact || d.text().len() <= short(d.value()).len() {
            d.brief()
        } else {
            brief(d.value(), 6)
        };
        Some(format!("+{text}"))
    };
    let texts: Vec<String> = ticks.iter().map(distance).collect::<Option<_>>()?;
    let plain = brief_labels(ticks);
    let shorter = texts.iter().zip(&plain).skip(1).all(|(a, b)| a.len() < b.len());
    let longest = texts.iter().map(String::len).max().unwrap_or(0);
    (shorter && base.brief().len() > longest && ascend(texts.iter().map(String::as_str)))
        .then(|| (base.brief(), texts))
}

//! Ticks of a scale's colour bar: where they lie on it, and their labels from a common base.

use super::bar_ends::add_limits;
use super::color_scale::ColorScale;
use super::decimal::Decimal;
use super::digits::{brief, short};
use super::norm::{Norm, TickRule};
use super::ticks::{Tick, ascend, norm_ticks, round_ticks, ticks_from_base};

impl ColorScale {
    /// At most `most` ticks, ascending; with `limits` both limits beside them, whatever their digits.
    pub(crate) fn ticks(&self, most: usize, limits: bool) -> Vec<Tick> {
        let s = self.spec();
        let mut ticks = match self.whole() {
            // Integers beyond f64 have only their own texts.
            Some((low, high)) if low == high => vec![Tick {
                value: s.vmin,
                label: low.fixed(0),
                exact: false,
            }],
            Some((low, high)) => round_ticks(low, high, most, |_| true),
            None => norm_ticks(&s.norm, s.vmin, s.vmax, most),
        };
        if limits && s.vmin < s.vmax {
            ticks.retain(|t| t.value > s.vmin && t.value < s.vmax);
            add_limits(&mut ticks, s.vmin, s.vmax);
        }
        ticks
    }

    /// As [`ColorScale::ticks`] where labels as long as the limits do not fit: at a number of few digits and at round
    /// distances from it. None on a scale that is not straight.
    pub(crate) fn ticks_from_base(&self, most: usize) -> Option<Vec<Tick>> {
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
    pub(crate) fn place(&self, tick: &Tick) -> f64 {
        let (s, (t0, t1)) = (self.spec(), self.span());
        let at = match (&s.norm, self.whole()) {
            _ if t1 <= t0 => 0.5,
            // Bins are equally long, so boundaries lie by their place in the list.
            (Norm::Bounds(b), _) => {
                b.partition_point(|v| *v < tick.value) as f64 / (b.len().max(2) - 1) as f64
            }
            (_, Some((low, high))) => {
                let from_low = |d: Decimal| d.minus(low).map_or(f64::NAN, Decimal::value);
                Decimal::parse(&tick.label).map_or(0.0, |d| from_low(d) / from_low(high))
            }
            _ => (s.norm.t(tick.value, s.vmin, s.vmax, s.map.entries.len()) - t0) / (t1 - t0),
        };
        if at.is_nan() { 0.0 } else { at.clamp(0.0, 1.0) }
    }

    /// The limits of integers that f64 would round.
    fn whole(&self) -> Option<(Decimal, Decimal)> {
        let (low, high) = self.spec().exact?;
        Decimal::of(low).zip(Decimal::of(high))
    }
}

/// The least text of each label that still says the same: an exponent where that is shorter. A rounded number gets no zeros in
/// place of the digits that it lost.
pub(crate) fn brief_labels(ticks: &[Tick]) -> Vec<String> {
    let text = |t: &Tick| match Decimal::parse(&t.label) {
        Some(d) if t.exact || d.parts().1 <= 0 => d.brief(),
        Some(d) => d.scientific(),
        None => t.label.clone(),
    };
    ticks.iter().map(text).collect()
}

/// As [`brief_labels`], what is not exact cut to `digits`; none where neighbours would read the same, or all labels are exact.
pub(crate) fn cut_labels(ticks: &[Tick], digits: usize) -> Option<Vec<String>> {
    if ticks.iter().all(|t| t.exact) {
        return None;
    }
    let mut texts = brief_labels(ticks);
    for (text, t) in texts.iter_mut().zip(ticks).filter(|(_, t)| !t.exact) {
        *text = brief(t.value, digits);
    }
    ascend(texts.iter().map(String::as_str)).then_some(texts)
}

/// The value of the first tick with all its digits, and how far each tick lies from it, `+0` first; none where that is no
/// shorter or neighbours would read the same.
pub(crate) fn labels_from_base(ticks: &[Tick]) -> Option<(String, Vec<String>)> {
    let value = |t: &Tick| {
        if t.exact {
            Decimal::parse(&t.label)
        } else {
            Decimal::shortest(t.value)
        }
    };
    let base = value(ticks.first().filter(|_| ticks.len() > 1)?)?;
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
    (shorter && ascend(texts.iter().map(String::as_str))).then(|| (base.brief(), texts))
}

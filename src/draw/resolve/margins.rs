//! The numbers that margins show, and the ranges of their axes.

use super::colour::{Folded, PanelMargins};
use super::frame::Frame;
use super::tracks::{MarginTrack, TrackKind};
use gridscope_core::figure::{MarginForm, MarginStat};
use gridscope_core::grid::{LineSummary, Pooled};

/// Number of a row or column in a margin; NaN where it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// The number of a bar, a line, or a strip.
    pub value: f64,
    /// Where a band, or a bar between two numbers, begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// Number of a line in a margin, or of several lines that one pixel covers.
pub fn shown(track: MarginTrack, of: &Pooled) -> Shown {
    let one = |value: f64| Shown { value, low: value, high: value };
    match (track.stat, track.form) {
        (MarginStat::Mean, _) => one(of.mean),
        (MarginStat::Min, _) => one(of.min),
        (MarginStat::Max, _) => one(of.max),
        (MarginStat::Sum, _) => one(of.sum),
        (MarginStat::Count, _) => one(of.count),
        // A lone value has no deviation, and its mean is shown without a band.
        (MarginStat::Std, MarginForm::Line) if of.std.is_nan() => one(of.mean),
        (MarginStat::Std, MarginForm::Line) => {
            Shown { value: of.mean, low: of.mean - of.std, high: of.mean + of.std }
        }
        (MarginStat::Std, _) => one(of.std),
        (MarginStat::MinMax, _) => Shown { value: of.mean, low: of.min, high: of.max },
    }
}

/// The share of its range that the axis of a line is longer on either side.
const AIR: f64 = 0.06;

/// The margins of all panels. Panels that share a colour scale share the axes of their margins.
pub(super) fn margins(frame: &Frame, folded: &[Folded<'_>]) -> Vec<PanelMargins> {
    let mut out: Vec<PanelMargins> = folded
        .iter()
        .map(|f| PanelMargins { lines: f.scan.margins.clone(), ranges: vec![None; frame.tracks.len()] })
        .collect();
    for (k, track) in frame.tracks.iter().enumerate() {
        let TrackKind::Margin(margin) = track.kind else {
            continue;
        };
        for bar in frame.bars.iter().filter(|_| track.has_axis) {
            let of = |i: &usize| {
                let lines = &out[*i].lines;
                extent(margin, if margin.of_rows { &lines.rows } else { &lines.columns })
            };
            let range = bar.panels.iter().filter_map(of);
            let range = range.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
            let range = range.map(|range| axis(margin, range));
            bar.panels.iter().for_each(|i| out[*i].ranges[k] = range);
        }
    }
    out
}

/// The least and the greatest finite number of some lines.
fn extent(margin: MarginTrack, lines: &[LineSummary]) -> Option<(f64, f64)> {
    let mut out: Option<(f64, f64)> = None;
    for line in lines {
        let s = shown(margin, &LineSummary::pooled(std::slice::from_ref(line)));
        for v in [s.value, s.low, s.high].into_iter().filter(|v| v.is_finite()) {
            out = Some(out.map_or((v, v), |(a, b)| (a.min(v), b.max(v))));
        }
    }
    out
}

/// Whether an axis has 0: that of bars, and of lines of numbers that grow with the grid.
pub fn begins_at_0(margin: MarginTrack) -> bool {
    match margin.stat {
        MarginStat::Sum | MarginStat::Count => true,
        MarginStat::MinMax => false,
        _ => margin.form == MarginForm::Bars,
    }
}

/// The range of an axis for numbers in this one. Bars begin at 0, so that their lengths compare as their numbers do.
fn axis(margin: MarginTrack, (low, high): (f64, f64)) -> (f64, f64) {
    if begins_at_0(margin) {
        let (low, high) = (low.min(0.0), high.max(0.0));
        // A power of the axis' title does not change which numbers are round.
        let end = |v: f64| round_end(v).map_or(v, |end| end.max(v));
        return match (low < 0.0, high > 0.0) {
            (false, false) => (0.0, 1.0),
            (false, true) => (0.0, end(high)),
            (true, false) => (-end(-low), 0.0),
            // The longer side has the numbers.
            (true, true) if -low > high => (-end(-low), high),
            (true, true) => (low, end(high)),
        };
    }
    let air = AIR * (high / 2.0 - low / 2.0) * 2.0;
    if low < high && air.is_finite() {
        return ((low - air).max(f64::MIN), (high + air).min(f64::MAX));
    }
    if low < high {
        return (low, high);
    }
    let half = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
    (low - half, (high + half).min(f64::MAX))
}

/// Leading digits of round ends.
const ROUND: [f64; 12] = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 9.0, 10.0];

/// The round number nearest to a positive one by their ratio; none where f64 has none.
pub fn round_end(largest: f64) -> Option<f64> {
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let power = largest.log10().floor() as i32;
    let round = |digits: &f64| format!("{digits}e{power}").parse::<f64>().ok();
    let far = |v: f64| (v.ln() - largest.ln()).abs();
    let all = ROUND.iter().filter_map(round).filter(|v| *v > 0.0 && v.is_finite());
    all.min_by(|a, b| far(*a).total_cmp(&far(*b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(stat: MarginStat, form: MarginForm) -> MarginTrack {
        MarginTrack { of_rows: true, stat, form, power: 0 }
    }

    #[test]
    fn bars_begin_at_zero_and_lines_have_the_range_of_their_numbers() {
        use MarginForm::{Bars, Line};
        use MarginStat::{Count, Mean, MinMax, Sum};
        let of = |stat, form, range| axis(track(stat, form), range);
        assert_eq!(of(Mean, Bars, (0.8, 0.9)), (0.0, 0.9));
        assert_eq!(of(Mean, Bars, (-3.0, -1.0)), (-3.0, 0.0));
        assert_eq!(of(Mean, Bars, (-3.0, 2.0)), (-3.0, 2.0));
        assert_eq!(of(Sum, Line, (5.0, 9.0)), (0.0, 9.0));
        assert_eq!(of(Mean, Bars, (60.0, 76.0)), (0.0, 80.0));
        assert_eq!(of(Mean, Bars, (-76.0, 60.0)), (-80.0, 60.0));
        assert_eq!(of(Count, Bars, (0.0, 0.0)), (0.0, 1.0));
        assert_eq!(of(Mean, Line, (1.0, 2.0)), (0.94, 2.06));
        assert_eq!(of(MinMax, Bars, (2.0, 2.0)), (1.0, 3.0));
        for range in [(-1e308, 1.7e308), (f64::MIN, f64::MAX), (f64::MAX, f64::MAX), (0.0, 5e-324)] {
            for form in [Bars, Line] {
                let (low, high) = of(Mean, form, range);
                assert!(low < high && low.is_finite() && high.is_finite(), "{range:?}");
            }
        }
    }

    #[test]
    fn ends_are_near_and_stay_where_they_are() {
        for (largest, end) in
            [(76.0, 80.0), (0.77, 0.8), (8.0, 8.0), (1e300, 1e300), (0.93, 0.9), (9.9, 10.0)]
        {
            assert_eq!(round_end(largest), Some(end));
        }
        for k in 0..2000 {
            let v = 10f64.powf(f64::from(k) * 0.3 - 300.0);
            let end = round_end(v).unwrap();
            assert!((0.8 * v..=1.25 * v).contains(&end), "{v}: {end}");
            assert_eq!(round_end(end), Some(end), "{v}");
        }
        assert_eq!((round_end(0.0), round_end(f64::NAN), round_end(-1.0)), (None, None, None));
        assert!(round_end(f64::MAX).is_some_and(f64::is_finite) && round_end(5e-324).is_some());
    }
}

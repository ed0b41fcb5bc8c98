//! The numbers that margins show, and the ranges of their axes.

use super::frame::Frame;
use super::margin_end::round_end;
use super::scheme::{Folded, PanelMargins};
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
}

//! Where the distribution of a colour scale is: bars over an axis of values, and the limits and thresholds that drags move.

use super::{STATUS, WindowGeometry, strip_height};
use gridscope_core::geom::{Point, Rect};
use gridscope_core::grid::{Grid, Stats};
use gridscope_core::scale::Norm;

/// Logical pixels: the space around the box and within it, its least and its greatest height.
const MARGIN: f64 = 8.0;
const TALL: [f64; 2] = [104.0, 180.0];
/// The share of the window that it takes within these.
const SHARE: f64 = 0.28;
/// Logical pixels above it, where frame times may be.
const TOP: f64 = 36.0;
/// Logical pixels of the title, of the colours, of the track of thresholds and of the labels.
const TITLE: f64 = 18.0;
const STRIP: f64 = 10.0;
const TRACK: f64 = 14.0;
const LABELS: f64 = 15.0;
/// Logical pixels left of the bars, for counts.
const COUNTS: f64 = 56.0;
/// The least that a window must leave for bars.
const LEAST: f64 = 16.0;
/// The logical pixels of height that a figure above it has at least.
const FIGURE: f64 = 260.0;
/// A limit is taken hold of within this many logical pixels.
const NEAR: f64 = 7.0;

/// The distribution of a scale in the window.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DistributionAt {
    /// The scale.
    pub scale: usize,
    /// The whole box.
    pub rect: Rect,
    /// The bars.
    pub bars: Rect,
    /// The colours below the bars.
    pub strip: Rect,
    /// The values from the left to the right end of the bars.
    pub axis: ValueAxis,
    /// The limits of the scale.
    pub limits: (f64, f64),
    /// The thresholds below and above which values are hidden.
    pub hidden: [Option<f64>; 2],
}

/// Values along a line.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueAxis {
    low: f64,
    high: f64,
    norm: Norm,
}

/// Part of a distribution that a drag moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DistributionPart {
    /// The low limit.
    Low,
    /// Both limits.
    Both,
    /// The high limit.
    High,
    /// The threshold below which values are hidden.
    HideBelow,
    /// The threshold above which values are hidden.
    HideAbove,
}

impl ValueAxis {
    /// The axis of values from `low` to `high`, in the way of a norm where that does not depend on its limits.
    pub(crate) fn new(norm: &Norm, low: f64, high: f64) -> Self {
        let norm = match norm {
            Norm::Log if low > 0.0 => Norm::Log,
            Norm::SymLog { .. } => norm.clone(),
            _ => Norm::Linear,
        };
        let (low, high) = if low < high {
            (low, high)
        } else if norm == Norm::Log {
            (low / 2.0, low * 2.0)
        } else {
            let room = (low / 2.0).abs().max(0.5);
            (low - room, low + room)
        };
        Self { low, high, norm }
    }

    /// The norm, and the values at both ends.
    pub(crate) fn parts(&self) -> (&Norm, f64, f64) {
        (&self.norm, self.low, self.high)
    }

    /// Where a value lies: 0 at the low end, 1 at the high end.
    pub fn share(&self, v: f64) -> f64 {
        if v == self.low {
            0.0
        } else if v == self.high {
            1.0
        } else {
            self.norm.t(v, self.low, self.high, 2)
        }
    }

    /// The value at a share of the axis.
    pub fn value(&self, share: f64) -> f64 {
        if share == 0.0 {
            self.low
        } else if share == 1.0 {
            self.high
        } else {
            self.norm.inverse(share, self.low, self.high)
        }
    }

    /// The edges of this many bins of equal length.
    pub(crate) fn edges(&self, bins: usize) -> Vec<f64> {
        let mut out: Vec<f64> = (0..=bins).map(|k| self.value(k as f64 / bins as f64)).collect();
        // Rounding must not turn two edges round.
        for k in 1..out.len() {
            out[k] = out[k].clamp(out[k - 1], self.high);
        }
        out
    }
}

impl DistributionAt {
    /// The place of a value: at an end where it is beyond the axis.
    pub(crate) fn x(&self, v: f64) -> f64 {
        let share = self.axis.share(v);
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        self.bars.x + share * self.bars.w
    }

    /// How far a point lies along the axis.
    pub(crate) fn share(&self, at: Point) -> f64 {
        (at.x - self.bars.x) / self.bars.w.max(1.0)
    }

    /// Whether a point is over the thresholds, below the colours.
    pub(crate) fn is_track(&self, at: Point) -> bool {
        at.y >= self.strip.bottom()
    }

    /// Part that a drag from a point moves; `unit`: device pixels of a logical pixel.
    pub(crate) fn part_at(&self, at: Point, unit: f64) -> Option<DistributionPart> {
        use DistributionPart::{Both, HideAbove, HideBelow, High, Low};
        let near = NEAR * unit;
        if at.y < self.bars.y || at.x < self.bars.x - near || at.x > self.bars.right() + near {
            return None;
        }
        let (_, low, high) = self.axis.parts();
        let nearer = |a: f64, b: f64| (at.x - a).abs() < (at.x - b).abs() || (a == b && at.x < a);
        if self.is_track(at) {
            let [below, above] = [self.hidden[0].unwrap_or(low), self.hidden[1].unwrap_or(high)];
            let first = nearer(self.x(below), self.x(above));
            return Some(if first { HideBelow } else { HideAbove });
        }
        let (low, high) = (self.x(self.limits.0), self.x(self.limits.1));
        let is_near = (at.x - low).abs().min((at.x - high).abs()) <= near;
        Some(match (low < at.x && at.x < high && !is_near, nearer(low, high)) {
            (true, _) => Both,
            (false, true) => Low,
            (false, false) => High,
        })
    }
}

/// The height of the box in a window without a limit to it.
fn tall(height: u32, unit: f64) -> f64 {
    let h = f64::from(height) - (STATUS * unit).round();
    (SHARE * h).clamp(TALL[0] * unit, TALL[1] * unit).round()
}

/// The pixels of height that a distribution takes from a figure of the height `room`; 0 where the figure would be left with too
/// few, so that the distribution lies over it.
pub(crate) fn distribution_height(window: u32, room: u32, unit: f64) -> u32 {
    let unit = unit.max(0.25);
    let height = (tall(window, unit) + 2.0 * MARGIN * unit).round();
    if f64::from(room) - height >= FIGURE * unit { height as u32 } else { 0 }
}

/// Whether a point lies in a rectangle.
pub(super) fn holds(r: &Rect, at: Point) -> bool {
    at.x >= r.x && at.x < r.right() && at.y >= r.y && at.y < r.bottom()
}

impl WindowGeometry {
    /// Where the distribution of a scale is, with its limits and the thresholds of hidden values. An `axis` that is given stays:
    /// it must not move under a drag. `None` where the window is too small, or the scale has no value.
    pub(crate) fn place_distribution(&self, scale: usize, axis: Option<ValueAxis>) -> Option<DistributionAt> {
        let unit = self.logical_pixel();
        let spec = self.scales.get(scale)?.spec();
        let (w, h) = (f64::from(self.size.w), self.bottom_of_figure());
        let margin = MARGIN * unit;
        // The toolbar and the frame times stay free.
        let top = f64::from(self.toolbar) + TOP * unit;
        let tall = tall(self.size.h, unit).min(h - margin - top).round();
        let rect = Rect::new(margin, (h - margin - tall).round(), (w - 2.0 * margin).round(), tall);
        let below = (STRIP + TRACK + LABELS + 4.0) * unit;
        let bars = Rect::new(
            (rect.x + COUNTS * unit).round(),
            (rect.y + TITLE * unit).round(),
            (rect.w - (COUNTS + 2.0 * MARGIN) * unit).round(),
            (rect.h - TITLE * unit - below).round(),
        );
        if bars.w < 4.0 * LEAST * unit || bars.h < LEAST * unit {
            return None;
        }
        let strip = Rect::new(bars.x, bars.bottom(), bars.w, (STRIP * unit).round());
        let members = || {
            let all = self.stats.iter().zip(&self.scale_of);
            all.filter(|(_, of)| **of == scale).map(|(stats, _)| stats)
        };
        let (low, high) = members().filter_map(Stats::range).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let low = match &spec.norm {
            Norm::Log => members().filter_map(|s| s.least_positive).reduce(f64::min).unwrap_or(spec.vmin),
            _ => low,
        };
        let limits = (spec.vmin, spec.vmax);
        let made = || ValueAxis::new(&spec.norm, low.min(limits.0), high.max(limits.1));
        Some(DistributionAt {
            scale,
            rect,
            bars,
            strip,
            axis: axis.unwrap_or_else(made),
            limits,
            hidden: spec.hide.map_or([None; 2], |h| [h.below, h.above]),
        })
    }

    /// Whether the figure gives a distribution room: bodies of another size read no file.
    pub(crate) fn gives_room(&self) -> bool {
        self.grids.iter().all(Grid::is_loaded)
    }

    /// The lowest pixel above thumbnails, sliders and the status line.
    pub(crate) fn bottom_of_figure(&self) -> f64 {
        let unit = self.logical_pixel();
        let (_, sliders) = strip_height(self.slices.len(), self.size.h, unit);
        let bottom = f64::from(self.size.h) - (STATUS * unit).round() - f64::from(sliders);
        self.strip.as_ref().map_or(bottom, |s| s.rect.y.min(bottom))
    }

    /// How far a point over a bar or a distribution lies from the low limit of a scale to the high one.
    pub(crate) fn share_of_limits(&self, scale: usize, at: Point) -> Option<f64> {
        let over = self.distribution.as_ref().filter(|d| d.scale == scale && holds(&d.rect, at));
        let Some(d) = over else {
            return Some(self.bars.get(scale)?.as_ref()?.share(at));
        };
        let (low, high) = (d.axis.share(d.limits.0), d.axis.share(d.limits.1));
        Some((d.share(at) - low) / (high - low)).filter(|s| s.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_grids::{geometry, scale, sweep};
    use super::*;
    use gridscope_core::geom::PxSize;

    fn at(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    #[test]
    fn values_have_their_places_and_places_their_values() {
        for (norm, low, high) in [
            (Norm::Linear, -3.0, 9.0),
            (Norm::Log, 0.01, 1e4),
            (Norm::SymLog { linthresh: 0.1, linscale: 1.0, base: 10.0 }, -100.0, 1000.0),
            (Norm::Power { gamma: 0.5 }, 0.0, 4.0),
        ] {
            let axis = ValueAxis::new(&norm, low, high);
            for k in 0..=20 {
                let share = f64::from(k) / 20.0;
                assert!((axis.share(axis.value(share)) - share).abs() < 1e-12, "{norm:?} {share}");
            }
            let edges = axis.edges(64);
            assert_eq!((edges[0], edges[64]), (low, high));
            assert!(edges.windows(2).all(|e| e[0] <= e[1]));
        }
        let one = ValueAxis::new(&Norm::Linear, 3.0, 3.0);
        assert_eq!((one.value(0.0), one.value(1.0)), (1.5, 4.5));
    }

    #[test]
    fn each_part_is_where_it_is_painted() {
        let mut w = geometry(vec![sweep()], PxSize { w: 400, h: 300 });
        w.scales[0] = scale(Norm::Linear, 3.0, 9.0);
        let d = w.place_distribution(0, None).unwrap();
        assert_eq!((d.axis.value(0.0), d.axis.value(1.0)), (0.5, 11.5));
        let middle = d.bars.center().y;
        let part = |x: f64, y: f64| d.part_at(at(x, y), 1.0);
        assert_eq!(part(d.x(3.0) + 5.0, middle), Some(DistributionPart::Low));
        assert_eq!(part(d.x(9.0) - 5.0, middle), Some(DistributionPart::High));
        assert_eq!(part(d.x(6.0), d.strip.center().y), Some(DistributionPart::Both));
        assert_eq!(part(d.x(1.0), middle), Some(DistributionPart::Low));
        assert_eq!(part(d.x(11.0), middle), Some(DistributionPart::High));
        let track = d.strip.bottom() + 4.0;
        assert_eq!(part(d.x(2.0), track), Some(DistributionPart::HideBelow));
        assert_eq!(part(d.x(11.0), track), Some(DistributionPart::HideAbove));
        assert_eq!(part(d.x(6.0), d.rect.y + 2.0), None);
        // Limits beyond the values widen the axis, unless it is held.
        w.scales[0] = scale(Norm::Linear, -20.0, 9.0);
        assert_eq!(w.place_distribution(0, None).unwrap().axis.value(0.0), -20.0);
        assert_eq!(w.place_distribution(0, Some(d.axis.clone())).unwrap().axis, d.axis);
        assert!(w.place_distribution(3, None).is_none());
        w.size = PxSize { w: 80, h: 60 };
        assert!(w.place_distribution(0, None).is_none());
    }
}

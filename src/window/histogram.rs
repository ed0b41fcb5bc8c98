//! The distribution of the values in view, along the colour bar that they share.

use super::distribution::share;
use super::geometry::{BarAt, WindowGeometry};
use super::shades::grey;
use gridscope_core::geom::{PxRect, Rect};
use gridscope_core::scale::ColorScale;
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::Item;

/// The most bins, however long a bar is.
const MOST_BINS: u32 = 128;
/// Below this many values each has a mark of its own.
const FEW: f64 = 16.0;

/// The number of values in each bin along a bar, from its low end, and beyond its limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Histogram {
    /// Counts of the bins, which are equally long on the bar, not in values.
    pub bins: Vec<u64>,
    /// Values below the low limit.
    pub below: u64,
    /// Values above the high limit.
    pub above: u64,
}

impl Histogram {
    /// Counts `values`, each for as many cells, in `bins` bins along a scale's bar. NaN is not counted; infinities are
    /// beyond the limits.
    pub(super) fn new(scale: &ColorScale, bins: usize, values: impl IntoIterator<Item = (f64, u64)>) -> Self {
        let mut out = Self { bins: vec![0; bins.max(1)], below: 0, above: 0 };
        let (spec, n) = (scale.spec(), out.bins.len() as f64);
        for (v, cells) in values {
            if v < spec.vmin {
                out.below += cells;
            } else if v > spec.vmax {
                out.above += cells;
            } else if !v.is_nan() {
                let share = share(scale, v);
                out.bins[((share * n).max(0.0) as usize).min(bins.max(1) - 1)] += cells;
            }
        }
        out
    }

    /// The number of bins merged into one, and the mean count of each merged bin: with few values, narrow
    /// bins would show only noise, and only a handful of values are worth a mark each.
    fn gathered(&self) -> (usize, Vec<f64>) {
        let values = self.bins.iter().sum::<u64>() as f64;
        let wanted = if values < FEW { f64::INFINITY } else { 2.0 * values.sqrt() };
        let each = (self.bins.len() as f64 / wanted).ceil().max(1.0) as usize;
        (each, self.bins.chunks(each).map(|c| c.iter().sum::<u64>() as f64 / c.len() as f64).collect())
    }

    /// The number of bins of a bar: one for about three logical pixels.
    pub(super) fn bins_of(bar: &BarAt, unit: f64) -> usize {
        ((bar.length() / (3.0 * unit.max(0.25))) as u32).clamp(1, MOST_BINS) as usize
    }
}

/// Paints a histogram beside its ramp, on the side without labels: left of a vertical ramp, above a
/// horizontal one. Lengths grow with the square root of the counts, so that small counts next to very large
/// ones are visible.
///
/// `em` is the figure's font size in pixels; its layout leaves 0.9 em free there.
pub(super) fn paint(
    h: &Histogram,
    bar: &BarAt,
    geometry: &WindowGeometry,
    em: f64,
    palette: Palette,
    items: &mut Vec<Item>,
) {
    let line = geometry.unit.round().max(1.0);
    let room = room(bar, geometry, 0.9 * em) - 3.0 * line;
    let (each, stretches) = h.gathered();
    let most = stretches.iter().copied().fold(0.0, f64::max);
    if most == 0.0 || room < 3.0 * line {
        return;
    }
    let r = bar.ramp.rect();
    let n = h.bins.len() as f64;
    let color = grey(palette, 0.42);
    for (k, count) in stretches.iter().enumerate().filter(|(_, c)| **c > 0.0) {
        // A single value among many is still visible.
        let long = ((count / most).sqrt() * room).round().max(line);
        let (from, to) = ((k * each) as f64 / n, ((k + 1) * each).min(h.bins.len()) as f64 / n);
        let rect = if bar.horizontal {
            let (a, b) = ((r.x + from * r.w).round(), (r.x + to * r.w).round());
            Rect::new(a, r.y - line - long, b - a, long)
        } else {
            let (a, b) = ((r.bottom() - to * r.h).round(), (r.bottom() - from * r.h).round());
            Rect::new(r.x - line - long, a, long, b - a)
        };
        items.push(Item::Rect { rect, color });
    }
}

/// Free pixels beside a bar: up to `most`, but not into a body or another bar.
fn room(bar: &BarAt, geometry: &WindowGeometry, most: f64) -> f64 {
    let r = bar.ramp.rect();
    let zone = if bar.horizontal {
        Rect::new(r.x, r.y - most, r.w, most)
    } else {
        Rect::new(r.x - most, r.y, most, r.h)
    };
    let taken = geometry.panels.iter().map(|p| p.body).chain(geometry.bars.iter().flatten().map(|b| b.ramp));
    let free = |b: PxRect| {
        let b = b.rect();
        if bar.horizontal { r.y - b.bottom() } else { r.x - b.right() }
    };
    taken.filter(|b| b.rect().overlaps(&zone)).map(free).fold(most, f64::min)
}

#[cfg(test)]
mod tests {
    use super::super::test_grids::{geometry, scale, sweep};
    use super::*;
    use gridscope_core::color::Color;
    use gridscope_core::geom::PxSize;
    use gridscope_core::scale::Norm;

    /// Counts each value once.
    fn counted(scale: &ColorScale, bins: usize, values: impl IntoIterator<Item = f64>) -> Histogram {
        Histogram::new(scale, bins, values.into_iter().map(|v| (v, 1)))
    }

    #[test]
    fn values_are_counted_where_their_colours_are_on_the_bar() {
        let values = [0.0, 0.9, 5.0, 10.0, -1.0, 10.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        let h = counted(&scale(Norm::Linear, 0.0, 10.0), 10, values);
        assert_eq!(h, Histogram { bins: vec![2, 0, 0, 0, 0, 1, 0, 0, 0, 1], below: 2, above: 2 });
        let h = counted(&scale(Norm::Log, 1.0, 1000.0), 3, [0.0, 1.0, 5.0, 50.0, 999.0, 1000.0]);
        assert_eq!(h, Histogram { bins: vec![2, 1, 2], below: 1, above: 0 });
        let h = counted(
            &scale(Norm::Bounds(vec![0.0, 1.0, 100.0]), 0.0, 100.0),
            4,
            [0.25, 0.75, 1.0, 2.0, 99.0, 100.0],
        );
        assert_eq!(h.bins, [1, 1, 2, 2]);
        // Seaborn's centre: the bar shows -10 to 20 alone.
        let h = counted(&scale(Norm::CenterLinear { center: 0.0 }, -10.0, 20.0), 3, [-10.0, -5.0, 5.0, 15.0]);
        assert_eq!(h.bins, [2, 1, 1]);
        assert_eq!(counted(&scale(Norm::Linear, 4.0, 4.0), 3, [4.0, 4.0]).bins, [0, 2, 0]);
    }

    #[test]
    fn few_values_share_bins_and_a_handful_have_one_each() {
        let of = |bins| Histogram { bins, below: 9, above: 9 }.gathered();
        assert_eq!(of(vec![0, 1, 0, 14]), (1, vec![0.0, 1.0, 0.0, 14.0]));
        // 25 values make ten bars, each of three of the 30 bins.
        let mut bins = vec![0; 30];
        (bins[1], bins[3], bins[29]) = (8, 16, 1);
        let (each, list) = of(bins);
        assert_eq!((each, list.len(), list[0], list[1], list[9]), (3, 10, 8.0 / 3.0, 16.0 / 3.0, 1.0 / 3.0));
        assert_eq!(of(vec![1000; 128]).0, 1);
    }

    #[test]
    fn bins_suit_their_bar() {
        let bar = |h| BarAt { ramp: PxRect { x: 0, y: 0, w: 12, h }, horizontal: false };
        assert_eq!([bar(300), bar(600), bar(2)].map(|b| Histogram::bins_of(&b, 1.0)), [100, 128, 1]);
        assert_eq!(Histogram::bins_of(&BarAt { horizontal: true, ..bar(5) }, 2.0), 2);
    }

    #[test]
    fn it_is_between_ramp_and_body() {
        let palette = Palette { background: Color::WHITE, ink: Color::BLACK };
        let mut w = geometry(vec![sweep()], PxSize { w: 400, h: 120 });
        let h = Histogram { bins: vec![1, 0, 1000, 30], below: 5, above: 0 };
        let rects = |w: &WindowGeometry| {
            let mut items = Vec::new();
            paint(&h, w.bars[0].as_ref().unwrap(), w, 12.0, palette, &mut items);
            items
                .into_iter()
                .map(|i| if let Item::Rect { rect, .. } = i { rect } else { panic!("a rectangle") })
                .collect::<Vec<_>>()
        };
        // The ramp: x 600 to 610, y 50 to 170. The longest takes all but 3 pixels of 0.9 em.
        let got = rects(&w);
        assert_eq!(
            (got.len(), got[0], got[1]),
            (3, Rect::new(598.0, 140.0, 1.0, 30.0), Rect::new(591.0, 80.0, 8.0, 30.0))
        );
        assert!(got.iter().all(|r| r.right() == 599.0));
        w.bars[0].as_mut().unwrap().ramp.x = 507;
        assert!(rects(&w).iter().all(|r| r.x >= 502.0 && r.right() == 506.0));
        w.bars[0].as_mut().unwrap().ramp.x = 502;
        assert!(rects(&w).is_empty());
        w.bars[0] = Some(BarAt { ramp: PxRect { x: 100, y: 190, w: 400, h: 12 }, horizontal: true });
        let got = rects(&w);
        assert_eq!(got[1], Rect::new(300.0, 181.0, 100.0, 8.0));
    }
}

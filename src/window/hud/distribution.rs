//! The distribution of a colour scale: how many cells have which values, with limits and thresholds to drag.

use super::super::geometry::DistributionAt;
use super::super::shades::{clear, grey};
use super::{FONT, OverlayInput, fit, frame, write};
use gridscope_core::geom::{Point, Rect};
use gridscope_core::grid::{BinCounts, Kind, Number};
use gridscope_core::scale::{ColorScale, apart, grouped, norm_ticks};
use gridscope_core::text::{Measure, clean};
use gridscope_draw::scene::Item;

/// Logical pixels from label to label along the axis.
const LABELLED: f64 = 90.0;
/// Half the side of a handle in logical pixels.
const HANDLE: f64 = 4.0;

/// Counts of the cells of a scale, as far as they are known.
#[derive(Clone, Debug)]
pub(crate) enum Counted {
    /// They are being counted.
    Counting,
    /// There are none to count, for this reason.
    Not(String),
    /// Counts in bins of equal length along the axis.
    Bins(BinCounts),
}

/// Paints the distribution.
pub(super) fn distribution(
    view: &OverlayInput<'_>,
    d: &DistributionAt,
    counted: &Counted,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let Some(scale) = view.geometry.scales.get(d.scale) else {
        return;
    };
    let unit = view.geometry.logical_pixel();
    let t = unit.round().max(1.0);
    items.push(Item::Rect { rect: d.rect, color: view.palette.background });
    frame(&d.rect, t, grey(view.palette, 0.25), items);
    title(view, d, counted, m, items);
    if let Counted::Bins(bins) = counted {
        paint_bins(view, d, bins, m, items);
    }
    colors(d, scale, items);
    axis(view, d, m, items);
    handles(view, d, t, m, items);
}

/// The name of the value, and how many cells there are.
fn title(
    view: &OverlayInput<'_>,
    d: &DistributionAt,
    counted: &Counted,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let geometry = view.geometry;
    let font = 0.92 * FONT * geometry.logical_pixel();
    let grid = geometry.scale_of.iter().position(|s| *s == d.scale);
    let grid = grid.and_then(|i| geometry.grids.get(i));
    let name = grid.map_or("", |g| g.value_name());
    let name = if name.is_empty() { "values".to_owned() } else { clean(name) };
    let number = |n: u64| grouped(&n.to_string());
    let said = match counted {
        Counted::Counting => format!("{name} · counting…"),
        Counted::Not(why) => format!("{name} · {why}"),
        Counted::Bins(c) if c.without == 0 => format!("{name} · {} cells", number(c.values())),
        Counted::Bins(c) => {
            let (with, without) = (number(c.values()), number(c.without));
            format!("{name} · {with} cells, {without} without a value")
        }
    };
    let counts = if view.state.log_counts { "log counts" } else { "counts" };
    let room = d.rect.w - 16.0 * geometry.logical_pixel();
    let wide = m.size(counts, font).width;
    let middle = f64::midpoint(d.rect.y, d.bars.y);
    let left = d.rect.x + 8.0 * geometry.logical_pixel();
    let said = fit(&said, font, room - wide - 2.0 * font, m);
    write(&said, font, left, middle, grey(view.palette, 0.9), items);
    if wide + 4.0 * font < room {
        write(counts, font, left + room - wide, middle, grey(view.palette, 0.55), items);
    }
}

/// The bars, and the count of the longest one.
fn paint_bins(
    view: &OverlayInput<'_>,
    d: &DistributionAt,
    c: &BinCounts,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let most = c.bins.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let unit = view.geometry.logical_pixel();
    let t = unit.round().max(1.0);
    let long = |n: u64| {
        if view.state.log_counts {
            (n as f64).ln_1p() / (most as f64).ln_1p()
        } else {
            n as f64 / most as f64
        }
    };
    let r = &d.bars;
    let hides = |k: usize| {
        let v = d.axis.value((k as f64 + 0.5) / c.bins.len() as f64);
        d.hidden[0].is_some_and(|below| v < below) || d.hidden[1].is_some_and(|above| v > above)
    };
    let x = |k: usize| (r.x + k as f64 / c.bins.len() as f64 * r.w).round();
    for (k, n) in c.bins.iter().enumerate().filter(|(_, n)| **n > 0) {
        // A single cell among many is still visible.
        let tall = (long(*n) * r.h).round().max(t);
        let dark = if hides(k) { 0.2 } else { 0.5 };
        items.push(Item::Rect {
            rect: Rect::new(x(k), r.bottom() - tall, (x(k + 1) - x(k)).max(t), tall),
            color: grey(view.palette, dark),
        });
    }
    let font = 0.8 * FONT * unit;
    let mut label = |n: u64| {
        let text = grouped(&n.to_string());
        let wide = m.size(&text, font).width;
        let room = r.x - d.rect.x - 4.0 * unit;
        let text = if wide <= room { text } else { format!("{:.0e}", n as f64) };
        let wide = m.size(&text, font).width;
        let y = (r.bottom() - long(n) * r.h).round().clamp(r.y, r.bottom() - t);
        if wide <= room {
            write(
                &text,
                font,
                r.x - 4.0 * unit - wide,
                (y + 0.1 * font).max(r.y + 0.7 * font),
                grey(view.palette, 0.6),
                items,
            );
        }
        items.push(Item::Rect { rect: Rect::new(r.x, y, r.w, t), color: clear(view.palette.ink, 0.12) });
    };
    label(most);
    // Powers of ten that leave room for each other.
    let mut last = long(most);
    for power in (0..20).rev().map(|p| 10u64.saturating_pow(p)).filter(|p| view.state.log_counts && *p < most)
    {
        if (last - long(power)) * r.h > 1.3 * font {
            last = long(power);
            label(power);
        }
    }
}

/// The colours of the values along the axis.
fn colors(d: &DistributionAt, scale: &ColorScale, items: &mut Vec<Item>) {
    let r = &d.strip;
    let n = r.w.max(1.0) as usize;
    // The scale of the bar is that of f32, whose steps are wide beside 1.7e9 ± 3.
    let scale = ColorScale::new(scale.spec(), Kind::F64);
    let color = |i: usize| {
        let v = d.axis.value((i as f64 + 0.5) / n as f64);
        scale.lut()[scale.index_of(Number::F64(v)).min(scale.lut().len() - 1)]
    };
    let all: Vec<_> = (0..n).map(color).collect();
    let mut from = 0;
    for run in all.chunk_by(|a, b| a == b) {
        items.push(Item::Rect {
            rect: Rect::new(r.x + from as f64, r.y, run.len() as f64, r.h),
            color: run[0],
        });
        from += run.len();
    }
}

/// Values below the track of thresholds.
fn axis(view: &OverlayInput<'_>, d: &DistributionAt, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let unit = view.geometry.logical_pixel();
    let (t, font) = (unit.round().max(1.0), 0.85 * FONT * unit);
    let (norm, low, high) = d.axis.parts();
    let middle = d.rect.bottom() - 9.0 * unit;
    let mut last = d.rect.x;
    let most = (d.bars.w / (LABELLED * unit)).max(2.0) as usize;
    for tick in norm_ticks(norm, low, high, most) {
        let (x, wide) = (d.x(tick.value), m.size(&tick.label, font).width);
        let from = (x - wide / 2.0).min(d.rect.right() - 4.0 * unit - wide);
        if from < last + 0.5 * font {
            continue;
        }
        last = from + wide;
        items.push(Item::Rect {
            rect: Rect::new(x.round().min(d.bars.right() - t), d.strip.bottom(), t, 3.0 * unit),
            color: grey(view.palette, 0.5),
        });
        write(&tick.label, font, from, middle, grey(view.palette, 0.7), items);
    }
}

/// The limits with their values, and the thresholds.
fn handles(view: &OverlayInput<'_>, d: &DistributionAt, t: f64, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let unit = view.geometry.logical_pixel();
    let (half, font) = (HANDLE * unit, 0.85 * FONT * unit);
    let (low, high) = (d.x(d.limits.0), d.x(d.limits.1));
    let texts = apart(&[d.limits.0, d.limits.1]);
    let widths = [&texts[0], &texts[1]].map(|text| m.size(text, font).width);
    let gap = 3.0 * unit;
    for (i, x) in [low, high].into_iter().enumerate() {
        let line = (x - t / 2.0).round().clamp(d.bars.x, d.bars.right() - t);
        items.push(Item::Rect {
            rect: Rect::new(line, d.bars.y, t, d.strip.bottom() - d.bars.y),
            color: grey(view.palette, 0.95),
        });
        let grip = Rect::new((x - half).round(), d.bars.y, (2.0 * half).round(), (2.0 * half).round());
        items.push(Item::Rect { rect: grip, color: grey(view.palette, 0.95) });
        // Between the limits where there is room, else outside of them.
        let inside = high - low > widths[0] + widths[1] + 6.0 * gap;
        let right = (i == 0) == inside;
        let at = if right { grip.right() + gap } else { grip.x - gap - widths[i] };
        if at >= d.bars.x && at + widths[i] <= d.rect.right() {
            let middle = grip.center().y;
            write(&texts[i], font, at, middle, grey(view.palette, 0.95), items);
        }
    }
    thresholds(view, d, m, items);
}

/// Triangles that point at the thresholds from below.
fn thresholds(view: &OverlayInput<'_>, d: &DistributionAt, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let unit = view.geometry.logical_pixel();
    let (half, font) = (HANDLE * unit, 0.8 * FONT * unit);
    let (_, first, last) = d.axis.parts();
    let top = d.strip.bottom() + unit;
    let words = ["hide below", "hide above"];
    let mut free = [d.bars.x, d.bars.right()];
    for (i, end) in [first, last].into_iter().enumerate() {
        let (set, x) = (d.hidden[i].is_some(), d.x(d.hidden[i].unwrap_or(end)));
        let p = |x: f64, y: f64| Point { x, y };
        items.push(Item::Polygon {
            points: vec![p(x, top), p(x + half, top + 2.0 * half), p(x - half, top + 2.0 * half)],
            color: grey(view.palette, if set { 0.95 } else { 0.5 }),
        });
        let text = match d.hidden[i] {
            Some(v) => format!("{} {}", words[i], Number::F64(v)),
            None => words[i].to_owned(),
        };
        let (wide, gap) = (m.size(&text, font).width, 4.0 * unit);
        // Into the box, and not over the other one.
        let right = i == 0 && x + half + gap + wide <= d.bars.right() || x - half - gap - wide < d.bars.x;
        let at = if right { x + half + gap } else { x - half - gap - wide };
        let meets = i == 1 && at < free[0];
        if !meets && at >= d.bars.x && at + wide <= d.rect.right() - gap {
            free = [at + wide + gap, at];
            let dark = if set { 0.9 } else { 0.5 };
            write(&text, font, at, top + 1.3 * half, grey(view.palette, dark), items);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::ValueAxis;
    use crate::state::test_window::scale;
    use gridscope_core::scale::Norm;

    #[test]
    fn the_strip_has_the_colours_of_values_that_are_close_to_each_other() {
        for (low, high) in [(1.7e9 - 3.0, 1.7e9 + 3.0), (1e-310, 9e-310), (9.1e18, 9.1e18 + 1e6), (0.0, 1.0)]
        {
            let strip = Rect::new(0.0, 0.0, 64.0, 4.0);
            let at = DistributionAt {
                scale: 0,
                rect: strip,
                bars: strip,
                strip,
                axis: ValueAxis::new(&Norm::Linear, low, high),
                limits: (low, high),
                hidden: [None; 2],
            };
            let mut items = Vec::new();
            colors(&at, &scale(Norm::Linear, low, high), &mut items);
            assert!(items.len() > 50, "{low} to {high}: {} colours", items.len());
        }
    }
}

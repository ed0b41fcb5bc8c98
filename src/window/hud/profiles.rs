//! Profiles along the row and the column under the pointer: beside the body where there is room, else over it.

use super::super::distribution::share_within;
use super::super::geometry::WindowGeometry;
use super::super::profile::{Covered, Profiles};
use super::super::shades::{clear, grey};
use super::marks::selected_rect;
use super::{FONT, OverlayInput, frame, write};
use gridscope_core::geom::Rect;
use gridscope_core::scale::{BarNumbers, ColorScale};
use gridscope_core::text::Measure;
use gridscope_draw::scene::Item;

/// The depth of a strip in logical pixels, and the share of the window that it takes within these.
const DEPTH: [f64; 2] = [44.0, 110.0];
const SHARE: f64 = 0.18;
/// Over a body a strip takes at most this share of it.
const MOST: f64 = 0.3;
/// A strip of fewer logical pixels would show nothing.
const LEAST: f64 = 20.0;
/// Logical pixels between a body and a strip beside it, and from place to place where one is looked for.
const GAP: f64 = 6.0;
const STEP: f64 = 4.0;
/// Logical pixels between a strip and the figure.
const APART: f64 = 3.0;
/// Ticks of the value axis.
const TICKS: usize = 4;

/// A strip with the values of a line of pixels.
struct Strip<'a> {
    rect: Rect,
    /// The body whose pixels these are.
    body: Rect,
    /// Pixels run from left to right and values up; else pixels run down and values to the right.
    across: bool,
    line: &'a [Option<Covered>],
    /// The other strip, where both lie over the body and cross.
    other: Option<Rect>,
    /// The pixel under the pointer.
    at: usize,
    /// How dark the values are: fainter where they are those of an earlier view.
    dark: f64,
}

/// How dark values are, those in view and those of an earlier view.
const DARK: [f64; 2] = [0.95, 0.4];

/// Paints both profiles.
pub(super) fn profiles(view: &OverlayInput<'_>, p: &Profiles, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let geometry = view.geometry;
    let (Some(panel), Some(scale)) =
        (geometry.panels.get(p.panel), geometry.scale_of.get(p.panel).and_then(|s| geometry.scales.get(*s)))
    else {
        return;
    };
    let body = panel.body.rect();
    let [row, column] = places(view, p);
    let dark = DARK[usize::from(p.is_outdated)];
    let mut strips = Vec::new();
    let crosses = row.zip(column).is_some_and(|(row, column)| row.overlaps(&column));
    if let Some(rect) = column {
        strips.push(Strip {
            rect,
            body,
            across: false,
            line: &p.column,
            other: row.filter(|_| crosses),
            at: p.at.1,
            dark,
        });
    }
    if let Some(rect) = row {
        strips.push(Strip {
            rect,
            body,
            across: true,
            line: &p.row,
            other: column.filter(|_| crosses),
            at: p.at.0,
            dark,
        });
    }
    // Where they cross, both lines are seen.
    let grounds: Vec<_> = strips.iter().map(|s| s.ground(view, scale, m, items)).collect();
    for (strip, labels) in strips.iter().zip(grounds) {
        strip.paint(view, scale, labels, items);
    }
}

/// Where the strips of the row and of the column are; `None` where a body is too small for one.
pub(super) fn places(view: &OverlayInput<'_>, p: &Profiles) -> [Option<Rect>; 2] {
    let Some(panel) = view.geometry.panels.get(p.panel) else {
        return [None; 2];
    };
    let body = &panel.body.rect();
    let (room, unit) = (Room::new(view), view.geometry.logical_pixel());
    let depth = (SHARE * room.bottom.min(room.right)).clamp(DEPTH[0] * unit, DEPTH[1] * unit).round();
    let within = |side: f64| Some(depth.min((MOST * side).floor())).filter(|deep| *deep >= LEAST * unit);
    let over_row = || Some(room.over_rows(body, within(body.h)?, p.at.1 as f64));
    let over_column = || Some(room.over_columns(body, within(body.w)?, p.at.0 as f64));
    [room.below(body, depth).or_else(over_row), room.beside(body, depth).or_else(over_column)]
}

/// Where strips may be: the window without toolbar, distribution, thumbnails, sliders and status line.
pub(super) struct Room<'a> {
    view: &'a OverlayInput<'a>,
    /// Where it ends, in pixels of the window.
    pub right: f64,
    pub bottom: f64,
    selection: Option<Rect>,
    /// Rectangles that something else over the figure has.
    others: Vec<Rect>,
}

impl<'a> Room<'a> {
    pub(super) fn new(view: &'a OverlayInput<'a>) -> Self {
        let geometry = view.geometry;
        let bottom = geometry.bottom_of_figure();
        Self {
            view,
            right: f64::from(geometry.size.w),
            bottom: geometry.distribution.as_ref().map_or(bottom, |d| d.rect.y),
            selection: selected_rect(geometry, view.state),
            others: Vec::new(),
        }
    }

    /// The same without these rectangles.
    pub(super) fn without(self, others: &[Rect]) -> Self {
        Self { others: others.to_vec(), ..self }
    }

    /// Whether a strip would cover nothing.
    fn is_free(&self, r: &Rect) -> bool {
        let (geometry, unit) = (self.view.geometry, self.view.geometry.logical_pixel());
        let inside = r.right() <= self.right
            && r.bottom() <= self.bottom
            && r.x >= 0.0
            && r.y >= f64::from(geometry.toolbar);
        inside
            && !taken(geometry, self.view.em)
                .chain(self.view.obstacles.iter().chain(&self.others).copied())
                .any(|o| o.overlaps(&r.grown(APART * unit)))
    }

    /// The first free strip below a body.
    pub(super) fn below(&self, body: &Rect, deep: f64) -> Option<Rect> {
        let all = self.steps(body.bottom(), self.bottom - deep);
        all.map(|y| Rect::new(body.x, y, body.w, deep)).find(|r| self.is_free(r))
    }

    /// The first free strip right of a body.
    fn beside(&self, body: &Rect, deep: f64) -> Option<Rect> {
        let all = self.steps(body.right(), self.right - deep);
        all.map(|x| Rect::new(x, body.y, deep, body.h)).find(|r| self.is_free(r))
    }

    /// Places beyond the end of a body.
    fn steps(&self, from: f64, end: f64) -> impl Iterator<Item = f64> {
        let unit = self.view.geometry.logical_pixel();
        let from = from + GAP * unit;
        let n = ((end - from) / (STEP * unit)).max(0.0) as usize;
        (0..=n).map(move |i| (from + i as f64 * STEP * unit).round())
    }

    /// On the side where the pointer is not, unless the selected cells are there and not on the other side.
    fn side(&self, far: Rect, near: Rect, away: bool) -> Rect {
        let covers = |r: &Rect| self.selection.as_ref().is_some_and(|s| s.overlaps(r));
        if away && covers(&far) && !covers(&near) { near } else { far }
    }

    /// A strip over a body, above or below its pixel row `at`.
    pub(super) fn over_rows(&self, body: &Rect, deep: f64, at: f64) -> Rect {
        let low = at < body.h / 2.0 && body.bottom() <= self.bottom;
        let [above, below] = [body.y, body.bottom() - deep].map(|y| Rect::new(body.x, y, body.w, deep));
        let (far, near) = if low { (below, above) } else { (above, below) };
        let at = body.y + at;
        let away = near.bottom() <= self.bottom && (at < near.y || at > near.bottom());
        self.side(far, near, away)
    }

    /// A strip over a body, left or right of its pixel column `at`.
    fn over_columns(&self, body: &Rect, deep: f64, at: f64) -> Rect {
        let right = at < body.w / 2.0;
        let [first, last] = [body.x, body.right() - deep].map(|x| Rect::new(x, body.y, deep, body.h));
        let (far, near) = if right { (last, first) } else { (first, last) };
        let at = body.x + at;
        self.side(far, near, at < near.x || at > near.right())
    }
}

/// Bodies, and bars with their histograms.
fn taken(geometry: &WindowGeometry, em: f64) -> impl Iterator<Item = Rect> + '_ {
    geometry.panels.iter().map(|p| p.body.rect()).chain(bars(geometry, em))
}

/// Bars with their histograms.
pub(super) fn bars(geometry: &WindowGeometry, em: f64) -> impl Iterator<Item = Rect> + '_ {
    geometry.bars.iter().flatten().map(move |b| {
        let r = b.ramp.rect();
        if b.horizontal {
            Rect::new(r.x, r.y - em, r.w, r.h + em)
        } else {
            Rect::new(r.x - em, r.y, r.w + em, r.h)
        }
    })
}

impl Strip<'_> {
    /// The pixels of the line that the strip has room for: all, or those beside another strip.
    fn shown(&self) -> std::ops::Range<usize> {
        let body = &self.body;
        let (from, end) = if self.across {
            (self.rect.x - body.x, self.rect.right() - body.x)
        } else {
            (self.rect.y - body.y, self.rect.bottom() - body.y)
        };
        (from.max(0.0) as usize).min(self.line.len())..(end.max(0.0) as usize).min(self.line.len())
    }

    /// The rectangle of pixels `from..to` of the body and of values between two shares of the scale.
    fn cell(&self, (from, to): (f64, f64), (low, high): (f64, f64), inset: f64) -> Rect {
        let (r, body) = (&self.rect, &self.body);
        if self.across {
            let long = r.h - 2.0 * inset;
            let y = |share: f64| (r.bottom() - inset - share * long).round();
            Rect::new(body.x + from, y(high), to - from, y(low) - y(high))
        } else {
            let long = r.w - 2.0 * inset;
            let x = |share: f64| (r.x + inset + share * long).round();
            Rect::new(x(low), body.y + from, x(high) - x(low), to - from)
        }
    }

    /// The same, made as thick as a line in the direction of the values.
    fn stroke(&self, at: (f64, f64), shares: (f64, f64), t: f64) -> Rect {
        let r = self.cell(at, shares, t);
        if self.across {
            Rect::new(r.x, r.y - (t / 2.0).floor(), r.w, r.h + t)
        } else {
            Rect::new(r.x - (t / 2.0).floor(), r.y, r.w + t, r.h)
        }
    }

    /// Paints the ground of the values; gives the labels, which lie over them.
    fn ground(
        &self,
        view: &OverlayInput<'_>,
        scale: &ColorScale,
        m: &mut dyn Measure,
        items: &mut Vec<Item>,
    ) -> Vec<Item> {
        items.push(Item::Rect { rect: self.rect, color: view.palette.background });
        self.axis(view, scale, m, items)
    }

    fn paint(&self, view: &OverlayInput<'_>, scale: &ColorScale, labels: Vec<Item>, items: &mut Vec<Item>) {
        let unit = view.geometry.logical_pixel();
        let (t, ink) = (unit.round().max(1.0), view.palette);
        let seen = self.shown();
        let mut before: Option<(usize, f64)> = None;
        let mut from = seen.start;
        for run in self.line[seen].chunk_by(|a, b| a == b) {
            let (at, to) = (from as f64, (from + run.len()) as f64);
            from += run.len();
            let Some(c) = run[0] else { continue };
            let shares = [c.least, c.middle, c.greatest].map(|v| share_within(scale, v));
            let band = self.cell((at, to), (shares[0], shares[2]), t);
            if band.w > 0.0 && band.h > 0.0 {
                items.push(Item::Rect { rect: band, color: clear(ink.ink, 0.3 * self.dark / DARK[0]) });
            }
            if shares[1].is_nan() {
                continue;
            }
            let color = grey(ink, self.dark);
            if let Some((_, share)) = before.filter(|b| b.0 == at as usize) {
                let (low, high) = (share.min(shares[1]), share.max(shares[1]));
                let step = self.stroke((at, at + t.min(to - at)), (low, high), t);
                items.push(Item::Rect { rect: step, color });
            }
            let level = self.stroke((at, to), (shares[1], shares[1]), t);
            items.push(Item::Rect { rect: level, color });
            before = Some((from, shares[1]));
        }
        self.pointer(view, scale, t, items);
        items.extend(labels);
        frame(&self.rect, t, grey(ink, 0.35), items);
    }

    /// The place of the pointer, and the value there.
    fn pointer(&self, view: &OverlayInput<'_>, scale: &ColorScale, t: f64, items: &mut Vec<Item>) {
        let at = self.at as f64;
        if !self.shown().contains(&self.at) {
            return;
        }
        let mark = self.cell((at, at + t), (0.0, 1.0), 0.0);
        items.push(Item::Rect { rect: mark, color: grey(view.palette, 0.5) });
        let value = self.line.get(self.at).copied().flatten();
        if let Some(share) = value.map(|c| share_within(scale, c.middle)).filter(|s| !s.is_nan()) {
            let dot = self.cell((at, at + t), (share, share), t).grown(2.0 * t);
            let (x, y) = (
                dot.x.clamp(self.rect.x, (self.rect.right() - dot.w).max(self.rect.x)),
                dot.y.clamp(self.rect.y, (self.rect.bottom() - dot.h).max(self.rect.y)),
            );
            items.push(Item::Rect {
                rect: Rect::new(x, y, dot.w.min(self.rect.w), dot.h.min(self.rect.h)),
                color: view.palette.ink,
            });
        }
    }

    /// Lines at round values of the scale; gives their labels, which lie over the values.
    fn axis(
        &self,
        view: &OverlayInput<'_>,
        scale: &ColorScale,
        m: &mut dyn Measure,
        items: &mut Vec<Item>,
    ) -> Vec<Item> {
        let mut labels = Vec::new();
        let unit = view.geometry.logical_pixel();
        let (t, font) = (unit.round().max(1.0), 0.8 * FONT * unit);
        let numbers = BarNumbers::default();
        let mut last = f64::NEG_INFINITY;
        for tick in scale.ticks(TICKS, false, numbers) {
            let share = scale.place(&tick, numbers);
            if !(0.0..=1.0).contains(&share) {
                continue;
            }
            let r = &self.rect;
            let line = if self.across {
                let y = (r.bottom() - t - share * (r.h - 2.0 * t)).round();
                Rect::new(r.x, y.clamp(r.y, r.bottom() - t), r.w, t)
            } else {
                let x = (r.x + t + share * (r.w - 2.0 * t)).round();
                Rect::new(x.clamp(r.x, r.right() - t), r.y, t, r.h)
            };
            items.push(Item::Rect { rect: line, color: clear(view.palette.ink, 0.14) });
            let wide = m.size(&tick.label, font).width;
            let color = grey(view.palette, 0.75);
            let pad = 3.0 * unit;
            if wide + 2.0 * pad > r.w || font + pad > r.h {
                continue;
            }
            let (x, middle) = if self.across {
                let middle = line.y.clamp(r.y + 0.6 * font, r.bottom() - 0.6 * font);
                // From the low end up.
                if -middle < last + 1.1 * font {
                    continue;
                }
                last = -middle;
                // The pointer's own side is left free.
                let near = match &self.other {
                    Some(other) => other.x < r.x + r.w / 2.0,
                    None => (self.at as f64) < wide + 4.0 * pad,
                };
                let x = if near { r.right() - pad - wide } else { r.x + pad };
                (x, middle)
            } else {
                let x = (line.x - wide / 2.0).clamp(r.x + pad, r.right() - pad - wide);
                if x < last + pad {
                    continue;
                }
                last = x + wide;
                let is_below = self.other.as_ref().is_some_and(|o| o.y > r.y + r.h / 2.0);
                (x, if is_below { r.y + 0.7 * font } else { r.bottom() - 0.7 * font })
            };
            labels.push(Item::Rect {
                rect: Rect::new(x - 2.0 * unit, middle - 0.6 * font, wide + 4.0 * unit, 1.2 * font),
                color: clear(view.palette.background, 0.75),
            });
            write(&tick.label, font, x, middle, color, &mut labels);
        }
        labels
    }
}

#[cfg(test)]
mod tests;

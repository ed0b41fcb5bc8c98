//! The trace of a cell: its values in all slices along an axis, below the body where there is room, else over it.

use super::super::geometry::{ValueAxis, WindowGeometry};
use super::super::readout::cell_place;
use super::super::session::Trace;
use super::super::shades::{clear, grey};
use super::profiles::{Room, bars, places};
use super::{FONT, OverlayInput, fit, frame, write};
use gridscope_core::geom::{Point, Rect};
use gridscope_core::grid::SlicedAxis;
use gridscope_core::scale::{norm_ticks, short};
use gridscope_core::text::{Measure, clean};
use gridscope_draw::scene::Item;

/// The height of the box in logical pixels, and the share of the window that it takes within these.
const TALL: [f64; 2] = [84.0, 150.0];
const SHARE: f64 = 0.26;
/// Over a body it takes at most this share of it, and at least this many logical pixels.
const MOST: f64 = 0.45;
const LEAST: f64 = 64.0;
/// Beside a narrow body it is this many logical pixels wide.
const WIDE: f64 = 260.0;
/// Logical pixels of the title, of the labels below, and around both.
const TITLE: f64 = 18.0;
const LABELS: f64 = 15.0;
const PAD: f64 = 6.0;
/// Logical pixels from a label to its tick.
const GAP: f64 = 4.0;
/// Logical pixels from tick to tick of the values.
const TICK: f64 = 22.0;
/// Thickness of the line, and half the side of a dot, in logical pixels.
const LINE: f64 = 1.5;
const DOT: f64 = 2.0;

/// The plot of a trace.
struct Plot<'a> {
    trace: &'a Trace<'a>,
    axis: &'a SlicedAxis,
    /// Where the values are.
    rect: Rect,
    /// The values from the bottom to the top; `None` without finite ones.
    values: Option<ValueAxis>,
    unit: f64,
}

/// Paints a trace.
pub(super) fn trace(view: &OverlayInput<'_>, trace: &Trace<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let geometry = view.geometry;
    let Some(axis) = geometry.slices.get(trace.along) else { return };
    let Some(rect) = place(view, trace.cell) else { return };
    let unit = geometry.logical_pixel();
    items.push(Item::Rect { rect, color: view.palette.background });
    let inner = Rect::new(
        rect.x + PAD * unit,
        rect.y + TITLE * unit,
        rect.w - 2.0 * PAD * unit,
        rect.h - (TITLE + LABELS) * unit,
    );
    let mut plot = Plot { trace, axis, rect: inner, values: value_axis(geometry, trace), unit };
    plot.title(view, &rect, m, items);
    plot.value_labels(view, m, items);
    plot.slice_labels(view, &rect, m, items);
    plot.unread(view, items);
    plot.paint(view, items);
    plot.shown(view, items);
    frame(&rect, unit.round().max(1.0), grey(view.palette, 0.35), items);
}

/// Where the box is; `None` where there is no room beside bars.
fn place(view: &OverlayInput<'_>, (panel, row, _): (usize, usize, usize)) -> Option<Rect> {
    let (geometry, unit) = (view.geometry, view.geometry.logical_pixel());
    let body = geometry.panels.get(panel)?.body.rect();
    let strips = view.profiles.map_or([None; 2], |p| places(view, p));
    let strips: Vec<Rect> = strips.into_iter().flatten().collect();
    let room = Room::new(view).without(&strips);
    let deep = (SHARE * room.bottom).clamp(TALL[0] * unit, TALL[1] * unit).round();
    let bars: Vec<Rect> = bars(geometry, view.em).collect();
    // Between upright bars.
    let left = bars.iter().map(Rect::right).filter(|x| *x <= body.x).fold(0.0, f64::max);
    let right = bars.iter().map(|b| b.x).filter(|x| *x >= body.right()).fold(room.right, f64::min);
    let wide = body.w.max(WIDE * unit).min(right - left).floor();
    let x = (body.center().x - wide / 2.0).min(right - wide).max(left).round();
    let across = Rect::new(x, body.y, wide, body.h);
    let covers = |r: &Rect, list: &[Rect]| list.iter().any(|o| o.overlaps(r));
    let over = || {
        let deep = deep.min((MOST * body.h).floor());
        let rows = &geometry.panels[panel].rows;
        let at = if row < rows.cells() { rows.extent(row).0.clamp(0.0, body.h) } else { 0.0 };
        let r = room.over_rows(&across, deep, at);
        // A profile along the row may be there.
        let met = strips.iter().find(|s| s.overlaps(&r) && s.w > s.h);
        let y = match met {
            Some(strip) if r.y > body.center().y => strip.y - deep,
            Some(strip) => strip.bottom(),
            None => r.y,
        };
        Some(Rect::new(r.x, y, r.w, deep)).filter(|_| deep >= LEAST * unit)
    };
    let anywhere = || {
        let top = f64::from(geometry.toolbar);
        let steps = ((room.bottom - deep - top) / unit).max(0.0) as usize;
        let at = |i: usize| Rect::new(x, room.bottom - deep - i as f64 * unit, wide, deep);
        (0..=steps).map(at).find(|r| r.y >= top && !covers(r, &bars))
    };
    let found = room.below(&across, deep).or_else(over).filter(|r| !covers(r, &bars));
    found.or_else(anywhere)
}

/// The axis of the values, in the way of the panel's norm.
fn value_axis(geometry: &WindowGeometry, trace: &Trace<'_>) -> Option<ValueAxis> {
    let finite = trace.values.iter().flatten().copied().filter(|v| v.is_finite());
    let ends = finite.fold(None, |ends: Option<(f64, f64)>, v| {
        Some(ends.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
    });
    let scale = geometry.scale_of.get(trace.cell.0).and_then(|s| geometry.scales.get(*s))?;
    ends.map(|(low, high)| ValueAxis::new(&scale.spec().norm, low, high))
}

impl Plot<'_> {
    /// The middle of a slice along the axis.
    fn x(&self, index: usize) -> f64 {
        self.rect.x + (index as f64 + 0.5) / self.axis.len().max(1) as f64 * self.rect.w
    }

    /// The place of a value: at an end where it is beyond the axis.
    fn y(&self, v: f64) -> Option<f64> {
        let share = match &self.values {
            Some(values) => values.share(v).clamp(0.0, 1.0),
            None if v == f64::INFINITY => 1.0,
            None => 0.0,
        };
        (!share.is_nan()).then(|| self.rect.bottom() - share * self.rect.h)
    }

    /// The cell at the left, slice and value at the right.
    fn title(&self, view: &OverlayInput<'_>, rect: &Rect, m: &mut dyn Measure, items: &mut Vec<Item>) {
        let font = 0.92 * FONT * self.unit;
        let middle = rect.y + 0.5 * TITLE * self.unit;
        let all = self.axis.len();
        let here = self.trace.values.get(self.axis.index);
        let value = match (self.trace.failed, here) {
            (Some(why), _) => clean(why),
            (None, Some(Some(v))) => format!("{}: {}", self.axis, short(*v)),
            (None, Some(None)) => format!("{}: no value", self.axis),
            (None, None) => self.axis.to_string(),
        };
        let read = self.trace.values.len();
        let reads = read < all && self.trace.failed.is_none();
        let right = if reads { format!("{value} · {read} of {all} read") } else { value };
        let (pad, gap) = (PAD * self.unit, font);
        let room = rect.w - 2.0 * pad;
        let right = fit(&clean(&right), font, room, m);
        let wide = m.size(&right, font).width;
        write(&right, font, rect.right() - pad - wide, middle, grey(view.palette, 0.9), items);
        let left = fit(&cell_place(view.geometry, self.trace.cell), font, room - wide - gap, m);
        write(&left, font, rect.x + pad, middle, grey(view.palette, 0.7), items);
    }

    /// Lines at round values with their labels, which take room at the left.
    fn value_labels(&mut self, view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
        let Some(values) = &self.values else { return };
        let (font, t) = (0.8 * FONT * self.unit, self.unit.round().max(1.0));
        let (norm, low, high) = values.parts();
        let ticks = norm_ticks(norm, low, high, (self.rect.h / (TICK * self.unit)).max(2.0) as usize);
        let wide = ticks.iter().map(|tick| m.size(&tick.label, font).width).fold(0.0, f64::max);
        let gap = GAP * self.unit;
        let ends = self.rect.x + wide;
        if wide < self.rect.w / 2.0 {
            (self.rect.x, self.rect.w) = (ends + gap, self.rect.w - wide - gap);
        }
        for tick in &ticks {
            let Some(y) = self.y(tick.value) else { continue };
            let line = Rect::new(self.rect.x, y.round().min(self.rect.bottom() - t), self.rect.w, t);
            items.push(Item::Rect { rect: line, color: clear(view.palette.ink, 0.14) });
            if ends < self.rect.x {
                let x = ends - m.size(&tick.label, font).width;
                write(&tick.label, font, x, y, grey(view.palette, 0.7), items);
            }
        }
    }

    /// The name of the axis between the labels of its first and its last slice.
    fn slice_labels(&self, view: &OverlayInput<'_>, rect: &Rect, m: &mut dyn Measure, items: &mut Vec<Item>) {
        let font = 0.8 * FONT * self.unit;
        let middle = rect.bottom() - 0.5 * LABELS * self.unit;
        let last = self.axis.len().saturating_sub(1);
        let label = |i: usize| clean(&self.axis.label(i).unwrap_or_else(|| i.to_string()));
        let center = self.rect.center().x;
        for (text, x) in
            [(label(0), self.x(0)), (clean(&self.axis.name()), center), (label(last), self.x(last))]
        {
            let text = fit(&text, font, self.rect.w / 3.0 - font, m);
            let wide = m.size(&text, font).width;
            let from = (x - wide / 2.0).min(self.rect.right() - wide).max(self.rect.x);
            write(&text, font, from, middle, grey(view.palette, 0.7), items);
        }
    }

    /// Shades the slices that are not read yet.
    fn unread(&self, view: &OverlayInput<'_>, items: &mut Vec<Item>) {
        let (read, all) = (self.trace.values.len(), self.axis.len());
        if read < all {
            let x = (self.rect.x + read as f64 / all as f64 * self.rect.w).round();
            let rect = Rect::new(x, self.rect.y, self.rect.right() - x, self.rect.h);
            items.push(Item::Rect { rect, color: clear(view.palette.ink, 0.06) });
        }
    }

    /// The line, with a dot for a value alone between gaps; where several slices share a pixel, all their values.
    fn paint(&self, view: &OverlayInput<'_>, items: &mut Vec<Item>) {
        let (color, width) = (grey(view.palette, 0.95), (LINE * self.unit).max(1.0));
        let mut from = 0;
        for run in self.trace.values.chunk_by(|a, b| a.is_some() == b.is_some()) {
            let first = from;
            from += run.len();
            let places: Vec<Point> = run
                .iter()
                .enumerate()
                .filter_map(|(i, v)| Some(Point { x: self.x(first + i), y: self.y((*v)?)? }))
                .collect();
            if let [only] = places[..] {
                let half = DOT * self.unit;
                let rect = Rect::new(only.x - half, only.y - half, 2.0 * half, 2.0 * half);
                items.push(Item::Rect { rect, color });
            }
            let strokes = match self.axis.len() as f64 > self.rect.w {
                true => columns(&places, width),
                false => places.windows(2).map(|ends| [ends[0], ends[1]]).collect(),
            };
            items.extend(strokes.into_iter().map(|[from, to]| Item::Line { from, to, width, color }));
        }
    }

    /// Marks the slice that is shown, and its value.
    fn shown(&self, view: &OverlayInput<'_>, items: &mut Vec<Item>) {
        let (t, half) = (self.unit.round().max(1.0), 1.5 * DOT * self.unit);
        let x = self.x(self.axis.index);
        let line = Rect::new((x - t / 2.0).round(), self.rect.y, t, self.rect.h);
        items.push(Item::Rect { rect: line, color: grey(view.palette, 0.5) });
        let value = self.trace.values.get(self.axis.index).copied().flatten();
        if let Some(y) = value.and_then(|v| self.y(v)) {
            let rect = Rect::new(x - half, y - half, 2.0 * half, 2.0 * half);
            items.push(Item::Rect { rect, color: view.palette.ink });
        }
    }
}

/// One upright stroke for the points of a pixel column, which meets the one before.
fn columns(points: &[Point], width: f64) -> Vec<[Point; 2]> {
    let mut out: Vec<[Point; 2]> = Vec::new();
    let mut before: Option<f64> = None;
    for column in points.chunk_by(|a, b| a.x.floor() == b.x.floor()) {
        let all = || column.iter().map(|p| p.y).chain(before);
        let (top, bottom) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let x = column[0].x.floor() + 0.5;
        let half = width / 2.0;
        out.push([Point { x, y: top - half }, Point { x, y: bottom + half }]);
        before = column.last().map(|p| p.y);
    }
    out
}

#[cfg(test)]
mod tests;

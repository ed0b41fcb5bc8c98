//! A table of names and values over the figure, in a corner that nothing needs.

use super::super::readout::Table;
use super::super::shades::{clear, grey};
use super::OverlayInput;
use super::lettering::{FONT, fit, frame, write};
use super::marks::{common, selected_rect};
use super::status::status_height;
use gridscope_core::geom::Rect;
use gridscope_core::text::{Measure, clean};
use gridscope_draw::scene::Item;

/// Lines are this many ems apart.
const LEADING: f64 = 1.55;
/// Free logical pixels around the pointer.
const CLEAR: f64 = 20.0;
/// Places are looked for in this many steps along each side of the window.
const PLACES: usize = 12;

/// Paints a table; in a small window as much of it as fits.
pub(super) fn table(view: &OverlayInput<'_>, table: &Table, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (size, unit) = (view.geometry.size, view.geometry.logical_pixel());
    let font = FONT * unit;
    let (margin, pad, step) = ((8.0 * unit).round(), (8.0 * unit).round(), (LEADING * font).round());
    let w = f64::from(size.w) - 2.0 * margin;
    let (top, bottom) = span(view, margin);
    let room = w - 2.0 * pad;
    let most = ((bottom - top - 2.0 * pad) / step).floor();
    if room < 4.0 * font || most < 2.0 {
        return;
    }
    let gap = font;
    let mut names: f64 = 0.0;
    for (name, value) in &table.lines {
        if !value.is_empty() {
            names = names.max(m.size(name, font).width);
        }
    }
    let names = names.min(0.4 * room);
    let title = fit(&clean(&table.title), font, room, m);
    let mut wide = m.size(&title, font).width;
    let mut lines = Vec::new();
    for (name, value) in table.lines.iter().take(most as usize - 1) {
        let line = if value.is_empty() {
            (fit(&clean(name), font, room, m), String::new())
        } else {
            (fit(name, font, names, m), fit(&clean(value), font, room - names - gap, m))
        };
        let to = if line.1.is_empty() {
            m.size(&line.0, font).width
        } else {
            names + gap + m.size(&line.1, font).width
        };
        wide = wide.max(to);
        lines.push(line);
    }
    let wide = (wide + 2.0 * pad).ceil().min(w);
    let tall = (lines.len() + 1) as f64 * step + 2.0 * pad;
    let r = corner(view, (wide, tall), margin, (top, bottom));
    items.push(Item::Rect { rect: r, color: clear(view.palette.background, 0.95) });
    frame(&r, unit.round().max(1.0), grey(view.palette, 0.25), items);
    let inner = r.grown(-pad);
    let middle = |line: usize| inner.y + (line as f64 + 0.5) * step;
    write(&title, font, inner.x, middle(0), grey(view.palette, 0.62), items);
    for (i, (name, value)) in lines.iter().enumerate() {
        let dark = if value.is_empty() { 0.92 } else { 0.62 };
        write(name, font, inner.x, middle(i + 1), grey(view.palette, dark), items);
        write(value, font, inner.x + names + gap, middle(i + 1), grey(view.palette, 0.95), items);
    }
}

/// The highest and the lowest pixel of a table.
fn span(view: &OverlayInput<'_>, margin: f64) -> (f64, f64) {
    let unit = view.geometry.logical_pixel();
    let bottom = f64::from(view.geometry.size.h) - f64::from(status_height(unit));
    let bottom = view.geometry.distribution.as_ref().map_or(bottom, |d| d.rect.y);
    // The frame times have the top right corner.
    let times = if view.state.frames { (2.5 * FONT * unit).round() } else { 0.0 };
    let top = f64::from(view.geometry.toolbar) + margin;
    (top + times, bottom - margin)
}

/// Where a box covers neither the selected cells nor the pointer, and as little as can be of bodies, then of bars and titles; the
/// first such place from the top right on.
fn corner(view: &OverlayInput<'_>, (wide, tall): (f64, f64), margin: f64, (top, bottom): (f64, f64)) -> Rect {
    let unit = view.geometry.logical_pixel();
    let (left, right) = (margin, f64::from(view.geometry.size.w) - margin - wide);
    let low = bottom - tall;
    let at = |from: f64, to: f64, i: usize| (from + (to - from) * i as f64 / PLACES as f64).round();
    let corners = [(right, top), (right, low), (left, low), (left, top)];
    let between = (0..=PLACES).flat_map(|i| (0..=PLACES).map(move |k| (i, k)));
    let others = between.map(|(i, k)| (at(right, left, i), at(top, low, k)));
    let selection = selected_rect(view.geometry, view.state);
    let near = CLEAR * unit;
    let cost = |r: &Rect| {
        let about = r.grown(near);
        let pointed = view
            .state
            .pointer
            .is_some_and(|p| p.x >= about.x && p.x < about.right() && p.y >= about.y && p.y < about.bottom());
        let covers = selection.as_ref().is_some_and(|s| s.overlaps(r));
        let bodies = view.geometry.in_window().map(|(_, p)| p.body.rect());
        let cells = bodies.filter_map(|b| common(&b, r)).map(|c| c.w * c.h).sum::<f64>();
        let bars = view.geometry.bars.iter().flatten().map(|b| b.ramp.rect());
        let titles = view.geometry.titles.iter().flatten().copied();
        let rest = bars.chain(titles).filter_map(|o| common(&o, r)).map(|c| c.w * c.h).sum::<f64>();
        // What covers fewer cells by a tenth of itself is worth another place.
        let tenth = 0.1 * wide * tall;
        [
            f64::from(u8::from(pointed)),
            f64::from(u8::from(covers)),
            (cells / tenth).round(),
            (rest / tenth).round(),
        ]
    };
    let boxes = corners.into_iter().chain(others).map(|(x, y)| Rect::new(x, y, wide, tall));
    let mut best: Option<([f64; 4], Rect)> = None;
    for r in boxes {
        let cost = cost(&r);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, r));
        }
    }
    best.map_or(Rect::new(right, top, wide, tall), |b| b.1)
}

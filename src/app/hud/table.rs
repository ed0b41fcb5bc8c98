//! A table of names and values over the figure, in a corner that nothing needs.

use super::super::readout::Table;
use super::super::shades::{clear, grey};
use super::OverlayInput;
use super::lettering::{FONT, fit, frame, write};
use super::marks::selected_rect;
use super::status::status_height;
use crate::geom::Rect;
use crate::scene::Item;
use crate::text::{Measure, clean};

/// Lines are this many ems apart.
const LEADING: f64 = 1.55;
/// Free logical pixels around the pointer.
const CLEAR: f64 = 20.0;

/// Paints a table; in a small window as much of it as fits.
pub(super) fn table(view: &OverlayInput<'_>, table: &Table, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (size, unit) = (view.geometry.size, view.geometry.logical_pixel());
    let font = FONT * unit;
    let (margin, pad, step) = (
        (8.0 * unit).round(),
        (8.0 * unit).round(),
        (LEADING * font).round(),
    );
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
            (
                fit(name, font, names, m),
                fit(&clean(value), font, room - names - gap, m),
            )
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
    items.push(Item::Rect {
        rect: r,
        color: clear(view.palette.background, 0.92),
    });
    frame(&r, unit.round().max(1.0), grey(view.palette, 0.25), items);
    let inner = r.grown(-pad);
    let middle = |line: usize| inner.y + (line as f64 + 0.5) * step;
    write(&title, font, inner.x, middle(0), grey(view.palette, 0.62), items);
    for (i, (name, value)) in lines.iter().enumerate() {
        let dark = if value.is_empty() { 0.92 } else { 0.62 };
        write(
            name,
            font,
            inner.x,
            middle(i + 1),
            grey(view.palette, dark),
            items,
        );
        write(
            value,
            font,
            inner.x + names + gap,
            middle(i + 1),
            grey(view.palette, 0.95),
            items,
        );
    }
}

/// The highest and the lowest pixel of a table.
fn span(view: &OverlayInput<'_>, margin: f64) -> (f64, f64) {
    let unit = view.geometry.logical_pixel();
    let bottom = f64::from(view.geometry.size.h) - f64::from(status_height(unit));
    let bottom = view.geometry.distribution.as_ref().map_or(bottom, |d| d.rect.y);
    // The frame times have the top right corner.
    let times = if view.state.frames {
        (2.5 * FONT * unit).round()
    } else {
        0.0
    };
    let top = f64::from(view.geometry.toolbar) + margin;
    (top + times, bottom - margin)
}

/// The first corner of the window, from the top right on, whose box covers neither the selected cells nor the pointer.
fn corner(view: &OverlayInput<'_>, (wide, tall): (f64, f64), margin: f64, (top, bottom): (f64, f64)) -> Rect {
    let unit = view.geometry.logical_pixel();
    let (left, right) = (margin, f64::from(view.geometry.size.w) - margin - wide);
    let low = bottom - tall;
    let places = [(right, top), (right, low), (left, low), (left, top)];
    let boxes = places.map(|(x, y)| Rect::new(x, y, wide, tall));
    let near = CLEAR * unit;
    let pointed = |r: &Rect| {
        let r = r.grown(near);
        let at = view.state.pointer;
        at.is_some_and(|p| p.x >= r.x && p.x < r.right() && p.y >= r.y && p.y < r.bottom())
    };
    let selection = selected_rect(view.geometry, view.state);
    let covers = |r: &Rect| selection.as_ref().is_some_and(|s| s.overlaps(r));
    let free = boxes.iter().find(|r| !covers(r) && !pointed(r));
    *free
        .or_else(|| boxes.iter().find(|r| !pointed(r)))
        .unwrap_or(&boxes[0])
}

//! Boxes over the figure: the menu that is open, a table of names and values, frame times.

use super::super::geometry::{MenuAt, WindowGeometry};
use super::super::input::bound;
use super::super::readout::Table;
use super::super::shades::{clear, grey};
use super::super::state::{Command, Effect, Menu, READ, SET_LIMITS, SET_THRESHOLD, Typing};
use super::marks::{common, selected_rect};
use super::status::status_height;
use super::{FONT, FrameTimes, OverlayInput, fit, frame, write};
use gridscope_core::geom::{PxRect, Rect};
use gridscope_core::text::{Measure, clean, shorten};
use gridscope_draw::layout::wrap;
use gridscope_draw::scene::Item;

/// Height of an entry, the gap between two groups, the space beside texts and above the first entry, in logical pixels.
const ENTRY: f64 = 22.0;
const GAP: f64 = 9.0;
const PAD: f64 = 12.0;
const EDGE: f64 = 4.0;
/// The most characters of a file's name.
const NAME: usize = 60;

/// The text of a command in a menu, and its keys.
fn label(command: &Command) -> (String, String) {
    if let Some((text, keys)) = bound(command) {
        return (text.to_owned(), keys);
    }
    let (text, keys) = match command {
        Command::Click { .. } => ("Select the cell".to_owned(), "Click"),
        Command::Select { rows, .. } if rows.len() == 1 => ("Select its row".to_owned(), ""),
        Command::Select { .. } => ("Select its column".to_owned(), ""),
        Command::Fit { .. } => ("Show all of this panel".to_owned(), "Double click"),
        Command::Effect(Effect::OwnColumnOrder) => ("Columns in their own order".to_owned(), ""),
        Command::Effect(Effect::OwnRowOrder) => ("Rows in their own order".to_owned(), ""),
        Command::Type(Typing::Prompt(text)) if text == SET_LIMITS => ("Set limits…".to_owned(), ""),
        Command::Type(Typing::Prompt(text)) if text == SET_THRESHOLD => ("Set a threshold…".to_owned(), ""),
        Command::Type(Typing::Prompt(text)) if text == READ => {
            ("Other columns, filters, flags…".to_owned(), "")
        }
        Command::Open { file, .. } => (shorten(&clean(file), NAME), ""),
        other => (other.to_string(), ""),
    };
    (text, keys.to_owned())
}

/// Where a menu is in its window: beside its place if there is room, with as many entries as the window has room for.
pub(crate) fn menu_at(menu: &Menu, geometry: &WindowGeometry, m: &mut dyn Measure) -> Option<MenuAt> {
    let unit = geometry.logical_pixel();
    let (w, h) = (f64::from(geometry.size.w), f64::from(geometry.size.h));
    let font = FONT * unit;
    let [entry, gap, pad, edge] = [ENTRY, GAP, PAD, EDGE].map(|v| (v * unit).round());
    let mut width: f64 = 0.0;
    for (text, keys) in menu.entries().map(label) {
        let between = if keys.is_empty() { 0.0 } else { 2.0 * pad };
        width = width.max(m.size(&text, font).width + between + m.size(&keys, font).width);
    }
    let width = (width.ceil() + 2.0 * pad).min(w);
    let (mut places, mut y) = (Vec::new(), edge);
    'groups: for group in menu.groups.iter().filter(|g| !g.is_empty()) {
        y += if places.is_empty() { 0.0 } else { gap };
        for _ in group {
            if y + entry + edge > h {
                break 'groups;
            }
            places.push(y);
            y += entry;
        }
    }
    let bottom = places.last()? + entry + edge;
    if width < 4.0 * pad {
        return None;
    }
    let left = menu.at.x.min(w - width).max(0.0).round();
    let top = menu.at.y.min(h - bottom).max(0.0).round();
    let place = |y: f64, height: f64| PxRect {
        x: left as i32,
        y: (top + y) as i32,
        w: width as u32,
        h: height as u32,
    };
    Some(MenuAt { frame: place(0.0, bottom), entries: places.into_iter().map(|y| place(y, entry)).collect() })
}

/// Paints the menu.
pub(super) fn menu(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (Some(menu), Some(at)) = (&view.state.menu, &view.geometry.menu) else {
        return;
    };
    let (unit, palette) = (view.geometry.logical_pixel(), view.palette);
    let (font, line, pad) = (FONT * unit, unit.round().max(1.0), (PAD * unit).round());
    let r = at.frame.rect();
    items.push(Item::Rect { rect: r, color: palette.background });
    items.push(Item::Rect { rect: r, color: grey(palette, 0.03) });
    frame(&r, line, grey(palette, 0.4), items);
    for (i, (command, place)) in menu.entries().zip(&at.entries).enumerate() {
        let r = place.rect();
        if menu.chosen == Some(i) {
            let rect = Rect::new(r.x + line, r.y, r.w - 2.0 * line, r.h);
            items.push(Item::Rect { rect, color: grey(palette, 0.16) });
        }
        let (text, keys) = label(command);
        let room = r.w - 2.0 * pad;
        let text = fit(&text, font, room, m);
        let taken = m.size(&text, font).width;
        let wide = m.size(&keys, font).width;
        write(&text, font, r.x + pad, r.center().y, grey(palette, 0.92), items);
        if taken + pad + wide <= room {
            write(&keys, font, r.right() - pad - wide, r.center().y, grey(palette, 0.55), items);
        }
    }
    // A line in the gap between two groups.
    for pair in at.entries.windows(2).map(|p| [p[0].rect(), p[1].rect()]) {
        if pair[1].y > pair[0].bottom() {
            let y = f64::midpoint(pair[0].bottom(), pair[1].y).round();
            items.push(Item::Rect {
                rect: Rect::new(r.x + pad / 2.0, y, r.w - pad, line),
                color: grey(palette, 0.2),
            });
        }
    }
}

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
    items.push(Item::Rect { rect: r, color: view.palette.background });
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

/// The frame times in the top right corner.
pub(super) fn frame_times(
    view: &OverlayInput<'_>,
    t: FrameTimes,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let (unit, w) = (view.geometry.logical_pixel(), f64::from(view.geometry.size.w));
    let font = FONT * unit;
    let (margin, pad, tall) = ((8.0 * unit).round(), (8.0 * unit).round(), (1.9 * font).round());
    let text = format!("{} ms median, {} p95, {} frames", ms(t.median), ms(t.p95), t.frames);
    let text = fit(&text, font, w - 2.0 * (margin + pad), m);
    let top = f64::from(view.geometry.toolbar) + margin;
    if text.is_empty() || top + tall > f64::from(view.geometry.size.h) {
        return;
    }
    let wide = (m.size(&text, font).width + 2.0 * pad).ceil();
    let r = Rect::new(w - margin - wide, top, wide, tall);
    items.push(Item::Rect { rect: r, color: clear(view.palette.background, 0.88) });
    frame(&r, unit.round().max(1.0), grey(view.palette, 0.25), items);
    write(&text, font, r.x + pad, r.center().y, grey(view.palette, 0.9), items);
}

/// Milliseconds with one decimal, or none from 100 on.
fn ms(v: f64) -> String {
    if v < 99.95 { format!("{v:.1}") } else { format!("{v:.0}") }
}

/// A notice in the middle of a window without a figure.
pub(super) fn notice(view: &OverlayInput<'_>, notice: &str, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (size, unit) = (view.geometry.size, view.geometry.logical_pixel());
    let above = f64::from(view.geometry.toolbar);
    let (w, h) = (f64::from(size.w), f64::from(size.h) - f64::from(status_height(unit)) - above);
    let font = 1.15 * FONT * unit;
    let (leading, margin) = ((1.5 * font).round(), (16.0 * unit).round());
    let width = (w - 2.0 * margin).min(46.0 * font);
    let mut lines: Vec<String> = notice.lines().flat_map(|l| wrap(&clean(l), font, width, m)).collect();
    let most = ((h - 2.0 * margin) / leading).floor().max(0.0) as usize;
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = fit(&format!("{last} …"), font, width, m);
        }
    }
    // A word may be wider than a very narrow window.
    let lines: Vec<String> = lines.iter().map(|l| fit(l, font, width, m)).collect();
    // The lines are read as a block: one left edge for all.
    let widest = lines.iter().map(|l| m.size(l, font).width).fold(0.0, f64::max);
    let top = above + (h - lines.len() as f64 * leading) / 2.0;
    for (i, line) in lines.iter().enumerate() {
        write(
            line,
            font,
            (w - widest) / 2.0,
            top + (i as f64 + 0.5) * leading,
            grey(view.palette, 0.9),
            items,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::state::{Menuing, ViewState};
    use super::super::super::test_grids::{geometry, sweep};
    use super::*;
    use crate::dice::Dice;
    use crate::geometry::Hit;
    use gridscope_core::geom::{Point, PxSize};
    use gridscope_core::text::Fonts;

    #[test]
    fn menus_stay_in_their_windows_and_every_entry_can_be_hit() {
        let (mut dice, mut fonts) = (Dice(5), Fonts::new());
        for unit in [1.0, 1.5, 2.0] {
            for _ in 0..60 {
                let size = PxSize { w: 100 + dice.below(3900) as u32, h: 60 + dice.below(2000) as u32 };
                let mut w = geometry(vec![sweep()], PxSize { w: 50, h: 40 });
                (w.size, w.unit) = (size, unit);
                let mut state = ViewState::new(&w);
                state.recent = (0..20).map(|i| format!("/data/runs/{}.npy", "long ".repeat(i))).collect();
                let at = Point {
                    x: dice.below(u64::from(size.w)) as f64,
                    y: dice.below(u64::from(size.h)) as f64,
                };
                state.apply(&Command::Menu(Menuing::At(at)), &w);
                let menu = state.menu.clone().unwrap();
                w.menu = menu_at(&menu, &w, &mut fonts);
                let Some(placed) = &w.menu else { panic!("{size:?} at {unit}") };
                let window = Rect::new(0.0, 0.0, f64::from(size.w), f64::from(size.h));
                assert!(window.contains(&placed.frame.rect(), 0.0), "{placed:?} in {size:?}");
                for (i, r) in placed.entries.iter().enumerate() {
                    assert_eq!(w.hit(r.rect().center()), Hit::Entry(i));
                }
                let all = menu.entries().count();
                assert!(placed.entries.len() == all || f64::from(size.h) < 22.0 * unit * (all + 5) as f64);
            }
        }
    }

    #[test]
    fn every_entry_has_a_text_that_is_no_line_of_a_script() {
        let w = geometry(vec![sweep()], PxSize { w: 600, h: 400 });
        let mut state = ViewState::new(&w);
        state.recent = vec!["/data/a.csv".to_owned()];
        let body = w.panels[0].body.rect().center();
        for at in [body, Point { x: 1.0, y: 1.0 }] {
            state.apply(&Command::Menu(Menuing::At(at)), &w);
            for command in state.menu.as_ref().unwrap().entries() {
                assert!(label(command).0 != command.to_string(), "{command}");
            }
        }
    }

    #[test]
    fn milliseconds_keep_three_digits() {
        assert_eq!([4.23, 61.0, 99.96, 1234.5].map(ms), ["4.2", "61.0", "100", "1234"]);
    }
}

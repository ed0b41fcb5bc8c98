//! The overlay of all keys, which is scrolled where the window is too small for all of them.

use super::super::shades::{clear, grey};
use super::OverlayInput;
use super::columns::{Columns, FOOT, KeyGroup, KeyLine, TITLE, column_gap, columns, key_gap};
use super::lettering::{fit, fit_head, frame, write};
use crate::geometry::WindowGeometry;
use gridscope_core::geom::Rect;
use gridscope_core::text::Measure;
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::Item;

/// Width of the bar beside a scrolled list, in ems.
const BAR: f64 = 0.35;

/// The room in a window, the space around the list and that within it; `None` in a window with no room.
fn room(window: &Rect, unit: f64) -> Option<((f64, f64), f64)> {
    let (margin, pad) =
        ((0.012 * window.w).min(10.0 * unit).round(), (0.025 * window.w).min(16.0 * unit).round());
    let room = (window.w - 2.0 * (margin + pad), window.h - 2.0 * (margin + pad));
    (room.0 >= 4.0 * unit && room.1 >= 4.0 * unit).then_some((room, pad))
}

fn window(geometry: &WindowGeometry) -> Rect {
    Rect::new(0.0, 0.0, f64::from(geometry.size.w), f64::from(geometry.size.h))
}

/// By how many lines the list can be scrolled in a window, and how many of them are seen at once; both 0 where all are.
pub(crate) fn key_lines(keys: &[KeyGroup], geometry: &WindowGeometry, m: &mut dyn Measure) -> (usize, usize) {
    let unit = geometry.logical_pixel();
    room(&window(geometry), unit).map_or((0, 0), |(room, _)| {
        let columns = columns(keys, room, unit, m);
        (columns.rest(), columns.seen.unwrap_or(0))
    })
}

/// Paints the list of keys over a dimmed figure.
pub(super) fn keys(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (unit, palette) = (view.geometry.logical_pixel(), view.palette);
    let window = window(view.geometry);
    items.push(Item::Rect { rect: window, color: clear(palette.background, 0.72) });
    let Some((room, pad)) = room(&window, unit) else {
        return;
    };
    let list = columns(view.keys, room, unit, m);
    let (f, step, gap) = (list.font, (list.leading * list.font).floor(), column_gap(list.font));
    let wide =
        list.widths.iter().map(|w| w.1).sum::<f64>() + gap * list.widths.len().saturating_sub(1) as f64;
    let lines = list.seen.map_or(list.tallest(), |seen| seen as f64);
    let foot = if list.seen.is_some() { FOOT * f } else { 0.0 };
    let tall = TITLE * f + lines * step + foot;
    let (wide, tall) = ((wide.min(room.0) + 2.0 * pad).ceil(), (tall.min(room.1) + 2.0 * pad).ceil());
    let r = Rect::new(((window.w - wide) / 2.0).round(), ((window.h - tall) / 2.0).round(), wide, tall);
    items.push(Item::Rect { rect: r, color: palette.background });
    frame(&r, unit.round().max(1.0), grey(palette, 0.3), items);
    let inner = r.grown(-pad);
    title(&inner, f, unit, palette, m, items);
    let top = view.state.scroll.top().min(list.rest());
    let body = Rect::new(inner.x, inner.y + TITLE * f, inner.w, lines * step);
    text(&list, &body, top, step, palette, m, items);
    if let Some(seen) = list.seen {
        foot_line(&list, &inner, top, palette, m, items);
        let (all, bar) = ((seen + list.rest()) as f64, (BAR * f).round().max(1.0));
        let x = r.right() - 0.5 * (pad + bar);
        let track = Rect::new(x.round(), body.y.round(), bar, body.h.round());
        items.push(Item::Rect { rect: track, color: grey(palette, 0.1) });
        items.push(Item::Rect {
            rect: Rect {
                y: (track.y + track.h * top as f64 / all).round(),
                h: (track.h * seen as f64 / all).round(),
                ..track
            },
            color: grey(palette, 0.5),
        });
    }
}

/// The lines that are seen from line `top`.
fn text(
    list: &Columns,
    body: &Rect,
    top: usize,
    step: f64,
    palette: Palette,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let f = list.font;
    let mut x = body.x;
    for (lines, (keys, all)) in list.columns.iter().zip(&list.widths) {
        let mut at = -(top as f64);
        for line in lines {
            let (from, to) = (at, at + line.height());
            at = to;
            if from < 0.0 || list.seen.is_some_and(|seen| to > seen as f64) {
                continue;
            }
            let middle = body.y + (from + 0.5) * step;
            match line {
                KeyLine::Group(name) => {
                    let name = fit(name, f, *all, m);
                    write(&name, f, x, middle, palette.ink, items);
                    let wide = m.size(&name, f).width;
                    let under = (middle + 0.55 * f).floor();
                    items.push(Item::Rect {
                        rect: Rect::new(x, under, wide, (0.08 * f).round().max(1.0)),
                        color: grey(palette, 0.5),
                    });
                }
                KeyLine::Key { key, what, .. } => {
                    let (key, what) = (fit(key, f, *keys, m), fit_head(what, f, all - keys - key_gap(f), m));
                    write(&key, f, x, middle, palette.ink, items);
                    let x = x + keys + key_gap(f);
                    write(&what, f, x, middle, grey(palette, 0.78), items);
                }
                KeyLine::Gap => {}
            }
        }
        x += all + column_gap(f);
    }
}

/// The line that says how many keys are above and below, and how to reach them.
fn foot_line(
    list: &Columns,
    inner: &Rect,
    top: usize,
    palette: Palette,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let f = list.font;
    let (above, below) = list.unseen(top);
    let count = [(above, "above"), (below, "below")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect::<Vec<_>>()
        .join(" · ");
    let long = format!("{count} · wheel, arrows and Page Down scroll");
    let said = if m.size(&long, f).width <= inner.w { long } else { fit_head(&count, f, inner.w, m) };
    write(&said, f, inner.x, inner.bottom() - 0.6 * f, palette.ink, items);
}

fn title(inner: &Rect, f: f64, unit: f64, palette: Palette, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let large = 1.15 * f;
    let middle = inner.y + 0.6 * f;
    let name = fit("Keys and gestures", large, inner.w, m);
    write(&name, large, inner.x, middle, palette.ink, items);
    let (close, name) = ("Esc closes", m.size(&name, large).width);
    let w = m.size(close, f).width;
    if name + w + 2.0 * f <= inner.w {
        write(close, f, inner.right() - w, middle, grey(palette, 0.55), items);
    }
    let line = Rect::new(inner.x, (inner.y + 1.6 * f).round(), inner.w, unit.round().max(1.0));
    items.push(Item::Rect { rect: line, color: grey(palette, 0.2) });
}

#[cfg(test)]
mod tests {
    use super::super::super::state::{Action, Command, Scrolling, ViewState};
    use super::super::super::test_grids::{geometry, sweep};
    use super::super::Counted;
    use super::*;
    use gridscope_core::color::Color;
    use gridscope_core::geom::PxSize;
    use gridscope_core::text::Fonts;

    fn list() -> Vec<KeyGroup> {
        let row = |name: &str, i: usize| {
            (format!("Ctrl+{name}{i:02}"), "moves the view this many steps ".repeat(1 + i % 3))
        };
        [("Move", 12), ("Read", 8), ("Colour", 7), ("Show", 5), ("Keep", 4)]
            .map(|(name, rows)| (name.to_owned(), (0..rows).map(|i| row(name, i)).collect()))
            .to_vec()
    }

    fn texts(items: &[Item]) -> Vec<String> {
        let text = |i: &Item| match i {
            Item::Text { text, .. } => Some(text.clone()),
            _ => None,
        };
        items.iter().filter_map(text).collect()
    }

    /// A window that shows nothing but its state.
    fn bare<'a>(geometry: &'a WindowGeometry, state: &'a ViewState) -> OverlayInput<'a> {
        OverlayInput {
            geometry,
            state,
            palette: Palette { background: Color::WHITE, ink: Color::BLACK },
            em: 12.0,
            pointer: "",
            selection: "",
            linked: &[],
            thumbs: &[],
            view: "",
            progress: None,
            times: None,
            statistics: None,
            profiles: None,
            counted: &Counted::Counting,
            obstacles: &[],
            histograms: &[],
            standing: None,
            minimap: None,
            notice: None,
            prompt: None,
            keys: &[],
        }
    }

    #[test]
    fn every_key_of_a_small_window_is_reached_by_scrolling() {
        let mut m = Fonts::new();
        let all = list();
        for (w, h) in [(700, 450), (480, 320), (300, 200), (1280, 720)] {
            let geometry =
                WindowGeometry { size: PxSize { w, h }, ..geometry(vec![sweep()], PxSize { w: 100, h: 75 }) };
            let mut state = ViewState::new(&geometry);
            state.apply(&Command::Do(Action::Keys), &geometry);
            let room = key_lines(&all, &geometry, &mut m);
            state.scroll.set_room(room);
            let (mut seen, mut tops) = (Vec::new(), 0);
            loop {
                let mut items = Vec::new();
                super::keys(&OverlayInput { keys: &all, ..bare(&geometry, &state) }, &mut m, &mut items);
                let said: Vec<String> = texts(&items);
                let foot = said.iter().find(|t| t.contains(" above") || t.contains(" below")).cloned();
                assert_eq!(foot.is_some(), room.0 > 0, "{w} x {h}: {said:?}");
                // The ends have nothing beyond them.
                let foot = foot.unwrap_or_default();
                assert_eq!(foot.contains("above"), state.scroll.top() > 0, "{w} x {h}: {foot}");
                assert_eq!(foot.contains("below"), state.scroll.top() < room.0, "{w} x {h}: {foot}");
                seen.extend(said);
                tops += 1;
                let down = Command::Scroll(Scrolling::Pages(1));
                if !state.apply(&down, &geometry).damage.any() {
                    break;
                }
            }
            assert_eq!(tops > 1, w < 1280, "{w} x {h}");
            for (name, rows) in &all {
                assert!(seen.contains(name), "{w} x {h}: {name}");
                for (key, _) in rows {
                    let first = key.split(',').next().unwrap();
                    assert!(seen.iter().any(|t| t.starts_with(first)), "{w} x {h}: {key}");
                }
            }
            // A group that breaks over columns says so.
            let continued = seen.iter().any(|t| t.ends_with(" (continued)"));
            assert!(w != 480 || continued, "{w} x {h}: {seen:?}");
        }
    }
}

//! The overlay of all keys in columns, which is scrolled where the window is too small for all of them.

use super::super::shades::{clear, grey};
use super::{OverlayInput, fit, fit_head, frame, write};
use crate::geometry::WindowGeometry;
use gridscope_core::geom::Rect;
use gridscope_core::text::Measure;
use gridscope_draw::layout::wrap;
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

/// A group of keys: its name, and each key with its meaning.
pub(crate) type KeyGroup = (String, Vec<(String, String)>);

/// Font sizes to try, in logical pixels; a list that fits in none of them is scrolled.
const SIZES: [f64; 5] = [13.0, 12.5, 12.0, 11.5, 11.0];
const MOST_COLUMNS: usize = 3;

/// Heights of a line in ems: comfortable, and tight.
const LEADING: [f64; 2] = [1.6, 1.32];
/// Height of the panel's title with the space below it, in ems.
pub(super) const TITLE: f64 = 2.4;
/// The line of a scrolled list that says how many keys are above and below, with the space above it, in ems.
const FOOT: f64 = 2.0;

/// A line of a column.
#[derive(Clone, Debug)]
pub(super) enum KeyLine {
    /// The name of a group; over the rest of a group that began in another column, with a word about it.
    Group(String),
    /// A key and its meaning, or as much of both as fits on a line.
    Key {
        key: String,
        what: String,
        /// Whether the key begins here.
        first: bool,
    },
    /// Half a line between groups.
    Gap,
}

impl KeyLine {
    /// In lines.
    pub(super) fn height(&self) -> f64 {
        if matches!(self, KeyLine::Gap) { 0.6 } else { 1.0 }
    }
}

/// Columns of lines at a font size; `widths` are those of the keys and of the whole column.
pub(super) struct Columns {
    pub(super) font: f64,
    pub(super) leading: f64,
    pub(super) columns: Vec<Vec<KeyLine>>,
    pub(super) widths: Vec<(f64, f64)>,
    /// Lines that are seen at once, where there are more of them.
    pub(super) seen: Option<usize>,
}

impl Columns {
    /// The most lines that a column has.
    pub(super) fn tallest(&self) -> f64 {
        tallest(&self.columns)
    }

    /// By how many lines the list can be scrolled; 0 where all of it is seen.
    pub(super) fn rest(&self) -> usize {
        self.seen.map_or(0, |seen| (self.tallest().ceil() as usize).saturating_sub(seen))
    }

    /// The numbers of keys that begin above and below what is seen from line `top`.
    pub(super) fn unseen(&self, top: usize) -> (usize, usize) {
        let (mut above, mut below) = (0, 0);
        let from = top as f64;
        let to = self.seen.map_or(f64::INFINITY, |seen| from + seen as f64);
        for column in &self.columns {
            let mut y = 0.0;
            for line in column {
                if matches!(line, KeyLine::Key { first: true, .. }) {
                    above += usize::from(y < from);
                    below += usize::from(y >= from && y + 1.0 > to);
                }
                y += line.height();
            }
        }
        (above, below)
    }
}

fn column_gap(font: f64) -> f64 {
    2.6 * font
}

fn key_gap(font: f64) -> f64 {
    1.2 * font
}

fn tallest(columns: &[Vec<KeyLine>]) -> f64 {
    columns.iter().map(|c| height(c)).fold(0.0, f64::max)
}

fn height(lines: &[KeyLine]) -> f64 {
    lines.iter().map(KeyLine::height).sum()
}

/// The largest font in which all keys fit on a line each, in the fewest columns. If none does, texts are wrapped; if they
/// still do not fit, the list is scrolled in the smallest font.
pub(super) fn columns(groups: &[KeyGroup], room: (f64, f64), unit: f64, m: &mut dyn Measure) -> Columns {
    for font in SIZES.map(|s| s * unit) {
        for n in 1..=MOST_COLUMNS {
            let columns = balanced(groups, n);
            let widths = widths(&columns, font, m);
            let wide = widths.iter().map(|w| w.1).sum::<f64>()
                + column_gap(font) * (columns.len().max(1) - 1) as f64;
            let tall = (TITLE + tallest(&columns) * LEADING[0]) * font;
            if wide <= room.0 && tall <= room.1 {
                return Columns { font, leading: LEADING[0], columns, widths, seen: None };
            }
        }
    }
    let whole = SIZES.iter().map(|s| wrapped(groups, room, s * unit, m)).find(|c| c.seen.is_none());
    whole.unwrap_or_else(|| wrapped(groups, room, SIZES[SIZES.len() - 1] * unit, m))
}

/// Whole groups in at most `n` columns, balanced in height.
fn balanced(groups: &[KeyGroup], n: usize) -> Vec<Vec<KeyLine>> {
    let pack = |most: f64| {
        let mut out: Vec<Vec<KeyLine>> = vec![Vec::new()];
        for (name, rows) in groups {
            let lines =
                || {
                    [KeyLine::Group(name.clone())].into_iter().chain(rows.iter().map(|(key, what)| {
                        KeyLine::Key { key: key.clone(), what: what.clone(), first: true }
                    }))
                };
            let before = out.last().map_or(0.0, |c| height(c));
            if before > 0.0 && before + KeyLine::Gap.height() + 1.0 + rows.len() as f64 > most {
                out.push(lines().collect());
            } else if let Some(c) = out.last_mut() {
                c.extend((before > 0.0).then_some(KeyLine::Gap));
                c.extend(lines());
            }
        }
        out
    };
    let (mut low, mut high) = (0.0, height(&pack(f64::MAX)[0]));
    // Heights are tenths of a line: the least that needs no more columns.
    while high - low > 0.05 {
        let middle = f64::midpoint(low, high);
        if pack(middle).len() <= n {
            high = middle;
        } else {
            low = middle;
        }
    }
    pack(high)
}

fn widths(columns: &[Vec<KeyLine>], font: f64, m: &mut dyn Measure) -> Vec<(f64, f64)> {
    let mut of = |lines: &Vec<KeyLine>| {
        let (mut keys, mut what, mut alone) = (0.0f64, 0.0f64, 0.0f64);
        for line in lines {
            match line {
                KeyLine::Key { key, what: text, .. } => {
                    keys = keys.max(m.size(key, font).width);
                    what = what.max(m.size(text, font).width);
                }
                KeyLine::Group(name) => alone = alone.max(m.size(name, font).width),
                KeyLine::Gap => {}
            }
        }
        let keys = keys.ceil();
        (keys, (keys + key_gap(font) + what).max(alone).ceil())
    };
    columns.iter().map(&mut of).collect()
}

/// The lines of a key, which stay together, and the group that it belongs to.
struct Block<'a> {
    group: &'a str,
    /// Whether it is the group's first.
    begins: bool,
    lines: Vec<KeyLine>,
}

/// Wrapped texts in the fewest columns that hold all keys, else in the most that are wide enough to read, of which as many
/// lines are seen as there is room for.
fn wrapped(groups: &[KeyGroup], room: (f64, f64), font: f64, m: &mut dyn Measure) -> Columns {
    let gap = column_gap(font);
    let most = (((room.0 + gap) / (17.0 * font + gap)) as usize).clamp(1, MOST_COLUMNS);
    let lines = ((room.1 / font - TITLE) / LEADING[1]).floor().max(1.0);
    let of = |n: usize, m: &mut dyn Measure| {
        let widest = groups.iter().flat_map(|g| &g.1).map(|(k, _)| m.size(k, font).width).fold(0.0, f64::max);
        let each = (room.0 - gap * (n - 1) as f64) / n as f64;
        let keys = widest.min(0.42 * each).ceil();
        let blocks = blocks(groups, keys, each - keys - key_gap(font), font, m);
        let all: f64 = blocks.iter().map(|b| b.lines.len() as f64).sum();
        let mut per = (all / n as f64).ceil().max(1.0);
        let columns = loop {
            let columns = packed(&blocks, per);
            if columns.len() <= n {
                break columns;
            }
            per += 1.0;
        };
        let widths = vec![(keys, each); columns.len()];
        Columns { font, leading: LEADING[1], columns, widths, seen: None }
    };
    for n in 1..most {
        let columns = of(n, m);
        if columns.tallest() <= lines {
            return columns;
        }
    }
    let columns = of(most, m);
    let seen = ((room.1 / font - TITLE - FOOT) / LEADING[1]).floor().max(1.0) as usize;
    Columns { seen: (columns.tallest() > lines).then_some(seen), ..columns }
}

/// The lines of each key.
fn blocks<'a>(
    groups: &'a [KeyGroup],
    keys: f64,
    whats: f64,
    font: f64,
    m: &mut dyn Measure,
) -> Vec<Block<'a>> {
    let mut out = Vec::new();
    for (group, rows) in groups {
        for (i, (key, what)) in rows.iter().enumerate() {
            let (k, w) = (wrap(key, font, keys, m), wrap(what, font, whats, m));
            let part = |of: &[String], i: usize| of.get(i).cloned().unwrap_or_default();
            let line = |i: usize| KeyLine::Key { key: part(&k, i), what: part(&w, i), first: i == 0 };
            out.push(Block { group, begins: i == 0, lines: (0..k.len().max(w.len())).map(line).collect() });
        }
    }
    out
}

/// Blocks one after the other in columns of at most `most` lines each, unless a block alone has more. The rest of a group
/// that breaks over columns has its name over it, too.
fn packed(blocks: &[Block<'_>], most: f64) -> Vec<Vec<KeyLine>> {
    let mut columns: Vec<Vec<KeyLine>> = vec![Vec::new()];
    for block in blocks {
        let before = columns.last().map_or(0.0, |c| height(c));
        let head = if block.begins { 1.0 + KeyLine::Gap.height() } else { 0.0 };
        let breaks = before > 0.0 && before + head + block.lines.len() as f64 > most;
        if breaks {
            columns.push(Vec::new());
        }
        let Some(column) = columns.last_mut() else {
            continue;
        };
        if block.begins {
            column.extend((!column.is_empty()).then_some(KeyLine::Gap));
            column.push(KeyLine::Group(block.group.to_owned()));
        } else if breaks {
            column.push(KeyLine::Group(format!("{} (continued)", block.group)));
        }
        column.extend_from_slice(&block.lines);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::super::super::state::{Action, Command, Scrolling, ViewState};
    use super::super::super::test_grids::{geometry, sweep};
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
        OverlayInput::bare(geometry, state, Palette { background: Color::WHITE, ink: Color::BLACK }, 12.0)
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

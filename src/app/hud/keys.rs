//! The overlay of all keys: groups of keys and their meanings, in as many columns as the window needs.

use super::super::input::keys as bound_keys;
use super::super::shades::{clear, grey};
use super::OverlayInput;
use super::lettering::{fit, fit_head, frame, write};
use crate::geom::Rect;
use crate::layout::wrap;
use crate::resolve::Palette;
use crate::scene::Item;
use crate::text::Measure;

/// A group of keys: its name, and each key with its meaning.
pub(crate) type KeyGroup = (String, Vec<(String, String)>);

/// All keys, grouped as the overlay lists them.
pub(crate) fn key_groups() -> Vec<KeyGroup> {
    let mut out: Vec<KeyGroup> = Vec::new();
    for row in bound_keys() {
        let line = (row.to_string(), row.text.to_owned());
        match out.last_mut() {
            Some((group, lines)) if group == row.group => lines.push(line),
            _ => out.push((row.group.to_owned(), vec![line])),
        }
    }
    out
}

/// Font sizes to try, in logical pixels.
const SIZES: [f64; 8] = [13.0, 12.5, 12.0, 11.5, 11.0, 10.0, 9.5, 9.0];
const MOST_COLUMNS: usize = 3;
/// Below this size long lines are wrapped instead of set smaller.
const EASY: f64 = 11.0;

/// `KeyLine` spacing in ems: comfortable, and tight.
const LEADING: [f64; 2] = [1.6, 1.32];
/// Height of the panel's title with the space below it, in ems.
const TITLE: f64 = 2.4;

/// A line of a column.
#[derive(Clone, Debug)]
enum KeyLine<'a> {
    Group(&'a str),
    /// A key and its meaning, or as much of both as fits on a line.
    Key(String, String),
    /// Half a line between groups.
    Gap,
    /// The number of keys that did not fit.
    Left(usize),
}

impl KeyLine<'_> {
    fn height(&self) -> f64 {
        if matches!(self, KeyLine::Gap) { 0.6 } else { 1.0 }
    }
}

/// Columns of lines at a font size; `widths` are those of the keys and of the whole column.
struct Arrangement<'a> {
    font: f64,
    leading: f64,
    columns: Vec<Vec<KeyLine<'a>>>,
    widths: Vec<(f64, f64)>,
}

/// Paints the list of keys over a dimmed figure.
pub(super) fn keys(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (size, unit, palette) = (view.geometry.size, view.geometry.logical_pixel(), view.palette);
    let window = Rect::new(0.0, 0.0, f64::from(size.w), f64::from(size.h));
    items.push(Item::Rect {
        rect: window,
        color: clear(palette.background, 0.72),
    });
    let (margin, pad) = (
        (0.012 * window.w).min(10.0 * unit).round(),
        (0.025 * window.w).min(16.0 * unit).round(),
    );
    let room = (window.w - 2.0 * (margin + pad), window.h - 2.0 * (margin + pad));
    if room.0 < 4.0 * unit || room.1 < 4.0 * unit {
        return;
    }
    let arrangement = arrangement(view.keys, room, unit, m);
    let (f, step, gap) = (
        arrangement.font,
        (arrangement.leading * arrangement.font).floor(),
        column_gap(arrangement.font),
    );
    let wide = arrangement.widths.iter().map(|w| w.1).sum::<f64>()
        + gap * arrangement.widths.len().saturating_sub(1) as f64;
    let tall = TITLE * f + tallest(&arrangement.columns) * step;
    let (wide, tall) = (
        (wide.min(room.0) + 2.0 * pad).ceil(),
        (tall.min(room.1) + 2.0 * pad).ceil(),
    );
    let r = Rect::new(
        ((window.w - wide) / 2.0).round(),
        ((window.h - tall) / 2.0).round(),
        wide,
        tall,
    );
    items.push(Item::Rect {
        rect: r,
        color: palette.background,
    });
    frame(&r, unit.round().max(1.0), grey(palette, 0.3), items);
    let inner = r.grown(-pad);
    title(&inner, f, unit, palette, m, items);
    let mut x = inner.x;
    for (lines, (keys, all)) in arrangement.columns.iter().zip(&arrangement.widths) {
        let mut y = inner.y + TITLE * f;
        for line in lines {
            let middle = y + 0.5 * step;
            match line {
                KeyLine::Group(name) => {
                    let name = fit(name, f, inner.right() - x, m);
                    write(&name, f, x, middle, grey(palette, 0.55), items);
                }
                KeyLine::Key(key, what) => {
                    let (key, what) = (
                        fit(key, f, *keys, m),
                        fit_head(what, f, all - keys - key_gap(f), m),
                    );
                    write(&key, f, x, middle, palette.ink, items);
                    write(
                        &what,
                        f,
                        x + keys + key_gap(f),
                        middle,
                        grey(palette, 0.78),
                        items,
                    );
                }
                KeyLine::Gap => {}
                KeyLine::Left(n) => {
                    let text = fit(&format!("… {n} more in a larger window"), f, *all, m);
                    write(&text, f, x, middle, grey(palette, 0.55), items);
                }
            }
            y += line.height() * step;
        }
        x += all + gap;
    }
}

fn title(inner: &Rect, f: f64, unit: f64, palette: Palette, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let large = 1.15 * f;
    let middle = inner.y + 0.6 * f;
    let name = fit("Keys and mouse", large, inner.w, m);
    write(&name, large, inner.x, middle, palette.ink, items);
    let (close, name) = ("Esc closes", m.size(&name, large).width);
    let w = m.size(close, f).width;
    if name + w + 2.0 * f <= inner.w {
        write(close, f, inner.right() - w, middle, grey(palette, 0.55), items);
    }
    let line = Rect::new(
        inner.x,
        (inner.y + 1.6 * f).round(),
        inner.w,
        unit.round().max(1.0),
    );
    items.push(Item::Rect {
        rect: line,
        color: grey(palette, 0.2),
    });
}

fn column_gap(font: f64) -> f64 {
    2.6 * font
}

fn key_gap(font: f64) -> f64 {
    1.2 * font
}

/// The most lines that a column has.
fn tallest(columns: &[Vec<KeyLine<'_>>]) -> f64 {
    columns.iter().map(|c| height(c)).fold(0.0, f64::max)
}

fn height(lines: &[KeyLine<'_>]) -> f64 {
    lines.iter().map(KeyLine::height).sum()
}

/// The largest font in which all keys fit on a line each, in the fewest columns. If that would be small,
/// texts are wrapped; if they still do not fit, the smallest font shows as many keys as possible.
fn arrangement<'a>(
    groups: &'a [KeyGroup],
    room: (f64, f64),
    unit: f64,
    m: &mut dyn Measure,
) -> Arrangement<'a> {
    for font in SIZES.into_iter().filter(|s| *s >= EASY).map(|s| s * unit) {
        for n in 1..=MOST_COLUMNS {
            let columns = balanced(groups, n);
            let widths = widths(&columns, font, m);
            let wide = widths.iter().map(|w| w.1).sum::<f64>()
                + column_gap(font) * (columns.len().max(1) - 1) as f64;
            let tall = (TITLE + tallest(&columns) * LEADING[0]) * font;
            if wide <= room.0 && tall <= room.1 {
                return Arrangement {
                    font,
                    leading: LEADING[0],
                    columns,
                    widths,
                };
            }
        }
    }
    let whole = SIZES.into_iter().find_map(|s| wrapped(groups, room, s * unit, m));
    whole.unwrap_or_else(|| cut(groups, room, SIZES[SIZES.len() - 1] * unit, m))
}

/// Whole groups in at most `n` columns, balanced in height.
fn balanced(groups: &[KeyGroup], n: usize) -> Vec<Vec<KeyLine<'_>>> {
    let pack = |most: f64| {
        let mut out: Vec<Vec<KeyLine<'_>>> = vec![Vec::new()];
        for (name, rows) in groups {
            let lines = || {
                [KeyLine::Group(name)]
                    .into_iter()
                    .chain(rows.iter().map(|(k, w)| KeyLine::Key(k.clone(), w.clone())))
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

fn widths(columns: &[Vec<KeyLine<'_>>], font: f64, m: &mut dyn Measure) -> Vec<(f64, f64)> {
    let mut of = |lines: &Vec<KeyLine<'_>>| {
        let (mut keys, mut what, mut alone) = (0.0f64, 0.0f64, 0.0f64);
        for line in lines {
            match line {
                KeyLine::Key(k, w) => {
                    keys = keys.max(m.size(k, font).width);
                    what = what.max(m.size(w, font).width);
                }
                KeyLine::Group(name) => alone = alone.max(m.size(name, font).width),
                KeyLine::Gap | KeyLine::Left(_) => {}
            }
        }
        let keys = keys.ceil();
        (keys, (keys + key_gap(font) + what).max(alone).ceil())
    };
    columns.iter().map(&mut of).collect()
}

/// The number of columns that are wide enough to read, and of lines per column.
struct Wrap {
    most: usize,
    lines: usize,
}

impl Wrap {
    fn new((wide, tall): (f64, f64), font: f64) -> Self {
        let gap = column_gap(font);
        let lines = ((tall / font - TITLE) / LEADING[1]).floor().max(1.0) as usize;
        Self {
            most: (((wide + gap) / (17.0 * font + gap)) as usize).clamp(1, MOST_COLUMNS),
            lines,
        }
    }

    /// Widths of the columns, and the lines of each key.
    fn columns<'a>(
        groups: &'a [KeyGroup],
        wide: f64,
        n: usize,
        font: f64,
        m: &mut dyn Measure,
    ) -> ((f64, f64), Vec<Vec<KeyLine<'a>>>) {
        let widest = groups
            .iter()
            .flat_map(|g| &g.1)
            .map(|(k, _)| m.size(k, font).width)
            .fold(0.0, f64::max);
        let each = (wide - column_gap(font) * (n - 1) as f64) / n as f64;
        let keys = widest.min(0.42 * each).ceil();
        (
            (keys, each),
            blocks(groups, keys, each - keys - key_gap(font), font, m),
        )
    }
}

/// Wrapped texts in the fewest columns that hold all keys; `None` if no number of columns does.
fn wrapped<'a>(
    groups: &'a [KeyGroup],
    room: (f64, f64),
    font: f64,
    m: &mut dyn Measure,
) -> Option<Arrangement<'a>> {
    let Wrap { most, lines } = Wrap::new(room, font);
    (1..=most).find_map(|n| {
        let (widths, blocks) = Wrap::columns(groups, room.0, n, font, m);
        let all = blocks.iter().map(Vec::len).sum::<usize>();
        let columns = (all.div_ceil(n)..=lines)
            .map(|per| packed(&blocks, |_| per, n))
            .find(|p| p.1 == 0)?
            .0;
        Some(Arrangement {
            font,
            leading: LEADING[1],
            widths: vec![widths; columns.len()],
            columns,
        })
    })
}

/// As many keys as fit; the last line gives the number of those left out.
fn cut<'a>(groups: &'a [KeyGroup], room: (f64, f64), font: f64, m: &mut dyn Measure) -> Arrangement<'a> {
    let Wrap { most, lines } = Wrap::new(room, font);
    let (widths, blocks) = Wrap::columns(groups, room.0, most, font, m);
    let (mut columns, left) = packed(&blocks, |c| if c + 1 == most { lines - 1 } else { lines }, most);
    columns
        .last_mut()
        .into_iter()
        .for_each(|c| c.push(KeyLine::Left(left)));
    Arrangement {
        font,
        leading: LEADING[1],
        widths: vec![widths; columns.len()],
        columns,
    }
}

/// The lines of each key, with the group's name before its first key: what must stay together.
fn blocks<'a>(
    groups: &'a [KeyGroup],
    keys: f64,
    whats: f64,
    font: f64,
    m: &mut dyn Measure,
) -> Vec<Vec<KeyLine<'a>>> {
    let mut out = Vec::new();
    for (name, rows) in groups {
        let mut head = vec![KeyLine::Group(name)];
        for (key, what) in rows {
            let (k, w) = (wrap(key, font, keys, m), wrap(what, font, whats, m));
            let part = |of: &[String], i: usize| of.get(i).cloned().unwrap_or_default();
            head.extend((0..k.len().max(w.len())).map(|i| KeyLine::Key(part(&k, i), part(&w, i))));
            out.push(std::mem::take(&mut head));
        }
    }
    out
}

/// Blocks one after the other in at most `n` columns of `lines` lines each; and the number of blocks left
/// out.
fn packed<'a>(
    blocks: &[Vec<KeyLine<'a>>],
    lines: impl Fn(usize) -> usize,
    n: usize,
) -> (Vec<Vec<KeyLine<'a>>>, usize) {
    let mut columns: Vec<Vec<KeyLine<'a>>> = vec![Vec::new()];
    for (i, block) in blocks.iter().enumerate() {
        let fits = |columns: &[Vec<KeyLine<'a>>]| {
            columns.last().map_or(0, Vec::len) + block.len() <= lines(columns.len() - 1)
        };
        while !fits(&columns) {
            if columns.len() == n {
                return (columns, blocks.len() - i);
            }
            columns.push(Vec::new());
        }
        columns
            .last_mut()
            .into_iter()
            .for_each(|c| c.extend_from_slice(block));
    }
    (columns, 0)
}

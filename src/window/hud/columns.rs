//! Columns of the list of keys: groups of keys and their meanings, in as many columns as the window needs.

use gridscope_core::text::Measure;
use gridscope_draw::layout::wrap;

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
pub(super) const FOOT: f64 = 2.0;

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

pub(super) fn column_gap(font: f64) -> f64 {
    2.6 * font
}

pub(super) fn key_gap(font: f64) -> f64 {
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

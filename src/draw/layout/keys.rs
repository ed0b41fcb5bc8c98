//! Keys under bodies: of texts that are numbered because they are too long, and of contours.

use super::Label;
use super::flow::wrap;
use super::page::Page;
use crate::resolve::Frame;
use gridscope_core::geom::PxRect;
use gridscope_core::text::{Measure, numbered, shorten};
use std::collections::HashSet;

/// The most lines of a key.
const MOST_LINES: usize = 16;
/// The most columns of a key, and the least lines of each.
const MOST_COLUMNS: usize = 12;
const LEAST_LINES: usize = 2;
/// The em between columns.
const COLUMN_GAP: f64 = 2.0;
/// The most characters of an entry.
const LONGEST: usize = 400;

/// A text in lines, within its words where these have no place to break: a key cuts nothing.
fn broken(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> Vec<String> {
    let lines = wrap(text, font, width, m);
    let dots = |text: &str| text.matches('…').count();
    if lines.iter().map(|l| dots(l)).sum::<usize>() == dots(text) {
        return lines;
    }
    let chars: Vec<char> = text.chars().collect();
    let share = width / m.size(text, font).width;
    let most = ((0.9 * share * chars.len() as f64) as usize).max(1);
    chars.chunks(most).map(|line| line.iter().collect()).collect()
}

/// The key of numbered texts: columns of lines.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelKey {
    pub columns: Vec<Vec<String>>,
    /// Pixels from a column to the next.
    pub advance: f64,
}

impl LabelKey {
    /// The lines of the longest column.
    pub(super) fn lines(&self) -> usize {
        self.columns.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// The numbered titles of panels, and of columns and rows of panels, each with the whole title.
pub(super) fn numbered_titles(frame: &Frame, page: &Page) -> impl Iterator<Item = (String, String)> {
    let lines = page.panel_titles.iter().chain(&page.column_titles).chain(&page.row_titles);
    let shown: Vec<String> = lines.map(|lines| lines.join(" ")).collect();
    let sides = frame.facets.iter().flat_map(|f| f.columns.iter().chain(&f.rows));
    let whole = frame.panels.iter().map(|p| &p.title).chain(sides);
    numbered(shown.iter().map(String::as_str).zip(whole.map(String::as_str))).into_iter()
}

/// Finds the numbered texts of a page and breaks its key into lines.
pub(super) fn label_key(frame: &Frame, page: &mut Page, m: &mut dyn Measure) {
    page.key = LabelKey::default();
    // The labels of a window's part change as it moves.
    if frame.viewed {
        return;
    }
    let mut entries: Vec<(String, String)> = numbered_titles(frame, page).collect();
    for p in &page.panels {
        let sides = [(p.shows_x, &p.x), (p.shows_y, &p.y)];
        let shown = sides.into_iter().filter(|s| s.0).flat_map(|s| &s.1.numbered);
        entries.extend(shown.cloned());
    }
    // In the order of panels and cells, each once.
    let mut known = HashSet::new();
    entries.retain(|entry| known.insert(entry.clone()));
    let (font, width) = (page.fonts.note, page.width - 2.0 * page.margin);
    if let Some(key) = in_columns(&entries, font, width, m) {
        page.key = key;
        return;
    }
    let mut lines: Vec<String> = Vec::new();
    for (k, (shown, whole)) in entries.iter().enumerate() {
        let entry = broken(&format!("{shown}: {}", shorten(whole, LONGEST)), font, width, m);
        if lines.len() + entry.len() > MOST_LINES {
            lines.push(format!("and {} more", entries.len() - k));
            break;
        }
        lines.extend(entry);
    }
    page.key = LabelKey { columns: vec![lines], advance: 0.0 };
}

/// The key of entries that are so short that several columns of them are side by side; none where it has one.
fn in_columns(entries: &[(String, String)], font: f64, width: f64, m: &mut dyn Measure) -> Option<LabelKey> {
    let text = |(shown, whole): &(String, String)| format!("{shown}: {}", shorten(whole, LONGEST));
    let mut texts: Vec<String> = entries.iter().take(MOST_LINES * MOST_COLUMNS).map(text).collect();
    let widest = texts.iter().map(|text| m.size(text, font).width).fold(0.0, f64::max);
    let advance = widest + COLUMN_GAP * font;
    let columns = ((width + COLUMN_GAP * font) / advance) as usize;
    let columns = columns.min(MOST_COLUMNS).min(texts.len() / LEAST_LINES);
    if columns < 2 {
        return None;
    }
    let rows = texts.len().div_ceil(columns).min(MOST_LINES);
    if entries.len() > rows * columns {
        texts.truncate(rows * columns - 1);
        texts.push(format!("and {} more", entries.len() - texts.len()));
    }
    Some(LabelKey { columns: texts.chunks(rows).map(<[String]>::to_vec).collect(), advance })
}

/// A line of the key of contours.
#[derive(Clone, Debug, Default)]
pub struct ContourKey {
    /// From left to right.
    pub entries: Vec<KeyEntry>,
}

/// An entry of such a line.
#[derive(Clone, Debug)]
pub struct KeyEntry {
    /// Which level, from the lowest; none: the word that the key begins with.
    pub level: Option<usize>,
    /// The sample of its line.
    pub rect: PxRect,
    /// Its text.
    pub label: Label,
    /// Pixels to the next entry.
    pub advance: f64,
}

impl ContourKey {
    /// The entries of levels that are drawn, moved together; none where no level of the line is.
    pub fn drawn(&self, is_drawn: impl Fn(usize) -> bool) -> Vec<KeyEntry> {
        let stays = |e: &&KeyEntry| e.level.is_none_or(&is_drawn);
        if !self.entries.iter().any(|e| e.level.is_some_and(&is_drawn)) {
            return Vec::new();
        }
        let left_out = self.entries.iter().filter(|e| !stays(e));
        let mut x = left_out.map(|e| e.advance).sum::<f64>() / 2.0;
        let mut out = Vec::new();
        for entry in &self.entries {
            if !stays(&entry) {
                x -= entry.advance;
                continue;
            }
            let mut entry = entry.clone();
            entry.rect.x += x.round() as i32;
            entry.label.at.x += x.round();
            out.push(entry);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::geom::Point;

    #[test]
    fn levels_that_are_not_drawn_leave_no_gap() {
        let entry = |i: usize| KeyEntry {
            level: i.checked_sub(1),
            rect: PxRect { x: 20 * i as i32, y: 0, w: 5, h: 5 },
            label: Label {
                text: format!("{i}"),
                font_size: 10.0,
                at: Point { x: 20.0 * i as f64 + 8.0, y: 5.0 },
                degrees: 0,
            },
            advance: 20.0,
        };
        let key = ContourKey { entries: (0..4).map(entry).collect() };
        let at = |is_drawn: fn(usize) -> bool| -> Vec<(i32, f64)> {
            let drawn = key.drawn(is_drawn);
            drawn.iter().map(|e| (e.rect.x, e.label.at.x)).collect()
        };
        assert_eq!(at(|_| true), [(0, 8.0), (20, 28.0), (40, 48.0), (60, 68.0)]);
        assert_eq!(at(|i| i != 0), [(10, 18.0), (30, 38.0), (50, 58.0)]);
        assert_eq!(at(|i| i == 1), [(20, 28.0), (40, 48.0)]);
        assert!(at(|_| false).is_empty());
    }
}

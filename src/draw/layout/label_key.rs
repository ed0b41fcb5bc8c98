//! The key of texts that are numbered because they are too long and differ in too much to be shortened otherwise.

use super::flow::wrap;
use super::page::Page;
use crate::resolve::Frame;
use gridscope_core::text::{Measure, numbered, shorten};

/// The most lines of a key.
const MOST_LINES: usize = 16;
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

/// The lines of the titles of panels, and of columns and rows of panels.
fn lines_of_titles(page: &Page) -> impl Iterator<Item = &Vec<String>> {
    page.panel_titles.iter().chain(&page.column_titles).chain(&page.row_titles)
}

/// Finds the numbered texts of a page and breaks its key into lines.
pub(super) fn label_key(frame: &Frame, page: &mut Page, m: &mut dyn Measure) {
    page.key.clear();
    // The labels of a window's part change as it moves.
    if frame.viewed {
        return;
    }
    let titles: Vec<String> = lines_of_titles(page).map(|lines| lines.join(" ")).collect();
    let whole = frame.panels.iter().map(|p| p.title.as_str());
    let sides = frame.facets.iter().flat_map(|f| f.columns.iter().chain(&f.rows));
    let whole = whole.chain(sides.map(String::as_str));
    let mut entries = numbered(titles.iter().map(String::as_str).zip(whole));
    for p in &page.panels {
        let sides = [(p.shows_x, &p.x), (p.shows_y, &p.y)];
        let shown = sides.into_iter().filter(|s| s.0).flat_map(|s| &s.1.numbered);
        entries.extend(shown.cloned());
    }
    entries.sort();
    entries.dedup();
    let (font, width) = (page.fonts.note, page.width - 2.0 * page.margin);
    let mut lines: Vec<String> = Vec::new();
    for (k, (shown, whole)) in entries.iter().enumerate() {
        let entry = broken(&format!("{shown}: {}", shorten(whole, LONGEST)), font, width, m);
        if lines.len() + entry.len() > MOST_LINES {
            lines.push(format!("and {} more", entries.len() - k));
            break;
        }
        lines.extend(entry);
    }
    page.key = lines;
}

//! The lines and the room of titles of rows and columns of panels: columns over the first row, rows at the right margin.

use super::flow::wrap;
use super::measure::block;
use super::page::Page;
use super::panel_titles::tell_apart;
use crate::resolve::TrackSide;
use gridscope_core::text::Measure;

/// The em between a title and what is under it.
const TITLE_GAP: f64 = 0.45;

/// The em between a body and the title of its row of panels.
pub(super) const ROW_TITLE_GAP: f64 = 0.45;

/// Computes the room over bodies: titles of panels, and over the first row those of columns.
pub(super) fn title_rooms(page: &mut Page, font: f64) {
    let most = |titles: &mut dyn Iterator<Item = &Vec<String>>| titles.map(Vec::len).max().unwrap_or(0);
    page.above = block(most(&mut page.panel_titles.iter()), TITLE_GAP, font)
        + page.tracks.room[TrackSide::Top.index()];
    page.above_first = page.above + block(most(&mut page.column_titles.iter()), TITLE_GAP, font);
}

/// The least height that the title of a row of panels has beside its bodies.
pub(super) fn lowest_row(page: &Page) -> f64 {
    let room = |row| page.above_of(row) + page.tallest_body(row);
    (0..page.rows()).map(room).fold(f64::MAX, f64::min)
}

/// Breaks an upright text into lines: text, free pixels, share of what the figure grows by.
type Upright<'a> = dyn FnMut(&str, f64, f64, &mut dyn Measure) -> Vec<String> + 'a;

/// The lines of the titles of rows of panels, which have `room` pixels each, and whether they are level: upright titles that
/// would take several lines are not turned where that takes less room.
pub(super) fn row_titles(
    titles: &[String],
    room: f64,
    font: f64,
    upright: &mut Upright<'_>,
    m: &mut dyn Measure,
) -> (Vec<Vec<String>>, bool) {
    let longest = titles.iter().map(|t| m.size(t, font).width).fold(0.0, f64::max);
    if longest > room {
        let turned = titles.iter().map(|t| wrap(t, font, room, m).len()).max().unwrap_or(0);
        if longest < block(turned, 0.0, font) {
            return (titles.iter().map(|t| vec![t.clone()]).collect(), true);
        }
    }
    let mut all: Vec<Vec<String>> = titles.iter().map(|t| upright(t, room, 1.0, m)).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    tell_apart(&mut all, &titles, room, font, m);
    (all, false)
}

impl Page {
    /// Sets the lines of the titles of rows of panels, and computes their width.
    pub(super) fn set_row_titles(&mut self, lines: Vec<Vec<String>>, level: bool, m: &mut dyn Measure) {
        let font = self.fonts.axis;
        self.row_titles_depth = if level {
            let widths = lines.iter().flatten().map(|line| m.size(line, font).width);
            ROW_TITLE_GAP * font + widths.fold(0.0, f64::max)
        } else {
            block(lines.iter().map(Vec::len).max().unwrap_or(0), ROW_TITLE_GAP, font)
        };
        (self.row_titles, self.level_row_titles) = (lines, level);
    }
}

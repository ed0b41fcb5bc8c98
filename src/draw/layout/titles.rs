//! Titles: of the figure, of panels, and of rows and columns of panels, wrapped to the room that they have.

use super::flow::{LABEL_LINES, pieces, words, wrap};
use super::measure::{BAR, Fonts, LEADING, bar_each, block, common_title};
use super::page::{Page, PanelPage};
use super::plan::Sheet;
use crate::resolve::{BarFrame, Frame, TrackSide, with_unit};
use gridscope_core::figure::BarPlace;
use gridscope_core::geom::Rect;
use gridscope_core::text::{CAP_HEIGHT, Measure, distinct};
use std::collections::HashMap;

/// Wraps all titles to the room that they have. A figure of automatic height grows for its longest upright title.
pub(super) fn titles(frame: &Frame, page: &mut Page, each: bool, m: &mut dyn Measure) {
    let page_width = page.width;
    let narrowest = (0..page.columns).map(|c| page.widest_body(c)).fold(f64::MAX, f64::min);
    let (body, reach) = (narrowest, page.reach());
    panel_titles(frame, page, m);
    let common = common_title(frame);
    // Of bars with a common title, the numbers of each still have a unit.
    let own = |bar: &'_ BarFrame| if common.is_some() { "" } else { bar.label.as_str() }.to_owned();
    let under: Vec<String> = frame
        .bars
        .iter()
        .filter(|b| each && b.place == BarPlace::Bottom)
        .map(|b| b.longest_title(&b.label))
        .collect();
    page.fonts.axis = for_words(
        under.iter().map(String::as_str),
        Fonts::of(frame).axis,
        page.fonts.note,
        body + 2.0 * reach,
        m,
    );
    let (axis, panel) = (page.fonts.axis, page.fonts.panel);
    title_rooms(page, panel);
    page.x_title = wrap(&frame.x.title, axis, page.x_title_room(), m);
    let rows = page.rows() as f64;
    let pad = std::mem::take(&mut page.pad);
    let beside = lowest_row(page);
    let (all, row) =
        (page.upright_room(), (0..page.rows()).map(|r| page.row_height(r)).fold(f64::MAX, f64::min));
    let grown = (page_width / 3.0).min(0.6 * page.tallest / rows);
    let mut need = 0.0f64;
    let mut upright = |text: &str, free: f64, share: f64, m: &mut dyn Measure| {
        let whole = text.split('\n').map(|l| m.size(l, axis).width).fold(0.0, f64::max);
        // The figure grows for at most a third of its width, and not over a page; longer titles are wrapped.
        let most =
            if frame.height.is_none() { free.max(whole.min(grown * share)) } else { free + pad * share };
        let lines = wrap(text, axis, most, m);
        let longest = lines.iter().map(|l| m.size(l, axis).width).fold(0.0, f64::max);
        need = need.max((longest - free) / share);
        lines
    };
    page.y_title = upright(&frame.y.title, all, rows, m);
    if let Some(facets) = &frame.facets {
        let (lines, level) = row_titles(&facets.rows, beside, axis, &mut upright, m);
        page.set_row_titles(lines, level, m);
    }
    let lengths = page.y_title.iter().map(|l| m.size(l, axis).width);
    page.y_title_length = lengths.fold(0.0, f64::max);
    for (texts, bar) in page.bars.iter_mut().zip(&frame.bars) {
        texts.label = match bar.place {
            place if place.is_right() && each => upright(&own(bar), row, 1.0, m),
            place if place.is_right() => upright(&bar.label, all, rows, m),
            _ if each => under_bar(bar, &bar.label, axis, body + 2.0 * reach, m),
            _ => under_bar(bar, &bar.label, axis, page_width - 2.0 * page.margin, m),
        };
    }
    page.bar_title = match common {
        Some(title) => upright(title, all, rows, m),
        None => Vec::new(),
    };
    page.pad = if frame.height.is_none() { need.max(0.0).ceil() } else { 0.0 };
}

/// The lines of the title under a bar with this label, as many as with any unit.
fn under_bar(bar: &BarFrame, label: &str, font: f64, most: f64, m: &mut dyn Measure) -> Vec<String> {
    let reserved = wrap(&bar.longest_title(label), font, most, m).len();
    let mut lines = wrap(&with_unit(label, &bar.unit), font, most, m);
    lines.resize(reserved, String::new());
    lines
}

/// The distance of a title to the middle of the gap between two slots, as a share of its font size.
const APART: f64 = 0.3;

/// The least size of titles that are smaller so that all have one line, as a share.
const SMALLER: f64 = 0.88;

/// The most that a title of one line is wider than the body that it is not centred over.
const OVER_BODY: f64 = 1.25;

impl Page {
    /// How far titles over the bodies of a column may extend beyond their sides.
    pub(super) fn title_reach(&self, frame: &Frame, column: usize) -> (f64, f64) {
        let f = self.fonts.tick;
        let gap = (self.gap.0 / 2.0 - APART * self.fonts.panel).max(0.0);
        // Labels beside the first row are under the title unless the row is very low.
        // The title of the y axis is beyond the labels.
        let inset = if column == 0 { self.inset } else { 0.0 };
        let (least, room) = (0.45 * f, self.left[column] - inset);
        let is_free = self.in_column(column).all(|p| self.is_below_title(p));
        let left = match column {
            0 if is_free => room,
            0 => room.min(least),
            _ if is_free => room + gap,
            _ if room > 0.0 => room.min(least),
            _ => gap,
        };
        let is_last = column + 1 == self.columns;
        // Beside the last panel of a row that is not full, there are the labels under the panel above.
        let is_end = self.places.ends_row(column);
        let right = match () {
            // A panel's own bar is under its title. The labels of the bar begin at its upper end.
            () if self.right_bars && bar_each(frame) => (0.9 + BAR) * f,
            // A bar of all panels is beside the titles of lower rows.
            () if self.right_bars && is_last => least,
            () if is_last => self.right[column] + self.bars_right,
            () if is_end => gap.min(self.reach()),
            () => gap,
        };
        (left, right)
    }

    /// Whether the labels beside a panel are lower than its title.
    fn is_below_title(&self, p: &PanelPage) -> bool {
        if !p.shows_y {
            return true;
        }
        let font = p.y.font;
        let top = |at: f64, leading: f64| at + (CAP_HEIGHT / 2.0 - 0.8 - leading / 2.0) * font;
        let title = -0.33 * self.fonts.panel;
        let mut ticks = p.y.ticks.iter().map(|t| top(t.at, t.leading()));
        ticks.all(|top| top >= title) && (p.y_headers.is_empty() || !p.y.ticks.is_empty())
    }
}

/// Wraps the titles of all panels and of columns of panels to the widths of their slots; titles that differ still do.
pub(super) fn panel_titles(frame: &Frame, page: &mut Page, m: &mut dyn Measure) {
    let room = |c: usize| {
        let (left, right) = page.title_reach(frame, c);
        page.widest_body(c) + left + right
    };
    let rooms: Vec<f64> = (0..page.columns).map(room).collect();
    let least = rooms.iter().copied().fold(f64::MAX, f64::min);
    let columns: &[String] = frame.facets.as_ref().map_or(&[], |f| &f.columns);
    let of_panels = || frame.panels.iter().map(|p| p.title.as_str());
    page.fonts.panel = for_words(
        of_panels().chain(columns.iter().map(String::as_str)),
        Fonts::of(frame).panel,
        page.fonts.note,
        least,
        m,
    );
    let titles: Vec<(&str, usize)> =
        of_panels().enumerate().map(|(i, title)| (title, page.places.column(i))).collect();
    page.panel_titles = wrapped(&titles, &rooms, frame, page, m);
    if are_lists(&titles) && page.panel_titles.iter().any(|lines| lines.len() > 1) {
        all_or_none(&titles, &rooms, frame, page, m);
    }
    // Numbers are as short as titles become, and no wider than their slots.
    let font = page.fonts.panel;
    let widest = page.panel_titles.iter().flatten().map(|line| m.size(line, font).width).fold(0.0, f64::max);
    if widest > least {
        page.fonts.panel = (0.99 * font * least / widest).clamp(frame.least_font.min(font), font);
    }
    let titles: Vec<(&str, usize)> = columns.iter().map(String::as_str).zip(0..).collect();
    page.column_titles = wrapped(&titles, &rooms, frame, page, m);
}

/// Whether titles are keys of several columns each, as `adamw, seed = 0`, or of as many words each: `layer_0 head_3`.
fn are_lists(titles: &[(&str, usize)]) -> bool {
    let are_alike = |parts: fn(&str) -> usize| {
        let first = titles.first().map_or(0, |(title, _)| parts(title));
        first > 1 && titles.iter().all(|(title, _)| parts(title) == first)
    };
    are_alike(|title| title.split(", ").count()) || are_alike(|title| words(title).len())
}

/// Writes titles of one form in one line each, slightly smaller where that is enough, or breaks all of them.
fn all_or_none(titles: &[(&str, usize)], rooms: &[f64], frame: &Frame, page: &mut Page, m: &mut dyn Measure) {
    let font = page.fonts.panel;
    let shares = titles.iter().map(|(title, c)| {
        let room = rooms[*c].min(OVER_BODY * page.widest_body(*c));
        room / m.size(title, font).width
    });
    let share = 0.995 * shares.fold(f64::MAX, f64::min);
    if share >= SMALLER && share * font >= page.fonts.note {
        page.fonts.panel = (share * font).min(font);
        page.panel_titles = wrapped(titles, rooms, frame, page, m);
        if page.panel_titles.iter().all(|lines| lines.len() < 2) {
            return;
        }
        page.fonts.panel = font;
        page.panel_titles = wrapped(titles, rooms, frame, page, m);
    }
    for (lines, (title, _)) in page.panel_titles.iter_mut().zip(titles) {
        if let [whole] = &lines[..]
            && whole == title
        {
            let narrower = 0.99 * m.size(title, font).width;
            let broken = wrap(title, font, narrower, m);
            if broken.len() == 2 && !is_cut(&broken, title) {
                *lines = broken;
            }
        }
    }
}

/// The lines of titles, each over the bodies of a column with this room.
fn wrapped(
    titles: &[(&str, usize)],
    rooms: &[f64],
    frame: &Frame,
    page: &Page,
    m: &mut dyn Measure,
) -> Vec<Vec<String>> {
    let font = page.fonts.panel;
    // Longer titles are centred over their panels unless that takes too many lines.
    let centred = |c: usize| {
        let (left, right) = page.title_reach(frame, c);
        page.widest_body(c) + 2.0 * left.min(right)
    };
    let mut lines = |&(title, c): &(&str, usize)| {
        let wide = wrap(title, font, rooms[c], m);
        let body = page.widest_body(c);
        if wide.len() < 2 && wide.iter().all(|l| m.size(l, font).width <= OVER_BODY * body) {
            return wide;
        }
        let narrow = wrap(title, font, centred(c), m);
        if narrow.len() <= LABEL_LINES && !is_cut(&narrow, title) { narrow } else { wide }
    };
    let mut all: Vec<Vec<String>> = titles.iter().map(&mut lines).collect();
    let titles: Vec<&str> = titles.iter().map(|t| t.0).collect();
    let least = rooms.iter().copied().fold(f64::MAX, f64::min);
    tell_apart(&mut all, &titles, least, font, m);
    all
}

/// Shortens the cut ones of these titles to `room` pixels so that they differ, where some that differ have equal lines.
pub(super) fn tell_apart(
    all: &mut [Vec<String>],
    titles: &[&str],
    room: f64,
    font: f64,
    m: &mut dyn Measure,
) {
    if are_confused(all, titles) {
        let short = distinct(titles, room, &mut |t| m.size(t, font).width);
        // Titles of which nothing was cut are as they are.
        for ((lines, title), short) in all.iter_mut().zip(titles).zip(short) {
            if is_cut(lines, title) {
                *lines = vec![short];
            }
        }
    }
}

/// Whether something was cut out of a title.
pub(super) fn is_cut(lines: &[String], title: &str) -> bool {
    lines.iter().map(|l| l.matches('…').count()).sum::<usize>() > title.matches('…').count()
}

/// Whether two titles that differ have equal lines.
fn are_confused(lines: &[Vec<String>], titles: &[&str]) -> bool {
    let mut met: HashMap<&[String], &str> = HashMap::new();
    let mut pairs = lines.iter().zip(titles);
    pairs.any(|(lines, title)| *met.entry(lines).or_insert(title) != *title)
}

/// The font size for titles: smaller if a word, or else a part of one, would be shortened otherwise.
fn for_words<'t>(
    texts: impl Iterator<Item = &'t str> + Clone,
    font: f64,
    least: f64,
    room: f64,
    m: &mut dyn Measure,
) -> f64 {
    let mut widest = |of: fn(&'t str) -> Vec<&'t str>| {
        let parts = texts.clone().flat_map(|t| t.split('\n')).flat_map(words).flat_map(of);
        parts.map(|w| m.size(w, font).width).fold(0.0, f64::max)
    };
    // Slightly smaller, because widths are not exactly proportional to sizes.
    let smaller = |longest: f64| 0.995 * font * room / longest;
    let word = widest(|w| vec![w]);
    if word <= room {
        return font;
    }
    if smaller(word) >= least {
        return smaller(word);
    }
    let part = widest(pieces);
    if part <= room {
        return font;
    }
    smaller(part).max(least).min(font)
}

/// The em under a title.
const TITLE_GAP: f64 = 0.45;

/// The em between a body and the title of its row of panels.
const ROW_TITLE_GAP: f64 = 0.45;

/// Computes the room over bodies: titles of panels, and over the first row those of columns.
fn title_rooms(page: &mut Page, font: f64) {
    let most = |titles: &mut dyn Iterator<Item = &Vec<String>>| titles.map(Vec::len).max().unwrap_or(0);
    page.above = block(most(&mut page.panel_titles.iter()), TITLE_GAP, font)
        + page.tracks.room[TrackSide::Top.index()];
    page.above_first = page.above + block(most(&mut page.column_titles.iter()), TITLE_GAP, font);
}

/// The least height that the title of a row of panels has beside its bodies.
fn lowest_row(page: &Page) -> f64 {
    let room = |row| page.above_of(row) + page.tallest_body(row);
    (0..page.rows()).map(room).fold(f64::MAX, f64::min)
}

/// Breaks an upright text into lines: text, free pixels, share of the figure's growth.
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
    fn set_row_titles(&mut self, lines: Vec<Vec<String>>, level: bool, m: &mut dyn Measure) {
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

impl Sheet<'_> {
    /// Places the title of a column of panels over the bodies of the first row, which are at `x` and below `top`.
    pub(super) fn column_title(&mut self, column: usize, x: f64, top: f64) {
        let p = self.page;
        let Some(lines) = p.column_titles.get(column) else {
            return;
        };
        let font = p.fonts.panel;
        let bottom = top + p.above_first - p.above + p.pad / 2.0;
        let first = bottom - (0.55 + lines.len().saturating_sub(1) as f64 * LEADING) * font;
        let (inner, (left, right)) = (self.inner(), p.title_reach(self.frame, column));
        let wide = p.widest_body(column);
        let over = ((x - left).max(inner.0), (x + wide + right).min(inner.1));
        self.centered(lines, font, x + wide / 2.0, first, over);
    }

    /// Places the title of a row of panels right of its bodies, which end at `right`; the row begins at `top`.
    pub(super) fn row_title(&mut self, row: usize, right: f64, top: f64) {
        let p = self.page;
        let Some(lines) = p.row_titles.get(row) else {
            return;
        };
        let font = p.fonts.axis;
        let body = p.tallest_body(row);
        let middle = top + p.above_of(row) + p.pad / 2.0 + body / 2.0;
        let along = Rect::new(right, top, 0.0, p.above_of(row) + p.pad + body);
        let start = right + p.right[p.columns - 1] - p.row_titles_depth;
        if p.level_row_titles {
            let y = middle + CAP_HEIGHT * font / 2.0;
            lines.iter().for_each(|line| self.text(line, font, start + ROW_TITLE_GAP * font, y, 0));
            return;
        }
        for (i, line) in lines.iter().enumerate() {
            let y = self.upright(line, font, middle, &along);
            let x = start + (ROW_TITLE_GAP + 0.8 + i as f64 * LEADING) * font;
            self.text(line, font, x, y, 90);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::*;
    use crate::resolve::{Overrides, frame};
    use gridscope_core::figure::Figure;
    use gridscope_core::grid::{Axis, Grid, Values};
    use gridscope_core::text::Fake;

    /// The lines of the titles of panels of these names, and the width of a body.
    fn titles(names: &[String], columns: u32) -> (Vec<Vec<String>>, f64) {
        let grid = |name: &String| {
            let rows = Axis::category("", ["a long name of a row".to_owned(), "b".to_owned()].into());
            let mut grid = Grid::new(rows, Axis::index("", 2), Values::F64(vec![1.0; 4]), &[]).unwrap();
            grid.set_name(name.clone());
            grid
        };
        let grids: Vec<Grid> = names.iter().map(grid).collect();
        let mut figure = Figure { columns: Some(columns), ..Figure::default() };
        figure.size.width = Some("6.5in".parse().unwrap());
        let frame = frame(&figure, &Overrides::default(), &grids).unwrap();
        let plan = Plan::new(&frame, &mut Fake).unwrap();
        (plan.0.panel_titles, f64::from(plan.0.slot.0))
    }

    #[test]
    fn titles_that_differ_are_never_equal() {
        let name = |i: usize| format!("{}{i}{}", "macroaverage".repeat(6), "ofallclasses".repeat(6));
        let names: Vec<String> = (0..12).map(name).collect();
        let (shown, _) = titles(&names, 4);
        assert!(!are_confused(&shown, &names.iter().map(String::as_str).collect::<Vec<_>>()), "{shown:?}");
        assert!((0..12).all(|i| shown[i].concat().contains(&format!("e{i}o"))), "{shown:?}");
    }

    #[test]
    fn titles_of_several_keys_have_one_number_of_lines() {
        for n in 1..40 {
            let key = |i: usize| ["a".repeat(n), "b".repeat(n / 2 + 1)][i % 2].clone();
            let names: Vec<String> = (0..8).map(|i| format!("{}, seed = {i}", key(i))).collect();
            let (shown, _) = titles(&names, 4);
            let lines = |i: usize| shown[i].len();
            assert!(shown.iter().all(|one| one.len() == lines(0)) || lines(0) > 2, "{shown:?}");
        }
    }

    #[test]
    fn titles_are_as_wide_as_their_slots_and_wrapped_before_they_are_cut() {
        let names = ["macro_average_of_f1_over_all_classes", "p"].map(str::to_owned);
        let (shown, body) = titles(&names, 2);
        assert_eq!(shown[0].concat(), names[0]);
        // Three characters more than the body has room for, at 9.9 pt and 200 dpi.
        let wide = ["a ".repeat((body / (1.2 * 27.5)) as usize + 2), "p".to_owned()];
        assert_eq!(titles(&wide, 2).0[0].len(), 1);
    }

    #[test]
    fn fonts_become_smaller_before_words_are_shortened() {
        let font = |room: f64| for_words(["a few", "characters"].into_iter(), 10.0, 8.0, room, &mut Fake);
        assert_eq!((font(60.0), font(20.0)), (10.0, 8.0));
        let smaller = font(54.0);
        assert!(smaller < 9.0 && Fake.size("characters", smaller).width <= 54.0);
        let parts = for_words(["security_studies"].into_iter(), 10.0, 8.0, 60.0, &mut Fake);
        assert_eq!(parts, 10.0);
    }
}

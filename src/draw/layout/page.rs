//! The sizes of a page: its grid of panels, and the room around them for labels, tracks and bars.

use super::beside::Tracks;
use super::keys::LabelKey;
use super::measure::{BAR, BarTexts, Entry, Fonts, LEADING, Level, bar_height, bar_width, block, tick_gap};
use super::places::{Places, Shapes, Sharing};
use super::tick_set::TickSet;
use crate::resolve::{Frame, TrackSide};
use gridscope_core::view::EdgeTable;
use std::sync::Arc;

/// The em between bars and the title that they have in common.
pub(super) const BAR_TITLE_GAP: f64 = 0.4;

/// The grid of panels of a page and the room around each, in pixels.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub fonts: Fonts,
    pub columns: usize,
    /// Which panel is where.
    pub places: Arc<Places>,
    pub width: f64,
    pub height: f64,
    /// The most of an automatic height that readable text allows.
    pub tallest: f64,
    pub margin: f64,
    /// Lines of the figure's title.
    pub title: Vec<String>,
    /// Lines of the user's note, and empty ones that are reserved.
    pub notes: Vec<String>,
    pub legend: Vec<Vec<Entry>>,
    /// Lines that the legend has room for.
    pub legend_lines: usize,
    /// The key of numbered texts, and the room for it.
    pub key: LabelKey,
    pub key_room: f64,
    /// Width and height of the largest body.
    pub slot: (u32, u32),
    pub panels: Vec<PanelPage>,
    /// The room of the tracks beside bodies.
    pub tracks: Tracks,
    /// Which of them have equal axes.
    pub sharing: Arc<Sharing>,
    /// Their numbers of cells.
    pub shapes: Arc<Shapes>,
    /// Room left of the bodies of each column of panels: labels, group headers, tracks.
    pub left: Vec<f64>,
    /// Room right of the bodies of each column of panels: tracks, own bars, overhanging labels.
    pub right: Vec<f64>,
    /// Room over each body: its title, tracks.
    pub above: f64,
    /// The same over bodies of the first row, with the titles of columns.
    pub above_first: f64,
    /// Room under each body of the last row: labels, headers, tracks, its own bar.
    pub below: f64,
    /// The same under bodies with another panel below.
    pub below_inner: f64,
    pub gap: (f64, f64),
    /// Lines of the axis titles.
    pub y_title: Vec<String>,
    pub x_title: Vec<String>,
    /// Pixels of the longest line of the y axis' title.
    pub y_title_length: f64,
    /// Pixels by which that title is further right than the room of its axis' labels begins.
    pub inset: f64,
    /// Lines of each panel's title.
    pub panel_titles: Vec<Vec<String>>,
    /// Lines of the titles of columns of panels, over the first row.
    pub column_titles: Vec<Vec<String>>,
    /// Lines of the titles of rows of panels, at the right margin.
    pub row_titles: Vec<Vec<String>>,
    /// They are not turned.
    pub level_row_titles: bool,
    /// Their width, with the gap before them.
    pub row_titles_depth: f64,
    /// Texts of each scale's bar.
    pub bars: Vec<BarTexts>,
    /// Lines of the title that all bars have in common.
    pub bar_title: Vec<String>,
    /// Extra height of each row of panels, for long upright titles.
    pub pad: f64,
    pub bars_right: f64,
    pub bars_below: f64,
    /// Height of the bar under each body, if each has one.
    pub own_bar: f64,
    /// Whether there are bars at the right, of all bodies or of each.
    pub right_bars: bool,
    /// Turned labels are upright.
    pub steep: bool,
    /// The part of the gap between bodies that tick labels need.
    pub overhang: f64,
}

/// The tables and labels of a panel.
#[derive(Clone, Debug)]
pub(super) struct PanelPage {
    pub columns: EdgeTable,
    pub rows: EdgeTable,
    pub x: TickSet,
    pub y: TickSet,
    /// The outer levels, from the outermost.
    pub x_headers: Vec<Level>,
    pub y_headers: Vec<Level>,
    pub shows_x: bool,
    pub shows_y: bool,
    /// The columns, the rows have other pixels than those that labels were chosen for.
    pub resized: [bool; 2],
}

impl Page {
    pub(super) fn rows(&self) -> usize {
        self.places.rows
    }

    /// Height of the title's block.
    pub(super) fn title_height(&self) -> f64 {
        if self.title.is_empty() {
            0.0
        } else {
            self.title.len() as f64 * LEADING * self.fonts.title + 0.5 * self.fonts.tick
        }
    }

    pub(super) fn legend_height(&self) -> f64 {
        match self.legend_lines {
            0 => 0.0,
            lines => (lines as f64 * 1.5 + 0.1) * self.fonts.tick,
        }
    }

    fn notes_height(&self) -> f64 {
        self.lines_height(self.notes.len())
    }

    /// Height of lines in the font of notes.
    pub(super) fn lines_height(&self, lines: usize) -> f64 {
        if lines == 0 { 0.0 } else { lines as f64 * LEADING * self.fonts.note + 0.5 * self.fonts.tick }
    }

    /// Width of everything but bodies.
    pub(super) fn around_x(&self) -> f64 {
        let margins = self.margin + self.right_margin();
        let rooms: f64 = self.left.iter().chain(&self.right).sum();
        margins + self.y_depth() + rooms + self.gap.0 * (self.columns as f64 - 1.0) + self.bars_right
    }

    /// Height of everything but bodies.
    pub(super) fn around_y(&self) -> f64 {
        let r = self.rows() as f64;
        2.0 * self.margin
            + self.title_height()
            + self.above_first
            + self.above * (r - 1.0)
            + self.pad * r
            + self.below
            + self.below_inner * (r - 1.0)
            + self.gap.1 * (r - 1.0)
            + self.x_depth()
            + self.bars_below
            + self.legend_height()
            + self.key_room
            + self.notes_height()
    }

    /// The number of columns of panels that have row labels.
    pub(super) fn labelled_columns(&self) -> usize {
        let labelled = |column: &usize| self.in_column(*column).any(|p| p.shows_y);
        (0..self.columns).filter(labelled).count().max(1)
    }

    /// The number of rows of panels that have column labels.
    pub(super) fn labelled_rows(&self) -> usize {
        let labelled = |row: &usize| self.places.in_row(*row).any(|i| self.panels[i].shows_x);
        (0..self.rows()).filter(labelled).count().max(1)
    }

    /// The panels of a column of panels.
    pub(super) fn in_column(&self, column: usize) -> impl Iterator<Item = &PanelPage> {
        self.places.in_column(column).map(|i| &self.panels[i])
    }

    /// The rooms that only grow in the last rounds of fitting.
    fn growing(&mut self) -> impl Iterator<Item = &mut f64> {
        let sides = self.left.iter_mut().chain(&mut self.right);
        sides.chain([
            &mut self.above,
            &mut self.above_first,
            &mut self.below,
            &mut self.below_inner,
            &mut self.gap.0,
            &mut self.pad,
            &mut self.bars_right,
            &mut self.bars_below,
            &mut self.key_room,
        ])
    }

    /// All sizes that rounds of fitting change, those that grow first; equal sizes end the rounds.
    pub(super) fn rooms(&mut self) -> Vec<f64> {
        let slot = (f64::from(self.slot.0), f64::from(self.slot.1));
        let lines = (self.y_depth(), self.x_depth(), self.notes.len() as f64);
        let mut rooms: Vec<f64> = self.growing().map(|room| *room).collect();
        rooms.extend([self.gap.1, self.own_bar, slot.0, slot.1, lines.0, lines.1, lines.2]);
        rooms
    }

    /// The rooms that another page may need larger.
    pub(super) fn surroundings(&mut self) -> Vec<f64> {
        self.growing().map(|room| *room).collect()
    }

    /// Grows each room to at least its size in the round before.
    pub(super) fn grow_to(&mut self, before: &[f64]) {
        self.growing().zip(before).for_each(|(now, then)| *now = now.max(*then));
    }

    /// Room over the bodies of a row.
    pub(super) fn above_of(&self, row: usize) -> f64 {
        if row == 0 { self.above_first } else { self.above }
    }

    /// Height of one row of panels without its gap.
    pub(super) fn row_height(&self, row: usize) -> f64 {
        let below = if row + 1 == self.rows() { self.below } else { self.below_inner };
        self.above_of(row) + self.pad + self.tallest_body(row) + below
    }

    /// Width of the y axis' title.
    pub(super) fn y_depth(&self) -> f64 {
        block(self.y_title.len(), 0.45, self.fonts.axis)
    }

    /// Height of the x axis' title.
    pub(super) fn x_depth(&self) -> f64 {
        block(self.x_title.len(), 0.35, self.fonts.axis)
    }

    /// The right margin. It is narrow beside bars, whose room for labels is seldom used up.
    fn right_margin(&self) -> f64 {
        if self.right_bars { 0.4 * self.margin } else { self.margin }
    }

    /// How far titles over and under a body may extend beyond its sides.
    pub(super) fn reach(&self) -> f64 {
        // Less than the distance from a body to its tick labels.
        (0.45 * (self.gap.0 - self.overhang)).clamp(0.0, 0.45 * self.fonts.tick)
    }

    /// The width of the widest bar beside a body of a column of panels that each have their own.
    fn widest_bar(&self, frame: &Frame, column: usize) -> f64 {
        let panels = self.places.in_column(column).map(|i| &frame.panels[i]);
        panels.map(|p| bar_width(frame, &self.fonts, p.scale, &self.bars[p.scale])).fold(0.0, f64::max)
    }

    /// The width of the widest body of a column of panels: their bars are beside it, one under the other.
    pub(super) fn widest_body(&self, column: usize) -> f64 {
        let widths = self.in_column(column).map(|p| p.columns.pixels());
        f64::from(widths.max().unwrap_or(0))
    }

    /// The height of the tallest body of a row of panels.
    pub(super) fn tallest_body(&self, row: usize) -> f64 {
        let heights = self.places.in_row(row).map(|i| self.panels[i].rows.pixels());
        f64::from(heights.max().unwrap_or(0))
    }

    /// The widths of the widest bodies of all columns of panels together.
    fn all_bodies(&self) -> f64 {
        (0..self.columns).map(|column| self.widest_body(column)).sum()
    }

    /// Height of all rows of panels, without the x axis' title.
    fn rows_height(&self) -> f64 {
        let r = self.rows();
        (0..r).map(|row| self.row_height(row)).sum::<f64>() + self.gap.1 * (r - 1) as f64
    }

    /// From the top of the first body to the end of the last.
    fn bodies_height(&self) -> f64 {
        self.rows_height() - self.above_first - self.below - self.pad
    }

    /// Whether the labels of the first column of panels are all below its last body.
    fn labels_below_all(&self) -> bool {
        let last = self.rows() - 1;
        let mut others = (0..last).filter_map(|row| self.places.at(row, 0));
        self.places.at(last, 0).is_some() && others.all(|i| !self.panels[i].shows_x)
    }

    /// The most pixels of the titles of the y axis and of shared bars.
    pub(super) fn upright_room(&self) -> f64 {
        self.rows_height() + self.x_depth() + self.bars_below
    }

    /// The most pixels of the title of the x axis: from the title of the y axis to those of bars.
    pub(super) fn x_title_room(&self) -> f64 {
        self.content_width() - self.margin - self.right_margin() - self.y_depth() - self.bars_right
            + self.beside_bars()
    }

    /// The part of the bars at the right that the title of the x axis may run under: gap and ramp.
    fn beside_bars(&self) -> f64 {
        if self.right_bars && self.bars_right > 0.0 && self.bar_title.is_empty() {
            (0.9 + BAR) * self.fonts.tick
        } else {
            0.0
        }
    }

    /// The height of the whole content.
    pub(super) fn content_height(&self) -> f64 {
        let bodies: f64 = (0..self.rows()).map(|row| self.tallest_body(row)).sum();
        self.around_y() + bodies
    }

    /// The width of the whole content.
    pub(super) fn content_width(&self) -> f64 {
        self.around_x() + self.all_bodies()
    }
}

/// Sizes of the room around bodies, in pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LeastRoom {
    /// The rooms of a page in its own order; empty: none is wanted.
    pub rooms: Vec<f64>,
    /// Lines of the legend.
    pub legend_lines: usize,
}

impl LeastRoom {
    /// Grows to the size of a page.
    pub(super) fn grow(&mut self, page: &mut Page) {
        let rooms = page.surroundings();
        self.rooms.resize(rooms.len(), 0.0);
        self.rooms.iter_mut().zip(rooms).for_each(|(least, room)| *least = least.max(room));
        self.legend_lines = self.legend_lines.max(page.legend_lines);
    }
}

/// Computes the room of the bars beside and under all bodies, or under each.
pub(super) fn bar_sizes(frame: &Frame, page: &mut Page, each: bool) {
    let width = |b: usize| bar_width(frame, &page.fonts, b, &page.bars[b]);
    let height = |b: usize| bar_height(frame, &page.fonts, b, &page.bars[b]);
    let all = 0..frame.bars.len();
    if each {
        page.own_bar = all.map(height).fold(0.0, f64::max);
        let title = block(page.bar_title.len(), BAR_TITLE_GAP, page.fonts.axis);
        (page.bars_right, page.bars_below) = (title, 0.0);
    } else {
        (page.bars_right, page.bars_below) = (all.clone().map(width).sum(), all.map(height).sum());
    }
}

/// Computes the room around bodies.
pub(super) fn surroundings(frame: &Frame, page: &mut Page, each: bool) {
    let f = page.fonts.tick;
    let track = |side: TrackSide| page.tracks.room[side.index()];
    let beyond_body = track(TrackSide::Right);
    let side = |p: &PanelPage| {
        let headers: f64 = p.y_headers.iter().map(|l| l.depth).sum();
        if p.y.ticks.is_empty() { headers } else { headers + p.y.width() + tick_gap(f) }
    };
    let under = |p: &PanelPage| {
        let headers: f64 = p.x_headers.iter().map(|l| l.depth).sum();
        if p.x.ticks.is_empty() { headers } else { headers + p.x.depth() + tick_gap(f) }
    };
    // The bodies of a column may all be narrower than a slot.
    let panels = page.panels.iter().enumerate();
    let over = panels
        .filter(|(_, p)| p.shows_x)
        .map(|(i, p)| p.x.overhang(page.widest_body(page.places.column(i))))
        .fold((0.0f64, 0.0f64), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let beside = |column: usize| {
        let labelled = page.in_column(column).filter(|p| p.shows_y);
        labelled.map(side).fold(0.0, f64::max) + track(TrackSide::Left)
    };
    let below =
        page.panels.iter().filter(|p| p.shows_x).map(under).fold(0.0, f64::max) + track(TrackSide::Bottom);
    let bar = page.own_bar;
    let bars: Vec<f64> =
        (0..page.columns).map(|c| if each { page.widest_bar(frame, c) } else { 0.0 }).collect();
    let barred = bars.iter().any(|b| *b > 0.0);
    let left = (0..page.columns).map(|c| beside(c).max(page.tracks.names));
    page.left = left.collect();
    // Labels that extend beyond the body are below the title of the y axis where that ends above them.
    let is_above = page.y_title_length <= page.bodies_height() && page.labels_below_all();
    let under_title = if is_above { page.y_depth() } else { 0.0 };
    page.inset = (over.0 - under_title - page.left[0]).max(0.0);
    page.left[0] += page.inset;
    if !is_above {
        page.inset = 0.0;
    }
    page.right = bars.iter().map(|bar| bar + beyond_body).collect();
    if page.columns == 1 && !barred {
        page.right[0] = over.1.max(beyond_body);
    }
    // An axis title must not touch the lowest label of the other axis.
    page.below = below.max(0.4 * f) + bar;
    page.overhang = over.0 + over.1;
    let panels = page.panels.iter().enumerate();
    let above_others =
        panels.filter(|(i, p)| p.shows_x && page.places.is_above_panel(*i)).map(|(_, p)| under(p));
    page.below_inner = above_others.fold(0.0, f64::max) + track(TrackSide::Bottom) + bar;
    let edge = if frame.bars.iter().any(|b| b.place.is_right()) { 0.9 * f } else { 0.0 };
    // Labels of neighbouring panels extend into the gap from both sides.
    // Panels are further apart than the groups of a nested axis.
    let nested = frame.panels.iter().any(|p| p.columns.levels.len() > 1);
    page.gap.0 = (if nested { 2.0 * f } else { 0.9 * f }).max(over.0 + over.1 + 0.9 * f);
    // Labels extend under the tracks beside a body.
    let beyond = (over.1 - edge - beyond_body).max(0.0);
    if page.labelled_rows() > 1 && !barred {
        // Labels over the last row are beside a bar of all panels.
        page.right[page.columns - 1] = page.right[page.columns - 1].max(beyond + beyond_body);
    } else if page.columns > 1 || barred {
        page.bars_right += beyond;
    } // The titles of rows of panels are beyond everything that belongs to a panel.
    page.right[page.columns - 1] += page.row_titles_depth;
}

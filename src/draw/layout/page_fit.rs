//! Margins and body sizes, computed repeatedly until the chosen labels and their room agree.

use super::body_room::{slots, tables};
use super::flow::wrap;
use super::label_key::label_key;
use super::least_room::LeastRoom;
use super::margins::{bar_sizes, surroundings};
use super::measure::{BarTexts, Fonts, bar_each, legend, legend_lines, room};
use super::page::{Page, PanelPage};
use super::panel_ticks::labels;
use super::places::Places;
use super::shapes::Shapes;
use super::sharing::Sharing;
use super::tick_set::TickSet;
use super::titles::titles;
use super::track_room::{Tracks, track_room};
use crate::resolve::{Frame, ResolveError, longest_note};
use gridscope_core::figure::BarPlace;
use gridscope_core::text::Measure;
use gridscope_core::view::EdgeTable;
use std::sync::Arc;

/// The most rounds. In the second half, room only grows, so that labels and room agree at the end.
const PASSES: usize = 20;
/// The most room of slanted labels between panels as a share of a body's width.
const SLANTED: f64 = 0.6;
/// Inches at which an automatic height ends where that holds readable text: a page.
pub(super) const TALLEST: f64 = 9.0;

/// Common parts of the pages of a figure, whatever their width and their number of columns.
pub(super) struct Panels {
    pub sharing: Arc<Sharing>,
    pub shapes: Arc<Shapes>,
    /// The room that the page has at least.
    pub least: LeastRoom,
}

/// The page of this width and number of columns.
///
/// # Errors
/// [`ResolveError::Size`] when the canvas is too small for its labels.
pub(super) fn page(
    frame: &Frame,
    panels: &Panels,
    (width, columns): (f64, usize),
    m: &mut dyn Measure,
) -> Result<Page, ResolveError> {
    let fonts = Fonts::of(frame);
    let f = fonts.tick;
    let margin = (0.8 * f).round();
    let each = bar_each(frame);
    let places = Arc::new(Places::new(frame, columns.min(frame.panels.len())));
    let columns = places.columns;
    let inner_width = width - 2.0 * margin;
    let one = |text: &str| {
        if text.is_empty() { Vec::new() } else { text.split('\n').map(str::to_owned).collect() }
    };
    let mut page = Page {
        fonts,
        columns: places.columns,
        places,
        width,
        height: 0.0,
        tallest: TALLEST * frame.dpi,
        margin,
        title: wrap(&frame.title, fonts.title, inner_width, m),
        notes: wrap(&frame.note, fonts.note, inner_width, m),
        legend: legend_lines(&legend(frame, &fonts, m), inner_width, f),
        legend_lines: 0,
        key: Vec::new(),
        key_room: 0.0,
        slot: (0, 0),
        panels: Vec::new(),
        tracks: Tracks::default(),
        sharing: Arc::clone(&panels.sharing),
        shapes: Arc::clone(&panels.shapes),
        left: vec![0.5 * f; columns],
        right: vec![0.0; columns],
        above: 0.0,
        above_first: 0.0,
        below: 2.0 * f,
        below_inner: 0.0,
        gap: (0.9 * f, 0.9 * f),
        y_title: one(&frame.y.title),
        x_title: one(&frame.x.title),
        y_title_length: 0.0,
        inset: 0.0,
        steep: false,
        panel_titles: Vec::new(),
        column_titles: Vec::new(),
        row_titles: Vec::new(),
        level_row_titles: false,
        row_titles_depth: 0.0,
        bars: (0..frame.bars.len())
            .map(|b| BarTexts { room: room(frame, &fonts, b, m), label: one(&frame.bars[b].label) })
            .collect(),
        pad: 0.0,
        bars_right: 0.0,
        bars_below: 0.0,
        own_bar: 0.0,
        overhang: 0.0,
        right_bars: frame.bars.iter().any(|b| b.place == BarPlace::Right),
    };
    if each {
        // Bars in a column are aligned, and so are their titles.
        let rooms: Vec<f64> = page.bars.iter().map(|b| b.room).collect();
        let room_of = |i: usize| rooms[frame.panels[i].scale];
        for (i, panel) in frame.panels.iter().enumerate() {
            let others = page.places.in_column(page.places.column(i)).map(room_of);
            page.bars[panel.scale].room = others.fold(0.0, f64::max);
        }
    }
    page.legend_lines = page.legend.len().max(panels.least.legend_lines);
    let noted = page.notes.len();
    let mut lines = None;
    page.panels = frame.panels.iter().map(|_| blank()).collect();
    bar_sizes(frame, &mut page, each);
    for round in 0..PASSES {
        let before = page.rooms();
        let noted_before = page.notes.len() > noted;
        page.slot = slots(frame, &page, f)?;
        tables(frame, &mut page);
        mark_labelled(frame, &mut page);
        page.tracks = track_room(frame, &page.fonts, page.slot, m);
        titles(frame, &mut page, each, m);
        labels(frame, &mut page, m);
        label_key(frame, &mut page, m);
        page.key_room = page.lines_height(page.key.len());
        bar_sizes(frame, &mut page, each);
        surroundings(frame, &mut page, each);
        let reduces = page.panels.iter().any(|p| p.columns.reduces() || p.rows.reduces());
        page.notes.truncate(noted);
        if frame.notes && (reduces || noted_before) {
            let lines = lines
                .get_or_insert_with(|| wrap(&longest_note(frame), page.fonts.note, inner_width, m).len());
            page.notes.extend(std::iter::repeat_n(String::new(), *lines));
        }
        if round >= PASSES / 2 {
            page.grow_to(&before);
        }
        page.grow_to(&panels.least.rooms);
        if page.rooms() == before {
            break;
        }
        // Slanted labels need room that makes bodies too narrow for them: they would be slanted in every other round. Between
        // panels they may take more room than bodies.
        let is_last = round + 1 >= PASSES / 2 - 2 && page.panels.iter().any(|p| p.x.degrees == 90);
        let takes_most = page.columns > 1 && page.overhang > SLANTED * f64::from(page.slot.0);
        page.steep |= is_last || takes_most;
    }
    page.height = frame.height.unwrap_or_else(|| page.content_height().ceil());
    Ok(page)
}

/// A panel before the first round.
fn blank() -> PanelPage {
    PanelPage {
        columns: EdgeTable::fit(1, 1),
        rows: EdgeTable::fit(1, 1),
        x: TickSet::default(),
        y: TickSet::default(),
        x_headers: Vec::new(),
        y_headers: Vec::new(),
        shows_x: true,
        shows_y: true,
        resized: [false; 2],
    }
}

/// Chooses the panels with tick labels: all of them if the figure says so, otherwise the left panel of each row, the lowest of
/// each column, and panels whose cells have other labels or other places than those of the next panel in that direction.
fn mark_labelled(frame: &Frame, page: &mut Page) {
    let Sharing { x, y } = &*page.sharing;
    let places = Arc::clone(&page.places);
    let size = |p: &PanelPage| (p.columns.pixels(), p.rows.pixels());
    let sizes: Vec<(u32, u32)> = page.panels.iter().map(size).collect();
    for (i, p) in page.panels.iter_mut().enumerate() {
        let is_open = |next: Option<usize>, shares: &dyn Fn(usize) -> bool| {
            frame.labels_on_each || next.is_none_or(|next| !shares(next))
        };
        p.shows_x = is_open(places.below(i), &|next| x[i] == x[next] && sizes[i].0 == sizes[next].0);
        p.shows_y = is_open(places.left_of(i), &|next| y[i] == y[next] && sizes[i].1 == sizes[next].1);
    }
}

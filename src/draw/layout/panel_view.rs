//! Panels that show a part of their grid, and one panel of several on a page of its own: the page stays as it is.

use super::measure::Level;
use super::page::{LeastRoom, Page, PanelPage};
use super::search::{fit_page, fit_page_with};
use super::tick_set::{Room, TickRequest};
use super::ticks::choose;
use super::track::track;
use crate::resolve::{AxisFrame, Frame, ResolveError};
use gridscope_core::grid::Axis;
use gridscope_core::text::Measure;
use gridscope_core::view::{EdgeTable, Part};

/// The panel with the cells and labels of the part that it shows.
pub(super) fn panel_view(frame: &Frame, page: &Page, i: usize, m: &mut dyn Measure) -> PanelPage {
    let (panel, at) = (&frame.panels[i], &page.panels[i]);
    let mut out = at.clone();
    let mut side = ViewSide { page, panel: i, side: false, m };
    if let Some((table, room)) =
        view_table(&panel.columns, &frame.x, (panel.part_x, at.resized[0]), &at.columns, frame.leftward)
    {
        out.columns = table;
        // The page has chosen no labels where an earlier panel has the same and this one shows none.
        if at.shows_x || page.sharing.x[i] == i {
            side.labels(&mut out, &panel.columns, &frame.x, room);
        }
    }
    let rows = (panel.part_y, at.resized[1]);
    if let Some((table, room)) = view_table(&panel.rows, &frame.y, rows, &at.rows, frame.lower) {
        out.rows = table;
        side.side = true;
        if at.shows_y || page.sharing.y[i] == i {
            side.labels(&mut out, &panel.rows, &frame.y, room);
        }
    }
    out
}

/// The edge table of a part and the cells that it shows; `None` for the whole axis, unless its body is `resized`.
fn view_table(
    axis: &Axis,
    frame: &AxisFrame,
    (part, resized): (Option<Part>, bool),
    whole: &EdgeTable,
    reversed: bool,
) -> Option<(EdgeTable, std::ops::Range<usize>)> {
    let track = track(axis, frame.true_spacing);
    let part = part.unwrap_or(track.whole());
    if part == track.whole() && !resized {
        return None;
    }
    let table = track.table(part, whole.pixels());
    Some((if reversed { table.reversed() } else { table }, track.visible(part)))
}

/// One axis of a panel, the one down its side or the one under it.
struct ViewSide<'a> {
    page: &'a Page,
    panel: usize,
    side: bool,
    m: &'a mut dyn Measure,
}

impl ViewSide<'_> {
    /// Chooses the labels of a part, which must fit the room that the page has for them.
    fn labels(
        &mut self,
        panel: &mut PanelPage,
        axis: &Axis,
        frame: &AxisFrame,
        shown: std::ops::Range<usize>,
    ) {
        let (p, f) = (self.page, self.page.fonts.tick);
        let (table, whole) = if self.side { (&panel.rows, &panel.y) } else { (&panel.columns, &panel.x) };
        let deep = whole.depth();
        let most = if self.side { whole.width() } else { deep.max(f64::from(table.pixels()) / 3.0) };
        let out = whole.overhang(f64::from(table.pixels()));
        // Labels may extend over half of the free room beside a body.
        let beside = if p.right_bars && p.columns == 1 {
            0.6 * f
        } else if p.columns > 1 {
            (p.gap.0 - p.overhang) * 0.4
        } else {
            0.7 * p.margin
        };
        let out =
            (out.0.max(if p.columns > 1 { beside } else { p.left[0] + 0.7 * p.margin }), out.1.max(beside));
        let ask = TickRequest {
            axis,
            table,
            frame,
            font: whole.font,
            least: whole.font,
            keys: frame.key_ticks.get(self.panel).map_or(&[], Vec::as_slice),
            most,
            side: self.side,
            name: if self.side { "y" } else { "x" },
            steep: p.steep,
            part: Some(Room { shown: shown.clone(), deep, out }),
        };
        let mut ticks = choose(&ask, self.m);
        ticks.reserved = if self.side { whole.width() } else { deep };
        let length = f64::from(table.pixels());
        let table = table.clone();
        let levels = if self.side { &mut panel.y_headers } else { &mut panel.x_headers };
        levels
            .iter_mut()
            .filter(|l| !l.is_title)
            .enumerate()
            .for_each(|(i, l)| self.headers(l, &axis.levels[i], &table, length));
        if self.side {
            panel.y = ticks;
        } else {
            panel.x = ticks;
        }
    }

    /// Removes the headers of groups that are not visible, and the texts of those that do not fit: along the axis, within
    /// the visible part of their group; across it, at a distance from the header before.
    fn headers(&mut self, level: &mut Level, texts: &[String], table: &EdgeTable, length: f64) {
        let f = self.page.fonts.tick;
        let mut next = f64::NEG_INFINITY;
        let across = level.across;
        level.headers.retain_mut(|h| {
            let (a, b) = group_extent(table, &h.cells);
            let (from, to) = (a.max(0.0), b.min(length));
            if to - from < 1.0 {
                return false;
            }
            if across {
                // The text may have been left out for lack of room when the whole axis was shown.
                if h.lines.iter().all(String::is_empty) {
                    h.lines =
                        vec![super::flow::fit(&texts[h.cells.start], f, level.depth - 0.85 * f, self.m)];
                }
                let middle = f64::midpoint(from, to);
                if middle < next {
                    h.lines = vec![String::new()];
                } else {
                    next = middle + 1.15 * f;
                }
            } else if h.lines.iter().any(|l| self.m.size(l, f).width > to - from) {
                h.lines = vec![String::new()];
            }
            true
        });
    }
}

/// The first and the last pixel of a group of cells along a body.
pub(super) fn group_extent(table: &EdgeTable, cells: &std::ops::Range<usize>) -> (f64, f64) {
    let (a, b) = (table.extent(cells.start), table.extent(cells.end - 1));
    (a.0.min(b.0), a.1.max(b.1))
}

/// Colour scales beyond these are not looked at: each costs a page.
const MOST_SCALES: usize = 8;
/// The most rounds: more room may turn labels, which need more again.
const ROUNDS: usize = 3;

/// The panels whose surroundings may need the most: the first one of each scale, for its bar, and the one with the longest
/// title, among those with the rows and columns of this one.
fn others(frame: &Frame, panel: usize) -> Vec<usize> {
    let size = |p: usize| (frame.panels[p].columns.len(), frame.panels[p].rows.len());
    let alike: Vec<usize> = (0..frame.panels.len()).filter(|p| size(*p) == size(panel)).collect();
    let longest = alike.iter().copied().max_by_key(|p| frame.panels[*p].title.chars().count());
    let mut scales: Vec<usize> = Vec::new();
    let mut out: Vec<usize> = Vec::new();
    for &p in &alike {
        let scale = frame.panels[p].scale;
        if !scales.contains(&scale) && scales.len() < MOST_SCALES {
            scales.push(scale);
            out.push(p);
        }
    }
    out.extend(longest.filter(|p| !out.contains(p)));
    out.retain(|p| *p != panel);
    out
}

/// The page of one panel.
///
/// # Errors
/// As [`fit_page`].
pub(super) fn page_of_one(frame: &Frame, panel: usize, m: &mut dyn Measure) -> Result<Page, ResolveError> {
    let own = frame.alone(panel);
    let mut page = fit_page(&own, m)?;
    let others: Vec<Frame> = others(frame, panel)
        .into_iter()
        .map(|p| Frame { states: frame.states_of_all.clone(), ..frame.alone(p) })
        .collect();
    let mut least = LeastRoom::default();
    least.grow(&mut page);
    for _ in 0..ROUNDS {
        let before = least.clone();
        for other in &others {
            // A page that is too small for another panel has room for this one.
            if let Ok(mut other) = fit_page_with(other, least.clone(), m) {
                least.grow(&mut other);
            }
        }
        if least == before {
            break;
        }
        let Ok(roomy) = fit_page_with(&own, least.clone(), m) else {
            break;
        };
        page = roomy;
        least.grow(&mut page);
    }
    Ok(page)
}

//! Parts of axes on bodies that stay where they are: other cells under the pixels, other labels beside them.

use super::measure::Level;
use super::page::{Page, PanelPage};
use super::tick_set::{Room, TickRequest};
use super::ticks::choose;
use super::track::track;
use crate::grid::Axis;
use crate::resolve::{AxisFrame, Frame};
use crate::text::Measure;
use crate::view::{EdgeTable, Part};

/// A panel of the page as its parts show it.
pub(super) fn viewed(frame: &Frame, page: &Page, i: usize, m: &mut dyn Measure) -> PanelPage {
    let (panel, at) = (&frame.panels[i], &page.panels[i]);
    let mut out = at.clone();
    let mut side = Side { page, side: false, m };
    if let Some((table, room)) = seen(&panel.columns, &frame.x, panel.part_x, &at.columns, false) {
        out.columns = table;
        side.labels(&mut out, &panel.columns, &frame.x, room);
    }
    if let Some((table, room)) = seen(&panel.rows, &frame.y, panel.part_y, &at.rows, frame.lower) {
        out.rows = table;
        side.side = true;
        side.labels(&mut out, &panel.rows, &frame.y, room);
    }
    out
}

/// The cells under the pixels of a body that shows a part, and which they are; `None` where it shows all.
fn seen(
    axis: &Axis,
    frame: &AxisFrame,
    part: Option<Part>,
    whole: &EdgeTable,
    lower: bool,
) -> Option<(EdgeTable, std::ops::Range<usize>)> {
    let part = part?;
    let track = track(axis, frame.true_spacing);
    if part == track.whole() {
        return None;
    }
    let table = track.table(part, whole.pixels());
    Some((if lower { table.reversed() } else { table }, track.visible(part)))
}

struct Side<'a> {
    page: &'a Page,
    side: bool,
    m: &'a mut dyn Measure,
}

impl Side<'_> {
    /// Chooses the labels of a part, in the room that the page keeps.
    fn labels(
        &mut self,
        panel: &mut PanelPage,
        axis: &Axis,
        frame: &AxisFrame,
        shown: std::ops::Range<usize>,
    ) {
        let (p, f) = (self.page, self.page.fonts.tick);
        let (table, whole) = if self.side {
            (&panel.rows, &panel.y)
        } else {
            (&panel.columns, &panel.x)
        };
        let deep = whole.depth(f);
        let most = if self.side {
            whole.width()
        } else {
            deep.max(f64::from(table.pixels()) / 3.0)
        };
        let out = whole.overhang(f64::from(table.pixels()), f);
        // Labels may reach half into what is free beside a body.
        let beside = if p.right_bars && p.columns == 1 {
            0.6 * f
        } else if p.columns > 1 {
            (p.gap.0 - p.overhang) * 0.4
        } else {
            0.7 * p.margin
        };
        let out = (
            out.0.max(if p.columns > 1 {
                beside
            } else {
                p.left + 0.7 * p.margin
            }),
            out.1.max(beside),
        );
        let ask = TickRequest {
            axis,
            table,
            frame,
            font: f,
            most,
            side: self.side,
            name: if self.side { "y" } else { "x" },
            part: Some(Room {
                shown: shown.clone(),
                deep,
                out,
            }),
        };
        let mut ticks = choose(&ask, self.m);
        ticks.kept = if self.side { whole.width() } else { deep };
        let length = f64::from(table.pixels());
        let table = table.clone();
        let levels = if self.side {
            &mut panel.y_headers
        } else {
            &mut panel.x_headers
        };
        levels
            .iter_mut()
            .enumerate()
            .for_each(|(i, l)| self.headers(l, &axis.levels[i], &table, length));
        if self.side {
            panel.y = ticks;
        } else {
            panel.x = ticks;
        }
    }

    /// Keeps the headers of groups that are seen, as long as they stay legible: those along the axis must fit what is seen of
    /// their group, those across it must keep apart.
    fn headers(&mut self, level: &mut Level, texts: &[String], table: &EdgeTable, length: f64) {
        let f = self.page.fonts.tick;
        let mut next = f64::NEG_INFINITY;
        let across = level.across;
        level.headers.retain_mut(|h| {
            let (a, b) = reach(table, &h.cells);
            let (from, to) = (a.max(0.0), b.min(length));
            if to - from < 1.0 {
                return false;
            }
            if across {
                // A group that had no room for its text at the whole axis may have some now.
                if h.lines.iter().all(String::is_empty) {
                    h.lines = vec![super::flow::fit(
                        &texts[h.cells.start],
                        f,
                        level.depth - 0.85 * f,
                        self.m,
                    )];
                }
                let middle = (from + to) / 2.0;
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

/// Where a group lies on a body, ends in ascending order.
pub(super) fn reach(table: &EdgeTable, cells: &std::ops::Range<usize>) -> (f64, f64) {
    let (a, b) = (table.extent(cells.start), table.extent(cells.end - 1));
    (a.0.min(b.0), a.1.max(b.1))
}

//! Bodies of square cells that show a part take the room that the page leaves free.

use super::body_range::BodyRange;
use super::page::Page;
use super::track::track;
use crate::resolve::Frame;
use gridscope_core::geom::PxSize;
use gridscope_core::view::{Part, View};
use std::borrow::Cow;

/// The bodies that a panel may have on a page.
pub(super) fn range(frame: &Frame, page: &Page, panel: usize) -> BodyRange {
    let (spec, at) = (&frame.panels[panel], &page.panels[panel]);
    let base = PxSize { w: at.columns.pixels(), h: at.rows.pixels() };
    let spaced = (frame.x.true_spacing, frame.y.true_spacing);
    let cells = (track(&spec.columns, spaced.0).length(), track(&spec.rows, spaced.1).length());
    if !frame.square || frame.aspect != 1.0 || spaced != (false, false) {
        return BodyRange::fixed(base, cells);
    }
    // What centring would leave beside the content, shared by all columns and rows of panels.
    let share = |page: f64, content: f64, by: usize| ((page - content) / by as f64).max(0.0);
    let (row, column) = (page.places.row(panel), page.places.column(panel));
    let free = PxSize {
        w: (page.widest_body(column) + share(page.width, page.content_width(), page.columns)) as u32,
        h: (page.tallest_body(row) + share(page.height, page.content_height(), page.rows())) as u32,
    };
    BodyRange::growing(base, free, cells)
}

/// The page with the bodies of the parts that its panels show.
pub(super) fn grown<'a>(frame: &Frame, page: &'a Page, ranges: &[BodyRange]) -> Cow<'a, Page> {
    let mut page = Cow::Borrowed(page);
    for (i, (range, panel)) in ranges.iter().zip(&frame.panels).enumerate() {
        let whole = |part: Option<Part>, length: f64| part.unwrap_or(Part::whole(length));
        let view = View { x: whole(panel.part_x, range.cells.0), y: whole(panel.part_y, range.cells.1) };
        let body = range.body_of(&view);
        if body == range.base {
            continue;
        }
        let at = &mut page.to_mut().panels[i];
        at.resized = [body.w != range.base.w, body.h != range.base.h];
        if at.resized[0] {
            let track = track(&panel.columns, false);
            at.columns = track.table(track.whole(), body.w);
            if frame.leftward {
                at.columns = at.columns.clone().reversed();
            }
        }
        if at.resized[1] {
            let track = track(&panel.rows, false);
            at.rows = track.table(track.whole(), body.h);
            if frame.lower {
                at.rows = at.rows.clone().reversed();
            }
        }
    }
    page
}

//! The size of the largest body, and the cells under the pixels of each.

use super::measure::LABEL_SHARE;
use super::page::{Page, PanelPage};
use super::shapes::{CellSize, whole};
use super::track::table;
use crate::resolve::{Frame, ResolveError, ShortSide};
use gridscope_core::image::MOST_SIDE;

/// The distance of row labels in em at which they do not meet.
const LINE_OF_LABELS: f64 = 1.06;
/// Up to this many rows keep this distance whatever the height of the page becomes.
const FEW_ROWS: f64 = 12.0;
/// The least width of a body in pixels.
const NARROWEST: f64 = 8.0;

/// The most that a body of automatic height is wider than high. Twenty columns of six square cells are not a strip.
const FLATTEST: f64 = 3.5;
/// The most that its cells are higher than wide for that.
const STEEPEST: f64 = 6.0;
/// The least em of such a body with a bar at the right, which has room for a few labels.
const THINNEST: f64 = 11.0;
/// The most em of a row for that, and the most as a share of the body's width: a single row is not a strip either.
const HIGHEST_ROW: (f64, f64) = (10.0, 0.24);

/// The share of a slot's width or height that a body takes where it can.
const SLOT_SHARE: f64 = 0.63;

/// The width and height of the largest body in whole pixels.
pub(super) fn slots(frame: &Frame, page: &Page, f: f64) -> Result<(u32, u32), ResolveError> {
    let (c, r) = page.shapes.bodies(&page.places);
    let free = (page.width - page.around_x()) / c;
    let (wide, high) = (page.shapes.wide, page.shapes.high);
    if free < NARROWEST {
        return Err(small(frame, ShortSide::Width, page.width, (NARROWEST - free) * c));
    }
    let cell = whole(free / wide);
    let labelled = frame.panels.iter().any(|p| !p.rows.levels.is_empty());
    // Bodies of an automatic height end at a page.
    let room = (frame.height.unwrap_or(page.tallest) - page.around_y()) / r;
    let mut height = match frame.height {
        Some(_) => room,
        None if page.shapes.size == CellSize::OwnSquare => {
            let most = (1.3 * page.width / r).min(room).max(2.0 * f);
            let tall = |c: &(f64, f64)| (free / c.0 * c.1).min(most);
            page.shapes.cells.iter().map(tall).fold(1.0, f64::max)
        }
        None if frame.square => cell.min((1.3 * page.width / r).min(room).max(1e-6) / high) * high,
        None => {
            // Labels need rows as high as a line. Rows are lower if the table would exceed three quarters of the width.
            let least = if labelled { 1.25 * f } else { 1.0 };
            let cap = 0.75 * page.width / r;
            let tallest = (1.3 * page.width / r).min(room);
            // A few labels are not left out for the sake of a page where the figure says how panels are arranged.
            let labels = if frame.columns.is_some() && labelled && high <= FEW_ROWS {
                (LINE_OF_LABELS * f).ceil() * high
            } else {
                0.0
            };
            // A body is not a strip unless cells would be much higher than wide.
            let highest = (HIGHEST_ROW.0 * f).max(HIGHEST_ROW.1 * free);
            let thick = (free / FLATTEST / high).min((STEEPEST * cell).max(highest));
            // Its bar has room for a few labels unless rows would be much higher than their own.
            let barred = if page.right_bars { (THINNEST * f / high).min(highest) } else { 0.0 };
            // Between long labels, a body that is narrow in its slot takes the larger part of the height.
            let is_narrow = cell * wide * c < SLOT_SHARE * page.width;
            let filled = if is_narrow {
                (SLOT_SHARE / (1.0 - SLOT_SHARE) * page.around_y() / r / high).min(highest)
            } else {
                0.0
            };
            let row = cell
                .min((cap / high).max(least))
                .max(least)
                .max(thick.max(barred).max(filled))
                .min(tallest.max(2.0 * f).max(labels) / high);
            whole(row) * high
        }
    };
    // The height that the end of this function returns at least.
    let least = if frame.square { 8.0 } else { 2.0 * f };
    if height < least
        && let Some(given) = frame.height
    {
        return Err(small(frame, ShortSide::Height, given, (least - height) * r));
    }
    let mut width = free;
    if frame.square && page.shapes.size == CellSize::Shared {
        let cell = whole((free / wide).min(height / high));
        (width, height) = (cell * wide, cell * high);
        // A single row or column of square cells would be very thin, so it gets a readable thickness; on a page of given height
        // that of its label, so that square cells fit a low window.
        let thick = if frame.height.is_some() { f } else { 2.0 * f };
        let most = if frame.height.is_some() { room } else { f64::MAX };
        (width, height) = (width.max(thick).min(free), height.max(thick).min(most));
    }
    Ok((
        width.floor().max(1.0) as u32,
        height.max(if frame.square { 1.0 } else { 2.0 * f }).min(MOST_SIDE.into()).floor() as u32,
    ))
}

/// A canvas that lacks `need` pixels of its `given` ones along a side.
fn small(frame: &Frame, side: ShortSide, given: f64, need: f64) -> ResolveError {
    // Labels take their share of what is added, and more of them have room in a larger canvas.
    let lacks = need / (1.0 - LABEL_SHARE);
    let would_do = ((given + lacks) * 1.1 / frame.dpi * 10.0).ceil() / 10.0;
    let (key, what) = match side {
        ShortSide::Width => ("width", "narrow"),
        ShortSide::Height => ("height", "low"),
    };
    ResolveError::Small {
        side,
        lacks,
        what: format!("{given:.0} px is too {what} for these labels: about {lacks:.0} px more are needed"),
        hint: format!("--{key} {would_do:.1}in"),
    }
}

/// Computes the edge tables of all panels.
pub(super) fn tables(frame: &Frame, page: &mut Page) {
    for (i, (p, panel)) in page.panels.iter_mut().zip(&frame.panels).enumerate() {
        let (w, h) = page.shapes.room(i, page.slot);
        p.columns = table(&panel.columns, w, frame.x.true_spacing);
        p.rows = table(&panel.rows, h, frame.y.true_spacing);
        if frame.leftward {
            p.columns = p.columns.clone().reversed();
        }
        if frame.lower {
            p.rows = p.rows.clone().reversed();
        }
    }
    // The slot shrinks to the largest body, which whole cells have made smaller.
    let most = |size: fn(&PanelPage) -> u32| page.panels.iter().map(size).max().unwrap_or(1);
    page.slot = (most(|p| p.columns.pixels()), most(|p| p.rows.pixels()));
}

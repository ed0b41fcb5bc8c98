//! The size of the largest body, and the cells under the pixels of each.

use super::page::{Page, PanelPage};
use super::track::{cells_wide, table};
use crate::image::MOST_SIDE;
use crate::resolve::{Frame, ResolveError};

/// The width and height of the largest body in whole pixels.
pub(super) fn slots(frame: &Frame, page: &Page, f: f64) -> Result<(u32, u32), ResolveError> {
    let (c, r) = (page.columns as f64, page.rows() as f64);
    let free = (frame.width - page.around_x()) / c;
    let wide = frame
        .panels
        .iter()
        .map(|p| cells_wide(&p.columns))
        .fold(1.0, f64::max);
    let high = frame
        .panels
        .iter()
        .map(|p| cells_wide(&p.rows))
        .fold(1.0, f64::max)
        * frame.aspect;
    let small = |need: f64| {
        let what = format!(
            "{:.0} px is too narrow or too low for these labels: about {need:.0} px more are needed",
            frame.width
        );
        ResolveError::Size(what)
    };
    if free < 8.0 {
        return Err(small((8.0 - free) * c));
    }
    let whole = |v: f64| if v >= 4.0 { v.floor() } else { v };
    let cell = whole(free / wide);
    let labelled = frame.panels.iter().any(|p| !p.rows.levels.is_empty());
    let mut height = match frame.height {
        Some(h) => (h - page.around_y()) / r,
        // A long column is at most as tall as a page.
        None if frame.square => cell.min((1.3 * frame.width / r / high).max(1e-9)) * high,
        None => {
            // Labels need rows as high as a line. Rows are lower if the table would exceed three quarters of the width.
            let least = if labelled { 1.25 * f } else { 1.0 };
            let cap = 0.75 * frame.width / r;
            let tallest = 1.3 * frame.width / r;
            let row = cell
                .min((cap / high).max(least))
                .max(least)
                .min((tallest / high).max(1.0));
            whole(row) * high
        }
    };
    // The height that the end of this function returns at least.
    let least = if frame.square { 8.0 } else { 2.0 * f };
    if height < least && frame.height.is_some() {
        return Err(small(least - height));
    }
    let mut width = free;
    if frame.square {
        let cell = whole((free / wide).min(height / high));
        (width, height) = (cell * wide, cell * high);
        // A single row or column of square cells would be very thin, so it gets a readable thickness.
        let most = if frame.height.is_some() {
            (frame.height.unwrap_or(0.0) - page.around_y()) / r
        } else {
            f64::MAX
        };
        (width, height) = (width.max(2.0 * f).min(free), height.max(2.0 * f).min(most));
    }
    Ok((
        width.floor().max(1.0) as u32,
        height
            .max(if frame.square { 1.0 } else { 2.0 * f })
            .min(MOST_SIDE.into())
            .floor() as u32,
    ))
}

/// Computes the edge tables of all panels.
pub(super) fn tables(frame: &Frame, page: &mut Page) {
    for (p, panel) in page.panels.iter_mut().zip(&frame.panels) {
        p.columns = table(&panel.columns, page.slot.0, frame.x.true_spacing);
        p.rows = table(&panel.rows, page.slot.1, frame.y.true_spacing);
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

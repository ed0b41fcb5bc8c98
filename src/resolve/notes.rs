//! The lines under a figure: the user's note, and what a reduction did.

use super::frame::Frame;
use super::scheme::{Colours, Folded};
use crate::grid::{Axis, Grid};
use crate::scale::short;
use crate::text::clean;
use std::cmp::Ordering;

/// Where a cell lies in the words of its axes: `ratio 0.3, window 2000`.
pub fn place_of(grid: &Grid, row: usize, column: usize) -> String {
    let part = |axis: &Axis, i: usize, plain: &str| {
        let name = if axis.name.is_empty() {
            plain
        } else {
            axis.name.as_str()
        };
        format!("{name} {}", axis.label(i))
    };
    format!(
        "{}, {}",
        part(grid.columns(), column, "column"),
        part(grid.rows(), row, "row")
    )
}

/// The lines under a figure: the user's own note first, then what the reduction did.
pub fn notes(frame: &Frame, grids: &[Grid], folded: &[Folded<'_>], colours: &Colours) -> Vec<String> {
    let mut out = Vec::new();
    if !frame.note.is_empty() {
        out.push(frame.note.clone());
    }
    if !frame.notes {
        return out;
    }
    let reduced: Vec<usize> = (0..grids.len()).filter(|&i| folded[i].body.is_some()).collect();
    let Some(&first) = reduced.first() else { return out };
    let Some((columns, rows)) = folded[first].body else {
        return out;
    };
    let per = |cells: usize, pixels: f64| short(((cells as f64 / pixels).max(1.0) * 10.0).round() / 10.0);
    let mut line = format!(
        "each pixel = {} of {} × {} cells",
        colours.reduce.word(),
        per(columns.shown().len(), f64::from(columns.pixels())),
        per(rows.shown().len(), f64::from(rows.pixels()))
    );
    let best = reduced
        .iter()
        .map(|&i| (i, &folded[i].scan.stats))
        .filter_map(|(i, s)| Some((i, s.max?, *s.max_cells.first()?)));
    if let Some((i, max, (r, c))) = best.max_by(|a, b| a.1.compare(b.1).unwrap_or(Ordering::Equal)) {
        let panel = if grids.len() > 1 {
            format!(" in {}", grids[i].name())
        } else {
            String::new()
        };
        line.push_str(&format!(
            "; max {}{panel} at {}",
            short(max.as_f64()),
            place_of(&grids[i], r, c)
        ));
    }
    out.push(clean(&line));
    out
}

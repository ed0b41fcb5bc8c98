//! The note under a figure: the user's own, what explains the texts of cells, and how many rows and columns are left out.

use gridscope_core::figure::{Figure, OnOff};
use gridscope_core::grid::{Axis, Grid};
use gridscope_core::text::{clean, rich};

/// The user's note, what explains the texts of cells, and how many rows and columns of all are shown, where some are left out.
pub(super) fn note(figure: &Figure, grids: &[Grid]) -> String {
    let mut lines: Vec<String> =
        figure.note.iter().map(|own| rich(own)).filter(|own| !own.is_empty()).collect();
    for line in grids.iter().filter_map(Grid::note).map(clean) {
        if figure.notes != Some(OnOff::Off) && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let kept = |axis: &Axis, word: &str| {
        let of = axis.kept_of?;
        Some(format!("{} of {of} {word}", axis.len()))
    };
    let mut parts: Vec<String> = Vec::new();
    for grid in grids {
        let own = [kept(grid.rows(), "rows"), kept(grid.columns(), "columns")];
        for part in own.into_iter().flatten() {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    // Panels of many sizes have no common numbers.
    if figure.notes != Some(OnOff::Off) && !parts.is_empty() && parts.len() <= 2 {
        lines.push(parts.join(", "));
    }
    lines.join("\n")
}

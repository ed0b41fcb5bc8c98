//! Stars of paired differences in cells whose values are not written: a note under the figure says what they mean.

use super::Item;
use super::annotations::{cell, ink, smallest_cell};
use crate::layout::PanelLayout;
use crate::resolve::{Colours, Frame};
use gridscope_core::geom::Point;
use gridscope_core::grid::{Grid, P_VALUES};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::text::Measure;

/// The middle of an asterisk over its baseline, in em.
const MIDDLE: f64 = 0.55;
/// The smallest stars, as a share of the smallest other text: they have no small parts.
const LEAST: f64 = 0.6;

/// Writes the stars of all panels in one size, or reports that they do not fit.
pub(super) fn stars(
    frame: &Frame,
    panels: &[PanelLayout],
    colours: &Colours,
    grids: &[Grid],
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
    lints: &mut Lints,
) {
    let tested: Vec<usize> = (0..grids.len())
        .filter(|i| grids[*i].fields().contains_key(P_VALUES) && grids[*i].is_loaded())
        .collect();
    let mut found = Vec::new();
    for &i in &tested {
        let (grid, p) = (&grids[i], &panels[i]);
        for (row, column) in p.rows.shown().flat_map(|r| p.columns.shown().map(move |c| (r, c))) {
            let text = grid.stars(row * grid.width() + column);
            if let Some(value) = grid.at(row, column).value().filter(|_| !text.is_empty()) {
                found.push((i, row, column, text, ink(&colours.panels[i].scale, value)));
            }
        }
    }
    let Some(longest) = found.iter().map(|f| f.3).max_by_key(|text| text.len()) else {
        return;
    };
    let smallest = tested.iter().map(|i| smallest_cell(&panels[*i]));
    let (wide, high) = smallest.fold((f64::MAX, f64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1)));
    let font = frame.font_size.min(0.95 * wide / m.size(longest, 1.0).width).min(1.6 * high);
    if font < LEAST * frame.least_font {
        let n = found.len();
        let text = format!("the stars of {n} cells do not fit");
        lints.add(LintName::AnnotationsHidden, n as u64, text).hint("a larger --width or --height");
        return;
    }
    for (i, row, column, text, color) in found {
        let at = cell(&panels[i], row, column).center();
        let width = m.size(text, font).width;
        items.push(Item::Text {
            text: text.to_owned(),
            font_size: font,
            at: Point { x: at.x - width / 2.0, y: at.y + MIDDLE * font },
            degrees: 0,
            color,
        });
    }
}

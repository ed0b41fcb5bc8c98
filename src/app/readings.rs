//! Texts and histograms of the overlay, computed when first needed and reused until they change.

use super::geometry::WindowGeometry;
use super::histogram::Histogram;
use super::readout::{pointer_text, selection_text};
use super::state::{Selection, ViewState};
use crate::geom::Point;
use crate::grid::{Grid, Summaries};
use crate::layout::PanelLayout;
use crate::resolve::{Colours, PanelColours};
use std::sync::Arc;

/// Texts and histograms over a figure.
#[derive(Debug, Default)]
pub(super) struct Readings {
    pointed: Option<(Point, String)>,
    selected: Option<(Selection, String)>,
    /// Histograms of the values in view, one per scale, from when the view last came to rest.
    pub histograms: Vec<Option<Histogram>>,
}

impl Readings {
    /// Forgets the pointer's text: after a repaint other cells may be under the pointer.
    pub(super) fn forget_pointer(&mut self) {
        self.pointed = None;
    }

    /// Texts of the pointer and of the selection.
    pub(super) fn texts(&mut self, geometry: &WindowGeometry, state: &ViewState) -> (&str, &str) {
        if self.pointed.as_ref().map(|p| p.0) != state.pointer {
            self.pointed = state.pointer.map(|at| (at, pointer_text(geometry, at)));
        }
        if self.selected.as_ref().map(|s| &s.0) != state.selection.as_ref() {
            self.selected = state
                .selection
                .as_ref()
                .map(|s| (s.clone(), selection_text(geometry, s)));
        }
        (
            self.pointed.as_ref().map_or("", |p| &p.1),
            self.selected.as_ref().map_or("", |s| &s.1),
        )
    }

    /// Counts the values in view along each bar; where pixels cover several cells, the reduced value of each
    /// pixel.
    pub(super) fn count(
        &mut self,
        geometry: &WindowGeometry,
        panels: &[PanelLayout],
        colours: &Colours,
        folded: &[Option<Arc<Summaries>>],
    ) {
        let of = |(b, bar): (usize, &Option<super::geometry::BarAt>)| {
            let (bar, scale) = (bar.as_ref()?, &colours.bars.get(b)?.scale);
            let members = (0..panels.len()).filter(|i| geometry.scale_of.get(*i) == Some(&b));
            let values = members.flat_map(|i| {
                values(
                    &geometry.grids[i],
                    &panels[i],
                    &colours.panels[i],
                    colours,
                    folded[i].as_deref(),
                )
            });
            Some(Histogram::new(
                scale,
                Histogram::bins_of(bar, geometry.unit),
                values,
            ))
        };
        self.histograms = geometry.bars.iter().enumerate().map(of).collect();
    }
}

fn values<'a>(
    grid: &'a Grid,
    at: &PanelLayout,
    panel: &'a PanelColours,
    colours: &'a Colours,
    folded: Option<&'a Summaries>,
) -> Box<dyn Iterator<Item = f64> + 'a> {
    let (rows, columns) = (at.rows.shown(), at.columns.shown());
    match folded {
        Some(list) => list.values(colours.reduce, panel.centre),
        None if grid.is_loaded() => {
            Box::new(rows.flat_map(move |r| columns.clone().map(move |c| grid.at(r, c).as_f64())))
        }
        None => Box::new(std::iter::empty()),
    }
}

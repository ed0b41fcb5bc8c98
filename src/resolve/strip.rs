//! Categories coloured along an axis.

use super::error::ResolveError;
use crate::color::Color;
use crate::figure::{Figure, StripAxis};
use crate::grid::Grid;
use crate::scale::Colormap;
use crate::text::clean;

/// A side strip.
#[derive(Clone, Debug)]
pub struct StripFrame {
    /// Along the bottom.
    pub along_x: bool,
    /// What the categories are.
    pub title: String,
    /// Categories and their colours in the order of the axis.
    pub swatches: Vec<(String, Color)>,
}

impl StripFrame {
    /// The colour of a category.
    pub fn color(&self, category: &str) -> Option<Color> {
        self.swatches.iter().find(|(c, _)| c == category).map(|(_, k)| *k)
    }
}

/// Resolves the strip of a figure that has one.
pub(super) fn strip(figure: &Figure, grids: &[Grid]) -> Result<Option<StripFrame>, ResolveError> {
    let Some(spec) = &figure.strip else {
        return Ok(None);
    };
    let along_x = spec.axis == StripAxis::X;
    let mut names: Vec<String> = Vec::new();
    for g in grids {
        let axis = if along_x { g.columns() } else { g.rows() };
        for c in axis.strip.iter().flatten() {
            if !names.contains(c) {
                names.push(c.clone());
            }
        }
    }
    if names.is_empty() {
        return Err(ResolveError::Key(
            "strip".to_owned(),
            format!("the table has no column '{}' along this axis", spec.column),
        ));
    }
    let map = match spec.cmap.as_deref() {
        Some(map) => map.clone(),
        None => {
            Colormap::named("tab10").map_err(|e| ResolveError::Key("strip.cmap".to_owned(), e.to_string()))?
        }
    };
    let (n, entries) = (names.len(), map.entries.len());
    let pick = |i: usize| {
        if map.is_qualitative() {
            map.entries[i % entries]
        } else {
            // The palest fifth of a sequential map would not be visible on paper.
            let t = if n == 1 {
                1.0
            } else {
                0.2 + 0.8 * i as f64 / (n - 1) as f64
            };
            map.entries[((t * entries as f64) as usize).min(entries - 1)]
        }
    };
    let swatches = names
        .into_iter()
        .enumerate()
        .map(|(i, name)| (clean(&name), pick(i)))
        .collect();
    // A strip along the axis of its own column has that axis' title.
    let own = if along_x { &figure.x } else { &figure.y };
    let same = grids
        .iter()
        .all(|g| spec.column == if along_x { g.columns() } else { g.rows() }.name);
    let title = own.label.as_deref().filter(|_| same).unwrap_or(&spec.column);
    Ok(Some(StripFrame {
        along_x,
        title: clean(title),
        swatches,
    }))
}

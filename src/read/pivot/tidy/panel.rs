//! A panel of a tidy table.

use super::placement::Placement;
use gridscope_core::grid::Facet;

/// A panel that is shown.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub name: String,
    /// The id of its key; none where no column makes panels, or no row has the keys of its row and column of panels.
    pub key: Option<u32>,
    /// Its value column, by its place among them.
    pub value: usize,
    /// The text over it, where that is not its name.
    pub caption: Option<String>,
    /// Its row and column of panels.
    pub facet: Option<Facet>,
}

impl Panel {
    /// Its place among the panels' keys.
    pub(super) fn id(&self) -> usize {
        self.key.map_or(0, |id| id as usize)
    }

    /// Whether no row has its keys.
    pub(super) fn is_empty(&self) -> bool {
        self.facet.is_some() && self.key.is_none()
    }

    /// Its cells, as [`Placement::of_panel`] has them; nothing where no row has its keys.
    pub(super) fn cells<'p>(&self, placement: &'p Placement) -> &'p [u32] {
        if self.is_empty() { &[] } else { placement.of_panel(self.id()) }
    }
}

//! The place of a panel among rows and columns of panels.

use super::Grid;

/// Value that the panels of one row of panels, or of one column, share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetValue {
    /// The column of the table; empty where the value is the name of a value column.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The place of the row or column: they are drawn in ascending order, and those without a panel are left out.
    pub place: usize,
}

impl FacetValue {
    /// The value as a title: `seed = 0` for numbers, and texts as they are; `drawn` is how its text is drawn.
    pub fn title(&self, drawn: &str) -> String {
        if !self.name.is_empty() && self.value.parse::<f64>().is_ok() {
            format!("{} = {drawn}", self.name)
        } else {
            drawn.to_owned()
        }
    }
}

/// The row and the column of panels that a panel is in; a side that the figure does not name has no value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facet {
    /// Its row, named at the right margin.
    pub row: Option<FacetValue>,
    /// Its column, named above the first row.
    pub column: Option<FacetValue>,
}

impl Facet {
    /// Its row and column, counted by their places.
    pub fn place(&self) -> (usize, usize) {
        let of = |value: &Option<FacetValue>| value.as_ref().map_or(0, |v| v.place);
        (of(&self.row), of(&self.column))
    }
}

impl Grid {
    /// The row and the column of panels that the panel is in.
    pub fn facet(&self) -> Option<&Facet> {
        self.facet.as_ref()
    }

    /// The text over the panel where that is not its name.
    pub fn caption(&self) -> Option<&str> {
        self.caption.as_deref()
    }

    /// Sets the text over the panel, which a figure may replace.
    pub fn set_caption(&mut self, caption: Option<String>) {
        self.caption = caption;
    }

    /// Puts the panel into a row and a column of panels. A figure is drawn by them if all its panels have some.
    pub fn set_facet(&mut self, facet: Option<Facet>) {
        self.facet = facet;
    }
}

//! How the numbers of a column are put into bins.

/// The edges of bins, as an expression gives them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cut {
    /// This many bins of equal width between the least and the greatest number.
    Equal(usize),
    /// This many bins of equal ratio between the least and the greatest number above 0.
    Ratio(usize),
    /// This many bins that hold the same number of rows.
    Quantile(usize),
    /// Bins of this width, whose edges are its multiples.
    Width(f64),
    /// These edges, ascending.
    Edges(Vec<f64>),
}

/// The most bins of a column.
pub(crate) const MOST_BINS: usize = 10_000;

impl Cut {
    /// Whether the numbers of the rows make the edges.
    pub(crate) fn needs_rows(&self) -> bool {
        !matches!(self, Cut::Edges(_))
    }
}

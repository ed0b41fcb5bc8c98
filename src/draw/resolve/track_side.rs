//! The sides of a body that tracks lie on.

/// A side of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackSide {
    /// Aligned with the rows, before the row labels.
    Left,
    /// Aligned with the rows, before the colour bar.
    Right,
    /// Aligned with the columns, under the panel's title.
    Top,
    /// Aligned with the columns, before the column labels.
    Bottom,
}

impl TrackSide {
    /// Its place among all.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether tracks of this side run along the columns.
    pub fn is_along_x(self) -> bool {
        matches!(self, Self::Top | Self::Bottom)
    }
}

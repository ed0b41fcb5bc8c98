//! Values as shares of a sum, and as standard scores.

use crate::notation::words;

words! {
    /// The sum that each value becomes a share of.
    Normalize {
        /// Of its row.
        #[default] Row = "row",
        /// Of its column.
        Column = "column",
        /// Of its panel.
        Panel = "panel",
        /// Of all panels.
        All = "all",
    }
    /// The values among which each value becomes a standard score.
    ZScore {
        /// Those of its row.
        #[default] Row = "row",
        /// Those of its column.
        Column = "column",
    }
}

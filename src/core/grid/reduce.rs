//! Which value represents several cells.

use crate::notation::words;

words! {
    /// How several cells become one pixel.
    Reduce {
        /// Arithmetic mean.
        #[default] Mean = "mean",
        /// Least.
        Min = "min",
        /// Greatest.
        Max = "max",
        /// Least or greatest, whichever is farther from the centre.
        Extreme = "extreme",
        /// Cells with a value.
        Count = "count",
    }
}

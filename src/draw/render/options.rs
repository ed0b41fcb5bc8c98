//! How a figure is prepared, where the defaults do not do.

use crate::body::Capacity;
use crate::error::Error;
use crate::resolve::Seen;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Summaries;
use gridscope_core::view::EdgeTable;
use std::fmt;

/// Folds a grid whose numbers are f32, by its index, over the pixel columns and rows of its body; gives their Summaries row
/// after row.
pub type FoldBy<'a> = dyn FnMut(usize, &EdgeTable, &EdgeTable) -> Result<Summaries, Error> + 'a;

/// Options of [`prepare_with`](super::prepare_with).
pub struct PrepareOptions<'a> {
    /// Folds the bodies of grids of f32 in place of the CPU: on a graphics device.
    pub fold: Option<&'a mut FoldBy<'a>>,
    /// The cells and pixels in memory at once; larger bodies are painted in strips.
    pub capacity: Capacity,
    /// The limits of the pictures before: automatic limits are no narrower.
    pub seen: Seen,
    /// May refuse the size of the picture before any cell is folded.
    pub check_size: &'a dyn Fn(PxSize) -> Result<(), Error>,
}

impl fmt::Debug for PrepareOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrepareOptions")
            .field("folds", &self.fold.is_some())
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

impl Default for PrepareOptions<'_> {
    fn default() -> Self {
        Self { fold: None, capacity: Capacity::default(), seen: Seen::new(), check_size: &|_| Ok(()) }
    }
}

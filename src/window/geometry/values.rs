//! Whether cells show their values.

use super::WindowGeometry;

impl WindowGeometry {
    /// Whether any panel in the window shows values in its cells.
    pub(crate) fn shows_values(&self) -> bool {
        let written = |i: usize| self.written.get(i).copied().unwrap_or(false);
        self.annotations && self.in_window().any(|(i, _)| written(i))
    }
}

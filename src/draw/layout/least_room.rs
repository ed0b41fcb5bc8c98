//! The room that a page has at least around its bodies, because another page needs it.

use super::page::Page;

/// Sizes of the room around bodies, in pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LeastRoom {
    /// The rooms of a page in its own order; empty: none is wanted.
    pub rooms: Vec<f64>,
    /// Lines of the legend.
    pub legend_lines: usize,
}

impl LeastRoom {
    /// Grows to what a page needs.
    pub(super) fn grow(&mut self, page: &mut Page) {
        let rooms = page.surroundings();
        self.rooms.resize(rooms.len(), 0.0);
        self.rooms.iter_mut().zip(rooms).for_each(|(least, room)| *least = least.max(room));
        self.legend_lines = self.legend_lines.max(page.legend_lines);
    }
}

//! The extents of cells along an axis, independent of the part that is shown.

use super::edges::EdgeTable;
use super::part::Part;
use std::ops::Range;
use std::sync::Arc;

/// The extents of an axis's cells, in cells: cell i reaches from i to i + 1 if all are equal and there are no
/// gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    cells: usize,
    /// Start and end of each cell, ascending, if they differ or have gaps.
    places: Option<Arc<[[f64; 2]]>>,
}

impl Track {
    /// Equal cells side by side.
    pub fn even(cells: usize) -> Self {
        Self { cells, places: None }
    }

    /// Cells at these places, ascending and without overlap.
    pub fn placed(places: Vec<[f64; 2]>) -> Self {
        Self { cells: places.len(), places: Some(places.into()) }
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Where the last cell ends.
    pub fn length(&self) -> f64 {
        self.places.as_ref().and_then(|p| p.last()).map_or(self.cells as f64, |p| p[1])
    }

    /// All of it.
    pub fn whole(&self) -> Part {
        Part::whole(self.length())
    }

    /// Start and end of a cell.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn extent(&self, cell: usize) -> [f64; 2] {
        self.places.as_ref().map_or([cell as f64, cell as f64 + 1.0], |p| p[cell])
    }

    /// The cells that are at least partly in a part.
    pub fn visible(&self, part: Part) -> Range<usize> {
        let first = self.ended(part.from);
        let end = match &self.places {
            Some(p) => p.partition_point(|e| e[0] < part.to),
            None => (part.to.max(0.0).ceil() as usize).min(self.cells),
        };
        first..end.max(first)
    }

    /// The number of cells that end at or before a place.
    fn ended(&self, at: f64) -> usize {
        match &self.places {
            Some(p) => p.partition_point(|e| e[1] <= at),
            None => (at.max(0.0) as usize).min(self.cells),
        }
    }

    /// The cells under each of `pixels` pixels that show a part.
    ///
    /// # Panics
    /// When a side is 0 or the part is empty.
    pub fn table(&self, part: Part, pixels: u32) -> EdgeTable {
        let Some(places) = &self.places else {
            return EdgeTable::part(self.cells as u32, part.from, part.to, pixels);
        };
        let per = f64::from(pixels) / part.len();
        // Ends of cells are rounded to ends of pixels, so that cells have sharp edges.
        let at = |v: f64| ((v - part.from) * per).round();
        EdgeTable::placed(places.iter().map(|p| [at(p[0]), at(p[1])]).collect(), pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_their_places() {
        let even = Track::even(10);
        assert_eq!(even.length(), 10.0);
        assert_eq!(even.visible(Part { from: 2.5, to: 4.0 }), 2..4);
        assert_eq!(
            (even.visible(Part { from: -5.0, to: 20.0 }), even.visible(Part { from: 12.0, to: 20.0 })),
            (0..10, 10..10)
        );
        let gaps = Track::placed(vec![[0.0, 1.0], [1.4, 2.4], [2.4, 3.4]]);
        assert_eq!(gaps.length(), 3.4);
        assert_eq!(
            (gaps.visible(Part { from: 1.1, to: 1.3 }), gaps.visible(Part { from: 0.5, to: 1.5 })),
            (1..1, 0..2)
        );
    }

    #[test]
    fn gaps_stay_gaps_in_every_part() {
        let track = Track::placed(vec![[0.0, 1.0], [1.4, 2.4], [2.4, 3.4]]);
        let t = track.table(Part { from: 0.9, to: 1.9 }, 10);
        assert_eq!(
            t.spans(),
            [[0, 1], [0, 0], [0, 0], [0, 0], [0, 0], [1, 2], [1, 2], [1, 2], [1, 2], [1, 2]]
        );
        assert_eq!((t.extent(0), t.extent(1)), ((-9.0, 1.0), (5.0, 15.0)));
        let t = track.table(Part { from: -1.0, to: 5.0 }, 6);
        assert_eq!(t.spans(), [[0, 0], [0, 1], [1, 2], [2, 3], [0, 0], [0, 0]]);
    }
}

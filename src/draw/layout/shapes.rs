//! The shapes of panels in cells, and whether panels of different shapes get cells of one size.

use super::places::Places;
use super::track::cells_wide;
use crate::resolve::Frame;

/// How the bodies of panels with different numbers of cells compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CellSize {
    /// All cells are equally large, so that panels with fewer cells are smaller.
    Shared,
    /// Each body is as large as its slot.
    Filled,
    /// Each body is as large as square cells allow in its slot.
    OwnSquare,
}

/// The numbers of cells of all panels, gaps between groups included.
#[derive(Clone, Debug)]
pub(super) struct Shapes {
    /// Columns and rows of each panel; rows count as much as they are higher than square ones.
    pub cells: Vec<(f64, f64)>,
    /// The most columns.
    pub wide: f64,
    /// The most rows.
    pub high: f64,
    /// How the panels share cell sizes.
    pub size: CellSize,
}

/// Panels share their cell size where the smallest has this share of the columns or of the rows of the largest, so that no
/// slot looks empty.
const ALIKE: f64 = 0.8;
/// The least share of the other side.
const THIN: f64 = 0.4;

impl Shapes {
    /// The shapes of the panels of a figure.
    pub(super) fn of(frame: &Frame) -> Self {
        let panels = frame.panels.iter();
        let cells: Vec<(f64, f64)> =
            panels.map(|p| (cells_wide(&p.columns), cells_wide(&p.rows) * frame.aspect)).collect();
        let (wide, high) = cells.iter().fold((1.0f64, 1.0f64), |most, c| (most.0.max(c.0), most.1.max(c.1)));
        let alike = cells.iter().all(|c| {
            let (x, y) = (c.0 / wide, c.1 / high);
            x.max(y) >= ALIKE && x.min(y) >= THIN
        });
        let spaced = frame.x.true_spacing || frame.y.true_spacing;
        let size = match (alike, frame.square) {
            (true, false) if spaced => CellSize::Filled,
            (true, _) => CellSize::Shared,
            (false, true) => CellSize::OwnSquare,
            (false, false) => CellSize::Filled,
        };
        Self { cells, wide, high, size }
    }

    /// How many of the largest bodies the columns of panels are wide together, and the rows of panels high.
    pub(super) fn bodies(&self, places: &Places) -> (f64, f64) {
        if self.size != CellSize::Shared {
            return (places.columns as f64, places.rows as f64);
        }
        let wide = |c| places.in_column(c).map(|i| self.cells[i].0).fold(0.0, f64::max);
        let high = |r| places.in_row(r).map(|i| self.cells[i].1).fold(0.0, f64::max);
        let (wide, high) =
            ((0..places.columns).map(wide).sum::<f64>(), (0..places.rows).map(high).sum::<f64>());
        (wide / self.wide, high / self.high)
    }

    /// The pixels of a panel's body in a slot, which the whole cells of its tables may not fill.
    pub(super) fn room(&self, panel: usize, slot: (u32, u32)) -> (u32, u32) {
        let (wide, high) = self.cells[panel];
        let (w, h) = (f64::from(slot.0), f64::from(slot.1));
        let at_most = |v: f64, most: u32| (v.ceil() as u32).clamp(1, most.max(1));
        let of = |cell: (f64, f64)| (at_most(cell.0 * wide, slot.0), at_most(cell.1 * high, slot.1));
        match self.size {
            CellSize::Filled => slot,
            CellSize::Shared => of((whole(w / self.wide), whole(h / self.high))),
            CellSize::OwnSquare => {
                let cell = whole((w / wide).min(h / high));
                of((cell, cell))
            }
        }
    }
}

/// The size of a cell in whole pixels, unless that loses too much.
pub(super) fn whole(size: f64) -> f64 {
    if size >= 4.0 { size.floor() } else { size }
}

//! The places of panels in the rows and columns of a page, their shapes in cells, and the axes that they share.

use super::tick_set::TickSet;
use crate::resolve::{Frame, PanelFrame, cells_wide};
use gridscope_core::grid::{Axis, Coords};
use gridscope_core::lint::Lints;
use gridscope_core::view::Part;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Which panel is in which row and column. A place may be empty.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Rows of panels.
    pub rows: usize,
    /// Columns of panels.
    pub columns: usize,
    /// The row and the column of each panel.
    of: Vec<(usize, usize)>,
    /// The panel at each place, row after row.
    at: Vec<Option<usize>>,
}

impl Places {
    /// The places of a figure's panels: those that they have, or else row after row of this many columns.
    pub(super) fn new(frame: &Frame, columns: usize) -> Self {
        let n = frame.panels.len();
        match &frame.facets {
            Some(facets) if facets.places.len() == n => Self::of(facets.places.clone()),
            _ => Self::of((0..n).map(|i| (i / columns.max(1), i % columns.max(1))).collect()),
        }
    }

    fn of(of: Vec<(usize, usize)>) -> Self {
        let most = |side: fn(&(usize, usize)) -> usize| of.iter().map(side).max().map_or(1, |last| last + 1);
        let (rows, columns) = (most(|p| p.0), most(|p| p.1));
        let mut at = vec![None; rows * columns];
        for (i, (row, column)) in of.iter().enumerate() {
            at[row * columns + column] = Some(i);
        }
        Self { rows, columns, of, at }
    }

    /// The row of a panel.
    pub(super) fn row(&self, panel: usize) -> usize {
        self.of[panel].0
    }

    /// The column of a panel.
    pub(super) fn column(&self, panel: usize) -> usize {
        self.of[panel].1
    }

    /// The panel at a place; `None` at an empty one and beyond the last.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<usize> {
        if column >= self.columns {
            return None;
        }
        self.at.get(row * self.columns + column).copied().flatten()
    }

    /// The panels of a row, from the left.
    pub(super) fn in_row(&self, row: usize) -> impl Iterator<Item = usize> {
        (0..self.columns).filter_map(move |column| self.at(row, column))
    }

    /// The panels of a column, from the top.
    pub(super) fn in_column(&self, column: usize) -> impl Iterator<Item = usize> {
        (0..self.rows).filter_map(move |row| self.at(row, column))
    }

    /// The next panel to the left.
    pub(super) fn left_of(&self, panel: usize) -> Option<usize> {
        let (row, column) = self.of[panel];
        (0..column).rev().find_map(|column| self.at(row, column))
    }

    /// The next panel below.
    pub(super) fn below(&self, panel: usize) -> Option<usize> {
        let (row, column) = self.of[panel];
        (row + 1..self.rows).find_map(|row| self.at(row, column))
    }

    /// Whether there is a panel right below.
    pub(super) fn is_above_panel(&self, panel: usize) -> bool {
        let (row, column) = self.of[panel];
        self.at(row + 1, column).is_some()
    }

    /// Whether the place to the right of some panel of a column is empty, the last column aside.
    pub(super) fn ends_row(&self, column: usize) -> bool {
        column + 1 < self.columns
            && (0..self.rows).any(|row| self.at(row, column).is_some() && self.at(row, column + 1).is_none())
    }
}

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

/// For each panel, the first panel with an equal axis, which may be the panel itself.
#[derive(Clone, Debug)]
pub(super) struct Sharing {
    /// For the axis along the bottom.
    pub x: Vec<usize>,
    /// For the axis down the side.
    pub y: Vec<usize>,
}

/// An axis and the part of it that a body shows.
type PanelAxis<'f> = (&'f Axis, Option<Part>);

impl Sharing {
    /// Compares the axes of all panels.
    pub(super) fn of(frame: &Frame) -> Self {
        let x = firsts(&frame.panels, |p| (&p.columns, p.part_x));
        let y = firsts(&frame.panels, |p| (&p.rows, p.part_y));
        Self { x, y }
    }

    /// The warnings about the labels of a panel, unless an earlier panel has the same. Those of the first panel do not name
    /// it.
    pub(super) fn lints(&self, frame: &Frame, i: usize, x: &TickSet, y: &TickSet) -> Lints {
        let mut out = Lints::default();
        for (first, labels) in [(self.x[i], x), (self.y[i], y)] {
            if first == i {
                out.append(labels.lints.clone());
            }
        }
        if i > 0 {
            out.0.iter_mut().for_each(|lint| lint.panel = Some(frame.panels[i].name.clone()));
        }
        out
    }
}

/// For each panel, the first one with an equal side. Hashing makes this linear in the number of labels.
fn firsts<'f>(panels: &'f [PanelFrame], side: impl Fn(&'f PanelFrame) -> PanelAxis<'f>) -> Vec<usize> {
    let mut met: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut out = Vec::with_capacity(panels.len());
    for (i, panel) in panels.iter().enumerate() {
        let own = side(panel);
        let alike = met.entry(hash(own)).or_default();
        let first = alike.iter().copied().find(|&j| are_equal(side(&panels[j]), own));
        if first.is_none() {
            alike.push(i);
        }
        out.push(first.unwrap_or(i));
    }
    out
}

/// Whether the same cells have the same labels at the same places. Titles and strips are not compared: each panel has its
/// own strip.
fn are_equal((a, of_a): PanelAxis<'_>, (b, of_b): PanelAxis<'_>) -> bool {
    of_a == of_b
        && (a.kind, a.len(), a.start) == (b.kind, b.len(), b.start)
        && a.coords == b.coords
        && a.levels == b.levels
}

fn hash((axis, part): PanelAxis<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (axis.kind as u8, axis.len(), axis.start).hash(&mut hasher);
    axis.levels.hash(&mut hasher);
    let coords = match &axis.coords {
        Some(Coords::Centers(v) | Coords::Edges(v)) => v.as_slice(),
        None => &[],
    };
    // Adding 0 turns -0 into 0, because the two are equal.
    let mut number = |v: f64| (v + 0.0).to_bits().hash(&mut hasher);
    coords.iter().copied().for_each(&mut number);
    if let Some(part) = part {
        number(part.from);
        number(part.to);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::{Overrides, frame};
    use gridscope_core::figure::Figure;
    use gridscope_core::grid::{Grid, Values};

    #[test]
    fn panels_flow_or_have_places() {
        let flowing = Places::of((0..5).map(|i| (i / 3, i % 3)).collect());
        assert_eq!((flowing.rows, flowing.columns), (2, 3));
        assert_eq!((flowing.below(1), flowing.below(2), flowing.left_of(4)), (Some(4), None, Some(3)));
        assert_eq!([0, 1, 2].map(|c| flowing.ends_row(c)), [false, true, false]);
        // 0 . 1
        // . . .
        // 2 3 .
        let places = Places::of(vec![(0, 0), (0, 2), (2, 0), (2, 1)]);
        assert_eq!((places.rows, places.columns), (3, 3));
        assert_eq!((places.left_of(1), places.below(0), places.below(1)), (Some(0), Some(2), None));
        assert!(!places.is_above_panel(0) && places.ends_row(0));
        assert_eq!(places.in_row(2).chain(places.in_column(2)).collect::<Vec<_>>(), [2, 3, 1]);
    }

    fn of(rows: Vec<Axis>) -> Vec<usize> {
        let grid = |rows: Axis| {
            let values = Values::F64(vec![1.0; rows.len() * 2]);
            Grid::new(rows, Axis::index("", 2), values, &[]).unwrap()
        };
        let grids: Vec<Grid> = rows.into_iter().map(grid).collect();
        Sharing::of(&frame(&Figure::default(), &Overrides::default(), &grids).unwrap()).y
    }

    #[test]
    fn axes_are_equal_if_their_labels_are() {
        let words = |w: &[&str]| w.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let names = |w: &[&str]| Axis::category("k", words(w));
        let numbers = |c: &[f64]| Axis::number("k", c.to_vec(), words(&["1", "2"]));
        let mut titled = names(&["a", "b"]);
        titled.name = "other title".to_owned();
        let rows = vec![
            names(&["a", "b"]),
            names(&["b", "a"]),
            names(&["a", "b", "c"]),
            titled,
            numbers(&[0.0, 2.0]),
            numbers(&[-0.0, 2.0]),
            numbers(&[0.5, 2.0]),
            Axis::index("", 2),
            Axis::index("", 9).slice(0..2),
            Axis::index("", 9).slice(1..3),
        ];
        assert_eq!(of(rows), [0, 1, 2, 0, 4, 4, 6, 7, 7, 9]);
    }

    #[test]
    fn one_label_makes_axes_different() {
        let axis = |i: usize| {
            let last = if i.is_multiple_of(2) { "same".to_owned() } else { format!("own {i}") };
            Axis::category("k", (0..40).map(|k| format!("label {k}")).chain([last]).collect())
        };
        let found = of((0..300).map(axis).collect());
        let want = |i: usize| if i.is_multiple_of(2) { 0 } else { i };
        assert!(found.iter().enumerate().all(|(i, first)| *first == want(i)));
    }
}

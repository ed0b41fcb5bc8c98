//! Content of a cell: its value or state, the mark that a file gives it, and the rows of a table behind it.

use super::Grid;
use super::values::Number;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;

/// A cell's number, or why it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// A number of the source's own type.
    Value(Number),
    /// No value.
    Empty(State),
}

impl Cell {
    /// The number, unless the cell is empty.
    pub fn value(self) -> Option<Number> {
        match self {
            Cell::Value(v) => Some(v),
            Cell::Empty(_) => None,
        }
    }

    /// The state of an empty cell.
    pub fn state(self) -> Option<State> {
        match self {
            Cell::Value(_) => None,
            Cell::Empty(s) => Some(s),
        }
    }

    /// The nearest f64, NaN for an empty cell.
    pub fn as_f64(self) -> f64 {
        self.value().map_or(f64::NAN, Number::as_f64)
    }
}

/// A cell without a value. Each is a NaN payload in the stored f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// A row or element without a value.
    Nan,
    /// Hidden by `--mask` or `--nodata`.
    Masked,
    /// A run that has not ended.
    Pending,
    /// A value that a baseline does not have.
    Appeared,
    /// A value that only a baseline has.
    Vanished,
    /// No row, no chunk.
    Absent,
}

/// The bit pattern of a cell without a value; the other states add to it.
const NAN_BITS: u32 = 0x7fc0_0000;

impl State {
    /// In the order in which a pixel that holds only states shows the first.
    pub const ALL: [State; 6] =
        [State::Nan, State::Masked, State::Pending, State::Appeared, State::Vanished, State::Absent];

    /// The stored bit pattern.
    pub const fn bits(self) -> u32 {
        match self {
            State::Nan => NAN_BITS,
            State::Absent => NAN_BITS | 1,
            State::Masked => NAN_BITS | 2,
            State::Pending => NAN_BITS | 3,
            State::Appeared => NAN_BITS | 4,
            State::Vanished => NAN_BITS | 5,
        }
    }

    /// The state of a stored bit pattern, `None` for a value. A foreign NaN reads as [`State::Nan`].
    pub const fn of_bits(bits: u32) -> Option<State> {
        if bits & 0x7fff_ffff <= 0x7f80_0000 {
            return None;
        }
        Some(match bits {
            0x7fc0_0001 => State::Absent,
            0x7fc0_0002 => State::Masked,
            0x7fc0_0003 => State::Pending,
            0x7fc0_0004 => State::Appeared,
            0x7fc0_0005 => State::Vanished,
            _ => State::Nan,
        })
    }

    /// Stored bits of a source's number: every NaN, whatever its payload, becomes [`State::Nan`].
    pub(super) const fn cleaned(bits: u32) -> u32 {
        if State::of_bits(bits).is_some() { State::Nan.bits() } else { bits }
    }

    /// The first of some states, which have bit [`State::index`] set, in the order of [`State::ALL`].
    pub(super) fn first_of(states: u8) -> State {
        State::ALL.into_iter().find(|s| states & (1 << s.index()) != 0).unwrap_or(State::Nan)
    }

    /// Its place in [`State::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The words of the key beside a figure.
    pub const fn key_text(self) -> &'static str {
        match self {
            State::Nan => "no value",
            State::Absent => "no data",
            State::Masked => "masked",
            State::Pending => "pending",
            State::Appeared => "not in baseline",
            State::Vanished => "only in baseline",
        }
    }
}

/// The marked cells of a grid, by mark: rows and columns in the order of the cells.
pub(super) type MarkedCells = BTreeMap<String, Arc<Vec<(u32, u32)>>>;

impl Grid {
    /// The cells that a mark names, row after row; none where it was not read.
    pub fn marked(&self, mark: &str) -> &[(u32, u32)] {
        self.marked.get(mark).map_or(&[], |cells| cells.as_slice())
    }

    /// Marks cells (row, column); those outside of the grid are left out.
    pub fn set_marked(&mut self, mark: impl Into<String>, mut cells: Vec<(u32, u32)>) {
        let (height, width) = (self.height(), self.width());
        cells.retain(|(row, column)| (*row as usize) < height && (*column as usize) < width);
        cells.sort_unstable();
        cells.dedup();
        self.marked.insert(mark.into(), Arc::new(cells));
    }

    /// The same marks of a grid whose cells come from other places.
    fn moved_marks(&self, places: impl Fn((u32, u32)) -> Vec<(u32, u32)>) -> MarkedCells {
        let moved = |cells: &Arc<Vec<(u32, u32)>>| {
            let mut out: Vec<(u32, u32)> = cells.iter().flat_map(|cell| places(*cell)).collect();
            out.sort_unstable();
            Arc::new(out)
        };
        let each = self.marked.iter();
        each.map(|(mark, cells)| (mark.clone(), moved(cells))).collect()
    }

    pub(super) fn marks_transposed(&self) -> MarkedCells {
        self.moved_marks(|(row, column)| vec![(column, row)])
    }

    pub(super) fn marks_within(&self, rows: &Range<usize>, columns: &Range<usize>) -> MarkedCells {
        self.moved_marks(|(row, column)| {
            let is_inside = rows.contains(&(row as usize)) && columns.contains(&(column as usize));
            let moved = (row.wrapping_sub(rows.start as u32), column.wrapping_sub(columns.start as u32));
            if is_inside { vec![moved] } else { Vec::new() }
        })
    }

    pub(super) fn marks_permuted(&self, rows: &[usize], columns: &[usize]) -> MarkedCells {
        if self.marked.is_empty() {
            return MarkedCells::new();
        }
        let places = |order: &[usize]| {
            let mut out: HashMap<usize, Vec<u32>> = HashMap::new();
            for (to, from) in (0..).zip(order) {
                out.entry(*from).or_default().push(to);
            }
            out
        };
        let (rows, columns) = (places(rows), places(columns));
        self.moved_marks(|(row, column)| {
            let (rows, columns) = (rows.get(&(row as usize)), columns.get(&(column as usize)));
            let of_row = |row: &u32| columns.into_iter().flatten().map(|c| (*row, *c)).collect::<Vec<_>>();
            rows.into_iter().flatten().flat_map(of_row).collect()
        })
    }
}

impl Grid {
    /// The rows with a value that a cell should have; cells of fewer are hatched.
    pub fn min_count(&self) -> Option<NonZeroU64> {
        self.min_count
    }

    /// Says how many rows with a value a cell should have; how many it has is the field `n`.
    pub fn set_min_count(&mut self, least: Option<NonZeroU64>) {
        self.min_count = least;
    }

    /// Whether the cell at `row * width + column` has fewer rows than it should; those without any are not among them.
    pub fn is_thin(&self, cell: usize) -> bool {
        let (Some(least), Some(counts)) = (self.min_count, self.fields.get("n")) else {
            return false;
        };
        counts.get(cell).is_some_and(|n| *n >= 1.0 && *n < least.get() as f64)
    }

    /// The cells with a value that have fewer rows than they should; `None` where nobody said how many these are.
    pub fn thin_cells(&self) -> Option<u64> {
        self.fields.get("n").filter(|_| self.min_count.is_some() && self.is_loaded())?;
        let has_value = |i: &usize| State::of_bits(self.cells()[*i]).is_none();
        Some((0..self.len()).filter(|i| self.is_thin(*i) && has_value(i)).count() as u64)
    }
}

/// How rows were aggregated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The aggregate: `mean`, `count`.
    pub by: String,
    /// Values of the cell with the fewest, and of that with the most.
    pub values: (u64, u64),
    /// The only column in which the rows of a cell differ.
    pub column: Option<String>,
}

impl Merged {
    /// Properties that both share.
    #[must_use]
    pub fn common(&self, other: &Merged) -> Self {
        Self {
            by: self.by.clone(),
            values: (self.values.0.min(other.values.0), self.values.1.max(other.values.1)),
            column: self.column.clone().filter(|c| Some(c) == other.column.as_ref()),
        }
    }
}

impl Grid {
    /// How rows became values; `None` where each value is that of one row.
    pub fn merged(&self) -> Option<&Merged> {
        self.merged.as_ref()
    }

    /// Says how rows became values.
    pub fn set_merged(&mut self, merged: Option<Merged>) {
        self.merged = merged;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_read_back_and_infinity_is_a_value() {
        for s in State::ALL {
            assert_eq!(State::of_bits(s.bits()), Some(s));
            assert!(f32::from_bits(s.bits()).is_nan());
        }
        assert_eq!(State::of_bits(f32::INFINITY.to_bits()), None);
        assert_eq!(State::of_bits(f32::NEG_INFINITY.to_bits()), None);
        assert_eq!(State::of_bits(0xffff_ffff), Some(State::Nan));
    }

    #[test]
    fn marks_go_with_their_cells() {
        let mut grid = Grid::from_rows(3, 4, (0..12).map(f64::from).collect()).unwrap();
        grid.set_marked("m", vec![(2, 3), (0, 1), (0, 1), (9, 0)]);
        assert_eq!(grid.marked("m"), [(0, 1), (2, 3)]);
        assert_eq!(grid.transposed().marked("m"), [(1, 0), (3, 2)]);
        assert_eq!(grid.window(1..3, 2..4).unwrap().marked("m"), [(1, 1)]);
        let moved = grid.permuted(&[2, 0], &[3, 1, 1]).unwrap();
        assert_eq!(moved.marked("m"), [(0, 0), (1, 1), (1, 2)]);
        assert!(grid.marked("other").is_empty());
    }
}

//! One cell of all indexes of an axis: their mean, the least or the greatest.

use super::grids::Plane;
use crate::budget::{Budget, OverBudget};
use gridscope_core::grid::{Buffer, CellSource, Number, Part, SourceError, Values, cores};
use std::cmp::Ordering;
use std::ops::Range;

/// What becomes of the indexes of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProjectBy {
    Mean,
    Min,
    Max,
}

impl ProjectBy {
    /// Their words.
    pub(crate) const WORDS: [(&'static str, Self); 3] =
        [("mean", Self::Mean), ("min", Self::Min), ("max", Self::Max)];

    pub(super) fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|known| known.0 == word).map(|known| known.1)
    }

    pub(super) fn word(self) -> &'static str {
        Self::WORDS.iter().find(|known| known.1 == self).map_or("", |known| known.0)
    }
}

/// An axis whose indexes become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Projected {
    pub axis: usize,
    pub length: usize,
    pub by: ProjectBy,
}

impl Projected {
    /// What its cells are, `max over time`; `axis` is its name, if it has one.
    pub(super) fn name(self, axis: &str) -> String {
        let over = if axis.is_empty() { format!("axis {}", self.axis) } else { axis.to_owned() };
        format!("{} over {over}", self.by.word())
    }
}

/// A plane whose cells are of all indexes of an axis. NaN, absent cells and the number that marks masked ones do not count; a cell
/// that has nothing else is what it is at its last index that is not absent.
#[derive(Debug)]
pub(super) struct Projection {
    pub plane: Plane,
    pub of: Projected,
    /// Cells that are folded at once, unless a row has more.
    pub strip: usize,
    /// The number that marks masked cells.
    pub nodata: Option<f64>,
}

impl CellSource for Projection {
    fn rows(&self) -> usize {
        self.plane.rows()
    }

    fn columns(&self) -> usize {
        self.plane.columns()
    }

    fn buffer(&self) -> Buffer {
        match self.of.by {
            ProjectBy::Mean => Buffer::F64(Vec::new()),
            ProjectBy::Min | ProjectBy::Max => self.plane.buffer(),
        }
    }

    fn has_absent(&self) -> bool {
        self.plane.has_absent()
    }

    fn read_absent(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        absent.clear();
        *into = self.buffer();
        let (width, by) = (columns.len(), self.of.by);
        let height = (self.strip / width.max(1)).max(1);
        for top in rows.clone().step_by(height) {
            let cells = self.strip(top..(top + height).min(rows.end), columns.clone())?;
            let first = (top - rows.start) * width;
            for (i, _) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_present) {
                let (row, column) = ((first + i) / width, (first + i) % width);
                absent.push((row..row + 1, column..column + 1));
            }
            extend(into, cells.iter().map(|cell| cell.number(by)));
        }
        Ok(())
    }
}

/// The most cells that a thread folds at once, unless a row has more.
const STRIP: usize = 1 << 16;
/// Bytes of each: the cell, its number at an index, and whether it has one there.
const FOLDED: u64 = (size_of::<Cell>() + size_of::<f64>() + size_of::<bool>()) as u64;

/// The cells of a plane with these sides that a thread folds at once; the budget holds those of all threads from now on.
///
/// # Errors
/// When fewer bytes are left.
pub(super) fn strip_within(budget: &Budget, sides: [usize; 2]) -> Result<usize, OverBudget> {
    let each = FOLDED * cores() as u64;
    let strip = budget.shares(each).min(STRIP);
    let folded = sides[0].saturating_mul(sides[1]).min(strip.max(sides[0]).max(sides[1]));
    budget.take(each.saturating_mul(folded as u64))?;
    Ok(strip)
}

impl Projection {
    /// The cells of some rows, of all indexes.
    fn strip(&self, rows: Range<usize>, columns: Range<usize>) -> Result<Vec<Cell>, SourceError> {
        let width = columns.len();
        let mut cells = vec![Cell::default(); rows.len() * width];
        let mut parts = Vec::new();
        for index in 0..self.of.length {
            parts.clear();
            let mut buffer = self.plane.buffer();
            let plane = self.plane.at(self.of.axis, index);
            plane.read_absent(rows.clone(), columns.clone(), &mut buffer, &mut parts)?;
            let mut is_absent = vec![false; cells.len()];
            for (rows, columns) in &parts {
                rows.clone().for_each(|row| is_absent[row * width..][columns.clone()].fill(true));
            }
            let values = Values::from(buffer);
            for (i, cell) in cells.iter_mut().enumerate().filter(|(i, _)| !is_absent[*i]) {
                cell.is_present = true;
                let number = values.get(i);
                let is_nan = matches!(number, Number::F64(v) if v.is_nan());
                if is_nan || self.nodata.is_some_and(|nodata| values.is_nodata(i, nodata)) {
                    cell.other = Some(number);
                } else {
                    cell.add(number, self.of.by);
                }
            }
        }
        Ok(cells)
    }
}

/// Appends numbers in the type of a buffer.
fn extend(buffer: &mut Buffer, numbers: impl Iterator<Item = Number>) {
    match buffer {
        Buffer::F32 { bits, .. } => bits.extend(numbers.map(|n| (n.as_f64() as f32).to_bits())),
        Buffer::F64(all) => all.extend(numbers.map(Number::as_f64)),
        Buffer::I64(all) => all.extend(numbers.map(|n| if let Number::I64(v) = n { v } else { 0 })),
        Buffer::U64(all) => all.extend(numbers.map(|n| if let Number::U64(v) = n { v } else { 0 })),
    }
}

/// A cell of the indexes so far.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// It is not absent at some index.
    is_present: bool,
    /// How many numbers it has.
    count: u64,
    /// The least or the greatest of them.
    extreme: Option<Number>,
    /// The last that does not count.
    other: Option<Number>,
    /// The sum of whole numbers, and of others with what rounding took from it.
    whole: i128,
    sum: f64,
    lost: f64,
    /// Their mean, less exact, where the sum is beyond f64.
    mean: f64,
}

impl Cell {
    fn add(&mut self, number: Number, by: ProjectBy) {
        self.count += 1;
        let is_better = |than: Number| match by {
            ProjectBy::Min => number.compare(than).is_some_and(Ordering::is_lt),
            _ => number.compare(than).is_some_and(Ordering::is_gt),
        };
        match (by, number) {
            (ProjectBy::Min | ProjectBy::Max, _) => {
                if self.extreme.is_none_or(is_better) {
                    self.extreme = Some(number);
                }
            }
            (ProjectBy::Mean, Number::I64(v)) => self.whole += i128::from(v),
            (ProjectBy::Mean, Number::U64(v)) => self.whole += i128::from(v),
            (ProjectBy::Mean, Number::F64(v)) => {
                // Neumaier's sum.
                let sum = self.sum + v;
                self.lost += if self.sum.abs() >= v.abs() { self.sum - sum + v } else { v - sum + self.sum };
                self.sum = sum;
                let count = self.count as f64;
                self.mean += v / count - self.mean / count;
            }
        }
    }

    /// The number of the cell; without one that counts what stands for none.
    fn number(&self, by: ProjectBy) -> Number {
        let none = Number::F64(f64::NAN);
        match by {
            ProjectBy::Min | ProjectBy::Max => self.extreme.or(self.other).unwrap_or(none),
            ProjectBy::Mean if self.count == 0 => none,
            ProjectBy::Mean => {
                let sum = self.whole as f64 + self.sum + self.lost;
                Number::F64(match (self.sum.is_finite(), self.mean.is_finite()) {
                    (true, _) => sum / self.count as f64,
                    (false, true) => self.mean,
                    (false, false) => self.sum,
                })
            }
        }
    }
}

//! One cell of all indexes of an axis: their mean, the least or the greatest.

use super::grids::Plane;
use gridscope_core::grid::{Buffer, CellSource, Number, Part, SourceError, Values};
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

/// A plane whose cells are of all indexes of an axis. NaN, absent cells and the number that marks masked ones do not count; a cell of
/// nothing else is what its last index is.
#[derive(Debug)]
pub(super) struct Projection {
    pub plane: Plane,
    pub of: Projected,
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

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        self.read_absent(rows, columns, into, &mut Vec::new())
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
        let width = columns.len();
        let mut cells = vec![Cell::default(); rows.len() * width];
        let (mut last, mut parts) = (Values::from(self.buffer()), Vec::new());
        for index in 0..self.of.length {
            parts.clear();
            let mut buffer = self.plane.buffer();
            self.plane.at(self.of.axis, index).read_absent(
                rows.clone(),
                columns.clone(),
                &mut buffer,
                &mut parts,
            )?;
            let mut is_absent = vec![false; cells.len()];
            for (rows, columns) in &parts {
                rows.clone().for_each(|row| is_absent[row * width..][columns.clone()].fill(true));
            }
            last = Values::from(buffer);
            for (i, cell) in cells.iter_mut().enumerate().filter(|(i, _)| !is_absent[*i]) {
                cell.is_present = true;
                let number = last.get(i);
                let is_nan = matches!(number, Number::F64(v) if v.is_nan());
                if !is_nan && !self.nodata.is_some_and(|nodata| last.is_nodata(i, nodata)) {
                    cell.add(number, self.of.by);
                }
            }
        }
        let empty = |i: usize| match self.of.by {
            ProjectBy::Mean => Number::F64(f64::NAN),
            ProjectBy::Min | ProjectBy::Max => last.get(i),
        };
        let numbers =
            cells.iter().enumerate().map(|(i, cell)| cell.number(self.of.by).unwrap_or_else(|| empty(i)));
        *into = self.stored(numbers);
        let gone = cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_present)
            .map(|(i, _)| (i / width, i % width));
        absent.extend(gone.map(|(row, column)| (row..row + 1, column..column + 1)));
        Ok(())
    }
}

impl Projection {
    /// Numbers in the type of this source.
    fn stored(&self, numbers: impl Iterator<Item = Number>) -> Buffer {
        match self.buffer() {
            Buffer::F32 { integer, .. } => {
                Buffer::F32 { bits: numbers.map(|n| (n.as_f64() as f32).to_bits()).collect(), integer }
            }
            Buffer::F64(_) => Buffer::F64(numbers.map(Number::as_f64).collect()),
            Buffer::I64(_) => {
                Buffer::I64(numbers.map(|n| if let Number::I64(v) = n { v } else { 0 }).collect())
            }
            Buffer::U64(_) => {
                Buffer::U64(numbers.map(|n| if let Number::U64(v) = n { v } else { 0 }).collect())
            }
        }
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

    /// None without numbers.
    fn number(&self, by: ProjectBy) -> Option<Number> {
        match by {
            ProjectBy::Min | ProjectBy::Max => self.extreme,
            ProjectBy::Mean if self.count == 0 => None,
            ProjectBy::Mean => {
                let sum = self.whole as f64 + self.sum + self.lost;
                Some(Number::F64(match (self.sum.is_finite(), self.mean.is_finite()) {
                    (true, _) => sum / self.count as f64,
                    (false, true) => self.mean,
                    (false, false) => self.sum,
                }))
            }
        }
    }
}

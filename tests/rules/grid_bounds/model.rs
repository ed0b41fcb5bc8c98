//! Random grids as plain rows of numbers and as grids of the library; places, ranges and spans near their ends.

use crate::support::random::Random;
use gridscope::Grid;
use gridscope::grid::{Buffer, CellSource, SourceError};
use std::ops::Range;
use std::sync::Arc;

/// The number of values and of NaN cells, the least and the greatest value.
pub type Counted = (u64, u64, Option<f64>, Option<f64>);

/// A value that only cells outside of a grid have.
const OUTSIDE: f64 = -1e6;

/// Pseudo-random numbers, the same in every run.
pub struct Dice(pub Random);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// An index near the ends of a side of `n` cells.
    pub fn index(&mut self, n: usize) -> usize {
        match self.below(12) {
            0 => n,
            1 => n + 1,
            2 => usize::MAX - self.below(2),
            3 => u32::MAX as usize,
            4 => 0,
            _ => self.below(n),
        }
    }

    pub fn range(&mut self, n: usize) -> Range<usize> {
        self.index(n)..self.index(n)
    }

    pub fn spans(&mut self, n: usize) -> Vec<[u32; 2]> {
        let end = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
        (0..self.below(4)).map(|_| [end(self.index(n)), end(self.index(n))]).collect()
    }
}

/// A source of numbers that are not loaded, as in a file.
#[derive(Debug)]
pub struct Plane {
    pub width: usize,
    pub numbers: Vec<f64>,
}

impl CellSource for Plane {
    fn rows(&self) -> usize {
        self.numbers.len() / self.width
    }

    fn columns(&self) -> usize {
        self.width
    }

    fn buffer(&self) -> Buffer {
        Buffer::F64(Vec::new())
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        *into = Buffer::F64(
            rows.flat_map(|r| self.numbers[r * self.width..][..self.width][columns.clone()].to_vec())
                .collect(),
        );
        Ok(())
    }
}

/// The cells of a grid in plain rows; NaN is a cell without a value.
pub struct Model {
    pub height: usize,
    pub width: usize,
    numbers: Vec<f64>,
}

impl Model {
    pub fn random(dice: &mut Dice) -> Self {
        let (height, width) = (1 + dice.below(6), 1 + dice.below(6));
        let numbers = (0..height * width)
            .map(|_| if dice.below(6) == 0 { f64::NAN } else { dice.below(1000) as f64 })
            .collect();
        Self { height, width, numbers }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.numbers[row * self.width + column]
    }

    /// The cells of some rows and columns, by plain indexing.
    pub fn part(&self, rows: Range<usize>, columns: Range<usize>) -> Vec<f64> {
        rows.flat_map(|r| columns.clone().map(move |c| (r, c))).map(|(r, c)| self.at(r, c)).collect()
    }

    /// The same cells in memory, in a source, in a transposed source, and in a part of a larger source or grid.
    pub fn grids(&self) -> Vec<Grid> {
        let (h, w) = (self.height, self.width);
        let stored =
            |width: usize, numbers: Vec<f64>| Grid::stored(Arc::new(Plane { width, numbers }), None).unwrap();
        let turned = (0..w).flat_map(|c| (0..h).map(move |r| (r, c))).map(|(r, c)| self.at(r, c)).collect();
        let inside = |r: usize, c: usize| (1..=h).contains(&r) && (2..2 + w).contains(&c);
        let larger = (0..h + 3).flat_map(|r| (0..w + 4).map(move |c| (r, c)));
        let larger: Vec<f64> =
            larger.map(|(r, c)| if inside(r, c) { self.at(r - 1, c - 2) } else { OUTSIDE }).collect();
        let held = Grid::from_rows(h + 3, w + 4, larger.clone()).unwrap();
        let cut = |g: Grid| g.window(1..1 + h, 2..2 + w).unwrap();
        vec![
            Grid::from_rows(h, w, self.numbers.clone()).unwrap(),
            stored(w, self.numbers.clone()),
            stored(h, turned).transposed(),
            cut(held),
            cut(stored(w + 4, larger)),
        ]
    }
}

/// The tally of some cells.
pub fn counted(list: &[f64]) -> Counted {
    let held = || list.iter().copied().filter(|v| !v.is_nan());
    let values = held().count() as u64;
    (values, list.len() as u64 - values, held().reduce(f64::min), held().reduce(f64::max))
}

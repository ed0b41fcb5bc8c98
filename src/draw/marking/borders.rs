//! Lines along the borders of tiles, found row by row and joined where they run on straight.

/// A straight line along borders of tiles, which are counted from 0 at the left and the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whether it runs from left to right; otherwise from top to bottom.
    pub is_horizontal: bool,
    /// The border that it runs on: that before this row, or before this column.
    pub at: u32,
    /// The first tile that it passes, and the one after its last.
    pub along: [u32; 2],
}

/// Class of a tile: the side of a line that it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Class {
    /// Nothing: no line of levels runs beside it, and a region ends there.
    #[default]
    None,
    /// Below the level, or not in the region.
    Lower,
    /// At the level or above it, or in the region.
    Upper,
}

/// Which neighbouring tiles a line separates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Between {
    /// Values on both sides of a level.
    Values,
    /// A region and everything else, the outside of the body too.
    Region,
}

impl Between {
    fn separates(self, a: Class, b: Class) -> bool {
        match self {
            Self::Values => matches!((a, b), (Class::Lower, Class::Upper) | (Class::Upper, Class::Lower)),
            Self::Region => (a == Class::Upper) != (b == Class::Upper),
        }
    }
}

/// The borders between the tiles of a body, taken row by row.
#[derive(Debug)]
pub(super) struct Borders {
    between: Between,
    /// The most pieces that are kept.
    most: usize,
    above: Vec<Class>,
    /// Of each border between columns the row in which its line began.
    open: Vec<Option<u32>>,
    rows: u32,
    pieces: Vec<Piece>,
    /// All pieces.
    pub count: u64,
}

impl Borders {
    pub(super) fn new(between: Between, columns: usize, most: usize) -> Self {
        Self {
            between,
            most,
            above: vec![Class::None; columns],
            open: vec![None; columns + 1],
            rows: 0,
            pieces: Vec::new(),
            count: 0,
        }
    }

    fn push(&mut self, is_horizontal: bool, at: u32, along: [u32; 2]) {
        self.count += 1;
        if self.pieces.len() < self.most {
            self.pieces.push(Piece { is_horizontal, at, along });
        }
    }

    /// Takes the next row.
    pub(super) fn row(&mut self, classes: &[Class]) {
        let (n, row) = (classes.len(), self.rows);
        let mut run: Option<u32> = None;
        for j in 0..=n {
            let parts = classes.get(j).is_some_and(|c| self.between.separates(self.above[j], *c));
            match (parts, run) {
                (true, None) => run = Some(j as u32),
                (false, Some(from)) => {
                    self.push(true, row, [from, j as u32]);
                    run = None;
                }
                _ => {}
            }
        }
        for j in 0..=n {
            let left = if j > 0 { classes[j - 1] } else { Class::None };
            let right = classes.get(j).copied().unwrap_or_default();
            match (self.between.separates(left, right), self.open[j]) {
                (true, None) => self.open[j] = Some(row),
                (false, Some(from)) => {
                    self.push(false, j as u32, [from, row]);
                    self.open[j] = None;
                }
                _ => {}
            }
        }
        self.above.copy_from_slice(classes);
        self.rows += 1;
    }

    /// The lines; none where they are more than are kept.
    pub(super) fn finish(mut self) -> (Vec<Piece>, u64) {
        let nothing = vec![Class::None; self.above.len()];
        self.row(&nothing);
        if self.count > self.most as u64 {
            self.pieces.clear();
        }
        (self.pieces, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn borders(between: Between, rows: &[&str]) -> Vec<(bool, u32, [u32; 2])> {
        let class = |c: char| match c {
            '.' => Class::Lower,
            '#' => Class::Upper,
            _ => Class::None,
        };
        let mut borders = Borders::new(between, rows[0].len(), 100);
        for row in rows {
            borders.row(&row.chars().map(class).collect::<Vec<_>>());
        }
        let (pieces, count) = borders.finish();
        assert_eq!(pieces.len() as u64, count);
        let mut out: Vec<_> = pieces.iter().map(|p| (p.is_horizontal, p.at, p.along)).collect();
        out.sort_unstable();
        out
    }

    #[test]
    fn regions_are_closed_and_levels_end_at_the_edge() {
        let rows = ["##.", "##.", "..."];
        assert_eq!(borders(Between::Values, &rows), [(false, 2, [0, 2]), (true, 2, [0, 2])]);
        assert_eq!(
            borders(Between::Region, &rows),
            [(false, 0, [0, 2]), (false, 2, [0, 2]), (true, 0, [0, 2]), (true, 2, [0, 2])]
        );
        // A state parts no values, and ends a region.
        assert_eq!(borders(Between::Values, &["# .", ".# "]), [(false, 1, [1, 2]), (true, 1, [0, 1])]);
        assert_eq!(borders(Between::Region, &[" # "]).len(), 4);
    }
}

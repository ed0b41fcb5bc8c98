//! The words of a cell on the device: its stored bits, or the key of a number that f32 does not hold.

use gridscope_core::grid::{Grid, Held, Kind, MARKS, SourceError};
use std::ops::Range;

/// How cells lie on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// The stored bits.
    Bits,
    /// Two words, the low one first: the key of a number of a wide kind, or a state by the mark of this index.
    Keys(Kind, usize),
}

impl Encoding {
    /// The one for a grid; a mark that one of its numbers has is found out on the way.
    pub(super) fn of(grid: &Grid) -> Self {
        if grid.kind().is_wide() { Encoding::Keys(grid.kind(), 0) } else { Encoding::Bits }
    }

    /// Words of a cell.
    pub(super) fn words(self) -> u64 {
        match self {
            Encoding::Bits => 1,
            Encoding::Keys(..) => 2,
        }
    }

    /// Bytes of a cell.
    pub(super) fn bytes(self) -> u64 {
        self.words() * 4
    }

    /// The kind of numbers and the high word of states, where cells have two words.
    pub(super) fn keys(self) -> Option<(Kind, u32)> {
        match self {
            Encoding::Bits => None,
            Encoding::Keys(kind, mark) => Some((kind, MARKS[mark])),
        }
    }

    /// Reads the words of a window, row after row.
    pub(super) fn read(
        self,
        grid: &Grid,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Result<(Vec<u32>, Held), SourceError> {
        let mut words = vec![0; rows.len() * columns.len() * self.words() as usize];
        let held = match self {
            Encoding::Bits => grid.read(rows, columns, &mut words).map(|()| Held::default()),
            Encoding::Keys(_, mark) => grid.read_words(rows, columns, mark, &mut words),
        };
        held.map(|held| (words, held))
    }

    /// The encoding that tells all numbers of a grid from its states, by what it holds; `None` where none does.
    pub(super) fn that_holds(self, held: Held) -> Option<Self> {
        match self {
            Encoding::Bits => Some(self),
            Encoding::Keys(kind, mark) => held.mark(mark).map(|mark| Encoding::Keys(kind, mark)),
        }
    }
}

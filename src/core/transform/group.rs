//! Cells that are looked at together: those of a row, of a column, of a panel.

use crate::figure::{Normalize, RankOf, ZScore};
use crate::grid::Grid;
use crate::lint::{LintName, Lints};
use std::ops::Range;

/// Which cells are looked at together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Row,
    Column,
    Panel,
    All,
}

impl From<Normalize> for Group {
    fn from(word: Normalize) -> Self {
        match word {
            Normalize::Row | Normalize::MinMaxRow => Self::Row,
            Normalize::Column | Normalize::MinMaxColumn => Self::Column,
            Normalize::Panel | Normalize::MinMaxPanel => Self::Panel,
            Normalize::All | Normalize::MinMaxAll => Self::All,
        }
    }
}

impl From<RankOf> for Group {
    fn from(word: RankOf) -> Self {
        match word {
            RankOf::Row => Self::Row,
            RankOf::Column => Self::Column,
            RankOf::Panel => Self::Panel,
            RankOf::All => Self::All,
        }
    }
}

impl From<ZScore> for Group {
    fn from(word: ZScore) -> Self {
        match word {
            ZScore::Row => Self::Row,
            ZScore::Column => Self::Column,
        }
    }
}

impl Group {
    /// Its word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Panel => "panel",
            Self::All => "all",
        }
    }

    /// How many groups panels of these sides (rows, columns) make, and the first group of each panel.
    pub(super) fn count(self, grids: &[Grid]) -> (usize, Vec<usize>) {
        let mut next = 0;
        let first = grids
            .iter()
            .map(|grid| {
                let first = next;
                next += match self {
                    Self::Row => grid.height(),
                    Self::Column => grid.width(),
                    Self::Panel => 1,
                    Self::All => 0,
                };
                first
            })
            .collect();
        (if self == Self::All { 1 } else { next }, first)
    }

    /// The group of a cell within its panel.
    pub(super) fn of(self, row: usize, column: usize) -> usize {
        match self {
            Self::Row => row,
            Self::Column => column,
            Self::Panel | Self::All => 0,
        }
    }

    /// The groups of a panel, from its first one on.
    pub(super) fn within(self, first: usize, grid: &Grid) -> Range<usize> {
        match self {
            Self::Row => first..first + grid.height(),
            Self::Column => first..first + grid.width(),
            Self::Panel | Self::All => first..first + 1,
        }
    }

    /// A group in words: `row a`, `the panel`.
    fn name(self, grid: &Grid, of: usize) -> String {
        match self {
            Self::Row => format!("row {}", grid.rows().label(of)),
            Self::Column => format!("column {}", grid.columns().label(of)),
            Self::Panel => "the panel".to_owned(),
            Self::All => "all panels".to_owned(),
        }
    }

    /// Reports the groups of a panel for which `why` has a reason why their cells lose their value: how many cells and
    /// groups, and the first.
    pub(super) fn report(
        self,
        grid: &Grid,
        lost: u64,
        groups: impl Iterator<Item = (usize, &'static str)>,
        lints: &mut Lints,
    ) {
        let mut groups = groups.peekable();
        let Some(&(first, why)) = groups.peek() else {
            return;
        };
        let more = groups.count() - 1;
        let mut text = format!(
            "{} no value: {} {why}",
            if lost == 1 { "1 cell has".to_owned() } else { format!("{lost} cells have") },
            self.name(grid, first)
        );
        if more > 0 {
            text.push_str(&format!(", and {more} more {}s", self.word()));
        }
        lints.add_panel(LintName::Undefined, grid.name(), lost, text);
    }
}

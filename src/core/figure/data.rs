//! Where the values of a figure come from, and which cells of a grid are read.

use super::aggregate::{Agg, Better};
use super::compare::{Baseline, Compare, Normalize, PairedTest, RankOf, ZScore};
use super::header::Header;
use super::mark::Masks;
use super::table_number::TableNumber;
use super::text::{Correlation, List, TableKind};
use crate::notation::{Literal, Notation, ParseError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// Where the values come from and how rows become cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// One file or several.
    pub file: Option<List>,
    /// The address of a database, `duckdb:runs.duckdb` or `postgresql://host/name`, without a password.
    pub db: Option<String>,
    /// A query for the rows of a database.
    pub sql: Option<String>,
    /// The table or view of a database, `runs` or `schema.runs`.
    pub from: Option<String>,
    /// Columns of the table for the horizontal axis; several nest.
    pub x: Option<List>,
    /// Columns of the table for the vertical axis; several nest.
    pub y: Option<List>,
    /// The column of the values; several make a panel each.
    pub value: Option<List>,
    /// The column whose values make the panels, or `axis:N` of an array, where N may be the name of an axis; of several columns
    /// each combination of values that occurs makes one.
    pub panel: Option<List>,
    /// The column whose values are rows of panels, named at the right margin.
    pub panel_row: Option<String>,
    /// The column whose values are columns of panels, named above the first row.
    pub panel_column: Option<String>,
    /// Whether panels of `panel_row` and `panel_column` without any row of the table are left out.
    pub drop_empty: Option<bool>,
    /// How several rows of one cell are merged: `mean`, `std`, `q25`, `ci95`.
    pub agg: Option<Agg>,
    /// Which values are better, for `best` and `worst`: `higher` or `lower`.
    pub better: Option<Better>,
    /// Cells of fewer rows with a value are hatched.
    pub min_count: Option<NonZeroU64>,
    /// The shape of the table.
    pub table: Option<TableKind>,
    /// Whether rows and columns are swapped.
    pub transpose: Option<bool>,
    /// Conditions `COL OP VALUE` that a row must meet.
    #[serde(rename = "where")]
    pub filter: Option<List>,
    /// A condition that marks the cell of a row as pending.
    pub pending: Option<String>,
    /// `upper`, `lower`, a condition on cells such as `p > 0.05`, or a file of 0 and 1 (1 hides).
    pub mask: Option<Masks>,
    /// Baseline subtracted from each value: `file:PATH`, `panel:NAME`, `COLUMN=VALUE`, or one word that is only one of these.
    pub minus: Option<Literal<Baseline>>,
    /// Baseline that each value is divided by, as `minus`.
    pub ratio: Option<Literal<Baseline>>,
    /// Baseline for changes in per cent, as `minus`.
    pub percent: Option<Literal<Baseline>>,
    /// Baseline drawn beside the values, with the difference in a third panel, as `minus`.
    pub against: Option<Literal<Baseline>>,
    /// Whether the rows or columns of the baseline, which are without a difference, are left out.
    pub drop_baseline: Option<bool>,
    /// The test whether differences from a baseline are more than the noise of paired replicates: cells get stars.
    pub paired: Option<PairedTest>,
    /// The column that pairs the replicates, such as `seed`.
    pub pair_by: Option<String>,
    /// The whole of which each value becomes a share: the sum of its `row`, `column`, `panel`, or of `all` panels.
    pub normalize: Option<Normalize>,
    /// Where values become standard scores, their distance from the mean in standard deviations: in each `row` or `column`.
    pub z_score: Option<ZScore>,
    /// The values among which each value becomes its rank; 1 is the greatest, or the least where lower is better.
    pub rank: Option<RankOf>,
    /// An array's name in a file of several, or its path in a store; several with commas between, or `*` and `?`: a panel each.
    pub key: Option<String>,
    /// `AXIS=INDEX` for arrays of more than two dimensions; AXIS is a number or a name.
    pub slice: Option<List>,
    /// Whether the first line of a table is a header, or how many lines are.
    pub header: Option<Header>,
    /// The text at the beginning of lines that are no part of a table, or `none`.
    pub comment: Option<String>,
    /// Lines before the header of a table of text, which are passed over.
    pub skip_rows: Option<u64>,
    /// Whether the row under the header has units and no values.
    pub units_row: Option<bool>,
    /// The character between fields, or `blanks` for any number of blanks and tabs.
    pub delimiter: Option<String>,
    /// The sign before the fraction of numbers: `.` or `,`.
    pub decimal: Option<String>,
    /// The sign that parts thousands: `,`, `.`, `'`, `_` or a space.
    pub thousands: Option<String>,
    /// Texts that mean a missing value, besides the usual ones.
    pub missing: Option<List>,
    /// The key of rows whose key is empty: `drop` leaves them out.
    pub blank_key: Option<String>,
    /// Whether dates such as `3/4/2024` have the day first.
    pub day_first: Option<bool>,
    /// Whether dates such as `3/4/2024` have the month first.
    pub month_first: Option<bool>,
    /// Whether numbers of arrays are shown as they are stored, without their scale, offset and fill value.
    pub raw_values: Option<bool>,
    /// The sheet of a workbook, by its name.
    pub sheet: Option<String>,
    /// Which of several tables in a text is read: one, from 1, or all that hold numbers.
    pub table_number: Option<TableNumber>,
    /// The columns of a table against each other: how far each two vary together.
    pub correlate: Option<Correlation>,
    /// A number that means a masked cell.
    pub nodata: Option<f64>,
    /// Type and size of a file of bare numbers: `f32le 4096x4096` (columns x rows).
    pub raw: Option<String>,
    /// Whether JSON may hold NaN and Infinity, as Python writes them.
    pub json_nan: Option<bool>,
}

impl Data {
    /// The comparisons that are asked for: a figure has one.
    pub fn comparisons(&self) -> impl Iterator<Item = (Compare, &Literal<Baseline>)> {
        let all = [
            (Compare::Minus, &self.minus),
            (Compare::Ratio, &self.ratio),
            (Compare::Percent, &self.percent),
            (Compare::Against, &self.against),
        ];
        all.into_iter().filter_map(|(how, base)| Some((how, base.as_ref()?)))
    }

    /// All baselines.
    pub fn baselines_mut(&mut self) -> [&mut Option<Literal<Baseline>>; 4] {
        [&mut self.minus, &mut self.ratio, &mut self.percent, &mut self.against]
    }

    /// The texts of all keys that make panels: columns of a table, axes of an array.
    pub fn panel_names(&self) -> impl Iterator<Item = &str> {
        let listed = self.panel.iter().flat_map(|List(names)| names);
        listed.chain(&self.panel_row).chain(&self.panel_column).map(String::as_str)
    }

    /// Whether the panels are in rows and columns by the values of columns.
    pub fn has_facets(&self) -> bool {
        self.panel_row.is_some() || self.panel_column.is_some()
    }
}

/// Row or column indices from `start` up to `end`, which is excluded: `2:5`; an end left out is that of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellRange {
    /// The first index.
    pub start: Option<usize>,
    /// The index after the last one.
    pub end: Option<usize>,
}

/// Reads `A:B`, where either may be left out.
impl FromStr for CellRange {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let side = |t: &str| match t.trim() {
            "" => Some(None),
            t => t.parse().ok().map(Some),
        };
        let ends = text.split_once(':').and_then(|(a, b)| Some((side(a)?, side(b)?)));
        let wrong = |reason| Err(ParseError::new(Notation::CellRange, text, reason));
        match ends {
            None => wrong("give two indices from 0, as 0:10"),
            Some((Some(a), Some(b))) if a >= b => wrong("it is empty; A:B ends before B"),
            Some((start, end)) => Ok(Self { start, end }),
        }
    }
}

impl fmt::Display for CellRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |index: Option<usize>| index.map(|i| i.to_string()).unwrap_or_default();
        write!(f, "{}:{}", side(self.start), side(self.end))
    }
}

/// The cell in the middle of the part that is read: `max`, `min` or `ROW,COLUMN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Around {
    /// The first greatest value of any grid.
    Max,
    /// The first least value of any grid.
    Min,
    /// This cell.
    Cell {
        /// Its row, counted from 0.
        row: usize,
        /// Its column, counted from 0.
        column: usize,
    },
}

impl FromStr for Around {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let index = |t: &str| t.trim().parse().ok();
        match text {
            "max" => Ok(Self::Max),
            "min" => Ok(Self::Min),
            text => text
                .split_once(',')
                .and_then(|(r, c)| Some((index(r)?, index(c)?)))
                .map(|(row, column)| Self::Cell { row, column })
                .ok_or_else(|| ParseError::new(Notation::Around, text, "give max, min or ROW,COLUMN")),
        }
    }
}

impl fmt::Display for Around {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Max => f.write_str("max"),
            Self::Min => f.write_str("min"),
            Self::Cell { row, column } => write!(f, "{row},{column}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_print_as_they_are_read() {
        for text in ["0:3", "4:", ":7", ":"] {
            assert_eq!(text.parse::<CellRange>().unwrap().to_string(), text);
        }
        for bad in ["-1:3", "3:1", "2:2", "3", "a:b", "", "1:2:3", "0:99999999999999999999"] {
            assert_eq!(bad.parse::<CellRange>().unwrap_err().kind, Notation::CellRange, "{bad}");
        }
    }

    #[test]
    fn places_print_as_they_are_read() {
        for text in ["max", "min", "2,3"] {
            assert_eq!(text.parse::<Around>().unwrap().to_string(), text);
        }
        assert_eq!("2, 3".parse(), Ok(Around::Cell { row: 2, column: 3 }));
        for bad in ["peak", "-1,0", "1", "1,2,3"] {
            assert_eq!(bad.parse::<Around>().unwrap_err().kind, Notation::Around, "{bad}");
        }
    }
}

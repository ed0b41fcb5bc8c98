//! Tables to grids: keys, aggregation, and which kind of table it is.

mod dates;
mod keys;
mod filter;
mod axes;
mod aggregate;
mod tidy;
mod wide;
mod profile;
mod runs;
mod numerals;
mod explain;
mod factors;
mod first_column;
mod columns;
mod correlate;
mod suggest;
mod unlike;
mod derive;
mod read;

pub(crate) use dates::{DateReading, report_day_first};
pub(crate) use derive::Opened;
pub(crate) use filter::Condition;
pub(crate) use keys::renamed;
pub(crate) use read::read_all;
#[cfg(any(feature = "parquet", feature = "arrow"))]
pub(crate) use suggest::{are_open, axes};
#[cfg(any(feature = "parquet", feature = "arrow"))]
pub(crate) use tidy::{names as names_of, statistics as statistics_of};

#[cfg(test)]
mod tests;

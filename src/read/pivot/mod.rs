//! Tables to grids: keys, aggregation, and which kind of table it is.

mod dates;
mod side_columns;
mod date_reading;
mod keys;
mod doubtful_dates;
mod filter;
mod selection;
mod common_order;
mod time_axis;
mod axes;
mod aggregate;
mod cells;
mod tidy;
mod wide;
mod profile;
mod numerals;
mod explain;
mod shell;
mod row_names;
mod units;
mod columns;
mod suggest;
mod roles;
mod kind;
mod derive;
mod read;

pub(crate) use derive::Opened;
pub(crate) use read::read_all;

#[cfg(test)]
mod tests;

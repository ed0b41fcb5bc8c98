//! Tables to grids: keys, aggregation, and which kind of table it is.

mod dates;
mod side_columns;
mod keys;
mod filter;
mod selection;
mod common_order;
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

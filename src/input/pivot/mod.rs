//! Tables to grids: keys, aggregation, and which kind of table it is.

mod keys;
mod dates;
mod doubtful_dates;
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
mod read;

pub(crate) use read::{Opened, read_all};

#[cfg(test)]
mod tests;

//! CSV and its kin: delimiters, quotes and headers are recognised, and rows are read in blocks.

mod ends;
mod cutter;
mod delimiter;
mod head;
mod block;
mod blocks;
mod table;

pub use table::CsvTable;
pub(in crate::input) use table::HEAD;

//! JSON: lists of records, records one a line, data frames of pandas, lists of numbers.

mod asv;
mod tokenizer;
mod shape;
mod column;
mod records;
mod lists;
mod survey;
mod table;
mod data;
mod outline;
mod form;
mod keys;
mod picture;

pub(crate) use data::is_data;
pub(super) use data::open;
pub(crate) use data::table_of_lines;
pub(crate) use shape::READ_AS_DATA;
pub(crate) use tokenizer::{JsonFault, Scalar, Tokenizer};

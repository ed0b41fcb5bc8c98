//! JSON: lists of records, records one a line, data frames of pandas, lists of numbers.

mod fault;
mod tokenizer;
mod shape;
mod number;
mod names;
mod column_type;
mod column;
mod array;
mod frame;
mod records;
mod source;
mod blocks;
mod survey;
mod chosen;
mod table;
mod data;
mod open;

pub(in crate::input) use data::is_data;
pub(in crate::input) use fault::Fault;
pub(super) use open::open;
pub(in crate::input) use shape::READ_AS_DATA;
pub(in crate::input) use tokenizer::{Scalar, Tokenizer};

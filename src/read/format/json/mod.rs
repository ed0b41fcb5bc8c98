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

pub(crate) use data::is_data;
pub(crate) use fault::Fault;
pub(super) use open::open;
pub(crate) use shape::READ_AS_DATA;
pub(crate) use tokenizer::{Scalar, Tokenizer};

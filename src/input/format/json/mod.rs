//! JSON: lists of records, records one a line, data frames of pandas, lists of numbers.

mod tokenizer;
mod shape;
mod column_type;
mod limits;
mod names;
mod record;
mod column;
mod columns;
mod array;
mod frame;
mod chosen;
mod blocks;
mod survey;
mod decoded;
mod line_block;
mod lines;
mod data;
mod open;

pub(in crate::input) use data::is_data;
pub(super) use open::open;
pub(in crate::input) use shape::READ_AS_DATA;
pub(in crate::input) use tokenizer::{Fault, Scalar, Tokenizer};

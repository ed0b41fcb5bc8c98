//! The gallery: tables as people have them, drawn with no option beyond their columns. Golden pictures, and rules that are
//! measured on these figures and on random tables; `GRIDSCOPE_GALLERY_CASES` is the number of random tables.

#![allow(unreachable_pub, reason = "a test program has no public interface")]

#[path = "../support/mod.rs"]
mod support;

mod bar_values;
mod drawn;
mod goldens;
mod labels;
mod numbers;
mod random_tables;
mod rules;
mod sides;
mod tables;

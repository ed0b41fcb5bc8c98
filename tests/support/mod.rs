//! What the tests share: a folder for each, the program inside it, files to feed it, and random numbers.
#![allow(dead_code, reason = "each test binary uses a part")]

#[cfg(feature = "gpu")]
pub mod adapter;
pub mod child;
pub mod child_place;
pub mod corpus;
pub mod fixtures;
pub mod words;

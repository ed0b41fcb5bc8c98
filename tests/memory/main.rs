//! Hostile inputs under `--max-memory L`: the peak stays within 1.25 L + 96 MiB whatever they hold, and what does not fit is
//! refused on one line with exit code 7.
#![cfg(target_os = "linux")]

mod arrays;
mod json;
mod peak;
mod sides;
mod stores;
#[cfg(all(feature = "parquet", feature = "arrow"))]
mod tables;
mod text;

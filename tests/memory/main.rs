//! Hostile inputs under `--max-memory L`: the peak stays within 1.25 L + 96 MiB whatever they contain, and what does not fit
//! is refused with a line of error and exit code 7.

#![allow(unreachable_pub, reason = "a test program has no public interface")]

#[path = "../support/mod.rs"]
mod support;

#[cfg(all(target_os = "linux", feature = "npz"))]
mod archives;
#[cfg(target_os = "linux")]
mod arrays;
#[cfg(target_os = "linux")]
mod json;
mod large;
#[cfg(target_os = "linux")]
mod peak;
#[cfg(target_os = "linux")]
mod sides;
#[cfg(all(target_os = "linux", feature = "zarr"))]
mod stores;
#[cfg(all(target_os = "linux", feature = "parquet", feature = "arrow"))]
mod tables;
#[cfg(target_os = "linux")]
mod text;

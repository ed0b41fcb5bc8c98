//! The readers of every format: what good files hold, and how bad ones are refused.

#![allow(unreachable_pub, reason = "a test program has no public interface")]

#[path = "../support/mod.rs"]
mod support;

mod arrow;
mod csv;
mod figure_files;
mod fixtures;
mod json;
mod manifest;
mod netcdf;
mod npy;
mod npz;
mod parquet;
mod table_source;
mod truth;
mod zarr;

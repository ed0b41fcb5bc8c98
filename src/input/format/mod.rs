//! File formats: each reads its bytes into one of the common forms.

#[cfg(any(feature = "parquet", feature = "arrow"))]
pub mod decoding;
pub mod csv;
pub mod json;
pub mod npy;
pub mod npz;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "arrow")]
pub mod arrow;
pub mod raw;
#[cfg(feature = "zarr")]
pub mod zarr;

//! File formats: each reads its bytes into one of the common forms.

pub mod csv;
pub mod json;
pub mod npy;
#[cfg(feature = "npz")]
pub mod npz;
pub mod raw;
#[cfg(feature = "zarr")]
pub mod zarr;

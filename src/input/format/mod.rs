//! File formats: each reads its bytes into one of the common forms.

pub mod npy;
pub mod npz;
pub mod raw;
#[cfg(feature = "zarr")]
pub mod zarr;

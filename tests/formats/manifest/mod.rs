//! Every line of the corpus's manifest gets what it says, and damaged copies of good files of every kind end well.

#![cfg(all(feature = "npz", feature = "parquet", feature = "arrow", feature = "zarr"))]

mod asked;
mod columns;
mod damage;
mod damaged;
mod expect;
mod good;
mod info;
mod walk;

//! The parts that tests share: folders, the program as a child process, input files, random cases, pictures.
#![allow(dead_code, unused_imports, reason = "each test binary uses only a part")]

#[cfg(feature = "gpu")]
pub mod adapter;
#[cfg(feature = "npz")]
pub mod archive;
pub mod blocks;
pub mod corpus;
pub mod image;
pub mod limited;
pub mod npy;
pub mod place;
pub mod program;
pub use gridscope_random as random;
pub mod required;
pub mod table;

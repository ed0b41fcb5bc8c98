//! A figure and its grids to pictures: resolved, laid out, listed as a scene and painted on the CPU.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may open files and start threads"))]

pub mod resolve;
pub mod layout;
pub mod marking;
pub mod scene;
pub mod png;
pub mod raster;
pub mod vector;
pub mod svg;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod error;
pub mod export;
pub mod report;
pub mod metadata;
pub mod comparison;
pub mod findings;
pub mod alt_text;
pub mod body;
pub mod tiling;
pub mod picture;
pub mod fonts;
pub mod render;
pub mod rendered;
pub mod coarse;

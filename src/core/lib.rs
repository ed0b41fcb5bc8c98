//! Grids, scales, texts and the description of figures, shared by the other crates of gridscope.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may open files and start threads"))]

pub mod geom;
pub mod text;
pub mod notation;
pub mod color;
pub mod vision;
pub mod image;
pub mod timing;
pub mod workers;
pub mod cancel;
pub mod calendar;
pub mod lint;
#[allow(clippy::disallowed_methods, reason = "what is written passes through here")]
pub mod output;
pub mod grid;
pub mod view;
pub mod scale;
pub mod figure;
pub mod student;
pub mod transform;

//! Pictures as PNG, SVG and PDF: golden files, other programs' drawings of them, and pictures in memory.

#[path = "../support/mod.rs"]
mod support;

mod figures;
mod pdf;
mod rendered;
mod svg;

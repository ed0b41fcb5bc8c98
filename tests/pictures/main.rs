//! Pictures as PNG, SVG and PDF: golden files, other programs' drawings of them, and pictures in memory.

#![allow(unreachable_pub, reason = "a test program has no public interface")]

#[path = "../support/mod.rs"]
mod support;

mod figures;
mod pdf;
mod rendered;
mod svg;

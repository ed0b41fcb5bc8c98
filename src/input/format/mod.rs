//! Formats of files: what their bytes hold, before it is a grid.

pub(super) mod json;

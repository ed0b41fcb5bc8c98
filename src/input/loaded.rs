//! What a reader is asked for, and what it gives.

use crate::figure::Agg;
use crate::grid::Grid;
use crate::lint::Lints;

/// What annotation templates need besides the shown value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    /// Aggregates a cell, each under its own name in [`Grid::fields`]; `count` also as `n`.
    pub aggregates: Vec<Agg>,
    /// Columns whose texts a cell shows, in [`Grid::texts`].
    pub columns: Vec<String>,
    /// The files may still be written: a last row without its end waits.
    pub growing: bool,
}

/// The panels of a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// One grid a panel, in their order.
    pub grids: Vec<Grid>,
    /// What the reader noticed.
    pub lints: Lints,
    /// One line: how the file was read.
    pub told: String,
    /// A last row without its end was left out.
    pub waits: bool,
}

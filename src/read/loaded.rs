//! Requests to a reader, and its results.

use super::error::InputError;
use super::fingerprint::Fingerprint;
use super::kept::Kept;
use gridscope_core::figure::{Annotate, Figure, Pick, Statistic};
use gridscope_core::grid::Grid;
use gridscope_core::lint::Lints;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// Needs besides the shown value: of annotation templates, and of those who describe or follow files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Aggregates of each cell, also of other columns, each under its own name in [`Grid::fields`]; `count` also as `n`.
    pub statistics: Vec<Statistic>,
    /// Texts of one row of each cell, in [`Grid::texts`] under their names.
    pub picks: Vec<Pick>,
    /// Columns whose texts a cell shows, in [`Grid::texts`].
    pub columns: Vec<String>,
    /// The files may still be written: a last row without its end waits.
    pub growing: bool,
    /// Files are hashed, for [`Loaded::inputs`].
    pub fingerprints: bool,
    /// The panels are a baseline: their values and their order stay as they are.
    pub baseline: bool,
    /// Several files are read, all with the same columns.
    pub together: bool,
    /// Their names alone do not tell them apart: each is called by its path.
    pub by_path: bool,
    /// Of axes of arrays beyond rows and columns the first index is taken, where the figure chooses none.
    pub first_slice: bool,
    /// Arrays that stay open from one reading to the next.
    pub kept: Option<Kept>,
    /// How long a named pipe may stay without its first byte; [`PATIENCE`](super::PATIENCE) unless given.
    pub patience: Option<Duration>,
}

impl ReadOptions {
    /// Adds the aggregates and columns that annotations and scales of a figure need.
    pub fn of_figure(mut self, figure: &Figure) -> Self {
        if let Some(Annotate::Template(template)) = figure.annotations.show.as_deref() {
            self.statistics.extend(template.statistics());
            self.picks.extend(template.picks());
            self.columns.extend(template.columns());
        }
        match figure.color.scale.as_deref() {
            None | Some("shared" | "panel" | "value") => {}
            Some(column) => self.columns.push(column.to_owned()),
        }
        self
    }
}

/// Delimiter between the fields of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// An ASCII character.
    Byte(u8),
    /// Any number of blanks and tabs.
    Blanks,
}

impl Delimiter {
    /// The character; a blank for any number of them.
    pub(crate) fn byte(self) -> u8 {
        match self {
            Self::Byte(b) => b,
            Self::Blanks => b' ',
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(b) => fmt::Write::write_char(f, char::from(*b)),
            Self::Blanks => f.write_str("blanks"),
        }
    }
}

/// How a table of text is written, as it was found or given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The file as the user named it.
    pub file: String,
    /// Field delimiter.
    pub delimiter: Delimiter,
    /// Whether it has names of columns.
    pub header: bool,
    /// Lines that were skipped as comments.
    pub comments: u64,
}

/// A query that a database has answered.
#[derive(Clone, Debug)]
pub struct Query {
    /// The database as the user named it.
    pub file: String,
    /// The query.
    pub sql: String,
    /// Rows that have come from the database so far.
    pub rows: Arc<AtomicU64>,
    /// Why the database has not grouped them; none where they are groups.
    pub why: Option<&'static str>,
}

/// The panels of a file.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// One grid a panel, in their order.
    pub grids: Vec<Grid>,
    /// Warnings of the reader.
    pub lints: Lints,
    /// One line: how the file was read.
    pub summary: String,
    /// A last row without its end was left out.
    pub waits: bool,
    /// How each table of text is written, in their order.
    pub dialects: Vec<Dialect>,
    /// The files, in their order, where they were asked for.
    pub inputs: Vec<Fingerprint>,
    /// The queries of databases, in their order.
    pub queries: Vec<Query>,
}

impl Loaded {
    /// Refuses tables of a figure for panels that do not exist: they would have no effect.
    ///
    /// # Errors
    /// The first such panel, with those that exist.
    pub fn known_panels(&self, figure: &Figure) -> Result<(), InputError> {
        let known = |name: &String| self.grids.iter().any(|g| g.name() == *name);
        let Some(name) = figure.panels.keys().find(|n| !known(n)) else {
            return Ok(());
        };
        let names: Vec<&str> = self.grids.iter().map(Grid::name).collect();
        let hint = format!("the panels are: {}", names.join(", "));
        Err(InputError::refused("", format!("panels.{name}"), "the data have no such panel").with_hint(hint))
    }
}

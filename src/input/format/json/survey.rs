//! A first reading of records, by all cores where they are lines: which columns there are, of which types, and where blocks of
//! rows begin.

use super::blocks::{Block, Blocks};
use super::column_type::FirstRows;
use super::fault::Fault;
use super::names::{Names, bytes_of_column};
use super::records::{Keys, Rows};
use super::source::Source;
use super::tokenizer::Scalar;
use crate::input::budget::{Budget, Taken};
use crate::input::error::InputError;
use crate::input::ordered::in_order;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of memory that a column takes while its block waits to be taken in, beside its name.
const WAITING: u64 = 240;
/// Bytes that the place of a block takes.
const PLACE: u64 = 32;
/// The names of all columns together, in bytes.
const MOST_NAME_BYTES: usize = 16 << 20;
/// A table of this many cells may be empty; a larger one holds a value in one of `SPARSE` cells.
const FREE_CELLS: u64 = 4 << 20;
const SPARSE: u64 = 64;

/// What the records of a text are.
#[derive(Debug)]
pub(super) struct Survey {
    pub names: Names,
    /// The columns in the order of their names; places are bytes of the content.
    pub columns: Vec<Surveyed>,
    /// Where the rows are.
    pub blocks: Vec<RowBlock>,
    pub rows: u64,
    /// Values and nulls.
    values: u64,
    /// Cells up to the last value of each column.
    cells: u64,
    /// The memory of all this.
    room: Taken,
}

/// A column, of all rows or of a block.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    /// The place of its first list.
    pub list_at: Option<u64>,
    pub first_rows: FirstRows,
    /// The place of its first key.
    at: usize,
    /// Values and nulls.
    values: u64,
    /// Rows up to its last value.
    len: u64,
    /// The row after the last that named it.
    named: u64,
}

/// A block of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowBlock {
    /// Its first byte, and how many it has.
    pub from: u64,
    pub bytes: u64,
    /// The number of its first row, from 0 on, and how many it has.
    pub first: u64,
    pub rows: usize,
}

/// Reads all records once, in blocks of about `size` bytes.
///
/// # Errors
/// The first fault of the text, and too little memory.
pub(super) fn survey(source: &Source, size: u64, threads: usize) -> Result<Survey, InputError> {
    let mut survey = Survey {
        names: Names::default(),
        columns: Vec::new(),
        blocks: Vec::new(),
        rows: 0,
        values: 0,
        cells: 0,
        room: source.budget.nothing(),
    };
    let bytes = source.content.len() - source.from;
    if source.list {
        let bytes = source.bytes(source.from, bytes)?;
        let text = source.text(source.from, &bytes)?;
        let read = survey.take_list(source, text, size);
        read.map_err(|fault| source.fault(source.from, text, fault))?;
    } else {
        let mut blocks = Blocks::new(source, size);
        in_order(
            (threads, 2),
            || blocks.next(),
            || (),
            |(), block, give| give((block.from, look(source, &block)?)),
            |_, (from, seen)| {
                let taken = survey.take(from, seen);
                taken.map_err(|fault| source.refused(from + fault.at as u64, fault))
            },
        )?;
    }
    let filled = survey.rows.saturating_mul(survey.columns.len() as u64);
    let whole = survey.check(filled, 0);
    whole.map_err(|fault| source.refused(source.from + bytes, fault))?;
    Ok(survey)
}

/// Surveys a block.
fn look(source: &Source, block: &Block) -> Result<Seen, InputError> {
    let mut seen = Seen::new(0..block.len, &source.budget);
    let text = source.text(block.from, &block.bytes)?;
    source.read((block.from, text, block.len), &mut seen)?;
    Ok(seen)
}

/// What a block holds; rows are counted from its start.
struct Seen {
    /// Its place in its text, in which all places are.
    bytes: Range<usize>,
    rows: u64,
    names: Names,
    columns: Vec<Surveyed>,
    room: Taken,
}

impl Seen {
    fn new(bytes: Range<usize>, budget: &Arc<Budget>) -> Self {
        Self {
            bytes,
            rows: 0,
            names: Names::default(),
            columns: Vec::new(),
            room: budget.nothing(),
        }
    }
}

impl Rows for Seen {
    fn column(&mut self, name: &str, next: usize, at: usize) -> Result<usize, Fault> {
        let i = match self.names.find(name, next) {
            Some(i) => i,
            None => {
                let n = self.columns.len() + 1;
                let room = self.room.owe(WAITING + 2 * name.len() as u64);
                room.map_err(|s| Fault::short(at, format!("{n} columns"), s))?;
                self.columns.push(Surveyed {
                    at,
                    ..Surveyed::default()
                });
                self.names.add(name)
            }
        };
        let row = self.rows + 1;
        if std::mem::replace(&mut self.columns[i].named, row) == row {
            let name: String = name.chars().take(60).collect();
            return Err(Fault::new(at, format!("duplicate key '{name}' in one record")));
        }
        Ok(i)
    }

    fn list(&mut self, column: usize, at: usize) {
        self.columns[column].list_at.get_or_insert(at as u64);
    }

    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize) -> Result<(), Fault> {
        let column = &mut self.columns[column];
        column.values += 1;
        if *value != Scalar::Null {
            column.len = self.rows + 1;
            column.first_rows.note(self.rows, value, at)?;
        }
        Ok(())
    }

    fn end_row(&mut self) {
        self.rows += 1;
    }
}

impl Survey {
    /// Takes in a list of records.
    fn take_list(&mut self, source: &Source, text: &str, size: u64) -> Result<(), Fault> {
        let mut tokens = source.tokens(text);
        let (mut seen, mut keys) = (Seen::new(0..0, &source.budget), Keys::default());
        tokens.list(&mut |tokens| {
            let at = tokens.at();
            if seen.bytes.is_empty() {
                seen.bytes.start = at;
            } else if seen.bytes.len() as u64 >= size {
                let next = Seen::new(at..at, &source.budget);
                self.take(source.from, std::mem::replace(&mut seen, next))?;
            }
            keys.record(tokens, &mut seen)?;
            seen.bytes.end = tokens.at();
            Ok(())
        })?;
        tokens.end()?;
        self.take(source.from, seen)
    }

    /// Takes in the next block of a text that begins at byte `from`.
    fn take(&mut self, from: u64, seen: Seen) -> Result<(), Fault> {
        let (mut next, mut sparse) = (0, None);
        for (i, column) in seen.columns.iter().enumerate() {
            let name = seen.names.get(i);
            let known = match self.names.find(name, next) {
                Some(known) => known,
                None => self.add(name, column.at)?,
            };
            next = known + 1;
            let all = &mut self.columns[known];
            all.list_at = all.list_at.or(column.list_at.map(|at| from + at));
            all.first_rows.append(&column.first_rows, self.rows);
            if column.len > 0 {
                let len = self.rows + column.len;
                self.cells += len - all.len;
                all.len = len;
            }
            self.values += column.values;
            sparse = sparse.or(self.check(self.cells, column.at).err());
        }
        let block = RowBlock {
            from: from + seen.bytes.start as u64,
            bytes: seen.bytes.len() as u64,
            first: self.rows,
            rows: seen.rows as usize,
        };
        self.rows += seen.rows;
        // Values of later columns may make up for cells of earlier ones.
        if let (Some(sparse), Err(_)) = (sparse, self.check(self.cells, 0)) {
            return Err(sparse);
        }
        if block.rows > 0 {
            let room = self.room.owe(PLACE);
            room.map_err(|s| Fault::short(seen.bytes.start, "the places of its rows", s))?;
            self.blocks.push(block);
        }
        Ok(())
    }

    fn add(&mut self, name: &str, at: usize) -> Result<usize, Fault> {
        let n = self.columns.len() + 1;
        if self.names.bytes + name.len() > MOST_NAME_BYTES {
            let what = format!("names of columns that take over {} MiB", MOST_NAME_BYTES >> 20);
            return Err(Fault::limit(at, what));
        }
        let room = self.room.more(bytes_of_column(name));
        room.map_err(|s| Fault::short(at, format!("{n} columns"), s))?;
        self.columns.push(Surveyed::default());
        Ok(self.names.add(name))
    }

    /// Whether this many cells are in proportion to the values.
    ///
    /// # Errors
    /// When there are too few values, at byte `at`.
    fn check(&self, cells: u64, at: usize) -> Result<(), Fault> {
        if cells <= FREE_CELLS || cells <= self.values.saturating_mul(SPARSE) {
            return Ok(());
        }
        let [columns, rows] = [self.columns.len() as u64, self.rows];
        let what = format!(
            "{columns} columns x {rows} rows hold {} values: too few",
            self.values
        );
        Err(Fault::limit(at, what))
    }
}

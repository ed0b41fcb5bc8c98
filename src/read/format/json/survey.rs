//! A first reading of records, by all cores: which columns there are, of which types, and where blocks of
//! rows begin.

use super::column::Kinds;
use super::records::{Names, RecordKeys, Rows, bytes_of_column};
use super::table::{Block, Blocks, ListBlocks, Source};
use super::tokenizer::{JsonFault, Scalar};
use crate::budget::{Budget, Reservation};
use crate::error::InputError;
use crate::ordered::in_order;
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

/// Survey of the records of a text, or of those of a block, whose rows and bytes are counted from its start.
#[derive(Debug)]
pub(super) struct Survey {
    pub names: Names,
    /// The columns in the order of their names.
    pub columns: Vec<Surveyed>,
    pub rows: u64,
    /// Where the rows are.
    pub blocks: Vec<RowBlock>,
    /// Values and nulls.
    values: u64,
    /// Cells up to the last value of each column.
    cells: u64,
    /// The memory of all this.
    room: Reservation,
}

/// A column of all rows or of a block.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    /// The place of its first list.
    pub list_at: Option<u64>,
    pub kinds: Kinds,
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
    let mut survey = Survey::new(&source.budget);
    let bytes = source.content.len() - source.from;
    if source.list {
        let bytes = source.bytes(source.from, bytes)?;
        let text = source.text(source.from, &bytes)?;
        match survey_list(source, text, size, threads) {
            Some(read) => survey = read,
            None => {
                let read = survey.take_list(source, text, size);
                read.map_err(|fault| source.fault(source.from, text, fault))?;
            }
        }
    } else {
        let mut blocks = Blocks::new(source, size);
        in_order(
            (threads, 2),
            || blocks.next(),
            || (),
            |(), block: Block, give| {
                let mut part = Survey::new(&source.budget);
                let text = source.text(block.from, &block.bytes)?;
                source.read((block.from, text, block.len), &mut part)?;
                give((block.from, block.len, part))
            },
            |_, (from, len, part)| {
                let taken = survey.take(from, 0..len, part);
                taken.map_err(|fault| source.refused(from + fault.at as u64, fault))
            },
        )?;
    }
    let filled = survey.rows.saturating_mul(survey.columns.len() as u64);
    let whole = survey.check(filled, 0);
    whole.map_err(|fault| source.refused(source.from + bytes, fault))?;
    Ok(survey)
}

/// Reads the blocks of a list by all cores; `None` if anything is wrong with it, which [`Survey::take_list`] names.
fn survey_list(source: &Source, text: &str, size: u64, threads: usize) -> Option<Survey> {
    let mut survey = Survey::new(&source.budget);
    let mut blocks = ListBlocks::new(text.as_bytes(), size);
    let read = in_order(
        (threads, 2),
        || Ok(blocks.next()),
        || (),
        |(), range: Range<usize>, give| {
            let mut part = Survey::new(&source.budget);
            let (from, text) = (source.from + range.start as u64, &text[range]);
            source.read((from, text, text.len()), &mut part)?;
            give((from, text.len(), part))
        },
        |_, (from, len, part)| {
            let taken = survey.take(from, 0..len, part);
            taken.map_err(|fault| source.refused(from, fault))
        },
    );
    (read.is_ok() && blocks.is_closed()).then_some(survey)
}

impl Rows for Survey {
    fn column(&mut self, name: &str, next: usize, at: usize) -> Result<usize, JsonFault> {
        let i = match self.names.find(name, next) {
            Some(i) => i,
            None => self.add(name, at, WAITING + 2 * name.len() as u64)?,
        };
        let row = self.rows + 1;
        if std::mem::replace(&mut self.columns[i].named, row) == row {
            let name: String = name.chars().take(60).collect();
            return Err(JsonFault::new(at, format!("duplicate key '{name}' in one record")));
        }
        Ok(i)
    }

    fn list(&mut self, column: usize, at: usize) {
        self.columns[column].list_at.get_or_insert(at as u64);
    }

    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize) -> Result<(), JsonFault> {
        let column = &mut self.columns[column];
        column.values += 1;
        if *value != Scalar::Null {
            column.len = self.rows + 1;
            column.kinds.add(Kinds::of(value, at)?);
        }
        Ok(())
    }

    fn end_row(&mut self) {
        self.rows += 1;
    }
}

impl Survey {
    fn new(budget: &Arc<Budget>) -> Self {
        Self {
            names: Names::default(),
            columns: Vec::new(),
            rows: 0,
            blocks: Vec::new(),
            values: 0,
            cells: 0,
            room: budget.nothing(),
        }
    }

    /// Takes in a list of records.
    fn take_list(&mut self, source: &Source, text: &str, size: u64) -> Result<(), JsonFault> {
        let part = || Survey::new(&source.budget);
        let (mut tokens, mut keys) = (source.tokens(text), RecordKeys::default());
        let (mut bytes, mut block) = (0..0, part());
        tokens.list(&mut |tokens| {
            if bytes.len() as u64 >= size {
                self.take(source.from, bytes.clone(), std::mem::replace(&mut block, part()))?;
            }
            if block.rows == 0 {
                bytes.start = tokens.at();
            }
            keys.record(tokens, &mut block)?;
            bytes.end = tokens.at();
            Ok(())
        })?;
        tokens.end()?;
        self.take(source.from, bytes, block)
    }

    /// Takes in the next block, which has these bytes of a text that begins at byte `from`.
    fn take(&mut self, from: u64, bytes: Range<usize>, part: Survey) -> Result<(), JsonFault> {
        let (mut next, mut sparse) = (0, None);
        for (i, column) in part.columns.iter().enumerate() {
            let name = part.names.get(i);
            let known = match self.names.find(name, next) {
                Some(known) => known,
                None => self.add(name, column.at, bytes_of_column(name))?,
            };
            next = known + 1;
            let all = &mut self.columns[known];
            all.list_at = all.list_at.or(column.list_at.map(|at| from + at));
            all.kinds.add(column.kinds);
            if column.len > 0 {
                let len = self.rows + column.len;
                self.cells += len - all.len;
                all.len = len;
            }
            self.values += column.values;
            sparse = sparse.or(self.check(self.cells, column.at).err());
        }
        let block = RowBlock {
            from: from + bytes.start as u64,
            bytes: bytes.len() as u64,
            first: self.rows,
            rows: part.rows as usize,
        };
        self.rows += part.rows;
        // Values of later columns may make up for cells of earlier ones.
        if let (Some(sparse), Err(_)) = (sparse, self.check(self.cells, 0)) {
            return Err(sparse);
        }
        if block.rows > 0 {
            let room = self.room.owe(PLACE);
            room.map_err(|s| JsonFault::short(bytes.start, "the places of its rows", s))?;
            self.blocks.push(block);
        }
        Ok(())
    }

    /// Adds a column, which takes this much memory.
    fn add(&mut self, name: &str, at: usize, bytes: u64) -> Result<usize, JsonFault> {
        if self.names.bytes + name.len() > MOST_NAME_BYTES {
            let what = format!("names of columns that take over {} MiB", MOST_NAME_BYTES >> 20);
            return Err(JsonFault::limit(at, what));
        }
        let (room, n) = (self.room.owe(bytes), self.columns.len() + 1);
        room.map_err(|s| JsonFault::short(at, format!("{n} columns"), s))?;
        self.columns.push(Surveyed { at, ..Surveyed::default() });
        Ok(self.names.add(name))
    }

    /// Whether this many cells are in proportion to the values.
    ///
    /// # Errors
    /// When there are too few values, at byte `at`.
    fn check(&self, cells: u64, at: usize) -> Result<(), JsonFault> {
        if cells <= FREE_CELLS || cells <= self.values.saturating_mul(SPARSE) {
            return Ok(());
        }
        let [columns, rows] = [self.columns.len() as u64, self.rows];
        let what = format!("{columns} columns x {rows} rows hold {} values: too few", self.values);
        Err(JsonFault::limit(at, what))
    }
}

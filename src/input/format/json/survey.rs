//! A first reading of records by all cores: which columns there are, of which types, and where blocks of rows begin.

use super::blocks::{Block, Blocks, Source};
use super::column_type::FirstRows;
use super::columns::duplicate;
use super::limits::{Extent, bytes_of_column};
use super::names::Names;
use super::record::{Rows, lines};
use super::tokenizer::{Fault, Scalar, Tokenizer};
use crate::input::budget::Taken;
use crate::input::error::InputError;
use crate::input::ordered::in_order;
use crate::input::position::{floor, place_in};

/// Bytes of memory that a column takes while its block waits to be taken in, beside its name.
const WAITING: u64 = 240;
/// Bytes that the place of a block takes.
const PLACE: u64 = 32;

/// What the records of a text are.
#[derive(Debug)]
pub(super) struct Survey {
    pub names: Names,
    /// The columns in the order of their names.
    pub columns: Vec<Surveyed>,
    /// Where the rows are.
    pub blocks: Vec<Place>,
    pub rows: u64,
    /// The memory of all this.
    pub room: Taken,
    extent: Extent,
}

/// A column as all rows have it.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    /// The place of its first list.
    pub list_at: Option<u64>,
    pub first_rows: FirstRows,
    /// Rows up to its last value.
    len: u64,
}

/// A block of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
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
pub(super) fn survey(
    source: &Source,
    not_finite: bool,
    size: u64,
    threads: usize,
) -> Result<Survey, InputError> {
    let mut survey = Survey {
        names: Names::default(),
        columns: Vec::new(),
        blocks: Vec::new(),
        rows: 0,
        room: source.budget.nothing(),
        extent: Extent::default(),
    };
    let mut blocks = Blocks::new(source, size);
    in_order(
        (threads, 2),
        || blocks.next(),
        || (),
        |(), block, give| {
            let from = block.from;
            give((from, look(source, block, not_finite)?))
        },
        |_, (from, seen)| {
            let taken = survey.take(from, seen);
            taken.map_err(|(at, fault)| source.refused(at, fault))
        },
    )?;
    let end = source.content.len() - source.from;
    let whole = survey.extent.check_whole(0);
    whole.map_err(|fault| source.refused(source.from + end, fault))?;
    Ok(survey)
}

impl Source {
    /// The error of a fault at a byte of the content.
    pub fn refused(&self, at: u64, fault: Fault) -> InputError {
        match place_in(&self.content, self.from, at, &self.file) {
            Ok(place) => fault.error(&self.file, place),
            Err(unreadable) => unreadable,
        }
    }

    /// The text of some bytes that begin at `from`.
    ///
    /// # Errors
    /// When they are not UTF-8.
    pub fn text(&self, from: u64, bytes: Vec<u8>) -> Result<String, InputError> {
        String::from_utf8(bytes).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            let what = format!("is not UTF-8 (0x{:02x})", e.as_bytes()[at]);
            self.refused(from + at as u64, Fault::new(at, what))
        })
    }

    /// Reads records in a text that begins at `from`, up to its byte `end`, into rows.
    ///
    /// # Errors
    /// The first fault of the text or of the rows.
    pub fn read(
        &self,
        (from, text, end): (u64, &str, usize),
        not_finite: bool,
        rows: &mut impl Rows,
    ) -> Result<(), InputError> {
        let read = lines(&mut Tokenizer::new(text, not_finite), end, rows);
        read.map_err(|fault| self.refused(from + floor(text, fault.at) as u64, fault))
    }
}

/// What a block holds.
struct Seen {
    bytes: u64,
    rows: u64,
    names: Names,
    columns: Vec<SeenColumn>,
    room: Taken,
    /// The column that a record probably names next.
    next: usize,
}

/// A column of a block; rows and bytes from the start of the block on.
#[derive(Default)]
struct SeenColumn {
    /// Its first key, and its first list.
    at: usize,
    list_at: Option<usize>,
    first_rows: FirstRows,
    /// Values and nulls.
    values: u64,
    /// Rows up to its last value.
    len: u64,
    /// The row after the last that named it.
    named: u64,
}

fn look(source: &Source, block: Block, not_finite: bool) -> Result<Seen, InputError> {
    let mut seen = Seen {
        bytes: block.len as u64,
        rows: 0,
        names: Names::default(),
        columns: Vec::new(),
        room: source.budget.nothing(),
        next: 0,
    };
    let text = source.text(block.from, block.bytes)?;
    source.read((block.from, &text, block.len), not_finite, &mut seen)?;
    Ok(seen)
}

impl Rows for Seen {
    fn column(&mut self, name: &str, at: usize) -> Result<usize, Fault> {
        let i = match self.names.find(name, self.next) {
            Some(i) => i,
            None => {
                let n = self.columns.len() + 1;
                let bytes = WAITING + 2 * name.len() as u64;
                self.room
                    .owe(bytes)
                    .map_err(|s| Fault::short(at, format!("{n} columns"), s))?;
                self.columns.push(SeenColumn {
                    at,
                    ..SeenColumn::default()
                });
                self.names.add(name)
            }
        };
        self.next = i + 1;
        let row = self.rows + 1;
        if std::mem::replace(&mut self.columns[i].named, row) == row {
            return Err(duplicate(name, at));
        }
        Ok(i)
    }

    fn list(&mut self, column: usize, at: usize) {
        self.columns[column].list_at.get_or_insert(at);
    }

    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize, _: usize) -> Result<(), Fault> {
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
        self.next = 0;
    }
}

impl Survey {
    /// Takes in the next block, which begins at byte `from`; a fault comes with its byte.
    fn take(&mut self, from: u64, seen: Seen) -> Result<(), (u64, Fault)> {
        let fault = |fault: Fault| (from + fault.at as u64, fault);
        let (mut next, mut sparse) = (0, None);
        for (i, column) in seen.columns.iter().enumerate() {
            let name = seen.names.get(i);
            let known = match self.names.find(name, next) {
                Some(known) => known,
                None => self.add(name, column.at).map_err(fault)?,
            };
            next = known + 1;
            let all = &mut self.columns[known];
            all.list_at = all.list_at.or(column.list_at.map(|at| from + at as u64));
            all.first_rows.append(&column.first_rows, self.rows);
            if column.len > 0 {
                let len = self.rows + column.len;
                self.extent.cells += len - all.len;
                all.len = len;
            }
            self.extent.values += column.values;
            sparse = sparse.or(self.extent.check(column.at).err());
        }
        let place = Place {
            from,
            bytes: seen.bytes,
            first: self.rows,
            rows: seen.rows as usize,
        };
        self.rows += seen.rows;
        self.extent.rows = self.rows;
        // Values of later columns may make up for cells of earlier ones.
        if let (Some(sparse), Err(_)) = (sparse, self.extent.check(0)) {
            return Err(fault(sparse));
        }
        if place.rows > 0 {
            let short = |s| fault(Fault::short(0, "the places of its rows", s));
            self.room.owe(PLACE).map_err(short)?;
            self.blocks.push(place);
        }
        Ok(())
    }

    fn add(&mut self, name: &str, at: usize) -> Result<usize, Fault> {
        self.extent.add_column(name, at)?;
        let n = self.extent.columns;
        let short = |s| Fault::short(at, format!("{n} columns"), s);
        self.room.more(bytes_of_column(name)).map_err(short)?;
        self.columns.push(Surveyed::default());
        Ok(self.names.add(name))
    }
}

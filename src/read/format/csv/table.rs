//! A table of text, read block by block: only the blocks that are worked on are in memory.

use super::block::CsvText;
use super::blocks::{Blocks, LONG, MOST};
use super::cutter::{Record, cut, last_end};
use super::delimiter::{CANDIDATES, most_fields, parse_delimiter, sniff_delimiter};
use super::ends::last_break;
use super::head::{ENOUGH, Head};
use super::lead::Lead;
use crate::budget::{Budget, Reservation};
use crate::bytes::{Content, mark, text_from};
use crate::error::{ErrorKind, InputError};
use crate::format::reader::SHORT_TEXT;
use crate::ordered::threads;
use crate::table::{COLUMN, Parts, Schema, TableSource};
use gridscope_core::figure::Data;
use gridscope_core::lint::Lints;
use std::sync::Arc;

/// Bytes at the start that show delimiter and header.
const HEAD: u64 = SHORT_TEXT;

/// Bytes of a block.
const BLOCK: u64 = 512 << 10;

/// Bytes that a thread holds for a block: the block, its fields, their values. And a column's part of that.
const THREAD: u64 = 4 << 20;
const COLUMN_OF_THREAD: u64 = 24;

/// A table of text that stays where it is, in its file or in memory.
#[derive(Debug)]
pub struct CsvTable {
    text: CsvText,
    budget: Arc<Budget>,
    /// Reserved bytes of its columns.
    _room: Reservation,
}

impl CsvTable {
    /// The table of a text in memory, whose bytes were taken off the budget before. `name` is what messages call it;
    /// empty or repeated headers are reported in `lints`.
    ///
    /// # Errors
    /// Whatever is wrong with the first rows, and too little memory.
    pub fn read(
        text: Vec<u8>,
        name: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        Self::open(Content::Memory(text), name, data, lints, budget)
    }

    /// Finds delimiter and header by the first rows.
    ///
    /// # Errors
    /// Whatever is wrong with the first rows, and too little memory.
    pub(crate) fn open(
        content: Content,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        Self::open_by(content, file, data, lints, budget, (HEAD, BLOCK))
    }

    fn open_by(
        content: Content,
        file: &str,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
        (mut head, block): (u64, u64),
    ) -> Result<Self, InputError> {
        let named = data.delimiter.as_deref();
        let named = named.map(|d| parse_delimiter(d, file)).transpose()?;
        let limit = (budget.left() / 8).max(HEAD);
        loop {
            let size = head.min(limit).min(content.len());
            let held =
                budget.reserve(size).map_err(|s| s.of(file, format_args!("its first {size} bytes")))?;
            let bytes = content.read_up_to(0, size, file)?;
            let from = mark(&bytes, file)?;
            let whole = bytes.len() as u64 == content.len();
            let start = Start {
                bytes: bytes.get(from as usize..).unwrap_or_default(),
                from,
                whole,
                last: whole || head >= limit,
            };
            if let Some((first, delimiter, lead, noticed)) = start.first_rows(file, data, named, budget)? {
                lints.append(noticed);
                let from = from + lead.bytes as u64;
                drop((bytes, held));
                let (schema, to) = (first.schema, content.len());
                let columns = schema.width() as u64;
                let room = budget
                    .reserve(columns.saturating_mul(COLUMN))
                    .map_err(|s| s.of(file, format_args!("{columns} columns")))?;
                // A text that was looked at as a whole is one block.
                let block = if whole { block.max(to).min(MOST) } else { block };
                let text = CsvText {
                    content,
                    schema,
                    delimiter,
                    from,
                    line: 1 + lead.lines,
                    units: data.units_row == Some(true),
                    head: size,
                    to,
                    block,
                    longest: budget.limit() / 8 / threads() as u64,
                };
                return Ok(Self { text, budget: Arc::clone(budget), _room: room });
            }
            if head >= limit {
                let what = format!("no row ends within {limit} bytes");
                return Err(InputError::limit(file, what).with_hint(LONG));
            }
            head *= 2;
        }
    }
}

/// The start of a text.
struct Start<'b> {
    bytes: &'b [u8],
    /// Where it begins in the file.
    from: u64,
    /// It is the whole text.
    whole: bool,
    /// No more bytes may be looked at.
    last: bool,
}

impl Start<'_> {
    /// The first rows, the delimiter that they show unless one is `named`, and what was noticed; `None` where they are too
    /// few to say what all rows are.
    fn first_rows(
        &self,
        file: &str,
        data: &Data,
        named: Option<u8>,
        budget: &Arc<Budget>,
    ) -> Result<Option<(Head, u8, Lead, Lints)>, InputError> {
        // A record of too many fields is refused before its end is found.
        let endless = |delimiters: &[u8]| {
            let fields = most_fields(self.bytes, delimiters);
            let room = budget.reserve(fields.saturating_mul(COLUMN));
            room.map(|_| None).map_err(|s| s.of(file, format_args!("a record of {fields} fields and more")))
        };
        let len = self.bytes.len();
        let Some(end) = (if self.whole { Some(len) } else { last_break(self.bytes) }) else {
            return endless(named.as_ref().map_or(&CANDIDATES, std::slice::from_ref));
        };
        let text = text_from(&self.bytes[..end], self.from, file)?;
        let Some(lead) = Lead::of(text, self.last, data.skip_rows.unwrap_or(0)) else {
            return Ok(None);
        };
        let named = named.or(lead.delimiter);
        let (bytes, text) = (&self.bytes[lead.bytes..], &text[lead.bytes..]);
        let len = bytes.len();
        let delimiter = named.unwrap_or_else(|| sniff_delimiter(text, !self.whole));
        let Some(end) = (if self.whole { Some(len) } else { last_end(bytes, delimiter) }) else {
            return endless(&[delimiter]);
        };
        let text = &text[..end];
        let mut noticed = Lints::default();
        match Head::read((text, 1 + lead.lines), delimiter, file, data, &mut noticed, budget) {
            Ok(first) if first.rows > ENOUGH || self.last => Ok(Some((first, delimiter, lead, noticed))),
            Err(e) if self.whole || e.kind == ErrorKind::Limit || holds_enough(text, delimiter) => Err(e),
            // So few rows may say something else than all of them.
            _ => Ok(None),
        }
    }
}

/// Whether a text holds more records than show what its columns are.
fn holds_enough(text: &str, delimiter: u8) -> bool {
    let mut records = 0;
    let mut count = |_: Record| {
        records += 1;
        if records > ENOUGH { Err(()) } else { Ok(()) }
    };
    cut(text.as_bytes(), delimiter, &mut count).is_err()
}

impl TableSource for CsvTable {
    fn schema(&self) -> &Schema {
        &self.text.schema
    }

    fn parts(&self) -> Parts<'_> {
        Box::new(Blocks::new(&self.text))
    }

    fn threads(&self) -> usize {
        let a_thread = THREAD + COLUMN_OF_THREAD * self.text.schema.width() as u64;
        let blocks = (self.text.to - self.text.from).div_ceil(self.text.block).max(1);
        threads().min(self.budget.shares(a_thread)).min(usize::try_from(blocks).unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
mod tests;

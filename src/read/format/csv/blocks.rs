//! A text cut into blocks of whole records.

use super::block::{Block, CsvText};
use super::cutter::last_end;
use super::ends::lines;
use crate::error::InputError;
use crate::place::Place;
use crate::table::Part;

/// Advice about a record that does not end.
pub(super) const LONG: &str = "a quote that is never closed, or --max-memory raises the limit";

/// The most bytes of a block: places in it are of 32 bits.
pub(super) const MOST: u64 = u32::MAX as u64 / 2;

/// The blocks of a text, each of whole records.
pub(super) struct Blocks<'t> {
    text: &'t CsvText,
    at: u64,
    line: u64,
    /// The first records are the header, and units under it: this many.
    header: usize,
    done: bool,
}

impl<'t> Iterator for Blocks<'t> {
    type Item = Result<Box<dyn Part + 't>, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done || self.at >= self.text.to {
            return None;
        }
        let block = self.block();
        self.done = block.is_err();
        Some(block.map(|b| Box::new(b) as Box<dyn Part>))
    }
}

impl<'t> Blocks<'t> {
    pub(super) fn new(text: &'t CsvText) -> Self {
        Self {
            text,
            at: text.from,
            line: text.line,
            header: usize::from(text.schema.has_header) + usize::from(text.units),
            done: false,
        }
    }

    fn block(&mut self) -> Result<Block<'t>, InputError> {
        let text = self.text;
        let mut size = if self.header > 1 { text.block.max(text.head) } else { text.block };
        loop {
            let left = text.to - self.at;
            let mut bytes = text.content.read_up_to(self.at, size.min(left), &text.schema.file)?;
            let last = size >= left;
            let end = if last { Some(bytes.len()) } else { last_end(&bytes, text.delimiter) };
            if let Some(end) = end {
                bytes.truncate(end);
                let (at, line, header) = (self.at, self.line, std::mem::take(&mut self.header));
                self.at += end as u64;
                self.line += lines(&bytes);
                return Ok(Block::new(text, bytes, (at, line), header));
            }
            let most = text.longest.max(text.block).min(MOST);
            if size >= most {
                let what = format!("no record ends within {most} bytes");
                let limit = InputError::limit(&text.schema.file, what).with_hint(LONG);
                return Err(InputError { place: Place::line(self.line), ..limit });
            }
            size = (size * 2).min(most);
        }
    }
}

//! A text cut into blocks of whole records.

use super::block::Block;
use super::ends::{last_end, lines};
use crate::input::bytes::Content;
use crate::input::error::InputError;
use crate::input::table::{Part, Schema};
use memchr::memchr;

/// What to do about a record that does not end.
pub(super) const LONG: &str = "a quote that is never closed, or --max-memory raises the limit";

/// The most bytes of a block: places in it are of 32 bits.
pub(super) const MOST: u64 = u32::MAX as u64 / 2;

/// A text that is a table.
#[derive(Debug)]
pub(super) struct Text {
    pub content: Content,
    pub schema: Schema,
    pub delimiter: u8,
    /// Where it begins, after its byte order mark, and where it ends.
    pub from: u64,
    pub to: u64,
    /// Bytes of a block.
    pub block: u64,
    /// The most bytes that a record may take: each thread may hold one.
    pub longest: u64,
}

/// The blocks of a text, each of whole records.
pub(super) struct Blocks<'t> {
    text: &'t Text,
    at: u64,
    line: u64,
    /// The first record is the header.
    header: bool,
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
    pub fn new(text: &'t Text) -> Self {
        Self {
            text,
            at: text.from,
            line: 1,
            header: text.schema.has_header,
            done: false,
        }
    }

    fn block(&mut self) -> Result<Block<'t>, InputError> {
        let text = self.text;
        let mut size = text.block;
        loop {
            let left = text.to - self.at;
            let mut bytes = text
                .content
                .read_up_to(self.at, size.min(left), &text.schema.file)?;
            let last = size >= left;
            let quoted = memchr(b'"', &bytes).is_some();
            let end = if last {
                Some(bytes.len())
            } else {
                last_end(&bytes, text.delimiter, quoted)
            };
            if let Some(end) = end {
                bytes.truncate(end);
                let (at, line, header) = (self.at, self.line, std::mem::take(&mut self.header));
                self.at += end as u64;
                self.line += lines(&bytes);
                return Ok(Block::new(
                    &text.schema,
                    text.delimiter,
                    bytes,
                    (at, line),
                    header,
                    quoted,
                ));
            }
            let most = text.longest.max(text.block).min(MOST);
            if size >= most {
                let what = format!("line {}: no record ends within {most} bytes", self.line);
                return Err(InputError::limit(&text.schema.file, what).with_hint(LONG));
            }
            size = (size * 2).min(most);
        }
    }
}

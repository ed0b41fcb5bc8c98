//! A text of records that is read by position.

use super::fault::Fault;
use super::records::{Rows, listed_records, records};
use super::tokenizer::{Tokenizer, decode};
use crate::budget::Budget;
use crate::bytes::Content;
use crate::error::InputError;
use crate::position::{floor, place_in};
use std::borrow::Cow;
use std::sync::Arc;

/// A text of records, from behind its byte order mark on.
#[derive(Debug)]
pub(super) struct Source {
    pub content: Content,
    pub file: String,
    /// Where the text begins.
    pub from: u64,
    /// Whether the records are in a list, rather than one after the other.
    pub list: bool,
    /// Whether `NaN` and `Infinity` are numbers.
    pub not_finite: bool,
    pub budget: Arc<Budget>,
}

impl Source {
    /// The text of a content. Lists are recognised in memory alone.
    ///
    /// # Errors
    /// When it can no longer be read.
    pub(super) fn new(
        content: Content,
        file: &str,
        not_finite: bool,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let marked = content.read_up_to(0, 3, file)? == "\u{feff}".as_bytes();
        let from = if marked { 3 } else { 0 };
        let list = match &content {
            Content::Memory(bytes) => bytes[from..].trim_ascii_start().starts_with(b"["),
            Content::File(..) => false,
        };
        Ok(Self {
            content,
            file: file.to_owned(),
            from: from as u64,
            list,
            not_finite,
            budget: Arc::clone(budget),
        })
    }

    /// Up to this many bytes from `from` on.
    ///
    /// # Errors
    /// When they can no longer be read.
    pub(super) fn bytes(&self, from: u64, len: u64) -> Result<Cow<'_, [u8]>, InputError> {
        match &self.content {
            Content::Memory(bytes) => {
                let rest = bytes.get(from as usize..).unwrap_or_default();
                Ok(Cow::Borrowed(&rest[..rest.len().min(len as usize)]))
            }
            Content::File(..) => self.content.read_up_to(from, len, &self.file).map(Cow::Owned),
        }
    }

    /// The text of some bytes that begin at `from`.
    ///
    /// # Errors
    /// When they are not UTF-8.
    pub(super) fn text<'b>(&self, from: u64, bytes: &'b [u8]) -> Result<&'b str, InputError> {
        decode(bytes).map_err(|fault| self.refused(from + fault.at as u64, fault))
    }

    /// A tokenizer of some text.
    pub(super) fn tokens<'t>(&self, text: &'t str) -> Tokenizer<'t> {
        Tokenizer::new(text, self.not_finite)
    }

    /// Reads records in a text that begins at `from` into rows: those of a list to its end, others up to its byte `end`.
    ///
    /// # Errors
    /// The first fault of the text or of the rows.
    pub(super) fn read(
        &self,
        (from, text, end): (u64, &str, usize),
        rows: &mut impl Rows,
    ) -> Result<(), InputError> {
        let read = if self.list {
            listed_records(&mut self.tokens(text).in_list(), rows)
        } else {
            records(&mut self.tokens(text), end, rows)
        };
        read.map_err(|fault| self.fault(from, text, fault))
    }

    /// The error of a fault in a text that begins at `from`.
    pub(super) fn fault(&self, from: u64, text: &str, fault: Fault) -> InputError {
        self.refused(from + floor(text, fault.at) as u64, fault)
    }

    /// The error of a fault at a byte of the content.
    pub(super) fn refused(&self, at: u64, fault: Fault) -> InputError {
        match place_in(&self.content, self.from, at, &self.file) {
            Ok(place) => fault.error(&self.file, |_| place),
            Err(unreadable) => unreadable,
        }
    }
}

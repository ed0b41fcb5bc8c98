//! Blocks of whole records, cut at line ends or at the commas of a list without reading the records.

use super::source::Source;
use crate::budget::Reservation;
use crate::error::InputError;
use crate::place::Place;
use memchr::{memchr2, memrchr2};
use std::ops::Range;

/// The most bytes of a block.
const LONGEST: u64 = 1 << 30;

/// Bytes of whole records, and of nothing else.
pub(super) struct Block {
    /// Where it begins.
    pub from: u64,
    /// Its bytes, and where more follows the bracket that the next record begins with: what breaks off in this block is
    /// refused there, as in a text that is not cut.
    pub bytes: Vec<u8>,
    /// Bytes without that bracket.
    pub len: usize,
    /// The memory of a block longer than usual.
    _room: Reservation,
}

/// The blocks of a text in their order.
pub(super) struct Blocks<'s> {
    source: &'s Source,
    at: u64,
    size: u64,
}

impl<'s> Blocks<'s> {
    /// Blocks of about `size` bytes; longer where a record is.
    pub(super) fn new(source: &'s Source, size: u64) -> Self {
        let at = source.from;
        Self { source, at, size }
    }

    /// The next block; `None` at the end of the text.
    ///
    /// # Errors
    /// When it can no longer be read, or a record is too long.
    pub(super) fn next(&mut self) -> Result<Option<Block>, InputError> {
        let (source, from) = (self.source, self.at);
        let left = source.content.len().saturating_sub(from);
        let (mut size, mut room) = (self.size, source.budget.nothing());
        let at_record = |e: InputError| InputError { place: Place::byte(from), ..e };
        if left == 0 {
            return Ok(None);
        }
        loop {
            let mut bytes = source.content.read_up_to(from, size.min(left), &source.file)?;
            let all = (size >= left).then_some(bytes.len());
            if let Some(len) = all.or_else(|| last_cut(&bytes)) {
                bytes.truncate(len + 1);
                self.at += len as u64;
                return Ok(Some(Block { from, bytes, len, _room: room }));
            }
            if size >= LONGEST {
                let what = format!("no record ends on a line of its own within {LONGEST} bytes");
                return Err(at_record(InputError::limit(&source.file, what)));
            }
            drop(bytes);
            size = (size * 2).min(LONGEST);
            let room = room.reach(size);
            room.map_err(|s| at_record(s.of(&source.file, "a record")))?;
        }
    }
}

/// The last bracket that begins a record on a line of its own behind the end of another one. Nothing else has a closing and an
/// opening brace with only blanks and a line end between them: texts hold no line end, and inside a record there is a comma.
fn last_cut(bytes: &[u8]) -> Option<usize> {
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r');
    let mut to = bytes.len();
    loop {
        let end = memrchr2(b'\n', b'\r', &bytes[..to])?;
        let next = end + bytes[end..].iter().take_while(|b| blank(b)).count();
        let before = bytes[..end].iter().rposition(|b| !blank(b))?;
        if bytes[before] == b'}' && bytes.get(next) == Some(&b'{') {
            return Some(next);
        }
        to = before + 1;
    }
}

/// The blocks of a list: their bytes in it, without the commas between blocks.
///
/// A list without faults is cut between records. In another one, a block holds a fault, or [`ListBlocks::is_closed`] is false
/// at the end.
pub(super) struct ListBlocks<'t> {
    bytes: &'t [u8],
    /// Where the next block begins; none behind the last.
    at: Option<usize>,
    size: usize,
    closed: bool,
}

impl<'t> ListBlocks<'t> {
    /// Blocks of at least `size` bytes, except for the last one.
    pub(super) fn new(list: &'t [u8], size: u64) -> Self {
        let start = list.iter().position(|b| *b == b'[');
        Self {
            bytes: list,
            at: start.map(|at| at + 1),
            size: usize::try_from(size).unwrap_or(usize::MAX),
            closed: false,
        }
    }

    /// Whether the list has ended with its bracket, and only blanks follow.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    fn close(&mut self, end: usize) {
        let rest = &self.bytes[end + 1..];
        self.closed = rest.iter().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
    }
}

impl Iterator for ListBlocks<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let (bytes, start) = (self.bytes, self.at.take()?);
        let (mut at, mut depth) = (start, 1usize);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => at = closing_quote(bytes, at)?,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.close(at);
                        return Some(start..at);
                    }
                }
                b',' if depth == 1 && at - start >= self.size => {
                    self.at = Some(at + 1);
                    return Some(start..at);
                }
                _ => {}
            }
            at += 1;
        }
        None
    }
}

/// The quote that ends the text beginning at `at`; none if it is not closed.
fn closing_quote(bytes: &[u8], mut at: usize) -> Option<usize> {
    at += 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::bytes::Content;

    fn source(text: &str, budget: u64) -> Source {
        Source::new(Content::Memory(text.into()), "f", false, &Budget::new(budget)).unwrap()
    }

    #[test]
    fn blocks_end_between_records() {
        for (text, cut) in [
            ("{}\n{}", Some(3)),
            ("{}\n{}\n", Some(3)),
            ("{\"a\":{}}\r\n \n{\n", Some(12)),
            ("{\"a\":\n{}\n}\n", None),
            ("{}{}", None),
            ("{\"a\":[{\n},\n{\n}]}\n", None),
            ("\n\n{", None),
            ("", None),
        ] {
            assert_eq!(last_cut(text.as_bytes()), cut, "{text:?}");
        }
    }

    #[test]
    fn lists_are_cut_between_records() {
        let cut = |text: &'static str, size| {
            let mut blocks = ListBlocks::new(text.as_bytes(), size);
            let found: Vec<&str> = blocks.by_ref().map(|r| &text[r]).collect();
            (found, blocks.is_closed())
        };
        let list = r#" [{"a":[1,{"b":"x,]\""}]}, {} ,{"c":{}}] "#;
        assert_eq!(cut(list, 1), (vec![r#"{"a":[1,{"b":"x,]\""}]}"#, " {} ", r#"{"c":{}}"#], true));
        assert_eq!(cut(list, 5).0.len(), 2);
        assert_eq!(cut(list, 1 << 20).0.len(), 1);
        for text in ["[{}", "[{}] x", "[{\"a", "[{\"a\\", "[{},", "", "["] {
            assert!(!cut(text, 1).1, "{text}");
        }
    }

    #[test]
    fn blocks_make_the_text() {
        let text =
            "\u{feff}{\"a\":1}\n\n{\"a\":{\n\"b\":2}}  \n{}{}\n  {\"long\":\"a text of some length\"}\n x";
        for size in 1..100 {
            let source = source(text, 1 << 20);
            let mut blocks = Blocks::new(&source, size);
            let mut joined: Vec<u8> = Vec::new();
            while let Some(block) = blocks.next().unwrap() {
                assert_eq!(block.from as usize, 3 + joined.len());
                let last = block.bytes.len() == block.len;
                assert!(last || block.bytes[block.len] == b'{');
                joined.extend(&block.bytes[..block.len]);
            }
            assert_eq!(joined, &text.as_bytes()[3..], "{size}");
            assert_eq!(source.budget.left(), 1 << 20);
        }
        let source = source(&"{}".repeat(5000), 5000);
        let e = Blocks::new(&source, 16).next().err().unwrap();
        assert_eq!(e.place, Place::byte(0));
    }
}

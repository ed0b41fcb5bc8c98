//! Text cut into records and fields: delimiters, line ends, and quotes as RFC 4180 has them; blanks may come before a quote.

use crate::loaded::Delimiter;
use memchr::{memchr, memchr_iter, memchr2, memrchr2};
use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

/// Receiver of the records of a text. A closure takes records and passes over their fields.
pub(super) trait Sink {
    /// Reason to end the work early.
    type Stop;

    /// Takes a field of the record that is being cut.
    fn field(&mut self, field: Field);

    /// Takes a line that is a comment, by its number from 0 and its bytes in the text.
    fn comment(&mut self, _line: u32, _bytes: Range<usize>) {}

    /// The record whose fields were taken is complete.
    ///
    /// # Errors
    /// The reason to end the work.
    fn record(&mut self, record: Record) -> Result<(), Self::Stop>;
}

/// How a text is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub delimiter: Delimiter,
    /// Beginning of lines that are no records; blanks may be before it.
    pub comment: Option<String>,
}

impl Cut {
    /// Fields between delimiters, on every line.
    pub(super) fn at(delimiter: Delimiter) -> Self {
        Self { delimiter, comment: None }
    }

    /// Whether a line that begins like this is a comment.
    pub(super) fn is_comment(&self, line: &[u8]) -> bool {
        self.comment.as_ref().is_some_and(|comment| {
            let text = match line.first() {
                Some(b' ') => line.trim_ascii_start(),
                _ => line,
            };
            text.starts_with(comment.as_bytes())
        })
    }
}

impl<E, F: FnMut(Record) -> Result<(), E>> Sink for F {
    type Stop = E;

    fn field(&mut self, _: Field) {}

    fn record(&mut self, record: Record) -> Result<(), E> {
        self(record)
    }
}

/// A field as it is written, by its bytes in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    /// Its place in its record.
    pub index: usize,
    from: usize,
    to: usize,
    /// It begins with a quote.
    quoted: bool,
}

impl Field {
    /// Its text, without the quotes around it; two quotes inside are one.
    #[inline]
    pub(super) fn text(self, text: &str) -> Cow<'_, str> {
        let written = &text[self.from..self.to];
        if self.quoted { unquoted(&written[1..]) } else { Cow::Borrowed(written) }
    }
}

/// The text of a field after the quote that opens it. What follows the quote that closes it belongs to it.
fn unquoted(written: &str) -> Cow<'_, str> {
    let (mut text, mut rest) = (String::new(), written);
    while let Some(at) = memchr(b'"', rest.as_bytes()) {
        if at + 1 == written.len() {
            return Cow::Borrowed(&written[..at]);
        }
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        text.push_str(before);
        rest = after;
        match after.strip_prefix('"') {
            Some(after) => {
                text.push('"');
                rest = after;
            }
            None => break,
        }
    }
    Cow::Owned(text + rest)
}

/// A record: a line with a character, and the lines that its quotes hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// The line on which it begins, from 0.
    pub line: u32,
    /// The number of its fields.
    pub fields: usize,
    /// No field holds a character.
    pub empty: bool,
    /// Each of its quotes opens or closes a field, or is one of two inside it.
    pub strict: bool,
    /// The line of the quote that is still open at the end of the text, from 0.
    pub open: Option<u32>,
}

impl Record {
    /// Whether it is passed over in a table of this many columns, like a line without a character.
    pub(super) fn is_blank(&self, width: usize) -> bool {
        self.empty && (self.fields > 1 || width > 1)
    }
}

/// Cuts a text that begins with a record, and gives the sink its fields and records.
///
/// # Errors
/// The sink's reason to end the work.
pub(super) fn cut<S: Sink>(text: &[u8], how: &Cut, sink: &mut S) -> Result<(), S::Stop> {
    if memchr(b'"', text).is_some() {
        Cutter::<S, true>::new(text, how, sink).cut_all()
    } else {
        Cutter::<S, false>::new(text, how, sink).cut_all()
    }
}

/// Where the last whole record ends, in bytes that more bytes follow.
pub(super) fn last_end(bytes: &[u8], how: &Cut) -> Option<usize> {
    if memchr(b'"', bytes).is_none() {
        return last_break(bytes);
    }
    let sink = &mut |_: Record| Ok::<_, Infallible>(());
    let mut cutter = Cutter::<_, true>::new(whole_lines(bytes), how, sink);
    let Ok(()) = cutter.cut_lines();
    (cutter.start > 0).then_some(cutter.start)
}

/// A text while it is cut; `QUOTED` says whether it may hold quotes.
struct Cutter<'t, 's, S, const QUOTED: bool> {
    bytes: &'t [u8],
    how: &'t Cut,
    /// Runs of blanks are one delimiter.
    blanks: bool,
    /// The line is a comment.
    comment: bool,
    sink: &'s mut S,
    /// Where the record begins, and its field.
    start: usize,
    from: usize,
    /// Fields of the record before this one.
    field: usize,
    /// The line on which the record begins, and its line ends between quotes.
    line: u32,
    breaks: u32,
    /// The place after the last carriage return.
    after_cr: usize,
    /// The field begins with a quote.
    quoted: bool,
    /// The line of the quote that is open.
    open: Option<u32>,
    /// The place of the second of two quotes, and the place after the last quote that closed a field.
    second: usize,
    closed: usize,
    /// The record holds a character, and no quote at another place than RFC 4180 has one.
    filled: bool,
    strict: bool,
}

impl<'t, 's, S: Sink, const QUOTED: bool> Cutter<'t, 's, S, QUOTED> {
    fn new(bytes: &'t [u8], how: &'t Cut, sink: &'s mut S) -> Self {
        Self {
            bytes,
            how,
            blanks: how.delimiter == Delimiter::Blanks,
            comment: how.is_comment(bytes),
            sink,
            start: 0,
            from: 0,
            field: 0,
            line: 0,
            breaks: 0,
            after_cr: usize::MAX,
            quoted: false,
            open: None,
            second: usize::MAX,
            closed: usize::MAX,
            filled: false,
            strict: true,
        }
    }

    /// Cuts to the end of the text.
    fn cut_all(mut self) -> Result<(), S::Stop> {
        self.cut_lines()?;
        self.end_record(self.bytes.len())
    }

    /// Cuts to the end of the last line.
    fn cut_lines(&mut self) -> Result<(), S::Stop> {
        let bytes = self.bytes;
        match (self.how.delimiter, QUOTED) {
            (Delimiter::Byte(b), true) => hits(bytes, [b, b'\n', b'\r', b'"'], &mut |at| self.hit(at)),
            (Delimiter::Byte(b), false) => hits(bytes, [b, b'\n', b'\r'], &mut |at| self.hit(at)),
            (Delimiter::Blanks, _) => hits(bytes, *b" \t\n\r\"", &mut |at| self.hit(at)),
        }
    }

    /// There is a delimiter, the end of a line or a quote here.
    fn hit(&mut self, at: usize) -> Result<(), S::Stop> {
        let byte = self.bytes[at];
        if byte == b'"' {
            if QUOTED && !self.comment {
                self.quote(at);
            }
            return Ok(());
        }
        let open = QUOTED && self.open.is_some();
        if byte != b'\n' && byte != b'\r' {
            if open || self.comment {
                return Ok(());
            }
            if !self.blanks || at != self.from {
                self.end_field(at);
                self.field += 1;
            }
            self.from = at + 1;
            return Ok(());
        }
        // A line feed after a carriage return is the second half of a line end.
        let ends_line = byte == b'\r' || self.after_cr != at;
        if byte == b'\r' {
            self.after_cr = at + 1;
        }
        if open {
            self.breaks += u32::from(ends_line);
            return Ok(());
        }
        if ends_line {
            self.end_record(at)?;
            (self.field, self.line) = (0, self.line + 1 + std::mem::take(&mut self.breaks));
        }
        (self.start, self.from) = (at + 1, at + 1);
        self.comment = self.how.comment.is_some() && self.how.is_comment(&self.bytes[at + 1..]);
        Ok(())
    }

    fn quote(&mut self, at: usize) {
        match self.open {
            _ if at == self.second => {}
            Some(_) if self.bytes.get(at + 1) == Some(&b'"') => self.second = at + 1,
            Some(_) => (self.open, self.closed) = (None, at + 1),
            None if at == self.from || self.opens_behind_blanks(at) => {
                self.from = at;
                (self.open, self.quoted) = (Some(self.line + self.breaks), true);
            }
            None => self.strict = false,
        }
    }

    /// Whether a quote with nothing but blanks before it in its field opens one: its line closes it at the end of a field.
    fn opens_behind_blanks(&self, at: usize) -> bool {
        let Delimiter::Byte(delimiter) = self.how.delimiter else { return false };
        if self.field == 0 || !self.bytes[self.from..at].iter().all(|b| *b == b' ') {
            return false;
        }
        let rest = &self.bytes[at + 1..];
        let line = &rest[..memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())];
        memchr(b'"', line)
            .is_some_and(|end| line[end + 1..].iter().find(|b| **b != b' ').is_none_or(|b| *b == delimiter))
    }

    #[inline]
    fn end_field(&mut self, to: usize) {
        let (index, from, quoted) = (self.field, self.from, QUOTED && self.quoted);
        if QUOTED {
            let quotes = usize::from(quoted) + usize::from(quoted && self.open.is_none());
            self.filled |= to - from > quotes;
            self.strict &= !quoted || self.open.is_some() || self.closed == to;
            self.quoted = false;
        }
        self.sink.field(Field { index, from, to, quoted });
    }

    fn end_record(&mut self, at: usize) -> Result<(), S::Stop> {
        if self.comment {
            self.sink.comment(self.line, self.start..at);
            return Ok(());
        }
        // Blanks at the end of a line are no field.
        let ended = self.blanks && self.from == at;
        if at == self.start || (ended && self.field == 0) {
            return Ok(());
        }
        if !ended {
            self.end_field(at);
        }
        let empty = match QUOTED {
            true => !std::mem::take(&mut self.filled),
            false => !self.blanks && at - self.start == self.field,
        };
        self.sink.record(Record {
            line: self.line,
            fields: self.field + usize::from(!ended),
            empty,
            strict: std::mem::replace(&mut self.strict, true),
            open: self.open,
        })
    }
}

/// Line ends: CRLF counts once.
pub(super) fn lines(bytes: &[u8]) -> u64 {
    let feeds = memchr_iter(b'\n', bytes).count();
    let alone = memchr_iter(b'\r', bytes).filter(|&i| bytes.get(i + 1) != Some(&b'\n')).count();
    (feeds + alone) as u64
}

/// Bytes of which it is known whether they hold line ends: a carriage return at the very end may be half of one.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// Where the last line ends, in bytes that more bytes follow.
pub(super) fn last_break(bytes: &[u8]) -> Option<usize> {
    memrchr2(b'\n', b'\r', whole_lines(bytes)).map(|i| i + 1)
}

/// Calls `hit` with the place of each of some bytes, eight bytes at a time.
///
/// # Errors
/// The first of `hit`, which ends the work.
pub(super) fn hits<const N: usize, E>(
    bytes: &[u8],
    of: [u8; N],
    hit: &mut impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let patterns = of.map(|b| u64::from(b) * 0x0101_0101_0101_0101);
    let (words, rest) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The high bit of each byte that equals the pattern's: no carry reaches a neighbour.
        let equal = |pattern: u64| {
            let x = word ^ pattern;
            !(((x & LOW) + LOW) | x | LOW)
        };
        let mut found = patterns.iter().fold(0, |found, p| found | equal(*p));
        while found != 0 {
            hit(i * 8 + (found.trailing_zeros() / 8) as usize)?;
            found &= found - 1;
        }
    }
    let before = words.len() * 8;
    (0..rest.len()).filter(|i| of.contains(&rest[*i])).try_for_each(|i| hit(before + i))
}

#[cfg(test)]
mod ends_tests {
    use super::*;

    #[test]
    fn a_line_end_of_two_bytes_is_one() {
        assert_eq!((lines(b"a\r\nb\rc\nd"), lines(b"\n\r")), (3, 2));
        assert_eq!((last_break(b"a\nb\r"), last_break(b"a\r")), (Some(2), None));
    }

    #[test]
    fn every_hit_is_found_in_its_order() {
        let text: Vec<u8> = (0..999u32).map(|i| b"a,;\n\r\xff"[(i * 7919 % 13 % 6) as usize]).collect();
        let mut found = Vec::new();
        hits(&text, *b",\n\r", &mut |at| {
            found.push(at);
            Ok::<_, ()>(())
        })
        .unwrap();
        assert_eq!(found, (0..text.len()).filter(|i| b",\n\r".contains(&text[*i])).collect::<Vec<_>>());
    }
}

#[cfg(test)]
mod tests;

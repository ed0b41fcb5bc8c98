//! The user's own texts: line breaks stay, and `$…$` is a formula. Text of files goes through [`clean`](super::clean).
//!
//! A formula and its raised, lowered or smaller characters are marked by noncharacters of Unicode. Text of files never has
//! them, because `clean` replaces them by their escapes; only [`rich`] writes them.

use super::label::{LONGEST, one_line, shorten, steers};
use super::math::formula;
use std::borrow::Cow;
use std::ops::Range;

/// Formulas are looked for in texts of up to this many bytes; longer ones are shortened anyway.
const LONGEST_SOURCE: usize = 1 << 16;

/// Only formulas have these characters.
const SYNTAX: [char; 4] = ['\\', '^', '_', '{'];

/// A part of a text.
enum Piece<'a> {
    /// As it is.
    Plain(&'a str),
    /// A formula: its marked text.
    Formula(String),
    /// Between dollar signs, but not understood; with the signs.
    Unread(&'a str),
}

/// A text of the user as it is drawn: several lines, formulas marked; an endless text is its ends.
pub fn rich(text: &str) -> String {
    shorten(&marked(&unplaced(text)), LONGEST)
}

/// As [`rich`], on one line.
pub fn rich_line(text: &str) -> String {
    rich(text).replace('\n', " ")
}

/// A template of the user's, cut at its places; the values between the pieces are data.
pub fn rich_pieces<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let texts: Vec<Cow<'_, str>> = texts.into_iter().map(unplaced).collect();
    let whole = marked(&texts.join(PLACE.encode_utf8(&mut [0; 4])));
    whole.split(PLACE).map(str::to_owned).collect()
}

/// Pieces of a template with data between them; an endless text is its ends.
pub fn filled<'a>(pieces: &[String], values: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::new();
    let mut values = values.into_iter();
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 {
            out.push_str(&one_line(&shorten(values.next().unwrap_or(""), LONGEST)));
        }
        out.push_str(piece);
    }
    shorten(&out, LONGEST)
}

/// A text of the user as plain text on one line, for titles of documents.
pub fn readable(text: &str) -> String {
    spoken(&rich_line(text))
}

/// A text as it is drawn, as plain text on one line, for reports.
pub fn spoken(drawn: &str) -> String {
    unmarked(drawn).replace('\n', " ")
}

/// The formulas of a text that are not understood, as they are written.
pub fn unread_formulas(text: &str) -> Vec<String> {
    let unread = |p: Piece<'_>| match p {
        Piece::Unread(source) => Some(one_line(source)),
        _ => None,
    };
    parts(text).into_iter().filter_map(unread).collect()
}

/// The text with `\n`, as it is written in a shell, as a line break; formulas stay as they are, and `\\n` is `\n`.
pub fn with_breaks(text: &str) -> String {
    if !text.contains("\\n") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for part in sources(text) {
        let source = match part {
            Source::Between(source) => {
                out.push_str(source);
                continue;
            }
            Source::Plain(source) => source,
        };
        let mut rest = source;
        while let Some(at) = rest.find("\\n") {
            let (before, after) = (&rest[..at], &rest[at + 2..]);
            match before.strip_suffix('\\') {
                Some(before) => out.extend([before, "\\n"]),
                None => out.extend([before, "\n"]),
            }
            rest = after;
        }
        out.push_str(rest);
    }
    out
}

/// The text with no place of a template in it, and its ends where it is too long for formulas.
fn unplaced(text: &str) -> Cow<'_, str> {
    let short =
        if text.len() > LONGEST_SOURCE { Cow::Owned(shorten(text, LONGEST)) } else { Cow::Borrowed(text) };
    if short.contains(PLACE) {
        return Cow::Owned(short.replace(PLACE, "\u{fffd}"));
    }
    short
}

fn marked(text: &str) -> String {
    let mut out = String::new();
    for part in parts(text) {
        match part {
            Piece::Plain(text) => plain(&text.replace("\\$", "$"), &mut out),
            Piece::Formula(text) => {
                out.push(OPEN);
                out.push_str(&text);
                out.push(CLOSE);
            }
            Piece::Unread(text) => plain(text, &mut out),
        }
    }
    out
}

/// Adds a text that holds no formula: line breaks stay.
fn plain(text: &str, out: &mut String) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' => out.push(' '),
            PLACE => out.push(PLACE),
            c if steers(c) || is_mark(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
}

fn parts(text: &str) -> Vec<Piece<'_>> {
    let part = |s| match s {
        Source::Plain(text) => Piece::Plain(text),
        Source::Between(source) => {
            let inner = &source[1..source.len() - 1];
            match formula(inner).filter(|f| !is_prose(inner) && f.chars().count() <= LONGEST) {
                Some(marked) => Piece::Formula(marked),
                None => Piece::Unread(source),
            }
        }
    };
    if text.len() > LONGEST_SOURCE {
        return vec![Piece::Plain(text)];
    }
    sources(text).into_iter().map(part).collect()
}

/// A part of a text as it is written.
enum Source<'a> {
    Plain(&'a str),
    /// A formula, perhaps, with its dollar signs.
    Between(&'a str),
}

/// Divides a text at its dollar signs. A lone one, and signs of money, are text.
fn sources(text: &str) -> Vec<Source<'_>> {
    let mut out = Vec::new();
    let (mut from, mut open): (usize, Option<usize>) = (0, None);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            // A formula is on one line.
            '\n' => (open, escaped) = (None, false),
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '$' => match open {
                Some(start) if is_formula(&text[start + 1..at], &text[at + 1..]) => {
                    if from < start {
                        out.push(Source::Plain(&text[from..start]));
                    }
                    out.push(Source::Between(&text[start..=at]));
                    (from, open) = (at + 1, None);
                }
                _ => open = Some(at),
            },
            _ => {}
        }
    }
    if from < text.len() {
        out.push(Source::Plain(&text[from..]));
    }
    out
}

/// Words with blanks between them and nothing of a formula, as between two amounts of money.
fn is_prose(inner: &str) -> bool {
    let wordy = |w: &str| w.starts_with(char::is_alphanumeric) && w.ends_with(char::is_alphanumeric);
    let words: Vec<&str> = inner.split_whitespace().collect();
    !inner.contains(SYNTAX) && words.windows(2).any(|w| wordy(w[0]) && wordy(w[1]))
}

/// Whether the text between two dollar signs may be a formula: `$5 and $6` is money.
fn is_formula(inner: &str, after: &str) -> bool {
    let touches = !inner.starts_with(char::is_whitespace) && !inner.ends_with(char::is_whitespace);
    let amount = after.starts_with(|c: char| c.is_ascii_digit());
    !inner.is_empty() && (touches && !amount || inner.contains(SYNTAX))
}

/// A formula begins.
pub(super) const OPEN: char = '\u{fdd0}';
/// The formula ends.
pub(super) const CLOSE: char = '\u{fdd1}';
/// Begins raised and smaller text, up to [`END`].
pub(super) const RAISE: char = '\u{fdd2}';
/// Begins lowered and smaller text, up to [`END`].
pub(super) const LOWER: char = '\u{fdd3}';
/// The end of the last [`RAISE`] or [`LOWER`].
pub(super) const END: char = '\u{fdd4}';
/// The next script begins where the last one began: both belong to one base.
pub(super) const STACK: char = '\u{fdd5}';
/// The place of a value in a template.
pub(super) const PLACE: char = '\u{fdd6}';

/// Whether a character is a mark.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, OPEN..=PLACE)
}

/// The text without marks: the characters that a reader sees, on the baseline.
pub fn unmarked(text: &str) -> String {
    text.chars().filter(|c| !is_mark(*c)).collect()
}

/// Whether a text has formulas, or a part of one.
pub fn has_formula(text: &str) -> bool {
    text.contains(is_mark)
}

/// The formulas of a text, as ranges of its bytes: no line is broken within one.
pub fn formulas(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let range = |(unit, _): (&str, usize)| {
        at += unit.len();
        unit.starts_with(OPEN).then_some(at - unit.len()..at)
    };
    units(text).filter_map(range).collect()
}

/// The parts of a text that are not cut: characters, and whole formulas. With each, its number of characters.
pub(super) fn units(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let (mut rest, mut closes) = (text, true);
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let mut end = None;
        if first == OPEN && closes {
            end = rest.find(CLOSE).map(|at| at + CLOSE.len_utf8());
            closes = end.is_some();
        }
        let (unit, tail) = rest.split_at(end.unwrap_or(first.len_utf8()));
        rest = tail;
        // A mark of its own is one, so that marks without a formula have an end too.
        Some((unit, unit.chars().filter(|c| !is_mark(*c)).count().max(1)))
    })
}

#[cfg(test)]
mod marks_tests {
    use super::*;

    #[test]
    fn a_formula_is_one_unit() {
        let text = format!("a{OPEN}x{LOWER}2{END}{CLOSE}é");
        let found: Vec<(String, usize)> = units(&text).map(|(u, n)| (unmarked(u), n)).collect();
        assert_eq!(found, [("a".into(), 1), ("x2".into(), 2), ("é".into(), 1)]);
        assert!(has_formula(&text) && !has_formula("a"));
        assert_eq!(formulas(&text).first(), Some(&(1..text.len() - 2)));
        // Without its end, the mark is a unit of its own.
        assert_eq!(units(&format!("{OPEN}ab")).count(), 3);
    }
}

#[cfg(test)]
mod tests;

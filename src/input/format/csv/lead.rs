//! What is before the header of a text: rows to pass over, the line by which spreadsheets name the delimiter, comments.

use super::cutter::{Field as Written, Record, Sink, cut};
use super::delimiter::sniff_delimiter;
use super::ends::lines;
use crate::input::field::{Field, read_field};
use memchr::memchr;

/// Where the header of a text begins, and what is known before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lead {
    /// Bytes and lines before it.
    pub bytes: usize,
    pub lines: u64,
    /// The delimiter that a line names.
    pub delimiter: Option<u8>,
}

impl Lead {
    /// Passes over `skip` lines, a line `sep=;` and the comments before the header. `whole` says that nothing follows the text,
    /// and `delimiter` is the one that the user gave. `None` where more of the text must be seen.
    pub(super) fn of(text: &str, whole: bool, skip: u64, delimiter: Option<u8>) -> Option<Self> {
        let mut lead = Self::default();
        for _ in 0..skip {
            let Some(end) = line_end(&text[lead.bytes..]) else {
                lead.bytes = text.len();
                break;
            };
            lead.bytes += end;
        }
        let rest = &text[lead.bytes..];
        if let Some((end, named)) = named_delimiter(rest) {
            lead.bytes += end;
            lead.delimiter = Some(named);
        }
        lead.bytes += comments(&text[lead.bytes..], delimiter.or(lead.delimiter));
        lead.lines = lines(&text.as_bytes()[..lead.bytes]);
        (whole || lead.bytes < text.len()).then_some(lead)
    }
}

/// Where the first line of a text ends, its break included; `None` where it is the last.
fn line_end(text: &str) -> Option<usize> {
    memchr(b'\n', text.as_bytes()).map(|at| at + 1)
}

/// The delimiter that the line `sep=;` names, and where that line ends.
fn named_delimiter(text: &str) -> Option<(usize, u8)> {
    let end = line_end(text)?;
    let line = text[..end].trim_end_matches(['\r', '\n']).trim_matches('"');
    match line.strip_prefix("sep=")?.as_bytes() {
        [b] if b.is_ascii() && *b != b'"' => Some((end, *b)),
        _ => None,
    }
}

/// Bytes of the lines of a text that begin with `#` and are no header: a last one with as many fields as the row after it is
/// one, unless that row looks like a header itself.
fn comments(text: &str, delimiter: Option<u8>) -> usize {
    let (mut last, mut end) = (0, 0);
    while text[end..].starts_with('#') {
        let Some(next) = line_end(&text[end..]) else { break };
        (last, end) = (end, end + next);
    }
    if end == 0 || text[end..].trim().is_empty() {
        return 0;
    }
    let delimiter = delimiter.unwrap_or_else(|| sniff_delimiter(&text[end..], true));
    let mut first = First::default();
    let _ = cut(
        text[end..].as_bytes(),
        delimiter,
        &mut Texts {
            text: &text[end..],
            first: &mut first,
        },
    );
    let mut comment = First::default();
    let line = &text[last..end];
    let _ = cut(
        line.as_bytes(),
        delimiter,
        &mut Texts {
            text: line,
            first: &mut comment,
        },
    );
    let same = comment.counts.first() == first.counts.first();
    let is_header = first.texts.first() == first.counts.first() && first.texts.get(1) < first.counts.get(1);
    if same && !is_header { last } else { end }
}

/// Of the first two records: their fields, and those of them that are texts.
#[derive(Default)]
struct First {
    counts: Vec<usize>,
    texts: Vec<usize>,
    now: usize,
}

struct Texts<'t, 'f> {
    text: &'t str,
    first: &'f mut First,
}

impl Sink for Texts<'_, '_> {
    type Stop = ();

    fn field(&mut self, field: Written) {
        self.first.now += usize::from(read_field(&field.text(self.text), &[]) == Field::Text);
    }

    fn record(&mut self, record: Record) -> Result<(), ()> {
        let texts = std::mem::take(&mut self.first.now);
        if !record.empty {
            self.first.counts.push(record.fields);
            self.first.texts.push(texts);
        }
        if self.first.counts.len() < 2 {
            Ok(())
        } else {
            Err(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_found_behind_what_is_before_it() {
        for (text, skip, bytes, delimiter) in [
            ("a,b\n1,2\n", 0, 0, None),
            ("# note\n# date: 2024, May\na,b,c\n1,2,3\n", 0, 25, None),
            ("#chrom\tstart\nx\t1\n", 0, 0, None),
            ("# made by hand\n#chrom\tstart\nx\t1\n", 0, 15, None),
            ("# a, b\nx,y\n1,2\n", 0, 7, None),
            ("# a\n# b\n", 0, 0, None),
            ("#", 0, 0, None),
            ("sep=;\r\na;b\n1;2\n", 0, 7, Some(b';')),
            ("\"sep=\t\"\na\tb\n", 0, 8, Some(b'\t')),
            ("sep=ab\n1\n", 0, 0, None),
            ("Report,,\n,,\na,b,c\n1,2,3\n", 2, 12, None),
            ("x\n# c\na,b\n1,2\n", 1, 6, None),
            ("a\n", 5, 2, None),
        ] {
            let lead = Lead::of(text, true, skip, None).unwrap();
            assert_eq!((lead.bytes, lead.delimiter), (bytes, delimiter), "{text:?}");
        }
        assert_eq!(Lead::of("x\ny\n", false, 3, None), None);
    }
}

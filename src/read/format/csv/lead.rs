//! Lines before the header of a text: rows to pass over, and the line by which spreadsheets name the delimiter.

use super::ends::lines;
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
    /// Passes over `skip` lines and a line `sep=;`. `whole` says that nothing follows the text. `None` where more of the text
    /// must be seen.
    pub(super) fn of(text: &str, whole: bool, skip: u64) -> Option<Self> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_found_behind_what_is_before_it() {
        for (text, skip, bytes, delimiter) in [
            ("a,b\n1,2\n", 0, 0, None),
            ("#chrom\tstart\nx\t1\n", 0, 0, None),
            ("#", 0, 0, None),
            ("sep=;\r\na;b\n1;2\n", 0, 7, Some(b';')),
            ("\"sep=\t\"\na\tb\n", 0, 8, Some(b'\t')),
            ("sep=ab\n1\n", 0, 0, None),
            ("Report,,\n,,\na,b,c\n1,2,3\n", 2, 12, None),
            ("# c\na,b\n1,2\n", 1, 4, None),
            ("a\n", 5, 2, None),
        ] {
            let lead = Lead::of(text, true, skip).unwrap();
            assert_eq!((lead.bytes, lead.delimiter), (bytes, delimiter), "{text:?}");
        }
        assert_eq!(Lead::of("x\ny\n", false, 3), None);
    }
}

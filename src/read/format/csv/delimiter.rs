//! The delimiter of a text: which character separates its fields.

use super::cutter::{Cut, Field as Written, Record, Sink, cut};
use crate::error::InputError;
use crate::field::{Field, is_decimal_comma, parse_number, read_field};
use crate::loaded::Delimiter;
use crate::numeral::quantity;
use memchr::memchr_iter;

/// Delimiters to try, the likeliest first.
pub(super) const CANDIDATES: [u8; 4] = [b',', b'\t', b';', b'|'];
/// A delimiter that is only proposed when nothing else fits.
const PROPOSED: u8 = b':';
/// Records looked at.
const SAMPLE: usize = 50;

/// Reads the text of `--delimiter`: one ASCII character or a word.
///
/// # Errors
/// When it is neither.
pub(super) fn parse_delimiter(text: &str, file: &str) -> Result<Delimiter, InputError> {
    Ok(Delimiter::Byte(match text {
        "blanks" | "\\s+" => return Ok(Delimiter::Blanks),
        "tab" | "\\t" => b'\t',
        "comma" => b',',
        "semicolon" => b';',
        "space" => b' ',
        "colon" => b':',
        "pipe" => b'|',
        _ => match text.as_bytes() {
            [b] if b.is_ascii() && !matches!(b, b'"' | b'\n' | b'\r') => *b,
            _ => {
                let what = format!(
                    "--delimiter '{text}' is not one ASCII character, nor tab, comma, semicolon, colon, pipe, space or blanks"
                );
                return Err(InputError::usage(file, what));
            }
        },
    }))
}

/// The most fields that any of some delimiters makes of a text outside quotes.
pub(super) fn most_fields(text: &[u8], delimiters: &[u8]) -> u64 {
    let of = |d: &u8| {
        let outside = text.split(|b| *b == b'"').step_by(2);
        outside.map(|part| memchr_iter(*d, part).count() as u64).sum::<u64>() + 1
    };
    delimiters.iter().map(of).max().unwrap_or(1)
}

/// How the sample splits at one delimiter.
struct Split {
    /// The commonest number of fields.
    mode: usize,
    /// Share of records with that number.
    agree: f64,
    /// The same share of those after the first record.
    agree_below: f64,
    /// Share of fields that read as values, and of those after the first record.
    typed: f64,
    typed_below: f64,
    /// The fields are the end of one number and the beginning of the next, as decimal commas part them.
    torn: bool,
    /// Every quote is where RFC 4180 has one.
    strict: bool,
    /// No quote is open at the end.
    closed: bool,
}

impl Split {
    /// How likely the sample is a table of such fields.
    fn rank(&self) -> (u8, f64, f64, usize) {
        (self.fit(), self.agree, self.typed, self.mode)
    }

    /// How far the sample is a table: a wrong delimiter leaves quotes inside fields, or one open, or records that disagree.
    fn fit(&self) -> u8 {
        match (self.agree == 1.0, self.strict, self.closed) {
            (true, true, true) => 3,
            (true, true, false) => 2,
            (true, false, true) => 1,
            _ => 0,
        }
    }
}

/// The delimiter by which the text is most likely a table; a comma where none splits the records. A fault that appears at one
/// delimiter says nothing of the others; whoever reads the text reports those of the best. `cut` says that more text
/// follows, so that a quote may be open at the end.
pub(super) fn sniff_delimiter(text: &str, comment: Option<&String>, cut: bool) -> Delimiter {
    let mut best: Option<(u8, Split)> = None;
    for d in CANDIDATES {
        if !text.as_bytes().contains(&d) {
            continue;
        }
        let Some(s) = split(text, Delimiter::Byte(d), comment, cut).filter(|s| s.mode > 1) else {
            continue;
        };
        if best.as_ref().is_none_or(|(_, b)| s.rank() > b.rank()) {
            best = Some((d, s));
        }
    }
    // Two tabs have a blank field between them where tabs part most lines.
    let has_blank_field =
        |s: &Split| s.agree_below >= 0.5 && text.lines().any(|line| line.trim().contains("\t\t"));
    // Blanks are in texts, too: they part numbers, in lines of as many fields each.
    let blanks = || {
        split(text, Delimiter::Blanks, comment, cut).is_some_and(|s| {
            let numbers = s.mode > 1 && s.strict && s.closed && s.typed_below > 0.0;
            let fits = numbers && s.agree_below == 1.0;
            match &best {
                // A few rows may be short.
                None => fits || numbers && s.agree_below >= 0.7 && s.typed_below >= 0.3,
                // Decimal commas.
                Some((b',', other)) if other.agree_below == 1.0 => {
                    fits && (s.typed == 1.0 && other.typed < 1.0 || other.torn && s.typed_below >= 0.3)
                }
                Some((b'\t', other)) if has_blank_field(other) => false,
                Some((_, other)) => fits && other.agree_below < 1.0 && s.typed_below > 0.5,
            }
        })
    };
    if blanks() {
        return Delimiter::Blanks;
    }
    Delimiter::Byte(best.map_or(b',', |(d, _)| d))
}

/// A delimiter that would split a table of one column evenly, as an option's value.
pub(super) fn propose_delimiter(text: &str, how: &Cut) -> Option<&'static str> {
    let fits = |d: Delimiter| {
        split(text, d, how.comment.as_ref(), false).is_some_and(|s| s.mode > 1 && s.agree == 1.0 && s.closed)
    };
    let bytes = CANDIDATES.into_iter().chain([PROPOSED]).filter(|d| text.as_bytes().contains(d));
    let all = bytes.map(Delimiter::Byte).chain([Delimiter::Blanks]);
    all.filter(|d| *d != how.delimiter).find(|d| fits(*d)).map(|d| match d {
        Delimiter::Byte(b'\t') => "tab",
        Delimiter::Byte(b',') => ",",
        Delimiter::Byte(b';') => "';'",
        Delimiter::Byte(b'|') => "'|'",
        Delimiter::Byte(_) => ":",
        Delimiter::Blanks => "blanks",
    })
}

/// Splits the first records; `None` where there are none.
fn split(text: &str, delimiter: Delimiter, comment: Option<&String>, cut_off: bool) -> Option<Split> {
    let mut sample = Sample {
        text,
        counts: Vec::new(),
        typed: 0,
        typed_above: 0,
        torn: 0,
        torn_of_record: 0,
        begins_with_number: false,
        fields: 0,
        typed_of_record: 0,
        strict: true,
        open: None,
    };
    // A sample that is large enough ends the work.
    let _ = cut(text.as_bytes(), &Cut { delimiter, comment: comment.cloned() }, &mut sample);
    let mut counts = sample.counts;
    // A record that does not end has at least these fields.
    if counts.is_empty() {
        counts.extend(sample.open);
    }
    let same = |n: usize| counts.iter().filter(|&&c| c == n).count();
    let mode = counts.iter().copied().max_by_key(|&n| (same(n), n))?;
    Some(Split {
        torn: mode > 1 && sample.torn > 0 && sample.torn + 1 >= counts.len(),
        mode,
        agree: same(mode) as f64 / counts.len() as f64,
        agree_below: counts.iter().skip(1).filter(|&&c| c == mode).count() as f64
            / counts.len().saturating_sub(1).max(1) as f64,
        typed: sample.typed as f64 / sample.fields.max(1) as f64,
        typed_below: (sample.typed - sample.typed_above) as f64 / sample.fields.max(1) as f64,
        strict: sample.strict,
        closed: cut_off || sample.open.is_none(),
    })
}

/// The first records at one delimiter.
struct Sample<'t> {
    text: &'t str,
    /// The fields of each record.
    counts: Vec<usize>,
    /// Of those fields: those that read as values, and all.
    typed: usize,
    fields: usize,
    /// The values of the first record.
    typed_above: usize,
    /// Records whose fields are two numbers each, the first field the end of one or one, and the last any.
    torn: usize,
    torn_of_record: usize,
    begins_with_number: bool,
    /// Of the record that is being cut, those that read as values.
    typed_of_record: usize,
    strict: bool,
    /// The fields of a record whose quote is open at the end.
    open: Option<usize>,
}

impl Sink for Sample<'_> {
    type Stop = ();

    fn field(&mut self, field: Written) {
        let t = field.text(self.text);
        self.typed_of_record +=
            usize::from(read_field(&t, &[]) != Field::Text || is_decimal_comma(&t) || quantity(&t).is_some());
        let words = t.trim().rsplit_once(' ').map(|(first, last)| (first.trim_end(), last));
        let is_number = |word: &str| parse_number(word).is_some();
        self.torn_of_record += usize::from(match words {
            Some((first, last)) => is_number(last) && (field.index == 0 || is_number(first)),
            None => field.index == 0 && is_number(&t),
        });
        self.begins_with_number = field.index == 0 && words.is_some_and(|(first, _)| is_number(first))
            || field.index > 0 && self.begins_with_number;
    }

    fn record(&mut self, record: Record) -> Result<(), ()> {
        let typed = std::mem::take(&mut self.typed_of_record);
        let torn = std::mem::take(&mut self.torn_of_record);
        self.strict &= record.strict;
        if record.open.is_some() {
            self.open = Some(record.fields);
            return Err(());
        }
        // Blank rows are passed over, whatever they are split into.
        if !record.empty {
            if self.counts.is_empty() {
                self.typed_above = typed;
            }
            // Of two numbers before a comma the second may be a whole one.
            let is_open = record.fields == 2 && self.begins_with_number;
            self.torn += usize::from(record.fields > 1 && torn + 1 >= record.fields && !is_open);
            self.counts.push(record.fields);
            self.fields += record.fields;
            self.typed += typed;
        }
        if self.counts.len() < SAMPLE { Ok(()) } else { Err(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> char {
        char::from(sniff_delimiter(text, None, false).byte())
    }

    #[test]
    fn the_delimiter_is_the_one_whose_records_agree() {
        assert_eq!(of("a,b\n1,2\n"), ',');
        assert_eq!(of("a;b\n1,5;2,5\n3,5;4,5\n"), ';');
        assert_eq!(of("1,5;2,5\n3,5;4,5\n"), ';');
        assert_eq!(of("a\tb c, d\n1\tx\n"), '\t');
        assert_eq!(of("a|b\n\"x,y\"|2\n"), '|');
        assert_eq!(of("\"a;b\",c\n\"d;e\",f\n"), ',');
        assert_eq!(of("id,name,age\n1\n2,x,3,y\n3,z,4\n"), ',');
        assert_eq!(of("value\n01\n"), ',');
    }

    #[test]
    fn a_fault_at_one_delimiter_does_not_end_the_search() {
        for right in CANDIDATES.map(char::from) {
            for wrong in CANDIDATES.map(char::from).into_iter().filter(|d| *d != right) {
                for end in ["\n", "\r\n", "\r"] {
                    for held in [
                        format!("{wrong}{end}"),
                        format!("a{wrong}b{end}"),
                        format!("{wrong}"),
                        format!("{end}{wrong}\"\"{wrong}"),
                    ] {
                        let text = format!("x{right}y{right}v{end}1{right}\"{held}\"{right}2{end}");
                        assert_eq!(of(&text), right, "{text:?}");
                    }
                }
            }
        }
        // One column, in which no delimiter splits anything.
        assert_eq!(of("t\n\";\n\"\n\"a;b|c\"\n"), ',');
    }

    #[test]
    fn a_text_in_which_a_quote_stays_open_is_still_split_by_its_own_delimiter() {
        assert_eq!(of("a;b,c;d\n1;2;\"3\n4;5;6\n"), ';');
        assert_eq!(of("a\t\"b;c,d"), '\t');
        assert_eq!(of("a,b;c\n1,\"2;3\n4,5\n"), ',');
        // The text that follows may close it.
        let cut = |text| char::from(sniff_delimiter(text, None, true).byte());
        assert_eq!(cut("a,\";b\n;c\n;d\n"), ',');
        assert_eq!(cut("a,b\n1,\"2;3\n;;\n;;\n;;\n"), ',');
    }

    #[test]
    fn fields_are_counted_outside_quotes() {
        assert_eq!((most_fields(b"a;b;c", b",;"), most_fields(b"", b",")), (3, 1));
        assert_eq!(most_fields(b"a,\"b,\"\",;;;\",c,\"d,,", b",;"), 4);
    }

    #[test]
    fn one_column_gets_a_proposal() {
        let proposed = |text| propose_delimiter(text, &Cut::at(Delimiter::Byte(b',')));
        assert_eq!(proposed("a:b\n1:2\n"), Some(":"));
        assert_eq!(proposed("a b\n1 2\n"), Some("blanks"));
        assert_eq!(proposed("a;b\n1;2\n"), Some("';'"));
        assert_eq!(proposed("a\n1\n"), None);
    }

    #[test]
    fn blanks_part_the_numbers_of_aligned_lines() {
        let of = |text| sniff_delimiter(text, None, false);
        for text in [
            "  1  2 3\n 10 20 30\n",
            "\"a\" \"b\"\n\"x\" 1 2\n\"y\" 3 4\n",
            "wood  soft\noak   1.5\n",
            "1,5 2,5\n3,5 4,5\n",
            "1.5 2\n3\t4\n5 6 \n",
        ] {
            assert_eq!(of(text), Delimiter::Blanks, "{text:?}");
        }
        for text in ["a b,c\n1 2,3\n", "name\nred oak\nash\n", "x\ty\n1 2\t3\n", "a b c\nd e f\n"] {
            assert_ne!(of(text), Delimiter::Blanks, "{text:?}");
        }
    }

    #[test]
    fn words_and_characters_name_a_delimiter() {
        for (t, d) in [("tab", b'\t'), ("\\t", b'\t'), (";", b';'), ("space", b' '), (":", b':')] {
            assert_eq!(parse_delimiter(t, "f"), Ok(Delimiter::Byte(d)));
        }
        assert_eq!(parse_delimiter("blanks", "f"), Ok(Delimiter::Blanks));
        assert!(
            parse_delimiter("ab", "f").is_err()
                && parse_delimiter("", "f").is_err()
                && parse_delimiter("é", "f").is_err()
        );
        assert!(parse_delimiter("\"", "f").is_err());
    }
}

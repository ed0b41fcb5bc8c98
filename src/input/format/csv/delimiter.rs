//! The delimiter of a text: which character separates its fields.

use super::scan::Scan;
use crate::figure::Data;
use crate::input::error::InputError;
use crate::input::field::{Field, is_decimal_comma, read_field};

/// What is tried, the likeliest first.
const CANDIDATES: [u8; 4] = [b',', b'\t', b';', b'|'];
/// What is only proposed when nothing else fits.
const PROPOSED: [u8; 2] = [b':', b' '];
/// Records looked at.
const SAMPLE: usize = 50;

/// Reads the text of `--delimiter`: one ASCII character or a word.
///
/// # Errors
/// When it is neither.
pub fn parse_delimiter(text: &str, file: &str) -> Result<u8, InputError> {
    Ok(match text {
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
                    "--delimiter '{text}' is not one ASCII character, nor tab, comma, semicolon, colon, pipe or space"
                );
                return Err(InputError::usage(file, what));
            }
        },
    })
}

/// The delimiter that the figure names, or the text shows; `cut` says that more text follows.
///
/// # Errors
/// When what the figure names is not a delimiter.
pub fn delimiter_of(text: &str, cut: bool, file: &str, data: &Data) -> Result<u8, InputError> {
    match &data.delimiter {
        Some(d) => parse_delimiter(d, file),
        None => Ok(sniff_delimiter(text, cut)),
    }
}

/// How the sample splits at one delimiter.
struct Split {
    /// The commonest number of fields.
    mode: usize,
    /// Share of records with that number.
    agree: f64,
    /// Share of fields that read as values.
    typed: f64,
    /// Every quote is where RFC 4180 has one.
    strict: bool,
    /// No quote is open at the end.
    closed: bool,
}

impl Split {
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
pub fn sniff_delimiter(text: &str, cut: bool) -> u8 {
    let mut best: Option<(u8, (u8, f64, f64, usize))> = None;
    for d in CANDIDATES {
        if !text.as_bytes().contains(&d) {
            continue;
        }
        let Some(s) = split(text, d, cut).filter(|s| s.mode > 1) else {
            continue;
        };
        let rank = (s.fit(), s.agree, s.typed, s.mode);
        if best.as_ref().is_none_or(|(_, b)| rank > *b) {
            best = Some((d, rank));
        }
    }
    best.map_or(b',', |(d, _)| d)
}

/// A delimiter that would split a table of one column evenly, as an option's value.
pub fn propose_delimiter(text: &str, used: u8) -> Option<&'static str> {
    let fits = |d: u8| split(text, d, false).is_some_and(|s| s.mode > 1 && s.agree == 1.0 && s.closed);
    CANDIDATES
        .into_iter()
        .chain(PROPOSED)
        .find(|&d| d != used && text.as_bytes().contains(&d) && fits(d))
        .map(|d| match d {
            b'\t' => "tab",
            b',' => ",",
            b';' => "';'",
            b'|' => "'|'",
            b':' => ":",
            _ => "space",
        })
}

/// Splits the first records; `None` where there are none.
fn split(text: &str, delimiter: u8, cut: bool) -> Option<Split> {
    let (mut out, mut ends) = (vec![0; 1024], vec![0; 64]);
    let mut scan = Scan::new(text, delimiter);
    let (mut counts, mut typed, mut fields) = (Vec::new(), 0usize, 0usize);
    let (mut strict, mut open) = (true, None);
    while counts.len() < SAMPLE {
        let Some(p) = scan.record(&mut out, 0, &mut ends) else {
            break;
        };
        strict &= scan.is_strict();
        if p.open.is_some() {
            open = Some(p.fields);
            break;
        }
        // Blank rows are passed over, whatever they are split into.
        if p.bytes == 0 {
            continue;
        }
        counts.push(p.fields);
        let mut start = 0;
        for &end in &ends[..p.fields] {
            let t = std::str::from_utf8(&out[start..end]).unwrap_or("x");
            typed += usize::from(read_field(t, &[]) != Field::Text || is_decimal_comma(t));
            start = end;
        }
        fields += p.fields;
    }
    // A record that does not end has at least these fields.
    if counts.is_empty() {
        counts.extend(open);
    }
    let same = |n: usize| counts.iter().filter(|&&c| c == n).count();
    let mode = counts.iter().copied().max_by_key(|&n| (same(n), n))?;
    let agree = same(mode) as f64 / counts.len() as f64;
    Some(Split {
        mode,
        agree,
        typed: typed as f64 / fields.max(1) as f64,
        strict,
        closed: cut || open.is_none(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> char {
        char::from(sniff_delimiter(text, false))
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
        let cut = |text| char::from(sniff_delimiter(text, true));
        assert_eq!(cut("a,\";b\n;c\n;d\n"), ',');
        assert_eq!(cut("a,b\n1,\"2;3\n;;\n;;\n;;\n"), ',');
    }

    #[test]
    fn one_column_gets_a_proposal() {
        assert_eq!(propose_delimiter("a:b\n1:2\n", b','), Some(":"));
        assert_eq!(propose_delimiter("a b\n1 2\n", b','), Some("space"));
        assert_eq!(propose_delimiter("a;b\n1;2\n", b','), Some("';'"));
        assert_eq!(propose_delimiter("a\n1\n", b','), None);
    }

    #[test]
    fn words_and_characters_name_a_delimiter() {
        for (t, d) in [
            ("tab", b'\t'),
            ("\\t", b'\t'),
            (";", b';'),
            ("space", b' '),
            (":", b':'),
        ] {
            assert_eq!(parse_delimiter(t, "f"), Ok(d));
        }
        assert!(
            parse_delimiter("ab", "f").is_err()
                && parse_delimiter("", "f").is_err()
                && parse_delimiter("é", "f").is_err()
        );
        assert!(parse_delimiter("\"", "f").is_err());
    }
}

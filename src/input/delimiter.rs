//! Which character stands between fields.

use super::error::InputError;
use super::field::{Field, is_decimal_comma, read_field};
use super::scan::Scan;

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
                let what = format!("--delimiter '{text}' is not one ASCII character, nor tab, comma, semicolon, colon, pipe or space");
                return Err(InputError::usage(file, what));
            }
        },
    })
}

/// How the sample splits at one delimiter.
struct Split {
    /// The commonest number of fields.
    mode: usize,
    /// Share of records with that number.
    agree: f64,
    /// Share of fields that read as values.
    typed: f64,
}

/// The delimiter whose records agree best; a comma where none splits the records.
///
/// # Errors
/// As a pass over the text.
pub fn sniff_delimiter(text: &str, file: &str) -> Result<u8, InputError> {
    let mut best: Option<(u8, (bool, f64, f64, usize))> = None;
    for d in CANDIDATES {
        if !text.as_bytes().contains(&d) {
            continue;
        }
        let Some(s) = split(text, d, file)?.filter(|s| s.mode > 1) else { continue };
        let whole = s.agree == 1.0;
        let rank = (whole, if whole { 1.0 } else { s.agree }, s.typed, s.mode);
        if best.as_ref().is_none_or(|(_, b)| rank > *b) {
            best = Some((d, rank));
        }
    }
    Ok(best.map_or(b',', |(d, _)| d))
}

/// A delimiter that would split a table of one column evenly, as an option's value.
pub fn propose_delimiter(text: &str, used: u8, file: &str) -> Option<&'static str> {
    let fits = |d: u8| split(text, d, file).ok().flatten().is_some_and(|s| s.mode > 1 && s.agree == 1.0);
    CANDIDATES.into_iter().chain(PROPOSED).find(|&d| d != used && text.as_bytes().contains(&d) && fits(d)).map(|d| match d {
        b'\t' => "tab",
        b',' => ",",
        b';' => "';'",
        b'|' => "'|'",
        b':' => ":",
        _ => "space",
    })
}

fn split(text: &str, delimiter: u8, file: &str) -> Result<Option<Split>, InputError> {
    let (mut out, mut ends) = (vec![0; 1024], vec![0; 64]);
    let mut scan = Scan::new(text, delimiter);
    let (mut counts, mut typed, mut fields) = (Vec::new(), 0usize, 0usize);
    while counts.len() < SAMPLE {
        let Some(p) = scan.next(&mut out, 0, &mut ends, file)? else { break };
        counts.push(p.fields);
        let mut start = 0;
        for &end in &ends[..p.fields] {
            let t = std::str::from_utf8(&out[start..end]).unwrap_or("x");
            typed += usize::from(read_field(t, &[]) != Field::Text || is_decimal_comma(t));
            start = end;
        }
        fields += p.fields;
    }
    let same = |n: usize| counts.iter().filter(|&&c| c == n).count();
    let Some(mode) = counts.iter().copied().max_by_key(|&n| (same(n), n)) else { return Ok(None) };
    let agree = same(mode) as f64 / counts.len() as f64;
    Ok(Some(Split { mode, agree, typed: typed as f64 / fields.max(1) as f64 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> char {
        char::from(sniff_delimiter(text, "f").unwrap())
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
    fn one_column_gets_a_proposal() {
        assert_eq!(propose_delimiter("a:b\n1:2\n", b',', "f"), Some(":"));
        assert_eq!(propose_delimiter("a b\n1 2\n", b',', "f"), Some("space"));
        assert_eq!(propose_delimiter("a;b\n1;2\n", b',', "f"), Some("';'"));
        assert_eq!(propose_delimiter("a\n1\n", b',', "f"), None);
    }

    #[test]
    fn words_and_characters_name_a_delimiter() {
        for (t, d) in [("tab", b'\t'), ("\\t", b'\t'), (";", b';'), ("space", b' '), (":", b':')] {
            assert_eq!(parse_delimiter(t, "f"), Ok(d));
        }
        assert!(parse_delimiter("ab", "f").is_err() && parse_delimiter("", "f").is_err() && parse_delimiter("é", "f").is_err());
        assert!(parse_delimiter("\"", "f").is_err());
    }
}

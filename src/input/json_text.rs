//! JSON text, read value by value: no tree of it is built, and every fault has its place.

use super::budget::Short;
use super::error::InputError;
use super::figure_place::place;
use std::borrow::Cow;

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 128;
/// The longest text with escapes: it is copied.
const LONGEST_ESCAPED: usize = 16 << 20;

/// What is wrong, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub at: usize,
    pub what: String,
    pub hint: Option<&'static str>,
    /// Whether a limit is exceeded, rather than the text wrong.
    pub limit: bool,
}

impl Fault {
    /// A fault of the text.
    pub fn new(at: usize, what: impl Into<String>) -> Self {
        Self {
            at,
            what: what.into(),
            hint: None,
            limit: false,
        }
    }

    /// Too little memory for what stands there.
    pub fn short(at: usize, what: impl std::fmt::Display, short: Short) -> Self {
        Self {
            limit: true,
            hint: Some(Short::HINT),
            ..Self::new(at, format!("{what}: {short}"))
        }
    }

    /// The refusal of a file with this text.
    pub fn refused(self, text: &str, file: &str) -> InputError {
        let mut e = if self.limit {
            InputError::limit(file, self.what)
        } else {
            InputError::refused(file, "", self.what)
        };
        e.place = place(text, self.at);
        e.hint = self.hint.map(str::to_owned);
        e
    }
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// When it is not UTF-8.
pub(super) fn decode<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, InputError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        let before = std::str::from_utf8(&bytes[..at]).unwrap_or_default();
        InputError::refused(
            file,
            place(before, at),
            format!("is not UTF-8 (0x{:02x})", bytes[at]),
        )
    })
}

/// A value that is no list and no object.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Null,
    Bool(bool),
    /// A number as it is written.
    Number(&'a str),
    /// `NaN`, `Infinity` or `-Infinity`.
    NotFinite(f64),
    Text(Cow<'a, str>),
}

/// What is done with a key, at its place: it reads the value.
type EachKey<'e, 'a> = dyn FnMut(&mut Reader<'a>, Cow<'a, str>, usize) -> Result<(), Fault> + 'e;

/// Where a text is read.
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Whether `NaN`, `Infinity` and `-Infinity` are numbers.
    not_finite: bool,
}

impl<'a> Reader<'a> {
    /// Stands before the first value.
    pub fn new(text: &'a str, not_finite: bool) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            not_finite,
        }
    }

    /// The byte that comes next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next byte that is no blank; `None` at the end.
    pub fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'))
            .count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Refuses what stands after the end.
    ///
    /// # Errors
    /// When something does.
    pub fn end(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(_) => Err(self.unexpected("the end of the text")),
            None => Ok(()),
        }
    }

    /// A fault here: something else stands where `wanted` is expected.
    pub fn unexpected(&self, wanted: &str) -> Fault {
        match self.text[self.at..].chars().next() {
            Some(c) => Fault::new(self.at, format!("expected {wanted}, found '{c}'")),
            None => Fault::new(self.at, format!("the text ends where {wanted} is expected")),
        }
    }

    fn enter(&mut self, bracket: u8, wanted: &str) -> Result<(), Fault> {
        if self.peek() != Some(bracket) {
            return Err(self.unexpected(wanted));
        }
        if self.depth == MAX_DEPTH {
            return Err(Fault::new(self.at, format!("nested more than {MAX_DEPTH} deep")));
        }
        (self.depth, self.at) = (self.depth + 1, self.at + 1);
        Ok(())
    }

    /// Steps over a comma, or over the closing bracket, which ends the list: then false.
    fn more(&mut self, close: u8, wanted: &str) -> Result<bool, Fault> {
        match self.peek() {
            Some(b',') => self.at += 1,
            Some(b) if b == close => {
                (self.depth, self.at) = (self.depth - 1, self.at + 1);
                return Ok(false);
            }
            _ => return Err(self.unexpected(wanted)),
        }
        Ok(true)
    }

    fn is_empty(&mut self, close: u8) -> bool {
        let empty = self.peek() == Some(close);
        if empty {
            (self.depth, self.at) = (self.depth - 1, self.at + 1);
        }
        empty
    }

    /// Reads an object; `each` gets every key with its place, and reads its value.
    pub fn object(&mut self, each: &mut EachKey<'_, 'a>) -> Result<(), Fault> {
        self.enter(b'{', "an object")?;
        if self.is_empty(b'}') {
            return Ok(());
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let at = self.at;
            let key = self.string()?;
            if self.peek() != Some(b':') {
                return Err(self.unexpected("':'"));
            }
            self.at += 1;
            each(self, key, at)?;
            if !self.more(b'}', "',' or '}'")? {
                return Ok(());
            }
        }
    }

    /// Reads a list; `each` reads every element.
    pub fn list(&mut self, each: &mut dyn FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.enter(b'[', "a list")?;
        if self.is_empty(b']') {
            return Ok(());
        }
        loop {
            each(self)?;
            if !self.more(b']', "',' or ']'")? {
                return Ok(());
            }
        }
    }

    /// Steps over a value of any kind.
    pub fn skip(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'{') => self.object(&mut |r, _, _| r.skip()),
            Some(b'[') => self.list(&mut |r| r.skip()),
            _ => self.scalar().map(|_| ()),
        }
    }

    /// Reads a value that is no list and no object.
    pub fn scalar(&mut self) -> Result<Scalar<'a>, Fault> {
        match self.peek() {
            Some(b'"') => return self.string().map(Scalar::Text),
            Some(b'0'..=b'9') => return self.number(),
            Some(b'-') if self.text.as_bytes().get(self.at + 1) != Some(&b'I') => return self.number(),
            _ => {}
        }
        let rest = &self.text[self.at..];
        let word = &rest[..rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-')
                .len()];
        let value = match word {
            "null" => Scalar::Null,
            "true" => Scalar::Bool(true),
            "false" => Scalar::Bool(false),
            "NaN" => Scalar::NotFinite(f64::NAN),
            "Infinity" => Scalar::NotFinite(f64::INFINITY),
            "-Infinity" => Scalar::NotFinite(f64::NEG_INFINITY),
            _ => return Err(self.unexpected("a value")),
        };
        if matches!(value, Scalar::NotFinite(_)) && !self.not_finite {
            let fault = Fault::new(self.at, format!("{word} is no JSON, although Python writes it"));
            return Err(Fault {
                hint: Some("--json-nan reads NaN as missing, Infinity as infinite"),
                ..fault
            });
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Scalar<'a>, Fault> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let digits = |at: usize| bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        self.at += usize::from(bytes[self.at] == b'-');
        let whole = if bytes.get(self.at) == Some(&b'0') {
            1
        } else {
            digits(self.at)
        };
        if whole == 0 {
            return Err(self.unexpected("a digit"));
        }
        self.at += whole;
        if bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.some_digits(digits(self.at))?;
        }
        if matches!(bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(bytes.get(self.at), Some(b'+' | b'-')));
            self.some_digits(digits(self.at))?;
        }
        Ok(Scalar::Number(&self.text[start..self.at]))
    }

    fn some_digits(&mut self, n: usize) -> Result<(), Fault> {
        self.at += n;
        if n == 0 {
            Err(self.unexpected("a digit"))
        } else {
            Ok(())
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let (mut end, mut escaped) = (start + 1, false);
        loop {
            match bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    end += 2;
                }
                Some(0..0x20) => {
                    return Err(Fault::new(
                        end,
                        "a control character in a text: it must be escaped",
                    ));
                }
                Some(_) => end += 1,
                None => return Err(Fault::new(start, "a text that is not closed")),
            }
        }
        self.at = end + 1;
        if !escaped {
            return Ok(Cow::Borrowed(&self.text[start + 1..end]));
        }
        if end - start > LONGEST_ESCAPED {
            let what = format!("a text with escapes of over {} MiB", LONGEST_ESCAPED >> 20);
            return Err(Fault {
                limit: true,
                ..Fault::new(start, what)
            });
        }
        serde_json::from_str(&self.text[start..=end])
            .map(Cow::Owned)
            .map_err(|e| {
                let what = e.to_string();
                let what = what.rsplit_once(" at line ").map_or(what.as_str(), |w| w.0);
                Fault::new(start + e.column().saturating_sub(1).min(end - start), what)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(text: &str) -> Result<usize, (usize, String)> {
        let mut r = Reader::new(text, false);
        r.skip().map_err(|f| (f.at, f.what))?;
        Ok(r.at())
    }

    #[test]
    fn what_serde_json_reads_is_read_and_the_rest_refused() {
        let good = [
            "[]",
            "{}",
            " [1, -0.5e+3 ,{\"a\\n\\u00e9\":[true,null]}]",
            "\"\\ud83d\\ude00\"",
            "0",
            "-0",
            "1E5",
            "\"\u{7f}é\"",
        ];
        let bad = [
            "[1,]",
            "[,1]",
            "{\"a\":1,}",
            "{a:1}",
            "{'a':1}",
            "[01]",
            "[+1]",
            "[-]",
            "[1.]",
            "[.5]",
            "[1e]",
            "[1eE2]",
            "[0x1]",
            "[\"\t\"]",
            "[\"\\x\"]",
            "[\"\\ud800\"]",
            "[\"",
            "[\"\\",
            "[",
            "{\"a\"",
            "{\"a\":",
            "[1 2]",
            "[nul]",
            "[True]",
            "[1}",
            "",
        ];
        for t in good {
            assert!(
                serde_json::from_str::<serde_json::Value>(t).is_ok() && skipped(t).is_ok(),
                "{t}"
            );
        }
        for t in bad {
            assert!(
                serde_json::from_str::<serde_json::Value>(t).is_err() && skipped(t).is_err(),
                "{t}"
            );
        }
        assert_eq!(skipped("[1, x]"), Err((4, "expected a value, found 'x'".into())));
        assert_eq!(
            skipped("[1"),
            Err((2, "the text ends where ',' or ']' is expected".into()))
        );
        assert_eq!(skipped("[\"ab"), Err((1, "a text that is not closed".into())));
    }

    #[test]
    fn nesting_ends_at_128() {
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(skipped(&deep(128)).is_ok());
        assert_eq!(skipped(&deep(129)).unwrap_err().0, 128);
        assert_eq!(skipped(&"[".repeat(100_000)).unwrap_err().0, 128);
        assert_eq!(
            skipped(&"[{\"a\":".repeat(50_000)).unwrap_err().1,
            "nested more than 128 deep"
        );
    }

    #[test]
    fn tokens_of_python_need_leave() {
        for (t, v) in [
            ("NaN", f64::NAN),
            ("Infinity", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
        ] {
            let f = Reader::new(t, false).scalar().unwrap_err();
            assert!(f.hint.unwrap().contains("--json-nan") && f.what.starts_with(t));
            let Ok(Scalar::NotFinite(got)) = Reader::new(t, true).scalar() else {
                panic!("{t}")
            };
            assert!(got == v || got.is_nan() && v.is_nan());
        }
        assert!(Reader::new("-NaN", true).scalar().is_err() && Reader::new("nan", true).scalar().is_err());
        assert_eq!(
            Reader::new("\"NaN\"", false).scalar(),
            Ok(Scalar::Text("NaN".into()))
        );
    }

    #[test]
    fn faults_have_line_and_column() {
        let text = "[1,\n é x]";
        let e = Reader::new(text, false)
            .skip()
            .unwrap_err()
            .refused(text, "a.json");
        assert_eq!(
            e.to_string(),
            "a.json: line 2, column 2: expected a value, found 'é'"
        );
        assert_eq!(
            decode(b"[\"\xff\"]", "a").unwrap_err().to_string(),
            "a: line 1, column 3: is not UTF-8 (0xff)"
        );
        assert_eq!(decode(b"\xef\xbb\xbf[]", "a"), Ok("[]"));
    }
}

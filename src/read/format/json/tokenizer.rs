//! Tokenizer of JSON text: values are read one by one, no tree is built, and every fault has its place.

use crate::budget::OverBudget;
use crate::error::{ErrorKind, InputError};
use crate::position::{Place, place};
use gridscope_core::grid::Number;
use std::borrow::Cow;
use std::ops::Range;

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 128;
/// The longest text with escapes: it is copied.
const LONGEST_ESCAPED: usize = 16 << 20;

/// The text of some bytes.
///
/// # Errors
/// When they are not UTF-8.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, JsonFault> {
    std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        JsonFault::new(at, format!("is not UTF-8 (0x{:02x})", bytes[at]))
    })
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// When it is not UTF-8.
pub(super) fn whole_text<'b>(bytes: &'b [u8], file: &str) -> Result<&'b str, InputError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    decode(bytes).map_err(|fault| fault.error(file, |at| place(&String::from_utf8_lossy(&bytes[..at]), at)))
}

/// A value that is neither a list nor an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    /// A number without fraction and exponent, as it is written.
    Integer(&'a str),
    /// Any other number, as it is written.
    Float(&'a str),
    /// `NaN`, `Infinity` or `-Infinity`.
    NotFinite(f64),
    Text(Cow<'a, str>),
}

/// Called with each key and its place; it reads the value.
type EachKey<'e, 'a> = dyn FnMut(&mut Tokenizer<'a>, Cow<'a, str>, usize) -> Result<(), JsonFault> + 'e;

/// A text and how far it has been read.
pub(crate) struct Tokenizer<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Whether `NaN`, `Infinity` and `-Infinity` are numbers.
    not_finite: bool,
}

impl<'a> Tokenizer<'a> {
    /// A tokenizer before the first value; `not_finite` allows `NaN`, `Infinity` and `-Infinity`.
    pub(crate) fn new(text: &'a str, not_finite: bool) -> Self {
        Self { text, at: 0, depth: 0, not_finite }
    }

    /// The same tokenizer for a text that is a part of a list.
    pub(crate) fn in_list(self) -> Self {
        Self { depth: 1, ..self }
    }

    /// The place of the next byte.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next byte that is not a blank; `None` at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(&b) = bytes.get(self.at) {
            if !matches!(b, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(b);
            }
            self.at += 1;
        }
        None
    }

    /// Steps over a byte, if it is the next that is not a blank.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Expects the end of the text.
    ///
    /// # Errors
    /// When anything but blanks follows.
    pub(crate) fn end(&mut self) -> Result<(), JsonFault> {
        match self.peek() {
            Some(_) => Err(self.unexpected("the end of the text")),
            None => Ok(()),
        }
    }

    /// A fault here: `wanted` is expected, and something else follows.
    pub(crate) fn unexpected(&self, wanted: &str) -> JsonFault {
        match self.text[self.at..].chars().next() {
            Some(c) => JsonFault::new(self.at, format!("expected {wanted}, found '{c}'")),
            None => JsonFault::new(self.at, format!("the text ends where {wanted} is expected")),
        }
    }

    fn expect(&mut self, byte: u8, wanted: &str) -> Result<(), JsonFault> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    /// Reads what is between two brackets, with commas between; `each` reads every element.
    fn elements(
        &mut self,
        [open, close]: [u8; 2],
        [whole, next]: [&str; 2],
        mut each: impl FnMut(&mut Self) -> Result<(), JsonFault>,
    ) -> Result<(), JsonFault> {
        self.expect(open, whole)?;
        if self.depth == MAX_DEPTH {
            let what = format!("nested more than {MAX_DEPTH} deep");
            return Err(JsonFault::new(self.at - 1, what));
        }
        self.depth += 1;
        if self.peek() != Some(close) {
            loop {
                each(self)?;
                if !self.take(b',') {
                    break;
                }
            }
        }
        self.expect(close, next)?;
        self.depth -= 1;
        Ok(())
    }

    /// Reads an object; `each` gets every key with its place, and reads its value.
    ///
    /// # Errors
    /// The first fault of the text, or of `each`.
    pub(crate) fn object(&mut self, each: &mut EachKey<'_, 'a>) -> Result<(), JsonFault> {
        self.elements([b'{', b'}'], ["an object", "',' or '}'"], |r| {
            if r.peek() != Some(b'"') {
                return Err(r.unexpected("a key in double quotes"));
            }
            let at = r.at;
            let key = r.string()?;
            r.expect(b':', "':'")?;
            each(r, key, at)
        })
    }

    /// Reads a list; `each` reads every element.
    ///
    /// # Errors
    /// The first fault of the text, or of `each`.
    pub(crate) fn list(
        &mut self,
        each: &mut dyn FnMut(&mut Self) -> Result<(), JsonFault>,
    ) -> Result<(), JsonFault> {
        self.elements([b'[', b']'], ["a list", "',' or ']'"], each)
    }

    /// Steps over a value of any kind; its bytes.
    ///
    /// # Errors
    /// The first fault of the text.
    pub(super) fn passed(&mut self) -> Result<Range<usize>, JsonFault> {
        self.peek();
        let from = self.at();
        self.skip()?;
        Ok(from..self.at())
    }

    /// Steps over a value of any kind.
    ///
    /// # Errors
    /// The first fault of the text.
    pub(crate) fn skip(&mut self) -> Result<(), JsonFault> {
        match self.peek() {
            Some(b'{') => self.object(&mut |r, _, _| r.skip()),
            Some(b'[') => self.list(&mut |r| r.skip()),
            _ => self.scalar().map(|_| ()),
        }
    }

    /// Reads a value that is neither a list nor an object.
    ///
    /// # Errors
    /// When another token follows, or the value is not written as JSON asks.
    pub(crate) fn scalar(&mut self) -> Result<Scalar<'a>, JsonFault> {
        match self.peek() {
            Some(b'"') => return self.string().map(Scalar::Text),
            Some(b'0'..=b'9') => return self.number(),
            Some(b'-') if self.text.as_bytes().get(self.at + 1) != Some(&b'I') => return self.number(),
            _ => {}
        }
        let rest = &self.text[self.at..];
        let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
        let word = rest.split(ends).next().unwrap_or_default();
        let value = match word {
            "null" => Scalar::Null,
            "true" => Scalar::Bool(true),
            "false" => Scalar::Bool(false),
            "NaN" | "Infinity" | "-Infinity" if !self.not_finite => {
                let what = format!("{word} is not valid JSON (Python's json module writes it anyway)");
                let hint = "--json-nan reads NaN as missing, Infinity as infinite";
                return Err(JsonFault::new(self.at, what).with_hint(hint));
            }
            "NaN" => Scalar::NotFinite(f64::NAN),
            "Infinity" => Scalar::NotFinite(f64::INFINITY),
            "-Infinity" => Scalar::NotFinite(f64::NEG_INFINITY),
            _ => return Err(self.unexpected("a value")),
        };
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Scalar<'a>, JsonFault> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        self.at += usize::from(bytes[self.at] == b'-');
        if bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        let whole = self.at;
        if bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(bytes.get(self.at), Some(b'+' | b'-')));
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        Ok(if self.at == whole { Scalar::Integer(text) } else { Scalar::Float(text) })
    }

    /// Steps over one digit or more.
    fn digits(&mut self) -> Result<(), JsonFault> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        while bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, JsonFault> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let (mut end, mut escaped) = (start + 1, false);
        loop {
            end += plain_bytes(&bytes[end.min(bytes.len())..]);
            match bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    end += 2;
                }
                Some(_) => {
                    let what = "a control character in a text: it must be escaped";
                    return Err(JsonFault::new(end, what));
                }
                None => return Err(JsonFault::new(start, "a text that is not closed")),
            }
        }
        self.at = end + 1;
        if !escaped {
            return Ok(Cow::Borrowed(&self.text[start + 1..end]));
        }
        if end - start > LONGEST_ESCAPED {
            let what = format!("a text with escapes of over {} MiB", LONGEST_ESCAPED >> 20);
            return Err(JsonFault::limit(start, what));
        }
        serde_json::from_str(&self.text[start..=end]).map(Cow::Owned).map_err(|e| {
            let what = e.to_string();
            // serde_json has no message without the place.
            let place = format!(" at line {} column {}", e.line(), e.column());
            let what = what.strip_suffix(&place).unwrap_or(&what);
            JsonFault::new(start + e.column().saturating_sub(1).min(end - start), what)
        })
    }
}

/// How many bytes come before the first quote, backslash or control character; eight at a time.
#[inline]
fn plain_bytes(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (words, rest) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest set bit is exact: a borrow reaches only the bytes above a hit.
        let below = |x: u64, n: u64| x.wrapping_sub(ONES * n) & !x & HIGH;
        let equal = |b: u8| below(word ^ (ONES * u64::from(b)), 1);
        let found = equal(b'"') | equal(b'\\') | below(word, 0x20);
        if found != 0 {
            return i * 8 + (found.trailing_zeros() / 8) as usize;
        }
    }
    let special = |b: &u8| matches!(b, b'"' | b'\\' | 0..0x20);
    words.len() * 8 + rest.iter().position(special).unwrap_or(rest.len())
}

/// An integer: exactly where 64 bits hold it, else the nearest f64. `-0` is 0, for integers have one zero.
///
/// # Errors
/// A number beyond the largest f64.
pub(super) fn integer(text: &str, at: usize) -> Result<Number, JsonFault> {
    let exact = text.parse().map(Number::I64);
    match exact.or_else(|_| text.parse().map(Number::U64)) {
        Ok(exact) => Ok(exact),
        Err(_) => float(text, at).map(Number::F64),
    }
}

/// The f64 nearest to a number.
///
/// # Errors
/// A number beyond the largest f64.
pub(super) fn float(text: &str, at: usize) -> Result<f64, JsonFault> {
    match text.parse::<f64>() {
        Ok(v) if v.is_finite() => Ok(v),
        Ok(_) => Err(JsonFault::new(at, "a number beyond 1.8e308")),
        Err(_) => Err(JsonFault::new(at, "is not a number")),
    }
}

/// A fault, and its byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonFault {
    /// Whether the text is wrong, or a limit is exceeded.
    pub kind: ErrorKind,
    /// The byte, from the start of the text.
    pub at: usize,
    /// Reason.
    pub what: String,
    /// Advice for the user.
    pub hint: Option<Cow<'static, str>>,
    /// Keys of which one is to be named.
    pub keys: Vec<String>,
}

impl JsonFault {
    /// A fault of the text.
    pub(crate) fn new(at: usize, what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Refused, at, what: what.into(), hint: None, keys: Vec::new() }
    }

    /// A limit that is exceeded.
    pub(crate) fn limit(at: usize, what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Limit, ..Self::new(at, what) }
    }

    /// Too little memory for what is there.
    pub(crate) fn short(at: usize, what: impl std::fmt::Display, short: OverBudget) -> Self {
        Self::limit(at, format!("{what}: {short}")).with_hint(OverBudget::HINT)
    }

    /// The same with a hint of its own.
    pub(crate) fn with_hint_text(mut self, hint: String) -> Self {
        self.hint = Some(Cow::Owned(hint));
        self
    }

    /// The same with a hint.
    pub(crate) fn with_hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(Cow::Borrowed(hint));
        self
    }

    /// The error of a file, in which `place` finds the byte.
    pub(crate) fn error(self, file: &str, place: impl FnOnce(usize) -> Place) -> InputError {
        let place = place(self.at);
        InputError {
            kind: self.kind,
            hint: self.hint.map(Cow::into_owned),
            keys: self.keys.into_iter().map(|key| (key, String::new())).collect(),
            ..InputError::refused(file, place, self.what)
        }
    }
}

#[cfg(test)]
mod number_tests {
    use super::*;

    #[test]
    fn integers_have_one_zero_and_floats_two() {
        assert_eq!(integer("-0", 0), Ok(Number::I64(0)));
        assert_eq!(float("-0.0", 0).unwrap().to_bits(), (-0.0f64).to_bits());
        assert_eq!(integer("-9223372036854775808", 0), Ok(Number::I64(i64::MIN)));
        assert_eq!(integer("18446744073709551615", 0), Ok(Number::U64(u64::MAX)));
        assert_eq!(integer("18446744073709551616", 0), Ok(Number::F64(18_446_744_073_709_551_616.0)));
        assert_eq!(integer(&"9".repeat(400), 5).unwrap_err().at, 5);
        assert_eq!(float("1e999", 3).unwrap_err().at, 3);
    }
}

#[cfg(test)]
mod tests;

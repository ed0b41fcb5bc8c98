//! The Python dictionary in an NPY header, read as a literal.

use crate::array::Fault;

/// The most dimensions an array may have, numpy's old limit.
const MAX_DIMENSIONS: usize = 32;

/// The three entries every header has.
pub(super) struct Fields {
    /// The element type as numpy writes it.
    pub descr: String,
    /// Whether the first axis runs fastest.
    pub fortran: bool,
    /// Elements along each axis.
    pub shape: Vec<usize>,
}

/// A reader of the few Python literals that numpy writes; anything else is refused, nothing is evaluated.
pub(super) struct Literal<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Literal<'a> {
    /// Reads from the beginning of a header's text.
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// How far it has read, in bytes.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// The whole header: a dictionary with the three keys, in any order, and nothing else.
    ///
    /// # Errors
    /// Anything else that is there instead.
    pub(super) fn dict(&mut self) -> Result<Fields, Fault> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.eat(b'}') {
            let key = self.string()?;
            self.expect(b':')?;
            let fresh = match key.as_str() {
                "descr" => descr.replace(self.descr()?).is_none(),
                "fortran_order" => fortran.replace(self.truth()?).is_none(),
                "shape" => shape.replace(self.shape()?).is_none(),
                _ => return Err(format!("unknown key '{}'", short(&key)).into()),
            };
            if !fresh {
                return Err(format!("duplicate key '{key}'").into());
            }
            if !self.eat(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        if self.peek().is_some() {
            return Err("text after the closing '}'".into());
        }
        let missing = |key: &str| format!("key '{key}' is missing");
        Ok(Fields {
            descr: descr.ok_or_else(|| missing("descr"))?,
            fortran: fortran.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.text.get(self.at) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, c: u8) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, c: u8) -> Result<(), Fault> {
        if self.eat(c) {
            Ok(())
        } else {
            Err(format!("expected '{}', found {}", c as char, self.found()).into())
        }
    }

    fn found(&mut self) -> String {
        self.peek().map_or("the end".to_owned(), |c| format!("'{}'", c.escape_ascii()))
    }

    /// A string in either quote, `u` in front or not; escapes have no place in a header.
    fn string(&mut self) -> Result<String, Fault> {
        if let Some(b'u' | b'U') = self.peek() {
            self.at += 1;
        }
        let quote = match self.peek() {
            Some(q @ (b'\'' | b'"')) => q,
            _ => return Err(format!("expected a string, found {}", self.found()).into()),
        };
        let rest = &self.text[self.at + 1..];
        let end = rest.iter().position(|&c| c == quote || c == b'\\' || !(b' '..=b'~').contains(&c));
        match end.filter(|&e| rest[e] == quote) {
            Some(e) => {
                self.at += e + 2;
                Ok(rest[..e].iter().map(|&c| c as char).collect())
            }
            None => Err("a string that does not end, or holds an escape".into()),
        }
    }

    fn descr(&mut self) -> Result<String, Fault> {
        match self.peek() {
            Some(b'[' | b'(' | b'{') => {
                let text: String = self.text[self.at..].iter().map(|&c| c as char).collect();
                let end = text.find(']').map_or(text.len(), |e| e + 1);
                let dtype = short(&text[..end]);
                Err(Fault::no_numbers(format!("structured dtype {dtype}"), ""))
            }
            _ => self.string(),
        }
    }

    fn truth(&mut self) -> Result<bool, Fault> {
        self.peek();
        for (word, value) in [("True", true), ("False", false)] {
            let rest = self.text[self.at..].strip_prefix(word.as_bytes());
            if rest.is_some_and(|r| !r.first().is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_')) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(format!("expected True or False, found {}", self.found()).into())
    }

    fn shape(&mut self) -> Result<Vec<usize>, Fault> {
        let mut shape = Vec::new();
        if !self.eat(b'(') {
            return Err(format!("shape must be a tuple, found {}", self.found()).into());
        }
        let mut comma = true;
        while !self.eat(b')') {
            if !comma {
                return Err(format!("expected ',' or ')' in shape, found {}", self.found()).into());
            }
            if shape.len() == MAX_DIMENSIONS {
                return Err(format!("more than {MAX_DIMENSIONS} dimensions").into());
            }
            shape.push(self.dimension()?);
            comma = self.eat(b',');
        }
        if shape.len() == 1 && !comma {
            return Err("shape must be a tuple: one number in brackets is not one".into());
        }
        Ok(shape)
    }

    /// A number of elements, with Python 2's `L` or not.
    fn dimension(&mut self) -> Result<usize, Fault> {
        if self.peek() == Some(b'-') {
            return Err("a negative number in shape".into());
        }
        let rest = &self.text[self.at..];
        let digits = &rest[..rest.iter().take_while(|c| c.is_ascii_digit()).count()];
        if digits.is_empty() {
            return Err(format!("expected a number in shape, found {}", self.found()).into());
        }
        if digits.len() > 1 && digits[0] == b'0' {
            return Err("a number with leading zeros in shape".into());
        }
        let value = digits.iter().try_fold(0i64, |n, c| n.checked_mul(10)?.checked_add(i64::from(c - b'0')));
        let value =
            value.and_then(|n| usize::try_from(n).ok()).ok_or("a number in shape that no file can hold")?;
        self.at += digits.len() + usize::from(rest.get(digits.len()) == Some(&b'L'));
        Ok(value)
    }
}

/// At most 60 characters of a text from a file.
fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

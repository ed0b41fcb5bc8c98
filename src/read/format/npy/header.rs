//! The header of an NPY file (versions 1, 2 and 3), read strictly and without trust in any number it declares.

use crate::array::{ArrayFault, Dtype, Encoding, Layout, TimeUnit};

/// First bytes of an NPY file.
pub(crate) const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The longest header that is read.
const MAX_HEADER: usize = 64 * 1024;

/// Reads the header at the beginning of a file of `len` bytes, of which `bytes` are all or the first 64 KiB and more.
///
/// # Errors
/// When it is not an NPY header, declares a dtype that is not a plain number, or more than the file holds.
pub(crate) fn parse_header(bytes: &[u8], len: u64) -> Result<Layout, ArrayFault> {
    let layout = header(bytes, parse_descr).map_err(|f| f.within("header"))?;
    layout.check_length(len.saturating_sub(layout.start as u64))?;
    Ok(layout)
}

/// Reads the header of an array of times (datetime64), as [`parse_header`], and their unit.
///
/// # Errors
/// As [`parse_header`], and when it declares another dtype.
pub(crate) fn parse_time_header(bytes: &[u8], len: u64) -> Result<(Layout, TimeUnit), ArrayFault> {
    let mut unit = None;
    let of_times = |descr: &str| {
        let (encoding, of) = parse_time_descr(descr)?;
        unit = Some(of);
        Ok(encoding)
    };
    let layout = header(bytes, of_times).map_err(|f| f.within("header"))?;
    layout.check_length(len.saturating_sub(layout.start as u64))?;
    let unit = unit.ok_or_else(|| ArrayFault::unsupported("holds no times"))?;
    Ok((layout, unit))
}

/// Reads the header of a row of texts, as [`parse_header`]: an array of their characters (`U`) or bytes (`S`), a line for each text.
///
/// # Errors
/// As [`parse_header`], and when it declares another dtype or not one axis.
#[cfg(feature = "npz")]
pub(crate) fn parse_text_header(bytes: &[u8], len: u64) -> Result<Layout, ArrayFault> {
    let mut width = 0;
    let of_texts = |descr: &str| {
        let encoding;
        (encoding, width) = parse_text_descr(descr)?;
        Ok(encoding)
    };
    let row = header(bytes, of_texts).map_err(|f| f.within("header"))?;
    let &[texts] = row.shape.as_slice() else { return Err(ArrayFault::unsupported("holds no row of texts")) };
    let layout = Layout::new(row.encoding, false, vec![texts, width], row.start)?;
    layout.check_length(len.saturating_sub(layout.start as u64))?;
    Ok(layout)
}

fn header(
    bytes: &[u8],
    encoding: impl FnOnce(&str) -> Result<Encoding, ArrayFault>,
) -> Result<Layout, ArrayFault> {
    let (begin, len) = preamble(bytes)?;
    if len > MAX_HEADER {
        return Err(format!("declares a header of {len} bytes; at most {MAX_HEADER} are read").into());
    }
    let held = bytes.len() - begin;
    let text = bytes.get(begin..begin + len);
    let text = text.ok_or_else(|| format!("declares a header of {len} bytes, file holds {held}"))?;
    let mut literal = Literal::new(text);
    let fields = literal.dict().map_err(|mut f| {
        f.place.byte = Some((begin + literal.position()) as u64);
        f
    })?;
    Layout::new(encoding(&fields.descr)?, fields.fortran, fields.shape, begin + len)
}

/// Bytes from the beginning of a file to the end of its header, as far as its first 12 bytes tell; none that are not read.
#[cfg(feature = "npz")]
pub(crate) fn head_len(first: &[u8]) -> usize {
    preamble(first).map_or(0, |(begin, len)| begin + len.min(MAX_HEADER))
}

/// Where the header's text begins, and its declared length.
fn preamble(bytes: &[u8]) -> Result<(usize, usize), ArrayFault> {
    if bytes.first() == Some(&0x80) {
        return Err("a Python pickle: pickles are never loaded".into());
    }
    if !bytes.starts_with(MAGIC) {
        return Err("not an NPY file: it does not begin with \\x93NUMPY".into());
    }
    match *bytes.get(6..).unwrap_or_default() {
        [1, 0, a, b, ..] => Ok((10, usize::from(u16::from_le_bytes([a, b])))),
        [2 | 3, 0, a, b, c, d, ..] => Ok((12, u32::from_le_bytes([a, b, c, d]) as usize)),
        [1..=3, 0, ..] | [1..=3] | [] => {
            Err(format!("ends within the header, after {} bytes", bytes.len()).into())
        }
        [major, ref rest @ ..] => {
            let minor = rest.first().unwrap_or(&0);
            Err(format!("unknown NPY version {major}.{minor}").into())
        }
    }
}

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
    pub(super) fn dict(&mut self) -> Result<Fields, ArrayFault> {
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

    fn expect(&mut self, c: u8) -> Result<(), ArrayFault> {
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
    fn string(&mut self) -> Result<String, ArrayFault> {
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

    fn descr(&mut self) -> Result<String, ArrayFault> {
        match self.peek() {
            Some(b'[' | b'(' | b'{') => {
                let text: String = self.text[self.at..].iter().map(|&c| c as char).collect();
                let end = text.find(']').map_or(text.len(), |e| e + 1);
                let dtype = short(&text[..end]);
                Err(ArrayFault::no_numbers(format!("structured dtype {dtype}"), ""))
            }
            _ => self.string(),
        }
    }

    fn truth(&mut self) -> Result<bool, ArrayFault> {
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

    fn shape(&mut self) -> Result<Vec<usize>, ArrayFault> {
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
    fn dimension(&mut self) -> Result<usize, ArrayFault> {
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

/// The type and byte order that a `descr` means.
///
/// # Errors
/// Why it is not a plain number, numpy's word for the type included.
pub(crate) fn parse_descr(descr: &str) -> Result<Encoding, ArrayFault> {
    let name = descr.strip_prefix(['<', '>', '|', '=']).unwrap_or(descr);
    let dtype = Dtype::from_descr(name).ok_or_else(|| refusal(descr, name))?;
    Ok(Encoding { dtype, big_endian: descr.starts_with('>') })
}

/// The byte order and the unit of times that a `descr` means; their numbers are whole.
///
/// # Errors
/// Any other type.
fn parse_time_descr(descr: &str) -> Result<(Encoding, TimeUnit), ArrayFault> {
    let name = descr.strip_prefix(['<', '>', '|', '=']).unwrap_or(descr);
    let unit = TimeUnit::parse(name).ok_or_else(|| refusal(descr, name))?;
    let encoding = Encoding { dtype: Dtype::I64, big_endian: descr.starts_with('>') };
    Ok((encoding, unit))
}

/// The type of the characters of texts that a `descr` means, and how many a text has.
///
/// # Errors
/// Any other type.
#[cfg(feature = "npz")]
fn parse_text_descr(descr: &str) -> Result<(Encoding, usize), ArrayFault> {
    let name = descr.strip_prefix(['<', '>', '|', '=']).unwrap_or(descr);
    let of = |letter: char, dtype: Dtype| Some((dtype, name.strip_prefix(letter)?.parse().ok()?));
    let (dtype, width) =
        of('U', Dtype::U32).or_else(|| of('S', Dtype::U8)).ok_or_else(|| refusal(descr, name))?;
    Ok((Encoding { dtype, big_endian: descr.starts_with('>') }, width))
}

/// Why a dtype is refused, with numpy's word for it.
fn refusal(descr: &str, name: &str) -> ArrayFault {
    let word = match (name.as_bytes().first(), name) {
        (Some(b'O'), _) => {
            let addition = "; Python pickles are never loaded";
            return ArrayFault::no_numbers(format!("dtype '{descr}' (object)"), addition);
        }
        (_, "c8") => "complex64",
        (_, "c16") => "complex128",
        (Some(b'c'), _) => "complex",
        (_, "f16" | "f12" | "f10") => "longdouble",
        (Some(b'S' | b'a'), _) => "byte strings",
        (Some(b'U'), _) => "strings",
        (Some(b'V'), _) => "void",
        (Some(b'M'), _) => "datetime64",
        (Some(b'm'), _) => "timedelta64",
        _ => return ArrayFault::unsupported(format!("unknown dtype '{descr}'")),
    };
    let use_of_times = if word == "datetime64" { "; times are read as --x-values or --y-values" } else { "" };
    let hint = word.starts_with("complex").then_some("save numpy's abs(a), a.real or a.imag in its place");
    ArrayFault { hint, ..ArrayFault::no_numbers(format!("dtype '{descr}' ({word})"), use_of_times) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Cause;

    fn file(version: u8, dict: &str) -> Vec<u8> {
        let mut out = vec![0x93, b'N', b'U', b'M', b'P', b'Y', version, 0];
        match version {
            1 => out.extend((dict.len() as u16).to_le_bytes()),
            _ => out.extend((dict.len() as u32).to_le_bytes()),
        }
        out.extend(dict.as_bytes());
        out
    }

    /// Of a file that is as long as it must be.
    fn parse(dict: &str) -> Result<Layout, String> {
        parse_header(&file(1, dict), u64::MAX).map_err(|f| f.of("a.npy").to_string())
    }

    #[test]
    fn every_way_of_writing_a_header_is_read() {
        let encoding = Encoding { dtype: Dtype::I16, big_endian: true };
        for version in 1..=3 {
            let h = parse_header(
                &file(version, "{'descr': '>i2', 'fortran_order': True, 'shape': (3, 4), }\n"),
                u64::MAX,
            )
            .unwrap();
            assert_eq!((h.encoding, h.fortran, h.shape, h.bytes), (encoding, true, vec![3, 4], 24));
        }
        let h = parse("{ 'shape':(12L ,9L,) ,u'fortran_order' :False,\"descr\": u'|u1'}").unwrap();
        assert_eq!((h.shape, h.encoding.dtype, h.count), (vec![12, 9], Dtype::U8, 108));
        assert_eq!(parse("{'descr':'f8','fortran_order':False,'shape':()}").unwrap().count, 1);
        assert_eq!(parse("{'descr':'f8','fortran_order':False,'shape':(0, 9)}").unwrap().count, 0);
    }

    #[test]
    fn bad_shapes_are_refused() {
        let dims = |n: usize| format!("({})", "1, ".repeat(n));
        assert!(parse(&format!("{{'descr':'<f4','fortran_order':False,'shape':{}}}", dims(32))).is_ok());
        let bad = [
            "(-1,)",
            "(True, 2)",
            "(9223372036854775808, 1)",
            "(4294967296, 4294967296)",
            "(2305843009213693952, 1)",
            "(3)",
            "3",
            "[3, 4]",
        ];
        let more = [
            "((3,),4)",
            "(3 4)",
            "(,)",
            "(03,)",
            "(3.0,)",
            "(1e9,)",
            "(0x10,)",
            "(1_0,)",
            "('3',)",
            "(3,",
            &dims(33),
        ];
        for shape in bad.iter().chain(&more) {
            let e = parse(&format!("{{'descr':'<f4','fortran_order':False,'shape':{shape}}}")).unwrap_err();
            assert!(e.starts_with("a.npy: header"), "{shape}: {e}");
        }
    }

    #[test]
    fn other_dictionaries_and_code_are_refused() {
        let good = "'descr':'<f4','fortran_order':False,'shape':(3,)";
        for (dict, what) in [
            ("{}", "'descr' is missing"),
            ("{'descr':'<f4','shape':(3,)}", "'fortran_order' is missing"),
            (&format!("{{{good},'shape':(3,)}}"), "duplicate key 'shape'"),
            (&format!("{{{good},'x':1}}"), "unknown key 'x'"),
            (&format!("{{{good}}}}}"), "after the closing"),
            (&format!("{{{good}}};import os"), "after the closing"),
            ("__import__('os').system('true')", "expected '{'"),
            ("{'descr':__import__('os'),'fortran_order':False,'shape':(3,)}", "expected a string"),
            ("{'descr':'<f4','fortran_order':1,'shape':(3,)}", "True or False"),
            ("{'descr':'<f4','fortran_order':Falsey,'shape':(3,)}", "True or False"),
            ("{'descr':'<f4\\x00','fortran_order':False,'shape':(3,)}", "escape"),
            (
                "{'descr':[('x', '<f4')],'fortran_order':False,'shape':(3,)}",
                "structured dtype [('x', '<f4')]",
            ),
        ] {
            let e = parse(dict).unwrap_err();
            assert!(e.contains(what), "{dict}: {e}");
        }
        for (descr, what) in [
            ("|O", "object"),
            ("|S2", "byte strings"),
            ("<c16", "complex128"),
            ("<M8[D]", "datetime64"),
            ("<f16", "longdouble"),
            ("|V7", "void"),
        ] {
            let e = parse(&format!("{{'descr':'{descr}','fortran_order':False,'shape':(3,)}}")).unwrap_err();
            assert!(e.contains(what) && e.contains(descr), "{e}");
        }
    }

    #[test]
    fn declared_header_lengths_are_checked_first() {
        let refused = |bytes: &[u8]| parse_header(bytes, u64::MAX).unwrap_err().what;
        assert!(refused(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{").contains("4294967295"));
        assert!(refused(b"\x93NUMPY\x01\x00\xff\xff{").contains("file holds 1"));
        assert!(refused(b"\x93NUMPY\x04\x00\x01\x00").contains("version 4.0"));
        assert!(refused(b"\x80\x04\x95").contains("pickle"));
        assert!(refused(b"PK\x03\x04").contains("not an NPY file"));
        let deep = format!("{{'descr':{}", "[".repeat(60_000));
        assert!(refused(&file(1, &deep)).contains("structured"));
    }
    #[test]
    fn another_element_type_is_not_damage() {
        let cause = |descr: &str| {
            let dict = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (3,), }}");
            parse_header(&file(1, &dict), u64::MAX).unwrap_err().cause
        };
        for descr in ["'|O'", "'<U3'", "'<c16'", "'<M8[D]'", "'<f5'", "[('x', '<f4')]"] {
            assert_eq!(cause(descr), Cause::Unsupported, "{descr}");
        }
        for descr in ["'<f4", "7", "'<f4', 'x': 1"] {
            assert_eq!(cause(descr), Cause::Damaged, "{descr}");
        }
    }
}

//! Texts as XML and PDF write them.

use super::{LONGEST, MetadataError};

/// The text of an XML element.
///
/// # Errors
/// An entity that XML does not have by itself, or a text that is too long.
pub(super) fn unescaped(text: &str) -> Result<String, MetadataError> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((plain, after)) = rest.split_once('&') {
        let (name, after) = after.split_once(';').ok_or(MetadataError::Entity)?;
        let code = |digits: &str, base: u32| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
        let c = match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => match name.strip_prefix('#') {
                Some(hex) if hex.starts_with('x') => code(&hex[1..], 16),
                Some(digits) => code(digits, 10),
                None => None,
            },
        };
        out.push_str(plain);
        out.push(c.ok_or(MetadataError::Entity)?);
        rest = after;
        if out.len() > LONGEST {
            break;
        }
    }
    out.push_str(rest);
    if out.len() > LONGEST { Err(MetadataError::TooLong) } else { Ok(out) }
}

/// The rest of a PDF's literal string, up to the parenthesis that closes it.
///
/// # Errors
/// When there is none, or the text is not UTF-8 or too long.
pub(super) fn literal(bytes: &[u8]) -> Result<String, MetadataError> {
    let (mut out, mut depth, mut i) = (Vec::new(), 0usize, 0);
    let mut next = || {
        i += 1;
        bytes.get(i - 1).copied()
    };
    let mut held = None;
    loop {
        let c = match held.take() {
            Some(c) => c,
            None => next().ok_or(MetadataError::NoEnd)?,
        };
        match c {
            b')' if depth == 0 => break,
            b'\\' => match next().ok_or(MetadataError::NoEnd)? {
                b'n' => out.push(b'\n'),
                b'r' => out.push(b'\r'),
                b't' => out.push(b'\t'),
                b'b' => out.push(8),
                b'f' => out.push(12),
                digit @ b'0'..=b'7' => {
                    let mut code = u32::from(digit - b'0');
                    for _ in 0..2 {
                        match next() {
                            Some(digit @ b'0'..=b'7') => code = code * 8 + u32::from(digit - b'0'),
                            other => {
                                held = other;
                                break;
                            }
                        }
                    }
                    out.push(code as u8);
                }
                // A line that goes on.
                b'\n' => {}
                b'\r' => held = next().filter(|c| *c != b'\n'),
                other => out.push(other),
            },
            c => {
                depth = match c {
                    b'(' => depth + 1,
                    b')' => depth - 1,
                    _ => depth,
                };
                out.push(c);
            }
        }
        if out.len() > LONGEST {
            return Err(MetadataError::TooLong);
        }
    }
    String::from_utf8(out).map_err(|_| MetadataError::NotUtf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_knows_five_names_and_all_numbers() {
        assert_eq!(
            unescaped("a &lt;&gt;&amp;lt;&quot;&apos;&#228;&#x1F600; b").unwrap(),
            "a <>&lt;\"'ä\u{1f600} b"
        );
        for text in ["&", "a & b", "&x;", "&#x110000;", "&#xd800;", "&#;", "&#-1;", "&#99999999999;"] {
            assert!(unescaped(text).is_err(), "{text}");
        }
        assert!(
            unescaped(&"x".repeat(LONGEST + 1)).is_err() && unescaped(&"&#65;".repeat(LONGEST + 1)).is_err()
        );
    }

    #[test]
    fn a_literal_ends_where_its_parenthesis_does() {
        let of = |text: &str| literal(text.as_bytes());
        assert_eq!(of("a(b(c))d)e)").unwrap(), "a(b(c))d");
        assert_eq!(of(r"\(\)\)\\\n\r\t\b\f\x)").unwrap(), "())\\\n\r\t\u{8}\u{c}x");
        assert_eq!(of(r"\101\61\0618\7)").unwrap(), "A1".to_owned() + "18\u{7}");
        assert_eq!(of("one\\\nline\\\r\nor\\\rtwo)").unwrap(), "onelineortwo");
        for text in ["", "a", "(a)", "\\", "\\)", "\\1", "\\(a", "\\377)"] {
            assert!(of(text).is_err(), "{text}");
        }
        assert!(of(&("x".repeat(LONGEST + 1) + ")")).is_err());
    }
}

//! Values of flags that must be in a range or of a form.

use gridscope_core::figure::Length;
use std::num::{NonZeroU32, NonZeroU64};

/// A finite number.
pub(super) fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|v: &f64| v.is_finite());
    number.ok_or_else(|| "give a finite number".to_owned())
}

/// A finite number above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    let number = finite(text).ok().filter(|v| *v > 0.0);
    number.ok_or_else(|| "give a number above 0".to_owned())
}

/// A whole number above 0.
pub(super) fn above_zero(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| "give a whole number above 0".to_owned())
}

/// A number of rows or columns.
pub(super) fn count(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| "give a whole number from 1".to_owned())
}

/// The size of a text that can be seen.
pub(super) fn font_size(text: &str) -> Result<Length, String> {
    let length: Length = text.parse().map_err(|e: gridscope_core::notation::ParseError| e.to_string())?;
    if length.is_zero() {
        return Err("it leaves nothing to draw".to_owned());
    }
    Ok(length)
}

/// The angle of tick labels.
pub(super) fn rotation(text: &str) -> Result<u32, String> {
    let degrees = text.parse().ok().filter(|d| [0, 45, 90].contains(d));
    degrees.ok_or_else(|| "labels turn by 0, 45 or 90 degrees".to_owned())
}

/// A key and its label: `OLD=NEW`; `\=` is a `=` of the key.
pub(super) fn renaming(text: &str) -> Result<(String, String), String> {
    let mut old = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.as_str().starts_with('=') => old.extend(chars.next()),
            '=' => return Ok((old, chars.as_str().to_owned())),
            _ => old.push(c),
        }
    }
    Err("give a key and its label: OLD=NEW".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_follows_its_key() {
        let of = |old: &str, new: &str| Ok((old.to_owned(), new.to_owned()));
        assert_eq!((renaming("a=b=c"), renaming("a\\=b=")), (of("a", "b=c"), of("a=b", "")));
        assert!(renaming("a").is_err() && rotation("30").is_err() && rotation("90") == Ok(90));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!((finite("-1e300"), positive("0.5")), (Ok(-1e300), Ok(0.5)));
        for bad in ["NaN", "inf", "1e999", "x", ""] {
            assert!(finite(bad).is_err() && positive(bad).is_err(), "{bad}");
        }
        assert!(positive("0").is_err() && positive("-1").is_err());
        assert!(font_size("0pt").is_err() && font_size("9pt").is_ok() && font_size("9 pts").is_err());
    }
}

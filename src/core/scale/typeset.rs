//! Numbers as they are drawn: a real minus sign, and powers of ten with raised exponents.

/// The minus sign that is drawn, U+2212, as wide as a digit.
const MINUS: char = '−';

/// The raised form of a digit or of a minus sign of an exponent.
fn raised(c: char) -> Option<char> {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match c {
        '-' => Some('⁻'),
        _ => c.to_digit(10).and_then(|d| DIGITS.get(d as usize).copied()),
    }
}

/// `-5` as `−5`.
pub fn minus(text: &str) -> String {
    // Most numbers of many have none.
    if text.bytes().any(|b| b == b'-') {
        text.replace('-', MINUS.encode_utf8(&mut [0; 4]))
    } else {
        text.to_owned()
    }
}

/// The digits before an exponent, and the exponent without its plus sign and zeros: `1.5e-07` is (`1.5`, `-7`).
fn parts(text: &str) -> Option<(&str, String)> {
    let at = text.bytes().position(|b| b == b'e')?;
    let (number, e) = (&text[..at], &text[at + 1..]);
    let e: i32 = e.parse().ok()?;
    number.ends_with(|c: char| c.is_ascii_digit()).then(|| (number, e.to_string()))
}

/// A number: `-1.5e-7` is `−1.5×10⁻⁷`, and `1e-7` is `10⁻⁷`.
pub fn typeset(text: &str) -> String {
    let Some((number, e)) = parts(text) else {
        return minus(text);
    };
    let e: String = e.chars().filter_map(raised).collect();
    match number.strip_suffix('1') {
        Some(sign) if matches!(sign, "" | "-" | "+") => format!("{}10{e}", minus(sign)),
        _ => format!("{}×10{e}", minus(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_get_a_minus_sign_and_raised_exponents() {
        let texts = ["-0.5", "1e-5", "-1e12", "1.0e-5", "3e+05", "+2.5e-7", "-2.50e+06", "12.3%"];
        assert_eq!(
            texts.map(typeset),
            ["−0.5", "10⁻⁵", "−10¹²", "1.0×10⁻⁵", "3×10⁵", "+2.5×10⁻⁷", "−2.50×10⁶", "12.3%"]
        );
        assert_eq!(
            ["nan", "-inf", "0", "+0", "e5", "1e", "me5"].map(typeset),
            ["nan", "−inf", "0", "+0", "e5", "1e", "me5"]
        );
    }
}

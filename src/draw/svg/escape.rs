//! Text, numbers and names of fonts as XML and style sheets take them.

use std::fmt::Write;

/// The text within an element or an attribute. XML 1.0 does not allow most control characters: each becomes a
/// replacement character.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // As itself a parser would read a space.
            '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", c as u32);
            }
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A font family's name as style sheets quote it.
pub(super) fn family(name: &str) -> String {
    let plain: String = name.chars().filter(|c| !c.is_control() && !matches!(c, '\'' | '"' | '\\')).collect();
    format!("'{plain}'")
}

/// A number with two decimals at most, a hundredth of a pixel.
pub(super) fn number(v: f64) -> String {
    let rounded = (v * 100.0).round() / 100.0;
    // -0 is 0.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_forbids_is_replaced() {
        assert_eq!(
            escape("a<b> & \"c\"\t\u{1}\u{fffe}é"),
            "a&lt;b&gt; &amp; &quot;c&quot;&#9;\u{fffd}\u{fffd}é"
        );
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [1300.0, 0.5, -0.001, 1.005, 12.345678, -7.1].map(number),
            ["1300", "0.5", "0", "1", "12.35", "-7.1"]
        );
    }
}

//! Labels as they can be drawn: one line, no control characters, not endless.

/// No label is shaped beyond this many characters; the middle is left out.
pub(super) const LONGEST: usize = 300;

/// The label on one line; an endless text is its ends.
pub fn clean(text: &str) -> String {
    one_line(&shorten(text, LONGEST))
}

/// The text as it shows and commands nothing: line ends and tabs are spaces, other control characters and bidi overrides their escapes.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if steers(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Whether a character commands a terminal, ends a line, or reorders its neighbours.
pub fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// At most `most` characters, the middle replaced by an ellipsis.
pub fn shorten(text: &str, most: usize) -> String {
    // Bytes bound characters from above, so short texts need no count.
    if text.len() <= most {
        return text.to_owned();
    }
    let n = text.chars().count();
    if n <= most {
        return text.to_owned();
    }
    let keep = most.max(2) - 1;
    let head = keep.div_ceil(2);
    let tail = keep - head;
    text.chars()
        .take(head)
        .chain(std::iter::once('…'))
        .chain(text.chars().skip(n - tail))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortens_in_the_middle() {
        assert_eq!(shorten("high_school_statistics", 9), "high…tics");
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüß", 3), "ä…ß");
        assert_eq!(clean(&"x".repeat(100_000)).chars().count(), LONGEST);
    }

    #[test]
    fn no_text_of_a_file_commands_the_terminal() {
        assert_eq!(clean("a\u{1a}b\nc\u{202e}"), "a\\u{1a}b c\\u{202e}");
        assert_eq!(
            one_line("a\u{1b}[31m\nb\u{2028}c\td"),
            "a\\u{1b}[31m b\\u{2028}c d"
        );
        assert_eq!(one_line(&"x".repeat(1000)).len(), 1000);
    }
}

//! Labels as they can be drawn: one line, no control characters, not endless.

/// No label is shaped beyond so many characters; the middle goes first.
const LONGEST: usize = 300;

/// The label on one line: white space becomes a space, other control characters their escape, an endless text its ends.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4 * LONGEST));
    let cut = shorten(text, LONGEST);
    for c in cut.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            // Bidi overrides would reorder what stands beside them.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' => out.extend(c.escape_unicode()),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
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
    text.chars().take(head).chain(std::iter::once('…')).chain(text.chars().skip(n - tail)).collect()
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
    fn control_characters_show_as_escapes() {
        assert_eq!(clean("a\u{1a}b\nc\u{202e}"), "a\\u{1a}b c\\u{202e}");
    }
}

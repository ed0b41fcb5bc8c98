//! Labels as they can be drawn: one line, no control characters, not endless.

use super::marks::{has_formula, is_mark, units};

/// No label is shaped beyond this many characters; the middle is left out.
pub(super) const LONGEST: usize = 300;

/// Formulas are in texts of up to this many bytes.
const LONGEST_MARKED: usize = 1 << 20;

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

/// Whether a character commands a terminal, ends a line, reorders its neighbours, or marks a formula.
pub fn steers(c: char) -> bool {
    c.is_control()
        || is_mark(c)
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// At most `most` characters, the middle replaced by an ellipsis. A formula is left out whole or not at all.
pub fn shorten(text: &str, most: usize) -> String {
    // Bytes bound characters from above, so short texts need no count.
    if text.len() <= most {
        return text.to_owned();
    }
    if text.len() <= LONGEST_MARKED && has_formula(text) {
        return shorten_units(text, most);
    }
    let n = text.chars().count();
    if n <= most {
        return text.to_owned();
    }
    let (head, tail) = ends(most);
    text.chars().take(head).chain(std::iter::once('…')).chain(text.chars().skip(n - tail)).collect()
}

/// How many characters are kept of each end.
fn ends(most: usize) -> (usize, usize) {
    let keep = most.max(2) - 1;
    let head = keep.div_ceil(2);
    (head, keep - head)
}

fn shorten_units(text: &str, most: usize) -> String {
    let all: Vec<(&str, usize)> = units(text).collect();
    if all.iter().map(|u| u.1).sum::<usize>() <= most {
        return text.to_owned();
    }
    let (head, tail) = ends(most);
    let fitting = |units: &mut dyn Iterator<Item = &(&str, usize)>, room: usize| {
        let sums = units.scan(0, |sum, u| {
            *sum += u.1;
            Some(*sum)
        });
        sums.take_while(|sum| *sum <= room).count()
    };
    let first = fitting(&mut all.iter(), head);
    let last = fitting(&mut all[first..].iter().rev(), tail);
    let parts = all[..first].iter().chain([&("…", 1)]);
    parts.chain(&all[all.len() - last..]).map(|u| u.0).collect()
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
        assert_eq!(one_line("a\u{1b}[31m\nb\u{2028}c\td"), "a\\u{1b}[31m b\\u{2028}c d");
        assert_eq!(one_line(&"x".repeat(1000)).len(), 1000);
        assert_eq!(clean("\u{fdd0}x\u{fdd1}"), "\\u{fdd0}x\\u{fdd1}");
        assert!(clean(&"\u{fdd0}".repeat(300_000)).len() < 3_000);
    }
}

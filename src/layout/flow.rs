//! Text wrapped at spaces and line breaks, or shortened to a width.

use crate::text::{Measure, shorten};

/// The text broken at spaces into lines of at most `width` pixels. A longer word is shortened. Line breaks of the user's
/// stay, empty lines between others too.
pub fn wrap(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> Vec<String> {
    let text = text.trim_matches([' ', '\n']);
    let mut lines = Vec::new();
    for line in text.split('\n').filter(|_| !text.is_empty()) {
        let first = lines.len();
        lines.extend(wrap_line(line, font, width, m));
        if lines.len() == first {
            lines.push(String::new());
        }
    }
    lines
}

fn wrap_line(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            if m.size(&longer, font).width <= width {
                *line = longer;
                continue;
            }
        }
        lines.push(fit(word, font, width, m));
    }
    lines
}

/// The text shortened to at most `width` pixels, or to `…`.
pub(super) fn fit(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> String {
    let (short, shown, _) = shortened(text, font, width, m);
    if shown <= width { short } else { "…".to_owned() }
}

/// The text without its middle so that it takes at most `most` pixels, or else the shortest that is possible; its width in
/// pixels; and whether it was shortened.
pub(super) fn shortened(text: &str, font: f64, most: f64, m: &mut dyn Measure) -> (String, f64, bool) {
    let full = m.size(text, font).width;
    if full <= most {
        return (text.to_owned(), full, false);
    }
    let mut characters = (text.chars().count() as f64 * most / full) as usize;
    loop {
        let short = shorten(text, characters.max(2));
        let width = m.size(&short, font).width;
        if width <= most || characters <= 2 {
            return (short, width, true);
        }
        characters -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Fake;

    #[test]
    fn no_line_is_too_wide() {
        assert_eq!(
            wrap("LLaMA-2 13B Chat", 10.0, 60.0, &mut Fake),
            ["LLaMA-2", "13B Chat"]
        );
        assert_eq!(fit("security_studies", 10.0, 60.0, &mut Fake), "secur…dies");
        assert!(wrap("  ", 10.0, 60.0, &mut Fake).is_empty());
        assert_eq!(
            wrap("\na b\n\nLLaMA-2 13B\n ", 10.0, 60.0, &mut Fake),
            ["a b", "", "LLaMA-2", "13B"]
        );
    }
}

//! Text in lines: wrapped at spaces, or shortened to a width.

use crate::text::{Measure, shorten};

/// Lines no wider than `width`, broken at spaces; a word that is wider alone is shortened.
pub fn wrap(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> Vec<String> {
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

/// The text, its middle left out until it is no wider than `width`.
pub(super) fn fit(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> String {
    let full = m.size(text, font).width;
    if full <= width {
        return text.to_owned();
    }
    let mut keep = (text.chars().count() as f64 * width / full) as usize;
    loop {
        let t = shorten(text, keep.max(2));
        if m.size(&t, font).width <= width {
            return t;
        }
        if keep <= 2 {
            return "…".to_owned();
        }
        keep -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Fake;

    #[test]
    fn lines_keep_their_width() {
        assert_eq!(
            wrap("LLaMA-2 13B Chat", 10.0, 60.0, &mut Fake),
            ["LLaMA-2", "13B Chat"]
        );
        assert_eq!(fit("security_studies", 10.0, 60.0, &mut Fake), "secur…dies");
        assert!(wrap("  ", 10.0, 60.0, &mut Fake).is_empty());
    }
}

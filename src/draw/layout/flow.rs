//! Text broken into lines, or shortened to a width.

use gridscope_core::text::{Measure, formulas, has_formula, without_middle};

/// The text broken into lines of at most `width` pixels: at its line breaks and spaces; words that are longer after `_`, `-`, `/`
/// and `.`, between the words of `RandomForest`, or between Chinese, Japanese and Korean characters. What has no such place is
/// shortened. Empty lines between others stay.
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

/// The words of a line; `name = value` is one.
pub(super) fn words(line: &str) -> Vec<&str> {
    let (mut out, mut start) = (Vec::new(), 0);
    for (i, _) in line.match_indices(' ') {
        if !line[i + 1..].starts_with("= ") && !line[..i].ends_with(" =") {
            out.push(&line[start..i]);
            start = i + 1;
        }
    }
    out.push(&line[start..]);
    out.retain(|w| !w.is_empty());
    out
}

/// Words set apart by a space are as wide as they are alone, up to this share of a line.
const UNSURE: f64 = 0.03;

fn wrap_line(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let space = m.size(" ", font).width;
    // The width of the last line, of which only words are measured: a long text has few words that no other text has.
    let mut long = 0.0;
    for word in words(text) {
        let wide = m.size(word, font).width;
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            let about = long + space + wide;
            let fits = if (about / width - 1.0).abs() < UNSURE {
                m.size(&longer, font).width <= width
            } else {
                about <= width
            };
            if fits {
                (*line, long) = (longer, about);
                continue;
            }
        }
        if wide <= width {
            lines.push(word.to_owned());
            long = wide;
        } else {
            lines.extend(filled(&pieces(word), font, width, m));
            long = lines.last().map_or(0.0, |line| m.size(line, font).width);
        }
    }
    lines
}

/// Lines of at most `width` pixels of as many pieces as fit each. A longer piece is shortened.
fn filled(pieces: &[&str], font: f64, width: f64, m: &mut dyn Measure) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line}{piece}");
            if m.size(longer.trim_end(), font).width <= width {
                *line = longer;
                continue;
            }
        }
        lines.push((*piece).to_owned());
    }
    lines.iter().map(|line| fit(line.trim_end(), font, width, m)).collect()
}

/// The most lines of a label.
pub(super) const LABEL_LINES: usize = 3;

/// A label in up to `most` lines of at most `width` pixels, as equal as possible, with line breaks between them; `None` if
/// there is no room for its parts.
pub(super) fn label_lines(
    text: &str,
    font: f64,
    width: f64,
    most: usize,
    m: &mut dyn Measure,
) -> Option<String> {
    if text.contains('\n') {
        return None;
    }
    let pieces = pieces(text);
    if pieces.len() < 2 {
        return None;
    }
    let whole = m.size(text, font).width;
    // Pixels that were lost by breaking before the end of a line are added in steps.
    let count = ((whole / width).ceil() as usize).max(2);
    for lines in count..=most.min(LABEL_LINES) {
        for slack in [1.05, 1.2, 1.4] {
            let room = (whole / lines as f64 * slack).min(width);
            let broken = filled(&pieces, font, room, m);
            let is_whole = broken.len() <= lines && !broken.iter().any(|l| l.contains('…'));
            if is_whole && broken.iter().all(|l| m.size(l, font).width <= width) {
                return Some(broken.join("\n"));
            }
        }
        let broken = filled(&pieces, font, width, m);
        if broken.len() <= lines && broken.iter().all(|l| !l.contains('…') && m.size(l, font).width <= width)
        {
            return Some(broken.join("\n"));
        }
    }
    None
}

/// The parts of a text between which a line may break: not within a formula. Joined they are the text.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let formulas = if has_formula(text) { formulas(text) } else { Vec::new() };
    let mut out = Vec::new();
    let mut start = 0;
    for k in 1..chars.len() {
        let (before, after) = (chars[k - 1].1, chars[k].1);
        let at = chars[k].0;
        let word = |c: char| c.is_alphanumeric();
        // One letter or digit alone on a line is hard to read, and `1e-4` and dates stay whole.
        let is_long = |part: &str| part.chars().filter(|c| word(*c)).nth(1).is_some();
        let is_named = |part: &str| part.chars().any(char::is_alphabetic);
        let (part, rest) = (&text[start..at], text[at..].split(SEPARATORS).next().unwrap_or_default());
        let are_long = is_long(part) && is_long(rest);
        let breaks = match before {
            ' ' => true,
            // Dates stay whole here too.
            '-' | '/' => {
                are_long && (after.is_alphabetic() || word(after) && is_named(part) && is_named(rest))
            }
            // A number stays with what it counts.
            '_' => word(after) && are_long && is_named(rest),
            '.' => after.is_alphabetic() && are_long && text[..at - 1].ends_with(char::is_alphabetic),
            _ if is_camel(before, after) => is_word(part) && is_word(rest),
            _ => (is_wide(before) || is_wide(after)) && !CLOSING.contains(&after) && after != ' ',
        };
        if breaks && !formulas.iter().any(|f| f.start < at && at < f.end) {
            out.push(&text[start..at]);
            start = at;
        }
    }
    if start < text.len() {
        out.push(&text[start..]);
    }
    out
}

/// The characters after which a line may break.
const SEPARATORS: [char; 5] = [' ', '_', '-', '/', '.'];

/// The least letters of a word of a compound such as `RandomForest`; names such as `GitHub` stay whole.
const LEAST_LETTERS: usize = 5;

/// Whether a word of a compound may begin between two characters.
fn is_camel(before: char, after: char) -> bool {
    before.is_lowercase() && after.is_uppercase()
}

/// Whether a part of a compound is long enough for a line of its own.
fn is_word(part: &str) -> bool {
    part.chars().rev().take_while(|c| c.is_alphabetic()).count() >= LEAST_LETTERS
}

/// Characters that do not begin a line.
const CLOSING: [char; 16] =
    ['、', '。', '，', '．', '）', '」', '』', '】', '》', '：', '；', '！', '？', 'ー', '々', ')'];

/// Whether a character is of a script without spaces: Chinese, Japanese, Korean.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

/// The text shortened to at most `width` pixels, or to `…`.
pub(super) fn fit(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> String {
    let mut size = |t: &str| m.size(t, font).width;
    let (short, _) = without_middle(text, width, &mut size);
    if size(&short) <= width { short } else { "…".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::text::Fake;

    #[test]
    fn no_line_is_too_wide() {
        assert_eq!(wrap("LLaMA-2 13B Chat", 10.0, 60.0, &mut Fake), ["LLaMA-2", "13B Chat"]);
        assert_eq!(wrap("security_studies", 10.0, 60.0, &mut Fake), ["security_", "studies"]);
        assert_eq!(fit("security_studies", 10.0, 60.0, &mut Fake), "secur…dies");
        assert!(wrap("  ", 10.0, 60.0, &mut Fake).is_empty());
        assert_eq!(wrap("one panel = 12", 10.0, 66.0, &mut Fake), ["one", "panel = 12"]);
        assert_eq!(words("a = b c= d e"), ["a = b", "c=", "d", "e"]);
        assert_eq!(wrap("\na b\n\nLLaMA-2 13B\n ", 10.0, 60.0, &mut Fake), ["a b", "", "LLaMA-2", "13B"]);
        assert_eq!(wrap("数学的な推論、科学", 10.0, 24.0, &mut Fake), ["数学的な", "推論、科", "学"]);
    }

    #[test]
    fn labels_break_at_their_separators() {
        let lines = |text: &str, width: f64| label_lines(text, 10.0, width, 3, &mut Fake);
        assert_eq!(lines("high_school_statistics", 90.0).as_deref(), Some("high_school_\nstatistics"));
        assert_eq!(lines("high_school_statistics", 66.0).as_deref(), Some("high_\nschool_\nstatistics"));
        assert_eq!(lines("high_school_statistics", 54.0), None);
        assert_eq!(lines("Random forest", 60.0).as_deref(), Some("Random\nforest"));
        for whole in ["1e-4", "2020-01-01", "seed_1", "GPT-4"] {
            assert_eq!(pieces(whole), [whole]);
        }
        assert_eq!(pieces("a/b run_name-x1 科学"), ["a/b ", "run_", "name-", "x1 ", "科", "学"]);
        assert_eq!(pieces("mistral-7b-instruct"), ["mistral-", "7b-", "instruct"]);
        assert_eq!(pieces("model.layers.12.mlp v1.5"), ["model.", "layers.12.mlp ", "v1.5"]);
        assert_eq!(pieces("layer_12_head_10"), ["layer_12_", "head_10"]);
        assert_eq!(pieces("RandomForest"), ["Random", "Forest"]);
        assert_eq!(pieces("LogisticRegression_CV"), ["Logistic", "Regression_", "CV"]);
        for whole in ["GitHub", "YouTube", "PyTorch", "iPhone", "DNA", "10-20", "2020-01-15T12"] {
            assert_eq!(pieces(whole), [whole]);
        }
    }
}

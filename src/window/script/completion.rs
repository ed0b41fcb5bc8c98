//! Completion of a line that is being typed: words, and their arguments where they are words too.

use super::usage::{WORDS, first, line_of};
use gridscope_core::figure::Reduce;
use gridscope_core::scale::{Colormap, NormSpec};

/// Completion of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Completion {
    /// Where in the line the word begins that a candidate replaces, in bytes.
    pub start: usize,
    /// Texts that may take the place of that word.
    pub candidates: Vec<Candidate>,
    /// Usage and meaning of the line, once its first word is whole.
    pub line: Option<(&'static str, &'static str)>,
}

/// A text that may be written next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The text.
    pub text: String,
    /// How it goes on and what it does; empty where the text says it all.
    pub about: (&'static str, &'static str),
}

impl Candidate {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), about: ("", "") }
    }
}

/// Completion of `text`; `labels` has the labels of rows and columns that contain a text in lower case.
pub(crate) fn completion(text: &str, labels: &dyn Fn(&str) -> Vec<String>) -> Completion {
    let mut from = text.len() - text.trim_start().len();
    loop {
        let rest = &text[from..];
        let Some((word, after)) = rest.split_once(char::is_whitespace) else {
            return Completion { start: from, candidates: matching(rest, words()), line: line_of(rest) };
        };
        let arguments = text.len() - after.trim_start().len();
        if word == "repeat"
            && let Some((_, line)) = text[arguments..].split_once(char::is_whitespace)
        {
            from = text.len() - line.trim_start().len();
            continue;
        }
        let (start, candidates) = arguments_of(word, &text[arguments..], labels);
        return Completion { start: arguments + start, candidates, line: line_of(word) };
    }
}

fn words() -> impl Iterator<Item = Candidate> {
    WORDS.iter().map(|(usage, meaning)| Candidate { text: first(usage).to_owned(), about: (usage, meaning) })
}

/// Where in the arguments of a word the last one begins, and what it may be.
fn arguments_of(word: &str, given: &str, labels: &dyn Fn(&str) -> Vec<String>) -> (usize, Vec<Candidate>) {
    if word == "go" {
        let found = labels(&given.to_lowercase());
        return (0, matching(given, found.into_iter().map(Candidate::plain)));
    }
    let start = given.trim_end_matches(|c: char| !c.is_whitespace()).len();
    let last = &given[start..];
    let nth = given[..start].split_whitespace().count();
    let candidates = match (word, nth) {
        ("map" | "cmap", 0) => matching(last, maps(last)),
        ("norm", 0) => matching(last, NormSpec::beginnings().map(Candidate::plain)),
        ("reduce", 0) => matching(last, Reduce::WORDS.iter().map(|w| Candidate::plain(*w))),
        _ => matching(last, literals(word, nth).map(Candidate::plain)),
    };
    (start, candidates)
}

/// The colormaps, and the words in their place. A reversed map is offered behind its own whole name.
fn maps(typed: &str) -> impl Iterator<Item = Candidate> {
    let whole = typed.len();
    let both = Colormap::names().flat_map(move |name| {
        let reversed = (whole >= name.len()).then(|| format!("{name}_r"));
        [Some(name.to_owned()), reversed].into_iter().flatten()
    });
    let others = ["next", "previous"].map(str::to_owned);
    both.chain(others).map(Candidate::plain)
}

/// The words that the usage of a line has in the place of an argument.
fn literals(word: &str, nth: usize) -> impl Iterator<Item = &'static str> {
    let usage = line_of(word).map_or("", |line| line.0);
    let place = usage.split(' ').nth(nth + 1).unwrap_or("");
    let words = place.split('|').map(|w| w.trim_matches(['[', ']']));
    words.filter(|w| !w.is_empty() && w.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
}

/// The candidates that begin with a text, whatever its case; if there is none, those that contain it.
fn matching(typed: &str, all: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
    let typed = typed.to_lowercase();
    let (mut begin, mut contain) = (Vec::new(), Vec::new());
    for candidate in all {
        match candidate.text.to_lowercase().find(&typed) {
            Some(0) => begin.push(candidate),
            Some(_) => contain.push(candidate),
            None => {}
        }
    }
    if begin.is_empty() { contain } else { begin }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn none(_: &str) -> Vec<String> {
        Vec::new()
    }

    fn texts(line: &str) -> Vec<String> {
        let found = completion(line, &none).candidates;
        found.into_iter().map(|c| c.text).collect()
    }

    #[test]
    fn words_come_first_and_then_what_they_take() {
        assert_eq!(texts("vm"), ["vmin", "vmax"]);
        assert_eq!(texts("  redu"), ["reduce"]);
        assert_eq!(texts("reduce m"), ["mean", "min", "max"]);
        assert_eq!(texts("cmap ylg"), ["YlGn", "YlGnBu"]);
        assert_eq!(texts("cmap magma"), ["magma", "magma_r"]);
        assert_eq!(texts("norm s"), ["symlog:"]);
        assert_eq!(texts("limits "), ["view", "auto"]);
        assert_eq!(texts("step 1 2 "), ["page", "edge"]);
        assert_eq!(texts("repeat 3 cursor s"), ["start"]);
        assert_eq!(texts("repeat 3 hom"), ["home"]);
        assert_eq!(texts("vmin "), Vec::<String>::new());
        assert_eq!(texts("maximu"), ["maximum"]);
        assert_eq!(texts(""), WORDS.iter().map(|w| first(w.0)).collect::<Vec<_>>());
        let at = completion("  cmap  pl", &none);
        assert_eq!((at.start, at.line.unwrap().0.split(' ').next()), (8, Some("cmap")));
        for blank in ['\u{a0}', '\u{3000}'] {
            assert_eq!(texts(&format!("reduce{blank}m")), ["mean", "min", "max"]);
            assert_eq!(texts(&format!("step 1 2{blank}")), ["page", "edge"]);
            assert_eq!(texts(&format!("go{blank}")), Vec::<String>::new());
            assert_eq!(texts(&format!("repeat{blank}3{blank}{blank}hom")), ["home"]);
        }
        let labels = |t: &str| vec![format!("model {t}")];
        assert_eq!(completion("go odel a", &labels).candidates[0].text, "model odel a");
    }

    #[test]
    fn whatever_is_offered_can_be_read() {
        let lines = WORDS.iter().map(|w| first(w.0));
        for word in lines {
            let usage = line_of(word).unwrap().0;
            for nth in 0..usage.split(' ').count() {
                let given = "1 ".repeat(nth);
                for offered in texts(&format!("{word} {given}")) {
                    let line = format!("{word} {given}{offered}");
                    let Err(e) = parse(&line) else { continue };
                    // Numbers may lack, but the word itself is known.
                    let lacks = e.what.contains("found the end of the line") || offered.ends_with(':');
                    assert!(lacks || nth > 0, "{line}: {e}");
                }
            }
        }
    }
}

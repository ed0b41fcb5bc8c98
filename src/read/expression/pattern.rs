//! Patterns that find a part of a text.

use regex_lite::{Regex, RegexBuilder};

/// Bytes that a compiled pattern may take.
const MOST_BYTES: usize = 1 << 20;

/// A regular expression; two of the same text are equal.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Why it is none.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let built = RegexBuilder::new(text).size_limit(MOST_BYTES).build();
        built.map(Self).map_err(|e| format!("'{text}' is not a regular expression: {e}"))
    }

    /// What stands behind `±`, or in parentheses.
    pub(crate) fn spread() -> Self {
        Self(Regex::new(r"(?:±|\+/-|\+-|\()\s*([^)]*[^)\s])").expect("a regular expression"))
    }

    /// The part of a text that its first group finds, or all that it finds without a group.
    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        let found = self.0.captures(text)?;
        found.get(usize::from(self.0.captures_len() > 1)).map(|part| part.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_group_is_found() {
        let of = |pattern: &str, text: &str| {
            Pattern::parse(pattern).unwrap().find(text).map_or_else(|| "–".to_owned(), str::to_owned)
        };
        assert_eq!(of(r"step(\d+)", "toy_step1000.json"), "1000");
        assert_eq!(of("[A-H]", "H12"), "H");
        assert_eq!(of("(a)|(b)", "b"), "–");
        assert_eq!(of("x", "y"), "–");
        assert!(Pattern::parse("(").is_err() && Pattern::parse(r"\w{1000}{1000}").is_err());
    }
}

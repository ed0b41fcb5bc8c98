//! Patterns of names, of arrays and columns, with `*` and `?`.

/// Whether a name fits a pattern: `*` matches any text, and `?` any character.
///
/// Names with a `separator` are paths: `*` matches any text without it, and `?` itself.
pub(crate) fn is_match(pattern: &str, name: &str, separator: Option<char>) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == name[n] || *c == '?' && separator.is_none() => (p, n) = (p + 1, n + 1),
            _ => {
                // The last star takes one character more.
                let more = star.filter(|(_, taken)| Some(name[*taken]) != separator);
                let Some((at, taken)) = more else { return false };
                star = Some((at, taken + 1));
                (p, n) = (at + 1, taken + 1);
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_any_text() {
        for (pattern, name, wanted) in [
            ("*", "", true),
            ("*", "a/b", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("?", "é", true),
            ("??", "a", false),
            ("*a", "bba", true),
            ("a", "ab", false),
        ] {
            assert_eq!(is_match(pattern, name, None), wanted, "{pattern} {name}");
        }
    }

    #[test]
    fn stars_match_text_within_a_name_of_a_path() {
        for (pattern, path, wanted) in [
            ("head_*", "head_10", true),
            ("head_*", "head_", true),
            ("head_*", "a/head_1", false),
            ("*/head_*", "a/head_1", true),
            ("*", "a/b", false),
            ("a*c*e", "abcde", true),
            ("a*c", "abcd", false),
            ("*b*", "aabaa", true),
            ("", "a", false),
            ("?*", "ab", false),
            ("?*", "?b", true),
        ] {
            assert_eq!(is_match(pattern, path, Some('/')), wanted, "{pattern} {path}");
        }
    }
}

//! Names: of files, as short as distinguishes them; patterns of them; and texts as a shell takes them.

use super::panel_files::unique_names;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};

/// A flag with its value, as a shell takes them.
pub(crate) fn flag(flag: &str, value: &str) -> String {
    let between = if value.starts_with('-') { "=" } else { " " };
    format!("{flag}{between}{}", quoted(value))
}

/// A text as a shell takes it.
fn quoted(text: &str) -> String {
    let plain = |c: char| {
        c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/' | ':' | '%' | '@' | '+' | '=')
    };
    // A shell may take the name of a program behind an equal sign.
    if !text.is_empty() && !text.starts_with('=') && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

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

/// Whether a key may name several arrays: by a pattern, or as a list.
pub(crate) fn is_of_several(key: &str) -> bool {
    key.contains(['*', ','])
}

/// The name of a panel of each file: its stem, or where stems are alike, as in [`disambiguate`]; a file that is named twice
/// gets a number.
pub(super) fn panel_names(files: &[String]) -> Vec<String> {
    let stem =
        |f: &String| Path::new(f).file_stem().map_or_else(|| f.clone(), |s| s.to_string_lossy().into_owned());
    let stems: Vec<String> = files.iter().map(stem).collect();
    if are_unique(&stems) { stems } else { unique_names(disambiguate(files)) }
}

/// The last part of each path, with as many folders in front as distinguish it from the others. A path that is there twice has
/// one name.
pub fn disambiguate(files: &[String]) -> Vec<String> {
    let parts = |f: &String| -> Vec<String> {
        let plain = |c: Component<'_>| match c {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            Component::ParentDir => Some("..".to_owned()),
            _ => None,
        };
        Path::new(f).components().filter_map(plain).collect()
    };
    let all: Vec<Vec<String>> = files.iter().map(parts).collect();
    let last = |i: usize, n: usize| match all[i].len() {
        0 => files[i].clone(),
        len => all[i][len.saturating_sub(n)..].join("/"),
    };
    let mut taken = vec![1; files.len()];
    loop {
        let names: Vec<String> = (0..files.len()).map(|i| last(i, taken[i])).collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        let mut met = HashSet::new();
        let each = names.iter().zip(files).filter(|(_, file)| met.insert(file.as_str()));
        each.for_each(|(name, _)| *times.entry(name).or_default() += 1);
        let more: Vec<usize> =
            (0..files.len()).filter(|&i| taken[i] < all[i].len() && times[names[i].as_str()] > 1).collect();
        if more.is_empty() {
            return names;
        }
        more.into_iter().for_each(|i| taken[i] += 1);
    }
}

/// A path's last part; the text itself where it has none.
pub fn base_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |n| n.to_string_lossy().into_owned())
}

fn are_unique(names: &[String]) -> bool {
    let mut met = HashSet::new();
    names.iter().all(|name| met.insert(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_for_a_shell() {
        assert_eq!(
            (quoted("a b"), quoted("it's"), quoted("")),
            ("'a b'".into(), "'it'\\''s'".into(), "''".into())
        );
    }

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

    fn named(by: fn(&[String]) -> Vec<String>, files: &[&str]) -> Vec<String> {
        by(&files.iter().map(|f| (*f).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn folders_appear_only_where_they_distinguish_files() {
        assert_eq!(
            named(disambiguate, &["/home/me/a/m.csv", "/home/me/b/m.csv", "x/k.csv"]),
            ["a/m.csv", "b/m.csv", "k.csv"]
        );
        assert_eq!(named(disambiguate, &["r/1/a/m.csv", "r/2/a/m.csv"]), ["1/a/m.csv", "2/a/m.csv"]);
        assert_eq!(
            named(disambiguate, &["m.csv", "./m.csv", "-", "..", "runs/"]),
            ["m.csv", "m.csv", "-", "..", "runs"]
        );
        assert_eq!(named(disambiguate, &["m.csv", "a/m.csv"]), ["m.csv", "a/m.csv"]);
        assert_eq!(named(disambiguate, &["a/m.csv", "a/m.csv"]), ["m.csv", "m.csv"]);
    }

    #[test]
    fn panels_are_named_by_stems_where_those_differ() {
        assert_eq!(named(panel_names, &["a/s1.csv", "b/s2.npy"]), ["s1", "s2"]);
        assert_eq!(named(panel_names, &["a/m.csv", "a/m.npy"]), ["m.csv", "m.npy"]);
        assert_eq!(named(panel_names, &["a/m.csv", "b/m.csv"]), ["a/m.csv", "b/m.csv"]);
        assert_eq!(named(panel_names, &["m.csv", "./m.csv"]), ["m.csv", "m.csv (2)"]);
    }

    #[test]
    fn many_files_take_no_longer_each() {
        let files: Vec<String> = (0..50_000).map(|i| format!("runs/{i}/m.csv")).collect();
        assert_eq!(
            (panel_names(&files)[49_999].as_str(), disambiguate(&files)[7].as_str()),
            ("49999/m.csv", "7/m.csv")
        );
    }

    #[test]
    fn names_have_no_folder() {
        let names = ["/home/me/a.csv", "a.csv", "-", "..", "runs/"].map(base_name);
        assert_eq!(names, ["a.csv", "a.csv", "-", "..", "runs"]);
    }
}

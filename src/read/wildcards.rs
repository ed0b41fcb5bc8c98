//! File names with `*`, `**`, `?` and `[…]`, for those that the shell has not expanded, and folders.

use super::dataset::files_in;
use super::error::{ErrorKind, InputError};
use super::format::Format;
use std::path::{Path, PathBuf};

/// The files of each name in turn: a name of a file is that file; one with `*`, `?` or `[…]` is all files that match it,
/// sorted by name. As in a shell, a pattern does not cross a `/`, but for `**`, which is any folders within each other, and only one
/// that begins with a point finds hidden files. A folder that is not itself a store of arrays is all files of data in it.
///
/// # Errors
/// A pattern that no file matches; a folder without files of data, or with those of several formats.
pub fn expand(files: &[String]) -> Result<Vec<String>, InputError> {
    let mut all = Vec::with_capacity(files.len());
    for file in files {
        if Path::new(file).is_dir() && Format::of_folder(Path::new(file)).is_none() {
            all.append(&mut files_in(file)?);
            continue;
        }
        if !file.contains(['*', '?', '[']) || Path::new(file).exists() {
            all.push(file.clone());
            continue;
        }
        let mut found = matches(file);
        if found.is_empty() && file.contains(['*', '?']) {
            let refused = InputError::refused(file, "", "no file matches");
            return Err(InputError { kind: ErrorKind::Usage, ..refused }
                .with_hint("* is any text, ** any folders, ? any character, [ab] or [0-9] one of these"));
        }
        if found.is_empty() {
            // Its name has a bracket: it is reported as missing.
            found.push(file.clone());
        }
        all.append(&mut found);
    }
    Ok(all)
}

/// The files that a pattern matches, sorted.
fn matches(pattern: &str) -> Vec<String> {
    let (root, parts) = match pattern.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", pattern),
    };
    let mut paths = vec![PathBuf::from(root)];
    let mut parts = parts.split('/').filter(|p| !p.is_empty()).peekable();
    while let Some(part) = parts.next() {
        let folder = parts.peek().is_some();
        if part == "**" && folder {
            let mut within = Vec::new();
            paths.iter().for_each(|path| folders_within(path, &['.'], DEEPEST, &mut within));
            paths = within;
            continue;
        }
        paths = paths.iter().flat_map(|path| children(path, part)).collect();
        if folder {
            paths.retain(|p| p.is_dir());
        }
    }
    let mut found: Vec<String> =
        paths.into_iter().filter_map(|p| p.into_os_string().into_string().ok()).collect();
    found.sort_unstable();
    // Folders within each other are found by each `**`.
    found.dedup();
    found
}

/// The most folders within each other.
pub(super) const DEEPEST: usize = 32;

/// A folder and those within it, without links and those whose names begin with a skipped sign.
pub(super) fn folders_within(folder: &Path, skipped: &[char], depth: usize, into: &mut Vec<PathBuf>) {
    into.push(folder.to_path_buf());
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in std::fs::read_dir(here).into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let name = entry.file_name();
        if is_folder && depth > 0 && !name.to_string_lossy().starts_with(skipped) {
            folders_within(&folder.join(name), skipped, depth - 1, into);
        }
    }
}

/// The entries of a folder whose names match one part of a pattern.
fn children(folder: &Path, part: &str) -> Vec<PathBuf> {
    if !part.contains(['*', '?', '[']) {
        let path = folder.join(part);
        return if path.exists() { vec![path] } else { Vec::new() };
    }
    let pattern = tokens(part);
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = std::fs::read_dir(here).into_iter().flatten().flatten();
    names
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| part.starts_with('.') || !name.starts_with('.'))
        .filter(|name| fits(&pattern, &name.chars().collect::<Vec<_>>()))
        .map(|name| folder.join(name))
        .collect()
}

/// Part of a pattern.
#[derive(Debug, PartialEq)]
enum Token {
    Text,
    Any,
    One(char),
    /// A character in one of these ranges, or in none of them.
    Set(bool, Vec<(char, char)>),
}

fn tokens(part: &str) -> Vec<Token> {
    let chars: Vec<char> = part.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            '*' => tokens.push(Token::Text),
            '?' => tokens.push(Token::Any),
            '[' => match set(&chars[at..]) {
                Some((set, length)) => {
                    tokens.push(set);
                    at += length;
                }
                None => tokens.push(Token::One('[')),
            },
            _ => tokens.push(Token::One(c)),
        }
    }
    tokens
}

/// The set that begins behind a `[`, and its length with the `]`; a `]` in the first place belongs to it.
fn set(chars: &[char]) -> Option<(Token, usize)> {
    let inverse = matches!(chars.first(), Some('!' | '^'));
    let first = usize::from(inverse);
    let end = first + 1 + chars.get(first + 1..)?.iter().position(|c| *c == ']')?;
    let (mut ranges, mut at) = (Vec::new(), first);
    while at < end {
        let is_range = at + 2 < end && chars[at + 1] == '-';
        let last = if is_range { at + 2 } else { at };
        ranges.push((chars[at], chars[last]));
        at = last + 1;
    }
    Some((Token::Set(inverse, ranges), end + 1))
}

/// Whether a name fits a pattern.
fn fits(pattern: &[Token], name: &[char]) -> bool {
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        let one = match pattern.get(p) {
            Some(Token::Text) => {
                star = Some((p, n));
                p += 1;
                continue;
            }
            Some(Token::Any) => true,
            Some(Token::One(c)) => *c == name[n],
            Some(Token::Set(inverse, ranges)) => {
                ranges.iter().any(|(a, b)| (*a..=*b).contains(&name[n])) != *inverse
            }
            None => false,
        };
        if one {
            (p, n) = (p + 1, n + 1);
        } else {
            // The last star takes one character more.
            let Some((at, taken)) = star else { return false };
            star = Some((at, taken + 1));
            (p, n) = (at + 1, taken + 1);
        }
    }
    pattern[p..].iter().all(|t| *t == Token::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_patterns_as_in_a_shell() {
        for (pattern, name, wanted) in [
            ("*.csv", "a.csv", true),
            ("*.csv", "a.csv.gz", false),
            ("s?.csv", "s1.csv", true),
            ("s?.csv", "s10.csv", false),
            ("s[0-3].csv", "s2.csv", true),
            ("s[0-3].csv", "s4.csv", false),
            ("s[!0-3].csv", "s4.csv", true),
            ("s[]x].csv", "s].csv", true),
            ("s[ab", "s[ab", true),
            ("s[a-]", "s-", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
        ] {
            let name: Vec<char> = name.chars().collect();
            assert_eq!(fits(&tokens(pattern), &name), wanted, "{pattern}");
        }
    }

    #[test]
    fn patterns_are_files_in_their_order() {
        let folder = std::env::temp_dir().join(format!("gridscope-wildcards-{}", std::process::id()));
        let inner = folder.join("b");
        std::fs::create_dir_all(&inner).unwrap();
        for name in ["2.csv", "10.csv", ".hidden.csv", "x*.csv", "b/1.csv"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let of = |names: &[&str]| {
            let at = |n: &&str| folder.join(n).to_str().unwrap().to_owned();
            let prefix = format!("{}/", folder.to_str().unwrap());
            let found = expand(&names.iter().map(at).collect::<Vec<_>>())?;
            Ok::<_, InputError>(found.iter().map(|f| f.replace(&prefix, "")).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(of(&["*.csv"]).unwrap(), "10.csv 2.csv x*.csv");
        assert_eq!(of(&["2.csv", "*/*.csv", ".h*"]).unwrap(), "2.csv b/1.csv .hidden.csv");
        assert_eq!(of(&["**/*.csv"]).unwrap(), "10.csv 2.csv b/1.csv x*.csv");
        assert_eq!(of(&["**/**/*.csv"]).unwrap(), "10.csv 2.csv b/1.csv x*.csv");
        assert_eq!(of(&["b"]).unwrap(), "b/1.csv");
        assert_eq!(of(&["x*.csv", "none[1].csv"]).unwrap(), "x*.csv none[1].csv");
        let e = of(&["*.tsv"]).unwrap_err();
        assert!(e.file.ends_with("*.tsv") && e.what == "no file matches", "{e}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

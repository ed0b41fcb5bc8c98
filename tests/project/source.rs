//! The text of the sources as the compiler sees it without tests: no comments, no strings, no items under `#[cfg(test)]`.

use std::fs;
use std::path::{Path, PathBuf};

/// One source file.
pub struct Source {
    pub path: PathBuf,
    /// Its module from the root: `["input", "csv"]`.
    pub module: Vec<String>,
    /// Its code, with blanks in place of what is left out, so that line numbers do not change.
    pub code: String,
    /// The whole file.
    pub text: String,
    /// The names of its modules of unit tests.
    tests: Vec<String>,
}

/// All files below a folder.
pub fn sources(root: &Path) -> Vec<Source> {
    let mut list = Vec::new();
    collect(root, &[], &mut list);
    list
}

/// The files that are neither modules of unit tests nor below one.
pub fn without_tests(list: Vec<Source>) -> Vec<Source> {
    let of = |s: &Source| {
        let under = |name: &String| [&s.module[..], std::slice::from_ref(name)].concat();
        s.tests.iter().map(under).collect::<Vec<_>>()
    };
    let tests: Vec<Vec<String>> = list.iter().flat_map(of).collect();
    list.into_iter()
        .filter(|s| !tests.iter().any(|t| s.module.starts_with(t)))
        .collect()
}

fn collect(folder: &Path, module: &[String], out: &mut Vec<Source>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut at = module.to_vec();
        if path.is_dir() {
            at.push(stem);
            collect(&path, &at, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            if !matches!(stem.as_str(), "mod" | "lib" | "main") {
                at.push(stem);
            }
            let text = fs::read_to_string(&path).unwrap();
            let (code, tests) = code(&text);
            out.push(Source {
                path,
                module: at,
                code,
                text,
                tests,
            });
        }
    }
}

/// The code of a text and the names of its modules of unit tests.
pub fn code(text: &str) -> (String, Vec<String>) {
    let mut code = plain(text);
    let mut tests = Vec::new();
    while let Some(start) = code.find("#[cfg(test").or_else(|| code.find("#[cfg(all(test")) {
        let end = item_end(&code, start);
        let item = code[start..end].to_owned();
        let name = item.split("mod ").nth(1).and_then(|m| m.split_once(';'));
        if let Some((name, "")) = name {
            tests.push(name.trim().to_owned());
        }
        code.replace_range(start..end, &blank(&item));
    }
    (code, tests)
}

fn blank(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { ' ' }).collect()
}

/// The end of the item whose attributes begin at `start`: its `;` or the end of its block.
fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    let uses = {
        let rest = after_attributes(&code[start..]);
        rest.strip_prefix("pub ").unwrap_or(rest).starts_with("use ")
    };
    for c in code[start..].chars() {
        at += c.len_utf8();
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' => depth -= 1,
            '}' => {
                depth -= 1;
                if depth == 0 && !uses {
                    return at;
                }
            }
            ';' if depth == 0 => return at,
            _ => {}
        }
    }
    at
}

fn after_attributes(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with("#[") {
        let mut depth = 0;
        let end = rest.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '[') - i32::from(*c == ']');
            *c == ']' && depth == 0
        });
        rest = rest[end.map_or(rest.len(), |(i, _)| i + 1)..].trim_start();
    }
    rest
}

/// A text with blanks in place of its comments, strings and characters.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let in_word = out
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || c == '_');
        let skipped = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |i| i + 2),
            '"' => string_end(rest),
            'r' if !in_word || out.ends_with('b') => raw_end(rest).unwrap_or(0),
            '\'' => character_end(rest),
            _ => 0,
        };
        if skipped == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            out += &blank(&rest[..skipped]);
            rest = &rest[skipped..];
        }
    }
    out
}

fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return i + 1,
            _ => {}
        }
    }
    text.len()
}

fn raw_end(text: &str) -> Option<usize> {
    let hashes = text[1..].chars().take_while(|c| *c == '#').count();
    let open = 1 + hashes;
    text[open..].starts_with('"').then(|| {
        let close = format!("\"{}", "#".repeat(hashes));
        let inner = &text[open + 1..];
        open + 1 + inner.find(&close).map_or(inner.len(), |i| i + close.len())
    })
}

/// The end of a character literal; 0 if the quote begins a lifetime.
fn character_end(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => text[3..].find('\'').map_or(text.len(), |i| i + 4),
        Some(_) => chars.next().filter(|(_, c)| *c == '\'').map_or(0, |(i, _)| i + 1),
        None => 0,
    }
}

#[test]
fn tests_comments_and_strings_are_left_out_and_nothing_else() {
    let text = "mod a; // crate::b\n#[cfg(test)]\nmod tests;\nmod c;\n#[cfg(test)]\n#[allow(x)]\nmod more {\n use super::*; }\n\
                fn f<'a>(x: &'a str) -> char { let s = \"crate::d \\\" {\"; let r = r#\"}\"}\"#; '}' }\n#[cfg(test)]\nuse x::{y};\nfn g() {}\n";
    let (code, tests) = code(text);
    assert_eq!(tests, ["tests"]);
    assert_eq!(code.lines().count(), text.lines().count());
    let words: Vec<&str> = code.split_whitespace().collect();
    assert_eq!(
        words.join(" "),
        "mod a; mod c; fn f<'a>(x: &'a str) -> char { let s = ; let r = ; } fn g() {}"
    );
}

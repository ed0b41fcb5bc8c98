//! Holds the import order: a file may import only files listed above it, and a few names only in their folders.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One source file: its module path ("input::csv") and its text without tests and comments.
struct Source {
    path: PathBuf,
    module: Vec<String>,
    text: String,
}

fn sources(dir: &Path, module: &[String], out: &mut Vec<Source>) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut at = module.to_vec();
        if path.is_dir() {
            at.push(stem);
            sources(&path, &at, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            if !matches!(stem.as_str(), "mod" | "lib" | "main") {
                at.push(stem);
            }
            let text = fs::read_to_string(&path).unwrap();
            out.push(Source {
                text: without_tests(&text),
                path,
                module: at,
            });
        }
    }
}

/// The text up to its unit tests, comment lines left out.
fn without_tests(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    code.lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The `mod` lines of a folder, in their order.
fn order(text: &str) -> Vec<String> {
    let name = |l: &str| {
        let l = l
            .trim()
            .trim_start_matches("pub(crate) ")
            .trim_start_matches("pub ");
        l.strip_prefix("mod ")
            .and_then(|m| m.strip_suffix(';'))
            .map(str::to_owned)
    };
    text.lines().filter_map(name).collect()
}

/// Every `crate::a::b` and `super::a` in the text, as module paths from the root.
fn imports(source: &Source) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    for (keyword, base) in [("crate::", Vec::new()), ("super::", source.module.clone())] {
        for (i, _) in source.text.match_indices(keyword) {
            let before = source.text[..i].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let mut base = base.clone();
            let mut rest = &source.text[i..];
            while let Some(r) = rest.strip_prefix("super::") {
                base.pop();
                rest = r;
            }
            rest = rest.strip_prefix("crate::").unwrap_or(rest);
            for first in heads(rest) {
                let mut path = base.clone();
                path.extend(first);
                out.push(path);
            }
        }
    }
    out
}

/// The leading lower-case segments of a path; of a `{…}` group, of each of its members.
fn heads(text: &str) -> Vec<Vec<String>> {
    if let Some(inner) = text.strip_prefix('{') {
        let end = inner.find('}').unwrap_or(inner.len());
        return inner[..end].split(',').flat_map(|m| heads(m.trim())).collect();
    }
    let path: String = text
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
        .collect();
    let segments = path.split("::").map(str::to_owned);
    vec![
        segments
            .take_while(|s| s.chars().next().is_some_and(char::is_lowercase))
            .collect(),
    ]
}

fn all() -> (Vec<Source>, HashMap<Vec<String>, Vec<String>>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut list = Vec::new();
    sources(&root, &[], &mut list);
    let orders = list
        .iter()
        .filter(|s| s.path.file_name().is_some_and(|f| f == "mod.rs" || f == "lib.rs"))
        .map(|s| (s.module.clone(), order(&fs::read_to_string(&s.path).unwrap())))
        .collect();
    (list, orders)
}

#[test]
fn a_file_imports_only_files_listed_above_it() {
    let (list, orders) = all();
    let mut wrong = Vec::new();
    for s in &list {
        if s.module.is_empty() {
            continue;
        }
        for target in imports(s) {
            // The folder in which the two paths part decides.
            let common = s.module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            let (Some(own), Some(other)) = (s.module.get(common), target.get(common)) else {
                continue;
            };
            let Some(order) = orders.get(&s.module[..common]) else {
                continue;
            };
            let (Some(a), Some(b)) = (
                order.iter().position(|m| m == own),
                order.iter().position(|m| m == other),
            ) else {
                continue;
            };
            if b > a {
                wrong.push(format!("{} imports {}", s.module.join("::"), target.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_order_of_the_stages_is_the_designs() {
    let (_, orders) = all();
    let stages = [
        "geom", "color", "image", "timing", "lint", "figure", "output", "text", "grid", "input", "view",
        "scale", "resolve", "layout", "scene", "png", "raster", "svg", "pdf", "gpu", "error", "report",
        "render", "cli",
    ];
    let found: Vec<&String> = orders[&Vec::<String>::new()]
        .iter()
        .filter(|m| stages.contains(&m.as_str()))
        .collect();
    let wanted: Vec<&str> = stages
        .into_iter()
        .filter(|m| found.iter().any(|f| f == m))
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn names_stay_in_their_folders() {
    let (list, _) = all();
    let files: &[&str] = &["input", "output", "cli", "app"];
    // A thread that the system does not start must not end the program: `workers` goes on with fewer.
    let threads: [(&str, &[&str]); 3] = [("thread::spawn", &[]), ("s.spawn", &[]), ("scope.spawn", &[])];
    let rules: [(&str, &[&str]); 5] = [
        ("wgpu", &["gpu", "app"]),
        ("winit", &["app"]),
        ("File::open", files),
        ("fs::read(", files),
        ("fs::read_to_string", files),
    ];
    let mut wrong = Vec::new();
    for s in list.iter().filter(|s| !s.module.is_empty()) {
        for (name, folders) in rules.into_iter().chain(threads) {
            let found = s.text.match_indices(name).any(|(i, _)| {
                !s.text[..i]
                    .chars()
                    .next_back()
                    .is_some_and(|c| c.is_alphanumeric() || c == '_')
            });
            if found && !folders.contains(&s.module[0].as_str()) {
                wrong.push(format!("{} names {name}", s.module.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_say_what_they_are_and_stay_small() {
    let (list, _) = all();
    let mut wrong = Vec::new();
    for s in &list {
        let text = fs::read_to_string(&s.path).unwrap();
        let lines = text.lines().count();
        if !text.starts_with("//!") {
            wrong.push(format!("{} does not begin with a //! line", s.path.display()));
        }
        if lines > 500 {
            wrong.push(format!("{} has {lines} lines", s.path.display()));
        }
        let name = s.module.last().map_or("", String::as_str);
        if ["util", "utils", "common", "helpers", "types"].contains(&name) {
            wrong.push(format!("{} says nothing by its name", s.path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Checks the order of imports: a file imports only what is defined in files listed above it, and a few names only in their
//! folders. Every line is checked; an import through a re-export counts as one of the file that defines the item.

use super::imports::Modules;
use super::source::{Source, sources, without_tests};
use std::path::Path;

/// The most lines of a file.
const MOST_LINES: usize = 400;

fn files() -> Vec<Source> {
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

fn code() -> Vec<Source> {
    without_tests(files())
}

fn common(a: &[String], b: &[String]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

#[test]
fn a_file_imports_only_files_listed_above_it() {
    let modules = Modules::of(&code());
    let mut wrong = Vec::new();
    for (at, target) in modules.imports() {
        // The order is that of the deepest common folder.
        let shared = common(at, &target.module);
        let (Some(own), Some(other)) = (at.get(shared), target.module.get(shared)) else {
            continue;
        };
        let order = modules.children(&at[..shared]);
        let place = |name: &String| order.iter().position(|m| m == name);
        let (at, to) = (at.join("::"), target.module.join("::"));
        match (place(own), place(other)) {
            (Some(a), Some(b)) if b <= a => {}
            (Some(_), Some(_)) => wrong.push(format!("{at} imports {to}, which is listed below it")),
            _ => wrong.push(format!("{at} imports {to}: no mod line of them was found")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Fails if no imports are found at all, which would pass otherwise.
    assert!(modules.imports().len() > 1000);
}

/// A function of a folder's `mod.rs` that a file in the folder calls could call the file back. Types of `mod.rs` may be used by
/// the files in the folder: they are its vocabulary.
#[test]
fn a_file_calls_no_function_of_the_folders_own_file() {
    let modules = Modules::of(&code());
    let mut wrong = Vec::new();
    for (at, target) in modules.imports() {
        let above = at.len() > target.module.len() && at.starts_with(&target.module);
        if above && modules.is_function(&target) {
            let name = target.name.as_deref().unwrap_or_default();
            let (at, to) = (at.join("::"), format!("{}::{name}", target.module.join("::")));
            wrong.push(format!("{at} calls {to}: move the function to a file above it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_order_of_the_stages_is_the_designs() {
    let modules = Modules::of(&code());
    let stages = [
        "geom", "text", "notation", "color", "image", "timing", "lint", "output", "grid", "view", "scale",
        "figure", "input", "resolve", "layout", "scene", "png", "raster", "svg", "pdf", "gpu", "error",
        "report", "render", "cli",
    ];
    let found: Vec<&String> = modules
        .children(&[])
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
    let files: &[&str] = &["input", "output", "cli", "app"];
    // The program must go on if the system does not start a thread, as `workers` does.
    let threads: [(&str, &[&str]); 3] = [("thread::spawn", &[]), ("s.spawn", &[]), ("scope.spawn", &[])];
    let rules: [(&str, &[&str]); 5] = [
        ("wgpu", &["gpu", "app"]),
        ("winit", &["app"]),
        ("File::open", files),
        ("fs::read(", files),
        ("fs::read_to_string", files),
    ];
    let mut wrong = Vec::new();
    for s in code().iter().filter(|s| !s.module.is_empty()) {
        for (name, folders) in rules.into_iter().chain(threads) {
            let found = s.code.match_indices(name).any(|(i, _)| {
                !s.code[..i]
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for s in files() {
        let path = s
            .path
            .strip_prefix(&root)
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        let lines = s.text.lines().count();
        if !s.text.starts_with("//!") {
            wrong.push(format!("{path} does not begin with a //! line"));
        }
        if lines > MOST_LINES {
            wrong.push(format!("{path} has {lines} lines, more than {MOST_LINES}"));
        }
        let name = s.module.last().map_or("", String::as_str);
        if ["util", "utils", "common", "helpers", "types", "misc"].contains(&name) {
            wrong.push(format!("{path} says nothing by its name"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! The tables of keys and of script commands in the book equal those of the program.
//!
//! `GRIDSCOPE_WRITE_TABLES=1 cargo test` writes them instead of comparing.
#![cfg(feature = "window")]

use gridscope_window::{WORDS, keys, parse};
use std::path::Path;

/// Compares the lines between `<!-- NAME -->` and `<!-- end of NAME -->` of a chapter with those that are expected.
fn holds(chapter: &str, name: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src").join(chapter);
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(&format!("<!-- {name} -->\n")).expect(name);
    let (found, after) = rest.split_once(&format!("<!-- end of {name} -->\n")).expect(name);
    if std::env::var_os("GRIDSCOPE_WRITE_TABLES").is_some() {
        let new = format!("{before}<!-- {name} -->\n{wanted}<!-- end of {name} -->\n{after}");
        std::fs::write(&path, new).unwrap();
        return;
    }
    assert!(
        found == wanted,
        "the {name} in docs/src/{chapter} differ; GRIDSCOPE_WRITE_TABLES=1 writes these:\n\n{wanted}"
    );
}

/// Code in a cell of a table, in which bars are escaped.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// Tables of keys, each with the line of a script that does the same, if it is one without values.
fn key_tables() -> String {
    let (mut out, mut group) = (String::new(), "");
    for row in keys() {
        if row.group != group {
            group = row.group;
            out +=
                &format!("\n## {group}\n\n| key or gesture | what it does | line |\n| --- | --- | --- |\n");
        }
        let keys: Vec<String> = row.keys.iter().map(|k| code(k)).collect();
        let place = row.place.map_or(String::new(), |p| format!(" {p}"));
        let line = row.line.filter(|line| WORDS.iter().any(|w| w.0 == line));
        let line = line.map_or(String::new(), |l| code(&l));
        out += &format!("| {}{place} | {} | {line} |\n", keys.join(", "), row.text);
    }
    out + "\n"
}

/// A table of the lines that are not beside a key.
fn line_table() -> String {
    let bound: Vec<String> = keys().into_iter().filter_map(|row| row.line).collect();
    let mut out = "\n| line | what it does |\n| --- | --- |\n".to_owned();
    for (usage, text) in WORDS.iter().filter(|w| bound.iter().all(|b| b != w.0)) {
        out += &format!("| {} | {text} |\n", code(usage));
    }
    out + "\n"
}

#[test]
fn the_book_lists_all_keys_and_lines_of_scripts() {
    // One after the other, because both may be written into the same file.
    holds("controls.md", "keys", &key_tables());
    holds("controls.md", "words", &line_table());
}

#[test]
fn the_lines_of_the_book_can_be_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/controls.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks: Vec<&str> = text.split("```text\n").skip(1).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let lines = block.split("```").next().unwrap();
        let read = parse(lines).unwrap();
        assert_eq!(read.len(), lines.lines().filter(|l| !l.is_empty()).count());
    }
}

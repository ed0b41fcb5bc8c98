//! The tables of keys and of script commands in the book equal those of the program.
//!
//! `GRIDSCOPE_WRITE_TABLES=1 cargo test` writes them instead of comparing.
#![cfg(feature = "window")]

use gridscope::window::{TYPED, WORDS, keys, parse};
use std::path::Path;

/// Compares the lines between `<!-- NAME -->` and `<!-- end of NAME -->` of a chapter with those that are expected.
fn holds(chapter: &str, name: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/src")
        .join(chapter);
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

#[test]
fn the_book_lists_all_keys() {
    let (mut out, mut group) = (String::new(), "");
    for row in keys() {
        if row.group != group {
            group = row.group;
            out += &format!("\n## {group}\n\n| key or gesture | what it does |\n| --- | --- |\n");
        }
        let keys: Vec<String> = row.keys.iter().map(|k| code(k)).collect();
        let place = row.place.map_or(String::new(), |p| format!(" {p}"));
        out += &format!("| {}{place} | {} |\n", keys.join(", "), row.text);
    }
    holds("controls.md", "keys", &(out + "\n"));
}

/// A table of lines of scripts.
fn table(words: &[(&str, &str)]) -> String {
    let lines = words
        .iter()
        .map(|(usage, text)| format!("| {} | {text} |\n", code(usage)));
    format!(
        "\n| line | what it does |\n| --- | --- |\n{}\n",
        lines.collect::<String>()
    )
}

#[test]
fn the_book_lists_all_script_commands() {
    holds("scripts.md", "words", &table(WORDS));
}

#[test]
fn the_book_lists_what_is_typed_in_the_prompt() {
    holds("prompt.md", "typed words", &table(TYPED));
}

#[test]
fn the_lines_of_the_book_can_be_read() {
    for chapter in ["prompt.md", "scripts.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("docs/src")
            .join(chapter);
        let text = std::fs::read_to_string(path).unwrap();
        let blocks: Vec<&str> = text.split("```text\n").skip(1).collect();
        assert!(!blocks.is_empty(), "{chapter}");
        for block in blocks {
            let lines = block.split("```").next().unwrap();
            let read = parse(lines).unwrap_or_else(|e| panic!("{chapter}: {e}"));
            assert_eq!(read.len(), lines.lines().filter(|l| !l.is_empty()).count());
        }
    }
}

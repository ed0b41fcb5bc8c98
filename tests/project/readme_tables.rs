//! The README's tables of keys and of scripts are those of the program.
#![cfg(feature = "window")]

use gridscope::app::{WORDS, keys};

const README: &str = include_str!("../../README.md");

/// The README's lines between `<!-- NAME -->` and `<!-- end of NAME -->`.
fn section(name: &str) -> &'static str {
    let after = README.split_once(&format!("<!-- {name} -->\n")).expect(name).1;
    after
        .split_once(&format!("<!-- end of {name} -->\n"))
        .expect(name)
        .0
}

fn holds(name: &str, wanted: &str) {
    assert!(
        section(name) == wanted,
        "the README's {name} differ; they are:\n\n{wanted}"
    );
}

/// Code in a cell of a table, where a bar ends the cell unless it is escaped.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

#[test]
fn the_readme_lists_all_keys() {
    let (mut out, mut group) = (String::new(), "");
    for row in keys() {
        if row.group != group {
            group = row.group;
            out += &format!("\n#### {group}\n\n| key or gesture | what it does |\n| --- | --- |\n");
        }
        let keys: Vec<String> = row.keys.iter().map(|k| code(k)).collect();
        let place = row.place.map_or(String::new(), |p| format!(" {p}"));
        out += &format!("| {}{place} | {} |\n", keys.join(", "), row.text);
    }
    holds("keys", &(out + "\n"));
}

#[test]
fn the_readme_lists_all_words_of_scripts() {
    let lines: String = WORDS
        .iter()
        .map(|(usage, text)| format!("| {} | {text} |\n", code(usage)))
        .collect();
    holds(
        "words",
        &format!("\n| line | what it does |\n| --- | --- |\n{lines}\n"),
    );
}

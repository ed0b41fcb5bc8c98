//! The chapter "Twelve questions": each command of it runs on the tables of `examples/questions`, and draws the picture or prints
//! the text that the chapter shows. `GRIDSCOPE_WRITE_PICTURES=1` writes the pictures.

use crate::support::program::{Ran, bare, ended};
use std::path::{Path, PathBuf};
use std::process::Stdio;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder() -> PathBuf {
    root().join("examples/questions")
}

/// The words of a shell line; blanks between single quotes do not separate words.
fn words(line: &str) -> Vec<String> {
    let (mut out, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => out.push(String::new()),
            _ => out.last_mut().unwrap().push(c),
        }
    }
    out.retain(|w| !w.is_empty());
    out
}

/// The blocks of code of a text: each its language and lines.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut out: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        match (line.strip_prefix("```"), is_open) {
            (Some(language), false) => out.push((language, Vec::new())),
            (None, true) => out.last_mut().unwrap().1.push(line),
            _ => {}
        }
        is_open ^= line.starts_with("```");
    }
    out
}

/// Runs a command of the chapter, a picture at the resolution of the chapter's.
fn run(line: &str, out: Option<&Path>) -> Ran {
    let joined = line.replace("\\\n", " ");
    let words = words(joined.strip_prefix("gridscope ").expect("a command of gridscope"));
    let mut command = bare();
    command.current_dir(folder()).stdin(Stdio::null());
    match out {
        Some(out) => {
            let at = words.iter().position(|w| w == "-o").expect("a picture's name");
            command.args(&words[..at]);
            command.args(["--dpi", "100", "--backend", "cpu", "--no-metadata", "-o"]).arg(out);
        }
        None => {
            command.args(&words);
        }
    }
    ended(&mut command)
}

#[test]
fn twelve_questions_are_answered_by_one_command_each() {
    let chapter = std::fs::read_to_string(root().join("docs/src/questions.md")).unwrap();
    let blocks = blocks(&chapter);
    let (mut answers, mut differ) = (0, Vec::new());
    for (i, (language, lines)) in blocks.iter().enumerate().filter(|(_, b)| b.0 == "sh") {
        assert_eq!(*language, "sh");
        let line = lines.join("\n");
        let Some(name) = line.rsplit(' ').next().and_then(|w| w.strip_suffix(".png")) else {
            let ran = run(&line, None);
            assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
            let (kind, shown) = &blocks[i + 1];
            assert_eq!((*kind, ran.text().trim_end()), ("text", shown.join("\n").trim_end()), "{line}");
            answers += 1;
            continue;
        };
        let shown = folder().join(format!("{name}.png"));
        assert!(chapter.contains(&format!("/examples/questions/{name}.png)")), "{name} is not shown");
        let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("question_{name}.png"));
        let ran = run(&line, Some(&drawn));
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
        if std::env::var_os("GRIDSCOPE_WRITE_PICTURES").is_some() {
            std::fs::copy(&drawn, &shown).unwrap();
        }
        if std::fs::read(&drawn).ok() != std::fs::read(&shown).ok() {
            differ.push(name.to_owned());
        }
        answers += 1;
    }
    assert!(answers >= 12, "{answers} answers");
    assert!(
        differ.is_empty(),
        "the program draws other pictures of {differ:?}; GRIDSCOPE_WRITE_PICTURES=1 writes them"
    );
}

//! Checks the files of the source: each says what it is for, and is a room.

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const MOST_LINES: usize = 800;

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn files_say_what_they_are_and_stay_small() {
    let (mut files, mut wrong) = (Vec::new(), Vec::new());
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 100);
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().count();
        if !text.starts_with("//!") {
            wrong.push(format!("{} does not begin with a //! line", path.display()));
        }
        if lines > MOST_LINES {
            wrong.push(format!("{} has {lines} lines, more than {MOST_LINES}", path.display()));
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        if ["util", "utils", "common", "helpers", "types", "misc"].contains(&name) {
            wrong.push(format!("{} says nothing by its name", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

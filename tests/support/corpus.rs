//! The outside files in the folder that `GRIDSCOPE_CORPUS` names.

use std::path::{Path, PathBuf};

/// Their folder, where there is one.
pub fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("GRIDSCOPE_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        println!("no corpus");
    }
    folder
}

/// All files below a folder, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

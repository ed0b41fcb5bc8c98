//! Other people's files, in the folder that `GRIDSCOPE_CORPUS` names. Tests that are about nothing else are ignored unless
//! they are asked for: `cargo test -- --include-ignored`.

use std::path::{Path, PathBuf};

/// Their folder, where there is one.
pub fn optional() -> Option<PathBuf> {
    std::env::var_os("GRIDSCOPE_CORPUS").map(PathBuf::from)
}

/// Their folder.
///
/// # Panics
/// Where the variable is not set: a test that needs the files does not pass without them.
pub fn corpus() -> PathBuf {
    optional().expect("GRIDSCOPE_CORPUS names the folder of the files")
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

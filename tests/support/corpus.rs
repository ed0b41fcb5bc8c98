//! Files of other programs, in the folder that `GRIDSCOPE_CORPUS` names. Tests of these files alone are ignored unless
//! requested by `cargo test -- --include-ignored`.

use std::path::{Path, PathBuf};

/// The folder, if there is one.
pub fn optional() -> Option<PathBuf> {
    std::env::var_os("GRIDSCOPE_CORPUS").map(PathBuf::from)
}

/// The folder.
///
/// # Panics
/// When the variable is not set, because a test of these files must not pass without them.
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

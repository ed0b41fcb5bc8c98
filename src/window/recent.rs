//! The files that were opened last, remembered in a file of their own.

use gridscope_core::output::Output;
use std::path::{Path, PathBuf};

/// The most files.
const MOST: usize = 20;
/// The most bytes that are read of the list.
const MOST_BYTES: usize = 1 << 20;

/// The files that were opened last. Without a place to remember them, or if it cannot be read or written, they are
/// those of this run: no figure may fail for it.
#[derive(Debug, Default)]
pub(super) struct Recent {
    list: Option<PathBuf>,
    files: Vec<String>,
}

impl Recent {
    /// Those of earlier runs.
    pub(super) fn load() -> Self {
        Self::of(place(|name| std::env::var_os(name).map(PathBuf::from)))
    }

    fn of(list: Option<PathBuf>) -> Self {
        let mut recent = Self { list, files: Vec::new() };
        recent.files = recent.stored();
        recent
    }

    /// The list as it is stored now.
    fn stored(&self) -> Vec<String> {
        let text = self.list.as_ref().and_then(|list| std::fs::read(list).ok());
        let text = text.filter(|t| t.len() <= MOST_BYTES).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().filter(|l| !l.is_empty());
        lines.take(MOST).map(str::to_owned).collect()
    }

    /// The files that are there, the last one first.
    pub(super) fn files(&self) -> Vec<String> {
        self.files.iter().filter(|file| Path::new(file).exists()).cloned().collect()
    }

    /// Puts a file first. Standard input, and a name that is not a line of text, are not remembered.
    pub(super) fn add(&mut self, file: &str) {
        // A file has one name, however it was given.
        let Ok(path) = std::fs::canonicalize(file) else {
            return;
        };
        let Some(path) = path.to_str().filter(|p| file != "-" && !p.contains(['\n', '\r'])) else {
            return;
        };
        // Another window may have opened files since.
        let stored = self.stored();
        if !stored.is_empty() {
            self.files = stored;
        }
        self.files.retain(|f| f != path);
        self.files.insert(0, path.to_owned());
        self.files.truncate(MOST);
        if let Some(list) = &self.list {
            let folder = list.parent().unwrap_or(Path::new("."));
            let text = self.files.join("\n") + "\n";
            let written = std::fs::create_dir_all(folder)
                .and_then(|()| Output::open(list))
                .and_then(|output| output.put(text.as_bytes()));
            if written.is_err() {
                self.list = None;
            }
        }
    }
}

/// Where the list is on this system, by the variables of its environment.
fn place(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).filter(|p| p.is_absolute());
    let folder = if cfg!(windows) {
        absolute("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        absolute("HOME")?.join("Library/Application Support")
    } else {
        absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?
    };
    Some(folder.join("gridscope").join("recent"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of a folder, by their names.
    fn files(folder: &Path, names: impl Iterator<Item = usize>) -> Vec<String> {
        let made = |i: usize| {
            let path = folder.canonicalize().unwrap().join(format!("{i}.npy"));
            std::fs::write(&path, "").unwrap();
            path.to_str().unwrap().to_owned()
        };
        names.map(made).collect()
    }

    #[test]
    fn the_last_files_come_first_and_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let made = files(folder.path(), 0..30);
        let list = folder.path().join("state/gridscope/recent");
        let mut recent = Recent::of(Some(list.clone()));
        assert!(recent.files().is_empty());
        made.iter().for_each(|file| recent.add(file));
        recent.add(&made[25]);
        recent.add("-");
        recent.add("/nowhere/a.npy");
        let again = Recent::of(Some(list));
        assert_eq!(
            (again.files().len(), &again.files()[..2]),
            (20, &[made[25].clone(), made[29].clone()][..])
        );
        assert_eq!(again.files(), recent.files());
        // The same file by another name.
        recent.add(&format!(
            "{}/./../{}/29.npy",
            folder.path().display(),
            folder.path().file_name().unwrap().to_str().unwrap()
        ));
        assert_eq!((recent.files().len(), &recent.files()[0]), (20, &made[29]));
        std::fs::remove_file(&made[29]).unwrap();
        assert_eq!((recent.files().len(), &recent.files()[0]), (19, &made[25]), "one is gone");
    }

    #[test]
    fn a_list_that_cannot_be_written_or_read_is_that_of_this_run() {
        let folder = tempfile::tempdir().unwrap();
        let made = files(folder.path(), 0..2);
        std::fs::write(folder.path().join("file"), [0xff, b'\n', b'a', b'\n']).unwrap();
        let mut recent = Recent::of(Some(folder.path().join("file/recent")));
        made.iter().for_each(|file| recent.add(file));
        assert_eq!(recent.files(), [made[1].clone(), made[0].clone()]);
        assert_eq!(Recent::of(Some(folder.path().join("file"))).stored().len(), 2);
        assert!(Recent::of(None).files().is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_list_is_where_the_system_keeps_states() {
        let of = |state: &str, home: &str| {
            place(|name| match name {
                "XDG_STATE_HOME" if !state.is_empty() => Some(PathBuf::from(state)),
                "HOME" if !home.is_empty() => Some(PathBuf::from(home)),
                _ => None,
            })
        };
        let path = |p: &str| Some(PathBuf::from(p));
        assert_eq!(of("/state", "/home/u"), path("/state/gridscope/recent"));
        assert_eq!(of("", "/home/u"), path("/home/u/.local/state/gridscope/recent"));
        assert_eq!(of("relative", "/home/u"), path("/home/u/.local/state/gridscope/recent"));
        assert_eq!(of("", ""), None);
    }
}

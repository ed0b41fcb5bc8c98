//! Files that a window is to show, and the flags that they are read with.

use crate::state::Command;
use gridscope_core::text::clean;
use std::fmt;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// What a window is to show in place of its figure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileRequest {
    /// Its files; empty for those that the program was started with.
    pub files: Vec<String>,
    /// Flags as they follow the files on a command line: those of each line of the prompt. A later one takes the place of an earlier
    /// one.
    pub flags: Vec<Vec<String>>,
}

impl FileRequest {
    /// These files, with flags.
    pub fn new(files: Vec<String>, flags: Vec<String>) -> Self {
        Self { files, flags: vec![flags] }
    }

    /// The same files with further flags.
    pub(crate) fn with(&self, flags: Vec<String>) -> Self {
        Self { files: self.files.clone(), flags: self.flags.iter().cloned().chain([flags]).collect() }
    }

    /// The flags that it has beyond another request for the same files.
    pub(crate) fn further(&self, other: &Self) -> Option<Vec<String>> {
        let more = self.flags.strip_prefix(other.flags.as_slice()).filter(|more| !more.is_empty())?;
        (self.files == other.files).then(|| more.concat())
    }

    /// The line of the prompt that asks for the same with further flags, as a shell has them; none for several files.
    pub(crate) fn line(&self, flags: &str) -> Option<String> {
        let last = self.flags.last().cloned().unwrap_or_default();
        let command = match &self.files[..] {
            [file] if self.flags.len() == 1 => Command::Open { file: file.clone(), flags: last },
            [_, _, ..] if self.flags.len() == 1 => return None,
            _ => Command::Read(last),
        };
        Some(format!("{command} {flags}"))
    }

    /// The same, where `~` in the names of files is the home folder.
    pub(crate) fn at_home(self, home: Option<&Path>) -> Self {
        let texts = |texts: Vec<String>| texts.into_iter().map(|text| at_home(text, home)).collect();
        Self { files: texts(self.files), flags: self.flags.into_iter().map(texts).collect() }
    }
}

/// The name of the first file, and how many follow.
impl fmt::Display for FileRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.files.first().map_or("", String::as_str);
        let path = Path::new(first);
        f.write_str(&clean(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()))?;
        match self.files.len() {
            0 | 1 => Ok(()),
            n => write!(f, " and {} more", n - 1),
        }
    }
}

/// A path whose `~` is the home folder.
pub(crate) fn at_home(file: String, home: Option<&Path>) -> String {
    let inside =
        file.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', MAIN_SEPARATOR]));
    let Some((rest, home)) = inside.zip(home) else { return file };
    let path: PathBuf = home.join(rest.trim_start_matches(['/', MAIN_SEPARATOR]));
    path.to_str().map_or(file.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_the_home_folder() {
        let at = |file: &str| at_home(file.to_owned(), Some(Path::new("/home/me")));
        assert_eq!(
            ["~/runs/a.csv", "~", "~me/a.csv", "runs/~/a.csv", "/a.csv"].map(at),
            ["/home/me/runs/a.csv", "/home/me/", "~me/a.csv", "runs/~/a.csv", "/a.csv"]
        );
        assert_eq!(at_home("~/a.csv".to_owned(), None), "~/a.csv");
    }

    #[test]
    fn flags_follow_those_before() {
        let texts = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let first = FileRequest::new(texts(&["runs/a.csv", "b.csv"]), texts(&["--x", "lr"]));
        let next = first.with(texts(&["--against", "~/c.csv"])).at_home(Some(Path::new("/me")));
        let again = first.with(texts(&["--cmap", "magma"])).with(Vec::new());
        assert_eq!(again.further(&first), Some(texts(&["--cmap", "magma"])));
        assert_eq!([first.further(&first), first.further(&again)], [None, None]);
        let other = FileRequest { files: texts(&["c.csv"]), ..again };
        assert_eq!(other.further(&first), None);
        assert_eq!(next.flags, [["--x", "lr"], ["--against", "/me/c.csv"]]);
        let again = first.with(texts(&["--x", "no"])).line("--x a");
        assert_eq!((first.line("--x a"), again), (None, Some("read --x no --x a".to_owned())));
        let one = FileRequest::new(texts(&["a b.csv"]), texts(&["--x", "no"]));
        assert_eq!(one.line("--x a"), Some("open a b.csv --x no --x a".to_owned()));
        assert_eq!([next.to_string(), FileRequest::default().to_string()], ["a.csv and 1 more", ""]);
    }
}

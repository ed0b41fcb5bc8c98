//! A folder of its own for one test, and the program inside it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Four cells.
pub const MATRIX: (&str, &str) = ("m.csv", "0,1\n2,3\n");
/// Two by two keys, one missing, one twice: drawn with two warnings.
pub const TIDY: (&str, &str) = ("t.csv", "x,y,v\n1,1,5.5\n2,1,6\n1,2,7\n1,2,9\n");

pub struct Place(TempDir);

/// How a run ended.
pub struct Ran {
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

/// The program in a folder, silent and without input.
pub fn program<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridscope"));
    command
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Runs to the end: no panic, and one line of error exactly where the run failed.
pub fn ended(command: &mut Command) -> Ran {
    let o = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let (code, err) = (o.status.code(), String::from_utf8_lossy(&o.stderr).into_owned());
    assert!(
        !err.contains("panicked") && !err.contains("internal error"),
        "{err}"
    );
    // Drivers have lines of their own, but not for these commands.
    let errors = err.lines().filter(|l| l.starts_with("error:")).count();
    assert_eq!(
        errors,
        usize::from(!matches!(code, Some(0 | 6))),
        "{code:?} {err}"
    );
    Ran {
        code,
        out: o.stdout,
        err,
    }
}

/// The names in a folder, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

impl Place {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        files
            .iter()
            .for_each(|(name, text)| std::fs::write(place.path(name), text).unwrap());
        place
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        program(self.folder(), args)
    }

    /// Runs to the end, which must be `code`.
    pub fn ends<S: AsRef<OsStr>>(&self, code: i32, args: &[S]) -> Ran {
        let ran = ended(&mut self.command(args));
        let args: Vec<_> = args.iter().map(|a| a.as_ref().to_string_lossy()).collect();
        assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.err);
        ran
    }

    /// As [`Place::ends`], a line split at spaces.
    pub fn line(&self, code: i32, line: &str) -> Ran {
        self.ends(code, &line.split(' ').collect::<Vec<_>>())
    }

    pub fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        names(self.folder())
    }
}

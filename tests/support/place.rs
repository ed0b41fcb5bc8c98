//! A temporary folder for a test, and the program inside it.

use super::program::{Ran, Words, ended, program};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A table of four cells.
pub const MATRIX: (&str, &str) = ("m.csv", "0,1\n2,3\n");

/// A folder that is removed at the end of the test.
pub struct Place(TempDir);

impl Place {
    /// An empty folder.
    pub fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with files.
    pub fn new<B: AsRef<[u8]>>(files: &[(&str, B)]) -> Self {
        let place = Self::empty();
        for (name, bytes) in files {
            place.write(name, bytes);
        }
        place
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and creates its folders.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
        self
    }

    pub fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Reads a JSON file.
    pub fn json(&self, name: impl AsRef<Path>) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    /// The names in the folder, in order.
    pub fn names(&self) -> Vec<String> {
        names(self.folder())
    }

    /// The program, ready to run here.
    pub fn command(&self, args: &(impl Words + ?Sized)) -> Command {
        program(self.folder(), args)
    }

    /// Runs the program. It must not panic, and must print a line of error if and only if it failed.
    pub fn run(&self, args: &(impl Words + ?Sized)) -> Ran {
        ended(&mut self.command(args))
    }

    /// Runs the program, which must end with exit code `code`.
    pub fn ends(&self, code: i32, args: &(impl Words + ?Sized)) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(code), "{:?}: {}", args.words(), ran.err);
        ran
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

//! A folder of its own for one test, and the program inside it.

use super::program::{Ran, Words, ended, program};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Four cells.
pub const MATRIX: (&str, &str) = ("m.csv", "0,1\n2,3\n");

/// A folder that goes with the test.
pub struct Place(TempDir);

impl Place {
    /// A folder without anything in it.
    pub fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder of files.
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

    /// Writes a file, and makes the folders above it.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
        self
    }

    pub fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// A file of JSON.
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

    /// Runs to the end, however that is; no panic, and one line of error exactly where the run failed.
    pub fn run(&self, args: &(impl Words + ?Sized)) -> Ran {
        ended(&mut self.command(args))
    }

    /// Runs to the end, which must be `code`.
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

//! The program as a child process, and the end of its run.

use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Arguments of the program: a list, or a line that is split at spaces.
pub trait Words {
    fn words(&self) -> Vec<OsString>;
}

impl Words for str {
    fn words(&self) -> Vec<OsString> {
        self.split(' ').filter(|w| !w.is_empty()).map(OsString::from).collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<OsString> {
        self.as_str().words()
    }
}

impl<S: AsRef<OsStr>> Words for [S] {
    fn words(&self) -> Vec<OsString> {
        self.iter().map(|w| w.as_ref().to_owned()).collect()
    }
}

impl<S: AsRef<OsStr>, const N: usize> Words for [S; N] {
    fn words(&self) -> Vec<OsString> {
        self[..].words()
    }
}

impl<S: AsRef<OsStr>> Words for Vec<S> {
    fn words(&self) -> Vec<OsString> {
        self[..].words()
    }
}

impl<W: Words + ?Sized> Words for &W {
    fn words(&self) -> Vec<OsString> {
        (**self).words()
    }
}

/// The program in a folder, with captured output, without input and without a display.
pub fn program(folder: &Path, args: &(impl Words + ?Sized)) -> Command {
    let mut command = bare();
    command
        .args(args.words())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The program without a display.
pub fn bare() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridscope"));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    // What a run stores for the next one stays out of the user's folders.
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // Drivers print errors without one.
        command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    }
    command
}

/// The end of a run.
pub struct Ran {
    /// The exit code; `None` if a signal ended the run.
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

impl Ran {
    /// Checks that a run did not panic, and printed a line of error if and only if it failed.
    pub fn of(output: Output) -> Self {
        let code = output.status.code();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!err.contains("panicked") && !err.contains("internal error"), "{err}");
        // Drivers print such lines too unless XDG_RUNTIME_DIR is set, as `bare` does.
        let errors = err.lines().filter(|l| l.starts_with("error:")).count();
        assert_eq!(errors, usize::from(!matches!(code, Some(0 | 6))), "{code:?} {err}");
        Self { code, out: output.stdout, err }
    }

    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    /// Exit code, standard output and errors.
    pub fn parts(self) -> (Option<i32>, String, String) {
        (self.code, self.text(), self.err)
    }

    /// Standard output as JSON.
    ///
    /// # Panics
    /// When the run did not end with 0.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{}", self.err);
        serde_json::from_slice(&self.out).unwrap()
    }
}

/// Runs a command. It must not panic, and must print a line of error if and only if it failed.
pub fn ended(command: &mut Command) -> Ran {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Ran::of(command.output().unwrap())
}

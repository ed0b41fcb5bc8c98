//! A folder of its own for each run, which holds the picture afterwards or nothing at all.

use super::child::{Ran, ended};
use std::ffi::OsString;
use std::path::Path;
use tempfile::TempDir;

/// A folder that the program runs in.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    /// Runs a command on a file, with options; only `render` leaves a file, and only when it ends well.
    pub fn run(&self, command: &str, file: &Path, options: &[String]) -> Result<Ran, String> {
        let mut args: Vec<OsString> = vec![command.into(), file.into()];
        args.extend(options.iter().map(OsString::from));
        if command == "render" {
            args.extend(["-o", "out.png"].map(OsString::from));
        }
        let ran = ended(self.0.path(), &args, b"")?;
        let bad = |why: String| {
            Err(format!(
                "{command} {} {options:?}: {why}: exit code {}: {}",
                file.display(),
                ran.code,
                ran.err
            ))
        };
        let left: Vec<_> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        let drawn = command == "render" && ran.code == 0;
        if left.len() != usize::from(drawn) {
            return bad(format!("left {left:?}"));
        }
        if drawn {
            let bytes = std::fs::read(&left[0]).unwrap();
            if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") || !bytes.ends_with(b"IEND\xaeB`\x82") {
                return bad("no whole PNG".to_owned());
            }
            std::fs::remove_file(&left[0]).unwrap();
        }
        // A file that is refused has nothing said of it, and a picture goes to its file.
        let quiet = command == "render" || matches!(ran.code, 2 | 3 | 7);
        if quiet != ran.out.is_empty() && command != "check" {
            return bad(format!("standard output: {}", ran.out));
        }
        Ok(ran)
    }
}

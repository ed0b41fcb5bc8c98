//! The program with arguments as one types them.

use super::child::ended;
use std::ffi::OsString;
use std::path::Path;

/// Exit code, standard output and errors of a run in a folder; the words of a command stand between spaces.
pub fn run(folder: &Path, args: &str, input: &[u8]) -> (i32, String, String) {
    let args: Vec<OsString> = args.split(' ').map(OsString::from).collect();
    let ran = ended(folder, &args, input).unwrap_or_else(|e| panic!("{e}"));
    (ran.code, ran.out, ran.err)
}

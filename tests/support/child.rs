//! Runs the program as a child process with little memory and little time, and looks at how it ends.

use std::ffi::OsString;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Addresses that a child may have, in KiB.
const MOST_MEMORY: &str = "2097152";
/// Seconds that a child may take.
const MOST_SECONDS: u64 = 10;

/// How a run ended.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

fn program() -> Command {
    if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args([
            "-c",
            &format!("ulimit -v {MOST_MEMORY}; exec \"$0\" \"$@\""),
            env!("CARGO_BIN_EXE_gridscope"),
        ]);
        shell
    } else {
        Command::new(env!("CARGO_BIN_EXE_gridscope"))
    }
}

/// Runs the program in a folder. Whatever it is given, it ends in time, with an exit code that says why and without a panic.
///
/// # Errors
/// Any other end, in words.
pub fn ended(folder: &Path, args: &[OsString], input: &[u8]) -> Result<Ran, String> {
    let what = || {
        args.iter()
            .map(|a| a.to_string_lossy())
            .collect::<Vec<_>>()
            .join(" ")
    };
    // Files and not pipes: a child that says much does not wait for its reader.
    let [out, err] = [(); 2].map(|()| tempfile::tempfile().unwrap());
    let mut command = program();
    command
        .args(args)
        .current_dir(folder)
        .stdout(out.try_clone().unwrap())
        .stderr(err.try_clone().unwrap());
    let mut child = command
        .stdin(if input.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        })
        .spawn()
        .unwrap();
    if let Some(mut pipe) = child.stdin.take() {
        let input = input.to_vec();
        // The program may refuse before it has read all.
        std::thread::spawn(move || drop(pipe.write_all(&input)));
    }
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > Duration::from_secs(MOST_SECONDS) {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err(format!("{}: still running after {MOST_SECONDS} s", what()));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let ran = Ran {
        code: status.code().unwrap_or(-1),
        out: said(out),
        err: said(err),
    };
    match wrong(&ran) {
        Some(why) => Err(format!("{}: {why}: {status}: {}", what(), ran.err)),
        None => Ok(ran),
    }
}

fn said(mut file: std::fs::File) -> String {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What no run may end with, whatever its input.
fn wrong(ran: &Ran) -> Option<&'static str> {
    let errors = ran.err.lines().filter(|l| l.starts_with("error:")).count();
    let raw = |c: char| c.is_control() && c != '\n' || c == char::REPLACEMENT_CHARACTER;
    if !matches!(ran.code, 0 | 2 | 3 | 6 | 7) {
        Some("exit code")
    } else if ["panicked", "internal error", "RUST_BACKTRACE"]
        .iter()
        .any(|w| ran.err.contains(w))
    {
        Some("panic")
    } else if errors != usize::from(!matches!(ran.code, 0 | 6)) {
        Some("error lines")
    } else if ran.err.contains(raw) {
        Some("raw bytes")
    } else {
        None
    }
}

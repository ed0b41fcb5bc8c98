//! Runs the program on a file as a child process with little memory and little time, and looks at how it ends.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a run ended.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the program under 2 GiB of addresses; more than `most` seconds, a panic or an abort fail the test.
pub fn run(args: &[&str], file: &Path, most: u64) -> Ran {
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("bash");
        shell.args(["-c", "ulimit -v 2097152; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_gridscope")]);
        shell
    } else {
        Command::new(env!("CARGO_BIN_EXE_gridscope"))
    };
    let mut child = command.args(args).arg(file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(most) {
            child.kill().unwrap();
            panic!("{}: still running after {most} s", file.display());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let done = child.wait_with_output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    let ran = Ran { code: done.status.code(), out: text(&done.stdout), err: text(&done.stderr) };
    for bad in ["panicked", "internal error", "overflow", "aborted", "allocation"] {
        assert!(!ran.err.contains(bad), "{}: {}", file.display(), ran.err);
    }
    assert!(matches!(ran.code, Some(0 | 2 | 3 | 6 | 7)), "{}: {:?} {}", file.display(), ran.code, ran.err);
    let errors = ran.err.lines().filter(|l| l.starts_with("error:")).count();
    assert_eq!(errors, usize::from(!matches!(ran.code, Some(0 | 6))), "{}: {}", file.display(), ran.err);
    ran
}

/// The files of the corpus under a folder, by what their lines of the manifest say: path and what is expected.
pub fn manifest(folder: &str) -> Vec<(PathBuf, String)> {
    let Some(root) = std::env::var_os("GRIDSCOPE_CORPUS").map(PathBuf::from) else {
        println!("no corpus");
        return Vec::new();
    };
    let text = std::fs::read_to_string(root.join("manifest.tsv")).unwrap();
    let fields = text.lines().map(|l| l.split('\t').collect::<Vec<_>>());
    fields.filter(|f| f[0].starts_with(folder)).map(|f| (root.join(f[0]), f[3].to_owned())).collect()
}

/// Copies of good bytes with a few bytes changed or their end cut off, the same in every run.
pub fn damaged(good: &[u8], copies: usize) -> Vec<Vec<u8>> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64 ^ good.len() as u64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n.max(1) as u64) as usize
    };
    let one = |i: usize| {
        let mut bytes = good.to_vec();
        if i % 5 == 4 {
            bytes.truncate(random(good.len()));
            return bytes;
        }
        for _ in 0..=random(4) {
            // Headers and footers stand at the ends: half of the changes go there.
            let near = 1 + random(400.min(good.len() - 1));
            let at = match random(4) {
                0 => near,
                1 => good.len() - near,
                _ => random(good.len()),
            };
            bytes[at] = [0, 1, 0x7f, 0x80, 0xff, bytes[at] ^ 1 << random(8), random(256) as u8][random(7)];
        }
        bytes
    };
    (0..copies).map(one).collect()
}

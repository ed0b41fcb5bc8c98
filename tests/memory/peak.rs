//! Runs the program, and looks how much memory it takes at most.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const MIB: u64 = 1 << 20;
/// Seconds that a run may take; the machine may do other work meanwhile.
const MOST_SECONDS: u64 = 30;

/// A folder of inputs.
pub struct Place(TempDir);

/// How a run ended.
pub struct Ran {
    pub code: Option<i32>,
    pub said: String,
    /// The most bytes it held.
    pub peak: u64,
}

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    /// Runs the program with words between spaces under a limit in MiB; the file `input`, where given, is its standard input.
    pub fn run(&self, limit: u64, args: &str, input: Option<&str>) -> Ran {
        let [out, err] = [(); 2].map(|()| tempfile::tempfile().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_gridscope"));
        command
            .args(args.split(' '))
            .args(["--max-memory", &format!("{limit}M"), "-q"])
            .current_dir(self.0.path());
        command.stdin(input.map_or(Stdio::null(), |name| File::open(self.path(name)).unwrap().into()));
        let mut child = command
            .stdout(out.try_clone().unwrap())
            .stderr(err.try_clone().unwrap())
            .spawn()
            .unwrap();
        let status = format!("/proc/{}/status", child.id());
        let (begun, mut peak) = (Instant::now(), 0);
        let ended = loop {
            peak = peak.max(high_water(&status));
            if let Some(ended) = child.try_wait().unwrap() {
                break ended;
            }
            if begun.elapsed() > Duration::from_secs(MOST_SECONDS) {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{args}: still running after {MOST_SECONDS} s");
            }
            std::thread::sleep(Duration::from_micros(500));
        };
        Ran {
            code: ended.code(),
            said: said(out) + &said(err),
            peak,
        }
    }

    /// Runs the program as [`Place::run`] does: it ends with one of some codes, has said `word`, and stays within the memory.
    pub fn ends(&self, codes: &[i32], limit: u64, args: &str, word: &str) {
        self.check(codes, limit, args, word, None);
    }

    /// The same with a file as standard input.
    pub fn ends_with_input(&self, codes: &[i32], limit: u64, args: &str, word: &str, input: &str) {
        self.check(codes, limit, args, word, Some(input));
    }

    fn check(&self, codes: &[i32], limit: u64, args: &str, word: &str, input: Option<&str>) {
        let Ran { code, said, peak } = self.run(limit, args, input);
        let what = format!(
            "{args} under {limit}M: exit code {code:?}, {} MiB: {said}",
            peak / MIB
        );
        assert!(code.is_some_and(|c| codes.contains(&c)), "{what}");
        // A run may end before it is looked at once.
        assert!(peak <= limit * MIB * 5 / 4 + 96 * MIB, "{what}");
        let errors = said.lines().filter(|l| l.starts_with("error:")).count();
        assert!(
            errors == usize::from(code != Some(0)) && !said.contains("panicked"),
            "{what}"
        );
        assert!(said.contains(word), "{what}");
    }
}

/// The most bytes that a process has held so far; 0 once it has ended.
fn high_water(status: &str) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    let kib = text.lines().find_map(|l| {
        l.strip_prefix("VmHWM:")?
            .trim()
            .strip_suffix("kB")?
            .trim()
            .parse::<u64>()
            .ok()
    });
    kib.unwrap_or(0) * 1024
}

fn said(mut file: File) -> String {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An NPY file of this header, its data all zero: a hole that takes no room on the disk.
pub fn zeros(path: PathBuf, descr: &str, fortran: bool, shape: &[usize]) {
    let size = descr[2..].parse::<usize>().unwrap();
    let order = if fortran { "True" } else { "False" };
    let sides = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let comma = if shape.len() == 1 { "," } else { "" };
    let head = head(&format!(
        "{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({sides}{comma}), }}\n"
    ));
    fs::write(&path, &head).unwrap();
    let bytes = head.len() + size * shape.iter().product::<usize>();
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(bytes as u64)
        .unwrap();
}

/// What stands before the data of an NPY file.
pub fn head(dict: &str) -> Vec<u8> {
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((dict.len() as u16).to_le_bytes());
    out.extend(dict.as_bytes());
    out
}

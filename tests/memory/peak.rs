//! Runs the program, and measures its peak of memory.

use crate::support::limited::{HANGS, on_few_cores};
use crate::support::place::Place;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;

/// The end of a run.
struct Peak {
    code: Option<i32>,
    said: String,
    /// The peak of memory in bytes.
    bytes: u64,
}

impl Place {
    /// Runs the program with the words of a line under a limit in MiB. `input`, if given, is a file for standard input.
    fn peak(&self, limit: u64, args: &str, input: Option<&str>) -> Peak {
        let [out, err] = [(); 2].map(|()| tempfile::tempfile().unwrap());
        let mut command = on_few_cores(self.command(args));
        command.args(["--max-memory", &format!("{limit}M"), "-q"]);
        if let Some(name) = input {
            command.stdin(File::open(self.path(name)).unwrap());
        }
        let mut child =
            command.stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap()).spawn().unwrap();
        let status = format!("/proc/{}/status", child.id());
        let (begun, mut peak) = (Instant::now(), 0);
        let ended = loop {
            peak = peak.max(high_water(&status));
            if let Some(ended) = child.try_wait().unwrap() {
                break ended;
            }
            if begun.elapsed() > HANGS {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{args}: hangs");
            }
            std::thread::sleep(Duration::from_micros(500));
        };
        Peak { code: ended.code(), said: said(out) + &said(err), bytes: peak }
    }

    /// Runs the program under a limit in MiB. It must end with one of some codes, print `word`, and stay within the memory.
    pub fn fits(&self, codes: &[i32], limit: u64, args: &str, word: &str) {
        self.check(codes, limit, args, word, None);
    }

    /// The same with a file as standard input.
    pub fn fits_reading(&self, codes: &[i32], limit: u64, args: &str, word: &str, input: &str) {
        self.check(codes, limit, args, word, Some(input));
    }

    fn check(&self, codes: &[i32], limit: u64, args: &str, word: &str, input: Option<&str>) {
        let Peak { code, said, bytes } = self.peak(limit, args, input);
        let what = format!("{args} under {limit}M: exit code {code:?}, {} MiB: {said}", bytes / MIB);
        assert!(code.is_some_and(|c| codes.contains(&c)), "{what}");
        // A run may end before it is first measured.
        assert!(bytes <= limit * MIB * 5 / 4 + 96 * MIB, "{what}");
        let errors = said.lines().filter(|l| l.starts_with("error:")).count();
        assert!(errors == usize::from(code != Some(0)) && !said.contains("panicked"), "{what}");
        assert!(said.contains(word), "{what}");
    }
}

/// The peak of memory of a process so far in bytes; 0 once it has ended.
fn high_water(status: &str) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    let kib = text
        .lines()
        .find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

fn said(mut file: File) -> String {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

//! Runs the program as a child process with a limit of memory, and checks how it ends.

use super::place::Place;
use super::program::{Ran, Words, bare};
use std::ffi::OsString;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The address space of a child in KiB.
const MOST_MEMORY: &str = "2097152";
/// A child that runs for longer hangs.
pub const HANGS: Duration = Duration::from_mins(3);
/// The most cores of a child: what it takes grows with their number.
const MOST_CORES: usize = 4;

fn program() -> Command {
    if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {MOST_MEMORY}; exec \"$0\" \"$@\"")]);
        // Each arena of the C library takes 64 MiB of addresses.
        shell.arg(env!("CARGO_BIN_EXE_gridscope")).env("MALLOC_ARENA_MAX", "2");
        on_few_cores(shell)
    } else {
        bare()
    }
}

/// The same command, without input, on at most four cores: what a run takes grows with their number.
pub fn on_few_cores(command: Command) -> Command {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:"));
    // Such as 0-3,8.
    let part = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        Some(from.parse::<usize>().ok()?..=to.parse().ok()?)
    };
    let parts = list.unwrap_or_default().trim().split(',').filter_map(part);
    let cores: Vec<String> = parts.flatten().map(|core| core.to_string()).collect();
    if cores.len() <= MOST_CORES {
        return command;
    }
    let mut few = Command::new("taskset");
    few.arg("-c").arg(cores[..MOST_CORES].join(","));
    few.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => few.env(name, value),
            None => few.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        few.current_dir(folder);
    }
    few.stdin(Stdio::null());
    few
}

/// Runs the program in a folder. It must end, without a panic, and with an exit code that says why.
///
/// # Errors
/// A description of any other end.
pub fn ended(folder: &Path, args: &[OsString], input: &[u8]) -> Result<Ran, String> {
    let what = || args.iter().map(|a| a.to_string_lossy()).collect::<Vec<_>>().join(" ");
    // Files instead of pipes, so that a child with much output does not wait for its reader.
    let [out, err] = [(); 2].map(|()| tempfile::tempfile().unwrap());
    let mut command = program();
    command.args(args).current_dir(folder).stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap());
    let mut child =
        command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() }).spawn().unwrap();
    if let Some(mut pipe) = child.stdin.take() {
        let input = input.to_vec();
        // The program may refuse its input before it has read all of it.
        std::thread::spawn(move || drop(pipe.write_all(&input)));
    }
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > HANGS {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err(format!("{}: hangs", what()));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let ran =
        Ran { code: status.code(), out: said(out), err: String::from_utf8_lossy(&said(err)).into_owned() };
    // The character may be one of the file's own.
    let mark = "\u{fffd}".as_bytes();
    let holds = |path: &OsString| {
        std::fs::read(folder.join(path)).is_ok_and(|bytes| bytes.windows(mark.len()).any(|part| part == mark))
    };
    let allowed = ran.err.contains(char::REPLACEMENT_CHARACTER) && args.iter().any(holds);
    match wrong(&ran, allowed) {
        Some(why) => Err(format!("{}: {why}: {status}: {}", what(), ran.err)),
        None => Ok(ran),
    }
}

/// Exit code, standard output and errors of a run in a folder.
///
/// # Panics
/// When [`ended`] returns an error.
pub fn run(folder: &Path, args: &str, input: &[u8]) -> (i32, String, String) {
    let ran = ended(folder, &args.words(), input).unwrap_or_else(|e| panic!("{e}"));
    (ran.code.unwrap(), ran.text(), ran.err)
}

fn said(mut file: std::fs::File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

/// The fault at the end of a run, if there is one.
fn wrong(ran: &Ran, replaced: bool) -> Option<&'static str> {
    let errors = ran.err.lines().filter(|l| l.starts_with("error:")).count();
    let raw = |c: char| c.is_control() && c != '\n' || c == char::REPLACEMENT_CHARACTER && !replaced;
    if !matches!(ran.code, Some(0 | 2 | 3 | 6 | 7)) {
        Some("exit code")
    } else if ["panicked", "internal error", "RUST_BACKTRACE"].iter().any(|w| ran.err.contains(w)) {
        Some("panic")
    } else if errors != usize::from(!matches!(ran.code, Some(0 | 6))) {
        Some("error lines")
    } else if ran.err.contains(raw) {
        Some("raw bytes")
    } else {
        None
    }
}

/// Does the work for each item of a list on several threads, each with its own folder, and returns all complaints.
pub fn each<T: Sync>(list: &[T], work: impl Fn(&Place, &T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 4));
    let one = || {
        let place = Place::empty();
        let at = || list.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(at).filter_map(|item| work(&place, item).err()).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        running.into_iter().flat_map(|t| t.join().unwrap()).collect()
    })
}

impl Place {
    /// Runs a command on a file. Only `render` may leave a file, and only if it succeeds.
    pub fn limited(&self, command: &str, file: &Path, options: &[String]) -> Result<Ran, String> {
        let mut args: Vec<OsString> = vec![command.into(), file.into()];
        args.extend(options.iter().map(OsString::from));
        if command == "render" {
            args.extend(["-o", "out.png"].map(OsString::from));
        }
        let ran = ended(self.folder(), &args, b"")?;
        let bad = |why: String| {
            Err(format!(
                "{command} {} {options:?}: {why}: exit code {:?}: {}",
                file.display(),
                ran.code,
                ran.err
            ))
        };
        let left: Vec<_> = std::fs::read_dir(self.folder()).unwrap().map(|e| e.unwrap().path()).collect();
        let drawn = command == "render" && ran.code == Some(0);
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
        // Nothing is printed about a refused file, and a picture is written to its file.
        let quiet = command == "render" || matches!(ran.code, Some(2 | 3 | 7));
        if quiet != ran.out.is_empty() && command != "check" {
            return bad(format!("standard output: {}", ran.text()));
        }
        Ok(ran)
    }
}

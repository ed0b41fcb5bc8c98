//! Signals at any moment of a run, and several runs on one file: the output is complete, either the old or the new one.

use crate::support::place::{MATRIX, Place};
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// 36 megapixels, written strip by strip.
const LARGE: &str = "render m.csv -o big.png --bare --width 6000px --height 6000px -q";
/// The number of runs that are ended, at moments spread over the bytes that a run writes.
const MOMENTS: usize = 10;
/// Longer than anything takes, even on a busy machine: it ends what hangs.
const HANGS: Duration = Duration::from_mins(2);

/// Waits until `met` holds.
fn wait_for(what: &str, mut met: impl FnMut() -> bool) {
    let start = Instant::now();
    while !met() {
        assert!(start.elapsed() < HANGS, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_signal_at_any_moment_leaves_the_old_or_the_new_file() {
    let p = Place::new(&[MATRIX]);
    p.ends(0, LARGE);
    let wanted = p.read("big.png");
    let args: Vec<&str> = LARGE.split(' ').collect();
    for (flag, signal, code) in [("-TERM", 15, 143), ("-INT", 2, 130), ("-KILL", 9, -1)] {
        let mut amid = 0;
        for moment in 0..MOMENTS {
            fs::write(p.path("big.png"), "old").unwrap();
            let mut child = p.command(&args).spawn().unwrap();
            let at = format!("{flag} at {moment}/{MOMENTS} of {} bytes", wanted.len());
            wait_for(&at, || {
                let written = temporary(&p).and_then(|name| fs::metadata(p.path(name)).ok());
                let is_far = |file: fs::Metadata| file.len() as usize >= wanted.len() / MOMENTS * moment;
                // Waiting for the process would free its number.
                written.is_some_and(is_far) || p.read("big.png") != b"old"
            });
            let running =
                Command::new("kill").args([flag, &child.id().to_string()]).status().unwrap().success();
            let status = child.wait().unwrap();
            // The run may have ended already, or not have started to listen.
            let ended = status.code() == Some(code) || status.signal() == Some(signal) || status.success();
            assert!(running && ended, "{at}: {status}");
            let now = p.read("big.png");
            assert!(now == b"old" || now == wanted, "{at}: {} bytes", now.len());
            assert!(!status.success() || now == wanted, "{at}");
            // A run that has ended already would end so too.
            amid += u32::from(!status.success());
            if signal == 9 {
                // Nothing can be done about it; the name says what it is.
                temporary(&p).iter().for_each(|name| fs::remove_file(p.path(name)).unwrap());
            }
            assert_eq!(p.names(), ["big.png", "m.csv"], "{at}");
        }
        assert!(amid > 0, "{flag} never came amid the work");
    }
}

/// The temporary file of a run that draws big.png.
fn temporary(p: &Place) -> Option<String> {
    let named = |n: &String| n.starts_with(".big.png.") && n.ends_with(".tmp");
    p.names().into_iter().find(named)
}

/// Starts a run that has opened its outputs and waits for its input. Dropping the returned input ends the run.
fn waiting(p: &Place, command: &mut Command, outputs: usize) -> (Child, ChildStdin) {
    let before = p.names().len();
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take().unwrap();
    wait_for("its outputs", || p.names().len() == before + outputs);
    (child, input)
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Whether this process ignores a signal, which child processes inherit.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status
        .lines()
        .find_map(|l| l.strip_prefix("SigIgn:"))
        .and_then(|b| u64::from_str_radix(b.trim(), 16).ok());
    bits.is_some_and(|b| b >> (signal - 1) & 1 == 1)
}

#[test]
fn each_signal_that_ends_a_run_leaves_no_temporary_file() {
    for (flag, signal) in [("-HUP", 1), ("-INT", 2), ("-QUIT", 3), ("-TERM", 15), ("-XCPU", 24)] {
        if matches!(signal, 1 | 3 | 24) && is_ignored(signal) {
            println!("skipped: {flag} is ignored here");
            continue;
        }
        let p = Place::empty();
        let (mut child, input) =
            waiting(&p, &mut p.command(&["render", "-", "-o", "a.png", "--json=r.json"]), 2);
        send(flag, &child);
        assert_eq!((child.wait().unwrap().code(), p.names()), (Some(128 + signal), Vec::new()), "{flag}");
        drop(input);
    }
}

#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let p = Place::empty();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' HUP; exec \"$0\" render - -o a.png -q", env!("CARGO_BIN_EXE_gridscope")])
        .current_dir(p.folder());
    let (mut child, mut input) = waiting(&p, &mut shell, 1);
    send("-HUP", &child);
    input.write_all(MATRIX.1.as_bytes()).unwrap();
    drop(input);
    assert!(child.wait().unwrap().success() && p.names() == ["a.png"], "{:?}", p.names());
}

#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    let p = Place::new(&[MATRIX]);
    let line = ["render", "-", "-o", "a.png", "--json=r.json"];
    let (mut child, _input) = waiting(&p, &mut p.command(&line), 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let left = p.names();
    assert!(left.len() == 3 && left[0].starts_with(".a.png.") && left[1].starts_with(".r.json."), "{left:?}");
    // The temporary files of a running process stay.
    let mut alive = p.command(&["render", "-", "-o", "a.png", "-q"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = alive.stdin.take().unwrap();
    wait_for("its temporary file", || {
        let new = |n: &String| !left.contains(n) && n.starts_with(".a.png.");
        p.names().iter().any(new)
    });
    p.ends(0, "render m.csv -o a.png --json=r.json -q");
    let names = p.names();
    assert!(names.len() == 4 && names[0].starts_with(".a.png.") && !left.contains(&names[0]), "{names:?}");
    input.write_all(MATRIX.1.as_bytes()).unwrap();
    drop(input);
    assert!(alive.wait().unwrap().success());
    assert_eq!(p.names(), ["a.png", "m.csv", "r.json"]);
}

#[test]
fn many_runs_at_once_take_no_file_from_each_other() {
    let p = Place::new(&[MATRIX]);
    p.ends(0, "render m.csv -o wanted.png -q");
    for k in 0..20 {
        fs::write(p.path(format!(".a.png.{}.{k}.tmp", 4_194_000 + k)), "left").unwrap();
    }
    let runs: Vec<Child> =
        (0..50).map(|_| p.command(&["render", "m.csv", "-o", "a.png", "-q"]).spawn().unwrap()).collect();
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    assert!(p.read("a.png") == p.read("wanted.png"));
    assert_eq!(p.names(), ["a.png", "m.csv", "wanted.png"]);
}

#[test]
fn runs_on_one_file_at_once_leave_one_of_their_pictures() {
    let p = Place::new(&[MATRIX]);
    let draw = |map: &'static str, to: &'static str| ["render", "m.csv", "-q", "--cmap", map, "-o", to];
    let maps = ["viridis", "magma", "gray"];
    let pictures = ["1.png", "2.png", "3.png"].iter().zip(maps).map(|(to, map)| {
        p.ends(0, &draw(map, to));
        let bytes = p.read(to);
        fs::remove_file(p.path(to)).unwrap();
        bytes
    });
    let pictures: Vec<Vec<u8>> = pictures.collect();
    let one_of = |bytes: &Vec<u8>| pictures.iter().position(|w| w == bytes);
    fs::write(p.path("a.png"), &pictures[0]).unwrap();
    let done = AtomicBool::new(false);
    let mut seen = [0; 3];
    std::thread::scope(|s| {
        // Meanwhile, readers see a complete picture.
        let reads = s.spawn(|| {
            let mut looks = 0;
            while !done.load(Ordering::Relaxed) {
                assert!(one_of(&p.read("a.png")).is_some(), "half a picture was seen");
                looks += 1;
            }
            looks
        });
        for _ in 0..12 {
            let runs = maps.map(|map| p.command(&draw(map, "a.png")).spawn().unwrap());
            for mut run in runs {
                assert!(run.wait().unwrap().success());
            }
            seen[one_of(&p.read("a.png")).unwrap()] += 1;
        }
        done.store(true, Ordering::Relaxed);
        assert!(reads.join().unwrap() > 12);
    });
    println!("last were {seen:?}");
    assert_eq!(p.names(), ["a.png", "m.csv"]);
}

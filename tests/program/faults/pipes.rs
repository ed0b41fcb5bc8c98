//! Named pipes as inputs: the first byte has a time limit, and later bytes have none.

use crate::support::place::{MATRIX, Place};
use std::fs::File;
use std::io::Write;
use std::process::Command;

fn pipe(p: &Place, name: &str) {
    assert!(Command::new("mkfifo").arg(p.path(name)).status().unwrap().success());
}

#[test]
fn a_pipe_without_a_writer_ends_in_exit_code_7() {
    let p = Place::new(&[MATRIX]);
    pipe(&p, "in.csv");
    for line in [
        "render in.csv -o a.png",
        "info in.csv",
        "check in.csv --json=r.json",
        "export in.csv -o a.csv",
        "render m.csv in.csv -o a.png",
        "check m.csv --against in.csv --better higher",
    ] {
        let ran = p.ends(7, &format!("{line} --patience 0.2"));
        assert!(
            ran.err.starts_with("error: in.csv: ") && ran.err.contains("0.2 seconds"),
            "{line}: {}",
            ran.err
        );
        assert_eq!(p.names(), ["in.csv", "m.csv"], "{line}");
    }
    for wrong in ["-1", "nan", "inf"] {
        p.ends(2, &format!("info in.csv --patience={wrong}"));
    }
}

#[test]
fn a_pipe_that_is_opened_and_not_written_to_is_the_same() {
    let p = Place::empty();
    pipe(&p, "in.csv");
    let held = File::options().read(true).write(true).open(p.path("in.csv")).unwrap();
    assert!(p.ends(7, "info in.csv --patience 0.2").err.starts_with("error: in.csv: "));
    drop(held);
    // A pipe that is closed without a byte is empty.
    let writer = std::thread::spawn({
        let path = p.path("in.csv");
        move || drop(File::options().write(true).open(path).unwrap())
    });
    assert!(p.ends(3, "info in.csv").err.contains("is empty"));
    writer.join().unwrap();
}

/// The unit tests of `src/read/pipe.rs` show that later bytes have no limit.
#[test]
fn a_pipe_is_read_to_its_end() {
    let p = Place::empty();
    pipe(&p, "in.csv");
    let writer = std::thread::spawn({
        let path = p.path("in.csv");
        move || {
            let mut to = File::options().write(true).open(path).unwrap();
            for part in ["0", ",1\n2", ",3\n"] {
                to.write_all(part.as_bytes()).unwrap();
            }
        }
    });
    p.ends(0, "export in.csv -o a.csv -q");
    writer.join().unwrap();
    assert!(String::from_utf8(p.read("a.csv")).unwrap().contains("2,3"));
}

/// The pipe of a shell's `<(…)` has a writer, so its first byte has no time limit.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_without_a_name_has_no_limit() {
    let p = Place::new(&[MATRIX]);
    let shell = "cat m.csv | \"$0\" info /dev/stdin --patience 0";
    let mut command = Command::new("sh");
    command.args(["-c", shell, env!("CARGO_BIN_EXE_gridscope")]).current_dir(p.folder());
    let ran = crate::support::program::ended(&mut command);
    assert!(
        ran.code == Some(0) && String::from_utf8_lossy(&ran.out).contains("2 rows"),
        "{:?} {}",
        ran.code,
        ran.err
    );
}

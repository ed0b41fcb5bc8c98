//! Readers that go away, and standard streams that cannot be written: exit code 4 for a lost result, no panic for messages.

use super::TIDY;
use crate::support::place::{MATRIX, Place};
use std::fs::File;
use std::process::{Command, Stdio};

/// Commands whose result goes to standard output.
const RESULTS: [&str; 14] = [
    "render m.csv -o -",
    "render m.csv -o - --format svg",
    "render m.csv -o - --bare --width 5000px --height 5000px",
    "info m.csv",
    "info m.csv --json",
    "export m.csv -o -",
    "check m.csv --json",
    "render m.csv -o a.png --json",
    "colormaps",
    "schema",
    "completions bash",
    "--help",
    "render --help",
    "--version",
];

#[test]
fn a_lost_result_is_exit_4() {
    let p = Place::new(&[MATRIX]);
    for line in RESULTS {
        let args: Vec<&str> = line.split(' ').collect();
        let (reader, gone) = std::io::pipe().unwrap();
        drop(reader);
        let full = File::options().write(true).open("/dev/full").unwrap();
        for (what, stdout) in [("closed", Stdio::from(gone)), ("full", Stdio::from(full))] {
            let o = p.command(&args).stdout(stdout).stderr(Stdio::piped()).output().unwrap();
            let err = String::from_utf8_lossy(&o.stderr);
            assert_eq!(o.status.code(), Some(4), "{line}, {what}: {err}");
            assert_eq!(err.matches("error: -: ").count(), 1, "{line}, {what}: {err}");
        }
    }
    assert!(p.names().iter().all(|n| n == "a.png" || n == "m.csv"), "{:?}", p.names());
}

#[test]
fn messages_that_nobody_reads_change_nothing() {
    let p = Place::new(&[MATRIX, TIDY, ("bad.csv", "1,2\n3,4\n5,6,7\n")]);
    let tidy = "t.csv --x x --y y --value v";
    p.ends(0, &format!("render {tidy} -o wanted.png"));
    let cases = [
        (format!("render {tidy} -o a.png"), 0),
        (format!("render {tidy} -o a.png --progress always"), 0),
        (format!("check {tidy} --strict"), 6),
        ("render bad.csv -o b.png".to_owned(), 3),
        ("render none.csv -o b.png".to_owned(), 3),
        ("render m.csv -o b.png --cmap nope".to_owned(), 2),
        ("render m.csv -o b.png --nonsense".to_owned(), 2),
        ("render m.csv -o no/such.png".to_owned(), 4),
        ("render m.csv -o b.png --width 70000px".to_owned(), 7),
        ("render - -o b.png --timeout 0.001".to_owned(), 7),
    ];
    for (line, code) in &cases {
        let (reader, gone) = std::io::pipe().unwrap();
        drop(reader);
        let full = File::options().write(true).open("/dev/full").unwrap();
        // An endless input, for the time limit.
        let (waits, _open) = std::io::pipe().unwrap();
        for (what, stderr) in [("closed", Stdio::from(gone)), ("full", Stdio::from(full))] {
            let args: Vec<&str> = line.split(' ').collect();
            let status = p.command(&args).stdin(waits.try_clone().unwrap()).stderr(stderr).status().unwrap();
            assert_eq!(status.code(), Some(*code), "{line}, {what}: {status}");
            if *code == 0 {
                assert!(p.read("a.png") == p.read("wanted.png"), "{line}, {what}");
                std::fs::remove_file(p.path("a.png")).unwrap();
            }
        }
    }
    assert_eq!(p.names(), ["bad.csv", "m.csv", "t.csv", "wanted.png"]);
}

/// Files must not get the descriptors of closed standard streams.
#[test]
fn a_run_without_any_stream_draws_the_picture() {
    let p = Place::new(&[TIDY]);
    let draw = "render t.csv --x x --y y --value v -o";
    p.ends(0, &format!("{draw} wanted.png"));
    let shell = format!("exec \"$0\" {draw} a.png <&- >&- 2>&-");
    let status = Command::new("sh")
        .args(["-c", &shell, env!("CARGO_BIN_EXE_gridscope")])
        .current_dir(p.folder())
        .status()
        .unwrap();
    assert!(status.success() && p.read("a.png") == p.read("wanted.png"), "{status}");
}

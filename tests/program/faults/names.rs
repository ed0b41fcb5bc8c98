//! Odd names of inputs and outputs: each file is the one that was named, and no name sends control characters to a terminal.

use crate::support::place::{MATRIX, Place};
use crate::support::program::Ran;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Renders and exports under a name, and returns the two runs.
fn both(p: &Place, stem: &str) -> [Ran; 2] {
    let [input, picture, table] = ["csv", "png", "npy"].map(|e| format!("{stem}.{e}"));
    std::fs::write(p.path(&input), MATRIX.1).unwrap();
    let render = p.ends(0, &["render", &format!("--output={picture}"), "--", &input]);
    let export = p.ends(0, &["export", &format!("--output={table}"), "--", &input]);
    assert!(p.read(&picture).starts_with(b"\x89PNG") && p.read(&table).starts_with(b"\x93NUMPY"), "{stem:?}");
    [render, export]
}

#[test]
fn any_name_is_a_name() {
    let long =
        ["n".repeat(251), "\u{65e5}".repeat(83), "\u{1f600}".repeat(62), format!("{}.tar", "x".repeat(240))];
    let odd = [
        "sp ace",
        " lead",
        "-x",
        "--help",
        "-",
        "new\nline",
        "tab\t",
        "esc\u{1b}[31mred",
        "bell\u{7}",
        "bidi\u{202e}abc",
        "quote\"'",
        "$HOME",
        "*?[a]",
        "{mean}",
        "%s",
        "a=b",
        "a:b",
        "\u{1f600}",
        "zero\u{200b}width",
        "#",
        "~",
        "...",
        "back\\slash",
    ];
    for stem in odd.into_iter().chain(long.iter().map(String::as_str)) {
        let p = Place::empty();
        for ran in both(&p, stem) {
            assert!(!ran.err.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{stem:?}: {:?}", ran.err);
        }
        assert_eq!(p.names().len(), 3, "{:?}", p.names());
    }
}

#[test]
fn composed_and_decomposed_names_are_two() {
    let p = Place::new(&[("\u{e9}.csv", "1,2\n3,4\n"), ("e\u{301}.csv", "5,6\n7,8\n")]);
    for (name, cells) in [("\u{e9}", "1,2"), ("e\u{301}", "5,6")] {
        p.ends(0, &["export".to_owned(), format!("{name}.csv"), "-o".to_owned(), format!("out-{name}.csv")]);
        let text = String::from_utf8(p.read(format!("out-{name}.csv"))).unwrap();
        assert!(text.contains(cells), "{name}: {text}");
    }
    assert_eq!(p.names().len(), 4);
}

#[test]
fn errors_escape_control_characters() {
    let p = Place::new(&[MATRIX, ("evil\u{1b}[2J.csv", "1,2\n3,4\n5,6,7\n")]);
    let evil = "evil\u{1b}[2J\u{7}\n\u{202e}";
    let with = |before: &str| format!("{before}{evil}");
    let m = "m.csv".to_owned();
    let cases: [(i32, Vec<String>); 14] = [
        (3, vec!["render".into(), "evil\u{1b}[2J.csv".into(), "-o".into(), "a.png".into()]),
        (3, vec!["info".into(), evil.into()]),
        (3, vec!["render".into(), m.clone(), "-o".into(), "a.png".into(), "--font".into(), evil.into()]),
        (4, vec!["render".into(), m.clone(), "-o".into(), format!("{evil}/a.png")]),
        (4, vec!["render".into(), m.clone(), "-o".into(), "a.png".into(), format!("--json={evil}/r.json")]),
        (2, vec!["render".into(), m.clone(), "-o".into(), with("a.")]),
        (2, vec!["export".into(), m.clone(), "-o".into(), with("a.")]),
        (2, vec!["render".into(), m.clone(), "-o".into(), "a.png".into(), "--cmap".into(), evil.into()]),
        (2, vec!["render".into(), m.clone(), "-o".into(), "a.png".into(), "--norm".into(), evil.into()]),
        (2, vec!["render".into(), m.clone(), "-o".into(), "a.png".into(), "--backend".into(), evil.into()]),
        (2, vec!["render".into(), m.clone(), "-o".into(), "a.png".into(), "--dpi".into(), evil.into()]),
        (2, vec!["render".into(), m.clone(), "-o".into(), "a.png".into(), with("--")]),
        (
            2,
            vec!["render".into(), m.clone(), "-o".into(), "a.png".into(), "--max-memory".into(), evil.into()],
        ),
        (2, vec!["info".into(), m, "--x".into(), evil.into()]),
    ];
    for (code, args) in cases {
        let ran = p.ends(code, &args);
        let steers = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!ran.err.contains(steers), "{args:?}: {:?}", ran.err);
        assert!(ran.out.is_empty(), "{args:?}");
    }
    assert_eq!(p.names().len(), 2, "{:?}", p.names());
}

#[test]
fn names_that_are_too_long_are_refused() {
    let p = Place::new(&[MATRIX]);
    let long = "n".repeat(300);
    p.ends(3, &["render", &long, "-o", "a.png"]);
    p.ends(4, &["render", "m.csv", "-o", &format!("{long}.png")]);
    p.ends(4, &["export", "m.csv", "-o", &format!("{long}.csv")]);
    p.ends(4, &["render", "m.csv", "-o", "a.png", &format!("--json={long}")]);
    assert_eq!(p.names(), ["m.csv"]);
}

/// Names of inputs must be text; those of outputs may be any bytes.
#[test]
fn names_that_are_not_text_end_cleanly() {
    let p = Place::new(&[MATRIX]);
    let name = |end: &str| OsStr::from_bytes(&[b"b\xff\xfe.", end.as_bytes()].concat()).to_owned();
    std::fs::write(p.path(name("csv")), MATRIX.1).unwrap();
    let words = |list: &[&str]| list.iter().map(OsString::from).collect::<Vec<_>>();
    for command in ["render", "info", "check", "export", "view", "bench"] {
        let mut args = words(&[command]);
        args.push(name("csv"));
        if matches!(command, "render" | "export") {
            args.extend(words(&["-o", if command == "render" { "a.png" } else { "a.csv" }]));
        }
        let ran = p.ends(2, &args);
        assert!(ran.err.contains("UTF-8"), "{command}: {}", ran.err);
    }
    for (command, end) in [("render", "png"), ("render", "svg"), ("export", "npy")] {
        let mut args = words(&[command, "m.csv", "-o"]);
        args.push(name(end));
        p.ends(0, &args);
        assert!(!p.read(name(end)).is_empty());
    }
    let mut args = words(&["info", "m.csv"]);
    args.push([OsStr::new("--json="), &name("json")].into_iter().collect());
    p.ends(0, &args);
    assert!(serde_json::from_slice::<serde_json::Value>(&p.read(name("json"))).is_ok());
    assert_eq!(p.names().len(), 6);
}

//! Every file of tests/fixtures gets what the line of it in `expected.tsv` says.

use crate::support::corpus::files;
use crate::support::limited::{each, ended};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A run of `info`.
struct Line {
    path: PathBuf,
    options: Vec<String>,
    code: i32,
    says: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn lines() -> Vec<Line> {
    let text = std::fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let line = |line: &str| {
        let fields: [&str; 4] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let [path, options, code, says] = fields;
        Line {
            path: folder().join(path),
            options: options.split_whitespace().map(str::to_owned).collect(),
            code: code.parse().unwrap(),
            says: says.to_owned(),
        }
    };
    text.lines().skip(1).map(line).collect()
}

/// Rows, columns, least and largest value of each panel.
fn panels(report: &str) -> String {
    let report: Value = serde_json::from_str(report).unwrap();
    let panel = |p: &Value| {
        let [min, max] = ["min", "max"].map(|end| p[end]["value"].as_f64().unwrap());
        format!("{} x {}, {min} to {max}", p["rows"], p["columns"])
    };
    let panels = report["panels"].as_array().unwrap();
    panels.iter().map(panel).collect::<Vec<_>>().join("; ")
}

fn run(folder: &Path, line: &Line) -> Result<(), String> {
    let mut args: Vec<OsString> = vec!["info".into(), line.path.clone().into()];
    args.extend(line.options.iter().map(OsString::from));
    args.push("--json".into());
    let ran = ended(folder, &args, b"")?;
    let right = match line.code {
        0 => ran.code == Some(0) && panels(&ran.text()) == line.says,
        code => ran.code == Some(code) && ran.err.contains(&line.says) && ran.out.is_empty(),
    };
    let what = || {
        let (path, options) = (line.path.display(), line.options.join(" "));
        format!("{path} {options}: {:?}: {}{}", ran.code, ran.text(), ran.err)
    };
    right.then_some(()).ok_or_else(what)
}

#[test]
fn every_fixture_gets_what_its_line_says() {
    let lines = lines();
    let readable = |l: &&Line| {
        let path = l.path.to_string_lossy();
        (cfg!(feature = "zarr") || !path.contains(".zarr"))
            && (cfg!(feature = "npz") || !path.ends_with(".npz"))
    };
    let wrong =
        each(&lines.iter().filter(readable).collect::<Vec<_>>(), |place, line| run(place.folder(), line));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

#[test]
fn every_fixture_has_a_line() {
    let lines = lines();
    for file in files(&folder()) {
        let says = file.parent() == Some(folder().as_path());
        assert!(says || lines.iter().any(|l| file.starts_with(&l.path)), "{}", file.display());
    }
}

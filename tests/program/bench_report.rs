//! `benches/report.py`: tables and comparisons of reports of `gridscope bench`.

use crate::support::place::Place;
use crate::support::required;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

/// Runs the script in a folder; `None` without Python.
fn report(p: &Place, line: &str) -> Option<Output> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/report.py");
    let words = line.split(' ').filter(|w| !w.is_empty());
    let ran = Command::new("python3").arg(script).args(words).current_dir(p.folder()).output();
    match ran {
        Ok(ran) => Some(ran),
        Err(e) if required::tools() => panic!("python3: {e}"),
        Err(_) => None,
    }
}

/// Runs the script, and returns its exit code, standard output and standard error.
fn ran(p: &Place, line: &str) -> Option<(Option<i32>, String, String)> {
    let Output { status, stdout, stderr } = report(p, line)?;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some((status.code(), text(stdout), text(stderr)))
}

/// A report of these cells.
fn measured(p: &Place, cells: &str) -> Value {
    let line = format!("bench --backend cpu --cells {cells} --size 8x8 --runs 1 --max-memory 64M --json");
    p.run(&line).json()
}

/// A report with the medians of its cases times `by`.
fn scaled(report: &Value, by: f64) -> Value {
    let mut report = report.clone();
    for case in report["cases"].as_array_mut().unwrap() {
        case["median_ms"] = json!(case["median_ms"].as_f64().unwrap() * by);
    }
    report
}

#[test]
fn tables_have_a_row_for_each_case() {
    let p = Place::empty();
    p.write("new.json", measured(&p, "100,400").to_string());
    let Some((code, plain, _)) = ran(&p, "new.json") else {
        return;
    };
    assert_eq!(code, Some(0), "{plain}");
    let version = concat!("gridscope ", env!("CARGO_PKG_VERSION"), ", cpu: ");
    assert!(plain.starts_with(version), "{plain}");
    let rows = plain.lines().filter(|l| l.starts_with("generated  10x10"));
    assert_eq!(rows.count(), 2 * 4, "{plain}");
    let (_, markdown, _) = ran(&p, "new.json --markdown").unwrap();
    let rows = markdown.lines().filter(|l| l.starts_with("| generated | 20x20 | "));
    assert_eq!(rows.count(), 2 * 4, "{markdown}");
    assert!(markdown.contains("| --- | --- | --- | --- | --- | ---: |"), "{markdown}");
}

#[test]
fn a_slower_median_is_exit_6() {
    let p = Place::empty();
    let new = measured(&p, "100,400");
    p.write("new.json", new.to_string());
    p.write("fast.json", scaled(&new, 0.5).to_string());
    p.write("slow.json", scaled(&new, 2.0).to_string());
    let Some((code, out, err)) = ran(&p, "new.json --against fast.json") else {
        return;
    };
    let slower = err.lines().filter(|l| l.starts_with("slower: generated "));
    assert_eq!((code, slower.count()), (Some(6), 8), "{err}");
    assert!(out.contains("Against fast.json, tolerance 10.0 %") && out.contains("  2.00  slower\n"), "{out}");
    for line in [
        "new.json --against fast.json --tolerance 1.01",
        "new.json --against slow.json",
        "new.json --against new.json --tolerance 0",
    ] {
        let (code, _, err) = ran(&p, line).unwrap();
        assert_eq!((code, err.as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn only_common_cases_are_compared() {
    let p = Place::empty();
    let mut old = scaled(&measured(&p, "100,400"), 1e9);
    old["backend"]["adapter"] = json!("another");
    p.write("old.json", old.to_string());
    p.write("new.json", measured(&p, "400,900").to_string());
    p.write("other.json", measured(&p, "25").to_string());
    let Some((code, _, err)) = ran(&p, "new.json --against old.json") else {
        return;
    };
    assert_eq!(code, Some(0), "{err}");
    for part in [
        "note: not compared: 4 cases only in old.json, 4 only in this report",
        "note: old.json was measured on cpu: another, this report on cpu: ",
    ] {
        assert!(err.contains(part), "{err}");
    }
    let (code, out, err) = ran(&p, "new.json --against other.json").unwrap();
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("has none of the cases of this report"), "{err}");
}

#[test]
fn only_reports_are_read() {
    let case = |median: Value| json!({"name": "a", "median_ms": median});
    let of = |cases: Value| {
        let backend = json!({"name": "cpu", "adapter": "x"});
        json!({"report": "gridscope bench", "backend": backend, "cases": cases}).to_string()
    };
    let p = Place::empty();
    for (text, what) in [
        ("ok".to_owned(), "line 1 column 1"),
        ("[]".to_owned(), "is not a report of gridscope bench\nhint: "),
        (json!({"version": "0.1.0", "cases": []}).to_string(), "is not a report of gridscope bench"),
        (json!({"report": "gridscope bench"}).to_string(), "'cases'"),
        (of(json!(3)), "a value of another type"),
        (of(json!([{"median_ms": 2}])), "'name'"),
        (of(json!([case(json!("2"))])), "a value of another type"),
        (of(json!([case(json!(0))])), "a: median_ms is not a positive number"),
        (of(json!([case(json!(1)), case(json!(2))])), "a: is the name of two cases"),
    ] {
        p.write("wrong.json", &text);
        let Some((code, out, err)) = ran(&p, "wrong.json") else {
            return;
        };
        assert_eq!((code, out.as_str()), (Some(3), ""), "{text}: {err}");
        assert!(err.starts_with("error: wrong.json: ") && err.contains(what), "{text}: {err}");
    }
    assert_eq!(ran(&p, "none.json").unwrap().0, Some(3));
    for line in ["", "a.json b.json", "a.json --tolerance -1", "a.json --tolerance much"] {
        assert_eq!(ran(&p, line).unwrap().0, Some(2), "{line}");
    }
}

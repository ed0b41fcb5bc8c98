//! The delimiters of tables of text, and the reports of them.

use crate::support::limited::run;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A table whose quoted fields contain another delimiter and a line break, so that a scan by that delimiter fails.
fn table(right: char, wrong: char, end: &str, rows: usize) -> String {
    let row = |i: usize| format!("{i}{right}\"k{wrong}{end}\"{right}{}{end}", i * 3);
    format!("x{right}y{right}v{end}{}", (0..rows).map(row).collect::<String>())
}

fn values(folder: &Path, file: &str) -> Vec<String> {
    let (code, out, err) = run(folder, &format!("export {file} --x y --y x -o - --quiet"), b"");
    assert_eq!(code, 0, "{file}: {err}");
    // The only label of the header ends on another line.
    out.lines().skip_while(|l| *l != "\"").filter_map(|l| Some(l.split_once(',')?.1.to_owned())).collect()
}

#[test]
fn an_error_under_a_wrong_delimiter_does_not_refuse_a_table() {
    let dir = tempfile::tempdir().unwrap();
    for right in [',', ';', '\t', '|'] {
        for wrong in [';', '|', '\t', ','].into_iter().filter(|d| *d != right) {
            for end in ["\n", "\r\n"] {
                fs::write(dir.path().join("t.csv"), table(right, wrong, end, 3)).unwrap();
                assert_eq!(values(dir.path(), "t.csv"), ["0", "3", "6"], "{right:?} {wrong:?} {end:?}");
            }
        }
    }
}

#[test]
fn a_table_that_stays_in_its_file_is_read_as_one_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    for (right, wrong) in [(',', ';'), (';', ','), ('|', '\t')] {
        let text = table(right, wrong, "\r\n", 60_000);
        assert!(text.len() > 1 << 20);
        fs::write(dir.path().join("t.csv"), &text).unwrap();
        let wanted: Vec<String> = (0..60_000).map(|i| (i * 3).to_string()).collect();
        assert!(values(dir.path(), "t.csv") == wanted, "{right:?} {wrong:?}");
    }
}

#[test]
fn the_dialect_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.csv"), table(',', ';', "\n", 3)).unwrap();
    fs::write(dir.path().join("b.tsv"), table('\t', ',', "\n", 3)).unwrap();
    fs::write(dir.path().join("m.txt"), "1;2\n3;4\n").unwrap();
    fs::write(dir.path().join("j.json"), "[[1, 2], [3, 4]]").unwrap();
    let report = |args: &str| -> Value {
        let (code, out, err) = run(dir.path(), args, b"");
        assert_eq!(code, 0, "{args}: {err}");
        serde_json::from_str::<Value>(&out).unwrap()["dialects"].take()
    };
    let (a, b) = (
        json!({"file": "a.csv", "delimiter": ",", "header": true, "comments": 0}),
        json!({"file": "b.tsv", "delimiter": "\t", "header": true, "comments": 0}),
    );
    for args in [
        "info a.csv b.tsv --x y --y x --json",
        "check a.csv b.tsv --x y --y x --json",
        "render a.csv b.tsv --x y --y x -o a.png --json",
    ] {
        assert_eq!(report(args), json!([a, b]), "{args}");
    }
    let m = json!([{"file": "m.txt", "delimiter": ";", "header": false, "comments": 0}]);
    assert_eq!(report("info m.txt --json"), m);
    assert_eq!(report("info m.txt --delimiter ; --json"), m);
    assert_eq!(report("render m.txt --bare -o a.png --json"), m);
    assert_eq!(report("info j.json --json"), json!([]));
    let (code, out, err) = run(dir.path(), "info b.tsv --x y --y x", b"");
    assert!(code == 0 && out.contains("b.tsv: delimiter tab\n"), "{out}{err}");
    let (code, out, err) = run(dir.path(), "info m.txt", b"");
    assert!(code == 0 && out.contains("m.txt: delimiter ';'\n"), "{out}{err}");
}

#[test]
fn a_table_that_no_delimiter_reads_is_refused_for_its_own_fault() {
    let dir = tempfile::tempdir().unwrap();
    for right in [',', ';', '\t', '|'] {
        let text = table(right, if right == ';' { ',' } else { ';' }, "\n", 60);
        // The quote of the last row is not closed.
        let open = format!("{text}60{right}\"k{right}7\n");
        fs::write(dir.path().join("t.csv"), open).unwrap();
        let (code, _, err) = run(dir.path(), "export t.csv --x y --y x -o -", b"");
        assert!(
            code == 3 && err.contains("t.csv: line 122: a quote opens here and is never closed"),
            "{right:?}: {err}"
        );
    }
}

//! `check NEW --against BASE`: exit code 6 if a cell became worse or vanished, and a report that names it.

use crate::support::program::{ended, program};
use serde_json::Value;
use std::path::Path;

const BASE: &str = "model,lr,acc\na,0.1,70\na,0.2,80\nb,0.1,60\nb,0.2,65\n";

/// Runs `check new.csv --against base.csv` with more flags, and returns exit code, stdout and stderr.
fn check(new: &str, base: &str, flags: &[&str]) -> (i32, String, String) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("new.csv"), new).unwrap();
    std::fs::write(dir.path().join("base.csv"), base).unwrap();
    run(
        dir.path(),
        &[&["check", "new.csv", "--against", "base.csv", "-x", "lr", "-y", "model", "-z", "acc"], flags]
            .concat(),
    )
}

fn run(dir: &Path, args: &[&str]) -> (i32, String, String) {
    let (code, out, err) = ended(&mut program(dir, args)).parts();
    (code.unwrap(), out, err)
}

#[test]
fn worse_cells_and_lost_ones_end_in_exit_code_6() {
    let worse = BASE.replace("a,0.2,80", "a,0.2,77").replace("b,0.1,60", "b,0.1,59.5");
    let (code, _, err) = check(&worse, BASE, &["--better", "higher"]);
    assert_eq!(code, 6);
    assert!(
        err.contains(
            "denied[regressed]: 2 of 4 cells became worse; the worst: 80 to 77 at lr 0.2, model a\n"
        ),
        "{err}"
    );
    assert_eq!(check(&worse, BASE, &["--better", "higher", "--tolerance", "3"]).0, 0);
    assert_eq!(check(&worse, BASE, &["--better", "higher", "--tolerance", "1%"]).0, 6);
    assert_eq!(check(&worse, BASE, &["--better", "higher", "--tolerance", "4%"]).0, 0);
    assert_eq!(check(&worse, BASE, &["--better", "lower"]).0, 0);
    assert_eq!(check(&worse, BASE, &["--better", "higher", "--allow", "regressed"]).0, 0);
    let (code, _, err) = check(&BASE.replace("b,0.2,65\n", ""), BASE, &["--better", "higher"]);
    assert!(
        code == 6
            && err.contains("denied[vanished]: 1 cell is no longer there, first 65 at lr 0.2, model b\n"),
        "{err}"
    );
    assert_eq!(
        check(&BASE.replace("b,0.2,65", "b,0.2,NA"), BASE, &["--better", "higher", "--allow", "vanished"]).0,
        0
    );
}

#[test]
fn new_cells_are_reported_and_the_order_of_rows_does_not_matter() {
    let more = "model,lr,acc\nb,0.2,65\nc,0.10,1\nb,0.10,60\na,0.2,81\na,0.1,70\n";
    let (code, _, err) = check(more, BASE, &["--better", "higher"]);
    assert!(
        code == 0
            && err.contains("warning[appeared]: 1 cell was not there before, first 1 at lr 0.1, model c\n"),
        "{err}"
    );
    assert_eq!(check(more, BASE, &["--better", "higher", "--deny", "appeared"]).0, 6);
    assert_eq!(check(more, BASE, &["--better", "higher", "--strict", "--allow", "absent"]).0, 6);
    let (code, out, _) = check(more, BASE, &["--better", "higher", "--json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    let panel = &report["against"]["panels"][0];
    assert_eq!(
        (code, &panel["compared"], &panel["improved"], &panel["appeared"]),
        (0, &4.into(), &1.into(), &1.into())
    );
}

#[test]
fn no_tolerance_allows_for_an_infinity() {
    let infinite = BASE.replace("a,0.2,80", "a,0.2,inf");
    for tolerance in ["0", "5%", "100%", "1e300"] {
        let flags = |better| ["--better", better, "--tolerance", tolerance];
        let (code, _, err) = check(BASE, &infinite, &flags("higher"));
        assert!(code == 6 && err.contains("the worst: inf to 80 at lr 0.2, model a"), "{tolerance}: {err}");
        let (code, _, err) = check(&infinite, BASE, &flags("lower"));
        assert!(code == 6 && err.contains("the worst: 80 to inf at lr 0.2, model a"), "{tolerance}: {err}");
        assert_eq!(check(&infinite, BASE, &flags("higher")).0, 0);
        assert_eq!(check(&infinite, &infinite, &flags("higher")).0, 0);
    }
}

#[test]
fn long_integers_are_compared_to_the_last_digit() {
    let ids = |n: &str| format!("model,lr,acc\na,0.1,{n}\na,0.2,9007199254740000\n");
    let (old, new) = (ids("9007199254740993"), ids("9007199254740992"));
    let (code, out, err) = check(&new, &old, &["--better", "higher", "--json"]);
    assert!(code == 6 && err.contains("the worst: 9007199254740993 to 9007199254740992"), "{err}");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["against"]["panels"][0]["worst"]["before"], 9_007_199_254_740_993i64);
    assert_eq!(check(&new, &old, &["--better", "higher", "--tolerance", "1"]).0, 0);
    assert_eq!(check(&new, &old, &["--better", "lower"]).0, 0);
}

#[test]
fn a_base_that_cannot_be_compared_is_refused() {
    for (args, wanted) in [
        (&["--against", "base.csv"][..], 2),
        (&["--better", "higher"], 0),
        (&["--against", "base.csv", "--better", "up"], 2),
        (&["--against", "base.csv", "--better", "higher", "--tolerance", "-1"], 2),
        (&["--against", "none.csv", "--better", "higher"], 3),
        (&["--against", "new.csv", "--better", "higher"], 0),
    ] {
        let dir = tempfile::tempdir().unwrap();
        for name in ["new.csv", "base.csv"] {
            std::fs::write(dir.path().join(name), BASE).unwrap();
        }
        let (code, _, err) =
            run(dir.path(), &[&["check", "new.csv", "-x", "lr", "-y", "model", "-z", "acc"], args].concat());
        assert_eq!(code, wanted, "{args:?}: {err}");
    }
}

#[test]
fn figure_files_say_what_is_compared() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("new.csv"), BASE.replace("70", "71")).unwrap();
    std::fs::write(dir.path().join("base.csv"), BASE).unwrap();
    let figure = |file: &str| format!("[data]\nfile = '{file}'\nx = 'lr'\ny = 'model'\nvalue = 'acc'\n");
    std::fs::write(dir.path().join("fig.toml"), figure("new.csv")).unwrap();
    std::fs::write(dir.path().join("old.toml"), figure("base.csv")).unwrap();
    for base in ["base.csv", "old.toml"] {
        let (code, _, err) = run(dir.path(), &["check", "fig.toml", "--against", base, "--better", "lower"]);
        assert!(code == 6 && err.contains("the worst: 70 to 71"), "{base}: {err}");
    }
    let arrays = run(dir.path(), &["check", "none.npy", "--against", "base.csv", "--better", "lower"]);
    assert_eq!(arrays.0, 3);
}

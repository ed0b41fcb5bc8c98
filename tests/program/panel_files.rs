//! Figure files whose panels have files of their own.

use crate::support::npy::npy;
use crate::support::place::Place;
use crate::support::program::{Ran, ended, program};
use serde_json::Value;
use std::fs;
use std::path::Path;

const FIGURE: &str = "[[panel]]\nfile = \"d/t.csv\"\ntitle = \"A\"\nx = \"x\"\ny = \"y\"\nvalue = \"v\"\nwhere = \"m = a\"\n\
    [[panel]]\nfile = \"d/t.csv\"\ntitle = \"B\"\nx = \"x\"\ny = \"y\"\nvalue = \"v\"\nwhere = \"m = b\"\n\
    [[panel]]\nfile = \"d/n.npy\"\ncmap = \"magma\"\nvmin = 0\n";

fn place() -> Place {
    let place = Place::new(&[
        ("d/t.csv", b"x,y,v,m\n1,1,1,a\n2,1,2,a\n1,1,5,b\n2,1,9,b\n".to_vec()),
        ("d/n.npy", npy("(3, 2)", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])),
    ]);
    fs::write(place.path("f.toml"), FIGURE).unwrap();
    place
}

fn run(dir: &Path, line: &str) -> Ran {
    ended(&mut program(dir, line))
}

#[test]
fn values_without_a_name_are_those_of_their_file() {
    let place = place();
    place.write("d/m.csv", "0,1\n2,3\n");
    let figure =
        "[[panel]]\nfile = \"d/m.csv\"\n[[panel]]\nfile = \"d/n.npy\"\n[[panel]]\nfile = \"d/m.csv\"\n";
    let limits = |figure: &str| {
        fs::write(place.path("g.toml"), figure).unwrap();
        let report = json(place.folder(), "render g.toml -o g.png --backend cpu --json");
        let scales = report["scales"].as_array().unwrap().clone();
        let vmax = scales.iter().map(|s| s["vmax"].as_f64().unwrap());
        vmax.collect::<Vec<f64>>()
    };
    assert_eq!(limits(figure), [3.0, 5.0, 3.0]);
    assert_eq!(limits(&format!("{figure}[color]\nscale = \"shared\"\n")), [5.0]);
}

#[test]
fn a_panel_is_not_its_own_baseline() {
    let place = place();
    let own = FIGURE.replace("where = \"m = b\"\n", "where = \"m = b\"\nminus = \"panel:B\"\n");
    fs::write(place.path("own.toml"), own).unwrap();
    let ran = place.ends(2, "render own.toml -o f.png");
    assert!(ran.err.contains("d/t.csv: minus: 'B' is the panel itself"), "{}", ran.err);
    assert!(ran.err.contains("hint: the others are: A, n"), "{}", ran.err);
    // A baseline of all panels leaves its own as it is.
    let tables = FIGURE.split_at(FIGURE.rfind("[[panel]]").unwrap()).0;
    fs::write(place.path("all.toml"), format!("[data]\nminus = \"panel:A\"\n{tables}")).unwrap();
    place.ends(0, "render all.toml -o f.png --backend cpu");
}

fn json(dir: &Path, line: &str) -> Value {
    let ran = run(dir, line);
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    serde_json::from_slice(&ran.out).unwrap()
}

#[test]
fn panels_of_several_files_and_shapes_are_one_figure() {
    let place = place();
    let report = json(place.folder(), "render f.toml -o f.png --backend cpu --json");
    let panels: Vec<String> = report["panels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| {
            let size = (&p["rows"], &p["columns"]);
            format!("{} {}x{} {}", p["name"], size.0, size.1, p["max"]["value"])
        })
        .collect();
    assert_eq!(panels, ["\"A\" 1x2 2", "\"B\" 1x2 9", "\"n\" 3x2 5.0"]);
    // Panels of one value have the same limits, each with a bar.
    let scales = report["scales"].as_array().unwrap();
    let limits: Vec<(f64, f64)> =
        scales.iter().map(|s| (s["vmin"].as_f64().unwrap(), s["vmax"].as_f64().unwrap())).collect();
    assert_eq!(limits, [(1.0, 9.0), (1.0, 9.0), (0.0, 5.0)]);
    // Flags hold for all panels.
    let tables = FIGURE.split_at(FIGURE.rfind("[[panel]]").unwrap()).0;
    fs::write(place.path("tables.toml"), tables).unwrap();
    let filtered = json(place.folder(), "info tables.toml --where m=b --json");
    assert_eq!(filtered["panels"][0]["max"]["value"], 9);
    let exported = run(place.folder(), "export f.toml -o g.csv");
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    assert!(place.path("g-A.csv").is_file() && place.path("g-n.csv").is_file());
}

#[test]
fn the_description_in_a_picture_draws_it_again() {
    let place = place();
    assert_eq!(run(place.folder(), "render f.toml -o d/f.png --backend cpu").code, Some(0));
    let described = run(place.folder(), "info d/f.png");
    fs::write(place.path("d/again.toml"), &described.out).unwrap();
    let again = run(place.folder(), "render d/again.toml -o d/again.png --backend cpu");
    assert_eq!(again.code, Some(0), "{}", again.err);
    let bytes = |name| fs::read(place.path(name)).unwrap();
    assert!(bytes("d/f.png") == bytes("d/again.png"));
}

#[test]
fn a_panel_may_be_the_difference_from_another_one() {
    let place = place();
    let more = "[[panel]]\nfile = \"d/t.csv\"\ntitle = \"B - A\"\nx = \"x\"\ny = \"y\"\nvalue = \"v\"\nwhere = \"m = b\"\n";
    let with = |base: &str| format!("{FIGURE}{more}minus = {base:?}\n");
    let largest = |base: &str| {
        fs::write(place.path("g.toml"), with(base)).unwrap();
        let report = json(place.folder(), "info g.toml --json");
        let panels = report["panels"].as_array().unwrap().clone();
        assert_eq!((panels.len(), &panels[0]["max"]["value"]), (4, &Value::from(2)), "{base}");
        (panels[3]["name"].clone(), panels[3]["max"]["value"].as_f64().unwrap())
    };
    fs::write(place.path("d/base.csv"), "x,y,v,m\n1,1,4,b\n2,1,6,b\n").unwrap();
    for (base, wanted) in [("A", 7.0), ("panel:A", 7.0), ("file:d/base.csv", 3.0), ("x=1", 4.0)] {
        assert_eq!(largest(base), (Value::from("B - A"), wanted), "{base}");
    }
    fs::write(place.path("A"), "").unwrap();
    for (base, wanted) in [("panel:C", "the panels are: A, B, n, B - A"), ("A", "'A' is a panel and a file")]
    {
        fs::write(place.path("g.toml"), with(base)).unwrap();
        let ran = run(place.folder(), "check g.toml");
        assert!(ran.code != Some(0) && ran.err.contains(wanted), "{base}: {}", ran.err);
    }
}

#[test]
fn faults_are_named_by_their_places() {
    let place = place();
    let refused = |figure: String, wanted: &str| {
        fs::write(place.path("g.toml"), figure).unwrap();
        let ran = run(place.folder(), "check g.toml");
        assert!(ran.code != Some(0) && ran.err.contains(wanted), "{wanted}: {:?} {}", ran.code, ran.err);
    };
    let with = |old: &str, new: &str| FIGURE.replacen(old, new, 1);
    refused(with("title", "titel"), "g.toml: line 3, column 1: unknown key 'titel'; did you mean 'title'?");
    refused(with("value =", "panel ="), "unknown key 'panel'");
    refused(with("\"magma\"", "\"magmma\""), "panel.cmap: 'magmma' is not a colormap");
    refused(with("vmin = 0", "vmin = \"a\""), "g.toml: line 18, column 8: panel.vmin: invalid type");
    refused(with("d/n.npy", "no.npy"), "no.npy: no such file");
    refused(with("file = \"d/n.npy\"\n", ""), "g.toml: panel: panel 3 under [[panel]] names no file");
    refused(with("value = \"v\"", "value = [\"v\", \"x\"]"), "2 panels under one [[panel]]");
    refused("[[panel]]\nfile = \"d/t.csv\"\n".repeat(4097), "4097 panels under [[panel]]");
    refused(format!("{FIGURE}[panels.C]\nvmin = 0\n"), "panels.C: the data have no such panel");
    let ran = run(place.folder(), "check f.toml d/t.csv");
    assert!(ran.code == Some(2) && ran.err.contains("names a file for each [[panel]]"), "{}", ran.err);
}

/// The cells that `gridscope export` writes of a figure file with panels A and B, row after row.
fn exported(dir: &Path, head: &str, of_b: &str) -> [Vec<f64>; 2] {
    std::fs::write(dir.join("a.csv"), "y,x,v\np,i,1\np,j,3\nq,i,2\nq,j,6\n").unwrap();
    std::fs::write(dir.join("b.csv"), "y,x,v\np,i,9\np,j,5\nq,i,4\nq,j,30\n").unwrap();
    let text = format!(
        "{head}\n[[panel]]\ntitle = 'A'\nfile = 'a.csv'\n[[panel]]\ntitle = 'B'\nfile = 'b.csv'\n{of_b}\n"
    );
    std::fs::write(dir.join("f.toml"), text).unwrap();
    let ran = run(dir, "export f.toml -o o.csv");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ["o-A.csv", "o-B.csv"].map(|name| {
        let text = std::fs::read_to_string(dir.join(name)).unwrap();
        let cells = text.lines().skip(1).flat_map(|line| line.split(',').skip(1));
        cells.map(|cell| cell.parse().unwrap()).collect()
    })
}

#[test]
fn shares_scores_and_orders_come_after_comparisons_and_are_of_all_panels() {
    let folder = place();
    let dir = folder.folder();
    let roles = "[data]\nx = 'x'\ny = 'y'\nvalue = 'v'";
    let [a, b] = exported(dir, &format!("{roles}\nnormalize = 'all'"), "");
    let sum: f64 = a.iter().chain(&b).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{a:?} {b:?}");
    // B - A is 8, 2; 2, 24, of which the shares of rows are.
    let [_, b] = exported(dir, &format!("{roles}\nnormalize = 'row'"), "minus = 'panel:A'");
    assert_eq!(b, [0.8, 0.2, 2.0 / 26.0, 24.0 / 26.0]);
    let [a, b] = exported(dir, &format!("{roles}\n[y]\nsort = 'mean:desc'\nkeep = 1"), "minus = 'panel:A'");
    assert_eq!((a, b), (vec![2.0, 6.0], vec![2.0, 24.0]));
    // One order: by the means of both panels, q before p.
    let [a, b] = exported(dir, &format!("{roles}\n[y]\nsort = 'mean:desc'"), "");
    assert_eq!((a, b), (vec![2.0, 6.0, 1.0, 3.0], vec![4.0, 30.0, 9.0, 5.0]));
    let [a, b] = exported(dir, roles, "z_score = 'row'");
    assert_eq!((a[0], b.len()), (1.0, 4));
    assert!(b.iter().all(|v| v.abs() < 1.0), "{b:?}");
}

//! Margins against numpy: `make.py` wrote the table and what numpy says of its rows and columns.

use crate::support::npy::{npy, zeros};
use crate::support::place::Place;
use serde_json::Value;

const TABLE: &str = include_str!("table.csv");
const TRUTH: &str = include_str!("truth.json");

/// Whether two numbers of a report are equal to twelve digits, relative to the second.
fn is_close(got: &Value, want: &Value) -> bool {
    match (got.as_f64(), want.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-12 * b.abs(),
        _ => got == want,
    }
}

#[test]
fn margins_are_what_numpy_says() {
    let p = Place::new(&[("t.csv", TABLE)]);
    let truth: Value = serde_json::from_str(TRUTH).unwrap();
    let stats = ["mean", "min", "max", "sum", "count", "std"];
    let flags: Vec<String> = stats.iter().map(|s| format!("--margin both:{s}:bars")).collect();
    for form in ["", " --transpose", " --reverse x,y --origin lower", " --width 40 --height 900"] {
        let line = format!("render t.csv -o t.png --json --height 3000 {}{form}", flags.join(" "));
        let line = if form.contains("width") {
            // Several rows and columns under a pixel: the numbers are of single ones.
            format!("check t.csv --json {}", flags.join(" "))
        } else {
            line
        };
        let report = p.ends(0, &line).json();
        let margins = report["panels"][0]["margins"].as_array().unwrap();
        assert_eq!(margins.len(), 2 * stats.len());
        for margin in margins {
            let (of, stat) = (margin["of"].as_str().unwrap(), margin["stat"].as_str().unwrap());
            let is_turned = form.contains("transpose");
            let of = if is_turned { if of == "rows" { "columns" } else { "rows" } } else { of };
            let want = truth[of][stat].as_array().unwrap();
            let got = margin["values"].as_array().unwrap();
            assert_eq!(got.len(), want.len());
            for (i, (a, b)) in got.iter().zip(want).enumerate() {
                assert!(is_close(a, b), "{form} {of} {stat} {i}: {a} and not {b}");
            }
        }
    }
}

#[test]
fn every_margin_draws_whatever_the_values_are() {
    let one = "1,2,3\n".to_owned();
    let column = "1\n2\n3\n".to_owned();
    let infinite = "inf,1\n-inf,2\ninf,-inf\n".to_owned();
    let huge = "1e300,-1e300\n1.7e308,5e-324\n".to_owned();
    let wide = [vec!["0.5"; 3000].join(","), vec!["-2"; 3000].join(",")].join("\n");
    let p = Place::new(&[
        ("one.csv", &one),
        ("column.csv", &column),
        ("infinite.csv", &infinite),
        ("huge.csv", &huge),
        ("wide.csv", &wide),
        ("t.csv", &TABLE.to_owned()),
    ]);
    let margins =
        "both:mean,both:minmax,both:std,both:max:strip,rows:count,columns:sum:line,rows:minmax:bars";
    p.write("none.npy", npy("(2, 3)", &[f64::NAN; 6]));
    for file in p.names() {
        for out in ["a.png", "a.svg"] {
            p.ends(0, &format!("render {file} -o {out} --backend cpu --dpi 60 --margin {margins}"));
        }
    }
    // More lines than are summed up one by one, and the part that the message names.
    zeros(p.path("long.npy"), "<f4", false, &[5_000_000, 1]);
    let err = p.ends(7, "render long.npy -o b.png --margin rows:mean").err;
    assert!(err.contains("5000000 rows are more than 4194304\nhint: --rows 0:4194304"), "{err}");
    p.ends(0, "render long.npy -o b.png --margin columns:mean");
    p.ends(0, "render long.npy -o b.png --margin rows:mean --rows 0:4194304");
    // In a figure file, and in what its picture says of itself.
    p.write("f.toml", "margin = ['rows:mean', 'columns:max:line']\n[data]\nfile = 't.csv'\n");
    p.ends(0, "render f.toml -o f.png");
    let err = p.ends(2, "render t.csv -o b.png --margin rows:sum:strip").err;
    assert!(err.contains("mean, min or max"), "{err}");
}

#[test]
fn a_band_has_both_ends_and_a_deviation_its_name() {
    let p = Place::new(&[
        ("few.csv", "x,y,v\n1,a,1\n2,b,2\n"),
        ("huge.csv", "1e300,-1e300,5\n1e300,-1e300,5\n"),
        ("tiny.csv", "1e-300,-1e-300\n3,3\n"),
    ]);
    p.write("f.toml", "margin = \"rows:mean\"\n[data]\nfile = \"huge.csv\"\n");
    let margin = |line: &str| {
        let report = p.ends(0, &format!("render {line} -o t.png --json")).json();
        report["panels"][0]["margins"][0].clone()
    };
    let few = margin("few.csv -x x -y y -z v --margin rows:minmax");
    assert_eq!((&few["low"][0], &few["high"][1]), (&few["values"][0], &few["values"][1]));
    let few = margin("few.csv -x x -y y -z v --margin rows:std");
    assert_eq!((few["std"][0].is_null(), few["mean"][1].as_f64()), (true, Some(2.0)));
    let huge = margin("huge.csv --table matrix --margin rows:std");
    let near = |v: &Value, want: f64| (v.as_f64().unwrap() / want - 1.0).abs() < 1e-12;
    assert!(near(&huge["std"][0], 1e300) && near(&huge["high"][1], 1e300), "{huge}");
    let huge = margin("huge.csv --table matrix --margin columns:std");
    assert_eq!(huge["std"][0].as_f64(), Some(0.0), "{huge}");
    let tiny = margin("tiny.csv --table matrix --margin rows:std");
    assert!(near(&tiny["std"][0], 2f64.sqrt() * 1e-300), "{tiny}");
    assert!(margin("f.toml").is_object() && margin("f.toml --margin none").is_null());
}

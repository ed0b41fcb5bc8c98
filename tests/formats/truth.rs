//! Outside files through the whole program, and outside truth for norms, maps and folds. `GRIDSCOPE_CORPUS` names their folder.

use crate::support::corpus::{corpus, files};
use crate::support::place::Place;
use gridscope::figure::Figure;
use gridscope::grid::{Number, ScanRequest, Summary, fold};
use gridscope::input::{ReadOptions, open, read_npy};
use gridscope_core::scale::{Colormap, Norm};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn number(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| v.as_str().unwrap().parse().unwrap())
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn tables_with_one_right_answer() {
    let corpus = corpus();
    let place = Place::empty();
    let tidy = |x: &'static str, y: &'static str, v: &'static str| vec!["--x", x, "--y", y, "--value", v];
    let cases: Vec<(&str, Vec<&str>, i32, &str)> = vec![
        ("csv/frictionless/matrix.csv", vec![], 0, "matrix, 4 rows x 4 columns"),
        ("csv/frictionless/matrix-with-comment.csv", vec![], 0, "4 rows x 4 columns"),
        ("csv/frictionless/bom.csv", vec!["--x", "id", "--y", "id", "--agg", "count"], 0, ""),
        ("csv/frictionless/latin1.csv", vec![], 3, "byte "),
        ("csv/rust-csv/uspop-latin1.csv", vec![], 3, "is not UTF-8"),
        ("csv/frictionless/defective-rows.csv", vec![], 3, "line "),
        ("csv/frictionless/invalid.csv", vec![], 3, "expected"),
        (
            "csv/frictionless/duplicate-headers.csv",
            vec!["--x", "id", "--y", "id", "--agg", "count"],
            2,
            "3 columns are named",
        ),
        (
            "csv/frictionless/issue-1009-semicolon.csv",
            vec!["--x", "column 1", "--y", "column 2", "--agg", "count"],
            0,
            "",
        ),
        ("csv/rust-csv/smallpop-colon.csv", vec![], 3, "did you mean --delimiter :?"),
        ("csv/frictionless/empty.csv", vec![], 3, "no data rows"),
        ("csv/frictionless/chunk1.csv.zip", vec![], 3, "zip archive"),
        ("csv/frictionless/numeric-labels.csv", vec![], 0, ""),
        ("csv/rust-csv/strange.csv", vec![], 0, "warning[short-rows]"),
        ("csv/rust-csv/uspop-null.csv", tidy("State", "City", "Population"), 0, "warning[nan]"),
        ("csv/rust-csv/uspop-null.csv", tidy("State", "Population", "City"), 3, "is not a number"),
        (
            "csv/frictionless/issue-1066-largecellsize.csv",
            vec!["--x", "column 1", "--y", "column 2", "--agg", "count"],
            0,
            "",
        ),
        ("grids/plotly/volcano.csv", vec![], 0, "87 rows x 61 columns"),
        ("grids/vega/volcano.json", vec![], 0, "61 x 87"),
        ("sweeps/needle/needle_tidy.csv", vec![], 2, "hint: --x "),
        (
            "sweeps/needle/needle_tidy.csv",
            tidy("context_length", "depth_percent", "score"),
            0,
            "warning[duplicate-keys]",
        ),
    ];
    for (file, options, want, word) in cases {
        let path = corpus.join(file);
        let ran = place
            .limited("render", &path, &options.iter().map(|o| (*o).to_owned()).collect::<Vec<_>>())
            .unwrap_or_else(|e| panic!("{e}"));
        assert!(
            ran.code == Some(want) && ran.err.contains(word),
            "{file} {options:?}: exit {:?}: {}",
            ran.code,
            ran.err
        );
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn needle_means_are_exported() {
    let corpus = corpus();
    let source = corpus.join("sweeps/needle/needle_tidy.csv");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridscope"));
    let args = [
        "--x",
        "context_length",
        "--y",
        "depth_percent",
        "--value",
        "score",
        "--blank-key",
        "drop",
        "-o",
        "-",
        "--quiet",
    ];
    let out =
        String::from_utf8(command.arg("export").arg(source).args(args).output().unwrap().stdout).unwrap();
    let want = fs::read_to_string(corpus.join("sweeps/expected/needle_depth_x_length_mean.csv")).unwrap();
    let cells = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|l| l.split(',').map(str::to_owned).collect()).collect()
    };
    let (got, want) = (cells(&out), cells(&want));
    assert_eq!((got.len(), got[0].clone()), (want.len(), want[0].clone()));
    for (g, w) in got.iter().zip(&want).skip(1) {
        assert_eq!(g.len(), w.len());
        for (g, w) in g.iter().zip(w) {
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
            assert!(g == w || close(g.parse().unwrap(), w.parse().unwrap()), "{g}, not {w}");
        }
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn norms_are_matplotlibs() {
    let corpus = corpus();
    let truth = json(&corpus.join("norms_shared.json"));
    let vector: Vec<f64> = truth["vector"].as_array().unwrap().iter().map(number).collect();
    let mut checked = 0;
    for case in
        truth["cases"].as_array().unwrap().iter().filter(|c| c["clip"] == false && c["out"].is_array())
    {
        let (word, params) = (case["norm"].as_str().unwrap(), &case["params"]);
        let norm = match word {
            "Normalize" => Norm::Linear,
            "LogNorm" => Norm::Log,
            "TwoSlopeNorm" => Norm::TwoSlope { center: number(&params["vcenter"]) },
            other => panic!("{other} is not compared yet"),
        };
        let (vmin, vmax) = (number(&case["vmin"]), number(&case["vmax"]));
        for (i, &v) in vector.iter().enumerate().filter(|(_, v)| !v.is_nan()) {
            let t = norm.t(v, vmin, vmax, 256);
            let what = format!("{word} of {v}: {t}");
            // What a log cannot take lies below, where matplotlib masks it; infinities lie beyond.
            if word == "LogNorm" && v <= 0.0 || v == f64::NEG_INFINITY {
                assert!(t < 0.0 || t.is_nan() && v < 0.0, "{what}");
            } else if v == f64::INFINITY {
                assert!(t > 1.0, "{what}");
            } else {
                let want = number(&case["out"][i]);
                assert_eq!((t < 0.0, t > 1.0), (want < 0.0, want > 1.0), "{what}, not {want}");
                assert!((t - want).abs() <= 1e-6 * want.abs().max(1.0), "{what}, not {want}");
            }
        }
        checked += 1;
    }
    assert!(checked >= 3);
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn maps_are_matplotlibs() {
    let corpus = corpus();
    let mut checked = 0;
    for file in files(&corpus.join("colormaps")) {
        let truth = json(&file);
        let Some(name) = truth["name"].as_str() else {
            continue;
        };
        let map = Colormap::named(name).unwrap();
        let rows = truth["rgba8"].as_array().unwrap();
        assert_eq!(map.entries.len(), rows.len(), "{name}");
        for (i, (entry, row)) in map.entries.iter().zip(rows).enumerate() {
            for (got, want) in entry.rgba().iter().zip(row.as_array().unwrap()) {
                assert!(
                    (i64::from(*got) - want.as_i64().unwrap()).abs() <= 1,
                    "{name} {i}: {:?}, not {row}",
                    entry.rgba()
                );
            }
        }
        checked += 1;
    }
    assert!(checked >= 30, "{checked} maps");
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn folds_are_numpys() {
    let corpus = corpus();
    let read = |name: &str| read_npy(&fs::read(corpus.join("reduce").join(name)).unwrap(), name).unwrap();
    let source = read("reduce_src.npy");
    let (rows, columns) = (source.shape[0], source.shape[1]);
    let cells: Vec<u32> = (0..source.data.len())
        .map(|i| match source.data.get(i).as_f64() as f32 {
            v if v.is_nan() => gridscope::grid::State::Nan.bits(),
            v => v.to_bits(),
        })
        .collect();
    let spans = |n: usize| -> Vec<[u32; 2]> {
        (0..n.div_ceil(10)).map(|i| [i as u32 * 10, (i as u32 * 10 + 10).min(n as u32)]).collect()
    };
    let blocks: Vec<Summary> = fold(&cells, columns, &spans(columns), &spans(rows));
    // The parallel passes, over the array as it lies in its file.
    let file = corpus.join("reduce/reduce_src.npy").display().to_string();
    let grid = open(&[file], &Figure::default(), &ReadOptions::default(), 1 << 30).unwrap().grids.remove(0);
    assert!(!grid.is_loaded());
    let (across, down) = (spans(columns), spans(rows));
    let passes = [
        grid.fold(&across, &down).unwrap(),
        grid.scan(&ScanRequest { body: Some((&across, &down)), ..ScanRequest::default() }).unwrap().summaries,
    ];
    let passes = passes.map(|p| p.stored().expect("an array of f32").to_vec());
    let exact = grid.exact(&across, &down).unwrap();
    let [min, max, mean, count] =
        ["min", "max", "mean", "count"].map(|w| read(&format!("reduce_10x10_{w}.npy")).data);
    assert_eq!(blocks.len(), min.len());
    for (i, e) in exact.iter().enumerate().filter(|(_, e)| e.count > 0) {
        let same = |got: Option<Number>, want: Number| {
            got.map(|v| v.as_f64().to_bits()) == Some(want.as_f64().to_bits())
        };
        assert!(
            same(e.min, min.get(i)) && same(e.max, max.get(i)) && e.count as f64 == count.get(i).as_f64(),
            "block {i}: {e:?}"
        );
    }
    for (i, b) in [&blocks, &passes[0], &passes[1]].into_iter().flat_map(|list| list.iter().enumerate()) {
        assert_eq!(b.count() as f64, count.get(i).as_f64(), "block {i}");
        if b.count() == 0 {
            assert!(min.get(i).as_f64().is_nan() && mean.get(i).as_f64().is_nan() && b.mean().is_nan());
            continue;
        }
        let (low, high) = (min.get(i).as_f64() as f32, max.get(i).as_f64() as f32);
        assert_eq!((b.min.to_bits(), b.max.to_bits()), (low.to_bits(), high.to_bits()), "block {i}");
        let (got, want) = (b.mean(), mean.get(i).as_f64());
        let most = f64::from(low.abs().max(high.abs()));
        let close = (got - want).abs() <= 1e-6 * want.abs() + 1e-12 * most;
        assert!(close || got == want || (got.is_nan() && want.is_nan()), "block {i}: {got}, not {want}");
    }
}

//! `gridscope bench`: both back ends, every output, refusals. Times are not checked.

use crate::support::place::Place;
use crate::support::program::Ran;
use crate::support::required;
use serde_json::{Value, json};
use std::fs;

/// Small enough for a debug build; the memory limit keeps the measured copy short.
const SMALL: &str = "--cells 2500,1e4 --size 40x30 --runs 3 --warmup 1 --max-memory 64M";
const CPU: &str = "--backend cpu";

impl Place {
    /// Runs `bench` with a line that is split at spaces.
    fn bench(&self, words: &str) -> Ran {
        self.run(&format!("bench {words}"))
    }

    /// Measures on the CPU, and returns the standard error of a run that ends with `code`.
    fn measures(&self, code: i32, words: &str) -> String {
        let ran = self.bench(&format!("{CPU} {words}"));
        assert_eq!(ran.code, Some(code), "{words}: {}", ran.err);
        assert!(code == 0 || ran.out.is_empty(), "{words}: {}", ran.text());
        ran.err
    }
}

/// Whether a device can be opened. If one is required, it must.
fn has_device(p: &Place) -> bool {
    let ran = p.bench("--cells 4 --size 2x2 --runs 1 --max-memory 64M --json");
    let required = cfg!(feature = "gpu") && required::adapter();
    assert!(ran.code == Some(0) || (ran.code == Some(5) && !required), "{:?} {}", ran.code, ran.err);
    ran.code == Some(0)
}

fn last_line(text: &str) -> Value {
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

fn times(value: &Value) -> Vec<f64> {
    value["frame_ms"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

/// 6 rows of 8 numbers.
fn matrix() -> String {
    (0..6).map(|r| (0..8).map(|c| (r * 8 + c).to_string()).collect::<Vec<_>>().join(",") + "\n").collect()
}

#[test]
fn both_back_ends_measure_the_same_pictures() {
    let p = Place::empty();
    let line = format!("{SMALL} --reduce max,min,extreme,count --json");
    let cpu = p.bench(&format!("{line} {CPU}")).json();
    assert_eq!(
        (&cpu["report"], &cpu["backend"]["name"], &cpu["backend"]["work"]),
        (&json!("gridscope bench"), &json!("cpu"), &json!("cpu"))
    );
    let cases = cpu["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 2 * 4 * 4);
    assert_eq!(cases[0]["name"], "generated 50x50 whole max 40x30");
    assert_eq!(
        (&cases[0]["cells"], &cases[0]["frames"], &cases[0]["width"]),
        (&json!(2500.0), &json!(3), &json!(40))
    );
    for c in cases {
        let of = |key: &str| c[key].as_f64().unwrap();
        assert!(
            of("min_ms") <= of("median_ms")
                && of("median_ms") <= of("p95_ms")
                && of("p95_ms") <= of("p99_ms"),
            "{c}"
        );
        let rate = of("cells") / of("median_ms") * 1e3;
        assert!(
            (of("cells_per_s") / rate - 1.0).abs() < 1e-9 && (of("bytes_per_s") / rate - 4.0).abs() < 1e-6,
            "{c}"
        );
        assert!(c["phases_ms"]["draw"].is_number() && of("of_copy") > 0.0, "{c}");
    }
    // Reductions change the picture if and only if pixels cover several cells.
    let picture = |report: &Value, name: &str| {
        let cases = report["cases"].as_array().unwrap();
        cases.iter().find(|c| c["name"] == name).unwrap_or_else(|| panic!("{name}"))["sha256"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let of = |view: &str, reduce: &str| picture(&cpu, &format!("generated 100x100 {view} {reduce} 40x30"));
    assert!(of("whole", "max") != of("whole", "min") && of("whole", "max") != of("whole", "count"));
    assert_eq!(of("one", "max"), of("one", "min"));
    if !has_device(&p) {
        return;
    }
    for (work, asked) in [("auto", ""), ("device", "--work device"), ("cpu", "--work cpu")] {
        let gpu = p.bench(&format!("{line} --backend gpu {asked}")).json();
        same_on_a_device(&gpu, work, cases);
    }
}

/// A device has drawn the same pictures, whoever folded and painted.
fn same_on_a_device(gpu: &Value, work: &str, cases: &[Value]) {
    assert_eq!((&gpu["backend"]["name"], &gpu["backend"]["work"]), (&json!("gpu"), &json!(work)));
    // A software device leaves it to the CPU, and hardware does at these sizes.
    let worker = if work == "auto" { "cpu" } else { work };
    assert_eq!(
        gpu["grids"][0]["upload_ms"].is_number(),
        worker == "device" || gpu["backend"]["software"] == json!(false) && work == "auto"
    );
    assert!(
        !gpu["backend"]["adapter"].as_str().unwrap().is_empty() && gpu["backend"]["software"].is_boolean()
    );
    for (a, b) in gpu["cases"].as_array().unwrap().iter().zip(cases) {
        assert_eq!((&a["name"], &a["sha256"]), (&b["name"], &b["sha256"]));
        assert_eq!(a["work"], worker);
        assert!(["upload", "draw", "readback"].iter().all(|phase| a["phases_ms"][phase].is_number()), "{a}");
    }
}

#[test]
fn a_line_for_each_case() {
    let p = Place::new(&[("m.csv", matrix().as_str())]);
    let plain = p.bench(&format!("m.csv {CPU} --json=r.json --size 4x3,16x12 --runs 2 --max-memory 64M"));
    assert_eq!(plain.code, Some(0), "{}", plain.err);
    let text = plain.text();
    assert!(text.starts_with("cpu: ") && !text.contains("frame_ms"), "{text}");
    let lines = text.lines().filter(|l| l.starts_with("m.csv 6x8 ") && l.contains(": median "));
    assert_eq!((lines.count(), text.lines().count()), (8, 9));
    let report = p.json("r.json");
    assert_eq!(
        (&report["cases"][0]["name"], &report["grids"][0]["rows"]),
        (&json!("m.csv 6x8 whole mean 4x3"), &json!(6))
    );
    assert!(report["machine"]["cores"].as_u64().unwrap() > 0 && report.get("frame_ms").is_none());
}

#[test]
fn views_of_a_file_end_in_their_times() {
    let views = "[[0, 8, 0, 6], [1.5, 6.25, -2, 3.5], [0.5, 1, 0.5, 1]]";
    let p = Place::new(&[("m.csv", matrix().as_str()), ("v.json", views)]);
    let mut backends = vec![CPU];
    if has_device(&p) {
        backends.push("--backend gpu");
    }
    for backend in backends {
        for output in ["", "--json", "--json=r.json", "--runs 3 --warmup 0 --reduce count"] {
            let ran =
                p.bench(&format!("m.csv --views v.json --size 3x2 --max-memory 64M {backend} {output}"));
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            let list = times(&last_line(&ran.text()));
            assert!(list.len() == 3 && list.iter().all(|t| t.is_finite() && *t >= 0.0), "{list:?}");
            if output == "--json" {
                let report = ran.json();
                assert_eq!(
                    (report["cases"].as_array().unwrap().len(), &report["cases"][0]["view"]),
                    (1, &json!("v.json"))
                );
                // 48 cells, then columns 1 to 5 of rows 0 to 2, then one cell.
                assert_eq!(report["cases"][0]["cells"], json!((48.0 + 15.0 + 1.0) / 3.0));
            }
        }
        assert_eq!(times(&p.json("r.json")).len(), 3);
    }
    let ran = p.bench(&format!("--cells 100 --views v.json --size 3x2 --max-memory 64M {CPU}"));
    assert_eq!(times(&last_line(&ran.text())).len(), 3);
}

#[test]
fn bad_views_are_refused_with_their_place() {
    let files = [
        ("m.csv", matrix()),
        ("short.json", "[[0, 1, 0, 1], [0, 1, 0]]".to_owned()),
        ("turned.json", "[[1, 0, 0, 1]]".to_owned()),
        ("away.json", "[[0, 1, 0, 1], [8, 9, 0, 1]]".to_owned()),
        ("cut.json", "[[0, 1,\n 0, 1]".to_owned()),
        ("empty.json", "[]".to_owned()),
    ];
    let p = Place::new(&files.each_ref().map(|(n, t)| (*n, t.as_str())));
    for (file, place) in [
        ("short.json", "view 2: is not four numbers"),
        ("turned.json", "view 1: x0 must be below x1"),
        ("away.json", "view 2: shows none of the 6 rows x 8 columns"),
        ("cut.json", "line 2, column "),
        ("empty.json", "contains no view"),
        ("none.json", "no such file"),
    ] {
        let err = p.measures(3, &format!("m.csv --views {file} --size 4x4 --max-memory 64M"));
        assert!(err.starts_with(&format!("error: {file}: {place}")), "{err}");
    }
}

#[test]
fn wrong_flags_are_usage() {
    let p = Place::new(&[("m.csv", matrix().as_str()), ("v.json", "[[0, 1, 0, 1]]")]);
    for line in [
        "--size 0x5",
        "--size 5",
        "--size 4x4,axb",
        "--size -4x4",
        "--cells 0",
        "--cells 1e3,many",
        "--cells 1.5",
        "m.csv --cells 1e3",
        "--reduce middle",
        "--runs 0",
        "--device 0",
        "--work device",
        "--views v.json",
        "--views v.json --cells 1e3,1e4",
        "m.csv --views v.json --size 4x4,8x8",
        "m.csv --views v.json --reduce mean,max",
        "--max-memory much",
        "--timeout 0",
        "m.csv v.json",
    ] {
        p.measures(2, line);
    }
    fs::write(p.path("t.csv"), "p,x,y,v\na,1,1,5\na,2,1,6\nb,1,1,7\nb,2,1,8\n").unwrap();
    fs::write(
        p.path("t.toml"),
        "[data]\nfile = \"t.csv\"\nx = \"x\"\ny = \"y\"\nvalue = \"v\"\npanel = \"p\"\n",
    )
    .unwrap();
    assert!(p.measures(2, "t.toml --size 4x4").contains("the data have 2: a, b"));
}

#[test]
fn too_much_is_exit_7_and_a_bad_grid_3() {
    let p = Place::new(&[("bad.csv", "1,2\n3,4\n5,6,7\n")]);
    for line in [
        "--cells 1e6 --max-memory 1M",
        "--max-memory 4M --size 4x4",
        "--size 70000x1",
        "--size 65535x65535 --max-memory 64M",
        "--cells 9e15",
    ] {
        let err = p.measures(7, line);
        assert!(err.starts_with("error: "), "{err}");
    }
    p.measures(3, "bad.csv --size 4x4");
    p.measures(3, "none.npy --size 4x4");
    p.measures(4, "--cells 4 --size 4x4 --json=no/such/folder.json");
}

#[test]
fn no_such_device_is_exit_5() {
    let p = Place::empty();
    let ran = p.bench("--cells 4 --size 4x4 --device no-such-device --max-memory 64M");
    assert_eq!(ran.code, Some(5), "{}", ran.err);
    assert!(ran.err.contains("\nhint: "), "{}", ran.err);
}

#[test]
fn a_figure_file_says_how_a_grid_is_drawn() {
    let figure = |more: &str| format!("[data]\nfile = \"m.csv\"\n[reduce]\nby = \"max\"\n{more}");
    let p = Place::new(&[
        ("m.csv", matrix().as_str()),
        ("up.toml", &figure("")),
        ("red.toml", &figure("[color]\ncmap = \"Reds\"\n")),
    ]);
    let of = |file: &str| {
        p.bench(&format!("{file} {CPU} --size 4x3 --runs 1 --max-memory 64M --json")).json()["cases"][0]
            .clone()
    };
    let (up, red) = (of("up.toml"), of("red.toml"));
    assert_eq!((&up["reduce"], &up["name"]), (&json!("max"), &json!("up.toml 6x8 whole max 4x3")));
    assert_ne!(up["sha256"], red["sha256"]);
}

//! The flags of `gridscope bench` that measure a device: the same cells and pictures, whatever they choose.

use crate::support::place::Place;
use crate::support::required;
use serde_json::{Value, json};

const SMALL: &str = "--cells 4e4 --size 40x30 --runs 2 --warmup 0 --max-memory 64M --json";

fn report(p: &Place, words: &str) -> Value {
    let ran = p.run(&format!("bench {SMALL} {words}"));
    assert_eq!(ran.code, Some(0), "{words}: {}", ran.err);
    ran.json()
}

/// The views of a report and the pictures of their first frames.
fn pictures(report: &Value) -> Vec<(String, String)> {
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let cases = report["cases"].as_array().unwrap();
    cases.iter().map(|c| (text(&c["view"]), text(&c["sha256"]))).collect()
}

fn has_device(p: &Place) -> bool {
    let code = p.run("bench --cells 4 --size 2x2 --runs 1 --max-memory 64M --backend gpu").code;
    assert!(code == Some(0) || !(cfg!(feature = "gpu") && required::adapter()));
    code == Some(0)
}

#[test]
fn streamed_cells_and_chosen_views_give_the_same_pictures() {
    let p = Place::empty();
    let of_cpu = report(&p, "--backend cpu --reduce max");
    let held = pictures(&of_cpu);
    for key in ["longest_submission_ms", "read_back_bytes", "folds"] {
        assert_eq!(of_cpu["cases"][0].get(key), Some(&Value::Null), "{key}");
    }
    assert_eq!(pictures(&report(&p, "--backend cpu --reduce max --stream")), held);
    let chosen = pictures(&report(&p, "--backend cpu --reduce max --view one,whole"));
    assert_eq!(chosen, [held[0].clone(), held[2].clone()]);
    if !has_device(&p) {
        return;
    }
    for words in [
        "--stream",
        "--stream --work cpu",
        "--stream --work device",
        "--work device --no-pyramid",
        "--work device --fold-by thread",
        "--work device --fold-by group --no-pyramid",
        "--work device --fold-by group --no-pyramid --no-subgroups",
    ] {
        let of = report(&p, &format!("--backend gpu --reduce max --check {words}"));
        assert_eq!(pictures(&of), held, "{words}");
        for c in of["cases"].as_array().unwrap() {
            let right = json!({"pixels": 0, "apart": 0, "passes": true});
            assert_eq!(c["check"], right, "{words}: {c}");
            assert!(c["presentable_ms"].as_f64().unwrap() <= c["median_ms"].as_f64().unwrap() * 1.5, "{c}");
            let of_device = |key: &str| c[key].as_f64().unwrap_or_else(|| panic!("{key}: {c}"));
            // One wait for the device is far from 60 s on any machine.
            let longest = of_device("longest_submission_ms");
            assert!(longest > 0.0 && longest < 60_000.0, "{words}: {c}");
            // The picture, its rows padded to 256 bytes, and perhaps two pairs of times: nothing else is read back.
            let beside = of_device("read_back_bytes") - 30.0 * 256.0;
            assert!(beside == 0.0 || beside == 16.0 || beside == 32.0, "{words}: {c}");
            let folds = words.contains("--work device") && c["view"] != "one";
            assert_eq!(of_device("folds"), f64::from(u8::from(folds)), "{words}: {c}");
        }
        let g = &of["grids"][0];
        let uploaded = g["upload_ms"].is_f64();
        assert_eq!(uploaded, g["upload_bytes_per_s"].is_f64() && g["upload_of_pinned"].is_f64(), "{g}");
        assert!(uploaded || !words.contains("--work device"), "{words}: {g}");
    }
}

#[test]
fn labels_replace_cells() {
    let p = Place::empty();
    let mut backends = vec!["cpu"];
    if has_device(&p) {
        backends.push("gpu");
    }
    for backend in backends {
        let line = format!(
            "bench --labels 30 --size 300x200,400x300 --runs 2 --max-memory 64M --backend {backend} --json"
        );
        let of = p.run(&line).json();
        let cases = of["cases"].as_array().unwrap();
        assert_eq!(cases.len(), 2);
        for c in cases {
            assert_eq!(
                (&c["view"], &c["cells"], &c["check"]),
                (&json!("30 labels"), &json!(0.0), &Value::Null)
            );
        }
        assert!(cases[0]["sha256"] != cases[1]["sha256"]);
    }
}

#[test]
fn flags_that_contradict_are_usage() {
    let p = Place::new(&[("m.csv", "1,2\n3,4\n"), ("v.json", "[[0, 1, 0, 1]]")]);
    for line in [
        "--labels 0",
        "--labels 5 --cells 100",
        "--labels 5 --view whole",
        "m.csv --labels 5",
        "m.csv --stream",
        "m.csv --views v.json --view whole",
        "--view all",
        "--fold-by cells",
        "--fold-by group",
        "--no-pyramid",
        "--no-subgroups",
        "--work me",
    ] {
        assert_eq!(p.run(&format!("bench --backend cpu {line}")).code, Some(2), "{line}");
    }
}

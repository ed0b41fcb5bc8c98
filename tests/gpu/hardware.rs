//! `benches/hardware/run --small`: it runs on whatever adapter the machine has, and its report has all fields.
#![cfg(all(feature = "gpu", target_os = "linux"))]

use crate::support::adapter::context;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

/// The folder that `benches/hardware/pack` makes, of this build.
fn packed(folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::copy(root.join("benches/hardware/run"), folder.join("run")).unwrap();
    symlink(env!("CARGO_BIN_EXE_gridscope"), folder.join("bin/gridscope")).unwrap();
    symlink(std::env::current_exe().unwrap(), folder.join("bin/gpu")).unwrap();
}

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new("bash")
        .arg("run")
        .args(args)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .current_dir(folder)
        .output()
        .unwrap()
}

fn report(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("results/hardware.json")).unwrap()).unwrap()
}

/// The step of a name.
fn step<'a>(report: &'a Value, name: &str) -> &'a Value {
    let steps = report["steps"].as_array().unwrap();
    let found = steps.iter().find(|s| s["name"] == name);
    found.unwrap_or_else(|| panic!("no step {name}"))
}

#[test]
fn the_small_run_ends_well_and_reports_every_field() {
    if context().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    packed(folder.path());
    let ran = run(folder.path(), &["--small", "--seconds", "300"]);
    let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(0), "{said}");
    let report = report(folder.path());
    assert_eq!((&report["small"], &report["failures"]), (&true.into(), &0.into()));
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    for key in ["report", "date", "hardware", "seconds", "machine", "devices"] {
        assert!(!report[key].is_null(), "{key}");
    }
    for key in ["processor", "cores", "available_mb", "device_mb", "nvidia", "kernel"] {
        assert!(report["machine"].get(key).is_some(), "{key}");
    }
    assert!(!report["devices"]["devices"].as_array().unwrap().is_empty());
    for s in report["steps"].as_array().unwrap() {
        assert_eq!((&s["exit"], &s["note"]), (&0.into(), &"".into()), "{s}");
        let is_test = s["kind"] == "test";
        assert_eq!((s["passed"].is_u64(), s["report"].is_null()), (is_test, is_test), "{s}");
        assert!(s["seconds"].is_u64() && s["command"].as_str().unwrap().starts_with("bin/"), "{s}");
    }
    for name in ["fold", "painted", "shaders", "resting", "wide"] {
        assert!(step(&report, name)["passed"].as_u64().unwrap() > 0, "{name}");
    }
    let exact = &step(&report, "fold-exact")["report"];
    assert_eq!(exact["backend"]["name"], "gpu");
    assert!(exact["backend"]["copy_bytes_per_s"].is_f64() && exact["backend"]["pinned_bytes_per_s"].is_f64());
    assert!(exact["grids"][0]["upload_of_pinned"].is_f64(), "{exact}");
    for name in ["fold-exact", "frame", "resident"] {
        for case in step(&report, name)["report"]["cases"].as_array().unwrap() {
            assert_eq!((&case["work"], &case["check"]["passes"]), (&"device".into(), &true.into()), "{case}");
            assert!(case["presentable_ms"].is_f64() && case.get("device_ms").is_some(), "{case}");
        }
    }
    assert_eq!(step(&report, "labels")["report"]["cases"][0]["view"], "360 labels");
    let targets = report["targets"].as_array().unwrap();
    assert_eq!(targets.len(), 7);
    for t in targets {
        assert!(t["target"].is_number() && t.get("met").is_some(), "{t}");
        // Devices without a clock leave two of them out.
        assert!(
            t["value"].is_number()
                || t["name"].as_str().unwrap().contains("fold, of")
                || t["name"].as_str().unwrap().contains("clock"),
            "{t}"
        );
    }
    let table = fs::read_to_string(folder.path().join("results/hardware.md")).unwrap();
    for part in ["| target | wanted | measured | met |", "| fold | test | ", "## frame"] {
        assert!(table.contains(part), "{table}");
    }
}

#[test]
fn a_failing_step_is_reported_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    packed(path);
    // A program that fails in words that JSON must escape, and tests that are not there.
    fs::remove_file(path.join("bin/gridscope")).unwrap();
    fs::remove_file(path.join("bin/gpu")).unwrap();
    let fake = "#!/bin/sh\n[ \"$1\" != --version ] || { echo gridscope 0; exit 0; }\nprintf 'error: a \"quote\",\\ta \\\\ and a |\\nhint: none\\n' >&2\nexit 5\n";
    for name in ["gridscope", "gpu"] {
        fs::write(path.join("bin").join(name), fake).unwrap();
        let mut rights = fs::metadata(path.join("bin").join(name)).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o755);
        fs::set_permissions(path.join("bin").join(name), rights).unwrap();
    }
    let ran = run(path, &["--small"]);
    assert_eq!(ran.status.code(), Some(1));
    let report = report(path);
    let steps = report["steps"].as_array().unwrap();
    assert_eq!((report["failures"].as_u64(), &report["devices"]), (Some(steps.len() as u64), &Value::Null));
    for s in steps {
        assert_eq!((&s["exit"], &s["note"]), (&5.into(), &"error: a \"quote\",\ta \\ and a |".into()), "{s}");
    }
    assert!(report["targets"].as_array().unwrap().iter().all(|t| t["met"].is_null() && t["value"].is_null()));
    // Without time nothing is started.
    assert_eq!(run(path, &["--small", "--seconds", "4"]).status.code(), Some(1));
    let report = self::report(path);
    assert!(report["steps"].as_array().unwrap().iter().all(|s| s["exit"] == -1));
    for wrong in [&["--seconds", "x"][..], &["--many"], &["--out"]] {
        assert_eq!(run(path, wrong).status.code(), Some(2), "{wrong:?}");
    }
}

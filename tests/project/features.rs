//! Each feature of the crate is compiled alone by `tests/run features`.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
#[cfg(unix)]
fn the_stage_of_features_finds_every_feature() {
    let manifest: toml::Table = std::fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let features = manifest["features"].as_table().unwrap();
    let mut wanted: Vec<&str> = features.keys().map(String::as_str).filter(|f| *f != "default").collect();
    wanted.sort_unstable();
    assert!(wanted.len() > 1, "{wanted:?}");
    // Runs the line by which the script finds the names.
    let script = std::fs::read_to_string(root().join("tests/run")).unwrap();
    let line = script.lines().find(|l| l.contains("names=$(sed")).expect("the line that reads Cargo.toml");
    let said = Command::new("bash")
        .args(["-c", &format!("{line}; echo \"$names\"")])
        .current_dir(root())
        .output()
        .unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let mut found: Vec<&str> = said.lines().collect();
    found.sort_unstable();
    assert_eq!(found, wanted);
}

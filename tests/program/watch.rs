//! `render --watch`: the picture follows its file, and never shows an incomplete row.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The report of the picture as soon as `fits` is true of it.
fn until(report: &Path, what: &str, fits: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
    let start = Instant::now();
    loop {
        let text = fs::read_to_string(report).unwrap_or_default();
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(&text)
            && fits(&value)
        {
            return value;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{what}: {text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_picture_follows_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let (csv, png, report) = (
        dir.path().join("run.csv"),
        dir.path().join("run.png"),
        dir.path().join("run.json"),
    );
    fs::write(&csv, "x,y,v\n1,1,10\n1,2,20\n2,1,30\n").unwrap();
    let mut args = vec![csv.clone().into_os_string()];
    args.extend(["--x", "x", "--y", "y", "--value", "v", "--watch", "-o"].map(Into::into));
    args.extend([
        png.clone().into_os_string(),
        format!("--json={}", report.display()).into(),
    ]);
    let child = Command::new(env!("CARGO_BIN_EXE_gridscope"))
        .arg("render")
        .args(&args)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut child = Watching(child);
    let values = |v: &serde_json::Value| v["panels"][0]["counts"]["value"].as_u64();
    let limits = |v: &serde_json::Value| (v["scales"][0]["vmin"].as_f64(), v["scales"][0]["vmax"].as_f64());
    let first = until(&report, "the first picture", |v| values(v) == Some(3));
    assert_eq!(limits(&first), (Some(10.0), Some(30.0)));

    // A row without a line end is left out at first, and drawn when nothing more is written.
    let append = |text: &str| {
        OpenOptions::new()
            .append(true)
            .open(&csv)
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    };
    append("2,2,99\n3,1,7");
    let more = until(&report, "a new row", |v| values(v) == Some(4));
    assert_eq!(limits(&more), (Some(10.0), Some(99.0)));
    let whole = until(&report, "the last row without its end", |v| values(v) == Some(5));
    assert_eq!(limits(&whole), (Some(7.0), Some(99.0)));

    // If the file cannot be read, the picture stays.
    let good = fs::read(&png).unwrap();
    fs::write(&csv, "x,y,v\n1,1,\"open\n").unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(child.0.try_wait().unwrap().is_none() && fs::read(&png).unwrap() == good);

    // Limits only widen.
    fs::write(&csv, "x,y,v\n1,1,50\n1,2,60\n").unwrap();
    let narrow = until(&report, "the file written anew", |v| values(v) == Some(2));
    assert_eq!(limits(&narrow), (Some(7.0), Some(99.0)));
    Command::new("kill")
        .args(["-TERM", &child.0.id().to_string()])
        .status()
        .unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(143));
    let mut names: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["run.csv", "run.json", "run.png"]);
}

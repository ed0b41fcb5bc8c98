//! Resizes a window a thousand times.

use super::display::{Display, Viewer};
use super::pointer::{SIZE, sweep};
use std::fmt::Write;

/// Sizes in a short run; RESIZES sets another number.
const SHORT: usize = 120;

#[test]
fn a_thousand_sizes_leave_the_right_picture() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let sizes = std::env::var("RESIZES")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(SHORT);
    let mut seed = 99_991u32;
    let mut random = |most: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % most + 1
    };
    let mut script = String::new();
    for i in 0..sizes {
        let (w, h) = match i % 40 {
            7 => (1, 1),
            13 => (1, random(900)),
            19 => (random(900), 1),
            23 => (16_384, 3),
            29 => (2, 16_384),
            _ if i % 10 == 0 => (random(2400), random(1600)),
            _ => (random(700), random(500)),
        };
        writeln!(script, "size {w} {h}").unwrap();
        // Some sizes follow each other without a frame, and some frames come too late for their size.
        match random(3) {
            1 => writeln!(script, "nearer 1.1").unwrap(),
            2 => writeln!(script, "step 1 0").unwrap(),
            _ => {}
        }
    }
    writeln!(script, "size {} {}", SIZE.0, SIZE.1).unwrap();
    let file = folder.path().join("sizes.txt");
    std::fs::write(&file, script).unwrap();
    let run = display
        .program()
        .arg("view")
        .arg(&path)
        .arg("--script")
        .arg(&file)
        .arg("--json")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        run.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    println!("{}", report["errors"]);
    assert_eq!(
        report["size"],
        serde_json::json!({"width": SIZE.0, "height": SIZE.1}),
        "{}",
        report["errors"]
    );
    // The same again, and then a look at it.
    let mut viewer = Viewer::open(
        &display,
        &[path.to_str().unwrap(), "--script", file.to_str().unwrap()],
    );
    viewer.wait_for("the end of the storm", |v| {
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let last = v.shot();
        std::thread::sleep(std::time::Duration::from_millis(1500));
        (last.width, last.height) == SIZE && v.shot() == last
    });
    viewer.shows_what_render_draws(SIZE);
}

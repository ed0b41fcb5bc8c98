//! Who folds and paints in a window: chosen by the adapter, or by the user, with the same pixels.

use super::display::Display;
use super::seen::{STATUS, TOOLBAR};
use super::viewer::Viewer;
use gridscope::Image;
use serde_json::Value;
use std::fs;
use std::path::Path;

const SIZE: (u32, u32) = (640, 476 + TOOLBAR + STATUS);

/// Rows and columns that are folded, with cells without values among them.
fn waves(folder: &Path) -> String {
    let line = |r: usize| {
        let cell = |c: usize| match (r * 7 + c * 3) % 101 {
            0 => "nan".to_owned(),
            _ => format!("{}", (r * 37 + c * c) % 251),
        };
        (0..900).map(cell).collect::<Vec<_>>().join(",") + "\n"
    };
    let path = folder.join("waves.csv");
    fs::write(&path, (0..700).map(line).collect::<String>()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn args<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    // The body of square cells grows with each zoom, so that the view depends on how many notches of the wheel share a frame.
    let common = [
        file, "--table", "matrix", "--reduce", "max", "--square", "off", "--width", "640", "--height", "476",
    ];
    [&common[..], more].concat()
}

/// The report of a window that runs a script and closes.
fn report(display: &Display, args: &[&str], script: &Path) -> Value {
    let mut command = display.program();
    command.arg("view").args(args).arg("--script").arg(script).arg("--json");
    let run = command.output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

#[test]
fn whoever_folds_and_paints_the_pixels_are_the_same() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = waves(folder.path());
    let script = folder.path().join("zoom.txt");
    fs::write(&script, "home\nzoom 300 200 3\npan 300 200 9 5\n").unwrap();
    let devices = display.program().args(["devices", "--json"]).output().unwrap();
    let devices: Value = serde_json::from_slice(&devices.stdout).unwrap();
    let software = devices["devices"].as_array().unwrap().iter().all(|d| d["software"] == true);
    let mut shots: Vec<[Image; 2]> = Vec::new();
    for (backend, work) in [("gpu", "device"), ("cpu", "cpu"), ("auto", "cpu")] {
        let args = args(&file, &["--backend", backend]);
        let said = report(&display, &args, &script);
        // Hardware does the work of a window of this size.
        let work = if backend == "auto" && !software { "device" } else { work };
        assert_eq!((&said["work"], &said["errors"]), (&work.into(), &Value::Array(Vec::new())));
        let mut viewer = Viewer::open(&display, &args);
        viewer.shows_what_render_draws(SIZE);
        let whole = viewer.still(SIZE);
        viewer.point((300, 200));
        viewer.click(4, 3);
        viewer.shows_what_render_draws(SIZE);
        shots.push([whole, viewer.still(SIZE)]);
    }
    // The status line names the folder of each program's pictures.
    let figure = |image: &Image| {
        let rows = (image.height - STATUS) as usize;
        image.pixels[..rows * image.width as usize * 4].to_vec()
    };
    let shots: Vec<_> = shots.iter().map(|both| both.each_ref().map(figure)).collect();
    assert!(shots[0] == shots[1] && shots[1] == shots[2]);
    assert!(shots[0][0] != shots[0][1]);
}

/// A resting view that the device folds is folded once and read back once, however often overlays and colours change.
#[test]
fn a_resting_view_stays_on_the_device() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    // Numbers of a text are f64, which the CPU folds.
    let path = folder.path().join("waves.f32");
    let value = |i: u32| (i % 4099 * 7919 % 1009) as f32;
    let bytes: Vec<u8> = (0..700 * 900).flat_map(|i| value(i).to_le_bytes()).collect();
    fs::write(&path, bytes).unwrap();
    let file = path.to_str().unwrap();
    let script = folder.path().join("rest.txt");
    let common = ["--raw", "f32le", "900x700", "--width", "640", "--height", "476"];
    let counts = |backend: &str, moves: usize, more: &[&str]| {
        let line = |i: usize| format!("point {} {}\n", 200 + i, 150 + i);
        let points: String = (0..moves).map(line).collect();
        let limits: String = (0..moves).map(|i| format!("limits 5 {}\n", 1001 + i)).collect();
        fs::write(&script, format!("home\nwait 0.3\n{points}{limits}wait 0.3\n{points}")).unwrap();
        let words = [&[file, "--backend", backend][..], &common, more].concat();
        let said = report(&display, &words, &script);
        assert_eq!(said["errors"], Value::Array(Vec::new()));
        let of = |key: &str| said["device"][key].as_u64().unwrap();
        (of("folds"), of("read_back_bytes"))
    };
    let (few, many) = (counts("gpu", 2, &[]), counts("gpu", 25, &[]));
    assert_eq!(few, many);
    // The check of the upload reads 12 bytes of each band; a Summary has 24 bytes, and the body fewer pixels than the window.
    let pixels = u64::from(SIZE.0 * SIZE.1);
    // The body is another one when limits are set: their labels are wider.
    assert_eq!(few.0, 2);
    assert!((2 * 24 * pixels / 3..=2 * 24 * pixels).contains(&few.1), "{few:?}");
    // Nothing beside the body is made of Summaries.
    let lone = counts("gpu", 25, &["--cbar", "none", "--rings", "off"]);
    assert!(lone.0 <= 2 && lone.1 < 1000, "{lone:?}");
    assert_eq!(counts("cpu", 2, &[]), (0, 0));
}

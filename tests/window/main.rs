//! The window on a display of its own: what it shows, how it follows its size, how it ends.

#![allow(unreachable_pub, reason = "a test program has no public interface")]
#![cfg(all(feature = "window", target_os = "linux"))]

#[path = "../support/mod.rs"]
mod support;

mod display;
mod viewer;
mod seen;
mod sweep;
mod hands;
mod script;
mod factors;
mod dropped;
mod opening;
mod data;
mod clocks;
mod sizes;
mod work;
mod panics;

use crate::support::program::bare;
use display::Display;
use viewer::Viewer;

const FIGURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/figures/core_generalization.toml");
const SIZED: [&str; 5] = [FIGURE, "--width", "900", "--height", "576"];

#[test]
fn the_first_picture_is_the_figure() {
    let Some(display) = Display::start() else { return };
    let mut viewer = Viewer::open(&display, &SIZED);
    viewer.shows_what_render_draws((900, 630));
    assert!(viewer.folder().join("core_generalization-1.png").is_file());
    viewer.shows_what_render_draws((900, 630));
    assert!(viewer.folder().join("core_generalization-2.png").is_file());
    drop(viewer);
    let panels = FIGURE.replace("core_generalization", "r1_llama_panels");
    let mut viewer = Viewer::open(&display, &[&panels, "--width", "1100", "--height", "676"]);
    viewer.shows_what_render_draws((1100, 730));
}

#[test]
fn a_window_that_was_away_has_its_picture() {
    let Some(display) = Display::start() else { return };
    let mut viewer = Viewer::open(&display, &SIZED);
    let before = viewer.still((900, 630));
    let id = viewer.id.to_string();
    display.xdotool(&["windowunmap", "--sync", &id]);
    display.xdotool(&["windowmap", "--sync", &id]);
    viewer.wait_for("the picture", |v| v.still((900, 630)) == before);
}

#[test]
fn a_destroyed_device_gives_the_picture_back() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("lose.txt");
    std::fs::write(&script, "home\nlose-device\nhome\nlose-device\nlose-device\nhome\n").unwrap();
    let mut args = SIZED.to_vec();
    args.extend(["--script", script.to_str().unwrap()]);
    let mut viewer = Viewer::open(&display, &args);
    viewer.shows_what_render_draws((900, 630));
    viewer.key("q");
    assert_eq!(viewer.code(), Some(0));
    let devices = display.program().arg("view").args(&args).arg("--json").output().unwrap();
    assert_eq!(devices.status.code(), Some(0), "{}", String::from_utf8_lossy(&devices.stderr));
    let report: serde_json::Value = serde_json::from_slice(&devices.stdout).unwrap();
    assert_eq!(
        (&report["frames"], report["errors"].as_array().unwrap().len()),
        (&serde_json::json!(6), 3),
        "{report}"
    );
    assert_eq!(report["size"], serde_json::json!({"width": 900, "height": 630}));
    let slowest = report["frame_ms"]["max"].as_f64().unwrap();
    assert!(slowest > 0.0, "{report}");
}

#[test]
fn it_closes_by_its_button_by_its_key_and_by_force() {
    let Some(display) = Display::start() else { return };
    let mut viewer = Viewer::open(&display, &SIZED);
    viewer.still((900, 630));
    viewer.ask_to_close();
    assert_eq!(viewer.code(), Some(0));
    let mut viewer = Viewer::open(&display, &SIZED);
    viewer.still((900, 630));
    viewer.key("Escape");
    viewer.key("q");
    assert_eq!(viewer.code(), Some(0));
    let mut viewer = Viewer::open(&display, &SIZED);
    viewer.still((900, 630));
    display.xdotool(&["windowclose", &viewer.id.to_string()]);
    assert_eq!(viewer.code(), Some(0));
}

#[test]
fn a_display_that_goes_away_is_no_internal_error() {
    let Some(display) = Display::start() else { return };
    let mut viewer = Viewer::open(&display, &SIZED);
    viewer.rests();
    display.stop();
    let (code, message) = viewer.ends();
    assert_eq!(code, Some(5), "{message}");
    assert!(
        message.contains("error: the connection to the display was lost\nhint: gridscope render")
            && !message.contains("internal error"),
        "{message}"
    );
}

#[test]
fn without_a_display_it_says_what_to_do() {
    for (name, value) in
        [("NOTHING", ""), ("DISPLAY", ""), ("DISPLAY", ":4242"), ("WAYLAND_DISPLAY", "nowhere")]
    {
        let run = bare().args(["view", FIGURE, "-q"]).env(name, value).output().unwrap();
        let message = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(5), "{name}={value}: {message}");
        assert!(
            message.contains("error: no display")
                && message.contains("hint: gridscope render FILE -o picture.png"),
            "{message}"
        );
    }
}

#[test]
fn refusals_are_those_of_render() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.csv");
    std::fs::write(&wrong, "a,b,c\n1,x,2\n1,x,3\n").unwrap();
    let out = folder.path().join("x.png");
    for args in [
        vec!["nowhere.csv"],
        vec![wrong.to_str().unwrap()],
        vec![FIGURE, "--vmin", "5", "--vmax", "1"],
        vec![FIGURE, "--cmap", "no"],
    ] {
        let view = display.program().arg("view").args(&args).output().unwrap();
        let render = bare().arg("render").args(&args).args(["-o", out.to_str().unwrap()]).output().unwrap();
        let errors = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            text.lines()
                .filter(|l| l.starts_with("error:") || l.starts_with("hint:"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (view.status.code(), errors(&view.stderr)),
            (render.status.code(), errors(&render.stderr)),
            "{args:?}"
        );
        assert!(!view.status.success());
    }
    let device = display.program().args(["view", FIGURE, "--device", "nosuch"]).output().unwrap();
    let message = String::from_utf8_lossy(&device.stderr);
    assert!(
        device.status.code() == Some(5) && message.contains("nosuch") && message.contains("gridscope render"),
        "{message}"
    );
    let none = display
        .program()
        .args(["view", FIGURE])
        .env("VK_DRIVER_FILES", "/none")
        .env("VK_ICD_FILENAMES", "/none")
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&none.stderr);
    assert!(
        none.status.code() == Some(5)
            && message.contains("mesa-vulkan-drivers")
            && message.contains("gridscope render"),
        "{message}"
    );
}

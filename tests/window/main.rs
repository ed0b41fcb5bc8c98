//! The window on a display of its own: what it shows, how it follows its size, how it ends.

#![allow(unreachable_pub, reason = "a test program has no public interface")]
#![cfg(all(feature = "window", target_os = "linux"))]

#[path = "../support/mod.rs"]
mod support;

mod display;
mod seen;
mod pointer;
mod square;
mod factors;
mod keys;
mod reading;
mod prompt;
mod controls;
mod dropped;
mod opening;
mod data;
mod slices;
mod comparing;
mod sizes;
mod messages;
mod work;
mod panics;

use crate::support::program::bare;
use display::{Display, Viewer};
use std::time::{Duration, Instant};

const FIGURE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/examples/figures/core_generalization.toml"
);
const SIZED: [&str; 5] = [FIGURE, "--width", "900", "--height", "576"];

#[test]
fn the_first_picture_is_the_figure() {
    let Some(display) = Display::start() else { return };
    let mut viewer = Viewer::open(&display, &SIZED);
    println!("window after {:?}", viewer.opened);
    viewer.shows_what_render_draws((900, 630));
    assert!(viewer.folder().join("core_generalization-1.png").is_file());
    viewer.shows_what_render_draws((900, 630));
    assert!(viewer.folder().join("core_generalization-2.png").is_file());
}

#[test]
fn panels_and_a_folded_grid_look_as_they_are_drawn() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let line = |r: usize| {
        (0..700)
            .map(|c| format!("{}", (r * 37 + c * c) % 251))
            .collect::<Vec<_>>()
            .join(",")
            + "\n"
    };
    let path = folder.path().join("waves.csv");
    std::fs::write(&path, (0..900).map(line).collect::<String>()).unwrap();
    let mut viewer = Viewer::open(
        &display,
        &[
            path.to_str().unwrap(),
            "--table",
            "matrix",
            "--width",
            "640",
            "--height",
            "676",
        ],
    );
    viewer.shows_what_render_draws((640, 730));
    drop(viewer);
    let panels = FIGURE.replace("core_generalization", "r1_llama_panels");
    let mut viewer = Viewer::open(&display, &[&panels, "--width", "1100", "--height", "676"]);
    viewer.shows_what_render_draws((1100, 730));
}

#[test]
fn the_picture_follows_a_storm_of_sizes() {
    let Some(display) = Display::start() else { return };
    let mut viewer = Viewer::open(&display, &SIZED);
    let mut seed = 12_345u32;
    let mut random = |most: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % most + 1
    };
    for i in 0..30 {
        match i {
            10 => viewer.resize(1, 1),
            20 => viewer.resize(3000, 1500),
            25 => viewer.resize(17_000, 40),
            _ => viewer.resize(random(2000), random(1200)),
        }
    }
    for size in [(3000, 1500), (820, 540)] {
        viewer.resize(size.0, size.1);
        viewer.shows_what_render_draws(size);
    }
}

#[test]
fn a_window_that_was_away_has_its_picture() {
    let Some(display) = Display::start() else { return };
    let mut viewer = Viewer::open(&display, &SIZED);
    let before = viewer.still((900, 630));
    display.xdotool(&["windowunmap", "--sync", &viewer.id]);
    display.xdotool(&["windowmap", "--sync", &viewer.id]);
    assert!(viewer.still((900, 630)) == before);
}

#[test]
fn a_destroyed_device_gives_the_picture_back() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("lose.txt");
    std::fs::write(
        &script,
        "home\nlose-device\nhome\nlose-device\nlose-device\nhome\n",
    )
    .unwrap();
    let mut args = SIZED.to_vec();
    args.extend(["--script", script.to_str().unwrap()]);
    let mut viewer = Viewer::open(&display, &args);
    viewer.shows_what_render_draws((900, 630));
    viewer.key("q");
    assert_eq!(viewer.code(), Some(0));
    let devices = display
        .program()
        .arg("view")
        .args(&args)
        .arg("--json")
        .output()
        .unwrap();
    assert_eq!(
        devices.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&devices.stderr)
    );
    let report: serde_json::Value = serde_json::from_slice(&devices.stdout).unwrap();
    assert_eq!(
        (&report["frames"], report["errors"].as_array().unwrap().len()),
        (&serde_json::json!(6), 3),
        "{report}"
    );
    assert_eq!(report["size"], serde_json::json!({"width": 900, "height": 630}));
    let slowest = report["frame_ms"]["max"].as_f64().unwrap();
    assert!(slowest > 0.0 && slowest < 1000.0, "{report}");
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
    display.xdotool(&["windowclose", &viewer.id]);
    assert_eq!(viewer.code(), Some(0));
}

#[test]
fn a_window_at_rest_does_no_work() {
    let Some(display) = Display::start() else { return };
    let mut viewer = Viewer::open(&display, &SIZED);
    viewer.still((900, 630));
    std::thread::sleep(Duration::from_secs(1));
    let before = viewer.ticks();
    std::thread::sleep(Duration::from_secs(10));
    let spent = viewer.ticks() - before;
    // Ticks are 10 ms: 2 % of 10 s are 20.
    assert!(spent < 20, "{spent} ticks in 10 s");
}

#[test]
fn without_a_display_it_says_what_to_do() {
    for (name, value) in [
        ("NOTHING", ""),
        ("DISPLAY", ""),
        ("DISPLAY", ":4242"),
        ("WAYLAND_DISPLAY", "nowhere"),
    ] {
        let start = Instant::now();
        let run = bare()
            .args(["view", FIGURE, "-q"])
            .env(name, value)
            .output()
            .unwrap();
        let message = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(5), "{name}={value}: {message}");
        assert!(
            message.contains("error: no display")
                && message.contains("hint: gridscope render FILE -o picture.png"),
            "{message}"
        );
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
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
        let render = bare()
            .arg("render")
            .args(&args)
            .args(["-o", out.to_str().unwrap()])
            .output()
            .unwrap();
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
    let device = display
        .program()
        .args(["view", FIGURE, "--device", "nosuch"])
        .output()
        .unwrap();
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

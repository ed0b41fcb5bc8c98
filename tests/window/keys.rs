//! What keys do, what they save, and the same without a keyboard: scripts.

use super::display::{Display, Viewer};
use super::pointer::{SIZE, sweep};
use super::seen::Seen;
use crate::support::image::decode;
use crate::support::program::bare;
use gridscope::Literal;
use std::path::Path;

#[test]
fn every_key_leaves_a_picture_that_render_draws() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    let mut before = viewer.keeps_what_render_draws().1;
    let keys = [
        "plus",
        "Right",
        "shift+Down",
        "ctrl+Left",
        "minus",
        "1",
        "a",
        "a",
        "Home",
        "c",
        "shift+c",
        "i",
        "l",
        "plus",
        "plus",
        "plus",
        "n",
        "g",
        "t",
        "BackSpace",
        "alt+Right",
        "plus",
        "m",
        "m",
        "x",
    ];
    // These may not change the picture.
    let quiet = ["m", "Home", "BackSpace", "alt+Right", "minus"];
    for key in keys {
        viewer.key(key);
        let (_, now) = viewer.keeps_what_render_draws();
        assert!(quiet.contains(&key) || now != before, "{key} changes nothing");
        before = now;
    }
    viewer.key("Escape");
    viewer.shows_what_render_draws(SIZE);
}

#[test]
fn a_search_jumps_to_its_label() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    (0..4).for_each(|_| viewer.key("plus"));
    viewer.key("slash");
    viewer.write("Method 17");
    viewer.key("Return");
    viewer.key("Escape");
    viewer.key("Escape");
    let [_, y] = viewer.shows_what_render_draws(SIZE).view();
    assert!(y[0] <= 17.0 && y[1] >= 18.0, "{y:?}");
}

#[test]
fn files_get_the_next_free_number() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    for taken in ["sweep-2.png", "sweep-1.toml"] {
        std::fs::write(viewer.folder().join(taken), "mine").unwrap();
    }
    viewer.still(SIZE);
    let name = |p: &Path| p.file_name().unwrap().to_string_lossy().into_owned();
    let pictures = [
        viewer.new_file("s"),
        viewer.new_file("s"),
        viewer.new_file("shift+s"),
    ];
    let words = viewer.new_file("w");
    assert_eq!(
        pictures.each_ref().map(|p| name(p)),
        ["sweep-1.png", "sweep-3.png", "sweep-4.png"]
    );
    assert_eq!(name(&words), "sweep-2.toml");
    for taken in ["sweep-2.png", "sweep-1.toml"] {
        assert_eq!(std::fs::read(viewer.folder().join(taken)).unwrap(), b"mine");
    }
    // The whole figure at its own size, as `render` draws it.
    let drawn = folder.path().join("whole.png");
    assert!(
        bare()
            .arg("render")
            .arg(&path)
            .arg("-o")
            .arg(&drawn)
            .output()
            .unwrap()
            .status
            .success()
    );
    let pixels = |p: &Path| decode(&std::fs::read(p).unwrap());
    assert!(pixels(&pictures[2]) == pixels(&drawn) && pixels(&pictures[0]) == pixels(&pictures[1]));
}

#[test]
fn the_overlay_comes_and_goes_and_esc_never_quits() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    for quit in ["q", "ctrl+w", "ctrl+q"] {
        let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
        let before = viewer.still(SIZE);
        for key in ["F1", "question"] {
            viewer.key(key);
            let mut over = before.clone();
            viewer.wait_for("all keys", |v| {
                over = v.shot();
                over != before
            });
            let changed = before
                .pixels
                .chunks_exact(4)
                .zip(over.pixels.chunks_exact(4))
                .filter(|(a, b)| a != b)
                .count();
            assert!(changed * 4 > before.pixels.len() / 4, "{changed} pixels");
            viewer.key("Escape");
            viewer.wait_for("the figure again", |v| v.shot() == before);
        }
        (0..5).for_each(|_| viewer.key("Escape"));
        assert!(viewer.still(SIZE) == before && !viewer.has_ended());
        viewer.key(quit);
        assert_eq!(viewer.code(), Some(0));
    }
}

#[test]
fn a_script_does_what_a_person_does() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let lines = [
        "zoom 300 200 1.15",
        "repeat 20 pan 300 200 -2 1",
        "drag box 200 150 400 300 5 steps",
        "drag limits 655 60 655 120 8 steps",
        "map magma",
        "key i",
        "norm power:0.5",
        "annotations",
        "search method 12",
        "cancel",
        "cancel",
        "back",
        "size 640 420",
        "reduce max",
        "click 200 200",
        "zoom 250 250 2",
        "lose-device",
    ];
    // After each line the state is written and the view saved.
    let script: String = lines.iter().map(|l| format!("{l}\nwrite\nsave\n")).collect();
    std::fs::write(folder.path().join("script.txt"), script).unwrap();
    let run = display
        .program()
        .args(["view", path.to_str().unwrap(), "--script", "script.txt", "--json"])
        .current_dir(folder.path())
        .output();
    let run = run.unwrap();
    assert_eq!(
        run.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(report["size"], serde_json::json!({"width": 640, "height": 420}));
    for (i, line) in (1..).zip(lines) {
        let (words, saved) = (
            folder.path().join(format!("sweep-{i}.toml")),
            folder.path().join(format!("sweep-{i}.png")),
        );
        let drawn = folder.path().join("drawn.png");
        assert!(
            bare()
                .arg("render")
                .arg(&words)
                .arg("-o")
                .arg(&drawn)
                .arg("--no-metadata")
                .output()
                .unwrap()
                .status
                .success(),
            "{line}"
        );
        assert!(
            std::fs::read(&drawn).unwrap() == std::fs::read(&saved).unwrap(),
            "after '{line}': {}",
            words.display()
        );
    }
    let last = Seen::read(&folder.path().join("sweep-17.toml"));
    assert_eq!(
        (
            last.figure.color.cmap.as_ref().map(Literal::text),
            last.figure.color.norm.as_ref().map(Literal::text)
        ),
        (Some("magma_r"), Some("power:0.5"))
    );
}

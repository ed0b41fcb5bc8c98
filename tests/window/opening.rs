//! Other files in the same window: dropped, chosen in a dialog, opened before.

use super::display::Display;
use super::sweep::{SIZE, sweep};
use super::viewer::Viewer;
use std::path::{Path, PathBuf};

/// A matrix of ones that differ in a cell.
fn matrix(folder: &Path, name: &str, columns: usize) -> PathBuf {
    let line = (0..columns).map(|c| c.to_string()).collect::<Vec<_>>().join(",") + "\n";
    let path = folder.join(name);
    std::fs::write(&path, line.repeat(4)).unwrap();
    path
}

/// Waits until the window shows a file, by its title.
fn shows(viewer: &mut Viewer<'_>, name: &str) {
    let title = format!("{name} - gridscope");
    viewer.wait_for(&title.clone(), |v| v.title() == title);
}

#[test]
fn a_dropped_file_takes_the_place_of_the_figure() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let other = matrix(folder.path(), "other matrix.csv", 7);
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    viewer.key("plus");
    viewer.drop_file(&other);
    shows(&mut viewer, "other matrix.csv");
    // The view is that of the new file, and files are named after it.
    let seen = viewer.shows_what_render_draws(SIZE);
    assert_eq!(seen.view(), [[0.0, 7.0], [0.0, 4.0]]);
    assert!(viewer.folder().join("other matrix-1.png").is_file());
    // A file that cannot be read leaves the figure.
    let wrong = folder.path().join("wrong.csv");
    std::fs::write(&wrong, "a,b,c\n1,x,2\n1,x,3\n").unwrap();
    viewer.point_away();
    let before = viewer.still(SIZE);
    viewer.drop_file(&wrong);
    viewer.wait_for("a message", |v| v.still(SIZE) != before);
    assert_eq!(viewer.title(), "other matrix.csv - gridscope");
    // The prompt asks for its columns.
    viewer.key("Escape");
    assert_eq!(viewer.shows_what_render_draws(SIZE).view(), [[0.0, 7.0], [0.0, 4.0]]);
    // Both are remembered, the last one first.
    let list = std::fs::read_to_string(viewer.folder().join("state/gridscope/recent")).unwrap();
    let files: Vec<&str> = list.lines().collect();
    assert_eq!(files, [other.to_str().unwrap(), path.to_str().unwrap()]);
    // The second entry from below is the first file: it is opened by keys alone.
    viewer.key("F9");
    for key in ["Up", "Return"] {
        viewer.key(key);
    }
    shows(&mut viewer, "sweep.toml");
    assert_eq!(viewer.shows_what_render_draws(SIZE).view(), [[0.0, 30.0], [0.0, 20.0]]);
    viewer.key("q");
    assert_eq!(viewer.code(), Some(0));
}

#[test]
fn a_dialog_opens_a_file_or_leaves_the_figure() {
    use std::os::unix::fs::PermissionsExt;
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let other = matrix(folder.path(), "chosen.csv", 5);
    // Without a desktop's portal the dialog is zenity's: one that answers at once.
    let dialog = folder.path().join("zenity");
    let answers = |text: &str| {
        std::fs::write(&dialog, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&dialog, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    answers("exit 1");
    let paths = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let variables = [("PATH", paths.as_str()), ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")];
    let mut viewer = Viewer::open_with(&display, &[path.to_str().unwrap()], &variables);
    viewer.point_away();
    let before = viewer.still(SIZE);
    viewer.key("ctrl+o");
    viewer.wait_for("a message", |v| v.still(SIZE) != before);
    assert_eq!(viewer.title(), "sweep.toml - gridscope");
    answers(&format!("echo '{}'", other.display()));
    viewer.key("ctrl+o");
    shows(&mut viewer, "chosen.csv");
    assert_eq!(viewer.shows_what_render_draws(SIZE).view(), [[0.0, 5.0], [0.0, 4.0]]);
}

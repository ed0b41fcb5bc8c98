//! Messages in the status line go away by themselves; what lasts stays.

use super::display::{Display, Viewer};
use super::pointer::{SIZE, sweep};
use std::time::Duration;

/// Longer than a plain message stays.
const OVER: Duration = Duration::from_secs(8);

#[test]
fn a_message_goes_away_without_work_in_between() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    let before = viewer.still(SIZE);
    viewer.key("s");
    viewer.wait_for("a message", |v| v.shot() != before);
    let with = viewer.still(SIZE);
    assert!(with != before);
    std::thread::sleep(Duration::from_secs(1));
    let work = viewer.ticks();
    std::thread::sleep(OVER);
    assert!(viewer.shot() == before);
    let spent = viewer.ticks() - work;
    assert!(spent < 20, "{spent} ticks for a message that goes away");
}

#[test]
fn a_watched_file_that_goes_is_reported_until_it_is_back() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let text = "x,y,v\n1,1,10\n1,2,20\n2,1,30\n2,2,40\n";
    std::fs::write(&path, text).unwrap();
    let file = path.to_str().unwrap();
    let args = [
        file, "--x", "x", "--y", "y", "--value", "v", "--watch", "--width", "700", "--height", "476",
    ];
    let mut viewer = Viewer::open(&display, &args);
    let before = viewer.still(SIZE);
    std::fs::remove_file(&path).unwrap();
    viewer.wait_for("that it is gone", |v| v.shot() != before);
    std::thread::sleep(OVER);
    assert!(viewer.shot() != before, "it is still gone");
    // A folder of that name is not a file either.
    std::fs::create_dir(&path).unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert!(viewer.shot() != before && !viewer.has_ended());
    std::fs::remove_dir(&path).unwrap();
    std::fs::write(&path, text).unwrap();
    viewer.wait_for("the file again", |v| v.shot() == before);
    assert!(!viewer.stderr().contains("error:"), "{}", viewer.stderr());
}

#[test]
fn a_display_that_goes_away_is_no_internal_error() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap()]);
    viewer.still(SIZE);
    display.stop();
    let (code, message) = viewer.ends();
    assert_eq!(code, Some(5), "{message}");
    assert!(
        message.contains("error: the connection to the display was lost\nhint: gridscope render")
            && !message.contains("internal error"),
        "{message}"
    );
}

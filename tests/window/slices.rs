//! Slices of arrays of more than two dimensions, by keys and by mouse.

use super::display::{Display, Viewer};
use std::path::Path;

const SIZE: (u32, u32) = (700, 500);
const SHAPE: [usize; 4] = [6, 5, 40, 50];

/// The value of an element: its slices have other limits each, and some no value.
fn value(index: [usize; 4]) -> f64 {
    let [a, b, r, c] = index;
    if (r + c * a) % 23 == 7 {
        return f64::NAN;
    }
    ((r * 7 + c * 3) % 31) as f64 / 8.0 * (1.0 + a as f64) - 3.0 * b as f64
}

fn write(path: &Path) {
    let [a, b, h, w] = SHAPE;
    let dict = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {SHAPE:?}, }}\n");
    let dict = dict.replace('[', "(").replace(']', ")");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((dict.len() as u16).to_le_bytes());
    out.extend(dict.as_bytes());
    for flat in 0..a * b * h * w {
        let index = [flat / (b * h * w), flat / (h * w) % b, flat / w % h, flat % w];
        out.extend(value(index).to_le_bytes());
    }
    std::fs::write(path, out).unwrap();
}

/// The limits of a slice, or of all where an index is not given.
fn limits(a: Option<usize>, b: Option<usize>) -> (f64, f64) {
    let [na, nb, h, w] = SHAPE;
    let chosen = |of: Option<usize>, n: usize| of.map_or(0..n, |i| i..i + 1);
    let all = chosen(a, na)
        .flat_map(|a| chosen(b, nb).map(move |b| (a, b)))
        .flat_map(|(a, b)| (0..h * w).map(move |i| value([a, b, i / w, i % w])))
        .filter(|v| v.is_finite());
    all.fold((f64::MAX, f64::MIN), |(least, most), v| {
        (least.min(v), most.max(v))
    })
}

/// Waits until the title names this slice.
fn shows(viewer: &mut Viewer, display: &Display, slice: [usize; 2]) {
    let wanted = format!("axis 0 = {}, axis 1 = {} - gridscope", slice[0], slice[1]);
    let mut title = String::new();
    viewer.wait_for(&wanted, |v| {
        title = display.xdotool(&["getwindowname", &v.id]);
        title.ends_with(&wanted)
    });
}

/// The pixel of an index on the slider of an axis.
fn on_slider(place: u32, index: usize) -> (i32, i32) {
    let (start, end) = (0.45 * f64::from(SIZE.0) + 10.0, f64::from(SIZE.0) - 10.0);
    let x = start + (end - start) * (index as f64 + 0.5) / SHAPE[place as usize] as f64;
    (x as i32, (SIZE.1 - 24 - 44 + place * 22 + 11) as i32)
}

#[test]
fn keys_and_sliders_go_through_the_slices_of_an_array() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("volume.npy");
    write(&path);
    let args = [path.to_str().unwrap(), "--width", "700", "--height", "476"];
    let mut viewer = Viewer::open(&display, &args);
    viewer.resize(SIZE.0, SIZE.1);
    viewer.still(SIZE);
    shows(&mut viewer, &display, [0, 0]);
    let described = |viewer: &mut Viewer, slice: [usize; 2]| {
        shows(viewer, &display, slice);
        let (seen, _) = viewer.keeps_what_render_draws();
        let wanted = [format!("0={}", slice[0]), format!("1={}", slice[1])];
        assert_eq!(seen.figure.data.slice.clone().unwrap().0, wanted);
        seen
    };
    described(&mut viewer, [0, 0]);
    viewer.key("period");
    described(&mut viewer, [1, 0]);
    viewer.key("greater");
    described(&mut viewer, [5, 0]);
    // The second axis.
    viewer.key("ctrl+period");
    viewer.key("period");
    viewer.key("period");
    shows(&mut viewer, &display, [5, 2]);
    viewer.key("comma");
    let before = described(&mut viewer, [5, 1]);
    // The view stays from slice to slice.
    let at = before.at(0.5, 0.5);
    viewer.point(at);
    viewer.click(4, 3);
    viewer.point(on_slider(0, 2));
    viewer.click(1, 1);
    let zoomed = described(&mut viewer, [2, 1]);
    assert_ne!(zoomed.view(), before.view());
    // winit may report a notch of a wheel made of buttons twice, and there is no slice beyond the last.
    let turned = |viewer: &mut Viewer, button: u32, times: u32| {
        viewer.click(button, times);
        viewer.still(SIZE);
        let title = viewer.title();
        (0..6).find(|i| title.contains(&format!("axis 0 = {i}, axis 1 = 1")))
    };
    let up = turned(&mut viewer, 4, 2);
    assert!(up.is_some_and(|i| i == 4 || i == 5), "{up:?}");
    let down = turned(&mut viewer, 5, 1);
    assert!(down.is_some() && down < up, "{down:?} after {up:?}");
    viewer.point(on_slider(0, 3));
    viewer.click(1, 1);
    shows(&mut viewer, &display, [3, 1]);
    viewer.drag("1", on_slider(1, 1), on_slider(1, 4));
    let dragged = described(&mut viewer, [3, 4]);
    assert_eq!(dragged.view(), zoomed.view());
    // Limits of all slices are in the figure file, and those of one slice are not.
    assert_eq!(dragged.limits(), (None, None));
    viewer.key("ctrl+l");
    viewer.wait_for("limits of all slices", |v| v.seen().limits() != (None, None));
    let of_all = limits(None, None);
    for (key, slice) in [("period", [3, 4]), ("comma", [3, 3])] {
        viewer.key(key);
        let own = limits(Some(slice[0]), Some(slice[1]));
        let unless = |all: f64, own: f64| Some(all).filter(|_| all != own);
        assert_eq!(
            described(&mut viewer, slice).limits(),
            (unless(of_all.0, own.0), unless(of_all.1, own.1))
        );
    }
    viewer.key("ctrl+l");
    assert_eq!(described(&mut viewer, [3, 3]).limits(), (None, None));
    viewer.key("q");
    assert_eq!(viewer.code(), Some(0));
}

#[test]
fn slices_play_until_a_key_is_pressed() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("volume.npy");
    write(&path);
    let mut viewer = Viewer::open(&display, &[path.to_str().unwrap(), "--slice", "1=3"]);
    shows(&mut viewer, &display, [0, 3]);
    viewer.key("space");
    // Round and round: the slice before comes after all others.
    shows(&mut viewer, &display, [5, 3]);
    shows(&mut viewer, &display, [1, 3]);
    viewer.key("Escape");
    let mut last = String::new();
    viewer.wait_for("a slice that stays", |v| {
        let title = display.xdotool(&["getwindowname", &v.id]);
        std::thread::sleep(std::time::Duration::from_millis(600));
        last = display.xdotool(&["getwindowname", &v.id]);
        title == last
    });
    viewer.keeps_what_render_draws();
    // `render` asks which slice is meant.
    let run = crate::support::program::bare()
        .args(["render", path.to_str().unwrap(), "-o", "x.png"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        run.status.code() == Some(2) && message.contains("--slice 0=0 --slice 1=0"),
        "{message}"
    );
}

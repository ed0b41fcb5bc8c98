//! Data that change, data that are huge.

use super::display::Display;
use super::seen::{STATUS, Seen};
use super::viewer::Viewer;
use crate::support::image::decode;
use crate::support::program::bare;
use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const SIZE: (u32, u32) = (700, 530);

#[test]
fn a_window_follows_its_file() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("run.csv");
    fs::write(&csv, "x,y,v\n1,1,10\n1,2,20\n2,1,30\n2,2,15\n").unwrap();
    let size = ["--width", "700", "--height", "476"];
    let mut args = vec![csv.to_str().unwrap(), "-x", "x", "-y", "y", "-z", "v", "--watch"];
    args.extend(size);
    let mut viewer = Viewer::open(&display, &args);
    let first = viewer.still(SIZE);
    // New rows: more cells, wider limits.
    let append = |text: &str| {
        OpenOptions::new().append(true).open(&csv).unwrap().write_all(text.as_bytes()).unwrap();
    };
    append("3,1,99\n3,2,5\n4,1,7");
    viewer.wait_for("the last row, which has no end", |v| v.seen().view()[0][1] == 4.0);
    let seen = viewer.shows_what_render_draws(SIZE);
    assert_eq!((seen.view(), seen.limits()), ([[0.0, 4.0], [0.0, 2.0]], (None, None)));
    viewer.wait_for("the end of the messages", Viewer::rests);
    let good = viewer.still(SIZE);
    assert!(good != first);
    // Data that cannot be read leave the picture, and so does a file that is gone: only the status line says so, and goes on
    // saying it.
    let above = |i: &gridscope::Image| i.pixels[..(SIZE.0 * (SIZE.1 - STATUS) * 4) as usize].to_vec();
    let mut last = good.clone();
    for harm in ["no table", "no file"] {
        match harm {
            "no table" => fs::write(&csv, "x,y,v\n1,1,\"open\n").unwrap(),
            _ => fs::remove_file(&csv).unwrap(),
        }
        viewer.wait_for(harm, |v| v.still(SIZE) != last);
        last = viewer.still(SIZE);
        assert!(above(&last) == above(&good) && last != good, "{harm}");
        assert!(viewer.rests(), "a message that stays: {harm}");
    }
    // Views and limits set by hand stay.
    fs::write(&csv, "x,y,v\n1,1,10\n1,2,20\n2,1,30\n2,2,15\n3,1,50\n3,2,60\n").unwrap();
    viewer.wait_for("the file written anew", |v| v.seen().view()[0][1] == 3.0);
    assert!(!viewer.stderr().contains("error:"), "{}", viewer.stderr());
    assert_eq!(viewer.shows_what_render_draws(SIZE).limits(), (Some(5.0), Some(99.0)));
    let seen = viewer.seen();
    viewer.click_at(seen.at(0.2, 0.2), 4, 2);
    let ramp = seen.ramps[0];
    let x = ramp.center().x as i32;
    viewer.drag(None, (x, (ramp.y + 4.0) as i32), (x, (ramp.y + 0.3 * ramp.h) as i32));
    let set = viewer.shows_what_render_draws(SIZE);
    viewer.wait_for("the end of the messages", Viewer::rests);
    let now = viewer.still(SIZE);
    append("4,1,500\n4,2,-500\n");
    viewer.wait_for("the new values", |v| v.still(SIZE) != now);
    let kept = viewer.shows_what_render_draws(SIZE);
    assert_eq!((kept.view(), kept.limits()), (set.view(), set.limits()));
    viewer.key("q");
    assert_eq!(viewer.code(), Some(0));
}

#[test]
fn what_a_person_does_before_all_is_read_is_about_the_file() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = huge(folder.path(), 12_000);
    // Larger than the memory limit, so that it stays in its file.
    let args = [path.to_str().unwrap(), "--width", "700", "--height", "476", "--max-memory", "2G"];
    let mut viewer = Viewer::open(&display, &args);
    let at = (260, 220);
    viewer.wait_for("cells in the window", |v| {
        let shot = v.shot();
        let from = 4 * (at.1 * SIZE.0 + at.0) as usize;
        (shot.width, shot.height) == SIZE && shot.pixels[from..from + 3] != [255; 3]
    });
    viewer.point((at.0 as i32, at.1 as i32));
    viewer.click(4, 6);
    let (words, saved) = (viewer.new_file("w"), viewer.new_file("s"));
    let [x, y] = Seen::read(&words).view();
    // 1.15 to the sixth times nearer, or to the twelfth where a notch counts as two; not on the way to all of the file.
    for [from, to] in [x, y] {
        assert!(from > 100.0 && to < 11_900.0 && (2000.0..8000.0).contains(&(to - from)), "{x:?} {y:?}");
    }
    let drawn = viewer.folder().join("drawn.png");
    let run =
        bare().arg("render").arg(&words).arg("-o").arg(&drawn).current_dir(viewer.folder()).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let [drawn, saved] = [drawn, saved].map(|p| decode(&fs::read(p).unwrap()));
    assert!(drawn == saved, "{}", fs::read_to_string(words).unwrap());
    assert_eq!(viewer.shows_what_render_draws(SIZE).view(), [x, y]);
}

/// A matrix of this many rows and columns, mostly zeros.
fn huge(folder: &Path, n: u64) -> PathBuf {
    let path = folder.join("huge.npy");
    let mut file = fs::File::create(&path).unwrap();
    let mut header = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    header.extend(
        format!("{:<117}\n", format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({n}, {n}), }}"))
            .bytes(),
    );
    file.write_all(&header).unwrap();
    // Zeros take no space on disk; a few rows have numbers.
    for r in (0..n).step_by(250) {
        let row: Vec<u8> = (0..n).flat_map(|c| (((r * 31 + c * 7) % 1000) as f32).to_le_bytes()).collect();
        file.seek(SeekFrom::Start(header.len() as u64 + r * n * 4)).unwrap();
        file.write_all(&row).unwrap();
    }
    file.set_len(header.len() as u64 + n * n * 4).unwrap();
    path
}

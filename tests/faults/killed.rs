//! Signals at any moment of a run, and several runs on one file: the output is an old one or a new one, whole.

use super::place::{MATRIX, Place};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// 36 megapixels, written strip by strip.
const LARGE: &str = "render m.csv -o big.png --bare --width 6000px --height 6000px -q";
/// Runs that are ended at moments spread over a whole one.
const MOMENTS: u32 = 10;

#[test]
fn a_signal_at_any_moment_leaves_the_old_or_the_new_file() {
    let p = Place::new(&[MATRIX]);
    let start = Instant::now();
    p.line(0, LARGE);
    let (whole, wanted) = (start.elapsed(), p.read("big.png"));
    let args: Vec<&str> = LARGE.split(' ').collect();
    for (flag, signal, code) in [("-TERM", 15, 143), ("-INT", 2, 130), ("-KILL", 9, -1)] {
        let mut amid = 0;
        for moment in 0..MOMENTS {
            fs::write(p.path("big.png"), "old").unwrap();
            let mut child = p.command(&args).spawn().unwrap();
            std::thread::sleep(whole * moment / MOMENTS);
            let at = format!("{flag} at {moment}/{MOMENTS} of {whole:?}");
            let running = Command::new("kill").args([flag, &child.id().to_string()]).status().unwrap().success();
            let status = child.wait().unwrap();
            // It may be done already, or not yet listen.
            let ended = status.code() == Some(code) || status.signal() == Some(signal) || status.success();
            assert!(running && ended, "{at}: {status}");
            let now = p.read("big.png");
            assert!(now == b"old" || now == wanted, "{at}: {} bytes", now.len());
            assert!(!status.success() || now == wanted, "{at}");
            let left: Vec<String> = p.names().into_iter().filter(|n| n != "big.png" && n != "m.csv").collect();
            amid += u32::from(!left.is_empty() || status.code() == Some(code));
            if signal == 9 {
                // Nothing can be done about it; the name says what it is.
                let named = |n: &String| n.starts_with(".big.png.") && n.ends_with(".tmp");
                assert!(left.len() <= 1 && left.iter().all(named), "{at}: {left:?}");
                left.iter().for_each(|n| fs::remove_file(p.path(n)).unwrap());
            } else {
                assert!(left.is_empty(), "{at}: {left:?}");
            }
        }
        assert!(amid > 0, "{flag} never came amid the work");
    }
}

#[test]
fn what_a_killed_run_left_is_in_nobodys_way() {
    let p = Place::new(&[MATRIX]);
    let mut child = p.command(&["render", "-", "-o", "a.png", "--json=r.json"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while p.names().len() < 3 && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = p.names();
    assert!(left.len() == 3 && left[0].starts_with(".a.png.") && left[1].starts_with(".r.json."), "{left:?}");
    p.line(0, "render m.csv -o a.png --json=r.json -q");
    assert_eq!(
        p.names(),
        [&left[..], &["r.json".to_owned()]].concat().iter().fold(vec!["a.png".to_owned()], |mut v, n| {
            v.push(n.clone());
            v.sort();
            v
        })
    );
    let report: serde_json::Value = serde_json::from_slice(&p.read("r.json")).unwrap();
    assert_eq!(report["output"]["bytes"], p.read("a.png").len());
}

#[test]
fn runs_on_one_file_at_once_leave_one_of_their_pictures() {
    let p = Place::new(&[MATRIX]);
    let draw = |map: &'static str, to: &'static str| ["render", "m.csv", "-q", "--cmap", map, "-o", to];
    let maps = ["viridis", "magma", "gray"];
    let pictures = ["1.png", "2.png", "3.png"].iter().zip(maps).map(|(to, map)| {
        p.ends(0, &draw(map, to));
        let bytes = p.read(to);
        fs::remove_file(p.path(to)).unwrap();
        bytes
    });
    let pictures: Vec<Vec<u8>> = pictures.collect();
    let one_of = |bytes: &Vec<u8>| pictures.iter().position(|w| w == bytes);
    fs::write(p.path("a.png"), &pictures[0]).unwrap();
    let done = AtomicBool::new(false);
    let mut seen = [0; 3];
    std::thread::scope(|s| {
        // Who reads meanwhile sees a whole picture, too.
        let reads = s.spawn(|| {
            let mut looks = 0;
            while !done.load(Ordering::Relaxed) {
                assert!(one_of(&p.read("a.png")).is_some(), "half a picture was seen");
                looks += 1;
            }
            looks
        });
        for _ in 0..12 {
            let runs = maps.map(|map| p.command(&draw(map, "a.png")).spawn().unwrap());
            for mut run in runs {
                assert!(run.wait().unwrap().success());
            }
            seen[one_of(&p.read("a.png")).unwrap()] += 1;
        }
        done.store(true, Ordering::Relaxed);
        assert!(reads.join().unwrap() > 12);
    });
    println!("last were {seen:?}");
    assert_eq!(p.names(), ["a.png", "m.csv"]);
}

//! Broken stores, outside ones, and damaged copies: the right cells or a refusal by name, no panic, nothing read outside.

use super::stores::{LIMIT, Store, cells, crc, gzip, little, v2, v3, with};
use gridscope::figure::Figure;
use gridscope::grid::{Ask, State};
use gridscope::input::{Needs, open};
use serde_json::json;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs the program on a store under a limit of 2 GiB and 10 seconds; gives exit code and stderr.
fn run(store: &Path, arguments: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 2097152; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_gridscope"), "render"]);
    command.arg(store).args(arguments).args(["--backend", "cpu", "-o", "out.png"]).current_dir(folder.path());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stderr.take().unwrap();
    let text = std::thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map(|_| text).unwrap()
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(10) {
            child.kill().unwrap();
            panic!("{}: still running after 10 seconds", store.display());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let (code, text) = (status.code().unwrap_or(-1), text.join().unwrap());
    assert!([0, 2, 3, 7].contains(&code) && !text.contains("panicked"), "{}: exit {code}: {text}", store.display());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), usize::from(code == 0), "{}", store.display());
    (code, text)
}

#[test]
#[cfg(unix)]
fn broken_stores_are_refused_by_their_key() {
    let good = || v2(&[4, 4], &[2, 2], "<f4", json!(0));
    let zstd = || v3(&[4, 4], &[2, 2], "float32", json!(0), json!([little(), "zstd"]));
    let huge = 1u64 << 40;
    for (file, m, chunk, code, part) in [
        (".zarray", with(good(), "shape", json!([huge, huge])), None, 7, "sides end at"),
        (".zarray", with(good(), "shape", json!([1u64 << 31, 1u64 << 31])), None, 7, "cells are drawn"),
        (".zarray", with(good(), "shape", json!([1u64 << 17, 1u64 << 17])), None, 7, "chunks"),
        (".zarray", with(good(), "chunks", json!([huge, huge])), None, 7, "over the limit"),
        (".zarray", with(good(), "chunks", json!([huge, 1])), None, 7, "over the limit"),
        (".zarray", with(good(), "chunks", json!([0, 2])), None, 3, ".zarray: chunks holds 0"),
        (".zarray", with(good(), "chunks", json!([2])), None, 3, "chunks has 1 axes"),
        (".zarray", with(good(), "shape", json!([0, 4])), None, 3, "no cells"),
        (".zarray", with(good(), "shape", json!([-4, 4])), None, 3, "shape holds -4"),
        (".zarray", with(good(), "dtype", json!("<U4")), None, 3, "strings"),
        (".zarray", with(good(), "compressor", json!({"id": "zfpy"})), None, 3, "codec 'zfpy' is not read"),
        (".zarray", with(good(), "dimension_separator", json!("/../../")), None, 3, "neither"),
        (".zarray", with(good(), "fill_value", json!("seven")), None, 3, "fill_value"),
        (".zarray", json!([1, 2]), None, 3, "zarr_format is not 2"),
        (".zarray", good(), Some(("0.0", vec![])), 3, "chunk 0.0: holds 0 bytes, its shape takes 16"),
        (".zarray", good(), Some(("1.1", vec![0; 15])), 3, "chunk 1.1: holds 15 bytes"),
        (".zarray", good(), Some(("1.1", vec![0; 17])), 3, "chunk 1.1: holds 17 bytes"),
        ("zarr.json", zstd(), Some(("c/0/1", vec![])), 3, "chunk c/0/1: "),
        ("zarr.json", zstd(), Some(("c/0/1", vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff])), 3, "chunk c/0/1: "),
        ("zarr.json", with(zstd(), "codecs", json!([])), None, 3, "name no 'bytes'"),
        ("zarr.json", with(zstd(), "node_type", json!("group")), None, 3, "group without arrays"),
        ("zarr.json", json!("text"), None, 3, "zarr_format"),
    ] {
        let store = Store::new();
        store.json(file, &m);
        if let Some((name, bytes)) = &chunk {
            store.put(name, bytes);
        }
        let (found, text) = run(&store.path(), &[]);
        assert!(found == code && text.contains(part), "{m}: exit {found}: {text}");
        assert!(text.starts_with("error: ") && text.lines().filter(|l| l.starts_with("error")).count() == 1, "{text}");
    }
    let store = Store::new();
    store.put("zarr.json", "[".repeat(100_000));
    assert!(run(&store.path(), &[]).1.contains("zarr.json: is no JSON"));
    let plain = tempfile::tempdir().unwrap();
    assert!(run(plain.path(), &[]).1.contains("is a directory"));
}

#[test]
#[cfg(unix)]
fn links_pipes_and_folders_are_no_chunks() {
    let store = Store::new();
    store.json(".zarray", &v2(&[1, 2], &[1, 1], "|u1", json!(0)));
    let outside = store.0.path().join("secret");
    fs::write(&outside, [1]).unwrap();
    let chunk = store.path().join("0.0");
    std::os::unix::fs::symlink(&outside, &chunk).unwrap();
    assert!(run(&store.path(), &[]).1.contains("chunk 0.0: is a link that leaves the store"));
    fs::remove_file(&chunk).unwrap();
    fs::create_dir(&chunk).unwrap();
    assert!(run(&store.path(), &[]).1.contains("chunk 0.0: is no file"));
    fs::remove_dir(&chunk).unwrap();
    assert!(Command::new("mkfifo").arg(&chunk).status().unwrap().success());
    assert!(run(&store.path(), &[]).1.contains("chunk 0.0: is no file"));
}

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("GRIDSCOPE_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        println!("no corpus");
    }
    folder
}

/// Every store of the manifest's lines, by its name.
fn stores(corpus: &Path) -> Vec<String> {
    let manifest = fs::read_to_string(corpus.join("manifest.tsv")).unwrap();
    let out: Vec<String> =
        manifest.lines().filter_map(|l| l.split('\t').next()).filter(|p| p.starts_with("zarr/")).map(str::to_owned).collect();
    assert!(out.len() > 30, "{} stores", out.len());
    out
}

#[test]
#[cfg(unix)]
fn outside_stores_get_what_their_line_says() {
    let Some(corpus) = corpus() else { return };
    for name in stores(&corpus) {
        let path = corpus.join(&name);
        let (code, text) = run(&path, &[]);
        let refused = [("bz2", "bz2'"), ("pcodec", "pcodec'"), ("zfpy", "zfpy'"), ("str_v2", "object"), ("zarr.zip", "zip archive")];
        if let Some((_, part)) = refused.iter().find(|r| name.contains(r.0)) {
            assert!(code == 3 && text.contains(part), "{name}: exit {code}: {text}");
            continue;
        }
        if name.contains("hierarchy") {
            assert!(code == 2 && text.contains("hierarchy.zarr/a/baz") && text.contains("hierarchy.zarr/a/foo"), "{name}: {text}");
            let (code, text) = run(&path, &["--key", "hierarchy.zarr/a/foo"]);
            assert!(code == 0 && text.contains("warning[absent]"), "{name}: exit {code}: {text}");
            continue;
        }
        assert_eq!(code, 0, "{name}: {text}");
        let loaded = open(&[path.to_str().unwrap().to_owned()], &Figure::default(), &Needs::default(), LIMIT).unwrap();
        let (grid, width) = (&loaded.grids[0], loaded.grids[0].width());
        if name.contains("zarrs/array_write_read") {
            // Its writer's example: columns of tenths, parts of it written over, one chunk erased.
            let stats = grid.digest(&Ask::default()).unwrap().stats;
            assert_eq!((stats.values, stats.states[State::Absent.index()]), (48, 16));
            continue;
        }
        // All others count their cells, row after row.
        for (r, row) in cells(grid).iter().enumerate() {
            for (c, v) in row.iter().enumerate() {
                assert_eq!(*v, (r * width + c) as f64, "{name}: row {r}, column {c}");
            }
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn plain_files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.append(&mut plain_files(&path));
        } else {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// A sequence of numbers that looks like none.
struct Noise(u64);

impl Noise {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    /// Changes a file's bytes in one of the ways in which files break.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        const WORDS: [&str; 10] = ["0", "-1", "1099511627776", "18446744073709551615", "1e999", "null", "[]", "\"..\"", "{}", "\"NaN\""];
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len());
            match self.below(5) {
                0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
                1 if !bytes.is_empty() => bytes[at] = [0, 0xff, 0x7f, 0x80][self.below(4)],
                2 => bytes.truncate(at),
                3 => bytes.insert(at, self.below(256) as u8),
                _ => {
                    // A number of the metadata becomes another value.
                    let Some(digit) = (at..bytes.len()).find(|&i| bytes[i].is_ascii_digit()) else { continue };
                    let end = (digit..bytes.len()).find(|&i| !bytes[i].is_ascii_digit()).unwrap_or(bytes.len());
                    bytes.splice(digit..end, WORDS[self.below(WORDS.len())].bytes());
                }
            }
        }
    }
}

#[test]
fn damaged_stores_never_panic() {
    let own = Store::new();
    own.json("zarr.json", &v3(&[5, 6], &[2, 3], "float32", json!("NaN"), json!([little(), "gzip", "crc32c"])));
    for i in 0..6 {
        let chunk = gzip(&[7; 24]);
        let sum = crc(0x82f6_3b78, &chunk).to_le_bytes();
        own.put(&format!("c/{}/{}", i / 2, i % 2), [&chunk[..], &sum].concat());
    }
    assert_eq!(own.grid().len(), 30);
    let mut stores = vec![own.path()];
    if let Some(corpus) = corpus() {
        let small = |p: &PathBuf| p.is_dir() && plain_files(p).len() < 12;
        stores.extend(self::stores(&corpus).iter().map(|s| corpus.join(s)).filter(small));
    }
    let (mut noise, mut refused) = (Noise(7), 0);
    for round in 0..300 {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("s.zarr");
        copy(&stores[round % stores.len()], &store);
        let files = plain_files(&store);
        let file = &files[noise.below(files.len())];
        let mut bytes = fs::read(file).unwrap();
        noise.damage(&mut bytes);
        fs::write(file, bytes).unwrap();
        let read = open(&[store.to_str().unwrap().to_owned()], &Figure::default(), &Needs::default(), LIMIT).map(|l| {
            // What is larger than any of these was made so by the damage, and would take its time.
            l.grids.iter().filter(|g| g.len() < 1 << 22).map(|g| g.digest(&Ask::default()).is_ok()).collect::<Vec<_>>()
        });
        refused += u32::from(!read.is_ok_and(|r| r.iter().all(|ok| *ok)));
    }
    assert!(refused > 60, "{refused} of 300 were refused");
}

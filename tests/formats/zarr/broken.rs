//! Broken stores and outside ones: the right cells or a refusal by name, no panic, nothing read outside.

use super::stores::{LIMIT, Store, cells, little, v2, v3, with};
use crate::support::corpus::{corpus, files};
use crate::support::place::Place;
use gridscope::figure::Figure;
use gridscope::grid::{ScanRequest, State};
use gridscope::input::{ReadOptions, open};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Draws a store; gives exit code and stderr.
fn run(store: &Path, options: &[&str]) -> (i32, String) {
    let options: Vec<String> = ["--backend", "cpu"].iter().chain(options).map(|o| (*o).to_owned()).collect();
    let ran = Place::empty().limited("render", store, &options).unwrap_or_else(|e| panic!("{e}"));
    (ran.code.unwrap(), ran.err)
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
        assert!(
            text.starts_with("error: ") && text.lines().filter(|l| l.starts_with("error")).count() == 1,
            "{text}"
        );
    }
    let store = Store::new();
    store.put("zarr.json", "[".repeat(100_000));
    assert!(run(&store.path(), &[]).1.contains("zarr.json: is not valid JSON"));
    let plain = tempfile::tempdir().unwrap();
    assert!(run(plain.path(), &[]).1.contains("is a folder without a file of data"));
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
    assert!(run(&store.path(), &[]).1.contains("chunk 0.0: is not a file"));
    fs::remove_dir(&chunk).unwrap();
    assert!(Command::new("mkfifo").arg(&chunk).status().unwrap().success());
    assert!(run(&store.path(), &[]).1.contains("chunk 0.0: is not a file"));
}

/// The outside stores that count their cells.
fn stores(corpus: &Path) -> Vec<PathBuf> {
    let part = |p: &&Path| p.extension().is_some_and(|e| e == "zarr" || e == "zip");
    let outermost = |p: &PathBuf| p.ancestors().filter(part).last().map(Path::to_owned);
    let mut out: Vec<PathBuf> = files(&corpus.join("zarr/zarrs")).iter().filter_map(outermost).collect();
    out.dedup();
    assert!(out.len() > 30, "{} stores", out.len());
    out
}

#[test]
#[cfg(unix)]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn outside_stores_get_what_their_line_says() {
    let corpus = corpus();
    for path in stores(&corpus) {
        let name = path.display().to_string();
        let (code, text) = run(&path, &[]);
        let refused = [
            ("bz2", "bz2'"),
            ("pcodec", "pcodec'"),
            ("zfpy", "zfpy'"),
            ("str_v2", "object"),
            ("zarr.zip", "zip archive"),
        ];
        if let Some((_, part)) = refused.iter().find(|r| name.contains(r.0)) {
            assert!(code == 3 && text.contains(part), "{name}: exit {code}: {text}");
            continue;
        }
        if name.contains("hierarchy") {
            assert!(
                code == 2 && text.contains("hierarchy.zarr/a/baz") && text.contains("hierarchy.zarr/a/foo"),
                "{name}: {text}"
            );
            let (code, text) = run(&path, &["--key", "hierarchy.zarr/a/foo"]);
            assert!(code == 0 && text.contains("warning[absent]"), "{name}: exit {code}: {text}");
            continue;
        }
        assert_eq!(code, 0, "{name}: {text}");
        let loaded =
            open(&[path.to_str().unwrap().to_owned()], &Figure::default(), &ReadOptions::default(), LIMIT)
                .unwrap();
        let (grid, width) = (&loaded.grids[0], loaded.grids[0].width());
        if name.contains("zarrs/array_write_read") {
            // Its writer's example: columns of tenths, parts of it written over, one chunk erased.
            let stats = grid.scan(&ScanRequest::default()).unwrap().stats;
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

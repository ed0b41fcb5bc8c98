//! The pictures of the gallery are what the program draws; `GRIDSCOPE_WRITE_PICTURES=1` writes them instead.
//!
//! They are stored coarsely: where a pixel equals a neighbour it is exact, as in cells, bars and backgrounds; the edges of
//! letters and lines are rounded, which makes the files small.

use super::drawn::{DPI, Drawn, words};
use super::tables::{Entry, entries, folder};
use crate::support::image::decode;
use crate::support::program::{bare, ended};
use gridscope::{Fonts, Image};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The step to which the pixels of edges are rounded.
const STEP: u8 = 64;
/// The most bytes of a picture.
const MOST_BYTES: u64 = 40_000;

/// The most lines that the program prints about a figure.
const MOST_LINES: usize = 12;

fn picture(name: &str) -> PathBuf {
    folder().join("pictures").join(format!("{name}.png"))
}

/// The program's picture.
fn drawn(name: &str, entry: &Entry) -> Result<Image, String> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gallery_{name}.png"));
    let mut command = bare();
    command.current_dir(folder().join("tables")).arg("render").args(&entry.files).args(words(&entry.options));
    command
        .args(["--dpi", &DPI.to_string(), "--backend", "cpu", "--no-metadata", "--system-fonts", "off", "-o"])
        .arg(&out);
    let ran = ended(command.stdin(Stdio::null()));
    match ran.code {
        Some(0) if ran.err.lines().count() > MOST_LINES => {
            Err(format!("{} lines of warnings", ran.err.lines().count()))
        }
        Some(0) => Ok(decode(&std::fs::read(&out).unwrap())),
        _ => Err(ran.err),
    }
}

/// The picture with the pixels that equal none of their neighbours rounded, in R, G, B.
fn coarse(image: &Image) -> Vec<[u8; 3]> {
    let (w, h) = (image.width as usize, image.height as usize);
    let pixels: Vec<[u8; 3]> = image.pixels.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
    let rounded = |p: [u8; 3]| p.map(|c| (c.saturating_add(STEP / 2) / STEP).saturating_mul(STEP));
    let of = |i: usize| {
        let (x, y, p) = (i % w, i / w, pixels[i]);
        let is_flat = (x > 0 && pixels[i - 1] == p)
            || (x + 1 < w && pixels[i + 1] == p)
            || (y > 0 && pixels[i - w] == p)
            || (y + 1 < h && pixels[i + w] == p);
        if is_flat { p } else { rounded(p) }
    };
    (0..pixels.len()).map(of).collect()
}

fn encode(image: &Image) -> Vec<u8> {
    let rgb: Vec<u8> = coarse(image).into_iter().flatten().collect();
    let with = |filter: png::Filter| {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, image.width, image.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_deflate_compression(png::DeflateCompression::Level(9));
        encoder.set_filter(filter);
        encoder.write_header().unwrap().write_image_data(&rgb).unwrap();
        out
    };
    let files = [png::Filter::NoFilter, png::Filter::Sub, png::Filter::Up, png::Filter::Adaptive].map(with);
    files.into_iter().min_by_key(Vec::len).unwrap()
}

/// How a drawn picture differs from the stored one.
fn difference(stored: &Image, drawn: &Image, is_body: impl Fn(u32, u32) -> bool) -> Option<String> {
    if (stored.width, stored.height) != (drawn.width, drawn.height) {
        let (a, b) = (stored, drawn);
        return Some(format!("{} x {} px are {} x {}", a.width, a.height, b.width, b.height));
    }
    let pairs = stored.pixels.chunks_exact(4).zip(coarse(drawn));
    // Glyphs may be one step lighter or darker on another processor: once rounded, that is the step of rounding.
    let differs = |i: usize, a: &[u8], b: [u8; 3]| {
        let most = if is_body(i as u32 % stored.width, i as u32 / stored.width) { 0 } else { STEP };
        a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > most)
    };
    let wrong: Vec<usize> =
        pairs.enumerate().filter(|(i, (a, b))| differs(*i, a, *b)).map(|(i, _)| i).collect();
    let first = wrong.first()?;
    Some(format!(
        "{} pixels differ, first ({}, {})",
        wrong.len(),
        *first as u32 % stored.width,
        *first as u32 / stored.width
    ))
}

#[test]
fn the_pictures_of_the_gallery_are_what_is_drawn() {
    let (write, mut failed, mut fonts) =
        (std::env::var_os("GRIDSCOPE_WRITE_PICTURES").is_some(), Vec::new(), Fonts::new());
    for (name, entry) in &entries() {
        let new = match drawn(name, entry) {
            Ok(image) => image,
            Err(refused) => {
                failed.push(format!("{name}: {}", refused.trim()));
                continue;
            }
        };
        if write {
            std::fs::create_dir_all(folder().join("pictures")).unwrap();
            std::fs::write(picture(name), encode(&new)).unwrap();
        }
        let Ok(stored) = std::fs::read(picture(name)) else {
            failed.push(format!("{name}: no picture; GRIDSCOPE_WRITE_PICTURES=1 writes it"));
            continue;
        };
        if stored.len() as u64 > MOST_BYTES {
            failed.push(format!("{name}: {} bytes", stored.len()));
        }
        // The rules are measured on the library's layout, so the program's picture must be of that layout.
        let bodies = match Drawn::new(&folder().join("tables"), &entry.files, &entry.options, &mut fonts) {
            Ok(drawn) => {
                let size = drawn.prepared.scene.size;
                assert_eq!((size.w, size.h), (new.width, new.height), "{name}: program and library");
                drawn.bodies()
            }
            Err(refused) => panic!("{name}: {refused}"),
        };
        let is_body = |x: u32, y: u32| {
            let (x, y) = (f64::from(x), f64::from(y));
            bodies.iter().any(|b| b.x <= x && x < b.right() && b.y <= y && y < b.bottom())
        };
        failed.extend(difference(&decode(&stored), &new, is_body).map(|d| format!("{name}: {d}")));
    }
    assert!(failed.is_empty(), "{} pictures\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn a_pixel_that_differs_is_found() {
    let gray = |v: u8| Image { width: 4, height: 4, pixels: [v, v, v, 255].repeat(16) };
    let (stored, mut other) = (decode(&encode(&gray(100))), gray(100));
    assert_eq!(difference(&stored, &other, |_, _| true), None);
    other.pixels[4 * 5] = 102;
    assert!(difference(&stored, &other, |_, _| true).is_some_and(|d| d.contains("(1, 1)")));
}

//! Other files than data: masks, axis values, figures, fonts.

use crate::support::npy::zeros;
use crate::support::place::Place;

#[test]
fn masks_and_values_without_end() {
    let p = Place::empty();
    p.write("m.csv", "1,2\n3,4\n");
    p.write("ones.txt", "1\n".repeat(2_000_000));
    p.fits(&[7], 30, "info m.csv --mask ones.txt", "memory limit");
    p.fits(&[7], 30, "info m.csv --table matrix --x-values ones.txt", "memory limit");
    p.write("line.txt", "1 ".repeat(4_000_000)).fits(&[7], 30, "info m.csv --mask line.txt", "memory limit");
    zeros(p.path("mask.npy"), "|u1", false, &[3000, 3000]);
    p.fits(&[7], 50, "info m.csv --mask mask.npy", "memory limit");
    zeros(p.path("values.npy"), "<f8", false, &[5_000_000]);
    p.fits(&[7], 30, "info m.csv --table matrix --y-values values.npy", "its bytes");
    p.fits(&[3], 400, "info m.csv --mask mask.npy", "3000 rows");
}

#[test]
fn figures_without_end() {
    let p = Place::empty();
    p.write("m.csv", "1,2\n3,4\n");
    let toml = |n: usize| format!("[data]\nfile = 'm.csv'\n[x]\ndomain = [{}1]\n", "1,".repeat(n));
    p.write("long.toml", toml(3_000_000)).fits(&[7], 100, "info long.toml", "a figure file of over 400 KiB");
    p.write("some.toml", toml(200_000)).fits(&[0, 2, 3, 7], 100, "info some.toml", "");
    p.write("least.toml", toml(32_000)).fits(&[0, 2, 3, 7], 10, "info least.toml", "");
    let json = |n: usize| {
        format!("{{\"data\": {{\"file\": \"m.csv\"}}, \"x\": {{\"domain\": [{}1]}}}}", "1,".repeat(n))
    };
    p.write("long.json", json(3_000_000)).fits(&[7], 100, "info long.json", "a figure file of over 400 KiB");
    p.write("some.json", json(200_000)).fits(&[0, 2, 3, 7], 100, "info some.json", "");
    p.write("font.ttf", vec![0u8; 60_000_000])
        .write("font.toml", "font = 'font.ttf'\n[data]\nfile = 'm.csv'\n");
    p.fits(&[7], 20, "render font.toml -o a.png", "limit");
}

//! Files beside the data: masks, values of axes, figures, fonts.

use crate::peak::{Place, zeros};

#[test]
fn masks_and_values_without_end() {
    let p = Place::new();
    p.put("m.csv", "1,2\n3,4\n");
    p.put("ones.txt", "1\n".repeat(2_000_000));
    p.ends(&[7], 30, "info m.csv --mask ones.txt", "memory limit");
    p.ends(
        &[7],
        30,
        "info m.csv --table matrix --x-values ones.txt",
        "memory limit",
    );
    p.put("line.txt", "1 ".repeat(4_000_000))
        .ends(&[7], 30, "info m.csv --mask line.txt", "memory limit");
    zeros(p.path("mask.npy"), "|u1", false, &[3000, 3000]);
    p.ends(&[7], 50, "info m.csv --mask mask.npy", "memory limit");
    zeros(p.path("values.npy"), "<f8", false, &[5_000_000]);
    p.ends(
        &[7],
        30,
        "info m.csv --table matrix --y-values values.npy",
        "its bytes",
    );
    p.ends(&[3], 400, "info m.csv --mask mask.npy", "3000 rows");
}

#[test]
fn figures_without_end() {
    let p = Place::new();
    p.put("m.csv", "1,2\n3,4\n");
    let toml = |n: usize| format!("[data]\nfile = 'm.csv'\n[x]\ndomain = [{}1]\n", "1,".repeat(n));
    p.put("long.toml", toml(3_000_000))
        .ends(&[7], 100, "info long.toml", "a figure file of over 400 KiB");
    p.put("some.toml", toml(200_000))
        .ends(&[0, 2, 3, 7], 100, "info some.toml", "");
    p.put("least.toml", toml(32_000))
        .ends(&[0, 2, 3, 7], 10, "info least.toml", "");
    let json = |n: usize| {
        format!(
            "{{\"data\": {{\"file\": \"m.csv\"}}, \"x\": {{\"domain\": [{}1]}}}}",
            "1,".repeat(n)
        )
    };
    p.put("long.json", json(3_000_000))
        .ends(&[7], 100, "info long.json", "a figure file of over 400 KiB");
    p.put("some.json", json(200_000))
        .ends(&[0, 2, 3, 7], 100, "info some.json", "");
    p.put("font.ttf", vec![0u8; 60_000_000])
        .put("font.toml", "font = 'font.ttf'\n[data]\nfile = 'm.csv'\n");
    p.ends(&[7], 20, "render font.toml -o a.png", "limit");
}

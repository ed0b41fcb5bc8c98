//! Tables of text.

use crate::support::place::Place;
use std::fmt::Write;

const KEYS: &str = "--x x --y y --value v";

/// A tidy table with this number of rows.
fn tidy(rows: usize, row: impl Fn(usize) -> (String, String)) -> String {
    let mut text = "x,y,v\n".to_owned();
    for i in 0..rows {
        let (x, y) = row(i);
        writeln!(text, "{x},{y},1").unwrap();
    }
    text
}

#[test]
fn rows_of_too_many_fields() {
    let p = Place::empty();
    p.write("commas.csv", ",".repeat(30_000_000)).fits(&[7], 20, "info commas.csv", "fields");
    p.write("row.csv", "1,".repeat(12_000_000) + "1\n").fits(&[7], 100, "info row.csv", "fields");
    p.fits(&[7], 20, "info row.csv --delimiter ,", "fields");
    p.write("semicolons.csv", "1;".repeat(10_000_000)).fits(
        &[7],
        50,
        "render semicolons.csv -o a.png",
        "fields",
    );
    let names: String = (0..150_000).map(|i| format!("c{i},")).collect();
    p.write("names.csv", format!("{names}z\n{}1\n", "1,".repeat(150_000))).fits(
        &[7],
        20,
        "info names.csv",
        "memory limit",
    );
    p.write("quotes.csv", format!("\"a\n\"{}\n1\n", ",".repeat(20_000_000))).fits(
        &[7],
        30,
        "info quotes.csv",
        "fields",
    );
    p.write("late.csv", format!("a,b\n{}{}\n", "1,2\n".repeat(400_000), "\"1\",".repeat(100_000)));
    p.fits(&[3], 20, "info late.csv --x a --y b --agg count", "100001 fields, 2 expected");
}

#[test]
fn rows_without_an_end() {
    let p = Place::empty();
    p.write("quote.csv", format!("a,b\n\"{}", "x".repeat(40_000_000))).fits(
        &[7],
        50,
        "info quote.csv",
        "no row ends",
    );
    p.write("long.csv", format!("a,b\n{}1,{}\n", "1,2\n".repeat(300_000), "x".repeat(30_000_000)));
    p.fits(&[7], 40, "info long.csv --x a --y b --agg count", "no record ends");
    p.write("one.csv", "x".repeat(40_000_000)).fits(&[7], 20, "info one.csv", "no row ends");
}

#[test]
fn keys_and_cells_without_end() {
    let p = Place::empty();
    p.write("keys.csv", tidy(400_000, |i| (format!("key{i}"), "a".to_owned())));
    p.fits(&[7], 50, &format!("info keys.csv {KEYS}"), "so far");
    p.fits(&[0, 7], 200, &format!("info keys.csv {KEYS}"), "");
    p.write("long.csv", tidy(40_000, |i| (format!("{i:01000}k"), "a".to_owned())));
    p.fits(&[7], 50, &format!("info long.csv {KEYS}"), "so far");
    p.write("cells.csv", tidy(1_000_000, |i| ((i % 2000).to_string(), (i / 2000).to_string())));
    p.fits(&[7], 50, &format!("info cells.csv {KEYS}"), "so far");
    p.write("median.csv", tidy(1_500_000, |_| ("1".to_owned(), "1".to_owned())));
    p.fits(&[7], 30, &format!("info median.csv {KEYS} --agg median"), "so far");
    p.fits(&[0], 30, &format!("info median.csv {KEYS} --agg mean"), "1 rows x 1 columns");
    let square = tidy(3000, |i| (format!("x{i}"), format!("y{i}")));
    p.write("square.csv", square).fits(&[7], 50, &format!("info square.csv {KEYS}"), "3000 x 3000 keys");
    p.write("few.csv", "x,y,v\n1,1,1\n").fits(
        &[7],
        50,
        &format!("info few.csv {KEYS} --x-domain 0:900000"),
        "a domain of",
    );
}

#[test]
fn panels_and_texts_without_end() {
    let p = Place::empty();
    let panels: String = (0..60_000).map(|i| format!("p{i},1,1,1\n")).collect();
    p.write("panels.csv", format!("p,x,y,v\n{panels}")).fits(
        &[7],
        60,
        &format!("info panels.csv {KEYS} --panel p"),
        "at most 4096 panels",
    );
    let note = "n".repeat(20_000);
    let notes: String = (0..1500).map(|i| format!("{i},1,1,{note}\n")).collect();
    p.write("notes.csv", format!("x,y,v,note\n{notes}"));
    p.write("notes.toml", "[data]\nfile = 'notes.csv'\nx = 'x'\ny = 'y'\nvalue = 'v'\nagg = 'mean'\n[annotations]\nshow = '{column:note}'\n");
    p.fits(&[7], 20, "info notes.toml", "so far");
}

#[test]
fn matrices_without_end() {
    let p = Place::empty();
    let labels: String = (0..800_000).map(|i| format!("key{i},1\n")).collect();
    p.write("labels.csv", format!("k,v\n{labels}")).fits(
        &[7],
        50,
        "info labels.csv --table wide",
        "memory limit",
    );
    p.write("rows.csv", "1,2,3\n".repeat(2_000_000)).fits(&[7], 50, "info rows.csv", "memory limit");
    p.fits_reading(&[7], 10, "info -", "limit", "rows.csv");
    p.fits_reading(&[7], 40, "info - --table matrix", "limit", "rows.csv");
}

#[test]
fn files_share_one_budget() {
    let p = Place::empty();
    let matrix = (0..1000).map(|_| "1,".repeat(999) + "1\n").collect::<String>();
    let names: Vec<String> = (0..5).map(|i| format!("m{i}.csv")).collect();
    for name in &names {
        p.write(name, &matrix);
        p.fits(&[0], 50, &format!("info {name}"), "1000 rows x 1000 columns");
    }
    p.fits(&[7], 50, &format!("info {}", names.join(" ")), "memory limit");
    p.fits(&[0], 200, &format!("info {}", names.join(" ")), "1000 rows x 1000 columns");
    p.fits(&[7], 25, "check m0.csv --against m1.csv --better higher", "limit");
}

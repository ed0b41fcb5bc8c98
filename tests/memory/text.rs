//! Tables of text.

use crate::peak::Place;
use std::fmt::Write;

const KEYS: &str = "--x x --y y --value v";

/// A tidy table of so many rows.
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
    let p = Place::new();
    p.put("commas.csv", ",".repeat(30_000_000))
        .ends(&[7], 20, "info commas.csv", "fields");
    p.put("row.csv", "1,".repeat(12_000_000) + "1\n")
        .ends(&[7], 100, "info row.csv", "fields");
    p.ends(&[7], 20, "info row.csv --delimiter ,", "fields");
    p.put("semicolons.csv", "1;".repeat(10_000_000)).ends(
        &[7],
        50,
        "render semicolons.csv -o a.png",
        "fields",
    );
    let names: String = (0..150_000).map(|i| format!("c{i},")).collect();
    p.put("names.csv", format!("{names}z\n{}1\n", "1,".repeat(150_000)))
        .ends(&[7], 20, "info names.csv", "memory limit");
    p.put("quotes.csv", format!("\"a\n\"{}\n1\n", ",".repeat(20_000_000)))
        .ends(&[7], 30, "info quotes.csv", "fields");
    p.put(
        "late.csv",
        format!("a,b\n{}{}\n", "1,2\n".repeat(400_000), "\"\",".repeat(100_000)),
    );
    p.ends(
        &[3],
        20,
        "info late.csv --x a --y b --agg count",
        "over 1008 fields",
    );
}

#[test]
fn rows_without_an_end() {
    let p = Place::new();
    p.put("quote.csv", format!("a,b\n\"{}", "x".repeat(40_000_000)))
        .ends(&[7], 50, "info quote.csv", "no row ends");
    p.put(
        "long.csv",
        format!("a,b\n{}1,{}\n", "1,2\n".repeat(300_000), "x".repeat(30_000_000)),
    );
    p.ends(
        &[7],
        40,
        "info long.csv --x a --y b --agg count",
        "no record ends",
    );
    p.put("one.csv", "x".repeat(40_000_000))
        .ends(&[7], 20, "info one.csv", "no row ends");
}

#[test]
fn keys_and_cells_without_end() {
    let p = Place::new();
    p.put("keys.csv", tidy(400_000, |i| (format!("key{i}"), "a".to_owned())));
    p.ends(&[7], 50, &format!("info keys.csv {KEYS}"), "so far");
    p.ends(&[0, 7], 200, &format!("info keys.csv {KEYS}"), "");
    p.put(
        "long.csv",
        tidy(40_000, |i| (format!("{i:01000}k"), "a".to_owned())),
    );
    p.ends(&[7], 50, &format!("info long.csv {KEYS}"), "so far");
    p.put(
        "cells.csv",
        tidy(1_000_000, |i| ((i % 2000).to_string(), (i / 2000).to_string())),
    );
    p.ends(&[7], 50, &format!("info cells.csv {KEYS}"), "so far");
    p.put(
        "median.csv",
        tidy(1_500_000, |_| ("1".to_owned(), "1".to_owned())),
    );
    p.ends(
        &[7],
        30,
        &format!("info median.csv {KEYS} --agg median"),
        "so far",
    );
    p.ends(
        &[0],
        30,
        &format!("info median.csv {KEYS} --agg mean"),
        "1 rows x 1 columns",
    );
    let square = tidy(3000, |i| (format!("x{i}"), format!("y{i}")));
    p.put("square.csv", square)
        .ends(&[7], 50, &format!("info square.csv {KEYS}"), "3000 x 3000 keys");
    p.put("few.csv", "x,y,v\n1,1,1\n").ends(
        &[7],
        50,
        &format!("info few.csv {KEYS} --x-domain 0:900000"),
        "a domain of",
    );
}

#[test]
fn panels_and_texts_without_end() {
    let p = Place::new();
    let panels: String = (0..60_000).map(|i| format!("p{i},1,1,1\n")).collect();
    p.put("panels.csv", format!("p,x,y,v\n{panels}")).ends(
        &[7],
        60,
        &format!("info panels.csv {KEYS} --panel p"),
        "at most 4096 panels",
    );
    let note = "n".repeat(20_000);
    let notes: String = (0..1500).map(|i| format!("{i},1,1,{note}\n")).collect();
    p.put("notes.csv", format!("x,y,v,note\n{notes}"));
    p.put("notes.toml", "[data]\nfile = 'notes.csv'\nx = 'x'\ny = 'y'\nvalue = 'v'\nagg = 'mean'\n[annotations]\nshow = '{column:note}'\n");
    p.ends(&[7], 20, "info notes.toml", "so far");
}

#[test]
fn matrices_without_end() {
    let p = Place::new();
    let labels: String = (0..800_000).map(|i| format!("key{i},1\n")).collect();
    p.put("labels.csv", format!("k,v\n{labels}")).ends(
        &[7],
        50,
        "info labels.csv --table wide",
        "memory limit",
    );
    p.put("rows.csv", "1,2,3\n".repeat(2_000_000))
        .ends(&[7], 50, "info rows.csv", "memory limit");
    p.ends_with_input(&[7], 10, "info -", "limit", "rows.csv");
    p.ends_with_input(&[7], 40, "info - --table matrix", "limit", "rows.csv");
}

#[test]
fn files_share_one_budget() {
    let p = Place::new();
    let matrix = (0..1000).map(|_| "1,".repeat(999) + "1\n").collect::<String>();
    let names: Vec<String> = (0..5).map(|i| format!("m{i}.csv")).collect();
    for name in &names {
        p.put(name, &matrix);
        p.ends(&[0], 50, &format!("info {name}"), "1000 rows x 1000 columns");
    }
    p.ends(&[7], 50, &format!("info {}", names.join(" ")), "memory limit");
    p.ends(
        &[0],
        200,
        &format!("info {}", names.join(" ")),
        "1000 rows x 1000 columns",
    );
    p.ends(&[7], 25, "check m0.csv --against m1.csv --better higher", "limit");
}

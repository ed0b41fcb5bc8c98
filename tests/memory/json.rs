//! JSON data.

use crate::support::place::Place;

#[test]
fn numbers_and_columns_without_end() {
    let p = Place::empty();
    let numbers = format!("[{}1]", "1,".repeat(8_000_000));
    p.write("numbers.json", &numbers).fits(&[7], 50, "info numbers.json", "memory limit");
    p.fits_reading(&[7], 10, "info -", "limit", "numbers.json");
    let columns: String = (0..100_000).map(|i| format!("\"c{i}\":1,")).collect();
    p.write("columns.json", format!("[{{{columns}\"z\":1}}]")).fits(&[7], 30, "info columns.json", "columns");
    let sparse: String = (0..50_000).map(|i| format!("{{\"k{i}\":1}}\n")).collect();
    p.write("sparse.jsonl", sparse).fits(&[7], 60, "info sparse.jsonl", "");
    let turned = format!("{{\"columns\":[\"v\"],\"data\":[{}[\"x\"]]}}", "[1],\n".repeat(600_000));
    p.write("turned.json", turned).fits(&[7], 60, "info turned.json", "column 'v'");
    let list = format!("[{}{{\"v\":\"x\"}}]", "{\"v\":1},\n".repeat(600_000));
    p.write("list.json", list).fits(&[2], 60, "info list.json", "v (text, 2 distinct)");
}

#[test]
fn records_are_read_in_blocks() {
    let p = Place::empty();
    let row = |i: usize| {
        let (x, y, v) = (i % 100, i / 100 % 10, i % 977);
        format!("{{\"x\":\"key {x}\",\"in\":{{\"y\":{y}}},\"seed\":{i},\"v\":{v}.5}}\n")
    };
    let rows: String = (0..600_000).map(row).collect();
    assert!(rows.len() > 28 << 20);
    p.write("rows.jsonl", rows);
    for agg in ["mean", "max"] {
        let args = format!("info rows.jsonl --x x --y in.y --value v --agg {agg}");
        p.fits(&[0], 16, &args, "");
    }
    // A list is held as the text that it is, not as the cells of its columns.
    let columns: Vec<String> = (0..100).map(|c| format!("\"c{c}\":1")).collect();
    let record = format!("{{{}}}", columns.join(","));
    let list = format!("[{}]", vec![record; 20_000].join(",\n"));
    assert!(list.len() > 15 << 20);
    p.write("list.json", list).fits(&[0], 30, "info list.json --x c0 --y c1 --value c2", "");
}

#[test]
fn texts_and_keys_without_end() {
    let p = Place::empty();
    let rows: String = (0..200_000).map(|i| format!("{{\"x\":\"key{i}\",\"y\":\"a\",\"v\":1}}\n")).collect();
    p.write("rows.jsonl", rows).fits(&[7], 30, "info rows.jsonl --x x --y y --value v", "memory limit");
    let keys: String = (0..500_000).map(|i| format!("\"k{i}\":1,")).collect();
    p.write("keys.json", format!("{{{keys}\"z\":1}}")).fits(&[7], 20, "info keys.json", "");
    let labels: String = (0..700_000).map(|i| format!("\"{i}\":1,")).collect();
    let labels = format!("{{\"a\":{{{labels}\"z\":1}}}}");
    p.write("labels.txt", labels).fits_reading(&[7], 30, "info -", "limit", "labels.txt");
    let escaped = format!("[{{\"a\":\"{}\"}}]", "\\n".repeat(10_000_000));
    p.write("escaped.json", escaped).fits(&[7], 100, "info escaped.json", "a text with escapes");
    let deep = (0..100).map(|_| format!("{{\"{}\":", "k".repeat(100_000))).collect::<String>();
    p.write("deep.jsonl", format!("{deep}1{}\n", "}".repeat(100))).fits(
        &[7],
        100,
        "info deep.jsonl",
        "a name of over",
    );
}

#[test]
fn files_share_one_budget() {
    let p = Place::empty();
    let array = format!("[{}]", vec![format!("[{}1]", "1,".repeat(999)); 500].join(","));
    let names: Vec<String> = (0..5).map(|i| format!("a{i}.json")).collect();
    for name in &names {
        p.write(name, &array);
    }
    p.fits(&[0], 30, "info a0.json", "500 rows x 1000 columns");
    p.fits(&[7], 30, &format!("info {}", names.join(" ")), "memory limit");
}

//! Random records: as lines and in lists, in blocks of any size, they are the same table and have the same faults.

use super::tests::{Read, cells_of, records_of, table_of};
use super::*;
use gridscope_random::Random;
use serde_json::Value;
use std::collections::BTreeMap;

const INTEGERS: [&str; 6] = ["0", "-0", "1", "17", "9007199254740992", "100000"];
const NEGATIVE: [&str; 3] = ["-1", "-250", "-9007199254740992"];
const INEXACT: [&str; 3] = ["9007199254740993", "-9223372036854775808", "1234567890123456789"];
const WIDE: [&str; 2] = ["18446744073709551615", "9223372036854775808"];
const FLOATS: [&str; 7] = ["0.5", "-0.0", "1e5", "0.10", "1E-7", "3.0", "123456789012345678901234567890"];
const TEXTS: [&str; 9] =
    ["\"a\"", "\"\"", "\"é β\"", "\"} \\n{\"", "\"\\u00e9\\\"\"", "\"7\"", "\"NA\"", "true", "false"];

/// A value of a column; `kinds` has a bit for each kind that the column may hold.
fn value(random: &mut Random, kinds: usize) -> String {
    if random.below(8) == 0 {
        return "null".to_owned();
    }
    let all: [&[&str]; 6] = [&INTEGERS, &NEGATIVE, &INEXACT, &WIDE, &FLOATS, &TEXTS];
    match random.below(40) {
        // A rare value turns a column late.
        0 => {
            let kind = random.below(6);
            random.pick(all[kind]).to_owned()
        }
        1 if kinds & 64 != 0 => "[1,{\"x\":[2]}]".to_owned(),
        2 => random.below(100_000).to_string(),
        _ => {
            let kinds: Vec<usize> = (0..6).filter(|k| kinds & (1 << k) != 0).collect();
            match kinds.get(random.below(kinds.len())) {
                Some(&kind) => random.pick(all[kind]).to_owned(),
                None => random.pick(&INTEGERS).to_owned(),
            }
        }
    }
}

/// The records of a table as JSON texts, without what is between them.
fn records(random: &mut Random) -> Vec<String> {
    const KEYS: [&str; 8] = [
        "\"a\"",
        "\"b\"",
        "\"lr\"",
        "\"\\u00e9\"",
        "\"in\":{\"x\"",
        "\"in\":{\"deep\":{\"y\"",
        "\"\"",
        "\"in\"",
    ];
    let columns: Vec<(usize, usize)> = (0..KEYS.len())
        .filter_map(|k| {
            let (is_named, kinds) = (random.below(2) == 0, random.below(128));
            is_named.then_some((k, kinds))
        })
        .collect();
    let rows = 1 + random.below(60);
    let mut out = Vec::new();
    for _ in 0..rows {
        let blank = random.pick(&["", "", " ", "\n", "\r\n  "]);
        let mut keys = Vec::new();
        let mut nested = false;
        for &(k, kinds) in &columns {
            let inside = KEYS[k].starts_with("\"in\"");
            if random.below(6) == 0 || inside && nested {
                continue;
            }
            nested |= inside;
            let open = KEYS[k].matches('{').count();
            keys.push(format!(
                "{}{blank}:{blank}{}{blank}{}",
                KEYS[k],
                value(random, kinds),
                "}".repeat(open)
            ));
        }
        if random.below(5) == 0 && keys.len() > 1 {
            keys.swap(0, 1);
        }
        out.push(format!("{{{blank}{}}}", keys.join(&format!(",{blank}"))));
    }
    out
}

/// The same records as lines and as a list, byte for byte in the same places; sometimes with a fault.
fn written(random: &mut Random) -> (String, String, Vec<String>) {
    let mut records = records(random);
    let faulty = random.below(3) == 0 && !records.is_empty();
    if faulty {
        let i = random.below(records.len());
        let record = &mut records[i];
        let fault = random.pick(&[
            "x",
            "1e999",
            "\"a\":1,\"a\":2",
            "]",
            "\"\t\"",
            "{\"q\":1}\n",
            "\"\\x\"",
            ",",
            "NaN",
        ]);
        let places: Vec<usize> = record.char_indices().map(|c| c.0).collect();
        let at = places[1.min(places.len() - 1) + random.below(places.len() - 1)];
        record.insert_str(at, fault);
    }
    let (mut lines, mut list) = (" ".to_owned(), "[".to_owned());
    for (i, record) in records.iter().enumerate() {
        if i > 0 {
            let between = random.pick(&["\n", "\n", "\n", "\r\n", "", "\n \n", "\t"]);
            lines += &format!(" {between}");
            list += &format!(",{between}");
        }
        lines += record;
        list += record;
    }
    if random.below(10) == 0 && faulty {
        // Inside the last record.
        let last = lines.len() - records.last().map_or(0, |r| r.len() - 1);
        let cut = last + random.below(lines.len() - last);
        let cut = crate::position::floor(&lines, cut);
        lines.truncate(cut);
        list.truncate(cut);
    } else {
        lines += " \n";
        list += "]\n";
    }
    (lines, list, if faulty { Vec::new() } else { records })
}

/// The values of a record under dotted names, as another parser reads them.
fn flat(prefix: &str, value: &Value, out: &mut BTreeMap<String, Value>) {
    let Value::Object(keys) = value else {
        out.insert(prefix.to_owned(), value.clone());
        return;
    };
    for (key, value) in keys {
        let dot = if prefix.is_empty() { "" } else { "." };
        flat(&format!("{prefix}{dot}{key}"), value, out);
    }
}

fn is_text_of(text: &str, value: &Value) -> bool {
    match value {
        Value::Null => text.is_empty(),
        Value::String(s) => text == s,
        Value::Bool(b) => text == b.to_string(),
        Value::Number(n) => match (n.as_i64(), n.as_u64()) {
            // Integers stay exact; beside fractions they are written as such.
            (Some(v), _) => {
                text.parse::<f64>() == Ok(v as f64)
                    && (text.contains('.') || text == v.to_string() || text == "-0")
            }
            (None, Some(v)) => text == v.to_string(),
            _ => text
                .parse::<f64>()
                .is_ok_and(|v| (v / n.as_f64().unwrap_or(0.0) - 1.0).abs() < 1e-15 || v == 0.0),
        },
        Value::Array(_) | Value::Object(_) => false,
    }
}

#[test]
fn blocks_of_lines_are_the_table_of_the_list() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut figure = Figure::default();
    let (mut tables, mut faults) = (0, 0);
    for case in 0..400 {
        figure.data.json_nan = Some(random.below(2) == 0);
        let (lines, list, records) = written(&mut random);
        let table = |(table, _, notice): Read| {
            let (names, rows) = cells_of(table.as_ref());
            (names, rows, notice)
        };
        let want = table_of(list.as_bytes(), "t.jsonl", &figure, 1 << 30, 1 << 20).map(table);
        match &want {
            Ok((names, rows, _)) => {
                tables += 1;
                for (row, record) in rows.iter().zip(&records) {
                    let mut values = BTreeMap::new();
                    flat("", &serde_json::from_str(record).unwrap(), &mut values);
                    for (name, text) in names.iter().zip(row) {
                        // A column without a name is named by its place.
                        let key = if name.starts_with("column ") { "" } else { name.as_str() };
                        let value = values.get(key).unwrap_or(&Value::Null);
                        assert!(
                            is_text_of(text, value),
                            "case {case}: {name} = {text:?}, {value} in {record}"
                        );
                    }
                }
            }
            Err(_) => faults += 1,
        }
        for block in [1, 7, 64, 300, 5000, 1 << 20] {
            for text in [&lines, &list] {
                let got = records_of(text.as_bytes(), "t.jsonl", &figure, 1 << 30, block).map(table);
                assert_eq!(got, want, "case {case}, blocks of {block}: {text}");
            }
        }
    }
    assert!(tables > 200 && faults > 50, "{tables} tables, {faults} faults");
}

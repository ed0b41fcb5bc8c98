//! Tests of JSON data.

use super::super::table::{JsonTable, Source};
use super::*;
use crate::bytes::Content;
use crate::error::ErrorKind;
use crate::table::TableSource;
use gridscope_core::figure::List;
use gridscope_core::grid::{Number, Values};
use gridscope_random::Random;

/// A table, what was noticed, and what was left out.
pub(super) type Read = (Box<dyn TableSource>, Lints, String);

/// The table of a text; of records in blocks of about `block` bytes.
pub(super) fn table_of(
    text: &[u8],
    file: &str,
    figure: &Figure,
    budget: u64,
    block: u64,
) -> Result<Read, InputError> {
    match read_json(text, file, figure, None, &Budget::new(budget))?.0 {
        Json::Frame(table, lints) => Ok((table as Box<dyn TableSource>, lints, String::new())),
        Json::Records => records_of(text, file, figure, budget, block),
        other => panic!("{other:?}"),
    }
}

/// The table of records.
pub(super) fn records_of(
    text: &[u8],
    file: &str,
    figure: &Figure,
    budget: u64,
    block: u64,
) -> Result<Read, InputError> {
    let content = Content::Memory(text.to_vec());
    let not_finite = figure.data.json_nan == Some(true);
    let source = Source::new(content, file, not_finite, &Budget::new(budget))?;
    let opened = JsonTable::of(source, figure, block);
    opened.map(|(table, lints, notice)| (Box::new(table) as Box<dyn TableSource>, lints, notice))
}

/// The names of a table's columns, and the texts of its rows.
pub(super) fn cells_of(table: &dyn TableSource) -> (Vec<String>, Vec<Vec<String>>) {
    let columns: Vec<usize> = (0..table.schema().width()).collect();
    let mut rows = Vec::new();
    for part in table.parts() {
        let mut part = part.unwrap();
        while let Some(batch) = part.next(&columns).unwrap() {
            for row in 0..batch.rows {
                assert_eq!(
                    batch.places.refused(row, "").place.to_string(),
                    format!("row {}", rows.len() + 1)
                );
                rows.push(batch.columns.iter().map(|c| c.text(row).into_owned()).collect());
            }
        }
    }
    (table.schema().headers.clone(), rows)
}

fn read(text: &str, file: &str) -> Result<Json, InputError> {
    read_json(text.as_bytes(), file, &Figure::default(), None, &Budget::new(1 << 30)).map(|read| read.0)
}

fn rows(text: &str) -> (Vec<String>, Vec<String>) {
    let (table, lints, _) = table_of(text.as_bytes(), "t.jsonl", &Figure::default(), 1 << 30, 64).unwrap();
    assert!(lints.0.is_empty());
    let (names, rows) = cells_of(table.as_ref());
    (names, rows.into_iter().map(|r| r.join("|")).collect())
}

fn array_of(text: &str) -> Array {
    let Json::Numbers(a) = read(text, "a.json").unwrap() else { panic!("{text}") };
    a
}

fn refused(text: &str, file: &str) -> InputError {
    let read = table_of(text.as_bytes(), file, &Figure::default(), 1 << 30, 64);
    read.err().unwrap()
}

fn refusal(text: &str) -> String {
    let e = refused(text, "a.json");
    assert!(e.place.line.is_some(), "{e}");
    e.to_string()
}

#[test]
fn records_are_rows_with_dotted_columns() {
    let want = (
        ["config.lr", "config.opt.name", "acc", "ok"].map(String::from).to_vec(),
        ["0.1|adam|5|true", "0.01||7|", "|sgd||false"].map(String::from).to_vec(),
    );
    let a = r#"{"config":{"lr":0.1,"opt":{"name":"adam"}},"acc":5,"ok":true}"#;
    let (b, c) = (
        r#"{"acc":7,"config":{"lr":0.01,"opt":null},"ok":null}"#,
        r#"{"ok":false,"config":{"opt":{"name":"sgd"}}}"#,
    );
    assert_eq!(rows(&format!("[{a},\n {b}, {c}]")), want);
    assert_eq!(rows(&format!("{a}\n{b}\r\n\n{c}\n")), want);
    assert_eq!(rows("{\"a\":1,\"b\":18446744073709551615}").1, ["1|18446744073709551615"]);
}

#[test]
fn numbers_beside_texts_stay_as_they_are_written() {
    let rows_of = |values: [&str; 4]| {
        let records = values.map(|v| format!("{{\"v\":{v}}}"));
        let list = rows(&format!("[{}]", records.join(",\n"))).1;
        assert_eq!(rows(&records.join("\n")).1, list);
        list
    };
    assert_eq!(rows_of(["0.10", "1e2", "-0", "\"x\""]), ["0.10", "1e2", "-0", "x"]);
    assert_eq!(rows_of(["\"x\"", "null", "0.10", "true"]), ["x", "", "0.10", "true"]);
    assert_eq!(rows_of(["1.50", "9007199254740993", "2", "null"]), ["1.50", "9007199254740993", "2", ""]);
}

#[test]
fn lists_in_records_are_left_out_unless_asked_for() {
    let text = "[{\"a\":1,\"tags\":[\"x\",{\"y\":[1]}]},{\"a\":2,\"tags\":3}]";
    let lines = "{\"a\":1,\"tags\":[\"x\",{\"y\":[1]}]}\n{\"a\":2,\"tags\":3}";
    for text in [text, lines] {
        let (table, _, notice) = table_of(text.as_bytes(), "t.json", &Figure::default(), 1 << 30, 8).unwrap();
        assert_eq!(
            (table.schema().headers.join(" "), notice.as_str()),
            ("a".into(), "t.json: columns of lists left out: tags")
        );
    }
    let mut f = Figure::default();
    f.data.value = Some(List::from_flag("tags"));
    // Their elements are rows; lists in these are left out.
    for text in [text, lines] {
        let (table, _, notice) = table_of(text.as_bytes(), "t.json", &f, 1 << 30, 8).unwrap();
        assert_eq!(
            (table.schema().headers.join(" "), notice.as_str()),
            ("a tags".into(), "t.json: columns of lists left out: tags.y")
        );
    }
}

#[test]
fn pandas_frames_are_tables() {
    let want = (["", "a", "b"].map(String::from).to_vec(), ["r1|1|x", "r2|2.5|"].map(String::from).to_vec());
    assert_eq!(
        rows(r#"{"columns":["a","b"],"index":["r1","r2"],"data":[[1,"x"],[2.5,null]]}"#).1,
        ["r1|1.0|x", "r2|2.5|"]
    );
    assert_eq!(rows(r#"{"a":{"r1":"1","r2":"2.5"},"b":{"r1":"x","r2":null}}"#), want);
    // Columns of nulls stay: names with dots are names, not objects.
    assert_eq!(
        rows(r#"{"a":{"0":null,"1":null},"a.b":{"0":1,"1":2}}"#),
        (["", "a", "a.b"].map(String::from).to_vec(), ["0||1", "1||2"].map(String::from).to_vec())
    );
    assert_eq!(
        rows(r#"{"columns":[0.10,0.2],"data":[[1,2]]}"#),
        (vec!["0.10".into(), "0.2".into()], vec!["1|2".into()])
    );
    assert!(
        refusal(r#"{"columns":["a","b"],"index":[0],"data":[[1]]}"#).contains("1 values in a row, 2 columns")
    );
    assert!(
        refusal(r#"{"columns":["a"],"index":[0,1],"data":[[1]]}"#).contains("2 labels in 'index', 1 rows")
    );
}

#[test]
fn lists_of_numbers_are_arrays() {
    assert_eq!(
        array_of("[[1,2,3],[4,5,6]]"),
        Array { shape: vec![2, 3], data: Values::I64(vec![1, 2, 3, 4, 5, 6]) }
    );
    assert_eq!(
        array_of("[1, 18446744073709551615]"),
        Array { shape: vec![2], data: Values::U64(vec![1, u64::MAX]) }
    );
    let a = array_of("[[[1,null]],[[true,0.5]]]");
    assert_eq!(a.shape, [2, 1, 2]);
    assert!(matches!(a.data.get(1), Number::F64(v) if v.is_nan()));
    assert_eq!((a.data.get(2), a.data.get(3)), (Number::F64(1.0), Number::F64(0.5)));
    let v = array_of("{\"values\":[1,2,3,4,5,6],\"note\":[{}],\"width\":3,\"height\":2}");
    assert_eq!((v.shape, v.data.get(3)), (vec![2, 3], Number::I64(4)));
}

#[test]
fn what_is_not_data_is_refused_with_its_place() {
    for (text, what) in [
        ("[[1,2],[3]]", "line 1, column 8: a list of 1, 2 expected as in the first"),
        ("[[1,2],3]", "line 1, column 8: expected a list of numbers, found '3'"),
        ("[1,[2]]", "line 1, column 4: expected a number, found '['"),
        ("[1,\"x\"]", "line 1, column 4: the text 'x' is not a number"),
        ("[[1,NaN]]", "line 1, column 5: NaN is not valid JSON"),
        ("[9007199254740993,null]", "integers over 2^53"),
        ("[1e999]", "line 1, column 2: a number beyond 1.8e308"),
        ("[{\"a\":1},5]", "line 1, column 10: expected an object, found '5'"),
        ("[{\"a\":1,\"a\":2}]", "line 1, column 9: duplicate key 'a' in one record"),
        ("[{\"a\":{\"b\":1},\"a.b\":2}]", "duplicate key 'a.b'"),
        ("[{\"a\":1}]x", "line 1, column 10: expected the end of the text, found 'x'"),
        ("[\"a\"]", "a list of texts"),
        ("{\"a\":\"b\",\"c\":[]}", "no table is found, and no figure file"),
        ("{\"a\":[{\"b\":1}],\"c\":[{\"d\":1}]}", "holds 2 tables or arrays"),
        ("{\"width\":2,\"height\":2,\"values\":[1]}", "1 values, but height 2 x width 2"),
        ("{\"width\":-2,\"height\":2,\"values\":[1]}", "'width' is not a number of cells"),
    ] {
        let e = refusal(text);
        assert!(e.contains(what), "{text}: {e}");
    }
    assert_eq!(refused("[{},{}]", "a").to_string(), "a: no data rows");
}

#[test]
fn tokens_of_python_are_values_where_they_are_allowed() {
    let mut f = Figure::default();
    f.data.json_nan = Some(true);
    let budget = Budget::new(1 << 20);
    let (Json::Numbers(a), _) = read_json(b"[1,NaN,-Infinity]", "a.json", &f, None, &budget).unwrap() else {
        panic!()
    };
    assert!(matches!(a.data.get(1), Number::F64(v) if v.is_nan()));
    assert_eq!(a.data.get(2), Number::F64(f64::NEG_INFINITY));
    let lines = b"{\"a\":NaN}\n{\"a\":1}\n{\"a\":Infinity}";
    for block in [1, 1000] {
        let (table, ..) = table_of(lines, "a.jsonl", &f, 1 << 20, block).unwrap();
        assert_eq!(cells_of(table.as_ref()).1.concat(), ["NaN", "1.0", "inf"]);
    }
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let numbers = format!("[{}1]", "1,".repeat(10_000));
    let e = read_json(numbers.as_bytes(), "a", &Figure::default(), None, &Budget::new(70_000)).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Limit);
    let rows: Vec<String> = (0..40_000).map(|i| format!("{{\"k{i}\":1}}")).collect();
    for text in [format!(" {}\n", rows.join(" \n")), format!("[{}]", rows.join(",\n"))] {
        for block in [100, 1 << 19] {
            let e = table_of(text.as_bytes(), "a.jsonl", &Figure::default(), 1 << 30, block).err().unwrap();
            assert!(e.kind == ErrorKind::Limit && e.what.contains("too few"), "{e}");
            let line = e.place.line.unwrap();
            assert!(line.to_string().starts_with("28") && e.place.column == Some(2), "{e}");
        }
    }
}

#[test]
fn a_list_of_records_is_read_in_blocks() {
    let rows: Vec<String> = (0..1000).map(|i| format!("{{\"x\":\"key {}\",\"v\":{i}}}", i % 7)).collect();
    let content = Content::Memory(format!("\u{feff} [{}]", rows.join(" ,\n")).into_bytes());
    let (figure, budget) = (Figure::default(), Budget::new(1 << 20));
    let source = Source::new(content, "a.json", false, &budget).unwrap();
    let (table, ..) = JsonTable::of(source, &figure, 2000).unwrap();
    assert!(table.parts().count() > 10);
    let (names, cells) = cells_of(&table);
    assert_eq!((names.join(" "), cells.len()), ("x v".to_owned(), 1000));
    assert_eq!(cells[999], ["key 5", "999"]);
    drop(table);
    assert_eq!(budget.left(), 1 << 20);
}

#[test]
fn changed_and_cut_texts_never_panic() {
    let good = [
        "[{\"config\":{\"lr\":0.1,\"tags\":[1,2]},\"acc\":0.5},{\"acc\":null,\"n\\u0041\":\"é\"}]",
        "{\"a\":1,\"b\":\"x\"}\n{\"a\":-2e3,\"b\":NaN}\n",
        "[[1,2.5],[null,18446744073709551615]]",
        "{\"width\":2,\"height\":1,\"values\":[1,2]}",
        "{\"columns\":[\"a\"],\"index\":[0],\"data\":[[1]]}",
        "{\"a\":{\"0\":1,\"1\":2},\"b\":{\"0\":1,\"1\":2}}",
    ];
    let mut figure = Figure::default();
    figure.data.json_nan = Some(true);
    let mut random = Random(7);
    for text in good {
        let budget = || Budget::new(1 << 20);
        assert!(
            read_json(text.as_bytes(), "a.json", &figure, None, &budget()).is_ok() || text.contains("1844"),
            "{text}"
        );
        for _ in 0..2000 {
            let mut bytes = text.as_bytes().to_vec();
            let at = random.below(text.len());
            match random.below(3) {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << random.below(8),
                _ => bytes[at] = random.pick(b"[]{},:\"\\-0e\x00\xff"),
            }
            if let Ok((Json::Numbers(a), _)) = read_json(&bytes, "a.jsonl", &figure, None, &budget()) {
                assert_eq!(a.shape.iter().product::<usize>(), a.data.len());
            }
            if let Ok((table, ..)) = records_of(&bytes, "a.jsonl", &figure, 1 << 20, 16) {
                assert!(!cells_of(table.as_ref()).1.is_empty());
            }
            let _ = (is_data(&String::from_utf8_lossy(&bytes)), is_lines(&bytes, "a.json"));
        }
    }
}

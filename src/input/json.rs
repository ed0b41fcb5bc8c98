//! JSON that holds data: records to a table, lists of numbers to an array.

use super::array::Array;
use super::budget::{Budget, Short};
use super::error::InputError;
use super::figure_file::is_figure_key;
use super::json_array::{lone, numbers, values};
use super::json_columns::{Column, Columns};
use super::json_shape::{KEY, READ_AS_DATA, Shape, shape};
use super::json_text::{Fault, Reader, Scalar, decode};
use super::schema::listed;
use super::typed::TypedColumn;
use super::typed_table::TypedTable;
use crate::figure::{Figure, List};
use crate::lint::Lints;
use std::borrow::Cow;
use std::sync::Arc;

/// Keys by which data are told from a figure, and lines from a list.
const MOST_KEYS: usize = 1 << 20;
/// The longest name of a column, from the outermost key to the innermost.
const LONGEST_NAME: usize = 1 << 20;

/// The data of a JSON text.
#[derive(Debug)]
pub(super) enum Json {
    Array(Array),
    /// A table, what was noticed, and what was left out, in words.
    Table(Box<TypedTable>, Lints, String),
}

/// Whether the text, or its beginning, holds data rather than a figure.
pub(super) fn is_data(text: &str) -> bool {
    let starts = text.trim_start_matches('\u{feff}').trim_start();
    starts.starts_with('[')
        || starts.starts_with('{') && shape(starts, &is_figure_key, MOST_KEYS) != Shape::Object
}

/// Whether the text is of objects one after the other, of which more may follow.
pub(super) fn is_lines(bytes: &[u8], file: &str) -> bool {
    file.ends_with(".jsonl")
        || file.ends_with(".ndjson")
        || decode(bytes, file).is_ok_and(|t| shape(t, &|_| true, MOST_KEYS) == Shape::Lines)
}

/// Reads JSON data; what they take is taken off the budget.
///
/// # Errors
/// Text that is no JSON, with line and column; a shape that is no data; a column of lists that the figure asks for; too
/// little memory.
pub(super) fn read_json(
    bytes: &[u8],
    file: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Json, InputError> {
    let text = decode(bytes, file)?;
    let refused = |f: Fault| f.refused(text, file);
    let data = &figure.data;
    let reader = || Reader::new(text, data.json_nan == Some(true));
    let keys = usize::try_from(budget.left() / 2 / KEY).unwrap_or(usize::MAX);
    let mut shape = shape(text, &is_figure_key, keys);
    // A log of one line, or one on its way through a pipe.
    if shape == Shape::Object && (file == "-" || is_lines(b"", file)) {
        shape = Shape::Lines;
    }
    let array = |read: Result<Array, Fault>| read.map(Json::Array).map_err(refused);
    let table =
        |read: Result<Columns, Fault>| of_columns(read.map_err(refused)?, file, (figure, budget), refused);
    match shape {
        Shape::Array => array(numbers(reader(), budget)),
        Shape::Values => array(values(reader(), budget)),
        Shape::Records | Shape::Lines => table(records(reader(), shape == Shape::Records, budget)),
        Shape::Split => table(split(text, &reader, budget)),
        Shape::Columns => table(by_columns(reader(), budget)),
        Shape::TooMany => {
            let what = format!("an object of over {keys} keys takes more than the memory limit");
            Err(refused(Fault {
                limit: true,
                hint: Some(Short::HINT),
                ..Fault::new(0, what)
            }))
        }
        Shape::Object | Shape::Other(_) => {
            // What is no JSON at all says so, with its place.
            let mut r = reader();
            r.skip().and_then(|()| r.end()).map_err(refused)?;
            let what = match shape {
                Shape::Other(what) => what,
                _ => "is an object that is no data; a figure file stands first on the command line",
            };
            Err(refused(Fault {
                hint: Some(READ_AS_DATA),
                ..Fault::new(0, what)
            }))
        }
    }
}

/// The rows of objects, in a list or one after the other.
fn records(mut r: Reader<'_>, list: bool, budget: &Arc<Budget>) -> Result<Columns, Fault> {
    let mut columns = Columns::new(budget);
    let mut name = String::new();
    let mut row = |r: &mut Reader<'_>| {
        name.clear();
        record(r, &mut columns, &mut name)?;
        columns.end_row();
        Ok(())
    };
    if list {
        r.list(&mut row)?;
        r.end()?;
    } else {
        while r.peek().is_some() {
            row(&mut r)?;
        }
    }
    columns.whole(r.at())?;
    Ok(columns)
}

/// The values of an object, those of objects in it under dotted names.
fn record(r: &mut Reader<'_>, columns: &mut Columns, name: &mut String) -> Result<(), Fault> {
    let outer = name.len();
    r.object(&mut |r, key, at| {
        if outer > 0 {
            name.push('.');
        }
        name.push_str(&key);
        if name.len() > LONGEST_NAME {
            return Err(Fault {
                limit: true,
                ..Fault::new(at, format!("a name of over {} MiB", LONGEST_NAME >> 20))
            });
        }
        match r.peek() {
            Some(b'{') => record(r, columns, name)?,
            Some(b'[') => {
                let i = columns.named(name, at)?;
                columns.columns[i].list_at.get_or_insert(at);
                r.skip()?;
            }
            _ => {
                let i = columns.named(name, at)?;
                let value = r.scalar()?;
                columns.set(i, &value, at)?;
            }
        }
        name.truncate(outer);
        Ok(())
    })
}

/// The columns whose values stand under the keys of their rows.
fn by_columns(mut r: Reader<'_>, budget: &Arc<Budget>) -> Result<Columns, Fault> {
    let mut columns = Columns::new(budget);
    columns.push("", 0)?;
    r.object(&mut |r, key, at| {
        let i = columns.columns.len();
        columns.push(&key, at)?;
        let mut row = 0;
        r.object(&mut |r, label, at| {
            if i == 1 {
                columns.columns[0].set(row, &Scalar::Text(label), at)?;
            }
            columns.rows = row;
            let value = r.scalar()?;
            columns.set(i, &value, at)?;
            row += 1;
            Ok(())
        })?;
        if i > 1 && row != columns.columns[0].len() {
            return Err(Fault::new(
                at,
                format!(
                    "{row} rows under '{key}', {} under the first column",
                    columns.columns[0].len()
                ),
            ));
        }
        Ok(())
    })?;
    columns.rows = columns.columns[0].len();
    r.end()?;
    columns.whole(r.at())?;
    Ok(columns)
}

/// The rows of `data` under the names of `columns`, after a first column of `index`.
fn split<'a>(text: &'a str, reader: &dyn Fn() -> Reader<'a>, budget: &Arc<Budget>) -> Result<Columns, Fault> {
    let mut columns = Columns::new(budget);
    let mut index = lone(budget)?;
    reader().object(&mut |r, key, _| match &*key {
        "columns" => r.list(&mut |r| {
            let at = r.at();
            columns.push(&label(r.scalar()?, text, at, r.at()), at)
        }),
        "index" => r.list(&mut |r| {
            let (row, value) = (index.len(), r.scalar()?);
            let value = if value == Scalar::Null {
                Scalar::Text(Cow::Borrowed(""))
            } else {
                value
            };
            index.set(row, &value, r.at())
        }),
        _ => r.skip(),
    })?;
    let width = columns.columns.len();
    let mut r = reader();
    r.object(&mut |r, key, _| {
        if key != "data" {
            return r.skip();
        }
        r.list(&mut |r| {
            let (mut i, at) = (0, r.at());
            r.list(&mut |r| {
                let at = r.at();
                let value = r.scalar()?;
                i += 1;
                if i > width {
                    Ok(())
                } else {
                    columns.set(i - 1, &value, at)
                }
            })?;
            columns.end_row();
            if i == width {
                Ok(())
            } else {
                Err(Fault::new(at, format!("{i} values in a row, {width} columns")))
            }
        })
    })?;
    r.end()?;
    if !index.is_empty() {
        if index.len() != columns.rows {
            return Err(Fault::new(
                0,
                format!(
                    "{} labels in 'index', {} rows in 'data'",
                    index.len(),
                    columns.rows
                ),
            ));
        }
        columns.columns.insert(0, index);
    }
    columns.whole(r.at())?;
    Ok(columns)
}

/// The name of a column, as it is written.
fn label<'a>(value: Scalar<'a>, text: &'a str, from: usize, to: usize) -> Cow<'a, str> {
    match value {
        Scalar::Text(t) => t,
        Scalar::Null => Cow::Borrowed(""),
        _ => Cow::Borrowed(text[from..to].trim()),
    }
}

/// The table of the columns that hold values.
fn of_columns(
    read: Columns,
    file: &str,
    (figure, budget): (&Figure, &Arc<Budget>),
    refused: impl Fn(Fault) -> InputError,
) -> Result<Json, InputError> {
    let data = &figure.data;
    for (given, word) in [
        (data.delimiter.is_some(), "delimiter"),
        (data.header.is_some(), "header"),
    ] {
        if given {
            return Err(InputError::usage(
                file,
                format!("'{word}' is for tables of text; this is JSON"),
            ));
        }
    }
    let rows = read.rows;
    let asked = [&data.x, &data.y, &data.value, &figure.x.column, &figure.y.column];
    let asked = |name: &str| {
        asked
            .iter()
            .any(|l| l.as_ref().is_some_and(|List(l)| l.iter().any(|n| n == name)))
    };
    let lists: Vec<&Column> = read.columns.iter().filter(|c| c.list_at.is_some()).collect();
    if let Some(c) = lists
        .iter()
        .find(|c| asked(&c.name) || data.panel.as_ref() == Some(&c.name))
    {
        return Err(refused(Fault::new(
            c.list_at.unwrap_or(0),
            format!("column '{}' holds lists, which are no values", c.name),
        )));
    }
    let left: Vec<String> = lists.iter().map(|c| c.name.clone()).collect();
    let told = if left.is_empty() {
        String::new()
    } else {
        format!("{file}: columns of lists left out: {}", listed(&left))
    };
    // A null where other rows have an object is no column of its own.
    let mut names: Vec<&str> = read.columns.iter().map(|c| c.name.as_str()).collect();
    names.sort_unstable();
    let parents: Vec<bool> = read
        .columns
        .iter()
        .map(|c| c.is_empty() && parent(&c.name, &names))
        .collect();
    let kept = read
        .columns
        .into_iter()
        .zip(parents)
        .filter(|(c, parent)| c.list_at.is_none() && !parent);
    let columns: Vec<TypedColumn> = kept.map(|(c, _)| c.typed(rows)).collect();
    let mut lints = Lints::default();
    let table = TypedTable::new(file, columns, data, &mut lints, budget)?;
    Ok(Json::Table(Box::new(table), lints, told))
}

/// Whether one of these names, which are sorted, goes on after another one and a dot.
fn parent(name: &str, names: &[&str]) -> bool {
    let inner = format!("{name}.");
    names
        .get(names.partition_point(|n| *n < inner.as_str()))
        .is_some_and(|n| n.starts_with(&inner))
}

#[cfg(test)]
mod tests {
    use super::super::csv::AsRecords;
    use super::*;
    use crate::grid::{Number, Values};

    fn read(text: &str, file: &str) -> Result<Json, InputError> {
        read_json(text.as_bytes(), file, &Figure::default(), &Budget::new(1 << 30))
    }

    fn rows(text: &str) -> (Vec<String>, Vec<String>) {
        let Json::Table(r, lints, _) = read(text, "t.jsonl").unwrap() else {
            panic!("{text}")
        };
        assert!(lints.0.is_empty());
        let r = r.records().unwrap();
        (
            r.schema.headers.clone(),
            (0..r.len())
                .map(|i| r.row(i).collect::<Vec<_>>().join("|"))
                .collect(),
        )
    }

    fn array_of(text: &str) -> Array {
        let Json::Array(a) = read(text, "a.json").unwrap() else {
            panic!("{text}")
        };
        a
    }

    fn refusal(text: &str) -> String {
        let e = read(text, "a.json").unwrap_err();
        assert!(e.place.starts_with("line "), "{e}");
        e.to_string()
    }

    #[test]
    fn records_are_rows_with_dotted_columns() {
        let want = (
            ["config.lr", "config.opt.name", "acc", "ok"]
                .map(String::from)
                .to_vec(),
            ["0.1|adam|5|true", "0.01||7|", "|sgd||false"]
                .map(String::from)
                .to_vec(),
        );
        let a = r#"{"config":{"lr":0.1,"opt":{"name":"adam"}},"acc":5,"ok":true}"#;
        let (b, c) = (
            r#"{"acc":7,"config":{"lr":0.01,"opt":null},"ok":null}"#,
            r#"{"ok":false,"config":{"opt":{"name":"sgd"}}}"#,
        );
        assert_eq!(rows(&format!("[{a},\n {b}, {c}]")), want);
        assert_eq!(rows(&format!("{a}\n{b}\r\n\n{c}\n")), want);
        assert_eq!(
            rows("{\"a\":1,\"b\":18446744073709551615}").1,
            ["1|18446744073709551615"]
        );
    }

    #[test]
    fn lists_in_records_are_left_out_unless_asked_for() {
        let text = "[{\"a\":1,\"tags\":[\"x\",{\"y\":[1]}]},{\"a\":2,\"tags\":3}]";
        let Json::Table(r, _, told) = read(text, "t.json").unwrap() else {
            panic!()
        };
        let r = r.records().unwrap();
        assert_eq!(
            (r.schema.headers.join(" "), told.as_str()),
            ("a".into(), "t.json: columns of lists left out: tags")
        );
        let mut f = Figure::default();
        f.data.value = Some(List::from_flag("tags"));
        let e = read_json(text.as_bytes(), "t.json", &f, &Budget::new(1 << 30)).unwrap_err();
        assert_eq!(
            e.to_string(),
            "t.json: line 1, column 9: column 'tags' holds lists, which are no values"
        );
    }

    #[test]
    fn pandas_frames_are_tables() {
        let want = (
            ["", "a", "b"].map(String::from).to_vec(),
            ["r1|1|x", "r2|2.5|"].map(String::from).to_vec(),
        );
        assert_eq!(
            rows(r#"{"columns":["a","b"],"index":["r1","r2"],"data":[[1,"x"],[2.5,null]]}"#).1,
            ["r1|1.0|x", "r2|2.5|"]
        );
        assert_eq!(
            rows(r#"{"a":{"r1":"1","r2":"2.5"},"b":{"r1":"x","r2":null}}"#),
            want
        );
        assert_eq!(
            rows(r#"{"columns":[0.10,0.2],"data":[[1,2]]}"#),
            (vec!["0.10".into(), "0.2".into()], vec!["1|2".into()])
        );
        assert!(
            refusal(r#"{"columns":["a","b"],"index":[0],"data":[[1]]}"#)
                .contains("1 values in a row, 2 columns")
        );
        assert!(
            refusal(r#"{"columns":["a"],"index":[0,1],"data":[[1]]}"#)
                .contains("2 labels in 'index', 1 rows")
        );
    }

    #[test]
    fn lists_of_numbers_are_arrays() {
        assert_eq!(
            array_of("[[1,2,3],[4,5,6]]"),
            Array {
                shape: vec![2, 3],
                data: Values::I64(vec![1, 2, 3, 4, 5, 6])
            }
        );
        assert_eq!(
            array_of("[1, 18446744073709551615]"),
            Array {
                shape: vec![2],
                data: Values::U64(vec![1, u64::MAX])
            }
        );
        let a = array_of("[[[1,null]],[[true,0.5]]]");
        assert_eq!(a.shape, [2, 1, 2]);
        assert!(matches!(a.data.get(1), Number::F64(v) if v.is_nan()));
        assert_eq!(
            (a.data.get(2), a.data.get(3)),
            (Number::F64(1.0), Number::F64(0.5))
        );
        let v = array_of("{\"values\":[1,2,3,4,5,6],\"note\":[{}],\"width\":3,\"height\":2}");
        assert_eq!((v.shape, v.data.get(3)), (vec![2, 3], Number::I64(4)));
    }

    #[test]
    fn what_is_no_data_is_refused_with_its_place() {
        for (text, what) in [
            (
                "[[1,2],[3]]",
                "line 1, column 8: a list of 1, 2 expected as in the first",
            ),
            (
                "[[1,2],3]",
                "line 1, column 8: expected a list of numbers, found '3'",
            ),
            ("[1,[2]]", "line 1, column 4: expected a number, found '['"),
            ("[1,\"x\"]", "line 1, column 4: the text 'x' is no number"),
            ("[[1,NaN]]", "line 1, column 5: NaN is no JSON"),
            ("[9007199254740993,null]", "integers over 2^53"),
            ("[1e999]", "line 1, column 2: a number beyond 1.8e308"),
            (
                "[{\"a\":1},5]",
                "line 1, column 10: expected an object, found '5'",
            ),
            (
                "[{\"a\":1,\"a\":2}]",
                "line 1, column 9: key 'a' stands twice in one record",
            ),
            ("[{\"a\":{\"b\":1},\"a.b\":2}]", "key 'a.b' stands twice"),
            (
                "[{\"a\":1}]x",
                "line 1, column 10: expected the end of the text, found 'x'",
            ),
            ("[\"a\"]", "a list of texts"),
            ("{\"a\":1}", "no data; a figure file"),
            (
                "{\"width\":2,\"height\":2,\"values\":[1]}",
                "1 values, but height 2 x width 2",
            ),
            (
                "{\"width\":-2,\"height\":2,\"values\":[1]}",
                "'width' is no number of cells",
            ),
        ] {
            let e = refusal(text);
            assert!(e.contains(what), "{text}: {e}");
        }
        assert_eq!(read("[{},{}]", "a").unwrap_err().to_string(), "a: no data rows");
    }

    #[test]
    fn tokens_of_python_are_values_where_they_are_allowed() {
        let mut f = Figure::default();
        f.data.json_nan = Some(true);
        let budget = Budget::new(1 << 20);
        let Json::Array(a) = read_json(b"[1,NaN,-Infinity]", "a.json", &f, &budget).unwrap() else {
            panic!()
        };
        assert!(matches!(a.data.get(1), Number::F64(v) if v.is_nan()));
        assert_eq!(a.data.get(2), Number::F64(f64::NEG_INFINITY));
        let Json::Table(r, ..) = read_json(
            b"{\"a\":NaN}\n{\"a\":1}\n{\"a\":Infinity}",
            "a.jsonl",
            &f,
            &budget,
        )
        .unwrap() else {
            panic!()
        };
        let r = r.records().unwrap();
        assert_eq!(
            (0..3).map(|i| r.get(i, 0)).collect::<Vec<_>>(),
            ["NaN", "1.0", "inf"]
        );
    }

    #[test]
    fn memory_is_asked_for_before_it_is_taken() {
        let numbers = format!("[{}1]", "1,".repeat(10_000));
        let e = read_json(numbers.as_bytes(), "a", &Figure::default(), &Budget::new(70_000)).unwrap_err();
        assert_eq!(e.kind, super::super::ErrorKind::Limit);
        let rows: String = (0..40_000).map(|i| format!("{{\"k{i}\":1}}\n")).collect();
        let e = read(&rows, "a.jsonl").unwrap_err();
        assert!(
            e.kind == super::super::ErrorKind::Limit && e.what.contains("too few"),
            "{e}"
        );
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
        let mut seed = 7u64;
        let mut next = |n: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        for text in good {
            let budget = || Budget::new(1 << 20);
            assert!(
                read_json(text.as_bytes(), "a.json", &figure, &budget()).is_ok() || text.contains("1844"),
                "{text}"
            );
            for _ in 0..2000 {
                let mut bytes = text.as_bytes().to_vec();
                match next(3) {
                    0 => bytes.truncate(next(text.len())),
                    1 => bytes[next(text.len())] ^= 1 << next(8),
                    _ => bytes[next(text.len())] = b"[]{},:\"\\-0e\x00\xff"[next(13)],
                }
                if let Ok(Json::Array(a)) = read_json(&bytes, "a.jsonl", &figure, &budget()) {
                    assert_eq!(a.shape.iter().product::<usize>(), a.data.len());
                }
                let _ = (
                    is_data(&String::from_utf8_lossy(&bytes)),
                    is_lines(&bytes, "a.json"),
                );
            }
        }
    }
}

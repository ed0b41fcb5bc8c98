//! Arrow files, streams and Feather files by the same library's writer and from outside: right values, or one line that says why not.

#![cfg(feature = "arrow")]

use crate::support::corpus::{corpus, files};
use crate::support::table::tidy;
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int8Array, Int64Array, NullArray, RecordBatch,
    StringArray, StringViewArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use gridscope::figure::{Agg, Data, Figure, TableKind};
use gridscope::grid::Grid;
use gridscope::input::{InputError, Loaded, ReadOptions, open};
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn read(path: &Path, figure: &Figure) -> Result<Loaded, InputError> {
    open(&[path.to_str().unwrap().to_owned()], figure, &ReadOptions::default(), 1 << 30)
}

/// The grid as text, `.` where there is no value.
fn drawn(g: &Grid) -> String {
    let cell = |r, c| g.at(r, c).value().map_or(".".to_owned(), |n| n.to_string());
    (0..g.height())
        .map(|r| (0..g.width()).map(|c| cell(r, c)).collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("; ")
}

/// A batch of size (ordered categories high, low, mid), view (texts beside it), run, v and what has no value.
fn batch(runs: [i64; 3]) -> RecordBatch {
    let sizes = Arc::new(StringArray::from(vec!["low", "mid", "high"]));
    let size: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(Int8Array::from(vec![2, 0, 1]), sizes));
    let coded = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    #[allow(deprecated)]
    let ordered = Field::new_dict("size", coded, true, 0, true);
    let field = |name: &str, kind| Field::new(name, kind, true);
    let schema = Schema::new(vec![
        field("none", DataType::Null),
        field("view", DataType::Utf8View),
        ordered,
        field("run", DataType::Int64),
        field("ok", DataType::Boolean),
        field("v", DataType::Float64),
    ]);
    let columns: Vec<ArrayRef> = vec![
        Arc::new(NullArray::new(3)),
        Arc::new(StringViewArray::from(vec![Some("a text of more than twelve bytes"), None, Some("short")])),
        size,
        Arc::new(Int64Array::from(runs.to_vec())),
        Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
        Arc::new(Float64Array::from(vec![Some(0.1), Some(2.0), None])),
    ];
    RecordBatch::try_new(Arc::new(schema), columns).unwrap()
}

fn file(compression: Option<CompressionType>) -> Vec<u8> {
    let mut out = Vec::new();
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let batches = [batch([1, 1, 1]), batch([2, 2, 3])];
    let mut writer = FileWriter::try_new_with_options(&mut out, &batches[0].schema(), options).unwrap();
    batches.iter().for_each(|b| writer.write(b).unwrap());
    writer.finish().unwrap();
    drop(writer);
    out
}

fn stream() -> Vec<u8> {
    let mut out = Vec::new();
    let batches = [batch([1, 1, 1]), batch([2, 2, 3])];
    let mut writer = StreamWriter::try_new(&mut out, &batches[0].schema()).unwrap();
    batches.iter().for_each(|b| writer.write(b).unwrap());
    writer.finish().unwrap();
    drop(writer);
    out
}

#[test]
fn files_and_streams_hold_their_values_in_the_order_of_their_categories() {
    let dir = tempfile::tempdir().unwrap();
    for (i, bytes) in [file(None), file(Some(CompressionType::LZ4_FRAME)), stream()].into_iter().enumerate() {
        let path = dir.path().join(format!("{i}.arrow"));
        fs::write(&path, bytes).unwrap();
        let l = read(&path, &tidy("run", "size", "v")).unwrap();
        assert_eq!(l.grids[0].rows().levels[0], ["low", "mid", "high"]);
        assert_eq!(l.grids[0].columns().levels[0], ["1", "2", "3"]);
        assert_eq!(drawn(&l.grids[0]), "2 2 .; . . .; 0.1 0.1 .");
        assert_eq!(drawn(&read(&path, &tidy("run", "size", "ok")).unwrap().grids[0]), ". . .; 0 . 0; 1 1 .");
        let views = read(&path, &tidy("run", "view", "v")).unwrap();
        assert_eq!(views.grids[0].rows().levels[0], ["a text of more than twelve bytes", "short", "(blank)"]);
        assert_eq!(
            drawn(&read(&path, &tidy("run", "size", "none")).unwrap().grids[0]),
            ". . .; . . .; . . ."
        );
    }
}

/// Rows of key (texts), n (0, 1, 2 …, each seventh missing) and v (a tenth of n), from a row on.
fn rows(range: std::ops::Range<i64>) -> RecordBatch {
    let keys = range.clone().map(|n| format!("k{}", n * 7 % 5));
    let columns: [(&str, ArrayRef); 3] = [
        ("key", Arc::new(StringArray::from_iter_values(keys))),
        ("n", Arc::new(Int64Array::from_iter(range.clone().map(|n| (n % 7 != 3).then_some(n))))),
        ("v", Arc::new(Float64Array::from_iter_values(range.map(|n| n as f64 / 10.0)))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn rows_are_the_same_in_batches_of_any_length() {
    const ROWS: i64 = 150_000;
    let dir = tempfile::tempdir().unwrap();
    let drawn_by = |length: i64, compression: Option<CompressionType>, agg: Agg| {
        let path = dir.path().join("rows.arrow");
        let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
        let file = fs::File::create(&path).unwrap();
        let mut writer = FileWriter::try_new_with_options(file, &rows(0..8).schema(), options).unwrap();
        for from in (0..ROWS).step_by(length as usize) {
            writer.write(&rows(from..ROWS.min(from + length))).unwrap();
        }
        writer.finish().unwrap();
        let mut figure = tidy("key", "key", "n,v");
        figure.data.agg = Some(agg);
        let grids = read(&path, &figure).unwrap().grids;
        assert_eq!(grids[0].rows().levels[0], ["k0", "k1", "k2", "k3", "k4"]);
        [drawn(&grids[0]), drawn(&grids[1])]
    };
    for agg in [Agg::Mean, Agg::Last, Agg::Count] {
        let whole = drawn_by(ROWS, None, agg);
        for (length, compression) in [(ROWS, Some(CompressionType::LZ4_FRAME)), (65_536, None), (999, None)] {
            assert_eq!(drawn_by(length, compression, agg), whole, "{length} {agg:?}");
        }
        if agg == Agg::Last {
            assert_eq!(
                whole[1],
                "14999.5 . . . .; . 14999.8 . . .; . . 14999.6 . .; . . . 14999.9 .; . . . . 14999.7"
            );
        }
    }
}

#[test]
fn dictionaries_are_extended_and_replaced_between_batches() {
    let of = |texts: &[&str], keys: &[i8], v: f64| {
        let values = Arc::new(StringArray::from(texts.to_vec()));
        let coded = DictionaryArray::<Int8Type>::new(Int8Array::from(keys.to_vec()), values);
        let columns: [(&str, ArrayRef); 2] =
            [("key", Arc::new(coded)), ("v", Arc::new(Float64Array::from(vec![v; keys.len()])))];
        RecordBatch::try_from_iter(columns).unwrap()
    };
    let dir = tempfile::tempdir().unwrap();
    for (handling, second) in
        [(DictionaryHandling::Delta, ["a", "b", "c"]), (DictionaryHandling::Resend, ["c", "a", "b"])]
    {
        let path = dir.path().join("d.arrows");
        let options = IpcWriteOptions::default().with_dictionary_handling(handling);
        let batches = [of(&["a", "b"], &[1, 0], 1.0), of(&second, &[2, 0, 1], 2.0)];
        let file = fs::File::create(&path).unwrap();
        let mut writer = StreamWriter::try_new_with_options(file, &batches[0].schema(), options).unwrap();
        batches.iter().for_each(|b| writer.write(b).unwrap());
        writer.finish().unwrap();
        let mut figure = tidy("key", "v", "v");
        figure.data.agg = Some(Agg::Count);
        let l = read(&path, &figure).unwrap();
        let (keys, counts) = (&l.grids[0].columns().levels[0], drawn(&l.grids[0]));
        assert_eq!(keys, &["b", "a", "c"]);
        assert_eq!(counts, "1 1 0; 1 1 1");
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn a_file_of_numbers_is_one_table_in_each_of_its_forms() {
    let mut wide: Vec<_> =
        ["arrow/good", "parquet/good"].iter().flat_map(|f| files(&corpus().join(f))).collect();
    wide.retain(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("pa_wide")));
    let of = |path: &Path| {
        let f =
            Figure { data: Data { table: Some(TableKind::Matrix), ..Data::default() }, ..Figure::default() };
        read(path, &f).map(|l| drawn(&l.grids[0]))
    };
    let mut all = Vec::new();
    for path in &wide {
        match of(path) {
            Ok(text) => all.push(text),
            Err(e) => assert!(e.to_string().contains("Feather file of version 1"), "{e}"),
        }
    }
    assert_eq!(all.len(), 4);
    assert!(all.windows(2).all(|w| w[0] == w[1]));
    assert!(all.iter().all(|t| t.split([' ', ';']).filter(|v| !v.is_empty()).count() == 1200));
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn a_big_endian_file_holds_what_a_little_endian_one_does() {
    for form in ["arrow_file", "stream"] {
        let big = corpus().join(format!("arrow/good/1.0.0-bigendian_generated_primitive.{form}"));
        for column in
            ["int8", "uint16", "int32", "uint64", "float32", "float64"].map(|t| format!("{t}_nullable"))
        {
            let mut figure = tidy(&column, "bool_nullable", &column);
            figure.data.blank_key = Some("drop".to_owned());
            let l = read(&big, &figure).unwrap();
            let grid = &l.grids[0];
            // Each value stands in the column of its own key, which a wrong order of bytes in either would break.
            assert!(!grid.is_empty(), "{column}");
            for c in 0..grid.width() {
                let key: f64 = grid.columns().label(c).parse().unwrap();
                let values: Vec<f64> = (0..grid.height())
                    .filter_map(|r| grid.at(r, c).value())
                    .map(gridscope::grid::Number::as_f64)
                    .collect();
                assert!(
                    values.iter().all(|v| (v - key).abs() <= 1e-6 * key.abs()),
                    "{column} {key}: {values:?}"
                );
                assert!(column != "int8_nullable" || (-128.0..128.0).contains(&key));
            }
        }
    }
}

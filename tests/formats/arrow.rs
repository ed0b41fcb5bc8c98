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
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use gridscope::figure::{Data, Figure, TableKind};
use gridscope::grid::Grid;
use gridscope::input::{InputError, Loaded, Needs, open};
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn read(path: &Path, figure: &Figure) -> Result<Loaded, InputError> {
    open(
        &[path.to_str().unwrap().to_owned()],
        figure,
        &Needs::default(),
        1 << 30,
    )
}

/// The grid as text, `.` where there is no value.
fn drawn(g: &Grid) -> String {
    let cell = |r, c| g.at(r, c).map_or(".".to_owned(), |n| n.to_string());
    (0..g.height())
        .map(|r| (0..g.width()).map(|c| cell(r, c)).collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("; ")
}

/// A batch of size (ordered categories high, low, mid), view (texts beside it), run, v and what has no value.
fn batch(runs: [i64; 3]) -> RecordBatch {
    let sizes = Arc::new(StringArray::from(vec!["low", "mid", "high"]));
    let size: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(
        Int8Array::from(vec![2, 0, 1]),
        sizes,
    ));
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
        Arc::new(StringViewArray::from(vec![
            Some("a text of more than twelve bytes"),
            None,
            Some("short"),
        ])),
        size,
        Arc::new(Int64Array::from(runs.to_vec())),
        Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
        Arc::new(Float64Array::from(vec![Some(0.1), Some(2.0), None])),
    ];
    RecordBatch::try_new(Arc::new(schema), columns).unwrap()
}

fn file(compression: Option<CompressionType>) -> Vec<u8> {
    let mut out = Vec::new();
    let options = IpcWriteOptions::default()
        .try_with_compression(compression)
        .unwrap();
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
    for (i, bytes) in [file(None), file(Some(CompressionType::LZ4_FRAME)), stream()]
        .into_iter()
        .enumerate()
    {
        let path = dir.path().join(format!("{i}.arrow"));
        fs::write(&path, bytes).unwrap();
        let l = read(&path, &tidy("run", "size", "v")).unwrap();
        assert_eq!(l.grids[0].rows.levels[0], ["low", "mid", "high"]);
        assert_eq!(l.grids[0].columns.levels[0], ["1", "2", "3"]);
        assert_eq!(drawn(&l.grids[0]), "2 2 .; . . .; 0.1 0.1 .");
        assert_eq!(
            drawn(&read(&path, &tidy("run", "size", "ok")).unwrap().grids[0]),
            ". . .; 0 . 0; 1 1 ."
        );
        let views = read(&path, &tidy("run", "view", "v")).unwrap();
        assert_eq!(
            views.grids[0].rows.levels[0],
            ["a text of more than twelve bytes", "short"]
        );
        assert_eq!(
            drawn(&read(&path, &tidy("run", "size", "none")).unwrap().grids[0]),
            ". . .; . . .; . . ."
        );
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn a_file_of_numbers_is_one_table_in_each_of_its_forms() {
    let mut wide: Vec<_> = ["arrow/good", "parquet/good"]
        .iter()
        .flat_map(|f| files(&corpus().join(f)))
        .collect();
    wide.retain(|p| {
        p.file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with("pa_wide"))
    });
    let of = |path: &Path| {
        let f = Figure {
            data: Data {
                table: Some(TableKind::Matrix),
                ..Data::default()
            },
            ..Figure::default()
        };
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
    assert!(
        all.iter()
            .all(|t| t.split([' ', ';']).filter(|v| !v.is_empty()).count() == 1200)
    );
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn a_big_endian_file_holds_what_a_little_endian_one_does() {
    for form in ["arrow_file", "stream"] {
        let big = corpus().join(format!("arrow/good/1.0.0-bigendian_generated_primitive.{form}"));
        for column in
            ["int8", "uint16", "int32", "uint64", "float32", "float64"].map(|t| format!("{t}_nullable"))
        {
            let l = read(&big, &tidy(&column, "bool_nullable", &column)).unwrap();
            let grid = &l.grids[0];
            // Each value stands in the column of its own key, which a wrong order of bytes in either would break.
            assert!(!grid.is_empty(), "{column}");
            for c in 0..grid.width() {
                let key: f64 = grid.columns.label(c).parse().unwrap();
                let values: Vec<f64> = (0..grid.height())
                    .filter_map(|r| grid.at(r, c).ok())
                    .map(|n| n.as_f64())
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

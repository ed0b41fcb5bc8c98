//! Parquet files by the same library's writer and from outside: right values, or one line that says why not.

#![cfg(feature = "parquet")]

use crate::support::corpus::{corpus, files};
use crate::support::table::tidy;
use gridscope::figure::{Agg, Data, Figure, List, TableKind};
use gridscope::grid::Grid;
use gridscope::input::{InputError, Loaded, ReadOptions, open};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FixedLenByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

const LIMIT: u64 = 1 << 30;

fn list(text: &str) -> Option<List> {
    Some(List::from_flag(text))
}

fn read(path: &Path, figure: &Figure) -> Result<Loaded, InputError> {
    open(&[path.to_str().unwrap().to_owned()], figure, &ReadOptions::default(), LIMIT)
}

/// The grid as text, `.` where there is no value.
fn drawn(g: &Grid) -> String {
    let cell = |r, c| g.at(r, c).value().map_or(".".to_owned(), |n| n.to_string());
    (0..g.height())
        .map(|r| (0..g.width()).map(|c| cell(r, c)).collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("; ")
}

/// Two row groups: key (text), day (date), n (u64), price (decimal of 2 digits), half (f16), v (double, one missing).
fn written(dir: &TempDir) -> PathBuf {
    let schema = "message m {
        required binary key (UTF8); required int32 day (DATE); required int64 n (INTEGER(64,false));
        required int32 price (DECIMAL(9,2)); required fixed_len_byte_array(2) half (FLOAT16); optional double v;
        optional group tags (LIST) { repeated group list { optional int32 element; } } }";
    let path = dir.path().join("a.parquet");
    let file = fs::File::create(&path).unwrap();
    let properties = Arc::new(WriterProperties::builder().set_compression(Compression::UNCOMPRESSED).build());
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(parse_message_type(schema).unwrap()), properties).unwrap();
    for group in 0..2i32 {
        let mut rows = writer.next_row_group().unwrap();
        let texts: Vec<ByteArray> = ["b", "a"].map(ByteArray::from).to_vec();
        let halves: Vec<_> =
            [[0x00u8, 0x3e], [0x00, 0xbc]].map(|b| ByteArray::from(b.to_vec()).into()).to_vec();
        for i in 0..7 {
            let mut column = rows.next_column().unwrap().unwrap();
            match i {
                0 => drop(column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap()),
                1 => drop(column.typed::<Int32Type>().write_batch(&[group, group], None, None).unwrap()),
                2 => drop(column.typed::<Int64Type>().write_batch(&[-1, 7], None, None).unwrap()),
                3 => drop(column.typed::<Int32Type>().write_batch(&[-314, 5 + group], None, None).unwrap()),
                4 => drop(column.typed::<FixedLenByteArrayType>().write_batch(&halves, None, None).unwrap()),
                5 => drop(
                    column
                        .typed::<DoubleType>()
                        .write_batch(&[0.1 + f64::from(group)], Some(&[1, 0]), None)
                        .unwrap(),
                ),
                _ => {
                    column.typed::<Int32Type>().write_batch(&[], Some(&[0, 0]), Some(&[0, 0])).unwrap();
                }
            }
            column.close().unwrap();
        }
        rows.close().unwrap();
    }
    writer.close().unwrap();
    path
}

#[test]
fn columns_of_all_kinds_hold_their_values() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(&dir);
    let of = |value: &str| {
        let l = read(&path, &tidy("day", "key", value)).unwrap();
        assert_eq!(l.grids[0].columns().levels[0], ["1970-01-01", "1970-01-02"]);
        assert_eq!(l.grids[0].rows().levels[0], ["b", "a"]);
        drawn(&l.grids[0])
    };
    assert_eq!(of("v"), "0.1 1.1; . .");
    assert_eq!(of("n"), "18446744073709551615 18446744073709551615; 7 7");
    assert_eq!(of("price"), "-3.14 -3.14; 0.05 0.06");
    assert_eq!(of("half"), "1.5 1.5; -1 -1");
    let mut f = tidy("day", "key", "tags");
    let e = read(&path, &f).unwrap_err();
    assert!(e.to_string().ends_with("column 'tags': a list, which is not read"), "{e}");
    f = tidy("day", "key", "v");
    f.data.agg = Some(Agg::Max);
    f.data.filter = list("n > 100");
    assert_eq!(drawn(&read(&path, &f).unwrap().grids[0]), "0.1 1.1");
    let tables = read(
        &path,
        &Figure { data: Data { table: Some(TableKind::Tidy), ..Data::default() }, ..Figure::default() },
    )
    .unwrap_err();
    assert!(tables.to_string().contains("price"), "{tables}");
}

/// Row groups of key (texts), n (each seventh missing) and v, in pages of several KiB.
fn long(path: &Path, rows: i64, of_group: i64) {
    let schema = "message m { required binary key (UTF8); optional int64 n; required double v; }";
    let properties = Arc::new(
        WriterProperties::builder()
            .set_compression(Compression::UNCOMPRESSED)
            .set_data_page_row_count_limit(10_000)
            .build(),
    );
    let file = fs::File::create(path).unwrap();
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(parse_message_type(schema).unwrap()), properties).unwrap();
    for from in (0..rows).step_by(of_group as usize) {
        let all = || from..rows.min(from + of_group);
        let keys: Vec<ByteArray> = all().map(|n| format!("k{}", n * 7 % 5).as_str().into()).collect();
        let (levels, present): (Vec<i16>, Vec<i64>) =
            (all().map(|n| i16::from(n % 7 != 3)).collect(), all().filter(|n| n % 7 != 3).collect());
        let values: Vec<f64> = all().map(|n| n as f64 / 10.0).collect();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&keys, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&present, Some(&levels), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&values, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

#[test]
fn rows_are_the_same_in_row_groups_of_any_length() {
    const ROWS: i64 = 300_000;
    let dir = tempfile::tempdir().unwrap();
    let paths = [ROWS, 70_001, 1999].map(|of_group| {
        let path = dir.path().join(format!("{of_group}.parquet"));
        long(&path, ROWS, of_group);
        path
    });
    for agg in [Agg::Mean, Agg::First, Agg::Last, Agg::Count] {
        let drawn_of = |path: &PathBuf| {
            let mut figure = tidy("key", "key", "n,v");
            figure.data.agg = Some(agg);
            let grids = read(path, &figure).unwrap().grids;
            assert_eq!(grids[0].rows().levels[0], ["k0", "k1", "k2", "k3", "k4"]);
            [drawn(&grids[0]), drawn(&grids[1])]
        };
        let [one, several, many] = [&paths[0], &paths[1], &paths[2]].map(drawn_of);
        assert_eq!((&several, &many), (&one, &one), "{agg:?}");
        if agg == Agg::Last {
            // Row 299995 has no n.
            assert!(one[0].starts_with("299990 .") && one[1].ends_with("29999.7"), "{one:?}");
        }
    }
}

#[test]
fn more_than_the_memory_allowed_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(&dir);
    let e =
        open(&[path.to_str().unwrap().to_owned()], &tidy("day", "key", "v"), &ReadOptions::default(), 300)
            .unwrap_err();
    assert_eq!(e.kind, gridscope::input::ErrorKind::Limit, "{e}");
}

/// The numbers and texts of a CSV beside a Parquet file, column after column.
fn expected(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines =
        text.lines().map(|l| l.split(',').map(|f| f.trim_matches('"').to_owned()).collect::<Vec<_>>());
    (lines.next().unwrap(), lines.collect())
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn outside_files_hold_their_values() {
    for name in ["delta_binary_packed", "delta_encoding_required_column"] {
        let found = files(&corpus().join("parquet/good"))
            .into_iter()
            .find(|p| p.ends_with(format!("{name}.parquet")));
        let path = found.unwrap_or_else(|| panic!("no {name}"));
        let (headers, rows) = expected(&path.with_file_name(format!("{name}_expect.csv")));
        let numeric = |c: usize| rows.iter().all(|r| r[c].is_empty() || r[c].parse::<f64>().is_ok());
        let dir = tempfile::tempdir().unwrap();
        for c in (0..headers.len()).filter(|c| numeric(*c)) {
            // The rows keep their order along an axis of categories that tell themselves apart.
            let mut text = String::from("row,v\n");
            rows.iter().enumerate().for_each(|(i, r)| text += &format!("{i},{}\n", r[c]));
            let csv = dir.path().join("e.csv");
            fs::write(&csv, text).unwrap();
            let sum = |path: &Path, value: &str, x: &str| {
                let mut f = tidy(x, value, value);
                f.data.agg = Some(Agg::Count);
                let g = read(path, &f).unwrap();
                g.grids[0].rows().levels[0].clone()
            };
            // The names of one file end in a colon, those of its CSV do not.
            let colon = if name == "delta_encoding_required_column" { ":" } else { "" };
            let column = format!("{}{colon}", headers[c].trim_end_matches(':'));
            assert_eq!(sum(&path, &column, &column), sum(&csv, "v", "v"), "{name} {column}");
        }
    }
}

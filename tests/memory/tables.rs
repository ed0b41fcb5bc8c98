//! Parquet and Arrow files.

use crate::support::place::Place;
use arrow_array::{ArrayRef, Float64Array, Int32Array, NullArray, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use arrow_schema::Schema;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::sync::Arc;

const KEYS: &str = "--x x --y y --value v --agg mean";

/// A Parquet file of a text column x and whole numbers y and v.
fn parquet(p: &Place, name: &str, rows: usize, text: impl Fn(usize) -> String) {
    let schema = "message m { required binary x (UTF8); required int32 y; required int32 v; }";
    let properties = Arc::new(WriterProperties::builder().set_compression(Compression::UNCOMPRESSED).build());
    let file = File::create(p.path(name)).unwrap();
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(parse_message_type(schema).unwrap()), properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let texts: Vec<ByteArray> = (0..rows).map(|i| ByteArray::from(text(i).into_bytes())).collect();
    let numbers = vec![1; rows];
    for i in 0..3 {
        let mut column = group.next_column().unwrap().unwrap();
        match i {
            0 => drop(column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap()),
            _ => drop(column.typed::<Int32Type>().write_batch(&numbers, None, None).unwrap()),
        }
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

/// An Arrow file of one record batch.
fn arrow(p: &Place, name: &str, columns: Vec<(String, ArrayRef)>) {
    batches_of_arrow(p, name, columns, 1);
}

/// An Arrow file of the same record batch several times.
fn batches_of_arrow(p: &Place, name: &str, columns: Vec<(String, ArrayRef)>, times: usize) {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let schema: Arc<Schema> = batch.schema();
    let mut writer = FileWriter::try_new(File::create(p.path(name)).unwrap(), &schema).unwrap();
    (0..times).for_each(|_| writer.write(&batch).unwrap());
    writer.finish().unwrap();
}

#[test]
fn rows_and_texts_of_parquet_without_end() {
    let p = Place::empty();
    parquet(&p, "same.parquet", 1_000_000, |_| "a".to_owned());
    p.fits(&[0], 30, &format!("info same.parquet {KEYS}"), "1 rows x 1 columns");
    p.fits(&[7], 50, "info same.parquet --table wide", "limit");
    parquet(&p, "unique.parquet", 150_000, |i| format!("{i:0100}"));
    p.fits(&[7], 30, &format!("info unique.parquet {KEYS}"), "limit");
    parquet(&p, "long.parquet", 40, |i| format!("{}{i}", "0".repeat(2_000_000)));
    p.fits(&[7], 30, &format!("info long.parquet {KEYS}"), "limit");
    let four = ["same.parquet"; 4].join(" ");
    p.fits(&[0], 30, &format!("info {four} {KEYS}"), "1 rows x 1 columns");
}

#[test]
fn rows_columns_and_texts_of_arrow_without_end() {
    let p = Place::empty();
    let numbers = |n: usize| -> ArrayRef { Arc::new(Float64Array::from(vec![1.0; n])) };
    let columns = |n: usize| ["x", "y", "v"].map(|name| (name.to_owned(), numbers(n))).to_vec();
    arrow(&p, "rows.arrow", columns(1_000_000));
    p.fits(&[0], 40, &format!("info rows.arrow {KEYS}"), "1 rows x 1 columns");
    // A record batch is in memory as a whole.
    p.fits(&[7], 20, &format!("info rows.arrow {KEYS}"), "limit");
    arrow(&p, "few.arrow", columns(200_000));
    p.fits(&[0], 20, &format!("info few.arrow {KEYS}"), "1 rows x 1 columns");
    let five = ["few.arrow"; 5].join(" ");
    p.fits(&[0], 20, &format!("info {five} {KEYS}"), "1 rows x 1 columns");
    let none: ArrayRef = Arc::new(NullArray::new(50_000_000));
    arrow(&p, "none.arrow", vec![("x".to_owned(), none.clone()), ("y".to_owned(), none)]);
    p.fits(&[7], 40, "info none.arrow --x x --y y --agg count", "rows of 2 columns");
    let one: ArrayRef = Arc::new(Int32Array::from(vec![1]));
    batches_of_arrow(&p, "many.arrow", columns(1 << 16), 60);
    p.fits(&[0], 20, &format!("info many.arrow {KEYS}"), "1 rows x 1 columns");
    arrow(&p, "wide.arrow", (0..50_000).map(|i| (format!("c{i}"), one.clone())).collect());
    p.fits(&[7], 30, "info wide.arrow", "limit");
    let text: ArrayRef = Arc::new(StringArray::from(vec!["x".repeat(25_000_000)]));
    arrow(
        &p,
        "text.arrow",
        vec![("x".to_owned(), text), ("y".to_owned(), one.clone()), ("v".to_owned(), one)],
    );
    p.fits(&[7], 40, &format!("info text.arrow {KEYS}"), "limit");
}

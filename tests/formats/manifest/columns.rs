//! Good Parquet and Arrow files, by the writers of the libraries that other programs use.

use super::good::{Good, TIDY, good};
use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// Rows of the tables: models, rates and values.
const MODELS: [&str; 4] = ["a", "a", "b", "b"];
const RATES: [f64; 4] = [0.1, 0.01, 0.1, 0.01];
const VALUES: [f64; 4] = [1.0, 2.0, 3.0, 4.5];
const TOLD: [&str; 2] = ["grid: 2 rows x 2 columns", "min 1, max 4.5"];

fn parquet() -> Vec<u8> {
    let schema = "message m { required binary model (UTF8); required double lr; optional double acc; }";
    let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED).build();
    let mut out = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut out, parse_message_type(schema).unwrap().into(), properties.into())
            .unwrap();
    let mut rows = writer.next_row_group().unwrap();
    for i in 0..3 {
        let mut column = rows.next_column().unwrap().unwrap();
        let written = match i {
            0 => column.typed::<ByteArrayType>().write_batch(&MODELS.map(ByteArray::from), None, None),
            1 => column.typed::<DoubleType>().write_batch(&RATES, None, None),
            _ => column.typed::<DoubleType>().write_batch(&VALUES, Some(&[1; 4]), None),
        };
        assert_eq!(written.unwrap(), 4);
        column.close().unwrap();
    }
    rows.close().unwrap();
    writer.close().unwrap();
    out
}

fn batch() -> RecordBatch {
    let models: DictionaryArray<Int8Type> = MODELS.into_iter().collect();
    let columns: [(&str, ArrayRef); 3] = [
        ("model", Arc::new(models)),
        ("lr", Arc::new(Float64Array::from(RATES.to_vec()))),
        ("acc", Arc::new(Float64Array::from(VALUES.to_vec()))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn arrow() -> [Vec<u8>; 3] {
    let batch = batch();
    let file = |compression| {
        let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
        let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    };
    let mut stream = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    stream.write(&batch).unwrap();
    [file(None), file(Some(CompressionType::LZ4_FRAME)), stream.into_inner().unwrap()]
}

pub fn all() -> Vec<Good> {
    let arrow = ["a.arrow", "a.feather", "a.arrows"].into_iter().zip(arrow());
    let files = [("a.parquet", parquet())].into_iter().chain(arrow);
    files.map(|(name, bytes)| good(name, bytes, TIDY, TOLD)).collect()
}

//! Record batches in memory, against what they were made of.

use super::*;
use crate::table::texts;
use arrow_array::types::Int8Type;
use arrow_array::{
    Date32Array, Decimal64Array, DictionaryArray, DurationSecondArray, Float64Array, Int64Array, ListArray,
    RecordBatchIterator, StringViewArray, TimestampMillisecondArray,
};
use arrow_schema::{DataType, Field};
use gridscope_core::figure::{Agg, Data, List};

fn stream(batches: Vec<RecordBatch>, failure: Option<&str>) -> RecordBatchStream {
    let schema = batches[0].schema();
    let failure = failure.map(|text| Err(ArrowError::CDataInterface(text.to_owned())));
    let all: Vec<_> = batches.into_iter().map(Ok).chain(failure).collect();
    Box::new(RecordBatchIterator::new(all, schema))
}

fn open(
    stream: RecordBatchStream,
    options: BatchOptions,
    figure: &Figure,
) -> Result<RecordBatches, InputError> {
    let needs = ReadOptions::default();
    let lints = &mut Lints::default();
    RecordBatches::new("t", stream, options, (figure, &needs), &Budget::usual(), lints)
}

const HELD: BatchOptions = BatchOptions { held: true, ordered: false, label_columns: None };
const ONCE: BatchOptions = BatchOptions { held: false, ordered: false, label_columns: None };

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn cells_are_those_of_files() {
    let dictionary = DictionaryArray::<Int8Type>::from_iter([Some("b"), None, Some("b")]);
    let one = batch(vec![
        ("day", Arc::new(Date32Array::from(vec![Some(0), None, Some(1)]))),
        ("at", Arc::new(TimestampMillisecondArray::from(vec![0, 1_500, 60_000]).with_timezone("UTC"))),
        ("price", Arc::new(Decimal64Array::from(vec![1234, -5, 0]).with_precision_and_scale(9, 2).unwrap())),
        ("took", Arc::new(DurationSecondArray::from(vec![1, 2, 3]))),
        ("key", Arc::new(dictionary)),
        ("name", Arc::new(StringViewArray::from(vec!["x", "a longer text than 12", "z"]))),
        ("value", Arc::new(Float64Array::from(vec![Some(0.1), Some(f64::NAN), None]))),
    ]);
    for options in [HELD, ONCE] {
        let batches = vec![one.clone(), one.slice(1, 0), one.slice(1, 2)];
        let table = open(stream(batches, None), options, &Figure::default()).unwrap();
        let rows: Vec<String> = texts(&table).unwrap().iter().map(|row| row.join(" | ")).collect();
        let first = "1970-01-01 | 1970-01-01T00:00:00Z | 12.34 | 1.0 | b | x | 0.1";
        assert_eq!((rows.len(), rows[0].as_str()), (5, first));
        assert_eq!(rows[1..3], rows[3..5]);
        assert!(rows[1].starts_with(" | 1970-01-01T00:00:01.5Z | -0.05 | 2.0 |  | a longer"), "{}", rows[1]);
    }
}

#[test]
fn large_batches_are_shared_by_threads_in_order() {
    let n = 3 * PART + 7;
    let one = batch(vec![("i", Arc::new(Int64Array::from_iter_values(0..n as i64)))]);
    let table =
        open(stream(vec![one.slice(0, 5), one.slice(5, n - 5)], None), HELD, &Figure::default()).unwrap();
    assert_eq!((table.parts().count(), table.reads()), (5, Reads::Any));
    let rows = texts(&table).unwrap();
    assert!(rows.iter().enumerate().all(|(i, row)| row[0] == i.to_string()));
}

#[test]
fn only_needed_columns_are_looked_at() {
    let list = ListArray::from_iter_primitive::<Int8Type, _, _>(vec![Some(vec![Some(1)])]);
    let number = || Arc::new(Int64Array::from(vec![1])) as ArrayRef;
    let one = batch(vec![("a", number()), ("l", Arc::new(list)), ("b", number()), ("c", number())]);
    let list = |name| Some(List::from_flag(name));
    let mut figure = Figure {
        data: Data { x: list("a"), y: list("b"), value: list("c"), agg: Some(Agg::Mean), ..Data::default() },
        ..Figure::default()
    };
    let table = open(stream(vec![one.clone()], None), ONCE, &figure).unwrap();
    assert_eq!(table.schema().headers, ["a", "b", "c"]);
    figure.data.value = list("l");
    let e = open(stream(vec![one.clone()], None), HELD, &figure).unwrap_err();
    assert_eq!(e.to_string(), "t: column 'l': a list, which is not read");
    let e = open(stream(vec![one.slice(0, 0)], None), HELD, &figure).unwrap_err();
    assert!(e.to_string().contains("a list"), "{e}");
    let empty = Figure::default();
    let e = open(stream(vec![one.slice(0, 0)], None), HELD, &empty).unwrap_err();
    assert_eq!(e.to_string(), "t: no data rows");
}

#[test]
fn dictionaries_give_their_order_where_they_have_one() {
    let dictionary = DictionaryArray::<Int8Type>::new(
        vec![2i8, 0].into(),
        Arc::new(StringViewArray::from(vec!["low", "mid", "high"])),
    );
    let kind = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8View));
    let of = |field: Field, options| {
        let schema = Arc::new(arrow_schema::Schema::new(vec![field]));
        let one = RecordBatch::try_new(schema, vec![Arc::new(dictionary.clone())]).unwrap();
        let table = open(stream(vec![one.clone(), one], None), options, &Figure::default()).unwrap();
        table.schema().order(0).map(|texts| texts.join(" "))
    };
    let all = |held| BatchOptions { held, ordered: true, label_columns: None };
    let plain = || Field::new("k", kind.clone(), true);
    assert_eq!(of(plain(), HELD), None);
    assert_eq!(of(plain(), all(true)).as_deref(), Some("low mid high"));
    assert_eq!(of(plain(), all(false)).as_deref(), Some("low mid high"));
    assert_eq!(of(plain().with_dict_is_ordered(true), ONCE).as_deref(), Some("low mid high"));
}

#[test]
fn a_stream_that_fails_is_refused_in_its_words() {
    let one = batch(vec![("a", Arc::new(Int64Array::from(vec![1])))]);
    let wanted = "t: the stream of record batches fails: no more pages";
    let e = open(stream(vec![one.clone()], Some("no more pages")), HELD, &Figure::default()).unwrap_err();
    assert_eq!(e.to_string(), wanted);
    let table = open(stream(vec![one], Some("no more pages")), ONCE, &Figure::default()).unwrap();
    assert_eq!(texts(&table).unwrap_err().to_string(), wanted);
}

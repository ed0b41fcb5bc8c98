//! Tests of columns in memory.

use super::super::tokenizer::Tokenizer;
use super::*;
use crate::error::ErrorKind;
use crate::table::ColumnValues;

fn column(values: &[&str]) -> Column {
    let mut c = GrowingColumn::new("c", 0, &Budget::new(1 << 20)).unwrap();
    for v in values {
        c.push(&Tokenizer::new(v, true).scalar().unwrap(), 0).unwrap();
    }
    c.finish().unwrap()
}

fn texts(cells: &ColumnValues) -> Vec<String> {
    let ColumnValues::Texts { codes, texts } = cells else { panic!("{cells:?}") };
    codes.iter().map(|c| texts[*c as usize].clone()).collect()
}

#[test]
fn types_widen_only_while_they_are_exact() {
    assert_eq!(column(&["1", "-2"]).cells, ColumnValues::I64(vec![1, -2]));
    assert_eq!(column(&["1", "18446744073709551615", "3"]).cells, ColumnValues::U64(vec![1, u64::MAX, 3]));
    assert_eq!(column(&["1", "0.5", "2"]).cells, ColumnValues::F64(vec![1.0, 0.5, 2.0]));
    assert_eq!(texts(&column(&["9007199254740993", "0.5"]).cells), ["9007199254740993", "0.5"]);
    assert_eq!(texts(&column(&["0.5", "-9007199254740993"]).cells), ["0.5", "-9007199254740993"]);
    assert_eq!(texts(&column(&["-1", "18446744073709551615"]).cells), ["-1", "18446744073709551615"]);
    assert_eq!(
        texts(&column(&["1", "\"a\"", "true", "-Infinity", "0.10"]).cells),
        ["1", "a", "true", "-inf", "0.10"]
    );
    assert_eq!(
        column(&["123456789012345678901234567890"]).cells,
        ColumnValues::F64(vec![123_456_789_012_345_678_901_234_567_890.0])
    );
    let mut c = GrowingColumn::new("c", 0, &Budget::new(1 << 20)).unwrap();
    assert_eq!(c.push(&Scalar::Float("1e999"), 7).unwrap_err().at, 7);
}

#[test]
fn rows_without_a_value_are_not_valid() {
    let c = column(&["null", "5", "null"]);
    assert_eq!((c.cells, c.valid), (ColumnValues::I64(vec![0, 5, 0]), Some(vec![false, true, false])));
    assert_eq!(column(&["5"]).valid, None);
    assert_eq!(column(&["null"]).valid, Some(vec![false]));
    let late = column(&["null", "null", "\"x\"", "3"]);
    assert_eq!(
        (texts(&late.cells)[2..].join(" "), late.valid),
        ("x 3".into(), Some(vec![false, false, true, true]))
    );
}

#[test]
fn texts_take_their_bytes_and_numbers_that_become_texts_more() {
    let budget = Budget::new(4 << 20);
    let mut c = GrowingColumn::new("c", 0, &budget).unwrap();
    let fault =
        (0..100_000).find_map(|row| c.push(&Scalar::Text(format!("key {row}").into()), row).err()).unwrap();
    assert!(fault.kind == ErrorKind::Limit && (10_000..35_000).contains(&fault.at), "{fault:?}");
    drop(c);
    let mut c = GrowingColumn::new("c", 0, &budget).unwrap();
    (0..100_000).for_each(|row| c.push(&Scalar::Integer("1"), row).unwrap());
    let fault = c.push(&Scalar::Text("x".into()), 7).unwrap_err();
    assert_eq!((fault.kind, fault.at), (ErrorKind::Limit, 7));
    drop(c);
    assert_eq!(budget.left(), 4 << 20);
}

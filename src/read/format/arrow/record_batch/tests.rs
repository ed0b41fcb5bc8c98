//! Arrays of every type that is read, whole and in slices.

use super::*;
use crate::format::decoding::Unit;
use arrow_array::types::UInt16Type;
use arrow_array::{
    BinaryViewArray, BooleanArray, Decimal128Array, Decimal256Array, DictionaryArray, FixedSizeBinaryArray,
    Float16Array, Float32Array, Float64Array, Int8Array, Int32Array, Int64Array, LargeStringArray, ListArray,
    NullArray, StringArray, StringViewArray, UInt16Array, UInt64Array,
};
use arrow_buffer::i256;
use half::f16;

/// The rows of an array as text, `.` where there is no value; read in two slices.
fn rows(array: impl Array + 'static, kind: ValueType) -> String {
    let array: ArrayRef = Arc::new(array);
    let mut into = kind.column(&Budget::new(1 << 20));
    let (len, mut reader) = (array.len(), ColumnReader::new(array, kind));
    reader.read(0..len / 2, &mut into).unwrap();
    reader.read(len / 2..len, &mut into).unwrap();
    let (cells, valid) = into.cells();
    let row = |row: usize| match valid {
        Some(valid) if !valid[row] => ".".to_owned(),
        _ => cells.text(row),
    };
    (0..cells.len()).map(row).collect::<Vec<_>>().join(" ")
}

#[test]
fn numbers_are_themselves() {
    use ValueType::{Decimal, Double, Signed, Single, Unsigned};
    assert_eq!(rows(Int8Array::from(vec![Some(-1), None, Some(127)]), Signed), "-1 . 127");
    assert_eq!(rows(Int64Array::from(vec![i64::MIN, 1]), Signed), "-9223372036854775808 1");
    assert_eq!(rows(UInt64Array::from(vec![Some(u64::MAX), None]), Unsigned), "18446744073709551615 .");
    assert_eq!(rows(Float64Array::from(vec![Some(0.1), None, Some(-0.0)]), Double), "0.1 . -0.0");
    assert_eq!(rows(Float32Array::from(vec![Some(0.1), None]), Single), "0.1 .");
    assert_eq!(rows(Float16Array::from(vec![f16::from_f32(1.5)]), Single), "1.5");
    assert_eq!(rows(Int32Array::from(vec![Some(-312), None]), Decimal(2)), "-3.12 .");
    let cents = Decimal128Array::from(vec![Some(-312), None]).with_precision_and_scale(9, 2);
    assert_eq!(rows(cents.unwrap(), Decimal(2)), "-3.12 .");
    let whole = Decimal128Array::from(vec![42]).with_precision_and_scale(18, 0);
    assert_eq!(rows(whole.unwrap(), Signed), "42");
    let wide = Decimal256Array::from(vec![i256::from_i128(-5)]).with_precision_and_scale(70, 1);
    assert_eq!(rows(wide.unwrap(), Decimal(1)), "-0.5");
}

#[test]
fn everything_else_is_text() {
    use ValueType::{Bool, Bytes, Date, Null, Text, Time, Timestamp};
    assert_eq!(rows(BooleanArray::from(vec![Some(true), None, Some(false)]), Bool), "true . false");
    assert_eq!(rows(NullArray::new(3), Null), ". . .");
    assert_eq!(rows(Int32Array::from(vec![0, -1]), Date), "1970-01-01 1969-12-31");
    assert_eq!(rows(Int64Array::from(vec![86_400_000, -1]), Date), "1970-01-02 1969-12-31");
    assert_eq!(rows(Int32Array::from(vec![3661]), Time(Unit::Seconds)), "01:01:01");
    assert_eq!(rows(Int64Array::from(vec![1]), Time(Unit::Nano)), "00:00:00.000000001");
    let times = Int64Array::from(vec![1_500_000]);
    assert_eq!(rows(times.clone(), Timestamp(Unit::Micro, false)), "1970-01-01T00:00:01.5");
    assert_eq!(rows(times, Timestamp(Unit::Micro, true)), "1970-01-01T00:00:01.5Z");
    assert_eq!(rows(StringArray::from(vec![Some("a"), None, Some("a")]), Text), "a . a");
    assert_eq!(rows(LargeStringArray::from(vec!["b"]), Text), "b");
    let views = StringViewArray::from(vec![Some("a text of more than twelve bytes"), None]);
    assert_eq!(rows(views, Text), "a text of more than twelve bytes .");
    assert_eq!(rows(BinaryViewArray::from(vec![b"\xff\0".as_slice(), b"ab"]), Bytes), "0xff00 ab");
    let fixed = FixedSizeBinaryArray::try_from_iter([[1u8, 255], [b'a', b'b']].into_iter());
    assert_eq!(rows(fixed.unwrap(), Bytes), "0x01ff ab");
}

#[test]
fn keys_stand_for_the_values_of_their_dictionary() {
    let keys = || UInt16Array::from(vec![Some(2), None, Some(0), Some(1), Some(2)]);
    let texts = StringArray::from(vec![Some("x"), None, Some("y")]);
    let coded = DictionaryArray::<UInt16Type>::new(keys(), Arc::new(texts));
    assert_eq!(rows(coded, ValueType::Text), "y . x . y");
    let numbers = Float32Array::from(vec![Some(0.5), None, Some(0.1)]);
    let coded = DictionaryArray::<UInt16Type>::new(keys(), Arc::new(numbers));
    assert_eq!(rows(coded, ValueType::Single), "0.1 . 0.5 . 0.1");
    let days = Int32Array::from(vec![0, 1, 2]);
    let coded = DictionaryArray::<UInt16Type>::new(keys(), Arc::new(days));
    assert_eq!(rows(coded, ValueType::Date), "1970-01-03 . 1970-01-01 1970-01-02 1970-01-03");
    let none = UInt16Array::from(vec![None, None]);
    let coded = DictionaryArray::<UInt16Type>::new(none, Arc::new(StringArray::from(vec![""; 0])));
    assert_eq!(rows(coded, ValueType::Text), ". .");
}

#[test]
fn nested_arrays_are_refused() {
    let list = ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(1)])]);
    let mut into = ValueType::Signed.column(&Budget::new(1 << 20));
    let mut reader = ColumnReader::new(Arc::new(list), ValueType::Signed);
    assert!(matches!(reader.read(0..1, &mut into), Err(DecodeFault::Unread(_))));
}

#[test]
fn cells_take_memory_until_they_go() {
    let budget = Budget::new(1000);
    let cells = reserve_cells(&budget, 10, 2).unwrap();
    assert!(reserve_cells(&budget, 12, 2).is_err() && reserve_cells(&budget, u64::MAX, u64::MAX).is_err());
    assert!(budget.take(520).is_ok() && budget.take(1).is_err());
    drop(cells);
    assert!(budget.take(480).is_ok() && budget.take(1).is_err());
}

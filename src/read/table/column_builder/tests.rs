//! Columns after values of one type, of several, and of none.

use super::*;

fn texts(c: &Column) -> Vec<&str> {
    let ColumnValues::Texts { codes, texts } = &c.cells else { panic!("{c:?}") };
    codes.iter().map(|&i| texts[i as usize].as_str()).collect()
}

fn text(bytes: &[u8]) -> Result<String, OverBudget> {
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// The column that `fill` makes of one of a type.
fn column(kind: CellType, fill: impl Fn(&mut ColumnBuilder) -> Result<(), OverBudget>) -> Column {
    let mut builder = ColumnBuilder::new(kind, &Budget::new(1 << 20));
    fill(&mut builder).unwrap();
    builder.finish("a").unwrap().0
}

#[test]
fn values_of_the_columns_type_are_cells() {
    let signed = column(CellType::I64, |c| c.extend_i64([i64::MIN, 5].into_iter()));
    assert_eq!((signed.cells, signed.valid), (ColumnValues::I64(vec![i64::MIN, 5]), None));
    let unsigned = column(CellType::U64, |c| c.extend_u64([u64::MAX].into_iter()));
    assert_eq!(unsigned.cells, ColumnValues::U64(vec![u64::MAX]));
    let singles = column(CellType::F32, |c| c.extend_f32([0.1].into_iter()));
    assert_eq!(singles.cells, ColumnValues::F32(vec![0.1]));
    let some = column(CellType::F64, |c| {
        c.push_missing(2);
        c.extend_f64([0.5, 1.5].into_iter())?;
        c.set_missing(3);
        c.push_f64(2.5)
    });
    assert_eq!(some.cells, ColumnValues::F64(vec![0.0, 0.0, 0.5, 1.5, 2.5]));
    assert_eq!(some.valid, Some(vec![false, false, true, false, true]));
}

#[test]
fn each_text_is_rendered_once() {
    let words = column(CellType::Text, |c| {
        let code = c.push_bytes(b"ab", text)?;
        c.push_missing(1);
        assert_eq!(c.push_bytes(b"ab", |_| panic!("it is known"))?, code);
        c.push_rendered(7, |n| format!("day {n}"))?;
        c.push_rendered(7, |_| panic!("it is known"))?;
        c.push_code(code);
        Ok(())
    });
    assert_eq!(texts(&words), ["ab", "ab", "ab", "day 7", "day 7", "ab"]);
    assert_eq!(words.valid, Some(vec![true, false, true, true, true, true]));
    let none = column(CellType::Text, |c| {
        c.push_missing(2);
        Ok(())
    });
    assert_eq!((texts(&none), none.valid.clone()), (vec!["", ""], Some(vec![false, false])));
}

#[test]
fn types_widen_only_while_they_are_exact() {
    let wide = column(CellType::I64, |c| {
        c.push_i64(1)?;
        c.push_u64(u64::MAX)?;
        c.push_i64(3)
    });
    assert_eq!(wide.cells, ColumnValues::U64(vec![1, u64::MAX, 3]));
    let double = column(CellType::I64, |c| {
        c.push_i64(1)?;
        c.push_f64(0.5)?;
        c.push_i64(2)?;
        c.push_u64(3)
    });
    assert_eq!(double.cells, ColumnValues::F64(vec![1.0, 0.5, 2.0, 3.0]));
    let mixed = column(CellType::I64, |c| {
        c.push_i64((1 << 53) + 1)?;
        c.push_missing(1);
        c.push_f64(0.5)
    });
    assert_eq!(texts(&mixed), ["9007199254740993", "9007199254740993", "0.5"]);
    assert_eq!(mixed.valid, Some(vec![true, false, true]));
    let signs = column(CellType::I64, |c| {
        c.push_i64(-1)?;
        c.push_u64(u64::MAX)
    });
    assert_eq!(texts(&signs), ["-1", "18446744073709551615"]);
    let words = column(CellType::F32, |c| {
        c.extend_f32([0.1].into_iter())?;
        c.push_bytes(b"x", text)?;
        c.push_i64(-2)
    });
    assert_eq!(texts(&words), ["0.1", "x", "-2"]);
}

#[test]
fn a_column_whose_first_rows_are_missing_takes_any_type() {
    let after_missing = |push: fn(&mut ColumnBuilder) -> Result<(), OverBudget>| {
        column(CellType::I64, |c| {
            c.push_missing(2);
            push(c)
        })
    };
    let valid = Some(vec![false, false, true]);
    for (c, cells) in [
        (after_missing(|c| c.push_i64(-1)), ColumnValues::I64(vec![0, 0, -1])),
        (after_missing(|c| c.push_u64(u64::MAX)), ColumnValues::U64(vec![0, 0, u64::MAX])),
        (after_missing(|c| c.push_f64(0.5)), ColumnValues::F64(vec![0.0, 0.0, 0.5])),
    ] {
        assert_eq!((c.cells, c.valid), (cells, valid.clone()));
    }
    let words = after_missing(|c| c.push_text("x"));
    assert_eq!((texts(&words)[2], words.valid.clone()), ("x", valid));
    // Rows without a value take nothing when the column becomes one of texts.
    let mut c = ColumnBuilder::new(CellType::I64, &Budget::new(300));
    c.push_missing(1000);
    assert!(c.push_text("x").is_ok() && c.is_text());
}

#[test]
fn numbers_stay_as_they_are_written_in_a_column_of_texts() {
    let written = column(CellType::I64, |c| {
        c.push_number(Number::I64(100), || "1e2")?;
        c.push_text("x")?;
        c.push_number(Number::F64(0.1), || "0.10")?;
        c.push_number(Number::I64(0), || "-0")
    });
    assert_eq!(texts(&written), ["100", "x", "0.10", "-0"]);
    let inexact = column(CellType::F64, |c| {
        c.push_number(Number::F64(2.0), || "2.00")?;
        c.push_number(Number::I64((1 << 53) + 1), || "9007199254740993")
    });
    assert_eq!(texts(&inexact), ["2.0", "9007199254740993"]);
}

#[test]
fn the_budget_ends() {
    let small = Budget::new(300);
    let mut c = ColumnBuilder::new(CellType::Text, &small);
    // A text counts once.
    for _ in 0..15 {
        c.push_bytes(b"0123456789", text).unwrap();
    }
    let (_, taken) = c.finish("a").unwrap();
    assert_eq!(small.left(), 300 - 116);
    let mut c = ColumnBuilder::new(CellType::Text, &small);
    for t in [b"0123456789", b"9876543210"] {
        c.push_bytes(t, text).unwrap();
    }
    assert!(c.finish("a").is_err());
    drop(taken);
    assert_eq!(small.left(), 300);
    let mut c = ColumnBuilder::new(CellType::I64, &small);
    c.extend_i64(0..2).unwrap();
    assert!(c.push_bytes(b"x", text).is_err(), "numbers that become texts take their share");
    drop(c);
    let mut c = ColumnBuilder::new(CellType::Text, &small);
    let ended = (0..20_000u32).any(|i| c.push_bytes(i.to_string().as_bytes(), text).is_err());
    assert!(ended, "it is noticed on the way");
}

#[test]
fn cleared_rows_cost_their_distinct_texts_alone() {
    let budget = Budget::new(12 << 20);
    let mut c = ColumnBuilder::reused(CellType::Text, 1000, &budget).unwrap();
    for i in 0..200_000u32 {
        c.push_bytes(&i.to_le_bytes().map(|b| b'0' + b % 64), text).unwrap();
        if i % 1000 == 0 {
            c.clear();
            assert_eq!(c.len(), 0);
        }
    }
    drop(c);
    assert_eq!(budget.left(), 12 << 20);
    assert!(ColumnBuilder::reused(CellType::I64, 1 << 20, &budget).is_err());
}

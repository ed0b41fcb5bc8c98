//! Conditions, against the rows that they select.

use super::*;
use crate::budget::Budget;
use crate::format::csv::CsvTable;
use crate::table::{TableSource, texts};
use gridscope_core::figure::Data;
use gridscope_core::lint::Lints;

const TABLE: &str = "lr,lr max,State,a=b\n0.1,5,running,x\n1.0,7,done,y\n,9,,z\n";

fn rows(condition: &str) -> Result<Vec<usize>, InputError> {
    let budget = Budget::new(1 << 20);
    let mut lints = Lints::default();
    let table = CsvTable::read(TABLE.into(), "t.csv", &Data::default(), &mut lints, &budget).unwrap();
    let c = Condition::parse(condition, table.schema())?;
    let mut out = Vec::new();
    for (row, cells) in texts(&table)?.iter().enumerate() {
        if c.meets(&cells[c.column()], table.schema())? {
            out.push(row);
        }
    }
    Ok(out)
}

#[test]
fn each_comparison_selects_its_rows() {
    assert_eq!(rows("lr = 1").unwrap(), [1]);
    assert_eq!(rows("lr<1").unwrap(), [0]);
    assert_eq!(rows("lr >= 0.10").unwrap(), [0, 1]);
    assert_eq!(rows("lr != 1").unwrap(), [0, 2]);
    assert_eq!(rows("lr max > 5").unwrap(), [1, 2]);
    assert_eq!(rows("lr max <= 7").unwrap(), [0, 1]);
    assert_eq!(rows("State=running").unwrap(), [0]);
    assert_eq!(rows("State in running, \"done\"").unwrap(), [0, 1]);
    assert_eq!(rows("State = ").unwrap(), [2]);
    assert_eq!(rows("\"a=b\" in x,z").unwrap(), [0, 2]);
    assert_eq!(rows("a=b = y").unwrap(), [1]);
}

#[test]
fn equal_is_what_would_be_one_key() {
    let meets = |condition: &str, text: &str| {
        let schema = Schema::named("f", vec!["c".to_owned()], &Data::default(), &mut Lints::default());
        Condition::parse(condition, &schema).unwrap().meets(text, &schema).unwrap()
    };
    for (condition, text) in [
        ("c = 0.3", "0.30000000000000004"),
        ("c <= 0.3", "0.30000000000000004"),
        ("c in 1, 9007199254740993", "9007199254740993.0"),
        ("c != 9007199254740993", "9007199254740992"),
        ("c < 9007199254740993", "9007199254740992"),
        ("c = 1e400", "1e400"),
        ("c = 2024-01-01T00:00+02:00", "2023-12-31T22:00Z"),
        ("c = 2024-03-01", "2024-03-01 00:00:00"),
        ("c in 2024-02-01, 2024-03-01", "1.3.2024"),
        ("c >= 2024-03-01", "2024-03-01"),
        ("c >= 2024-03-01", "2024-03-01 12:30:00"),
        ("c >= 2024-03-01", "2024/03/02"),
        ("c >= 2024-03-01", "2024-03"),
        ("c < 2024-03-01", "29.2.2024"),
        ("c > 1.2.2024", "2024-02-01T00:00:00.001"),
        ("c >= 2024", "2024-03-01"),
        ("c >= 2023Q3", "Q4 2023"),
        ("c < 2024Q1", "2023-Q4"),
        ("c >= 2023Q3", "2023-07-01"),
        ("c > 2023-W52", "2024-W01"),
        ("c <= 2024-03", "2024-03"),
        ("c != 2024-03-01", "2024-03-01T12:30"),
    ] {
        assert!(meets(condition, text), "{condition}: {text}");
    }
    for (condition, text) in [
        ("c > 0.3", "0.30000000000000004"),
        ("c = 1700000000.123", "1700000000.124"),
        ("c >= 9007199254740993", "9007199254740992"),
        ("c = 123456789012345678901234567890", "123456789012345678901234567891"),
        ("c in 1,2", "3"),
        ("c >= 2024-03-01", "2024-02-29T23:59:59.999"),
        ("c >= 2024-03-01", ""),
        ("c < 2024-03-01", "NaN"),
        ("c > 2024-03-01", "2024-03-01T00:00"),
        ("c < 2024", "2024-01-01"),
        ("c = 2024", "2024-01"),
    ] {
        assert!(!meets(condition, text), "{condition}: {text}");
    }
}

#[test]
fn conditions_are_written_as_in_other_languages() {
    assert_eq!(rows("State == 'running'").unwrap(), [0]);
    assert_eq!(rows("State != 'running'").unwrap(), [1, 2]);
    assert_eq!(rows("State not in running,done").unwrap(), [2]);
    assert_eq!(rows("State in 'running', \"done\"").unwrap(), [0, 1]);
    assert_eq!(rows("lr not  in 1").unwrap(), [0, 2]);
    for text in ["State = running and lr max > 5", "State = running && lr = 1"] {
        let hint = rows(text).unwrap_err().hint.unwrap();
        assert!(hint.starts_with("--where 'State = running' --where 'lr"), "{hint}");
    }
    assert_eq!(rows("State = 'x and lr = 1'").unwrap(), [0; 0]);
    assert_eq!(rows("State = this and that").unwrap(), [0; 0]);
    let quoted = |condition: &str, text: &str| {
        let schema = Schema::named("f", vec!["c".to_owned()], &Data::default(), &mut Lints::default());
        let condition = Condition::parse(condition, &schema).unwrap();
        condition.meets(text, &schema)
    };
    for (condition, text) in [
        ("c = 'a'", "'a'"),
        ("c in \"a, b\",d", "a, b"),
        ("c = 20240209", "2024-02-09"),
        ("c in 20240209,20240210", "10.2.2024"),
        ("c = 20240209", "20240209"),
        ("c > 01/15/2024", "02/03/2024"),
        ("c = 01/15/2024", "2024-01-15"),
        ("c = 2024-01-15", "15/01/2024"),
    ] {
        assert!(quoted(condition, text).unwrap(), "{condition}: {text}");
    }
    assert!(!quoted("c != 20240209", "2024-02-09").unwrap());
    assert!(!quoted("c = 2024-02-09", "20240210").unwrap());
    for (condition, text, what) in [
        ("c > 2/3/2024", "2024-01-01", "may change places"),
        ("c > 2024-01-01", "2/3/2024", "may change places"),
        ("c > 2024-13-45", "2024-01-01", "'2024-13-45' is not a date"),
    ] {
        assert!(quoted(condition, text).unwrap_err().what.contains(what), "{condition}");
    }
    assert!(quoted("c > 20%", "25").unwrap_err().hint.unwrap().contains("write 20 or 0.2"));
}

#[test]
fn a_long_list_takes_no_longer_for_each_row() {
    let schema = Schema::named("f", vec!["c".to_owned()], &Data::default(), &mut Lints::default());
    let list: Vec<String> = (0..100_000).map(|i| format!("{i}.5")).collect();
    let c = Condition::parse(&format!("c in {}", list.join(",")), &schema).unwrap();
    let met = (0..200_000).filter(|i| c.meets(&format!("{i}.50"), &schema).unwrap()).count();
    assert_eq!(met, 100_000);
}

#[test]
fn what_cannot_be_compared_is_a_usage_error() {
    assert!(rows("State < 5").unwrap_err().what.contains("by size"));
    assert!(rows("lr < high").unwrap_err().what.contains("by size"));
    assert!(rows("State >= 2024-03-01").unwrap_err().hint.unwrap().starts_with("dates are written"));
    let e = rows("Stat = running").unwrap_err();
    assert!(e.hint.unwrap().starts_with("did you mean 'State'? columns: lr, lr max"));
    assert!(
        rows("lr").is_err()
            && rows("").is_err()
            && rows("\"lr\" about 5").is_err()
            && rows("lrin 5").is_err()
    );
}

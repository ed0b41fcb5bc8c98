//! Conditions on rows: `COL OP VALUE`.

use super::dates::{begin, instant};
use super::keys::{KeyNumber, KeySet};
use crate::input::error::InputError;
use crate::input::field::{Field, read_field, shown};
use crate::input::table::{Cells, Schema, listed, nearest};
use crate::input::time::Instant;
use std::cmp::Ordering;

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
}

/// What a row must meet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Condition {
    column: usize,
    op: Op,
    /// The values: one, or several for `in`.
    wanted: KeySet,
    /// The first of them as a number.
    number: Option<KeyNumber>,
    /// Whether all are numbers.
    numbers: bool,
    /// The first of them as a time, and all that are times and no numbers.
    instant: Option<Instant>,
    instants: Vec<Instant>,
    text: String,
}

impl Condition {
    /// Reads a condition; the column is in quotes or the longest header that the text begins with.
    ///
    /// # Errors
    /// No such column, no comparison, or no value.
    pub(super) fn parse(text: &str, schema: &Schema) -> Result<Self, InputError> {
        let usage = |what: String| {
            InputError::usage(&schema.file, what).with_hint("COLUMN OP VALUE with = != < <= > >= in")
        };
        let t = text.trim();
        let quoted = t.strip_prefix('"').and_then(|r| r.split_once('"'));
        let (column, rest) = match quoted {
            Some((name, rest)) => (schema.column(name)?, rest),
            None => {
                let begins = |h: &&String| {
                    !h.trim().is_empty() && t.strip_prefix(h.trim()).is_some_and(|r| operator(r).is_some())
                };
                match schema
                    .headers
                    .iter()
                    .filter(begins)
                    .max_by_key(|h| h.trim().len())
                {
                    Some(h) => (schema.column(h)?, &t[h.trim().len()..]),
                    None => return Err(unknown(t, schema)),
                }
            }
        };
        let (op, value) =
            operator(rest).ok_or_else(|| usage(format!("condition {} has no comparison", shown(text))))?;
        let parts: Vec<&str> = if op == Op::In {
            value.split(',').collect()
        } else {
            vec![value]
        };
        let written = |v: &str| {
            let plain = schema.numeral(column).and_then(|n| n.plain(v));
            plain.unwrap_or_else(|| v.to_owned())
        };
        let values: Vec<String> = parts.into_iter().map(|v| written(unquoted(v.trim()))).collect();
        let numbers = values.iter().all(|v| KeyNumber::parse(v).is_some());
        let number = KeyNumber::parse(&values[0]);
        let times = values.iter().filter(|v| KeyNumber::parse(v).is_none());
        let times = times.filter_map(|v| instant(v));
        Ok(Self {
            column,
            op,
            wanted: KeySet::new(values.iter().map(String::as_str)),
            number,
            numbers,
            instant: begin(&values[0]),
            instants: times.collect(),
            text: t.to_owned(),
        })
    }

    /// As it was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The column that it looks at.
    pub(super) fn column(&self) -> usize {
        self.column
    }

    /// Whether a row of the column's cells meets it.
    ///
    /// # Errors
    /// As [`Condition::meets`].
    pub(super) fn matches(&self, cells: &Cells, row: usize, schema: &Schema) -> Result<bool, InputError> {
        // Numbers are compared as what they are: their texts are made for a comparison with a text.
        if !cells.is_text()
            && schema.missing.is_empty()
            && self.numbers
            && let Field::Number(n) = cells.field(row, &[])
            && let Some(n) = KeyNumber::of(n)
        {
            return Ok(self.compares(n, || self.wanted.holds_number(n)));
        }
        self.meets(&cells.text(row), schema)
    }

    /// Whether a text meets it. What would be one key is equal: numbers compare as numbers when both sides are, times by their
    /// instant, however they are written; a missing field is never smaller or greater.
    ///
    /// # Errors
    /// When texts are to be smaller or greater.
    pub(super) fn meets(&self, text: &str, schema: &Schema) -> Result<bool, InputError> {
        let equal = || {
            self.wanted.holds(text)
                || self.wanted.names(text.trim())
                || !self.instants.is_empty() && instant(text).is_some_and(|i| self.instants.contains(&i))
        };
        match self.op {
            Op::Eq | Op::In => Ok(equal()),
            Op::Ne => Ok(!equal()),
            _ => match (KeyNumber::parse(text), self.number) {
                (Some(n), Some(_)) => Ok(self.compares(n, equal)),
                _ if self.is_comparable() && read_field(text, &schema.missing) == Field::Missing => Ok(false),
                _ => {
                    let (cell, first) = (begin(text), self.instant.as_ref());
                    if let Some(order) = cell.zip(first).map(|(cell, first)| cell.against(first)) {
                        return Ok(self.fits(order));
                    }
                    let what = format!(
                        "condition {} compares text {} by size",
                        shown(&self.text),
                        shown(text)
                    );
                    let hint = if self.instant.is_some() {
                        "dates are written as 2024-03-01, 1.3.2024 or Mar 1, 2024; text compares by = != in only"
                    } else {
                        "text compares by = != in only"
                    };
                    Err(InputError::usage(&schema.file, what).with_hint(hint))
                }
            },
        }
    }

    /// Compares a number with the first value; `equal` says whether it is one of the values.
    fn compares(&self, number: KeyNumber, equal: impl Fn() -> bool) -> bool {
        match self.op {
            Op::Eq | Op::In => equal(),
            Op::Ne => !equal(),
            _ => self.number.is_some_and(|n| self.fits(number.against(n))),
        }
    }

    /// Whether the first value has a size: a missing field has none, and is neither smaller nor greater.
    fn is_comparable(&self) -> bool {
        self.number.is_some() || self.instant.is_some()
    }

    /// Whether a value that lies so to the first one meets it.
    fn fits(&self, order: Ordering) -> bool {
        match self.op {
            Op::Lt => order.is_lt(),
            Op::Le => order.is_le(),
            Op::Gt => order.is_gt(),
            Op::Ge => order.is_ge(),
            Op::Eq | Op::In => order.is_eq(),
            Op::Ne => order.is_ne(),
        }
    }
}

fn unknown(text: &str, schema: &Schema) -> InputError {
    let name = text.split(['=', '!', '<', '>']).next().unwrap_or(text);
    let name = name.split_once(" in ").map_or(name, |p| p.0).trim();
    let near = nearest(name, &schema.headers).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
    let what = format!("condition {} begins with no column and comparison", shown(text));
    InputError::usage(&schema.file, what).with_hint(format!("{near}columns: {}", listed(&schema.headers)))
}

/// The comparison that a text begins with, and what follows.
fn operator(rest: &str) -> Option<(Op, &str)> {
    let t = rest.trim_start();
    let signs = [
        ("!=", Op::Ne),
        ("<=", Op::Le),
        (">=", Op::Ge),
        ("==", Op::Eq),
        ("=", Op::Eq),
        ("<", Op::Lt),
        (">", Op::Gt),
    ];
    if let Some((op, after)) = signs.iter().find_map(|(s, op)| Some((*op, t.strip_prefix(s)?))) {
        return Some((op, after));
    }
    let after = t
        .strip_prefix("in")
        .filter(|a| a.starts_with(char::is_whitespace) && t.len() < rest.len())?;
    Some((Op::In, after))
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"')
        .and_then(|t| t.strip_suffix('"'))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Data;
    use crate::input::budget::Budget;
    use crate::input::format::csv::CsvTable;
    use crate::input::table::{TableSource, texts};
    use crate::lint::Lints;

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
            Condition::parse(condition, &schema)
                .unwrap()
                .meets(text, &schema)
                .unwrap()
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
            (
                "c = 123456789012345678901234567890",
                "123456789012345678901234567891",
            ),
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
    fn a_long_list_takes_no_longer_for_each_row() {
        let schema = Schema::named("f", vec!["c".to_owned()], &Data::default(), &mut Lints::default());
        let list: Vec<String> = (0..100_000).map(|i| format!("{i}.5")).collect();
        let c = Condition::parse(&format!("c in {}", list.join(",")), &schema).unwrap();
        let met = (0..200_000)
            .filter(|i| c.meets(&format!("{i}.50"), &schema).unwrap())
            .count();
        assert_eq!(met, 100_000);
    }

    #[test]
    fn what_cannot_be_compared_is_a_usage_error() {
        assert!(rows("State < 5").unwrap_err().what.contains("by size"));
        assert!(rows("lr < high").unwrap_err().what.contains("by size"));
        assert!(
            rows("State >= 2024-03-01")
                .unwrap_err()
                .hint
                .unwrap()
                .starts_with("dates are written")
        );
        let e = rows("Stat = running").unwrap_err();
        assert!(
            e.hint
                .unwrap()
                .starts_with("did you mean 'State'? columns: lr, lr max")
        );
        assert!(
            rows("lr").is_err()
                && rows("").is_err()
                && rows("\"lr\" about 5").is_err()
                && rows("lrin 5").is_err()
        );
    }
}

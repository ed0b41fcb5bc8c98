//! Conditions on rows: `COL OP VALUE`.

use super::batch::Cells;
use super::error::InputError;
use super::field::{Field, parse_number, read_field, shown};
use super::schema::{Schema, listed, nearest};
use crate::grid::Number;
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
pub struct Condition {
    column: usize,
    op: Op,
    /// One value, or several for `in`.
    values: Vec<(String, Option<Number>)>,
    text: String,
}

impl Condition {
    /// Reads a condition; the column is in quotes or the longest header that the text begins with.
    ///
    /// # Errors
    /// No such column, no comparison, or no value.
    pub fn parse(text: &str, schema: &Schema) -> Result<Self, InputError> {
        let usage = |what: String| InputError::usage(&schema.file, what).with_hint("COLUMN OP VALUE with = != < <= > >= in");
        let t = text.trim();
        let quoted = t.strip_prefix('"').and_then(|r| r.split_once('"'));
        let (column, rest) = match quoted {
            Some((name, rest)) => (schema.column(name)?, rest),
            None => {
                let begins = |h: &&String| !h.trim().is_empty() && t.strip_prefix(h.trim()).is_some_and(|r| operator(r).is_some());
                match schema.headers.iter().filter(begins).max_by_key(|h| h.trim().len()) {
                    Some(h) => (schema.column(h)?, &t[h.trim().len()..]),
                    None => return Err(unknown(t, schema)),
                }
            }
        };
        let (op, value) = operator(rest).ok_or_else(|| usage(format!("condition {} has no comparison", shown(text))))?;
        let parts: Vec<&str> = if op == Op::In { value.split(',').collect() } else { vec![value] };
        let values = parts.into_iter().map(|v| unquoted(v.trim())).map(|v| (v.to_owned(), parse_number(v))).collect();
        Ok(Self { column, op, values, text: t.to_owned() })
    }

    /// The column that it looks at.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Whether a row of the column's cells meets it.
    ///
    /// # Errors
    /// As [`Condition::meets`].
    pub fn matches(&self, cells: &Cells, row: usize, schema: &Schema) -> Result<bool, InputError> {
        // Numbers are compared as what they are: their texts are made for a comparison with a text.
        if !cells.is_text()
            && schema.missing.is_empty()
            && self.values.iter().all(|v| v.1.is_some())
            && let Field::Number(n) = cells.field(row, &[])
        {
            return Ok(self.compares(Some(n)));
        }
        self.meets(&cells.text(row), schema)
    }

    /// Whether a text meets it. Numbers compare as numbers when both sides are; a missing field is never smaller or greater.
    ///
    /// # Errors
    /// When texts are to be smaller or greater.
    pub fn meets(&self, text: &str, schema: &Schema) -> Result<bool, InputError> {
        let number = parse_number(text);
        let equal = |(v, n): &(String, Option<Number>)| match (number, *n) {
            (Some(a), Some(b)) => a.compare(b) == Some(Ordering::Equal),
            _ => text == v || text.trim() == v,
        };
        match (self.op, number, self.values[0].1) {
            (Op::Eq | Op::In, ..) => Ok(self.values.iter().any(equal)),
            (Op::Ne, ..) => Ok(!self.values.iter().any(equal)),
            (_, Some(_), Some(_)) => Ok(self.compares(number)),
            (_, None, Some(_)) if read_field(text, &schema.missing) == Field::Missing => Ok(false),
            _ => {
                let what = format!("condition {} compares text {} by size", shown(&self.text), shown(text));
                Err(InputError::usage(&schema.file, what).with_hint("text compares by = != in only"))
            }
        }
    }

    /// Compares a number with those of the condition.
    fn compares(&self, number: Option<Number>) -> bool {
        let to = |v: &(String, Option<Number>)| number.zip(v.1).and_then(|(a, b)| a.compare(b));
        let first = to(&self.values[0]);
        match self.op {
            Op::Eq | Op::In => self.values.iter().any(|v| to(v) == Some(Ordering::Equal)),
            Op::Ne => !self.values.iter().any(|v| to(v) == Some(Ordering::Equal)),
            Op::Lt => first.is_some_and(Ordering::is_lt),
            Op::Le => first.is_some_and(Ordering::is_le),
            Op::Gt => first.is_some_and(Ordering::is_gt),
            Op::Ge => first.is_some_and(Ordering::is_ge),
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
    let signs = [("!=", Op::Ne), ("<=", Op::Le), (">=", Op::Ge), ("==", Op::Eq), ("=", Op::Eq), ("<", Op::Lt), (">", Op::Gt)];
    if let Some((op, after)) = signs.iter().find_map(|(s, op)| Some((*op, t.strip_prefix(s)?))) {
        return Some((op, after));
    }
    let after = t.strip_prefix("in").filter(|a| a.starts_with(char::is_whitespace) && t.len() < rest.len())?;
    Some((Op::In, after))
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Data;
    use crate::input::csv::Records;
    use crate::lint::Lints;

    const TABLE: &str = "lr,lr max,State,a=b\n0.1,5,running,x\n1.0,7,done,y\n,9,,z\n";

    fn rows(condition: &str) -> Result<Vec<usize>, InputError> {
        let r = Records::read(TABLE, "t.csv", &Data::default(), &mut Lints::default()).unwrap();
        let c = Condition::parse(condition, &r.schema)?;
        let mut out = Vec::new();
        for row in 0..r.len() {
            if c.meets(r.get(row, c.column()), &r.schema)? {
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
    fn what_cannot_be_compared_is_a_usage_error() {
        assert!(rows("State < 5").unwrap_err().what.contains("by size"));
        assert!(rows("lr < high").unwrap_err().what.contains("by size"));
        let e = rows("Stat = running").unwrap_err();
        assert!(e.hint.unwrap().starts_with("did you mean 'State'? columns: lr, lr max"));
        assert!(rows("lr").is_err() && rows("").is_err() && rows("\"lr\" about 5").is_err() && rows("lrin 5").is_err());
    }
}

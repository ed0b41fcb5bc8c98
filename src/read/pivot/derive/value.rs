//! The value of an expression in one row.

use crate::expression::{Expression, Function, Operator};
use crate::field::{Field, is_decimal_comma, shown};
use crate::table::{Cells, Schema};
use gridscope_core::calendar::spelling::moment;
use gridscope_core::calendar::{Datelike, Moment, Timelike};
use gridscope_core::grid::Number;
use std::borrow::Cow;

/// Names of the days of a week, from Monday on, and of months.
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Value of an expression in one row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'r> {
    /// Nothing: a part of it has no value, or it is not defined.
    Missing,
    Number(Number),
    Text(Cow<'r, str>),
}

/// A row of a batch, whose columns are found by their places in the schema.
#[derive(Clone, Copy)]
pub(super) struct Row<'c, 'p> {
    pub schema: &'c Schema,
    /// The columns that were read, and their cells beside them.
    pub columns: &'c [usize],
    pub cells: &'c [Cells<'p>],
    pub row: usize,
}

impl<'c, 'p> Row<'c, 'p> {
    /// The cells of a column in all rows.
    pub(super) fn cells(&self, column: usize) -> Option<&'c Cells<'p>> {
        let at = self.columns.iter().position(|c| *c == column)?;
        self.cells.get(at)
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// A text where a number or a time is needed.
    pub(super) fn value(&self, of: &Expression) -> Result<Value<'c>, String> {
        Ok(match of {
            Expression::Column(column) => {
                let Some(cells) = self.cells(*column) else {
                    return Ok(Value::Missing);
                };
                match cells.field(self.row, &self.schema.missing) {
                    Field::Missing => Value::Missing,
                    Field::Number(n) => Value::Number(n),
                    Field::Text => Value::Text(cells.text(self.row)),
                }
            }
            Expression::Number(n) => Value::Number(Number::F64(*n)),
            Expression::Negative(of) => match self.number(of)? {
                None => Value::Missing,
                Some(n) => pair(Operator::Minus, Number::I64(0), n),
            },
            Expression::Pair(operator, a, b) => match (self.number(a)?, self.number(b)?) {
                (Some(a), Some(b)) => pair(*operator, a, b),
                _ => Value::Missing,
            },
            Expression::Call(function, of) => self.call(*function, of)?,
            // The bin is found by its edges, which this does not know.
            Expression::Bin(of, _) => self.value(of)?,
        })
    }

    /// The number of an expression; `None` without a value.
    ///
    /// # Errors
    /// A text.
    pub(super) fn number(&self, of: &Expression) -> Result<Option<Number>, String> {
        match self.value(of)? {
            Value::Missing => Ok(None),
            Value::Number(n) => Ok(Some(n)),
            Value::Text(text) => Err(no_number(&text)),
        }
    }

    /// The text of an expression; `None` without a value.
    fn text(&self, of: &Expression) -> Result<Option<Cow<'c, str>>, String> {
        // A column's own text is kept as it is written.
        if let Expression::Column(column) = of
            && let Some(cells) = self.cells(*column)
        {
            let is_missing = cells.field(self.row, &self.schema.missing) == Field::Missing;
            return Ok((!is_missing).then(|| cells.text(self.row)));
        }
        Ok(match self.value(of)? {
            Value::Missing => None,
            Value::Number(n) => Some(Cow::Owned(written(n))),
            Value::Text(text) => Some(text),
        })
    }

    /// The time of an expression; `None` without a value.
    fn time(&self, of: &Expression) -> Result<Option<Moment>, String> {
        // Most times are written as ISO 8601 has them, and such a text is neither missing nor a number.
        if let Expression::Column(column) = of
            && let Some(cells) = self.cells(*column).filter(|cells| cells.is_text())
            && self.schema.missing.is_empty()
            && let Some(moment) = Moment::parse(&cells.text(self.row), false)
        {
            return Ok(Some(moment));
        }
        let Some(text) = self.text(of)? else {
            return Ok(None);
        };
        let moment = time(&text).ok_or_else(|| format!("{} is not a date or time", shown(&text)))?;
        Ok(Some(moment))
    }

    fn call(&self, function: Function, of: &[Expression]) -> Result<Value<'c>, String> {
        let Some(first) = of.first() else {
            return Ok(Value::Missing);
        };
        match function {
            Function::Lower | Function::Upper => {
                let change = |t: Cow<str>| match function {
                    Function::Lower => t.to_lowercase(),
                    _ => t.to_uppercase(),
                };
                let text = self.text(first)?.map(change);
                return Ok(text.map_or(Value::Missing, |t| Value::Text(Cow::Owned(t))));
            }
            _ if function.takes_text() => {
                let Some(moment) = self.time(first)? else {
                    return Ok(Value::Missing);
                };
                return Ok(part(&moment, function));
            }
            _ => {}
        }
        let Some(n) = self.number(first)? else {
            return Ok(Value::Missing);
        };
        if let (
            Function::Abs | Function::Round | Function::Floor | Function::Ceil,
            Number::I64(_) | Number::U64(_),
        ) = (function, n)
            && of.len() == 1
        {
            let whole = if function == Function::Abs { absolute(n) } else { n };
            return Ok(Value::Number(whole));
        }
        let v = n.as_f64();
        let found = match function {
            Function::Log10 => v.log10(),
            Function::Log2 => v.log2(),
            Function::Ln => v.ln(),
            Function::Exp => v.exp(),
            Function::Sqrt => v.sqrt(),
            Function::Abs => v.abs(),
            Function::Floor => v.floor(),
            Function::Ceil => v.ceil(),
            _ => {
                let digits = match of.get(1) {
                    None => 0.0,
                    Some(digits) => match self.number(digits)? {
                        Some(digits) => digits.as_f64(),
                        None => return Ok(Value::Missing),
                    },
                };
                rounded(v, digits)
            }
        };
        // The logarithm of 0 and the root of what is below have no value.
        let is_defined = !matches!(function, Function::Log10 | Function::Log2 | Function::Ln) || v > 0.0;
        Ok(if is_defined { of_float(found) } else { Value::Missing })
    }
}

/// The time that a text says, a year alone included.
fn time(text: &str) -> Option<Moment> {
    moment(text).or_else(|| Moment::parse(text, true))
}

/// A part of a time on its own clock; missing where the time does not say it, as the day of a month alone.
fn part(of: &Moment, function: Function) -> Value<'static> {
    let at = of.clock_time().at;
    let (year, month) = (at.year(), at.month());
    let number = |n: u32| Value::Number(Number::I64(n.into()));
    let text = |text: String| Value::Text(Cow::Owned(text));
    match function {
        Function::Year => Value::Number(Number::I64(year.into())),
        _ if of.year => Value::Missing,
        Function::Quarter => text(format!("{year}Q{}", at.quarter())),
        Function::Month => Value::Text(Cow::Borrowed(MONTHS[at.month0() as usize])),
        Function::YearMonth => text(format!("{year:04}-{month:02}")),
        _ if of.is_month() => Value::Missing,
        Function::Minute => number(at.minute()),
        Function::Hour => number(at.hour()),
        Function::Day => number(at.day()),
        Function::Week => number(at.iso_week().week()),
        Function::Weekday => Value::Text(Cow::Borrowed(WEEKDAYS[at.weekday() as usize])),
        Function::Date => text(format!("{year:04}-{month:02}-{:02}", at.day())),
        _ => Value::Missing,
    }
}

/// Message about a text where a number is needed.
pub(super) fn no_number(text: &str) -> String {
    let sign = if is_decimal_comma(text) { "; --decimal , reads it as one" } else { "" };
    format!("{} is not a number{sign}", shown(text))
}

/// To this many decimals, halves to the even digit, as numpy rounds.
fn rounded(v: f64, digits: f64) -> f64 {
    let digits = digits.trunc();
    if digits == 0.0 {
        return v.round_ties_even();
    }
    let scale = 10f64.powi(digits.abs().min(400.0) as i32);
    let found = if digits > 0.0 {
        (v * scale).round_ties_even() / scale
    } else {
        (v / scale).round_ties_even() * scale
    };
    // Beyond the digits that a number has, it stays as it is.
    if found.is_finite() || digits < 0.0 { found } else { v }
}

fn absolute(n: Number) -> Number {
    match n {
        Number::I64(v) => v.checked_abs().map_or(Number::U64(v.unsigned_abs()), Number::I64),
        other => other,
    }
}

fn of_float(v: f64) -> Value<'static> {
    if v.is_nan() { Value::Missing } else { Value::Number(Number::F64(v)) }
}

/// Arithmetic on two numbers: exact on whole ones as long as they fit, else as IEEE 754 has it.
fn pair(operator: Operator, a: Number, b: Number) -> Value<'static> {
    if let (Some(x), Some(y)) = (whole(a), whole(b)) {
        let exact = match operator {
            Operator::Plus => x.checked_add(y),
            Operator::Minus => x.checked_sub(y),
            Operator::Times => x.checked_mul(y),
            Operator::Over => (y != 0 && x % y == 0).then(|| x / y),
            Operator::Power => None,
        };
        let fits = exact.and_then(|v| {
            let signed = i64::try_from(v).map(Number::I64);
            signed.or_else(|_| u64::try_from(v).map(Number::U64)).ok()
        });
        if let Some(n) = fits {
            return Value::Number(n);
        }
    }
    let (a, b) = (a.as_f64(), b.as_f64());
    of_float(match operator {
        Operator::Plus => a + b,
        Operator::Minus => a - b,
        Operator::Times => a * b,
        Operator::Over => a / b,
        Operator::Power => a.powf(b),
    })
}

/// A number of an integer type, or one that is written without a fraction.
fn whole(n: Number) -> Option<i128> {
    match n {
        Number::I64(v) => Some(i128::from(v)),
        Number::U64(v) => Some(i128::from(v)),
        Number::F64(v) => (v.fract() == 0.0 && v.abs() < 9.0e15).then_some(v as i128),
    }
}

/// The shortest text of a number; whole ones have no fraction.
pub(super) fn written(n: Number) -> String {
    match n {
        Number::F64(v) if v.fract() == 0.0 && v.abs() < 1e15 => format!("{}", v as i64),
        Number::F64(v) => format!("{v:?}"),
        Number::I64(v) => v.to_string(),
        Number::U64(v) => v.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, function: Function) -> String {
        match part(&time(text).unwrap(), function) {
            Value::Number(n) => written(n),
            Value::Text(text) => text.into_owned(),
            Value::Missing => "none".to_owned(),
        }
    }

    #[test]
    fn weeks_are_those_of_iso_8601() {
        for (day, week, weekday) in [
            ("2021-01-03", "53", "Sun"),
            ("2021-01-04", "1", "Mon"),
            ("2024-12-30", "1", "Mon"),
            ("2020-12-31", "53", "Thu"),
            ("2026-11-23", "48", "Mon"),
            ("1969-12-31", "1", "Wed"),
        ] {
            assert_eq!(
                (of(day, Function::Week), of(day, Function::Weekday)),
                (week.into(), weekday.into()),
                "{day}"
            );
        }
    }

    #[test]
    fn a_time_has_only_the_parts_that_it_says() {
        assert_eq!(of("2024-03-01T23:30+02:00", Function::Hour), "23");
        assert_eq!(of("1.3.2024 9:05", Function::YearMonth), "2024-03");
        assert_eq!(of("2024-03", Function::Month), "Mar");
        assert_eq!(of("2024-03", Function::Day), "none");
        assert_eq!(of("2024", Function::Year), "2024");
        assert_eq!(of("2024", Function::Quarter), "none");
        assert_eq!(of("Mar 1, 2024", Function::Quarter), "2024Q1");
    }
}

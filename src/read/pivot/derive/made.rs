//! The values of a derived column, row by row.

use super::bins::{BinPlace, place};
use crate::expression::{Expression, Function, Operator};
use crate::field::{Field, is_decimal_comma, parse_number, shown};
use crate::table::{BinAxis, Cells, ColumnValues, Schema};
use foldhash::fast::RandomState;
use gridscope_core::calendar::spelling::{either, moment};
use gridscope_core::calendar::{Datelike, Days, Moment, Timelike, duration};
use gridscope_core::grid::Number;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// A column that is computed.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    /// Text of the user, which is its name.
    pub text: String,
    pub expression: Expression,
    /// Its values are keys, which are texts; else they are numbers.
    pub is_key: bool,
    /// The bins of the expression's numbers, and what is written for numbers below and above them.
    pub bins: Option<(Arc<BinAxis>, [String; 2])>,
    /// The numbers of all rows, ascending, where the value is a rank among them.
    pub ranked: Option<Arc<Vec<f64>>>,
}

/// Texts that are kept from batch to batch.
const MOST_TEXTS: usize = 1 << 16;

/// The values of a derived column in a batch.
pub(super) struct Made {
    cells: ColumnValues,
    valid: Vec<bool>,
    known: Known,
}

/// Codes of keys that were met: a key is written once, and not for each row.
#[derive(Default)]
struct Known {
    texts: HashMap<Box<str>, u32, RandomState>,
    /// By the type of a number and its bits.
    numbers: HashMap<(u8, u64), u32, RandomState>,
}

/// The row of a batch that is at fault, and its fault.
type RowFault = (usize, String);

impl Made {
    pub(super) fn new(column: &Derived) -> Self {
        let cells = match (&column.bins, column.is_key) {
            (Some((bins, outside)), _) => ColumnValues::Texts {
                codes: Vec::new(),
                texts: bins.labels.iter().chain(outside).cloned().collect(),
            },
            (None, true) => ColumnValues::Texts { codes: Vec::new(), texts: Vec::new() },
            (None, false) => ColumnValues::F64(Vec::new()),
        };
        Self { cells, valid: Vec::new(), known: Known::default() }
    }

    /// The values, of which only the valid ones are any.
    pub(super) fn cells(&self) -> &ColumnValues {
        &self.cells
    }

    /// Which rows have a value.
    pub(super) fn valid(&self) -> &[bool] {
        &self.valid
    }

    /// Takes the values of all rows of a batch, whose first is `row`, in place of those of the batch before.
    ///
    /// # Errors
    /// A text where a number or a time is needed.
    pub(super) fn fill(&mut self, column: &Derived, row: Row, rows: usize) -> Result<(), RowFault> {
        let Self { cells, valid, known } = self;
        valid.clear();
        match (cells, &column.bins) {
            (ColumnValues::Texts { codes, .. }, Some((bins, _))) => {
                codes.clear();
                let n = bins.labels.len();
                for at in 0..rows {
                    let row = Row { row: at, ..row };
                    let number = row.number(&column.expression).map_err(|what| (at, what))?;
                    let code = number.map(|v| match place(&bins.edges, v.as_f64()) {
                        BinPlace::In(bin) => bin,
                        BinPlace::Below => n,
                        BinPlace::Above => n + 1,
                    });
                    codes.push(code.unwrap_or(0) as u32);
                    valid.push(code.is_some());
                }
            }
            (ColumnValues::Texts { codes, texts }, None) => {
                codes.clear();
                if texts.len() > MOST_TEXTS {
                    texts.clear();
                    (known.texts, known.numbers) = Default::default();
                }
                let mut memo = Memo::of(&column.expression, &row);
                for at in 0..rows {
                    let (code, has_value) = match memo.get(at) {
                        Some(found) => found,
                        None => {
                            let row = Row { row: at, ..row };
                            let value = row.value(&column.expression).map_err(|what| (at, what))?;
                            let value = column.ranked(value).map_err(|what| (at, what))?;
                            let found = known.code(value, texts);
                            memo.set(at, found);
                            found
                        }
                    };
                    codes.push(code);
                    valid.push(has_value);
                }
            }
            (cells, _) => {
                let mut numbers = Vec::with_capacity(rows);
                for at in 0..rows {
                    let row = Row { row: at, ..row };
                    let value = row.value(&column.expression).map_err(|what| (at, what))?;
                    let number = match column.ranked(value).map_err(|what| (at, what))? {
                        Value::Text(text) => match extracted(&column.expression, &text) {
                            Some(number) => Some(number),
                            None => return Err((at, no_number(&text))),
                        },
                        Value::Number(n) => Some(n),
                        Value::Missing => None,
                    };
                    numbers.push(number.unwrap_or(Number::I64(0)));
                    valid.push(number.is_some());
                }
                *cells = column_of(&numbers);
            }
        }
        Ok(())
    }
}

impl Derived {
    /// The rank of a value, where ranks are asked for.
    fn ranked<'r>(&self, value: Value<'r>) -> Result<Value<'r>, String> {
        let Some(all) = &self.ranked else {
            return Ok(value);
        };
        let number = match value {
            Value::Missing => return Ok(Value::Missing),
            Value::Number(number) => number.as_f64(),
            Value::Text(text) => return Err(no_number(&text)),
        };
        let (below, up_to) = (all.partition_point(|v| *v < number), all.partition_point(|v| *v <= number));
        let rank = (below + 1 + up_to.max(below + 1)) as f64 / 2.0;
        Ok(Value::Number(if rank.fract() == 0.0 { Number::I64(rank as i64) } else { Number::F64(rank) }))
    }
}

/// Numbers in a type that holds all of them, integers exactly.
fn column_of(numbers: &[Number]) -> ColumnValues {
    let signed = numbers.iter().map(|n| n.whole().and_then(|v| i64::try_from(v).ok()));
    if let Some(all) = signed.collect() {
        return ColumnValues::I64(all);
    }
    let unsigned = numbers.iter().map(|n| n.whole().and_then(|v| u64::try_from(v).ok()));
    match unsigned.collect() {
        Some(all) => ColumnValues::U64(all),
        None => ColumnValues::F64(numbers.iter().map(|n| n.as_f64()).collect()),
    }
}

/// The number that a pattern found in a text.
fn extracted(of: &Expression, text: &str) -> Option<Number> {
    matches!(of, Expression::Extract(..)).then(|| parse_number(text)).flatten()
}

impl Known {
    /// The code of a key, and whether it is a value.
    fn code(&mut self, value: Value, texts: &mut Vec<String>) -> (u32, bool) {
        let number = match value {
            Value::Missing => return (self.of_text("", texts), false),
            Value::Text(text) => return (self.of_text(&text, texts), true),
            Value::Number(number) => number,
        };
        let bits = match number {
            Number::F64(v) => (0, v.to_bits()),
            Number::I64(v) => (1, v as u64),
            Number::U64(v) => (2, v),
        };
        if let Some(code) = self.numbers.get(&bits) {
            return (*code, true);
        }
        let code = self.of_text(&written(number), texts);
        self.numbers.insert(bits, code);
        (code, true)
    }

    fn of_text(&mut self, text: &str, texts: &mut Vec<String>) -> u32 {
        if let Some(code) = self.texts.get(text) {
            return *code;
        }
        let code = texts.len() as u32;
        texts.push(text.to_owned());
        self.texts.insert(text.into(), code);
        code
    }
}

/// The code of a key, and whether it is a value.
type Code = (u32, bool);

/// Results for the texts of a batch, where a key follows from one column alone.
enum Memo<'c> {
    Nothing,
    /// By the code of the text.
    Codes {
        codes: &'c [u32],
        valid: Option<&'c [bool]>,
        of: Vec<Option<Code>>,
    },
    /// Of the text of the row before.
    Last {
        texts: &'c [&'c str],
        last: Option<(&'c str, Code)>,
    },
}

impl<'c> Memo<'c> {
    fn of(expression: &Expression, row: &Row<'c, 'c>) -> Self {
        let mut columns = Vec::new();
        expression.columns(&mut columns);
        let only = match columns.as_slice() {
            [one] => row.cells(*one),
            _ => None,
        };
        match only {
            Some(Cells::Texts(texts)) => Memo::Last { texts, last: None },
            Some(Cells::Typed { cells: ColumnValues::Texts { codes, texts }, valid, from }) => Memo::Codes {
                codes: &codes[*from..],
                valid: valid.map(|v| &v[*from..]),
                of: vec![None; texts.len()],
            },
            _ => Memo::Nothing,
        }
    }

    fn get(&self, row: usize) -> Option<Code> {
        match self {
            Memo::Codes { codes, valid, of } if valid.is_none_or(|v| v[row]) => of[codes[row] as usize],
            Memo::Last { texts, last } => last.filter(|l| l.0 == texts[row]).map(|l| l.1),
            _ => None,
        }
    }

    fn set(&mut self, row: usize, code: Code) {
        match self {
            Memo::Codes { codes, valid, of } if valid.is_none_or(|v| v[row]) => {
                of[codes[row] as usize] = Some(code);
            }
            Memo::Last { texts, last } => *last = Some((texts[row], code)),
            _ => {}
        }
    }
}

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
            Expression::Number(n) => Value::Number(*n),
            Expression::Negative(of) => match self.number(of)? {
                None => Value::Missing,
                Some(n) => pair(Operator::Minus, Number::I64(0), n),
            },
            Expression::Pair(operator, a, b) => match (self.number(a)?, self.number(b)?) {
                (Some(a), Some(b)) => pair(*operator, a, b),
                _ => Value::Missing,
            },
            Expression::Call(function, of) => self.call(*function, of)?,
            Expression::Extract(of, pattern) => match self.text(of)? {
                None => Value::Missing,
                Some(Cow::Borrowed(text)) => {
                    pattern.find(text).map_or(Value::Missing, |part| Value::Text(Cow::Borrowed(part)))
                }
                Some(Cow::Owned(text)) => pattern
                    .find(&text)
                    .map_or(Value::Missing, |part| Value::Text(Cow::Owned(part.to_owned()))),
            },
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
            Value::Text(text) => extracted(of, &text).map(Some).ok_or_else(|| no_number(&text)),
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
        let reading = match of {
            Expression::Column(column) => self.schema.date_reading(*column),
            _ => None,
        };
        let iso = reading.and_then(|reading| reading.iso(&text));
        let moment = time(iso.as_deref().unwrap_or(&text));
        moment.map(Some).ok_or_else(|| {
            let open = either(&text).is_some();
            let why =
                if open { "; day and month may change places: --month-first or --day-first" } else { "" };
            format!("{} is not a date or time{why}", shown(&text))
        })
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
            Function::Seconds => {
                return Ok(match self.value(first)? {
                    Value::Text(text) => of_float(duration(&text).ok_or_else(|| no_duration(&text))?),
                    seconds => seconds,
                });
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
        {
            let digits = match of.get(1) {
                None => Some(0.0),
                Some(digits) => self.number(digits)?.map(Number::as_f64),
            };
            return Ok(match digits.map(f64::trunc) {
                None => Value::Missing,
                _ if function == Function::Abs => Value::Number(absolute(n)),
                // Before the point they are rounded to the even one of two.
                Some(digits) if digits < 0.0 => round_whole(n, -digits),
                Some(_) => Value::Number(n),
            });
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
        Function::DayOfYear => number(at.ordinal()),
        Function::Week => number(at.iso_week().week()),
        Function::YearWeek => text(format!("{:04}-W{:02}", at.iso_week().year(), at.iso_week().week())),
        // As strftime's %W.
        Function::CalendarWeek => number((at.ordinal() + 6 - at.weekday().num_days_from_monday()) / 7),
        Function::Monday => {
            let back = Days::new(at.weekday().num_days_from_monday().into());
            at.date().checked_sub_days(back).map_or(Value::Missing, |day| text(day.to_string()))
        }
        Function::Weekday => Value::Text(Cow::Borrowed(WEEKDAYS[at.weekday() as usize])),
        Function::Date => text(format!("{year:04}-{month:02}-{:02}", at.day())),
        _ => Value::Missing,
    }
}

/// Message about a text where a duration is needed.
fn no_duration(text: &str) -> String {
    let open = text.split(':').count() == 2 && text.split(':').all(|part| part.trim().parse::<u32>().is_ok());
    let why = if open { "; it may be hours and minutes, or minutes and seconds" } else { "" };
    format!("{} is not a duration such as 1:23:45, 90 s or PT1M30S{why}", shown(text))
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

/// An integer rounded to tens, hundreds and so on; half of one goes to the even neighbour.
fn round_whole(n: Number, zeros: f64) -> Value<'static> {
    let unit = 10i128.checked_pow(zeros.min(36.0) as u32);
    let Some((v, unit)) = n.whole().zip(unit) else {
        return Value::Number(Number::I64(0));
    };
    let (below, rest) = (v.div_euclid(unit), v.rem_euclid(unit));
    let up = 2 * rest > unit || 2 * rest == unit && below % 2 != 0;
    Value::Number(Number::of_whole((below + i128::from(up)) * unit))
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
    if let (Some(x), Some(y)) = (a.whole(), b.whole()) {
        let exact = match operator {
            Operator::Plus => x.checked_add(y),
            Operator::Minus => x.checked_sub(y),
            Operator::Times => x.checked_mul(y),
            Operator::Over => (y != 0 && x % y == 0).then(|| x / y),
            Operator::Power => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)),
        };
        if let Some(exact) = exact {
            return Value::Number(Number::of_whole(exact));
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
    use crate::expression::parse;
    use gridscope_core::figure::Data;
    use gridscope_core::lint::Lints;

    /// The values of a key in rows of texts, by their codes.
    fn keys(made: &mut Made, column: &Derived, texts: &[&str]) -> Vec<String> {
        let schema = Schema::named("f", vec!["v".into()], &Data::default(), &mut Lints::default());
        let cells = [Cells::Texts(texts.to_vec())];
        let row = Row { schema: &schema, columns: &[0], cells: &cells, row: 0 };
        made.fill(column, row, texts.len()).unwrap();
        let ColumnValues::Texts { codes, texts } = made.cells() else {
            panic!("no texts");
        };
        let text = |(code, valid): (&u32, &bool)| {
            if *valid { texts[*code as usize].clone() } else { "–".into() }
        };
        codes.iter().zip(made.valid()).map(text).collect()
    }

    #[test]
    fn a_key_is_written_once() {
        let column = |text: &str| Derived {
            text: text.to_owned(),
            expression: parse(text, &["v".to_owned()]).unwrap(),
            is_key: true,
            bins: None,
            ranked: None,
        };
        let half = column("v / 2");
        let mut made = Made::new(&half);
        assert_eq!(keys(&mut made, &half, &["2", "2.0", "", "3", "3"]), ["1", "1", "–", "1.5", "1.5"]);
        assert_eq!(keys(&mut made, &half, &["3", "-0.0", "0"]), ["1.5", "0", "0"]);
        // Texts of ever new keys are not kept.
        let many: Vec<String> = (0..MOST_TEXTS + 5).map(|i| i.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(keys(&mut made, &half, &many)[7], "3.5");
        assert_eq!(keys(&mut made, &half, &["7", "8"]), ["3.5", "4"]);
        assert_eq!(made.cells().len(), 2);
        assert!(matches!(made.cells(), ColumnValues::Texts { texts, .. } if texts.len() == 2));
    }

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
    fn weeks_of_a_calendar_year_begin_on_its_mondays() {
        // Python: strftime("%W"), and the date less its weekday().
        for (day, week, monday) in [
            ("2023-01-01", "0", "2022-12-26"),
            ("2023-01-02", "1", "2023-01-02"),
            ("2024-01-01", "1", "2024-01-01"),
            ("2024-12-31", "53", "2024-12-30"),
            ("2021-01-03", "0", "2020-12-28"),
            ("2020-12-31", "52", "2020-12-28"),
            ("2018-12-31T23:59", "53", "2018-12-31"),
        ] {
            let found = (of(day, Function::CalendarWeek), of(day, Function::Monday));
            assert_eq!(found, (week.to_owned(), monday.to_owned()), "{day}");
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

    #[test]
    fn integers_stay_exact() {
        let of = |text: &str, cell: &str| {
            let headers = vec!["v".to_owned()];
            let schema = Schema::named("f", headers.clone(), &Data::default(), &mut Lints::default());
            let cells = [Cells::Texts(vec![cell])];
            let row = Row { schema: &schema, columns: &[0], cells: &cells, row: 0 };
            let expression = parse(text, &headers).unwrap();
            let column =
                Derived { text: text.to_owned(), expression, is_key: false, bins: None, ranked: None };
            let mut made = Made::new(&column);
            made.fill(&column, row, 1).unwrap();
            format!("{:?}", made.cells())
        };
        let big = "1700000000000000001";
        assert_eq!(of("v + 0", big), "I64([1700000000000000001])");
        assert_eq!(of("v - 1700000000000000000", big), "I64([1])");
        assert_eq!(of("18446744073709551615 - v", "5"), "U64([18446744073709551610])");
        assert_eq!(
            [of("v ** 2", "3037000499"), of("v ** -1", "4")],
            ["I64([9223372030926249001])", "F64([0.25])"]
        );
        assert_eq!(of("round(v, 2)", big), "I64([1700000000000000001])");
        assert_eq!([of("round(v, -2)", "250"), of("round(v, -2)", "-351")], ["I64([200])", "I64([-400])"]);
        assert_eq!(of("v * 0.5", "3"), "F64([1.5])");
        assert_eq!(of("v * v", big), format!("F64([{:?}])", 1_700_000_000_000_000_001_i128.pow(2) as f64));
    }
}

//! Conditions on rows, `COL OP VALUE`, and the rows that meet all of them.

use super::dates::DateReading;
use super::keys::{KeyNumber, KeySet};
use crate::error::InputError;
use crate::field::{Field, parse_number, read_field, shown};
use crate::shell_word::flag;
use crate::table::{Batch, Cells, Schema, count, listed, nearest};
use gridscope_core::calendar::Instant;
use gridscope_core::calendar::spelling::{Doubt, begin, doubt, month_first, year_last};
use gridscope_core::figure::{List, quoted, unquoted};
use gridscope_core::grid::Number;
use std::cmp::Ordering;
use std::ops::Range;

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
    NotIn,
}

/// How a text is one of the values of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// Letter for letter.
    Letters,
    /// But for blanks around it.
    Blanks,
    /// As the same number, otherwise written.
    Number,
}

/// Condition on a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Condition {
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
    /// Its texts are compared letter for letter.
    exact: bool,
    /// How the dates of the column are read, where all of them were looked at.
    reading: Option<DateReading>,
    /// Whether the month is first in dates with the year last, where a value tells.
    month_first: Option<bool>,
    /// The first value, and the condition as it was written.
    first: String,
    text: String,
}

impl Condition {
    /// Reads a condition; the column is in quotes or the longest header that the text begins with.
    ///
    /// # Errors
    /// No such column, no comparison, or no value.
    pub(crate) fn parse(text: &str, schema: &Schema) -> Result<Self, InputError> {
        let usage = |what: String| {
            InputError::usage(&schema.file, what).with_hint("COLUMN OP VALUE with = != < <= > >= in, not in")
        };
        let t = text.trim();
        // A header may begin with a quote itself.
        let header =
            quoted(t, '"').filter(|(name, _)| schema.headers.iter().any(|h| h.trim() == name.trim()));
        let begins = |h: &String| t.strip_prefix(h.trim()).is_some_and(|r| operator(r).is_some());
        let is_plain = t.starts_with('"') && schema.headers.iter().any(|h| !h.trim().is_empty() && begins(h));
        let (column, rest) = match header.or_else(|| quoted(t, '"').filter(|_| !is_plain)) {
            Some((name, rest)) => (schema.column(&name)?, rest),
            None => {
                let begins = |h: &&String| !h.trim().is_empty() && begins(h);
                match schema.headers.iter().filter(begins).max_by_key(|h| h.trim().len()) {
                    Some(h) => (schema.column(h)?, &t[h.trim().len()..]),
                    None => return Err(unknown(t, schema)),
                }
            }
        };
        let (op, value) =
            operator(rest).ok_or_else(|| usage(format!("condition {} has no comparison", shown(text))))?;
        if let Some(second) = second_condition(value, schema) {
            let what = format!("condition {} holds two conditions", shown(text));
            let first = t[..t.len() - second.len()].trim_end();
            let first = first.rsplit_once(char::is_whitespace).map_or(first, |cut| cut.0.trim_end());
            let hint = format!("{} {}", flag("--where", first), flag("--where", second));
            return Err(InputError::usage(&schema.file, what).with_hint(hint));
        }
        let is_list = matches!(op, Op::In | Op::NotIn);
        let parts: Vec<String> = if is_list {
            if let Some(open) = List::open_item(value) {
                let what = format!("condition {}: the quote of {} is not closed", shown(text), shown(&open));
                let hint = "a text with a quote or a comma is in quotes, and a quote within is doubled";
                return Err(InputError::usage(&schema.file, what).with_hint(hint));
            }
            List::from_items(value, true).0
        } else {
            vec![value.trim().to_owned()]
        };
        let written = |v: &str| {
            let plain = schema.numeral(column).and_then(|n| n.plain(v));
            plain.unwrap_or_else(|| v.to_owned())
        };
        // Items of a list are without their quotes.
        let bare = |v: &String| if is_list { v.clone() } else { unquoted(v) };
        let values: Vec<String> = parts.iter().map(|v| written(&bare(v))).collect();
        let numbers = values.iter().all(|v| KeyNumber::parse(v).is_some());
        let number = KeyNumber::parse(&values[0]);
        let times = values.iter().filter(|v| KeyNumber::parse(v).is_none() || v.len() == 8);
        let month_first = values.iter().find_map(|v| month_first(v));
        let reading = schema.date_reading(column);
        let time = |v: &String| time_of(v, reading, month_first);
        let times = times.filter_map(time);
        // A text may have the quotes itself.
        let as_written = parts.iter().filter(|v| v.starts_with('\'')).map(String::as_str);
        Ok(Self {
            column,
            op,
            wanted: KeySet::new(values.iter().map(String::as_str).chain(as_written)),
            number,
            numbers,
            instant: time(&values[0]),
            exact: schema.is_exact(column),
            reading,
            month_first,
            instants: times.collect(),
            first: values[0].clone(),
            text: t.to_owned(),
        })
    }

    /// As it was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The column that it looks at.
    pub(crate) fn column(&self) -> usize {
        self.column
    }

    /// The column, if the condition is about times or compares by size.
    pub(super) fn column_of_times(&self) -> Option<usize> {
        let by_size = matches!(self.op, Op::Lt | Op::Le | Op::Gt | Op::Ge) && self.number.is_none();
        (by_size || !self.instants.is_empty()).then_some(self.column)
    }

    /// Whether it asks for texts: that are one of its values letter for letter, or only as blanks or a number say it.
    pub(super) fn names(&self, text: &str) -> Option<Naming> {
        match self.op {
            Op::Eq | Op::Ne | Op::In | Op::NotIn => {}
            _ => return None,
        }
        match text.trim() {
            _ if self.wanted.names(text) => Some(Naming::Letters),
            trimmed if self.wanted.names(trimmed) => Some(Naming::Blanks),
            _ => KeyNumber::parse(text).filter(|n| self.wanted.holds_number(*n)).map(|_| Naming::Number),
        }
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
    pub(crate) fn meets(&self, text: &str, schema: &Schema) -> Result<bool, InputError> {
        let equal = || {
            let same = match self.exact {
                true => self.wanted.names(text),
                false => self.wanted.holds(text) || self.wanted.names(text.trim()),
            };
            same || !self.instants.is_empty()
                && KeyNumber::parse(text).is_none_or(|_| text.trim().len() == 8 && self.number.is_none())
                && self.time(text).is_some_and(|i| self.instants.contains(&i))
        };
        match self.op {
            Op::Eq | Op::In => Ok(equal()),
            Op::Ne | Op::NotIn => Ok(!equal()),
            _ => match (KeyNumber::parse(text), self.number) {
                (Some(n), Some(_)) => Ok(self.compares(n, equal)),
                _ if self.is_comparable() && read_field(text, &schema.missing) == Field::Missing => Ok(false),
                _ => {
                    let (cell, first) = (self.time(text), self.instant.as_ref());
                    if let Some(order) = cell.zip(first).map(|(cell, first)| cell.against(first)) {
                        return Ok(self.fits(order));
                    }
                    Err(self.not_compared(text, schema))
                }
            },
        }
    }

    /// The time that a cell says.
    fn time(&self, text: &str) -> Option<Instant> {
        time_of(text, self.reading, self.month_first)
    }

    /// The refusal of a text that has no size beside the first value.
    fn not_compared(&self, text: &str, schema: &Schema) -> InputError {
        let first = &self.first;
        let strange = [first.as_str(), text].into_iter().find_map(|t| Some((t, doubt(t)?)));
        let (what, hint) = match strange {
            Some((date, Doubt::Ambiguous)) => (
                format!("{}: day and month of {} may change places", shown(&self.text), shown(date)),
                "--month-first or --day-first",
            ),
            Some((date, Doubt::None)) => {
                (format!("{}: {} is not a date", shown(&self.text), shown(date)), "write dates as 2024-03-01")
            }
            None => {
                let what = format!("condition {} compares text {} by size", shown(&self.text), shown(text));
                let percent = first
                    .strip_suffix('%')
                    .and_then(parse_number)
                    .filter(|_| KeyNumber::parse(text).is_some());
                if let Some(n) = percent.map(Number::as_f64) {
                    let hint = format!("the numbers of the column have no %: write {n} or {}", n / 100.0);
                    return InputError::usage(&schema.file, what).with_hint(hint);
                }
                let hint = if self.instant.is_some() {
                    "dates are written as 2024-03-01, 1.3.2024 or Mar 1, 2024; text compares by = != in only"
                } else {
                    "text compares by = != in only"
                };
                (what, hint)
            }
        };
        InputError::usage(&schema.file, what).with_hint(hint)
    }

    /// Compares a number with the first value; `equal` says whether it is one of the values.
    fn compares(&self, number: KeyNumber, equal: impl Fn() -> bool) -> bool {
        match self.op {
            Op::Eq | Op::In => equal(),
            Op::Ne | Op::NotIn => !equal(),
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
            Op::Ne | Op::NotIn => order.is_ne(),
        }
    }
}

/// The time that a text says: as the dates of its column are read, by its own numbers, or with the month where a value has it.
fn time_of(text: &str, reading: Option<DateReading>, month_first: Option<bool>) -> Option<Instant> {
    let read = reading.and_then(|reading| begin(&reading.iso(text)?));
    read.or_else(|| begin(text)).or_else(|| year_last(text, month_first))
}

fn unknown(text: &str, schema: &Schema) -> InputError {
    let name = text.split(['=', '!', '<', '>']).next().unwrap_or(text);
    let name = name.split_once(" in ").map_or(name, |p| p.0).trim();
    let near = nearest(name, &schema.headers).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
    let what = format!("condition {} begins with no column and comparison", shown(text));
    InputError::usage(&schema.file, what).with_hint(format!("{near}columns: {}", listed(&schema.headers)))
}

/// The comparison that a text begins with, and the rest.
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
    let word = |text: &'_ str, word: &str| -> Option<usize> {
        let after = text.strip_prefix(word)?;
        after.starts_with(char::is_whitespace).then(|| text.len() - after.len())
    };
    if t.len() == rest.len() {
        return None;
    }
    if let Some(end) = word(t, "in") {
        return Some((Op::In, &t[end..]));
    }
    let after = t[word(t, "not")?..].trim_start();
    Some((Op::NotIn, &after[word(after, "in")?..]))
}

/// The condition behind an `and` in a value; a text in quotes has none.
fn second_condition<'t>(value: &'t str, schema: &Schema) -> Option<&'t str> {
    if value.trim_start().starts_with(['"', '\'']) {
        return None;
    }
    let mut cuts = [" and ", " AND ", " & ", " && "].iter().flat_map(|word| value.match_indices(word));
    cuts.find_map(|(at, word)| {
        let second = value[at + word.len()..].trim_start();
        let begins = |h: &String| {
            let h = h.trim();
            !h.is_empty() && second.strip_prefix(h).is_some_and(|rest| operator(rest).is_some())
        };
        schema.headers.iter().any(begins).then_some(second)
    })
}

/// The rows of a range that meet all conditions.
pub(super) struct Selected {
    pub rows: Vec<u32>,
    /// By condition: the rows that meet it and those before it.
    pub met: Vec<u64>,
    /// Why a row cannot be compared; further rows were not looked at.
    pub fault: Option<InputError>,
}

/// The rows of a range that meet all conditions, up to the first that cannot be compared; `place` is that of a column in
/// the batch.
pub(super) fn selected(
    batch: &Batch,
    range: Range<u32>,
    conditions: &[Condition],
    schema: &Schema,
    place: impl Fn(usize) -> usize,
) -> Selected {
    let (mut rows, mut fault): (Vec<u32>, _) = (range.collect(), None);
    let mut met = vec![0; conditions.len()];
    if conditions.is_empty() {
        return Selected { rows, met, fault };
    }
    rows.retain(|&row| {
        fault.is_none()
            && conditions.iter().zip(&mut met).all(|(c, met)| {
                let meets = c.matches(&batch.columns[place(c.column())], row as usize, schema);
                let meets = meets.unwrap_or_else(|e| {
                    fault = Some(e);
                    false
                });
                *met += u64::from(meets);
                meets
            })
    });
    Selected { rows, met, fault }
}

/// Adds the counts of further rows to those of the rows before.
pub(super) fn add_met(all: &mut Vec<u64>, met: &[u64]) {
    all.resize(met.len(), 0);
    all.iter_mut().zip(met).for_each(|(all, met)| *all += met);
}

/// The refusal of a table of which no row is left: of its `rows`, how many each condition left.
pub(super) fn no_row(file: &str, conditions: &[Condition], rows: u64, met: &[u64]) -> InputError {
    if conditions.is_empty() {
        return InputError::refused(file, "", "no data rows");
    }
    let left = conditions.iter().zip(met).enumerate().map(|(i, (c, met))| {
        let of = if i == 0 {
            format!(" of {}", count(usize::try_from(rows).unwrap_or(usize::MAX), "row"))
        } else {
            String::new()
        };
        format!("{} left {met}{of}", c.text())
    });
    // The conditions after the one that removed the last row say nothing.
    let last = met.iter().position(|met| *met == 0).map_or(met.len(), |at| at + 1);
    let left: Vec<String> = left.take(last).collect();
    InputError::refused(file, "", format!("no row meets --where: {}", left.join("; "))).with_hint(
        "each --where is one condition, and the flag repeats; 'COLUMN in A,B' takes several values",
    )
}

#[cfg(test)]
mod tests;

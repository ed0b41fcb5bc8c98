//! Facts about the lines of a text that are known once its rows are read.

use super::schema::count;
use crate::field::shown;
use crate::numeral::Numeral;
use crate::pivot::report_day_first;
use gridscope_core::lint::{LintName, Lints};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lines of a part of a text that are no full rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OddLines {
    /// Comments.
    pub comments: u64,
    /// Comments with as many fields as the table has columns, and the line of the first one.
    pub like_rows: u64,
    pub first_like: u64,
    /// Rows with too few fields, the line of the first one, and the most fields that one lacks.
    pub short: u64,
    pub first_short: u64,
    pub longest_gap: u64,
}

impl OddLines {
    fn add(&mut self, later: &Self) {
        let first = |own: u64, later: u64| if own > 0 { own } else { later };
        self.comments += later.comments;
        self.like_rows += later.like_rows;
        self.first_like = first(self.first_like, later.first_like);
        self.short += later.short;
        self.first_short = first(self.first_short, later.first_short);
        self.longest_gap = self.longest_gap.max(later.longest_gap);
    }
}

/// Facts about a table: the odd lines of a text, by the place of each of its parts, which may be read more than once, and by
/// column what its numbers and dates are taken for.
#[derive(Debug, Default)]
pub(crate) struct Noticed {
    lines: Mutex<BTreeMap<u64, OddLines>>,
    assumed: Mutex<BTreeMap<String, (String, Numeral)>>,
    day_first: Mutex<BTreeMap<String, String>>,
}

impl Noticed {
    /// Takes those of the part that begins at a byte.
    pub(crate) fn set(&self, at: u64, lines: OddLines) {
        if lines != OddLines::default() {
            of(&self.lines).insert(at, lines);
        }
    }

    /// Takes a column whose numbers are read in one of two ways, and the place of such a number.
    pub(crate) fn assume(&self, column: &str, place: String, numeral: Numeral) {
        of(&self.assumed).entry(column.to_owned()).or_insert((place, numeral));
    }

    /// Takes a column of dates such as this one, whose day is taken for the first number.
    pub(crate) fn assume_day_first(&self, column: &str, date: &str) {
        of(&self.day_first).insert(column.to_owned(), date.to_owned());
    }

    /// Those of all parts that were read.
    pub(crate) fn all(&self) -> OddLines {
        let mut all = OddLines::default();
        of(&self.lines).values().for_each(|part| all.add(part));
        all
    }

    /// Reports numbers and dates that are read in one of two ways, short rows, and comments that look like rows.
    pub(crate) fn report(&self, file: &str, lints: &mut Lints) {
        for (column, (place, numeral)) in of(&self.assumed).iter() {
            let Some(assumed) = numeral.assumed else { continue };
            let sign = if assumed.comma { ',' } else { '.' };
            let [written, read, other] = assumed.readings(numeral.thousands == sign);
            let column = shown(column);
            let what = format!(
                "{file}: {place}, column {column}: '{written}' is read as {read}, and nothing shows that it is not {other}"
            );
            let hint = format!("--thousands {sign} or --decimal {sign}");
            lints.add(LintName::AssumedSign, 1, what).hint(hint);
        }
        for (column, date) in of(&self.day_first).iter() {
            report_day_first(&format!("column {}", shown(column)), date, lints);
        }
        let all = self.all();
        if all.short > 0 {
            let (n, line) = (all.short, all.first_short);
            let gap = count(all.longest_gap as usize, "field");
            let what = match n {
                1 => format!("{file}: line {line}: 1 row lacks its last {gap}: no value there"),
                _ => format!(
                    "{file}: {n} rows lack up to {gap} at their end: no value there; the first is line {line}"
                ),
            };
            lints.add(LintName::ShortRows, all.short, what);
        }
        if all.like_rows > 0 {
            let n = count(all.like_rows as usize, "comment");
            let line = all.first_like;
            let what = format!("{file}: {n} skipped that may be rows, the first in line {line}");
            lints.add(LintName::CommentsLikeRows, all.like_rows, what).hint("--comment none");
        }
    }
}

fn of<T>(facts: &Mutex<T>) -> MutexGuard<'_, T> {
    facts.lock().unwrap_or_else(PoisonError::into_inner)
}

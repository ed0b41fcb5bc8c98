//! Profile of the columns of a table.

use super::dates::Dates;
use super::keys::one_number_each;
use crate::budget::{Budget, OverBudget};
use crate::error::InputError;
use crate::field::{Field, is_beyond, parse_number};
use crate::ordered::{Give, in_order, waiting};
use crate::table::{Cells, Part, TableSource};
use foldhash::quality::RandomState;
use gridscope_core::calendar::parse_times;
use gridscope_core::grid::Number;
use std::collections::HashSet;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that a distinct value takes while the values of a column are counted.
const DISTINCT: u64 = 32;
/// Bytes that a text takes, beside its own, while the texts of a column are compared.
const COMPARED: u64 = 64;
/// Bytes of the hashes of a batch's labels.
const LOOK: usize = 1 << 20;
/// Distinct texts that show whether a column has a unit.
const LABELS: usize = 1000;

/// Content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ColumnKind {
    /// No value at all.
    Empty,
    /// Anything.
    Text,
    /// Dates and times.
    Time,
    /// Numbers with a shared unit.
    Unit,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
}

impl ColumnKind {
    /// The word for it in messages.
    pub(super) fn word(self) -> &'static str {
        match self {
            ColumnKind::Empty => "empty",
            ColumnKind::Time => "datetime",
            ColumnKind::Text | ColumnKind::Unit => "text",
            ColumnKind::Integer => "integer",
            ColumnKind::Number => "number",
        }
    }

    /// Whether it is numbers without a unit.
    pub(super) fn is_number(self) -> bool {
        self >= ColumnKind::Integer
    }
}

/// A column in short.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Profile {
    pub name: String,
    pub kind: ColumnKind,
    /// The number of different texts, empty ones left out.
    pub distinct: usize,
}

/// The columns of a table in short, and the number of its rows; `why` says what they are looked at for.
///
/// # Errors
/// Whatever is wrong with the rows, and too little memory.
pub(super) fn profiles(
    table: &dyn TableSource,
    why: &str,
    budget: &Arc<Budget>,
) -> Result<(Vec<Profile>, usize), InputError> {
    let schema = table.schema();
    let short = |s: OverBudget| s.of(&schema.file, format_args!("{why}, but to tell what its columns hold"));
    let all: Vec<usize> = schema.own().collect();
    let mut columns: Vec<ColumnScan> = all.iter().map(|_| ColumnScan::default()).collect();
    let (mut rows, mut room, hasher) = (0, budget.nothing(), RandomState::default());
    for part in table.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&all)? {
            rows += batch.rows;
            for (column, cells) in columns.iter_mut().zip(&batch.columns) {
                let bytes = column.take(cells, batch.rows, &schema.missing, &hasher);
                room.owe(bytes).map_err(short)?;
            }
        }
    }
    let profiles = columns.into_iter().zip(&schema.headers);
    Ok((profiles.map(|(c, name)| c.profile(name)).collect(), rows))
}

/// A column while its rows are looked at.
#[derive(Default)]
struct ColumnScan {
    numeric: Option<bool>,
    /// One of its numbers is not whole.
    fractional: bool,
    /// Hashes of its texts: the texts themselves may take more memory than the file.
    seen: HashSet<u64, foldhash::fast::RandomState>,
    labels: Vec<String>,
}

impl ColumnScan {
    /// Takes further rows; the bytes that they take.
    fn take(&mut self, cells: &Cells, rows: usize, missing: &[String], hasher: &RandomState) -> u64 {
        self.numeric = joined(self.numeric, holds_numbers(cells, rows, missing));
        let mut bytes = 0;
        for row in 0..rows {
            let text = cells.text(row);
            if text.is_empty() || !self.seen.insert(hasher.hash_one(text.as_bytes())) {
                continue;
            }
            bytes += DISTINCT;
            self.fractional |= matches!(parse_number(&text), Some(Number::F64(_)));
            if self.labels.len() < LABELS {
                bytes += COMPARED + text.len() as u64;
                self.labels.push(text.into_owned());
            }
        }
        bytes
    }

    fn holds_times(&self) -> bool {
        let texts = || self.labels.iter().map(String::as_str);
        parse_times(texts(), false).is_some() || Dates::of(texts(), &[]).reading().is_some()
    }

    fn profile(self, name: &str) -> Profile {
        let kind = match self.numeric {
            None => ColumnKind::Empty,
            Some(true) if self.fractional => ColumnKind::Number,
            Some(true) => ColumnKind::Integer,
            Some(false) if self.holds_times() => ColumnKind::Time,
            Some(false) if one_number_each(&self.labels).is_some() => ColumnKind::Unit,
            Some(false) => ColumnKind::Text,
        };
        Profile { name: name.to_owned(), kind, distinct: self.seen.len() }
    }
}

/// Of each of some columns, whether it holds numbers and missing values only in all of the tables together; `None` where it
/// does not hold a number either. And, if `labelled`, whether the texts of the first of them surely differ, as the others
/// are numbers: a hash that repeats leaves it open.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn numeric(
    tables: &[&dyn TableSource],
    columns: &[usize],
    labelled: bool,
    budget: &Arc<Budget>,
) -> Result<(Vec<Option<bool>>, bool), InputError> {
    let mut found = vec![None; columns.len()];
    let (open, hasher) = (AtomicBool::new(!labelled), RandomState::default());
    let mut labels: HashSet<u64, foldhash::fast::RandomState> = HashSet::default();
    let mut room = budget.nothing();
    for table in tables {
        let mut parts = table.parts();
        let look = |(): &mut (), mut part: Box<dyn Part + '_>, give: &mut Give<Look>| {
            while let Some(batch) = part.next(columns)? {
                let of = |cells| holds_numbers(cells, batch.rows, &table.schema().missing);
                let hash = |row| hasher.hash_one(batch.columns[0].text(row).as_bytes());
                let rows = if open.load(Ordering::Relaxed) { 0 } else { batch.rows };
                give((batch.columns.iter().map(of).collect(), (0..rows).map(hash).collect()))?;
            }
            Ok(())
        };
        let join = |_, (new, hashes): Look| {
            found.iter_mut().zip(new).for_each(|(f, n)| *f = joined(*f, n));
            let fit = room.owe(DISTINCT * hashes.len() as u64).is_ok();
            let differ = fit && hashes.into_iter().all(|hash| labels.insert(hash));
            if !differ || found.iter().skip(1).any(|f| *f == Some(false)) {
                open.store(true, Ordering::Relaxed);
            }
            Ok(())
        };
        let threads = table.threads();
        let of_look = if labelled { LOOK } else { columns.len().max(1) };
        let most = waiting(threads).min(budget.shares((threads * of_look) as u64));
        in_order((threads, most), || parts.next().transpose(), || (), look, join)?;
    }
    Ok((found, !open.into_inner()))
}

/// Facts about some rows: of each column whether it holds numbers, and the hashes of the labels.
type Look = (Vec<Option<bool>>, Vec<u64>);

/// Joins facts about rows and further rows: a text stays one whatever further rows hold.
fn joined(before: Option<bool>, new: Option<bool>) -> Option<bool> {
    if before == Some(false) { before } else { new.or(before) }
}

/// Whether cells are numbers and missing values only; `None` where none is a number either.
fn holds_numbers(cells: &Cells, rows: usize, missing: &[String]) -> Option<bool> {
    let mut number = None;
    for row in 0..rows {
        match cells.field(row, missing) {
            // What f64 does not hold is refused by its row, not with its column.
            Field::Text if !is_beyond(&cells.text(row)) => return Some(false),
            Field::Text | Field::Number(_) => number = Some(true),
            Field::Missing => {}
        }
    }
    number
}

/// Whether all texts of a column differ.
///
/// # Errors
/// Whatever is wrong with the rows, and too little memory.
pub(super) fn all_differ(
    table: &dyn TableSource,
    column: usize,
    budget: &Arc<Budget>,
) -> Result<bool, InputError> {
    let mut seen: HashSet<String, foldhash::fast::RandomState> = HashSet::default();
    let mut room = budget.nothing();
    for part in table.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&[column])? {
            for row in 0..batch.rows {
                let text = batch.columns[0].text(row);
                room.owe(COMPARED + text.len() as u64)
                    .map_err(|s| s.of(&table.schema().file, "its texts compared"))?;
                if !seen.insert(text.into_owned()) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

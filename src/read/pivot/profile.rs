//! Profile of the columns of a table: their content, those that name the rows, and units that differ.

use super::dates::Dates;
use super::keys::one_number_each;
use super::suggest::{flag, name};
use crate::budget::{Budget, OverBudget};
use crate::error::InputError;
use crate::field::{Field, is_beyond, parse_number};
use crate::numeral::{Numeral, Unit};
use crate::ordered::{Give, in_order, waiting};
use crate::shell_word::is_match;
use crate::table::{Cells, Part, Schema, TableSource, listed};
use foldhash::quality::RandomState;
use gridscope_core::calendar::parse_times;
use gridscope_core::grid::Number;
use gridscope_core::lint::{LintName, Lints};
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

/// Rows that are looked at for advice.
pub(super) const LOOKED_AT: usize = 1 << 22;
/// Rows in which a text that is there twice is looked for at first.
const FIRST_ROWS: usize = 1000;

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
    /// `true` and `false`.
    Truth,
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
            ColumnKind::Truth => "boolean",
            ColumnKind::Integer => "integer",
            ColumnKind::Number => "number",
        }
    }

    /// Whether it is numbers without a unit, as which truth values are read.
    pub(super) fn is_number(self) -> bool {
        self >= ColumnKind::Truth
    }
}

/// A column in short.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Profile {
    pub name: String,
    pub kind: ColumnKind,
    /// The number of different texts, empty ones left out.
    pub distinct: usize,
    /// At least half of its first cells hold something.
    pub is_filled: bool,
}

/// The columns of a table in short, and the number of rows that were looked at, [`LOOKED_AT`] or little more; `why` says what
/// for.
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
        if rows >= LOOKED_AT {
            break;
        }
        let mut part = part?;
        while rows < LOOKED_AT
            && let Some(batch) = part.next(&all)?
        {
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

fn is_truth(text: &str) -> bool {
    ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word))
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
    /// Of the first cells, those that hold something, and all.
    filled: [usize; 2],
}

/// Cells of a column that show whether it is filled.
const FIRST: usize = 1 << 12;

impl ColumnScan {
    /// Takes further rows; the bytes that they take.
    fn take(&mut self, cells: &Cells, rows: usize, missing: &[String], hasher: &RandomState) -> u64 {
        self.numeric = joined(self.numeric, holds_numbers(cells, rows, missing));
        let mut bytes = 0;
        let first = rows.min(FIRST - self.filled[1]);
        self.filled[0] += (0..first).filter(|&row| !cells.text(row).is_empty()).count();
        self.filled[1] += first;
        for row in cells.starts(rows) {
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
        parse_times(texts(), false).is_some() || Dates::of(texts(), &[], None).reading().is_some()
    }

    fn profile(self, name: &str) -> Profile {
        let kind = match self.numeric {
            None => ColumnKind::Empty,
            Some(true) if self.fractional => ColumnKind::Number,
            Some(true) if self.labels.iter().all(|text| is_truth(text)) => ColumnKind::Truth,
            Some(true) => ColumnKind::Integer,
            Some(false) if self.holds_times() => ColumnKind::Time,
            Some(false) if one_number_each(&self.labels).is_some() => ColumnKind::Unit,
            Some(false) => ColumnKind::Text,
        };
        let is_filled = 2 * self.filled[0] >= self.filled[1];
        Profile { name: name.to_owned(), kind, distinct: self.seen.len(), is_filled }
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
    for row in cells.starts(rows) {
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

/// Whether the texts of a column are the headers behind it in their order: a square such as one of tokens, which may repeat.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn are_headers(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    let mut headers = table.schema().headers.iter().skip(column + 1);
    for part in table.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&[column])? {
            for row in 0..batch.rows {
                let text = batch.columns[0].text(row);
                // Repeated headers are `the (2)`; pandas writes them as `the.1`.
                let is_repeated = |header: &str| {
                    let number =
                        header.strip_prefix(&*text).map(|end| end.trim_matches([' ', '(', ')', '.']));
                    number.is_some_and(|number| number.is_empty() || number.parse::<u32>().is_ok())
                };
                if !headers.next().is_some_and(|header| is_repeated(header)) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(headers.next().is_none())
}

/// Of some columns whether the first rows hold a text twice.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn first_repeats(table: &dyn TableSource, columns: &[usize]) -> Result<Vec<bool>, InputError> {
    let mut repeats = vec![false; columns.len()];
    if let Some(part) = table.parts().next().filter(|_| !columns.is_empty()) {
        let mut part = part?;
        if let Some(batch) = part.next(columns)? {
            for (cells, repeats) in batch.columns.iter().zip(&mut repeats) {
                let mut seen: HashSet<_, foldhash::fast::RandomState> = HashSet::default();
                *repeats = !(0..batch.rows.min(FIRST_ROWS)).all(|row| seen.insert(cells.text(row)));
            }
        }
    }
    Ok(repeats)
}

/// Whether a column of numbers names the rows rather than measures them: by its name it has ids, or row numbers behind the
/// labels, and it has different whole numbers.
///
/// # Errors
/// Whatever is wrong with the rows, and too little memory.
pub(super) fn numbers_things(
    table: &dyn TableSource,
    (column, label): (usize, usize),
    budget: &Arc<Budget>,
) -> Result<bool, InputError> {
    let name = &table.schema().headers[column];
    // Row names without a header, as R writes them.
    if name.is_empty() && column == 0 {
        return Ok(are_whole(table, column)? && all_differ(table, column, budget)?);
    }
    if is_row_number(name) && column > label {
        return counts_rows(table, column);
    }
    Ok(is_id(name) && are_whole(table, column)? && all_differ(table, column, budget)?)
}

/// Whether a header says that its column has ids: `ID`, `store_id`, `Store ID`, `storeId`, `index`.
pub(super) fn is_id(header: &str) -> bool {
    let lower = header.trim().to_lowercase();
    let camel = |end: &str| header.strip_suffix(end).is_some_and(|h| h.ends_with(|c: char| c.is_lowercase()));
    let last = lower.rsplit(|c: char| !c.is_alphanumeric()).next();
    last == Some("id") || matches!(lower.as_str(), "index" | "idx") || camel("Id") || camel("ID")
}

/// Whether the texts of a column are ids that programs make, or places of files: long, without blanks, with digits in hexadecimal, or
/// with slashes.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn are_ids(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    all_cells(table, column, |cells, row| {
        let text = cells.text(row);
        let is_hash = text.len() >= 8 && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
        is_hash || text.matches(['/', '\\']).count() > 1 && !text.contains(' ')
    })
}

/// Whether a header says that its column numbers the rows.
pub(super) fn is_row_number(header: &str) -> bool {
    let words = ["", "#", "no", "no.", "nr", "row", "rank", "rownames", "unnamed: 0"];
    words.contains(&header.trim().to_lowercase().as_str())
}

/// Whether all cells of a column, by their batches and rows there, are what `is` says; it stops at the first that is not.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn all_cells(
    table: &dyn TableSource,
    column: usize,
    mut is: impl FnMut(&Cells, usize) -> bool,
) -> Result<bool, InputError> {
    for part in table.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&[column])? {
            if !(0..batch.rows).all(|row| is(&batch.columns[0], row)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether all values of a column are whole numbers.
fn are_whole(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    all_cells(table, column, |cells, row| matches!(cells.field(row, &[]), Field::Number(Number::I64(_))))
}

/// A text as its part before the last digits, and those digits as a number.
fn numbered(text: &str) -> Option<(&str, u64)> {
    let prefix = text.trim_end_matches(|c: char| c.is_ascii_digit());
    Some((prefix, text[prefix.len()..].parse().ok()?))
}

/// Whether a column of two rows or more is one text with the numbers 0, 1, 2 … or 1, 2, 3 … after it.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn numbers_rows(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    let mut last: Option<(String, u64)> = None;
    let mut rows = 0usize;
    let follow = all_cells(table, column, |cells, row| {
        let text = cells.text(row);
        let Some((prefix, n)) = numbered(text.trim()) else { return false };
        rows += 1;
        match &mut last {
            Some((before, number)) => {
                *number += 1;
                before == prefix && *number == n
            }
            None => {
                last = Some((prefix.to_owned(), n));
                n <= 1
            }
        }
    })?;
    Ok(follow && rows > 1)
}

/// Whether a column counts the rows, from 0 or 1.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn counts_rows(table: &dyn TableSource, column: usize) -> Result<bool, InputError> {
    let mut next = None;
    all_cells(table, column, |cells, row| {
        let Field::Number(Number::I64(n)) = cells.field(row, &table.schema().missing) else { return false };
        let counts = next.map_or(n == 0 || n == 1, |next| n == next);
        next = n.checked_add(1);
        counts
    })
}

/// Reports columns of different units, which one colour bar cannot tell apart.
pub(super) fn report_units(
    schema: &Schema,
    numerals: &[(usize, Numeral)],
    label: Option<usize>,
    values: &[usize],
    lints: &mut Lints,
) {
    let unit = |column: usize| numerals.iter().find(|n| n.0 == column).and_then(|n| n.1.unit);
    let mut units: Vec<(Option<Unit>, Vec<usize>)> = Vec::new();
    for &column in values {
        match units.iter_mut().find(|u| u.0 == unit(column)) {
            Some(of_unit) => of_unit.1.push(column),
            None => units.push((unit(column), vec![column])),
        }
    }
    let Some(most) = units.iter().max_by_key(|u| u.1.len()).filter(|_| units.len() > 1) else {
        return;
    };
    let word = |unit: Option<Unit>| unit.map_or_else(|| "no unit".to_owned(), |unit| unit.to_string());
    let one = |(unit, columns): &(Option<Unit>, Vec<usize>)| {
        let names: Vec<String> = columns.iter().map(|&c| schema.headers[c].clone()).collect();
        format!("{} ({})", word(*unit), listed(&names))
    };
    let list: Vec<String> = units.iter().map(one).collect();
    let what = format!("one colour bar for {} units: {}", units.len(), list.join(", "));
    let lint = lints.add(LintName::MixedUnits, values.len() as u64, what);
    if let Some(label) = label {
        let label = flag("--y", &name(label, schema));
        lint.hint(format!("--table wide {label} {}", flag("--value", &listed_or_pattern(&most.1, schema))));
    }
}

/// The columns as `--value` takes them: by a pattern that matches no others, or by their names.
fn listed_or_pattern(columns: &[usize], schema: &Schema) -> String {
    let first = schema.headers[columns[0]].as_str();
    let shared = |end: &usize| columns.iter().all(|&c| schema.headers[c].starts_with(&first[..*end]));
    let ends = first.char_indices().map(|c| c.0).rev();
    let prefix = ends.into_iter().find(shared).map_or("", |end| &first[..end]);
    let pattern = format!("{prefix}*");
    let is_plain = |p: &str| !p.is_empty() && !p.contains(['*', '?', ',', '"', '\\', '[']);
    let matched = schema.own().filter(|&c| is_match(&pattern, &schema.headers[c], None));
    if columns.len() > 2 && is_plain(prefix) && matched.eq(columns.iter().copied()) {
        return pattern;
    }
    let names: Vec<String> = columns.iter().map(|&c| name(c, schema)).collect();
    names.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_known_by_their_names() {
        for name in ["ID", "id", "store_id", "Store ID", "storeId", "userID", "index", "run.id"] {
            assert!(is_id(name), "{name}");
        }
        for name in ["valid", "ID rate", "grid", "Idaho", "humid", "PAID", "index 2020", ""] {
            assert!(!is_id(name), "{name}");
        }
    }
}

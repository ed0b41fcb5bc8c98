//! How the numbers of a table's columns are written, by a look at all of its rows.

use super::profile::all_cells;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::{Field, parse_number, shown};
use crate::loaded::Delimiter;
use crate::numeral::{Numeral, Rules, Signs, Survey, Verdict};
use crate::ordered::{Give, in_order, waiting};
use crate::table::{Part, TableSource};
use gridscope_core::figure::Data;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Texts without a number among them that show that a column holds texts.
const TEXTS: u64 = 1000;
/// Rows by which most columns of texts are recognised.
const FIRST: usize = 2000;
/// Bytes of a batch's report on a column.
const LOOK: usize = 1 << 10;

/// Verdicts on the texts of some columns, all tables together. Only those that begin with numbers are read to their end.
///
/// # Errors
/// Options that are not signs, whatever is wrong with the rows.
pub(super) fn verdicts(
    tables: &[&dyn TableSource],
    columns: &[usize],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<Verdict>, InputError> {
    let first = tables[0].schema();
    let rules = Rules::new(data, first.delimiter.map(Delimiter::byte), &first.file)?;
    let begin = first_texts(tables[0], columns, rules)?;
    let numbers = columns.iter().zip(&begin).filter(|c| !c.1).map(|c| *c.0);
    let read = surveys(tables, &numbers.collect::<Vec<_>>(), rules, budget)?;
    let mut signs = Signs::default();
    read.iter().for_each(|survey| signs.take(survey));
    if read.iter().any(Survey::is_open) {
        let is_other = |c: &usize| !columns.contains(c) && first.numeral(*c).is_none();
        let others: Vec<usize> = first.own().filter(is_other).collect();
        let begin = first_surveys(tables[0], &others, rules)?;
        // Of texts, the first rows show how thousands are parted.
        begin.iter().for_each(|survey| signs.take(survey));
        let others = others.into_iter().zip(&begin).filter(|(_, survey)| !are_texts(survey, rules));
        let others: Vec<usize> = others.map(|c| c.0).collect();
        let others = surveys(tables, &others, rules, budget)?;
        others.iter().for_each(|survey| signs.take(survey));
    }
    let mut read = read.into_iter().peekable();
    let place = |row| first.place(row).to_string();
    let verdict = |texts: bool| match read.next_if(|_| !texts) {
        Some(survey) => survey.verdict(rules, signs, place),
        None => Verdict::Texts,
    };
    Ok(begin.into_iter().map(verdict).collect())
}

/// Of some columns whether the first rows of a table hold more texts than numbers.
fn first_texts(table: &dyn TableSource, columns: &[usize], rules: Rules) -> Result<Vec<bool>, InputError> {
    Ok(first_surveys(table, columns, rules)?.iter().map(|survey| are_texts(survey, rules)).collect())
}

/// Whether a column holds more texts than numbers.
fn are_texts(survey: &Survey, rules: Rules) -> bool {
    survey.verdict(rules, Signs::default(), |_| String::new()) == Verdict::Texts
}

/// The texts of the first rows of some columns.
fn first_surveys(
    table: &dyn TableSource,
    columns: &[usize],
    rules: Rules,
) -> Result<Vec<Survey>, InputError> {
    let mut surveys = vec![Survey::default(); columns.len()];
    let part = if columns.is_empty() { None } else { table.parts().next() };
    if let Some(part) = part {
        let mut part = part?;
        if let Some(batch) = part.next(columns)? {
            for (survey, cells) in surveys.iter_mut().zip(&batch.columns).filter(|c| c.1.is_text()) {
                (0..batch.rows.min(FIRST))
                    .for_each(|row| survey.take(&cells.text(row), 0, &table.schema().missing, rules));
            }
        }
    }
    Ok(surveys)
}

/// The texts of some columns, looked at together, all tables together.
///
/// # Errors
/// As [`verdicts`].
pub(super) fn surveys_of(
    tables: &[&dyn TableSource],
    columns: &[usize],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<Survey>, InputError> {
    let first = tables[0].schema();
    let rules = Rules::new(data, first.delimiter.map(Delimiter::byte), &first.file)?;
    surveys(tables, columns, rules, budget)
}

/// The surveys of some columns, all tables together.
fn surveys(
    tables: &[&dyn TableSource],
    columns: &[usize],
    rules: Rules,
    budget: &Arc<Budget>,
) -> Result<Vec<Survey>, InputError> {
    let mut all = vec![Survey::default(); columns.len()];
    let texts: Vec<AtomicBool> = columns.iter().map(|_| AtomicBool::new(false)).collect();
    for table in tables.iter().filter(|_| !columns.is_empty()) {
        let mut parts = table.parts();
        let missing = &table.schema().missing;
        let look = |(): &mut (), mut part: Box<dyn Part + '_>, give: &mut Give<Vec<Survey>>| {
            while let Some(batch) = part.next(columns)? {
                let mut surveys = vec![Survey::default(); columns.len()];
                for ((survey, cells), texts) in surveys.iter_mut().zip(&batch.columns).zip(&texts) {
                    let is_known = !cells.is_text() || texts.load(Ordering::Relaxed);
                    let rows = if is_known { 0 } else { batch.rows };
                    for row in 0..rows {
                        survey.take(&cells.text(row), batch.places.number(row), missing, rules);
                    }
                }
                give(surveys)?;
            }
            Ok(())
        };
        let take = |_, surveys: Vec<Survey>| {
            for ((all, more), texts) in all.iter_mut().zip(surveys).zip(&texts) {
                all.append(more);
                if all.holds_texts(TEXTS) {
                    texts.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        };
        let threads = table.threads();
        let most = waiting(threads).min(budget.shares((threads * LOOK * columns.len()) as u64));
        in_order((threads, most), || parts.next().transpose(), || (), look, take)?;
    }
    Ok(all)
}

/// The columns among these whose numbers are written otherwise than plain ones.
///
/// # Errors
/// As [`verdicts`], and a column whose numbers follow no one rule.
pub(super) fn numerals(
    tables: &[&dyn TableSource],
    columns: &[usize],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<(usize, Numeral)>, InputError> {
    let mut found = Vec::new();
    for (verdict, &column) in verdicts(tables, columns, data, budget)?.into_iter().zip(columns) {
        match verdict {
            Verdict::Written(numeral) => found.push((column, numeral)),
            Verdict::Unclear(what, hint) => return Err(unclear(tables[0], column, &what, hint)),
            _ => {}
        }
    }
    Ok(found)
}

/// Columns of one table whose units are of one dimension, in the unit of the first of them.
pub(super) fn in_one_unit(mut found: Vec<(usize, Numeral)>) -> Vec<(usize, Numeral)> {
    for at in 1..found.len() {
        let (before, rest) = found.split_at_mut(at);
        let own = &mut rest[0].1.unit;
        let alike =
            before.iter().filter_map(|n| n.1.unit).find(|unit| own.is_some_and(|own| own.is_alike(*unit)));
        *own = alike.or(*own);
    }
    found
}

/// Whether options say how numbers are written.
pub(super) fn names_signs(data: &Data) -> bool {
    data.decimal.is_some() || data.thousands.is_some()
}

/// The columns whose numbers the options say how to read; labels such as `10%` stay as they are.
///
/// # Errors
/// As [`verdicts`].
pub(super) fn of_options(
    tables: &[&dyn TableSource],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<(usize, Numeral)>, InputError> {
    let schema = tables[0].schema();
    let all: Vec<usize> = schema.own().filter(|c| schema.numeral(*c).is_none()).collect();
    let verdicts = verdicts(tables, &all, data, budget)?;
    let mut found = Vec::new();
    for (verdict, column) in verdicts.into_iter().zip(all) {
        match verdict {
            Verdict::Written(numeral) if numeral.unit.is_none() => found.push((column, numeral)),
            // Plain numbers that are none by the options.
            Verdict::Stray(text) if parse_number(&text.text).is_some() => {
                let what = format!(
                    "column {}: {} is no number by --decimal and --thousands",
                    shown(&schema.headers[column]),
                    shown(&text.text)
                );
                return Err(InputError::refused(&schema.file, schema.place(text.row), what));
            }
            Verdict::Unclear(what, hint) if are_plain(tables, column)? => {
                return Err(unclear(tables[0], column, &what, hint));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Whether a column has plain numbers and missing values only.
fn are_plain(tables: &[&dyn TableSource], column: usize) -> Result<bool, InputError> {
    for table in tables {
        let missing = &table.schema().missing;
        if !all_cells(*table, column, |cells, row| cells.field(row, missing) != Field::Text)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Refuses a table in which `.` parts thousands in one column of values and is the decimal sign of another.
///
/// # Errors
/// Such columns, and whatever is wrong with the rows.
pub(super) fn refuse_two_meanings(
    table: &dyn TableSource,
    values: &[usize],
    numerals: &[(usize, Numeral)],
) -> Result<(), InputError> {
    let point = |column: usize| -> Result<Option<String>, InputError> {
        let mut found = None;
        all_cells(table, column, |cells, row| {
            found = Some(cells.text(row)).filter(|text| text.contains('.')).map(Cow::into_owned);
            found.is_none()
        })?;
        Ok(found)
    };
    for (column, _) in numerals.iter().filter(|n| n.1.thousands == '.' && values.contains(&n.0)) {
        let Some(grouped) = point(*column)? else { continue };
        for &other in values.iter().filter(|c| !numerals.iter().any(|n| n.0 == **c)) {
            if let Some(plain) = point(other)? {
                let name = |c: usize| shown(&table.schema().headers[c]);
                let what = format!(
                    "'.' parts thousands in {} of the column {}, and is the decimal sign of {} in {}",
                    shown(&grouped),
                    name(*column),
                    shown(&plain),
                    name(other)
                );
                return Err(InputError::refused(&table.schema().file, "", what)
                    .with_hint("--decimal . or --decimal , says it for all columns"));
            }
        }
    }
    Ok(())
}

/// The numerals of those columns of plain numbers among these that may be none: `1.234` where commas are decimal.
///
/// # Errors
/// As [`numerals`].
pub(super) fn of_suspects(
    tables: &[&dyn TableSource],
    columns: &[usize],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<(usize, Numeral)>, InputError> {
    let is_suspect = |c: &usize| tables.iter().any(|t| t.schema().is_suspect(*c));
    let suspects: Vec<usize> = columns.iter().copied().filter(is_suspect).collect();
    if suspects.is_empty() {
        return Ok(Vec::new());
    }
    numerals(tables, &suspects, data, budget)
}

/// The refusal of a column whose numbers follow no one rule.
pub(super) fn unclear(table: &dyn TableSource, column: usize, what: &str, hint: String) -> InputError {
    let schema = table.schema();
    let what = format!("column {}: {what}", shown(&schema.headers[column]));
    InputError::refused(&schema.file, "", what).with_hint(hint)
}

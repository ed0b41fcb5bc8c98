//! The columns that expressions take, with their numbers and dates as they are written.

use super::{Opened, Wanted};
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::{Field, read_field};
use crate::pivot::dates::{DateReading, Dates, assumed_day_first};
use crate::pivot::filter::{Condition, Naming};
use crate::pivot::numerals::{names_signs, numerals, of_options, of_suspects};
use crate::table::{Cells, Reads, TableSource, rereadable, rewritten, with_exact, with_readings};
use gridscope_core::calendar::spelling::{either, tells_day_first};
use gridscope_core::figure::Data;
use std::collections::HashSet;
use std::sync::Arc;

/// The tables with the numbers that expressions take as plain ones. A source that can be read once is read by the signs that options
/// name, and as it is without them.
///
/// # Errors
/// A column whose numbers follow no one rule, whatever is wrong with the rows, too little memory.
pub(super) fn with_plain_numbers(
    mut tables: Vec<Opened>,
    wanted: &[Wanted],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<Opened>, InputError> {
    let mut inputs = Vec::new();
    wanted.iter().for_each(|w| w.expression.numbers(&mut inputs));
    if inputs.is_empty() {
        return Ok(tables);
    }
    if names_signs(data) {
        let spooled = |(table, lints)| Ok((rereadable(table, budget)?, lints));
        tables = tables.into_iter().map(spooled).collect::<Result<_, InputError>>()?;
    }
    let found = {
        let sources: Vec<&dyn TableSource> = tables.iter().map(|t| t.0.as_ref()).collect();
        if names_signs(data) {
            of_options(&sources, data, budget)?
        } else if sources.iter().all(|t| t.reads() == Reads::Any) {
            let mut texts = Vec::new();
            for source in &sources {
                texts.extend(with_texts(*source, &inputs)?);
            }
            texts.sort_unstable();
            texts.dedup();
            let mut found = of_suspects(&sources, &inputs, data, budget)?;
            if !texts.is_empty() {
                found.extend(numerals(&sources, &texts, data, budget)?);
            }
            found
        } else {
            Vec::new()
        }
    };
    Ok(tables.into_iter().map(|(table, lints)| (rewritten(table, &found), lints)).collect())
}

/// The most dates of a column that are looked at although no condition names it.
const MOST_KEYS: usize = 100_000;

/// The tables with the order of day and month in the dates that expressions take and conditions test, where the first rows leave it
/// open and all rows tell it. Where conditions leave rows out, those may tell it for any column.
///
/// # Errors
/// Whatever is wrong with the rows, too little memory.
pub(super) fn with_date_readings(
    mut tables: Vec<Opened>,
    wanted: &[Wanted],
    tested: &[Condition],
    budget: &Arc<Budget>,
) -> Result<Vec<Opened>, InputError> {
    let mut columns: Vec<usize> = tested.iter().filter_map(Condition::column_of_times).collect();
    wanted.iter().for_each(|w| w.expression.times(&mut columns));
    let used = columns.clone();
    if !tested.is_empty() {
        columns = (0..tables[0].0.schema().headers.len()).collect();
    }
    columns.sort_unstable();
    columns.dedup();
    let mut open = Vec::new();
    for (table, _) in &tables {
        if table.reads() == Reads::Any {
            open.extend(with_either(table.as_ref(), &columns)?);
        }
    }
    open.sort_unstable();
    open.dedup();
    if open.is_empty() {
        return Ok(tables);
    }
    let spooled = |(table, lints)| Ok((rereadable(table, budget)?, lints));
    tables = tables.into_iter().map(spooled).collect::<Result<_, InputError>>()?;
    let mut texts: Vec<HashSet<String>> = vec![HashSet::new(); open.len()];
    // Of a column that may be no key, only as many as an axis could have.
    let most = |column: &usize| if used.contains(column) { usize::MAX } else { MOST_KEYS };
    let most: Vec<usize> = open.iter().map(most).collect();
    for (table, _) in &tables {
        for part in table.parts() {
            let mut part = part?;
            while let Some(batch) = part.next(&open)? {
                for ((cells, texts), most) in batch.columns.iter().zip(&mut texts).zip(&most) {
                    for row in 0..if texts.len() < *most { batch.rows } else { 0 } {
                        let text = cells.text(row);
                        if !texts.contains(text.as_ref()) {
                            texts.insert(text.into_owned());
                        }
                    }
                }
            }
        }
    }
    let schema = tables[0].0.schema();
    let reading = |(column, texts): (&usize, &HashSet<String>)| {
        if !used.contains(column) && texts.len() >= MOST_KEYS {
            return None;
        }
        let dates = Dates::of(texts.iter().map(String::as_str), &schema.missing, schema.month_first);
        let reading = dates.reading()?;
        let mut sorted: Vec<&str> = texts.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        let assumed = assumed_day_first(sorted.into_iter());
        if let Some(date) = assumed.filter(|_| schema.month_first.is_none()) {
            if !used.contains(column) {
                return None;
            }
            schema.noticed.assume_day_first(&schema.headers[*column], date);
        }
        Some((*column, reading))
    };
    let found: Vec<(usize, DateReading)> = open.iter().zip(&texts).filter_map(reading).collect();
    let read = |(table, lints)| (with_readings(table, &found), lints);
    Ok(tables.into_iter().map(read).collect())
}

/// The tables with the columns whose texts conditions compare letter for letter: those in which texts stand beside a number that
/// is asked for, and those that hold a text as it is asked for and with blanks around it, too. The first rows show whether a
/// column has either.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn with_exact_texts(tables: Vec<Opened>, tested: &[Condition]) -> Result<Vec<Opened>, InputError> {
    let mut columns: Vec<usize> = tested.iter().map(Condition::column).collect();
    columns.sort_unstable();
    columns.dedup();
    if columns.is_empty() || tables.iter().any(|(table, _)| table.reads() != Reads::Any) {
        return Ok(tables);
    }
    let mut met = namings(&tables, &columns, tested, true)?.into_iter();
    columns.retain(|_| met.next().is_some_and(|met| met.texts && (met.blanks || met.number)));
    if columns.is_empty() {
        return Ok(tables);
    }
    let mut met = namings(&tables, &columns, tested, false)?.into_iter();
    columns.retain(|_| met.next().is_some_and(|met| met.texts && (met.number || met.letters && met.blanks)));
    let with = |(table, lints)| (with_exact(table, &columns), lints);
    Ok(tables.into_iter().map(with).collect())
}

/// Contents of a column that conditions ask for texts.
#[derive(Clone, Copy, Default)]
struct Met {
    /// Texts that are no numbers.
    texts: bool,
    /// A text that is asked for: letter for letter, with blanks around it, or as the same number.
    letters: bool,
    blanks: bool,
    number: bool,
}

/// What some columns hold of the texts that conditions ask for, in all rows or in the `first` ones.
fn namings(
    tables: &[Opened],
    columns: &[usize],
    tested: &[Condition],
    first: bool,
) -> Result<Vec<Met>, InputError> {
    let mut all = vec![Met::default(); columns.len()];
    for (table, _) in tables {
        let missing = &table.schema().missing;
        for part in table.parts().take(if first { 1 } else { usize::MAX }) {
            let mut part = part?;
            while let Some(batch) = part.next(columns)? {
                for ((cells, column), met) in batch.columns.iter().zip(columns).zip(&mut all) {
                    for row in 0..if cells.is_text() { batch.rows } else { 0 } {
                        let text = cells.text(row);
                        met.texts |= read_field(&text, missing) == Field::Text;
                        let of = tested.iter().filter(|c| c.column() == *column);
                        for naming in of.filter_map(|c| c.names(&text)) {
                            match naming {
                                Naming::Letters => met.letters = true,
                                Naming::Blanks => met.blanks = true,
                                Naming::Number => met.number = true,
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(all)
}

/// The columns among these whose first rows have a date that may be read in two ways.
fn with_either(table: &dyn TableSource, columns: &[usize]) -> Result<Vec<usize>, InputError> {
    let Some(part) = table.parts().next().filter(|_| !columns.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut part = part?;
    let Some(batch) = part.next(columns)? else {
        return Ok(Vec::new());
    };
    let is_date = |text: &str| either(text).is_some() || tells_day_first(text).is_some();
    let is_open = |cells: &Cells| {
        cells.is_text() && (0..batch.rows.min(1000)).any(|row| is_date(cells.text(row).trim()))
    };
    Ok(columns.iter().zip(&batch.columns).filter(|c| is_open(c.1)).map(|c| *c.0).collect())
}

/// The columns among these that hold a text in the first rows of a table.
fn with_texts(table: &dyn TableSource, columns: &[usize]) -> Result<Vec<usize>, InputError> {
    let Some(part) = table.parts().next() else {
        return Ok(Vec::new());
    };
    let mut part = part?;
    let Some(batch) = part.next(columns)? else {
        return Ok(Vec::new());
    };
    let missing = &table.schema().missing;
    let holds_text = |at: usize| {
        let cells = &batch.columns[at];
        cells.is_text() && (0..batch.rows).any(|row| cells.field(row, missing) == Field::Text)
    };
    Ok((0..columns.len()).filter(|at| holds_text(*at)).map(|at| columns[at]).collect())
}

//! The columns that expressions take, with their numbers and dates as they are written.

use super::{Opened, Wanted};
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::Field;
use crate::pivot::dates::{DateReading, Dates};
use crate::pivot::numerals::{names_signs, numerals, of_options, of_suspects};
use crate::table::{Cells, Reads, TableSource, rereadable, rewritten, with_readings};
use gridscope_core::calendar::spelling::either;
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

/// The tables with the order of day and month in the dates that expressions take, where the first rows leave it open and all rows
/// tell it.
///
/// # Errors
/// Whatever is wrong with the rows, too little memory.
pub(super) fn with_date_readings(
    mut tables: Vec<Opened>,
    wanted: &[Wanted],
    budget: &Arc<Budget>,
) -> Result<Vec<Opened>, InputError> {
    let mut columns = Vec::new();
    wanted.iter().for_each(|w| w.expression.times(&mut columns));
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
    for (table, _) in &tables {
        for part in table.parts() {
            let mut part = part?;
            while let Some(batch) = part.next(&open)? {
                for (cells, texts) in batch.columns.iter().zip(&mut texts) {
                    for row in 0..batch.rows {
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
        let dates = Dates::of(texts.iter().map(String::as_str), &schema.missing, schema.month_first);
        Some((*column, dates.reading()?))
    };
    let found: Vec<(usize, DateReading)> = open.iter().zip(&texts).filter_map(reading).collect();
    let read = |(table, lints)| (with_readings(table, &found), lints);
    Ok(tables.into_iter().map(read).collect())
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
    let is_open = |cells: &Cells| {
        cells.is_text() && (0..batch.rows.min(1000)).any(|row| either(cells.text(row).trim()).is_some())
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

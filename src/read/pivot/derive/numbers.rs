//! Numbers that are not written as plain ones, as `0,25`, in the columns that expressions take numbers of.

use super::Opened;
use super::named::Wanted;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::Field;
use crate::pivot::numerals::{names_signs, numerals, of_options, of_suspects};
use crate::table::{Reads, TableSource, rereadable, rewritten};
use gridscope_core::figure::Data;
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

//! The rows of a table that meet all conditions, and what each condition left.

use super::filter::Condition;
use crate::error::InputError;
use crate::table::{Batch, Schema, count};
use std::ops::Range;

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

//! Rows of a wide table with equal labels, merged as rows of a tidy one that share a cell.

use super::body::Body;
use crate::error::InputError;
use crate::pivot::cells::CellValues;
use crate::pivot::keys::{KeyOptions, Keys};
use crate::pivot::tidy::aggregate;
use gridscope_core::figure::Agg;
use gridscope_core::grid::{Cell, Merged, Number, State};
use std::collections::HashSet;

/// Whether a label appears twice.
pub(super) fn repeats(labels: &[String]) -> bool {
    let mut seen = HashSet::new();
    labels.iter().any(|label| !seen.insert(label.as_str()))
}

/// Merges the rows whose labels are one key; rows without a label stay apart. How the rows became values, `None` where each value
/// is that of one row; and the cells of these further aggregates, as those of the body.
///
/// # Errors
/// Labels that are not keys, too little memory.
pub(super) fn merge(
    body: &mut Body,
    agg: Agg,
    further: &[Agg],
    file: &str,
) -> Result<(Option<Merged>, Vec<Vec<f64>>), InputError> {
    let texts = body.labels.iter().map(String::as_str);
    let keys = Keys::read("", texts, KeyOptions::default(), file)?;
    // The rows of each key, in the order of the first.
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![None; keys.labels.len()];
    for (row, &code) in keys.codes.iter().enumerate() {
        match place.get_mut(code as usize) {
            Some(Some(at)) => {
                let group: &mut Vec<usize> = &mut rows[*at];
                group.push(row);
            }
            of_key => {
                if let Some(first) = of_key {
                    *first = Some(rows.len());
                }
                rows.push(vec![row]);
            }
        }
    }
    let (mut least, mut most) = (u64::MAX, 0);
    let mut fields = vec![Vec::with_capacity(rows.len() * body.width); further.len()];
    let mut cell = |group: &[usize], column: usize| {
        let cells = group.iter().map(|&row| body.at(row, column));
        let values: Vec<Number> = cells.filter_map(Cell::value).collect();
        if !values.is_empty() {
            (least, most) = (least.min(values.len() as u64), most.max(values.len() as u64));
        }
        let empty = values.is_empty().then(|| body.at(group[0], column));
        for (field, agg) in fields.iter_mut().zip(further) {
            field.push(field_of(*agg, &values, empty));
        }
        match aggregate(agg, &values) {
            Some(number) => Cell::Value(number),
            None => empty.unwrap_or(Cell::Empty(State::Nan)),
        }
    };
    let width = body.width;
    let mut cells = Vec::with_capacity(rows.len() * width);
    for group in &rows {
        cells.extend((0..width).map(|column| cell(group, column)));
    }
    let labels = rows.iter().map(|group| body.labels[group[0]].clone()).collect();
    body.replace(labels, CellValues::of(cells.len(), cells.into_iter()));
    let same = most < 2 && agg != Agg::Count && !agg.is_spread();
    let merged = (!same).then(|| Merged { by: agg.noun(), values: (least.min(most), most), column: None });
    Ok((merged, fields))
}

/// A further number of a cell with these values; `empty` is the cell where there are none.
pub(super) fn field_of(agg: Agg, values: &[Number], empty: Option<Cell>) -> f64 {
    // A count distinguishes a missing value from a masked one.
    let is_known = matches!(empty, None | Some(Cell::Empty(State::Nan)));
    let number = is_known.then(|| aggregate(agg, values)).flatten();
    number.map_or(f64::NAN, Number::as_f64)
}

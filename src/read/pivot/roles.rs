//! Which columns of a tidy table are x, y, value and panel.

use super::columns::named;
use super::numerals::verdicts;
use super::profile::numeric;
use super::side_columns::side_columns;
use super::suggest::{ask_for_columns, suggest_value};
use super::tidy::Roles;
use crate::budget::Budget;
use crate::error::InputError;
use crate::numeral::{Numeral, Verdict};
use crate::table::{Schema, TableSource, listed};
use gridscope_core::figure::{Agg, Figure, List};
use std::sync::Arc;

/// The columns given for x and y, those of a transposed table swapped.
pub(super) fn axes(figure: &Figure) -> (Option<&List>, Option<&List>) {
    let x = figure.data.x.as_ref().or(figure.x.column.as_ref());
    let y = figure.data.y.as_ref().or(figure.y.column.as_ref());
    if figure.data.transpose == Some(true) { (y, x) } else { (x, y) }
}

/// Whether the rows must be read to find the columns that make the grids.
pub(super) fn are_open(figure: &Figure) -> bool {
    figure.data.value.is_none() && figure.data.agg != Some(Agg::Count)
}

/// The columns whose values make the panels: those of rows and of columns of panels, or those of `panel`. A header may have
/// commas of its own.
fn panels(figure: &Figure, schema: &Schema) -> Result<Vec<usize>, InputError> {
    let data = &figure.data;
    if data.has_facets() {
        let sides = data.panel_row.iter().chain(&data.panel_column);
        return sides.map(|name| schema.column(name)).collect();
    }
    let Some(List(names)) = &data.panel else {
        return Ok(Vec::new());
    };
    let of = |names: &[String]| -> Result<Vec<usize>, InputError> {
        names.iter().map(|name| schema.column(name)).collect()
    };
    of(names).or_else(|e| {
        let whole = schema.column(&names.join(",")).map(|column| vec![column]);
        whole.or_else(|_| match names.as_slice() {
            [one] if one.contains(',') => of(&List::from_items(one, true).0).map_err(|_| e),
            _ => Err(e),
        })
    })
}

/// The columns that make the grids, and how the numbers of a value that nobody named are written; `schema` is that of all
/// tables together. The rows are read if [`are_open`] says so.
///
/// # Errors
/// Unknown columns, no column or several that could be the value, whatever is wrong with the rows, too little memory.
pub(super) fn roles(
    tables: &[&dyn TableSource],
    schema: &Schema,
    figure: &Figure,
    (x, y): (&List, &List),
    budget: &Arc<Budget>,
) -> Result<(Roles, Option<(usize, Numeral)>), InputError> {
    let mut roles = Roles { x: named(x, &[], schema)?, y: named(y, &[], schema)?, ..Roles::default() };
    let ask = |why| Err(ask_for_columns(tables[0], why, figure, budget));
    if roles.x.is_empty() || roles.y.is_empty() {
        return ask("a tidy table needs --x and --y");
    }
    roles.panel = panels(figure, schema)?;
    if let Some(value) = &figure.data.value {
        roles.values = named(value, &roles.keys(), schema)?;
        return Ok((roles, None));
    }
    if figure.data.agg == Some(Agg::Count) {
        return Ok((roles, None));
    }
    let along = side_columns(figure).into_iter();
    let along: Vec<usize> = along.filter_map(|s| schema.column(s.column).ok()).collect();
    let taken = |c: &usize| roles.keys().contains(c) || along.contains(c);
    let left: Vec<usize> = tables[0].schema().own().filter(|c| !taken(c)).collect();
    let (are_numeric, _) = numeric(tables, &left, false, budget)?;
    let of = |wanted: Option<bool>| {
        let columns = left.iter().zip(&are_numeric).filter(move |c| *c.1 == wanted);
        columns.map(|c| *c.0)
    };
    let mut numbers: Vec<(usize, Option<Numeral>)> = of(Some(true)).map(|c| (c, None)).collect();
    let texts: Vec<usize> = of(Some(false)).collect();
    let looked = verdicts(tables, &texts, &figure.data, budget)?;
    numbers.extend(texts.into_iter().zip(looked).filter_map(|(c, verdict)| match verdict {
        Verdict::Written(numeral) => Some((c, Some(numeral))),
        _ => None,
    }));
    numbers.sort_unstable_by_key(|n| n.0);
    match numbers.as_slice() {
        [(value, numeral)] => {
            roles.values = vec![*value];
            Ok((roles, numeral.map(|n| (*value, n))))
        }
        [] => ask("no column of numbers is left for --value"),
        many => {
            let names: Vec<String> = many.iter().map(|c| schema.headers[c.0].clone()).collect();
            let what = format!("which column is --value? {}", listed(&names));
            let columns: Vec<usize> = many.iter().map(|c| c.0).collect();
            Err(InputError::usage(&schema.file, what).with_hint(suggest_value(&columns, schema)))
        }
    }
}

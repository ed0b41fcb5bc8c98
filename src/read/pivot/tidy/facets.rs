//! The panels of a tidy table in rows and columns.

use super::panels::{FacetSide, Panel, Sides};
use super::placement::{NOWHERE, Placement};
use super::plan::TidyPlan;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::shown;
use crate::panel_files::{check_count, unique_names};
use crate::table::{count, listed};
use gridscope_core::figure::{Figure, List};
use gridscope_core::grid::{Facet, FacetValue};
use gridscope_core::lint::{LintName, Lints};
use std::collections::HashMap;

/// Value of the panels of one row, or of one column.
#[derive(Clone, Debug)]
struct Value {
    /// The column of the key, and the key; none where there is one row, or one column.
    of: Option<(String, String)>,
    /// The id of the key in its column.
    key: u32,
    /// The value column, by its place among them.
    value: usize,
}

/// The panels, row after row.
///
/// # Errors
/// Values that no row of the table has, more panels than a figure has, too little memory.
pub(super) fn facet_panels(
    sides: Sides,
    placement: &Placement,
    plan: &TidyPlan,
    figure: &Figure,
    lints: &mut Lints,
    budget: &Budget,
) -> Result<Vec<Panel>, InputError> {
    let file = plan.schema.file.as_str();
    let orders =
        [("panel_row_order", &figure.panel_row_order), ("panel_column_order", &figure.panel_column_order)];
    let mut values = Vec::new();
    for (side, order) in sides.into_iter().zip(orders) {
        values.push(chosen(side, (placement, plan), order, lints)?);
    }
    let [rows, columns] = values.as_slice() else {
        return Ok(Vec::new());
    };
    let all = rows.len().saturating_mul(columns.len());
    let drops = plan.drops_empty;
    let what = || format!("{} x {} panels", rows.len(), columns.len());
    if !drops {
        check_count(all, file, what)
            .map_err(|e| e.with_hint("--drop-empty leaves out those without data"))?;
    }
    let ids = present(placement);
    let mut list = Vec::new();
    let mut empty: Vec<String> = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, column) in columns.iter().enumerate() {
            let keys: Vec<u32> = [(sides[0], row), (sides[1], column)]
                .into_iter()
                .filter(|(side, _)| matches!(side, FacetSide::Key(_)))
                .map(|(_, value)| value.key)
                .collect();
            let key = ids.get(&keys).copied();
            if key.is_none() && drops {
                continue;
            }
            let part = |value: &Value| {
                let (column, label) = value.of.as_ref()?;
                Some(if column.is_empty() { label.clone() } else { format!("{column} = {label}") })
            };
            let name: Vec<String> = [part(row), part(column)].into_iter().flatten().collect();
            let facet = |value: &Value, place| {
                let (name, value) = value.of.clone()?;
                Some(FacetValue { name, value, place })
            };
            list.push(Panel {
                name: name.join(", "),
                key,
                value: if sides[0] == FacetSide::Value { row.value } else { column.value },
                caption: None,
                facet: Some(Facet { row: facet(row, y), column: facet(column, x) }),
            });
        }
        // A dropped panel costs nothing, but the pairs of huge orders would.
        check_count(list.len(), file, what)?;
    }
    let unique = unique_names(list.iter().map(|panel| panel.name.clone()).collect());
    for (panel, name) in list.iter_mut().zip(unique) {
        panel.name = name;
        if panel.key.is_none() {
            empty.push(shown(&panel.name));
        }
    }
    if list.len() == empty.len() {
        let e = InputError::refused(file, "", "no row is in any of the panels that are left");
        return Err(e.with_hint("--panel-row-order and --panel-column-order choose panels"));
    }
    placement.take_empty(empty.len(), file, budget)?;
    if !empty.is_empty() {
        let text =
            format!("{} of {} have no row: {}", empty.len(), count(list.len(), "panel"), listed(&empty));
        lints.add(LintName::EmptyPanel, empty.len() as u64, text).hint("--drop-empty");
    }
    Ok(list)
}

/// The ids of the panels that have a cell, by the ids of their keys.
fn present(placement: &Placement) -> HashMap<Vec<u32>, u32> {
    let Some(keys) = &placement.panel else {
        return HashMap::from([(Vec::new(), 0)]);
    };
    let has_cell = |id: &u32| placement.of_panel(*id as usize).iter().any(|c| *c != NOWHERE);
    let ids = (0..keys.len() as u32).filter(has_cell);
    ids.map(|id| (keys.ids_of(&id).to_vec(), id)).collect()
}

/// The values of a side in their order, those that the figure chooses where it does.
///
/// # Errors
/// A value that is none of them.
fn chosen(
    side: FacetSide,
    (placement, plan): (&Placement, &TidyPlan),
    (word, order): (&str, &Option<List>),
    lints: &mut Lints,
) -> Result<Vec<Value>, InputError> {
    let file = plan.schema.file.as_str();
    let keys = match side {
        FacetSide::Key(level) => placement.panel.as_ref().and_then(|p| p.columns.get(level)).zip(Some(level)),
        _ => None,
    };
    let all: Vec<Value> = match (side, keys) {
        (FacetSide::Key(_), Some((keys, level))) => {
            let of = |&id: &u32| Value {
                of: Some((keys.name.clone(), keys.labels[id as usize].clone())),
                key: id,
                value: 0,
            };
            placement.orders[level].iter().map(of).collect()
        }
        (FacetSide::Value, _) => {
            let headers = plan.roles.values.iter().map(|&c| &plan.schema.headers[c]);
            let of = |(value, header): (usize, &String)| Value {
                of: Some((String::new(), header.clone())),
                key: 0,
                value,
            };
            headers.enumerate().map(of).collect()
        }
        _ => vec![Value { of: None, key: 0, value: 0 }],
    };
    let Some(List(wanted)) = order else {
        return Ok(all);
    };
    let finder = keys.map(|(keys, _)| keys.finder());
    let label = |value: &Value| value.of.as_ref().map_or("", |of| of.1.as_str()).to_owned();
    let mut taken = vec![false; all.len()];
    let mut out = Vec::new();
    for text in wanted {
        let id = finder.as_ref().and_then(|finder| finder.find(text));
        let at = match &finder {
            Some(_) => all.iter().position(|value| Some(value.key) == id),
            None => all.iter().position(|value| label(value) == *text),
        };
        let Some(at) = at else {
            let names: Vec<String> = all.iter().map(|v| List::to_flag(&[label(v)])).collect();
            let e = InputError::usage(file, format!("{word}: no value {}", shown(text)));
            return Err(e.with_hint(format!("values: {}", listed(&names))));
        };
        if !std::mem::replace(&mut taken[at], true) {
            out.push(all[at].clone());
        }
    }
    let others = all.iter().zip(&taken).filter(|v| !v.1);
    let others: Vec<String> = others.map(|v| shown(&label(v.0))).collect();
    if !others.is_empty() {
        let text = format!(
            "{word} names {} of {}; left out: {}",
            out.len(),
            count(all.len(), "value"),
            listed(&others)
        );
        lints.add(LintName::PanelsLeftOut, others.len() as u64, text);
    }
    Ok(out)
}

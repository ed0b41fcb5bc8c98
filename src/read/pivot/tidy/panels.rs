//! The panels of a tidy table in their order.

use super::facets::facet_panels;
use super::panel::Panel;
use super::placement::{NOWHERE, Placement};
use super::plan::TidyPlan;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::shown;
use crate::panels::{check_count, unique_names};
use crate::pivot::axes::AxisKeys;
use crate::pivot::keys::Keys;
use crate::table::{count, listed};
use gridscope_core::figure::{Figure, List};
use gridscope_core::grid::FacetValue;
use gridscope_core::lint::{LintName, Lints};
use std::collections::HashMap;

/// The panels in order, each with a name of its own.
///
/// # Errors
/// When `panel_order` names no panel, or they are more than a figure has.
pub(super) fn panels(
    placement: &Placement,
    plan: &TidyPlan,
    figure: &Figure,
    lints: &mut Lints,
    budget: &Budget,
) -> Result<Vec<Panel>, InputError> {
    if let Some(sides) = plan.facets {
        return facet_panels(sides, (placement, plan), figure, lints, budget);
    }
    let keys = placement.panel.as_ref();
    let names: Vec<&str> = plan.roles.values.iter().map(|&c| plan.schema.headers[c].as_str()).collect();
    // A count without a column has no name.
    let columns: &[&str] = if names.is_empty() { &[""] } else { &names };
    let present = |id: &u32| placement.of_panel(*id as usize).iter().any(|c| *c != NOWHERE);
    let of_keys = keys.map(|keys| in_order(keys, &placement.orders).into_iter().filter(present).map(Some));
    let ids: Vec<Option<u32>> = of_keys.map_or_else(|| vec![None], Iterator::collect);
    let mut list = Vec::new();
    for (value, column) in columns.iter().enumerate() {
        for &key in &ids {
            let label = key.and_then(|id| Some(label(keys?, id)));
            let of_value = |label: String| match columns.len() {
                1 => label,
                _ => format!("{column} | {label}"),
            };
            let name = match label {
                Some(label) => of_value(label),
                None if columns.len() > 1 => (*column).to_owned(),
                None => String::new(),
            };
            let caption = key.and_then(|id| caption(keys?, id));
            list.push(Panel { name, key, value, caption: caption.map(of_value), facet: None });
        }
    }
    // A column may be named twice, and values of two columns may read alike.
    let unique = unique_names(list.iter().map(|panel| panel.name.clone()).collect());
    list.iter_mut().zip(unique).for_each(|(panel, name)| panel.name = name);
    let file = plan.schema.file.as_str();
    // Columns of panels that are wrapped are panels as any others.
    if let Some(List(wanted)) = figure.panel_order.as_ref().or(figure.panel_column_order.as_ref()) {
        let places = chosen(wanted, &list, keys, &names, file)?;
        report_left_out(&list, &places, lints);
        list = places.into_iter().map(|at| list[at].clone()).collect();
    }
    check_count(list.len(), file, || format!("{} panels", list.len()))?;
    Ok(list)
}

/// The text over a panel of several columns: numbers with the names of their columns, and texts, which say what they are.
fn caption(keys: &AxisKeys, id: u32) -> Option<String> {
    let labels = keys.labels_of(id);
    let title = |(label, keys): (&&str, &Keys)| {
        let value = FacetValue { name: keys.name.clone(), value: (*label).to_owned(), place: 0 };
        value.title(label)
    };
    let titles: Vec<String> = labels.iter().zip(&keys.columns).map(title).collect();
    (titles.len() > 1).then(|| titles.join(", "))
}

/// The name of a panel: its key, or those of several columns with their names.
fn label(keys: &AxisKeys, id: u32) -> String {
    let labels = keys.labels_of(id);
    match labels.as_slice() {
        [one] => (*one).to_owned(),
        several => {
            let named = several.iter().zip(&keys.columns);
            let parts: Vec<String> = named.map(|(label, keys)| format!("{} = {label}", keys.name)).collect();
            parts.join(", ")
        }
    }
}

/// The ids of all panels, in the orders of their columns, the outer first.
fn in_order(keys: &AxisKeys, orders: &[Vec<u32>]) -> Vec<u32> {
    let place = |order: &Vec<u32>| {
        let mut places = vec![u32::MAX; order.iter().max().map_or(0, |id| *id as usize + 1)];
        for (&id, place) in order.iter().zip(0..) {
            places[id as usize] = place;
        }
        places
    };
    let places: Vec<Vec<u32>> = orders.iter().map(place).collect();
    let mut ids: Vec<u32> = (0..keys.len() as u32).collect();
    ids.sort_by_cached_key(|id| {
        let levels = keys.ids_of(id).iter().zip(&places);
        levels.map(|(&id, places)| places[id as usize]).collect::<Vec<_>>()
    });
    ids
}

/// Reports the panels that an order does not name; `places` are those of the others.
fn report_left_out(list: &[Panel], places: &[usize], lints: &mut Lints) {
    let mut is_named = vec![false; list.len()];
    places.iter().for_each(|&at| is_named[at] = true);
    let others = list.iter().zip(is_named).filter(|panel| !panel.1);
    let others: Vec<String> = others.map(|panel| shown(&panel.0.name)).collect();
    if !others.is_empty() {
        let (named, all) = (places.len(), count(list.len(), "panel"));
        let text = format!("panel_order names {named} of {all}; left out: {}", listed(&others));
        lints.add(LintName::PanelsLeftOut, others.len() as u64, text);
    }
}

/// The places of the panels that an order names, each once.
fn chosen(
    wanted: &[String],
    list: &[Panel],
    keys: Option<&AxisKeys>,
    columns: &[&str],
    file: &str,
) -> Result<Vec<usize>, InputError> {
    // Of several columns, names alone say which panel is meant.
    let lone = keys.and_then(|keys| keys.columns.first().filter(|_| keys.columns.len() == 1));
    let finder = lone.map(Keys::finder);
    let mut places: HashMap<PanelName, Vec<usize>> = HashMap::new();
    for (at, panel) in list.iter().enumerate() {
        let column = columns.get(panel.value).map(|c| PanelName::Text(c));
        for name in
            [Some(PanelName::Text(&panel.name)), column, panel.key.map(PanelName::Key)].into_iter().flatten()
        {
            places.entry(name).or_default().push(at);
        }
    }
    let mut taken = vec![false; list.len()];
    let mut out: Vec<usize> = Vec::new();
    for w in wanted {
        let key = finder.as_ref().and_then(|f| f.find(w)).map(PanelName::Key);
        let named = [Some(PanelName::Text(w)), key];
        let mut found: Vec<usize> =
            named.iter().flatten().filter_map(|n| places.get(n)).flatten().copied().collect();
        if found.is_empty() {
            let names: Vec<String> = list.iter().map(|l| List::to_flag(&[&l.name])).collect();
            let e = InputError::usage(file, format!("panel_order: no panel {}", shown(w)));
            return Err(e.with_hint(format!("panels: {}", listed(&names))));
        }
        found.sort_unstable();
        out.extend(found.into_iter().filter(|&at| !std::mem::replace(&mut taken[at], true)));
    }
    Ok(out)
}

/// Name of a panel: its name or its value column, or the id of its key.
#[derive(PartialEq, Eq, Hash)]
enum PanelName<'a> {
    Text(&'a str),
    Key(u32),
}

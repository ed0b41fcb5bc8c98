//! A tidy table: each row is a value of one cell, and columns say which cell.

mod plan;
mod finished;
mod accumulator;
mod row_grouper;
mod groups;
mod placement;
mod facets;
mod panels;
mod grids;

pub(crate) use accumulator::aggregate;
pub(crate) use plan::{Roles, names, resolved, statistics};

use super::keys::check_order;
use crate::budget::Budget;
use crate::error::InputError;
use crate::loaded::{Loaded, ReadOptions};
use crate::ordered::{in_order, waiting};
use crate::table::{Schema, TableSource, count};
use finished::{merged, report_duplicates, report_uneven};
use foldhash::fast::RandomState;
use grids::PanelValues;
use gridscope_core::figure::{Agg, Figure};
use gridscope_core::lint::{LintName, Lints};
use groups::Groups;
use panels::{PanelCount, panels, take_labels};
use placement::{Placement, bytes_of_label};
use plan::TidyPlan;
use row_grouper::{RowGrouper, bytes_of_slice};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Reads the rows of tidy tables with the same columns once, one table after the other. `schema` is theirs. Memory grows with cells and keys, as the budget allows.
///
/// # Errors
/// Unknown columns, texts among the values, no rows left, too many cells, too little memory.
pub(super) fn read_tidy(
    tables: &[&dyn TableSource],
    schema: &Schema,
    roles: &Roles,
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let file = schema.file.as_str();
    let plan = TidyPlan::new(roles, schema, figure, needs)?;
    let mut groups = gather(tables, &plan, budget)?;
    let mut lints = Lints::default();
    let placement = Placement::new(&mut groups, &plan, figure, &mut lints, budget)?;
    for (axis, spec) in placement.axes.iter().zip([&figure.x, &figure.y]) {
        check_order(&axis.columns, spec.order.as_ref(), file, &mut lints)?;
    }

    let list = panels(&placement, &plan, figure, &mut lints, budget)?;
    let values = PanelValues::new(&groups, &placement, &plan, figure);
    values.check_sides()?;
    values.take_strips(list.len(), budget)?;
    let of_label = placement.axes.each_ref().map(bytes_of_label);
    let shared = values.sides(0..placement.size[2], 0);
    let apart = [figure.share_x, figure.share_y].map(|s| s == Some(false));
    if !apart.contains(&true) {
        take_labels(list.len(), shared.each_ref().map(Vec::len), of_label, file, budget)?;
    }
    let unkeyed = lints.0.iter().find(|lint| lint.name == LintName::EmptyKey).map(|lint| lint.text.clone());
    let mut grids = Vec::with_capacity(list.len());
    for panel in &list {
        // Finding a panel's own keys takes a pass over all of them, which thousands of panels would feel.
        let own;
        let mut sides = shared.each_ref();
        if apart.contains(&true) && !panel.is_empty() {
            own = values.sides(panel.id()..panel.id() + 1, panel.value);
            sides = [0, 1].map(|i| if apart[i] { &own[i] } else { &shared[i] });
            take_labels(1, sides.map(Vec::len), of_label, file, budget)?;
        }
        let mut grid = values.grid(panel, sides)?;
        grid.set_merged(merged(&groups, &placement, panel, &plan));
        grid.set_note(unkeyed.clone());
        grids.push(grid);
    }
    if figure.data.agg.is_none() {
        report_duplicates(&groups, &placement, &list, &plan, &mut lints);
    } else if figure.data.agg != Some(Agg::Count) && figure.data.min_count.is_none() {
        report_uneven(&groups, &placement, &list, &mut lints);
    }
    report_keys(&placement, &mut lints);
    Ok(Loaded {
        grids,
        lints,
        summary: summary(schema, groups.rows, roles, plan.aggregates[0]),
        ..Loaded::default()
    })
}

/// Reports keys that were written in several ways, or that read like others.
fn report_keys(placement: &Placement, lints: &mut Lints) {
    let columns = || placement.axes.iter().flat_map(|axis| &axis.columns);
    columns().for_each(|keys| keys.report_numbers(lints));
    for keys in columns().chain(placement.panel.iter().flat_map(|panel| &panel.columns)) {
        keys.report_merged(lints);
        keys.report_alike(lints);
        keys.report_times(lints);
    }
}

/// The cells of all rows.
fn gather(tables: &[&dyn TableSource], plan: &TidyPlan, budget: &Arc<Budget>) -> Result<Groups, InputError> {
    let mut groups = Groups::new(plan, budget);
    let slice = bytes_of_slice(plan);
    let differ: Vec<AtomicBool> = plan.others.iter().map(|_| AtomicBool::new(false)).collect();
    let hasher = RandomState::default();
    let mut panels = PanelCount::new(plan)?;
    for table in tables {
        let threads = table.threads().min(budget.shares(2 * slice));
        let most = waiting(threads).min(budget.shares(slice) / threads);
        groups.begin(plan, threads);
        let mut parts = table.parts();
        let read = in_order(
            (threads, most),
            || parts.next().transpose(),
            || RowGrouper::new(plan, &differ, hasher.clone()),
            |grouper, part, give| grouper.group(part, give),
            |thread, grouped| {
                groups.take(plan, thread, grouped, &differ)?;
                panels.check(plan, &groups)
            },
        );
        if groups.failed {
            break;
        }
        read?;
    }
    Ok(groups)
}

/// How the tables were read.
fn summary(schema: &Schema, rows: u64, roles: &Roles, agg: Agg) -> String {
    let names = |columns: &[usize]| {
        let names: Vec<&str> = columns.iter().map(|&c| schema.headers[c].as_str()).collect();
        names.join(", ")
    };
    let (x, y) = (names(&roles.x), names(&roles.y));
    let value = match (roles.values.as_slice(), agg) {
        ([], _) => "count of rows".to_owned(),
        (values, Agg::Mean) => names(values),
        (values, agg) => format!("{} ({})", names(values), agg),
    };
    let panel = match roles.panel.as_slice() {
        [] => String::new(),
        columns => format!(", panel = {}", names(columns)),
    };
    let rows = count(rows as usize, "row");
    let second = schema.second_numbers(&roles.values);
    format!("{}: tidy table, {rows}: x = {x}, y = {y}, value = {value}{panel}{second}", schema.file)
}

#[cfg(test)]
mod tests;

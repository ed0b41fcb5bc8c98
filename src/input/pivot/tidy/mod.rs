//! A tidy table: each row is a value of one cell, and columns say which cell.

mod dictionary;
mod plan;
mod accumulator;
mod row_grouper;
mod groups;
mod placement;
mod panel_count;
mod grids;
mod merged;

pub use accumulator::aggregate;
pub use grids::named;
pub use plan::Roles;

use super::keys::check_order;
use crate::figure::{Agg, Figure, StripAxis};
use crate::input::budget::{Budget, Short};
use crate::input::error::InputError;
use crate::input::loaded::{Loaded, Needs};
use crate::input::ordered::{in_order, waiting};
use crate::input::table::{Schema, TableSource, count};
use crate::lint::Lints;
use foldhash::fast::RandomState;
use grids::{Shown, axis, panels};
use groups::Groups;
use merged::tell_merged;
use panel_count::{PanelCount, take_labels};
use placement::{Placement, bytes_of_label};
use plan::Plan;
use row_grouper::{RowGrouper, bytes_of_slice};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Bytes of a strip's text beside its own.
const STRIP: u64 = 56;

/// Reads the rows of tidy tables with the same columns once, one table after the other. `schema` is theirs; `names` are those of
/// the files where it has a last column for them, and else empty. Memory grows with cells and keys, as the budget allows.
///
/// # Errors
/// Unknown columns, texts among the values, no rows left, too many cells, too little memory.
pub fn read_tidy(
    tables: &[&dyn TableSource],
    names: &[String],
    schema: &Schema,
    roles: &Roles,
    figure: &Figure,
    needs: &Needs,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let mut lints = Lints::default();
    let file = schema.file.as_str();
    let agg = figure.data.agg.unwrap_or_default();
    let plan = Plan::new(
        roles,
        schema,
        figure,
        needs,
        (!names.is_empty()).then(|| schema.width() - 1),
    )?;
    let mut groups = gather(tables, names, &plan, budget)?;
    let placement = Placement::new(&mut groups, &plan, figure, &mut lints, budget)?;
    check_order(&placement.x.columns, figure.x.order.as_ref(), file)?;
    check_order(&placement.y.columns, figure.y.order.as_ref(), file)?;

    let list = panels(&placement, &plan, figure)?;
    let texts: Vec<Vec<&str>> = groups.texts[roles.keys().len()..]
        .iter()
        .map(dictionary::Dictionary::texts)
        .collect();
    let strip = plan
        .strip
        .map(|(axis, _)| (axis, placement.first_texts(&groups, &texts[0], axis)));
    let texts = &texts[usize::from(strip.is_some())..];
    let all = Shown::new(&groups, &placement, agg);
    let shared = all.sides(figure, 0..placement.size[2], 0);
    let apart = [figure.share_x, figure.share_y].map(|s| s == Some(false));
    // Each panel has axes of its own, and with them all texts of a strip.
    let of_strip: u64 = strip
        .iter()
        .flat_map(|s| &s.1)
        .map(|t| t.len() as u64 + STRIP)
        .sum();
    let strips = budget.take(of_strip.saturating_mul(list.len() as u64));
    strips.map_err(|s: Short| s.of(file, format_args!("the strips of {}", count(list.len(), "panel"))))?;
    let each = [bytes_of_label(&placement.x), bytes_of_label(&placement.y)];
    if !apart.contains(&true) {
        take_labels(list.len(), [shared.x.len(), shared.y.len()], each, file, budget)?;
    }
    let mut grids = Vec::with_capacity(list.len());
    for panel in &list {
        // Finding a panel's own keys takes a pass over all of them, which thousands of panels would feel.
        let own = apart
            .contains(&true)
            .then(|| all.sides(figure, panel.id()..panel.id() + 1, panel.value));
        let own = own.as_ref().unwrap_or(&shared);
        let xs = if apart[0] { &own.x } else { &shared.x };
        let ys = if apart[1] { &own.y } else { &shared.y };
        if apart.contains(&true) {
            take_labels(1, [xs.len(), ys.len()], each, file, budget)?;
        }
        let rows = axis(&placement.y, ys, &figure.y, StripAxis::Y, strip.as_ref(), file)?;
        let columns = axis(&placement.x, xs, &figure.x, StripAxis::X, strip.as_ref(), file)?;
        let mut grid = all.grid(panel, (ys, rows), (xs, columns), needs, file)?;
        grid.name.clone_from(&panel.name);
        if let Some(&value) = roles.values.get(panel.value) {
            grid.value_name.clone_from(&schema.headers[value]);
        }
        for (i, &c) in plan.texts.iter().enumerate() {
            grid.texts.insert(
                schema.headers[c].clone(),
                all.texts(panel.id(), &texts[i], i, ys, xs),
            );
        }
        grids.push(grid);
    }
    if figure.data.agg.is_none() {
        tell_merged(&groups, &placement, &list, &plan, &mut lints);
    }
    let columns = || placement.x.columns.iter().chain(&placement.y.columns);
    columns().for_each(|keys| keys.report_numbers(&mut lints));
    for keys in columns().chain(&placement.panel) {
        keys.report_merged(&mut lints);
        keys.report_alike(&mut lints);
        keys.report_times(&mut lints);
    }
    Ok(Loaded {
        grids,
        lints,
        told: told(schema, groups.rows, roles, agg),
        ..Loaded::default()
    })
}

/// The cells of all rows.
fn gather(
    tables: &[&dyn TableSource],
    names: &[String],
    plan: &Plan,
    budget: &Arc<Budget>,
) -> Result<Groups, InputError> {
    let mut groups = Groups::new(plan, budget);
    let slice = bytes_of_slice(plan);
    let differ: Vec<AtomicBool> = plan.others.iter().map(|_| AtomicBool::new(false)).collect();
    let hasher = RandomState::default();
    let mut panels = PanelCount::new(plan)?;
    for (i, table) in tables.iter().enumerate() {
        let threads = table.threads().min(budget.shares(2 * slice));
        let most = waiting(threads).min(budget.shares(slice) / threads);
        groups.begin(plan, threads);
        let mut parts = table.parts();
        let name = names.get(i).map_or("", String::as_str);
        let read = in_order(
            (threads, most),
            || parts.next().transpose(),
            || RowGrouper::new(plan, &differ, hasher.clone()),
            |grouper, part, give| grouper.group(part, name, give),
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

fn told(schema: &Schema, rows: u64, roles: &Roles, agg: Agg) -> String {
    let names = |c: &[usize]| {
        c.iter()
            .map(|&c| schema.headers[c].as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let value = if roles.values.is_empty() {
        "count of rows".to_owned()
    } else {
        names(&roles.values)
    };
    let panel = roles
        .panel
        .map_or_else(String::new, |p| format!(", panel = {}", schema.headers[p]));
    let agg = if agg == Agg::Mean || roles.values.is_empty() {
        String::new()
    } else {
        format!(" ({})", agg.word())
    };
    let rows = count(rows as usize, "row");
    format!(
        "{}: tidy table, {rows}: x = {}, y = {}, value = {value}{agg}{panel}",
        schema.file,
        names(&roles.x),
        names(&roles.y)
    )
}

#[cfg(test)]
mod tests;

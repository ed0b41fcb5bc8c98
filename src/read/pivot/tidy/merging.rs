//! Aggregates by which rows became a panel's values, for the title of its colour bar.

use super::groups::Groups;
use super::panel::Panel;
use super::placement::{NOWHERE, Placement};
use super::plan::TidyPlan;
use gridscope_core::figure::Agg;
use gridscope_core::grid::Merged;

/// How the rows of a panel became values; `None` where each value is that of one row.
pub(super) fn merged(
    groups: &Groups,
    placement: &Placement,
    panel: &Panel,
    plan: &TidyPlan,
) -> Option<Merged> {
    let by = plan.aggregates[0];
    let cells = || panel.cells(placement).iter().filter(|c| **c != NOWHERE);
    let values = &groups.accumulators[panel.value];
    let counts = || cells().map(|&cell| values.count(cell)).filter(|n| *n > 0);
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    // One value is its own mean, but it is neither its count nor its spread.
    if most < 2 && by != Agg::Count && !by.is_spread() {
        return None;
    }
    let differs = |i: usize| {
        let hashes = &groups.hashes[i];
        groups.differ[i] || cells().any(|&cell| hashes.get(cell as usize) == Some(&0))
    };
    let mut columns = (0..plan.others.len()).filter(|&i| differs(i));
    let column = match (columns.next(), columns.next()) {
        // What was not read may differ too.
        (Some(i), None) if !plan.schema.partial => Some(plan.schema.headers[plan.others[i]].clone()),
        _ => None,
    };
    Some(Merged { by: by.noun(), values: (least, most), column })
}

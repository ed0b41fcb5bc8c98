//! Rows of a tidy table that share a cell.

use super::groups::Groups;
use super::panel::Panel;
use super::placement::{NOWHERE, Placement};
use super::plan::TidyPlan;
use crate::table::{count, listed};
use gridscope_core::lint::{LintName, Lints};

/// Reports the rows that share a cell of the shown panels, and the columns in which they differ.
pub(super) fn report_duplicates(
    groups: &Groups,
    placement: &Placement,
    shown: &[Panel],
    plan: &TidyPlan,
    lints: &mut Lints,
) {
    let (mut rows, mut cells, mut least, mut most) = (0, 0usize, u64::MAX, 0);
    let mut differ = groups.differ.clone();
    for panel in shown.iter().filter(|p| p.value == 0) {
        for &cell in panel.cells(placement).iter().filter(|c| **c != NOWHERE) {
            let n = groups.counts[cell as usize];
            if n < 2 {
                continue;
            }
            (rows, cells, least, most) = (rows + n, cells + 1, least.min(n), most.max(n));
            differ
                .iter_mut()
                .zip(&groups.hashes)
                .for_each(|(d, hashes)| *d |= hashes.get(cell as usize) == Some(&0));
        }
    }
    if cells == 0 {
        return;
    }
    // What a key is computed from is part of the key.
    let keys = plan.roles.keys();
    let is_of_key = |column: &usize| keys.iter().any(|k| plan.schema.inputs(*k).contains(column));
    let derived = plan.others.iter().any(is_of_key);
    let names: Vec<String> = plan
        .others
        .iter()
        .zip(&differ)
        .filter(|d| *d.1 && !is_of_key(d.0))
        .map(|(&c, _)| plan.schema.headers[c].clone())
        .collect();
    let how = match (names.is_empty(), plan.schema.partial || derived) {
        // What was not read may differ.
        (true, true) => "share their keys".to_owned(),
        (true, false) => "are repeated".to_owned(),
        _ => format!("differ in {}", listed(&names)),
    };
    let spelled = if placement.respelled { ", some under keys of another spelling" } else { "" };
    let each = if least == most { least.to_string() } else { format!("{least}-{most}") };
    let text = format!("{rows} rows on {} ({each} each) {how}{spelled}; shown: mean", count(cells, "cell"));
    lints.add(LintName::DuplicateKeys, rows, text);
}

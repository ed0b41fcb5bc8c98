//! Rows of a tidy table that share a cell.

use super::gathered::Gathered;
use super::grids::Panel;
use super::placed::{NOWHERE, Placed};
use super::plan::Plan;
use crate::input::schema::{count, listed};
use crate::lint::{LintName, Lints};

/// Tells the rows that share a cell of the shown panels, and the columns in which they differ.
pub fn tell_merged(gathered: &Gathered, placed: &Placed, shown: &[Panel], plan: &Plan, lints: &mut Lints) {
    let (mut rows, mut cells, mut least, mut most) = (0, 0usize, u64::MAX, 0);
    let mut differ = gathered.differ.clone();
    for panel in shown.iter().filter(|p| p.value == 0) {
        for &cell in placed.of_panel(panel.id).iter().filter(|c| **c != NOWHERE) {
            let n = gathered.counts[cell as usize];
            if n < 2 {
                continue;
            }
            (rows, cells, least, most) = (rows + n, cells + 1, least.min(n), most.max(n));
            differ
                .iter_mut()
                .zip(&gathered.hashes)
                .for_each(|(d, hashes)| *d |= hashes.get(cell as usize) == Some(&0));
        }
    }
    if cells == 0 {
        return;
    }
    let names: Vec<String> = plan
        .others
        .iter()
        .zip(&differ)
        .filter(|d| *d.1)
        .map(|(&c, _)| plan.schema.headers[c].clone())
        .collect();
    let how = match (names.is_empty(), plan.schema.partial) {
        // What was not read may differ.
        (true, true) => "share their keys".to_owned(),
        (true, false) => "are repeated".to_owned(),
        _ => format!("differ in {}", listed(&names)),
    };
    let spelled = if placed.respelled {
        ", some under keys of another spelling"
    } else {
        ""
    };
    let each = if least == most {
        least.to_string()
    } else {
        format!("{least}-{most}")
    };
    let text = format!(
        "{rows} rows on {} ({each} each) {how}{spelled}; shown: mean",
        count(cells, "cell")
    );
    lints.add(LintName::DuplicateKeys, rows, text);
}

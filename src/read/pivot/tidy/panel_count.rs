//! How many panels a tidy table makes: a column of ids is refused while its rows come in, not after a grid was made for each.

use super::groups::Groups;
use super::placement::panel_keys;
use super::plan::{Operand, TidyPlan};
use super::sides::Side;
use crate::budget::{Budget, OverBudget};
use crate::error::InputError;
use crate::field::shown;
use crate::panels::check_count;
use crate::pivot::axes::AxisKeys;
use crate::table::{count, listed};

/// Counts the keys of the panel columns while rows come in.
pub(super) struct PanelCount {
    /// Combinations of texts that made no panel of their own when they were last counted.
    no_keys: usize,
}

impl PanelCount {
    /// Before the first row.
    ///
    /// # Errors
    /// When the value columns alone make too many panels.
    pub(super) fn new(plan: &TidyPlan) -> Result<Self, InputError> {
        let values = plan.roles.values.len();
        check_count(values, &plan.schema.file, || format!("--value names {values} columns, a panel each"))?;
        Ok(Self { no_keys: 0 })
    }

    /// Looks at the panels of all rows so far. Where `panel_order` chooses some of them, they are counted once all are known.
    ///
    /// # Errors
    /// When they are more than a figure has.
    pub(super) fn check(&mut self, plan: &TidyPlan, groups: &Groups) -> Result<(), InputError> {
        if plan.roles.panel.is_empty() || plan.some_panels {
            return Ok(());
        }
        let values = plan.roles.values.len().max(1);
        let texts = combinations(plan, groups);
        if check_count(texts.saturating_sub(self.no_keys).saturating_mul(values), "", String::new).is_ok() {
            return Ok(());
        }
        // Texts may be empty, or one number in other words. Further rows never make fewer keys.
        let keys = panel_keys(groups, plan, None)?;
        let occurring = keys.as_ref().map_or(1, AxisKeys::len);
        let found = keys.map_or(1, |keys| match plan.facets {
            // Each pair has a place, unless those without rows are left out.
            Some(_) if !plan.drops_empty => {
                keys.columns.iter().fold(1usize, |n, k| n.saturating_mul(k.labels.len()))
            }
            _ => keys.len(),
        });
        self.no_keys = texts.saturating_sub(found);
        let all = found.saturating_mul(values);
        let each =
            if values > 1 { format!(", {found} for each of {values} value columns") } else { String::new() };
        let names: Vec<String> = plan.roles.panel.iter().map(|&c| shown(&plan.schema.headers[c])).collect();
        let (flags, hint) = match (plan.facets, names.as_slice()) {
            (Some([Side::Key(_), Side::Key(_)]), [row, column]) => (
                format!("--panel-row {row} and --panel-column {column} make"),
                if occurring < found && check_count(occurring.saturating_mul(values), "", String::new).is_ok()
                {
                    format!(
                        "--drop-empty leaves out all but the {occurring} pairs of values that have rows so far"
                    )
                } else {
                    format!(
                        "columns {row} and {column} have {found} pairs of values so far: --where chooses rows, or --panel-row and --panel-column columns with fewer values"
                    )
                },
            ),
            (Some(sides), [name]) => {
                let side = if sides[0] == Side::Key(0) { "row" } else { "column" };
                (format!("--panel-{side} {name} makes"), few(name, &format!("--panel-{side}"), found))
            }
            (_, [name]) => (format!("--panel {name} makes"), few(name, "--panel", found)),
            (_, names) => (
                format!("--panel {} makes", names.join(",")),
                format!(
                    "columns {} have {found} combinations of values so far: --where chooses rows, or --panel fewer columns",
                    listed(names)
                ),
            ),
        };
        let what = || format!("{flags} {all} panels so far{each}");
        check_count(all, &plan.schema.file, what).map_err(|e| e.with_hint(hint))
    }
}

/// Advice about a column of many values.
fn few(name: &str, flag: &str, found: usize) -> String {
    format!(
        "column {name} has {found} values so far: --where chooses rows, or {flag} a column with fewer values"
    )
}

/// The most panels that the texts so far may make.
fn combinations(plan: &TidyPlan, groups: &Groups) -> usize {
    let first = plan.roles.x.len() + plan.roles.y.len();
    match (plan.panel, plan.facets) {
        (Some(Operand::Step(step)), facets) if facets.is_none() || plan.drops_empty => {
            groups.pairs[step].list.len()
        }
        _ => groups.texts[first..first + plan.roles.panel.len()]
            .iter()
            .fold(1, |n, texts| n.saturating_mul(texts.count())),
    }
}

/// Takes off the budget what the labels of panels need, since each panel has labels of its own: `sides` are the keys along x and y
/// that a panel shows, and `each` the bytes of a label there.
///
/// # Errors
/// Too little memory.
pub(super) fn take_labels(
    panels: usize,
    sides: [usize; 2],
    each: [u64; 2],
    file: &str,
    budget: &Budget,
) -> Result<(), InputError> {
    let [x, y] = sides;
    let of_panel = each[0].saturating_mul(x as u64).saturating_add(each[1].saturating_mul(y as u64));
    let short = |s: OverBudget| {
        let e = s.of(file, format_args!("the labels of {x} x {y} keys in {}", count(panels, "panel")));
        e.with_hint("--panel a column with fewer values, or --max-memory")
    };
    budget.take(of_panel.saturating_mul(panels as u64)).map_err(short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn labels_count_for_each_panel() {
        let of = |panels, sides, limit| take_labels(panels, sides, [100, 130], "f", &Budget::new(limit));
        assert!(
            of(1, [80_000, 1], 8_000_130).is_ok()
                && of(1, [80_000, 1], 8_000_129).is_err()
                && of(2, [80_000, 1], 8_000_130).is_err()
        );
        let e = of(4096, [80_000, 1], 4 << 30).unwrap_err();
        assert_eq!((e.kind, e.what.contains("80000 x 1 keys in 4096 panels")), (ErrorKind::Limit, true));
        assert!(of(usize::MAX, [1 << 30, 1 << 30], u64::MAX - 1).is_err());
    }
}

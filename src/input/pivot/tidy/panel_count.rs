//! How many panels a tidy table makes: a column of ids is refused while its rows come in, not after a grid was made for each.

use super::groups::Groups;
use super::placement::keys_of;
use super::plan::TidyPlan;
use crate::input::budget::{Budget, OverBudget};
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::panels::check_count;
use crate::input::table::count;

/// Counts the keys of the panel column while rows come in.
pub(super) struct PanelCount {
    /// Texts of the column that made no key of their own when they were last counted.
    no_keys: usize,
}

impl PanelCount {
    /// Before the first row.
    ///
    /// # Errors
    /// When the value columns alone make too many panels.
    pub(super) fn new(plan: &TidyPlan) -> Result<Self, InputError> {
        let values = plan.roles.values.len();
        check_count(values, &plan.schema.file, || {
            format!("--value names {values} columns, a panel each")
        })?;
        Ok(Self { no_keys: 0 })
    }

    /// Looks at the panels of all rows so far. Where `panel_order` chooses some of them, they are counted once all are known.
    ///
    /// # Errors
    /// When they are more than a figure has.
    pub(super) fn check(&mut self, plan: &TidyPlan, groups: &Groups) -> Result<(), InputError> {
        let (Some(column), false) = (plan.roles.panel, plan.some_panels) else {
            return Ok(());
        };
        let values = plan.roles.values.len().max(1);
        let key = plan.roles.keys().len() - 1;
        let texts = groups.texts[key].count();
        if check_count((texts - self.no_keys) * values, "", String::new).is_ok() {
            return Ok(());
        }
        // Texts may be empty, or one number in other words. Further rows never make fewer keys.
        let found = keys_of(groups, plan, key, None, None)?.labels.len();
        self.no_keys = texts - found;
        let name = shown(&plan.schema.headers[column]);
        let each = if values > 1 {
            format!(", {found} for each of {values} value columns")
        } else {
            String::new()
        };
        let what = || format!("--panel {name} makes {} panels so far{each}", found * values);
        check_count(found * values, &plan.schema.file, what).map_err(|e| {
            e.with_hint(format!("column {name} has {found} values so far: --where chooses rows, or --panel a column with fewer values"))
        })
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
    let of_panel = each[0]
        .saturating_mul(x as u64)
        .saturating_add(each[1].saturating_mul(y as u64));
    let short = |s: OverBudget| {
        let e = s.of(
            file,
            format_args!("the labels of {x} x {y} keys in {}", count(panels, "panel")),
        );
        e.with_hint("--panel a column with fewer values, or --max-memory")
    };
    budget.take(of_panel.saturating_mul(panels as u64)).map_err(short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::error::ErrorKind;

    #[test]
    fn labels_count_for_each_panel() {
        let of = |panels, sides, limit| take_labels(panels, sides, [100, 130], "f", &Budget::new(limit));
        assert!(
            of(1, [80_000, 1], 8_000_130).is_ok()
                && of(1, [80_000, 1], 8_000_129).is_err()
                && of(2, [80_000, 1], 8_000_130).is_err()
        );
        let e = of(4096, [80_000, 1], 4 << 30).unwrap_err();
        assert_eq!(
            (e.kind, e.what.contains("80000 x 1 keys in 4096 panels")),
            (ErrorKind::Limit, true)
        );
        assert!(of(usize::MAX, [1 << 30, 1 << 30], u64::MAX - 1).is_err());
    }
}

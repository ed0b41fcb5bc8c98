//! How many panels a tidy table makes: a column of ids is refused while its rows come in, not after a grid was made for each.

use super::gathered::Gathered;
use super::placed::keys;
use super::plan::Plan;
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::panels::check_count;

/// Bytes that a label takes on each panel: its text and where it lies, once for the grid and once for what is drawn.
const LABEL: u64 = 128;

/// Counts the keys of the panel column while rows come in.
pub struct PanelCount {
    /// Texts of the column that made no key of their own when they were last counted.
    no_keys: usize,
}

impl PanelCount {
    /// Before the first row.
    ///
    /// # Errors
    /// When the value columns alone make too many panels.
    pub fn new(plan: &Plan) -> Result<Self, InputError> {
        let values = plan.roles.values.len();
        check_count(values, &plan.schema.file, || format!("--value names {values} columns, a panel each"))?;
        Ok(Self { no_keys: 0 })
    }

    /// Looks at the panels of all rows so far. Where `panel_order` chooses some of them, they are counted once all are known.
    ///
    /// # Errors
    /// When they are more than a figure has.
    pub fn check(&mut self, plan: &Plan, gathered: &Gathered) -> Result<(), InputError> {
        let (Some(column), false) = (plan.roles.panel, plan.some_panels) else { return Ok(()) };
        let values = plan.roles.values.len().max(1);
        let key = plan.roles.keys().len() - 1;
        let texts = gathered.texts[key].count();
        if check_count((texts - self.no_keys) * values, "", String::new).is_ok() {
            return Ok(());
        }
        // Texts may be empty, or one number in other words. Further rows never make fewer keys.
        let found = keys(gathered, plan, key, false)?.labels.len();
        self.no_keys = texts - found;
        let name = shown(&plan.schema.headers[column]);
        let each = if values > 1 { format!(", {found} for each of {values} value columns") } else { String::new() };
        let what = || format!("--panel {name} makes {} panels so far{each}", found * values);
        check_count(found * values, &plan.schema.file, what).map_err(|e| {
            e.with_hint(format!("column {name} has {found} values so far: --where chooses rows, or --panel a column with fewer values"))
        })
    }
}

/// Refuses panels whose labels would not fit into `limit` bytes, since each panel has labels of its own: `sides` are the keys along
/// x and y that all share.
///
/// # Errors
/// Too little memory.
pub fn check_labels(panels: usize, sides: [usize; 2], file: &str, limit: u64) -> Result<(), InputError> {
    let [x, y] = sides;
    let need = (panels.saturating_sub(1) as u64).saturating_mul((x + y) as u64).saturating_mul(LABEL);
    if need <= limit {
        return Ok(());
    }
    let what = format!("the labels of {x} x {y} keys in {panels} panels would need {} MiB, the limit is {} MiB", need >> 20, limit >> 20);
    Err(InputError::limit(file, what).with_hint("--panel a column with fewer values, or --max-memory"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::error::ErrorKind;

    #[test]
    fn labels_count_for_each_panel() {
        assert!(check_labels(1, [80_000, 1], "f", 0).is_ok());
        assert!(check_labels(2, [80_000, 1], "f", 11 << 20).is_ok());
        let e = check_labels(4096, [80_000, 1], "f", 4 << 30).unwrap_err();
        assert_eq!((e.kind, e.what.contains("80000 x 1 keys in 4096 panels")), (ErrorKind::Limit, true));
        assert!(check_labels(usize::MAX, [1 << 30, 1 << 30], "f", u64::MAX - 1).is_err());
    }
}

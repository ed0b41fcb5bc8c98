//! The columns that conditions on cells compare, aggregated for each cell.

use crate::table::Schema;
use gridscope_core::figure::{Figure, Quantity, Statistic};

/// Names of axes and of their positions, where no column has them.
const AXES: [&str; 4] = ["x", "y", "row", "column"];

/// Columns that the conditions of marks and masks compare, besides `keys`, those of axes and panels, and besides the only value.
pub(super) fn compared(
    figure: &Figure,
    (keys, values): (&[usize], &[usize]),
    schema: &Schema,
) -> Vec<Statistic> {
    let known = |name: &str| schema.headers.iter().position(|h| h == name);
    let mut out = Vec::new();
    for condition in figure.cell_conditions() {
        let Quantity::Column { agg, name } = &condition.quantity else {
            continue;
        };
        let is_plain = agg.is_none();
        let is_role = known(name).is_some_and(|c| keys.contains(&c) || values == [c]);
        let is_axis = known(name).is_none() && AXES.contains(&name.as_str());
        if !(is_plain && (is_role || is_axis)) {
            out.extend(condition.quantity.statistic(figure.data.agg.unwrap_or_default()));
        }
    }
    out
}

//! Side files: masks and the values of axes, which options name beside the data.

mod numbers;
mod axis_values;
mod flags;
mod mask;
mod marked_cells;

pub(crate) use axis_values::apply_axis_values;
pub(crate) use marked_cells::list_marked;
pub(crate) use mask::{Mask, hide_all};

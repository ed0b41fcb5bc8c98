//! Side files: masks and the values of axes, which options name beside the data.

mod numbers;
mod axis_values;
mod mask;

pub(crate) use axis_values::apply_axis_values;
pub(crate) use mask::{Mask, hide_all};

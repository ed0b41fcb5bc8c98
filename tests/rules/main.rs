//! Properties of all inputs, tested with random cases; `GRIDSCOPE_CASES` is the number of cases of each.

#[path = "../support/mod.rs"]
mod support;

mod colours;
mod grid_bounds;
mod keys;
mod labels;
mod layout;
mod numbers;
mod panel_labels;
mod strides;

//! Properties of all inputs, tested with random cases; `GRIDSCOPE_CASES` is the number of cases of each.

#![allow(unreachable_pub, reason = "a test program has no public interface")]

#[path = "../support/mod.rs"]
mod support;

mod aggregates;
mod colours;
mod findings;
mod grid_bounds;
mod keys;
mod cells;
mod labels;
mod layout;
mod marks;
mod numbers;
mod panel_labels;
mod strides;
mod tables;
mod thin_cells;

//! Properties of all inputs, tested with random cases; `GRIDSCOPE_CASES` is the number of cases of each.

#![allow(unreachable_pub, reason = "a test program has no public interface")]

#[path = "../support/mod.rs"]
mod support;

mod aggregates;
mod colours;
mod changed;
mod derived;
mod findings;
mod grid_bounds;
mod hints;
mod keys;
mod cells;
mod labels;
mod limits;
mod layout;
mod margins;
mod marks;
mod numbers;
mod panel_labels;
mod strides;
mod tables;
mod thin_cells;

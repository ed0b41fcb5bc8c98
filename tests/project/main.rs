//! The project itself: the order of its modules, its dependencies, and what its README lists.

#[path = "../support/mod.rs"]
mod support;

mod architecture;
mod dependencies;
mod documents;
mod readme_tables;

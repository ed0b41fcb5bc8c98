//! The project itself: the order of its modules, its dependencies, and what README, book and guide state.

#[path = "../support/mod.rs"]
mod support;

mod architecture;
mod dependencies;
mod documents;
mod readme_tables;

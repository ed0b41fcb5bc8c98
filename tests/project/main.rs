//! The project itself: the order of its modules, its dependencies and features, and what its documents say.

#[path = "../support/mod.rs"]
mod support;

mod architecture;
mod dependencies;
mod documents;
mod features;
mod imports;
mod readme_tables;
mod source;

//! Checks of the project: the order of modules, dependencies, features, and documents.

#[path = "../support/mod.rs"]
mod support;

mod architecture;
mod book_tables;
mod dependencies;
mod documents;
mod features;
mod imports;
mod source;

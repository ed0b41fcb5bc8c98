//! Checks of the project: the order of modules, dependencies, features, and documents.

#![allow(unreachable_pub, reason = "a test program has no public interface")]

#[path = "../support/mod.rs"]
mod support;

mod architecture;
mod book_tables;
mod dependencies;
mod documents;
mod features;
mod imports;
mod source;

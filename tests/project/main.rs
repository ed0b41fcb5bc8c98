//! Checks of the project: files, dependencies, features, and documents.

#![allow(unreachable_pub, reason = "a test program has no public interface")]

#[path = "../support/mod.rs"]
mod support;

mod book_tables;
mod dependencies;
mod documents;
mod features;
mod files;

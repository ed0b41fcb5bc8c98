//! Data that were read once, and what is drawn of them again and again.

use gridscope_core::figure::Figure;
use gridscope_core::lint::{Lint, Policy};
use gridscope_read::{Budget, Loaded};
use std::sync::Arc;

/// Data and what is known of them.
#[derive(Clone, Debug)]
pub struct Held {
    /// Grids and what was noticed while they were read.
    pub loaded: Loaded,
    /// Their files, if they came from files.
    pub files: Vec<String>,
    /// The memory of the run, of which the grids have taken their part.
    pub budget: Arc<Budget>,
}

/// Which lints a figure denies and silences.
pub(super) fn policy(figure: &Figure) -> Policy {
    Policy { deny: figure.lints.deny.clone(), allow: figure.lints.allow.clone(), ..Policy::default() }
}

/// The lints of a list that the figure shows, each with whether it is denied.
pub fn shown<'a>(lints: &'a [Lint], figure: &Figure) -> Vec<(&'a Lint, bool)> {
    let policy = policy(figure);
    let shown = lints.iter().filter(|lint| policy.shows(lint.name));
    shown.map(|lint| (lint, policy.denies(lint.name))).collect()
}

//! Warnings as Python sees them.

use gridscope::embedding::shown;
use gridscope::figure::Figure;
use gridscope::{LintKind, Lints};

/// Name, panel, count, text, what it is about, and whether the figure denies it.
pub(crate) type Lint = (&'static str, Option<String>, u64, String, &'static str, bool);

/// The warnings that the figure shows.
pub(crate) fn listed(lints: &Lints, figure: &Figure) -> Vec<Lint> {
    let of = |(lint, denied): (&gridscope::Lint, bool)| {
        let kind = match lint.name.kind() {
            LintKind::Data => "data",
            LintKind::Picture => "picture",
            _ => "note",
        };
        (lint.name.as_str(), lint.panel.clone(), lint.count, lint.message(), kind, denied)
    };
    shown(&lints.0, figure).into_iter().map(of).collect()
}

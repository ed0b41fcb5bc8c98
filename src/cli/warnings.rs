//! Warnings as lines: one for each name, with a count over panels and the worst case, and never more than a dozen.

use gridscope_core::lint::{Lint, LintName, Lints, Policy};
use gridscope_core::text::{clean, one_line};
use std::collections::BTreeSet;

/// The most lines of a figure.
const MOST: usize = 12;
/// Two texts that are together no longer than this share a line.
const SHORT: usize = 200;

/// The lines of all warnings that a policy shows: folded, or with `verbose` one for each. With `quiet` only those that are denied.
pub(super) fn lines(lints: &Lints, policy: &Policy, verbose: bool, quiet: bool) -> Vec<String> {
    let shown = |l: &&Lint| policy.shows(l.name) && (!quiet || policy.denies(l.name));
    let shown: Vec<&Lint> = lints.0.iter().filter(shown).collect();
    let line = |name: LintName, text: &str| {
        let word = if policy.denies(name) { "denied" } else { "warning" };
        one_line(&format!("{word}[{name}]: {text}"))
    };
    if verbose {
        return shown.iter().map(|l| line(l.name, &whole(l))).collect();
    }
    let mut groups: Vec<Vec<&Lint>> = Vec::new();
    for lint in shown {
        match groups.iter_mut().find(|g| g[0].name == lint.name) {
            Some(group) => group.push(lint),
            None => groups.push(vec![lint]),
        }
    }
    let is_folded = groups.iter().any(|g| g.len() > 1);
    let is_long = groups.len() + usize::from(is_folded) > MOST;
    let mut rest = Vec::new();
    if is_long {
        // What ends in exit code 6 is read first.
        groups.sort_by_key(|g| !policy.denies(g[0].name));
        rest = groups.split_off(MOST - 2);
    }
    let mut out: Vec<String> = groups.iter().map(|g| line(g[0].name, &folded(g))).collect();
    if !rest.is_empty() {
        let names: Vec<&str> = rest.iter().map(|g| g[0].name.as_str()).collect();
        out.push(format!("warning: and {} more: {}", rest.len(), names.join(", ")));
    }
    if (is_folded || is_long) && !quiet {
        out.push("hint: --verbose prints each warning on a line of its own".to_owned());
    }
    out
}

/// A panel's name may be as long as any field of the file.
fn panel(lint: &Lint) -> Option<String> {
    lint.panel.as_deref().filter(|p| !p.is_empty()).map(clean)
}

fn whole(lint: &Lint) -> String {
    match panel(lint) {
        Some(panel) => format!("{panel}: {}", lint.message()),
        None => lint.message(),
    }
}

/// All warnings of one name as one text.
fn folded(group: &[&Lint]) -> String {
    let mut worst = group[0];
    for lint in group.iter().filter(|l| panel(l).is_some()) {
        // First on ties, or where counts do not compare.
        if panel(worst).is_none() || (lint.count > worst.count && noun(lint.name).is_some()) {
            worst = lint;
        }
    }
    let of_panels = group.iter().filter(|l| panel(l).is_some());
    let panels: BTreeSet<&str> = of_panels.clone().filter_map(|l| l.panel.as_deref()).collect();
    let total: u64 = of_panels.map(|l| l.count).sum();
    match group {
        [one] => whole(one),
        _ if panels.is_empty() => {
            let worst = group.iter().fold(group[0], |a, b| if b.count > a.count { b } else { a });
            match group {
                [a, b] if whole(a).len() + whole(b).len() <= SHORT => format!("{}; {}", whole(a), whole(b)),
                _ => format!("{}; and {} more", whole(worst), group.len() - 1),
            }
        }
        // The figure as a whole, then its panels.
        [first, rest @ ..] if panel(first).is_none() => match rest {
            [one] => format!("{}; {}", whole(first), whole(one)),
            _ => format!("{}, in {}; most in {}", whole(first), count(panels.len()), whole(worst)),
        },
        _ => match noun(group[0].name) {
            Some(noun) => format!("{total} {noun} in {}; most in {}", count(panels.len()), whole(worst)),
            // They come in order, the worst first.
            None if worst.name == LintName::UnusedRange => {
                format!("{}, least used in {}", count(panels.len()), whole(worst))
            }
            None => format!("{}, such as {}", count(panels.len()), whole(worst)),
        },
    }
}

fn count(panels: usize) -> String {
    match panels {
        1 => "1 panel".to_owned(),
        n => format!("{n} panels"),
    }
}

/// Counted noun of a warning, where sums of counts mean something.
fn noun(name: LintName) -> Option<&'static str> {
    Some(match name {
        LintName::Clipped
        | LintName::Absent
        | LintName::Nan
        | LintName::Masked
        | LintName::Infinite
        | LintName::Regressed
        | LintName::Vanished
        | LintName::Appeared
        | LintName::LowContrast => "cells",
        LintName::EmptyRow => "rows",
        LintName::EmptyColumn => "columns",
        LintName::HiddenExtremes => "pixels",
        LintName::TicksThinned | LintName::LabelsShortened => "labels",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many() -> Lints {
        let mut lints = Lints::default();
        for (i, name) in LintName::ALL.iter().enumerate() {
            for p in 0..65u64 {
                lints.add_panel(*name, &format!("p{p}"), (p * 7 + i as u64) % 65, format!("{name} of {p}"));
            }
        }
        lints
    }

    #[test]
    fn any_figure_has_a_dozen_lines_at_most() {
        let all = many();
        for end in [1, 64, 65, 66, 65 * 11, 65 * 12, 65 * 13, all.0.len()] {
            let lints = Lints(all.0[..end].to_vec());
            let lines = lines(&lints, &Policy::default(), false, false);
            assert!(lines.len() <= MOST, "{end}: {lines:#?}");
            let names: BTreeSet<_> = lints.0.iter().map(|l| l.name).collect();
            let has = |n: &LintName| lines.iter().any(|l| l.contains(n.as_str()));
            let shown = |n: &&LintName| Policy::default().shows(**n);
            assert!(names.iter().filter(shown).all(has), "{end}: {lines:#?}");
        }
        let shown = all.0.iter().filter(|l| Policy::default().shows(l.name)).count();
        assert_eq!(lines(&all, &Policy::default(), true, false).len(), shown);
    }

    #[test]
    fn what_is_denied_comes_first() {
        let policy = Policy { deny: vec![LintName::FontSizeClamped], ..Policy::default() };
        let long = lines(&many(), &policy, false, false);
        // Two names are denied unless they are allowed.
        assert!(long[2].starts_with("denied[font-size-clamped]: 65 panels, such as "), "{long:#?}");
        assert!(long[3].starts_with("warning[clipped]"), "{long:#?}");
        let quiet = lines(&many(), &policy, false, true);
        assert_eq!((quiet.len(), &quiet[..]), (3, &long[..3]));
    }

    #[test]
    fn a_line_counts_over_panels_and_names_the_worst() {
        let mut lints = Lints::default();
        lints.add(LintName::Clipped, 9, "9 of 80 cells lie beyond the limits");
        lints.add_panel(LintName::Clipped, "a", 2, "2 of 40 cells above vmax 1");
        lints.add_panel(LintName::Clipped, "b", 7, "7 of 40 cells above vmax 1");
        lints.add_panel(LintName::Nan, "a", 3, "3 of 40 cells have no value");
        lints.add_panel(LintName::Nan, "b", 3, "3 of 40 cells have no value");
        lints.add(LintName::Headers, 1, "column 3 has no name");
        assert_eq!(
            lines(&lints, &Policy::default(), false, false),
            [
                "warning[clipped]: 9 of 80 cells lie beyond the limits, in 2 panels; most in b: 7 of 40 cells above vmax 1",
                "warning[nan]: 6 cells in 2 panels; most in a: 3 of 40 cells have no value",
                "warning[headers]: column 3 has no name",
                "hint: --verbose prints each warning on a line of its own",
            ]
        );
    }
}

//! Messages on standard error, warnings as lines, reports, and the exit code of a run.

use super::args::RunArgs;
use gridscope_core::figure::LintSpec;
use gridscope_core::lint::{Lint, LintName, Lints, Policy};
use gridscope_core::output::{Output, abandon, is_same};
use gridscope_core::text::{clean, one_line, shorten, steers};
use gridscope_core::workers::detached;
use gridscope_draw::error::Error;
use gridscope_draw::report::escaped;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The most characters of an error or a hint; longer ones are shortened in the middle.
const LONGEST: usize = 4_000;

/// Why a command has no result.
pub(super) enum Failure {
    /// A stage failed.
    Run(Error),
    /// The command line is wrong; with a hint, exit code 2.
    Usage(String, Option<String>),
}

impl Failure {
    /// A wrong command line.
    pub(super) fn usage(what: impl Into<String>) -> Self {
        Failure::Usage(what.into(), None)
    }

    /// The same with a hint; the error of a stage has its own.
    #[must_use]
    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        match self {
            Failure::Usage(what, _) => Failure::Usage(what, Some(hint.into())),
            run @ Failure::Run(_) => run,
        }
    }
}

impl Failure {
    /// What helps, if that is known.
    pub(super) fn hint(&self) -> Option<&str> {
        match self {
            Failure::Run(e) => e.hint(),
            Failure::Usage(_, hint) => hint.as_deref(),
        }
    }
}

impl From<Error> for Failure {
    fn from(e: Error) -> Self {
        Failure::Run(e)
    }
}

impl From<gridscope_read::InputError> for Failure {
    fn from(e: gridscope_read::InputError) -> Self {
        Failure::Run(e.into())
    }
}

/// The message of a failure, without its hint.
pub(super) fn failure_text(failure: &Failure) -> String {
    match failure {
        Failure::Run(e) => e.to_string(),
        Failure::Usage(what, _) => what.clone(),
    }
}

/// Prints a line on standard error. If that is closed, nothing happens, where `eprintln!` would panic.
pub(super) fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints `error: …` and the hint, and returns the exit code as a number.
pub(super) fn report(failure: &Failure) -> u8 {
    // A signal or the end of the time may have made it fail.
    gridscope_core::output::let_end();
    let code = match failure {
        Failure::Run(e) => e.exit_code(),
        Failure::Usage(..) => 2,
    };
    // They may repeat a column's name or a key's value, which have any length.
    let short = |text: &str| one_line(&shorten(text, LONGEST));
    line(&format!("error: {}", short(&failure_text(failure))));
    if let Some(h) = failure.hint() {
        line(&format!("hint: {}", short(h)));
    }
    code
}

/// Which lints are shown and denied, by the flags and the figure's keys together.
pub(super) fn policy(run: &RunArgs, spec: &LintSpec) -> Policy {
    Policy {
        strict: run.strict,
        deny: [&run.deny[..], &spec.deny].concat(),
        allow: [&run.allow[..], &spec.allow].concat(),
    }
}

/// Prints the lints that the policy shows, and returns 6 if one of them is denied, otherwise 0.
pub(super) fn lints(lints: &Lints, policy: &Policy, run: &RunArgs) -> u8 {
    lines(lints, policy, run.verbose, run.quiet).iter().for_each(|text| line(text));
    let denied = lints.0.iter().any(|l| policy.shows(l.name) && policy.denies(l.name));
    if denied { 6 } else { 0 }
}

/// The opened output of a report, and its path.
pub(super) type Report = (Output, PathBuf);

/// Opens the output of `--json`, before any work is done for it.
pub(super) fn json_output(run: &RunArgs, pictures: &[PathBuf]) -> Result<Option<Report>, Failure> {
    let Some(target) = &run.json else { return Ok(None) };
    let path = target.clone().unwrap_or_else(|| PathBuf::from("-"));
    if path == Path::new("-") && pictures.contains(&path) {
        return Err(Failure::usage("the picture and --json cannot both go to standard output")
            .with_hint("--json=FILE"));
    }
    if pictures.iter().any(|p| is_same(p, &path)) {
        return Err(Failure::usage(format!("{}: the picture and --json are one file", path.display())));
    }
    let output = Output::open(&path).map_err(|e| Error::output(&path, e))?;
    Ok(Some((output, path)))
}

/// Writes the report.
pub(super) fn write_json(output: Option<Report>, value: &Value) -> Result<(), Failure> {
    if let Some((output, path)) = output {
        // Control characters of texts are escaped: they must not reach a terminal, and read back the same.
        let text = escaped(&format!("{value:#}\n"), |c| steers(c) && c != '\n');
        output.put(text.as_bytes()).map_err(|e| Error::output(path, e))?;
    }
    Ok(())
}

/// Writes text to standard output; a closed pipe is an error, not a panic.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let path = PathBuf::from("-");
    let output = Output::open(&path).map_err(|e| Error::output(&path, e))?;
    output.put(text.as_bytes()).map_err(|e| Error::output(path, e))?;
    Ok(())
}

/// Limits the time of the run, whose first file is `file`: after the seconds of `--timeout` it ends with exit code 7.
pub(super) fn limit_time(run: &RunArgs, file: Option<&String>) -> Result<(), Failure> {
    let Some(seconds) = run.timeout else { return Ok(()) };
    if !(seconds > 0.0 && seconds < 1e9) {
        return Err(Failure::usage(format!("--timeout {seconds}: give seconds above 0")));
    }
    let about = file.map_or(String::new(), |f| format!("{}: ", one_line(f)));
    let ends = move || {
        std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
        abandon(|| {
            #[cfg(unix)]
            super::preview::ask::restore();
            line(&format!("error: {about}not done after {seconds} seconds (--timeout)"));
            std::process::exit(7)
        });
    };
    if detached(ends).is_err() && !run.quiet {
        line("note: the time is not limited: no thread can be started for --timeout");
    }
    Ok(())
}

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

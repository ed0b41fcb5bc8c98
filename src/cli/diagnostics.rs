//! Messages on standard error, reports, and the exit code of a run.

use super::args::RunArgs;
use super::warnings;
use gridscope_core::figure::LintSpec;
use gridscope_core::lint::{Lints, Policy};
use gridscope_core::output::{Output, abandon, is_same};
use gridscope_core::text::{one_line, shorten, steers};
use gridscope_core::workers::detached;
use gridscope_draw::error::Error;
use gridscope_draw::report::escaped;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The most characters of an error or a hint; longer ones are shortened in the middle.
const LONGEST: usize = 4_000;

/// Why a command has no result.
pub(super) enum Failure {
    /// A stage failed.
    Run(Error),
    /// The command line is wrong, and what may help; exit code 2.
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
pub(super) fn text(failure: &Failure) -> String {
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
    let (hint, code) = match failure {
        Failure::Run(e) => (e.hint().map(str::to_owned), e.exit_code()),
        Failure::Usage(_, hint) => (hint.clone(), 2),
    };
    // They may repeat a column's name or a key's value, which have any length.
    let short = |text: &str| one_line(&shorten(text, LONGEST));
    line(&format!("error: {}", short(&text(failure))));
    if let Some(h) = hint {
        line(&format!("hint: {}", short(&h)));
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
    warnings::lines(lints, policy, run.verbose, run.quiet).iter().for_each(|text| line(text));
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
            line(&format!("error: {about}not done after {seconds} seconds (--timeout)"));
            std::process::exit(7)
        });
    };
    if detached(ends).is_err() && !run.quiet {
        line("note: the time is not limited: no thread can be started for --timeout");
    }
    Ok(())
}

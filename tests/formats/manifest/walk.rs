//! One test for the whole manifest, a child process a file; then `info` and `check` over the same files.

use super::asked::answers;
use super::expect::{Outcome, expected};
use crate::support::corpus::corpus;
use crate::support::limited::each;
use crate::support::place::Place;
use crate::support::program::Ran;
use std::path::{Path, PathBuf};

/// A line of the manifest.
struct Line {
    name: String,
    path: PathBuf,
    outcome: Outcome,
}

/// All lines, and what could not be understood of them.
fn lines(root: &Path) -> (Vec<Line>, Vec<String>) {
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap_or_default();
    let text = std::fs::read_to_string(root.join("manifest.tsv")).unwrap();
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for fields in text.lines().skip(1).map(|l| l.split('\t').collect::<Vec<_>>()) {
        let (name, path) = (fields[0].to_owned(), root.join(fields[0]));
        if !path.exists() {
            unknown.push(format!("{name}: is not there"));
            continue;
        }
        match expected(&path, &name, fields[3], &readme) {
            Ok(outcome) => known.push(Line { name, path, outcome }),
            Err(e) => unknown.push(e),
        }
    }
    (known, unknown)
}

/// Whether an error names a line and a column.
fn placed(err: &str) -> bool {
    let number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    err.split_once(": line ")
        .is_some_and(|(_, r)| number(r) && r.split_once(", column ").is_some_and(|(_, r)| number(r)))
}

fn says(err: &str, words: &[String]) -> bool {
    words.iter().any(|w| if w == "#" { placed(err) } else { err.contains(w.as_str()) })
}

/// Whether a file is drawn, at once or by one of the answers to what is asked.
fn drawn(place: &Place, line: &Line, first: &Ran) -> Result<bool, String> {
    if first.code != Some(2) {
        return Ok(first.code == Some(0));
    }
    for options in answers(&first.err) {
        if place.limited("render", &line.path, &options)?.code == Some(0) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn walk(place: &Place, line: &Line) -> Result<(), String> {
    let ran = place.limited("render", &line.path, &[])?;
    let right = match &line.outcome {
        Outcome::Drawn(reasons) => {
            drawn(place, line, &ran)? || ran.code == Some(3) && says(&ran.err, reasons)
        }
        Outcome::Refused(words) => {
            matches!(ran.code, Some(3 | 7)) && (words.is_empty() || says(&ran.err, words))
        }
        Outcome::Either => true,
    };
    let named = ran.code == Some(0) || ran.err.starts_with(&format!("error: {}: ", line.path.display()));
    if right && named {
        Ok(())
    } else {
        Err(format!("{}: {:?}: exit code {:?}: {}", line.name, line.outcome, ran.code, ran.err))
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn every_line_of_the_manifest_gets_what_it_says() {
    let root = corpus();
    let (known, mut wrong) = lines(&root);
    assert!(known.len() > 400, "{} lines", known.len());
    wrong.extend(each(&known, walk));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), known.len(), wrong.join("\n"));
    // What every file may get says nothing of the reader: most lines ask for one thing.
    let strict = known.iter().filter(|l| l.outcome != Outcome::Either).count();
    assert!(strict * 3 > known.len() * 2, "{strict} of {}", known.len());
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn info_and_check_end_as_render_does() {
    let root = corpus();
    let (known, _) = lines(&root);
    let wrong = each(&known, |place, line| {
        let render = place.limited("render", &line.path, &[])?;
        for command in ["info", "check"] {
            let ran = place.limited(command, &line.path, &[])?;
            let shown =
                command == "check" || ran.text().contains(" rows x ") && ran.text().contains(" columns");
            if ran.code != render.code || ran.code == Some(0) && !shown {
                return Err(format!(
                    "{command} {}: {:?}, not {:?}: {}{}",
                    line.name,
                    ran.code,
                    render.code,
                    ran.text(),
                    ran.err
                ));
            }
        }
        Ok(())
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), known.len(), wrong.join("\n"));
}

//! What JMH prints: a line for each benchmark under a line of names, which may stand among others. It is rewritten as CSV.

use super::reader::{Contents, Input};
use super::rewritten::{of_named_csv, quoted};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::table::count;
use gridscope_core::lint::LintName;

/// Whether a text has a line of names of JMH, and a benchmark under it.
pub(super) fn is_jmh(head: &Head) -> bool {
    let Some(text) = head.lines() else { return false };
    let mut names = None;
    text.lines().any(|line| match header(line) {
        Some(found) => {
            names = Some(found);
            false
        }
        None => names.as_ref().is_some_and(|names| result(line, names).is_some()),
    })
}

/// A line without what build tools put before it.
fn own(line: &str) -> &str {
    line.trim_start().trim_start_matches("[info]").trim()
}

/// The names of the parameters of benchmarks in a line of names.
fn header(line: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = own(line).split_whitespace().collect();
    let [first, rest @ ..] = words.as_slice() else { return None };
    let end = rest.iter().position(|word| *word == "Mode")?;
    let (names, after) = rest.split_at(end);
    let is_name = |name: &&str| name.starts_with('(') && name.ends_with(')');
    let are_known = matches!(
        after,
        ["Mode", "Cnt" | "Samples", "Score", "Error", "Units"]
            | ["Mode", "Score", "Units"]
            | ["Mode", "Cnt" | "Samples", "Score", "Units"]
    );
    let name = |name: &&'_ str| name.len();
    (*first == "Benchmark" && are_known && names.iter().all(is_name) && names.iter().map(name).all(|n| n > 2))
        .then(|| names.iter().map(|name| &name[1..name.len() - 1]).collect())
}

/// A benchmark: its name and parameters, and its mode, count, score, error and unit, which may be blank.
fn result<'l>(line: &'l str, names: &[&str]) -> Option<(Vec<&'l str>, [&'l str; 5])> {
    let words: Vec<&str> = own(line).split_whitespace().collect();
    // Java writes numbers as its place does.
    let is_number = |word: &str| word == "NaN" || number(word).parse::<f64>().is_ok();
    let (before, error, unit) = match words.as_slice() {
        [before @ .., "±" | "+-" | "?", error, unit] if is_number(error) => (before, *error, *unit),
        [before @ .., unit] => (before, "", *unit),
        [] => return None,
    };
    let (before, score) = match before {
        [before @ .., "≈", score] => (before, *score),
        [before @ .., score] => (before, *score),
        [] => return None,
    };
    let (keys, mode, samples) = match before {
        [keys @ .., mode, samples] if samples.parse::<u64>().is_ok() && keys.len() == 1 + names.len() => {
            (keys, *mode, *samples)
        }
        [keys @ .., mode] => (keys, *mode, ""),
        [] => return None,
    };
    (MODES.contains(&mode) && keys.len() == 1 + names.len() && (is_number(score) || power(score).is_some()))
        .then(|| (keys.to_vec(), [mode, samples, score, error, unit]))
}

/// The benchmarks of all runs, a row each, which keeps the number of its line.
///
/// # Errors
/// No UTF-8, and as for other tables of text.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let file = input.request.file;
    let (bytes, held) = input.bytes()?;
    let text = text_from(&bytes, 0, file)?;
    let named: Vec<Vec<&str>> = text.lines().filter_map(header).collect();
    // Of several runs, the parameters of all.
    let mut parameters: Vec<&str> = Vec::new();
    named.iter().flatten().for_each(|name| {
        if parameters.len() < MOST && !parameters.contains(name) {
            parameters.push(name);
        }
    });
    let (mut csv, mut names, mut others, mut lost, mut is_first) = (String::new(), None, 0, 0, true);
    for line in text.lines() {
        if let Some(found) = header(line) {
            if std::mem::take(&mut is_first) {
                let all: Vec<String> = parameters.iter().map(|name| quoted(name)).collect();
                let all = all.iter().map(|name| format!("{name},")).collect::<String>();
                csv.push_str(&format!("Benchmark,{all}Mode,Cnt,Score,Error,Units"));
            }
            names = Some(found);
        } else if let Some((names, (keys, values))) =
            names.as_ref().and_then(|names| Some((names, result(line, names)?)))
        {
            let of = |parameter: &&str| {
                let at = names.iter().position(|name| name == parameter);
                quoted(at.map_or("", |at| keys[at + 1]))
            };
            let mut cells = vec![quoted(keys[0])];
            cells.extend(parameters.iter().map(of));
            let score = power(values[2]).unwrap_or_else(|| number(values[2]));
            cells.extend([values[0], values[1], &score, &number(values[3]), values[4]].map(quoted));
            csv.push_str(&cells.join(","));
        } else {
            others += usize::from(!line.trim().is_empty());
            let has_mode = own(line).split_whitespace().skip(1).any(|word| MODES.contains(&word));
            lost += usize::from(names.is_some() && has_mode);
        }
        csv.push('\n');
    }
    if lost > 0 {
        let what = format!("{file}: {} of benchmarks cannot be read", count(lost, "line"));
        input.lints.add(LintName::ShortRows, lost as u64, what);
    }
    held.keep();
    of_named_csv(csv, format!("{file}: benchmarks of JMH, {}", count(others, "other line")), input)
}

/// A score that is only an order of magnitude, `10⁻³`, as a number.
fn power(score: &str) -> Option<String> {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let digit = |c: char| match c {
        '⁻' => Some('-'),
        c => char::from_digit(RAISED.chars().position(|raised| raised == c)? as u32, 10),
    };
    let exponent: Option<String> = score.strip_prefix("10")?.chars().map(digit).collect();
    exponent.filter(|exponent| exponent.parse::<i32>().is_ok()).map(|exponent| format!("1e{exponent}"))
}

/// A number with a point before its decimals, where a comma is the only sign in it, and without signs between its thousands.
fn number(word: &str) -> String {
    match (word.contains('.'), word.matches(',').count()) {
        (false, 1) => word.replace(',', "."),
        _ => word.replace([',', '\u{a0}', '\u{202f}'], ""),
    }
}

/// What is measured of a benchmark.
const MODES: [&str; 5] = ["thrpt", "avgt", "sample", "ss", "all"];
/// Parameters of all benchmarks of a text.
const MOST: usize = 64;

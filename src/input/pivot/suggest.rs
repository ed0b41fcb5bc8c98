//! Which columns of a table could be x, y, value and panel.

use super::profile::{ColumnKind, Profile, profiles};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::table::{TableSource, count};
use std::cmp::Reverse;
use std::sync::Arc;

/// Names of columns that repeat a measurement rather than place it.
const REPEATS: [&str; 10] = [
    "seed",
    "run",
    "trial",
    "fold",
    "repeat",
    "rep",
    "replicate",
    "split",
    "iteration",
    "id",
];
/// Parts of the names of measurements.
const MEASURES: [&str; 16] = [
    "score",
    "acc",
    "loss",
    "value",
    "error",
    "f1",
    "auc",
    "auroc",
    "pass",
    "reward",
    "bleu",
    "rouge",
    "perplexity",
    "metric",
    "latency",
    "ece",
];
/// Panels a figure still holds.
const MAX_PANELS: usize = 24;

/// The refusal of a table whose columns say nothing: lists them, and proposes x, y, value and panel. It takes one pass
/// over the rows.
pub(super) fn ask_for_columns(table: &dyn TableSource, why: &str, budget: &Arc<Budget>) -> InputError {
    let (profiles, rows) = match profiles(table, why, budget) {
        Ok(read) => read,
        Err(fault) => return fault,
    };
    let mut list: Vec<String> = profiles
        .iter()
        .take(20)
        .map(|p| format!("{} ({}, {} distinct)", p.name, p.kind.word(), p.distinct))
        .collect();
    if profiles.len() > 20 {
        list.push(format!("… ({} in all)", count(profiles.len(), "column")));
    }
    let hint = suggest(&profiles, rows)
        .unwrap_or_else(|| "--x COL --y COL --value COL, or --table wide|matrix".to_owned());
    InputError::usage(
        &table.schema().file,
        format!("{why}; columns: {}", list.join(", ")),
    )
    .with_hint(hint)
}

/// The options for what is most likely a tidy table of these columns and rows.
fn suggest(profiles: &[Profile], rows: usize) -> Option<String> {
    let of = |i: usize| &profiles[i];
    let name = |i: usize| of(i).name.to_lowercase();
    let is_measure = |i: usize| of(i).distinct > 1 && MEASURES.iter().any(|m| name(i).contains(m));
    let value = (0..profiles.len())
        .filter(|&i| of(i).kind.is_number())
        .max_by_key(|&i| (is_measure(i), of(i).kind, of(i).distinct, i))?;
    // An axis repeats its keys: each is in two rows at least.
    let repeats = |i: usize| REPEATS.contains(&name(i).as_str());
    let is_key = |i: &usize| *i != value && (2..=rows / 2).contains(&of(*i).distinct) && !repeats(*i);
    let (mut numbers, mut texts): (Vec<usize>, Vec<usize>) = (0..profiles.len())
        .filter(is_key)
        .partition(|&i| of(i).kind.is_number() || of(i).kind == ColumnKind::Time);
    let (mut x, y) = if numbers.len() >= 2 {
        // The two with the most keys, the later of them along x.
        numbers.sort_by_key(|&i| (Reverse(of(i).distinct), i));
        texts.extend(numbers.split_off(2));
        (vec![numbers[0].max(numbers[1])], numbers[0].min(numbers[1]))
    } else {
        let most = |i: &&usize| (of(**i).kind == ColumnKind::Unit, of(**i).distinct);
        let y = *texts.iter().max_by_key(most)?;
        texts.retain(|&i| i != y);
        (numbers, y)
    };
    let fewest = texts.iter().copied().min_by_key(|&i| of(i).distinct);
    let panel = if x.is_empty() {
        fewest.filter(|_| texts.len() > 1)
    } else {
        fewest.filter(|&i| of(i).distinct <= MAX_PANELS)
    };
    if x.is_empty() {
        x.extend(texts.into_iter().filter(|&i| Some(i) != panel));
    }
    if x.is_empty() {
        return None;
    }
    let names = |columns: &[usize]| {
        let names: Vec<String> = columns.iter().map(|&i| of(i).name.replace(',', "\\,")).collect();
        quoted(&names.join(","))
    };
    let panel = panel.map_or_else(String::new, |p| format!(" --panel {}", quoted(&of(p).name)));
    let (x, y, value) = (names(&x), names(&[y]), names(&[value]));
    Some(format!("--x {x} --y {y} --value {value}{panel}"))
}

/// A text as a shell takes it.
fn quoted(text: &str) -> String {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/' | ':' | '%' | '@' | '+');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(name: &str, kind: ColumnKind, distinct: usize) -> Profile {
        Profile {
            name: name.into(),
            kind,
            distinct,
        }
    }

    #[test]
    fn suggestions_are_what_a_person_would_choose() {
        use ColumnKind::{Integer, Number, Text, Time, Unit};
        let of = |profiles: &[Profile], rows| suggest(profiles, rows).unwrap();
        let sweep = [
            p("dataset", Text, 4),
            p("window", Integer, 4),
            p("ratio", Number, 5),
            p("pass1", Number, 60),
        ];
        assert_eq!(
            of(&sweep, 80),
            "--x ratio --y window --value pass1 --panel dataset"
        );
        let progress = [
            p("benchmark", Text, 8),
            p("size", Unit, 6),
            p("progress", Number, 26),
            p("accuracy", Number, 900),
        ];
        assert_eq!(
            of(&progress, 1248),
            "--x progress --y size --value accuracy --panel benchmark"
        );
        let topics = [
            p("metric", Text, 2),
            p("topic", Text, 57),
            p("model", Text, 6),
            p("method", Text, 4),
            p("value", Number, 2000),
        ];
        assert_eq!(
            of(&topics, 2736),
            "--x model,method --y topic --value value --panel metric"
        );
        let seeds = [
            p("lr", Number, 4),
            p("batch size", Integer, 3),
            p("seed", Integer, 5),
            p("loss", Number, 60),
        ];
        assert_eq!(of(&seeds, 60), "--x 'batch size' --y lr --value loss");
        let needle = [
            p("context_length", Integer, 35),
            p("depth_percent", Number, 50),
            p("version", Integer, 2),
            p("score", Integer, 5),
        ];
        assert_eq!(
            of(&needle, 1850),
            "--x depth_percent --y context_length --value score --panel version"
        );
        let loads = [p("day", Time, 30), p("host", Text, 6), p("load", Number, 170)];
        assert_eq!(of(&loads, 180), "--x day --y host --value load");
        assert_eq!(suggest(&[p("name", Text, 9), p("v", Number, 9)], 9), None);
    }

    #[test]
    fn names_are_quoted_for_a_shell() {
        assert_eq!(
            (quoted("a b"), quoted("it's"), quoted("")),
            ("'a b'".into(), "'it'\\''s'".into(), "''".into())
        );
    }
}

//! Which columns of a table could be x, y, value and panel.

use super::profile::{Content, Profile, profiles};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::table::{TableSource, count};
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
pub fn ask_for_columns(table: &dyn TableSource, why: &str, budget: &Arc<Budget>) -> InputError {
    let (profiles, rows) = match profiles(table, why, budget) {
        Ok(read) => read,
        Err(fault) => return fault,
    };
    let mut list: Vec<String> = profiles
        .iter()
        .take(20)
        .map(|p| format!("{} ({}, {} distinct)", p.name, p.content.word(), p.distinct))
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

fn suggest(profiles: &[Profile], rows: usize) -> Option<String> {
    let measures = |p: &Profile| p.distinct > 1 && MEASURES.iter().any(|m| p.name.to_lowercase().contains(m));
    let rank = |i: &usize| {
        (
            measures(&profiles[*i]),
            profiles[*i].content,
            profiles[*i].distinct,
            *i,
        )
    };
    let value = (0..profiles.len())
        .filter(|&i| profiles[i].content.is_number())
        .max_by_key(rank)?;
    // An axis repeats its keys: each is in two rows at least.
    let repeats = |p: &Profile| REPEATS.contains(&p.name.to_lowercase().as_str());
    let places =
        |i: &usize| profiles[*i].distinct > 1 && profiles[*i].distinct * 2 <= rows && !repeats(&profiles[*i]);
    let keys: Vec<usize> = (0..profiles.len())
        .filter(|&i| i != value)
        .filter(places)
        .collect();
    let (mut numbers, mut texts): (Vec<usize>, Vec<usize>) =
        keys.iter().partition(|&&i| profiles[i].content.is_number());
    let most = |c: &[usize]| {
        c.iter()
            .copied()
            .max_by_key(|&i| (profiles[i].content == Content::Unit, profiles[i].distinct))
    };
    let fewest = |c: &[usize]| c.iter().copied().min_by_key(|&i| profiles[i].distinct);
    let mut x = Vec::new();
    let y;
    if numbers.len() >= 2 {
        // The two with the most keys, the later of them along x.
        numbers.sort_by_key(|&i| (std::cmp::Reverse(profiles[i].distinct), i));
        texts.extend(numbers.split_off(2));
        x.push(numbers[0].max(numbers[1]));
        y = numbers[0].min(numbers[1]);
    } else {
        y = most(&texts)?;
        texts.retain(|&i| i != y);
        x.extend(&numbers);
    }
    let mut panel = None;
    if x.is_empty() {
        if texts.len() > 1 {
            panel = fewest(&texts);
        }
        x.extend(texts.iter().filter(|&&i| Some(i) != panel));
    } else {
        panel = fewest(&texts).filter(|&i| profiles[i].distinct <= MAX_PANELS);
    }
    if x.is_empty() {
        return None;
    }
    let names = |c: &[usize]| {
        quoted(
            &c.iter()
                .map(|&i| profiles[i].name.replace(',', "\\,"))
                .collect::<Vec<_>>()
                .join(","),
        )
    };
    let mut line = format!(
        "--x {} --y {} --value {}",
        names(&x),
        names(&[y]),
        names(&[value])
    );
    if let Some(p) = panel {
        line.push_str(&format!(" --panel {}", quoted(&profiles[p].name)));
    }
    Some(line)
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

    fn p(name: &str, content: Content, distinct: usize) -> Profile {
        Profile {
            name: name.into(),
            content,
            distinct,
        }
    }

    #[test]
    fn suggestions_are_what_a_person_would_choose() {
        use Content::{Integer, Number, Text, Unit};
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

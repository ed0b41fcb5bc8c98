//! What the columns of a table hold, and which of them could be x, y and value.

use super::batch::{Cells, Part, Table};
use super::budget::Budget;
use super::csv::Records;
use super::error::InputError;
use super::field::{Field, is_beyond, parse_number};
use super::keys::one_number_each;
use super::ordered::{Give, in_order, waiting};
use super::schema::count;
use crate::grid::Number;
use std::collections::HashSet;

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
/// Bytes that a row takes while its texts are told apart.
const DISTINCT: u64 = 64;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// No value at all.
    Empty,
    /// Anything.
    Text,
    /// Numbers with a shared unit.
    Unit,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
}

impl Content {
    fn word(self) -> &'static str {
        match self {
            Content::Empty => "empty",
            Content::Text => "text",
            Content::Unit => "number with unit",
            Content::Integer => "integer",
            Content::Number => "number",
        }
    }

    fn is_number(self) -> bool {
        self >= Content::Integer
    }
}

/// A column in short.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    name: String,
    content: Content,
    distinct: usize,
}

/// Whether a column holds numbers and missing values only; `None` where it holds no number either.
pub fn is_numeric(records: &Records, column: usize) -> Option<bool> {
    holds_numbers(
        &Cells::Texts((0..records.len()).map(|row| records.get(row, column)).collect()),
        records.len(),
        &records.schema.missing,
    )
}

/// Those of some columns that hold numbers and missing values only, and a number at least, in all of the tables together.
///
/// # Errors
/// What the rows are at fault with.
pub fn numeric_columns(
    tables: &[&dyn Table],
    columns: &[usize],
    budget: &Budget,
) -> Result<Vec<usize>, InputError> {
    let mut found = vec![None; columns.len()];
    for table in tables {
        let mut parts = table.parts();
        let look = |(): &mut (), mut part: Box<dyn Part + '_>, give: &mut Give<Vec<Option<bool>>>| {
            while let Some(batch) = part.next(columns)? {
                let of = |cells| holds_numbers(cells, batch.rows, &table.schema().missing);
                give(batch.columns.iter().map(of).collect())?;
            }
            Ok(())
        };
        let join = |_, new: Vec<Option<bool>>| {
            // A text stays one whatever further rows hold.
            found
                .iter_mut()
                .zip(new)
                .filter(|f| *f.0 != Some(false))
                .for_each(|(f, n)| *f = n.or(*f));
            Ok(())
        };
        let threads = table.threads();
        let most = waiting(threads).min(budget.shares((threads * columns.len().max(1)) as u64));
        in_order((threads, most), || parts.next().transpose(), || (), look, join)?;
    }
    Ok(columns
        .iter()
        .zip(found)
        .filter(|f| f.1 == Some(true))
        .map(|f| *f.0)
        .collect())
}

/// Whether cells are numbers and missing values only; `None` where none is a number either.
fn holds_numbers(cells: &Cells, rows: usize, missing: &[String]) -> Option<bool> {
    let mut number = None;
    for row in 0..rows {
        match cells.field(row, missing) {
            // What f64 does not hold is refused by its row, not with its column.
            Field::Text if !is_beyond(&cells.text(row)) => return Some(false),
            Field::Text => number = Some(true),
            Field::Number(_) => number = Some(true),
            Field::Missing => {}
        }
    }
    number
}

/// Whether all texts of a column differ.
pub fn all_differ(records: &Records, column: usize) -> bool {
    let mut seen = HashSet::with_capacity(records.len());
    (0..records.len()).all(|row| seen.insert(records.get(row, column)))
}

fn profile(records: &Records, column: usize) -> Profile {
    let distinct: HashSet<&str> = (0..records.len())
        .map(|row| records.get(row, column))
        .filter(|t| !t.is_empty())
        .collect();
    let whole = || {
        let number = |t: &&str| parse_number(t);
        distinct
            .iter()
            .filter_map(number)
            .all(|n| !matches!(n, Number::F64(_)))
    };
    let content = match is_numeric(records, column) {
        None => Content::Empty,
        Some(true) if whole() => Content::Integer,
        Some(true) => Content::Number,
        Some(false) => {
            let labels: Vec<String> = distinct.iter().take(1000).map(|t| (*t).to_owned()).collect();
            if one_number_each(&labels).is_some() {
                Content::Unit
            } else {
                Content::Text
            }
        }
    };
    Profile {
        name: records.schema.headers[column].clone(),
        content,
        distinct: distinct.len(),
    }
}

/// The refusal of a table whose columns say nothing: lists them, and proposes x, y, value and panel.
pub fn ask_for_columns(records: &Records, why: &str) -> InputError {
    let _distinct = match records
        .budget()
        .hold(DISTINCT.saturating_mul(records.len() as u64))
    {
        Ok(taken) => taken,
        Err(short) => {
            return short.of(
                &records.schema.file,
                format_args!("{why}, but to tell what its columns hold"),
            );
        }
    };
    let profiles: Vec<Profile> = (0..records.width()).map(|c| profile(records, c)).collect();
    let mut list: Vec<String> = profiles
        .iter()
        .take(20)
        .map(|p| format!("{} ({}, {} distinct)", p.name, p.content.word(), p.distinct))
        .collect();
    if profiles.len() > 20 {
        list.push(format!("… ({} in all)", count(profiles.len(), "column")));
    }
    let hint = suggest(&profiles, records.len())
        .unwrap_or_else(|| "--x COL --y COL --value COL, or --table wide|matrix".to_owned());
    InputError::usage(
        &records.schema.file,
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
    // An axis repeats its keys: each stands in two rows at least.
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

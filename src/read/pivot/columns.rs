//! The columns of a wide table: by names and patterns, or by what they hold.

use super::explain::explained;
use super::numerals::{unclear, verdicts};
use super::profile::{all_differ, numeric};
use super::row_names::{counts_rows, numbers_rows, numbers_things};
use super::units::report_units;
use super::wide::WideColumns;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::shown;
use crate::numeral::{Found, Numeral, Verdict};
use crate::pattern::is_match;
use crate::table::{Schema, TableSource, count, listed};
use crate::value::no_number;
use gridscope_core::figure::{Data, List};
use gridscope_core::lint::{LintName, Lints};
use std::sync::Arc;

/// The columns that names and patterns such as `acc*` say, in the order of the names; a pattern is all columns that it
/// matches but those of `keys`. What patterns match is in the order of the file.
///
/// # Errors
/// A name of no column, and a pattern that none matches.
pub(super) fn named(List(names): &List, keys: &[usize], schema: &Schema) -> Result<Vec<usize>, InputError> {
    // Each column, and whether a pattern matched it.
    let mut columns: Vec<(usize, bool)> = Vec::new();
    let mut taken = vec![false; schema.width()];
    keys.iter().for_each(|&key| taken[key] = true);
    for name in names {
        let one = schema.column(name);
        if one.is_ok() || !name.contains(['*', '?']) {
            let column = one?;
            taken[column] = true;
            columns.push((column, false));
            continue;
        }
        let mut matched = false;
        for (column, header) in schema.headers.iter().enumerate() {
            if is_match(name, header, None) {
                matched = true;
                if !std::mem::replace(&mut taken[column], true) {
                    columns.push((column, true));
                }
            }
        }
        if !matched {
            let what = format!("no column matches {}", shown(name));
            return Err(InputError::usage(&schema.file, what)
                .with_hint(format!("columns: {}", listed(&schema.headers))));
        }
    }
    let mut matched: Vec<usize> = columns.iter().filter(|c| c.1).map(|c| c.0).collect();
    matched.sort_unstable();
    let mut matched = matched.into_iter();
    let in_place = |(column, by_pattern)| {
        if by_pattern { matched.next().unwrap_or(column) } else { column }
    };
    Ok(columns.into_iter().map(in_place).collect())
}

/// Content of a column, as far as it matters to a wide table.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    Empty,
    /// Numbers, written by this rule if not as plain ones.
    Numbers(Option<Numeral>),
    Texts,
    /// Numbers, and this text among them.
    Stray(Found),
    /// Numbers by no one rule: why, and what to do.
    Unclear(String, String),
}

impl Content {
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Content::Numbers(_))
    }

    pub(super) fn is_stray(&self) -> bool {
        matches!(self, Content::Stray(_))
    }

    /// Whether it is numbers but for a few texts; `None` where it holds nothing.
    pub(super) fn nearly_numeric(&self) -> Option<bool> {
        self.numeric().map(|is| is || self.is_stray())
    }

    /// Whether it is numbers; `None` where it holds nothing.
    pub(super) fn numeric(&self) -> Option<bool> {
        (*self != Content::Empty).then(|| self.is_number())
    }
}

/// Content of each column, as far as `numeric` gives it: plain numbers, or texts of any kind.
pub(super) fn plain_contents(numeric: &[Option<bool>]) -> Vec<Content> {
    let content = |numeric: &Option<bool>| match numeric {
        None => Content::Empty,
        Some(true) => Content::Numbers(None),
        Some(false) => Content::Texts,
    };
    numeric.iter().map(content).collect()
}

/// Content of each column; `numeric` says which hold plain numbers.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn contents(
    table: &dyn TableSource,
    numeric: &[Option<bool>],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<Content>, InputError> {
    let is_open = |&c: &usize| numeric[c].is_some_and(|n| !n || table.schema().is_suspect(c));
    let texts: Vec<usize> = (0..numeric.len()).filter(is_open).collect();
    let looked = verdicts(&[table], &texts, data, budget)?;
    let mut contents = plain_contents(numeric);
    for (column, verdict) in texts.into_iter().zip(looked) {
        contents[column] = match verdict {
            Verdict::Written(numeral) => Content::Numbers(Some(numeral)),
            Verdict::Plain => Content::Numbers(None),
            Verdict::Stray(found) => Content::Stray(found),
            Verdict::Unclear(what, hint) => Content::Unclear(what, hint),
            Verdict::Empty | Verdict::Texts => Content::Texts,
        };
    }
    Ok(contents)
}

/// A wide table, with the columns of its labels and its numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    pub columns: WideColumns,
    /// How numbers are written, of columns where they are not plain.
    pub numerals: Vec<(usize, Numeral)>,
    /// Warnings about columns that are left out.
    pub lints: Lints,
}

impl Choice {
    /// All columns; the first are the labels if it is `labelled`.
    pub(super) fn all(contents: &[Content], labelled: bool) -> Self {
        let columns = WideColumns::all(contents.len(), labelled);
        Self { numerals: numerals_of(contents, &columns.values), columns, lints: Lints::default() }
    }
}

fn numerals_of(contents: &[Content], columns: &[usize]) -> Vec<(usize, Numeral)> {
    let of = |&c: &usize| match contents[c] {
        Content::Numbers(Some(numeral)) => Some((c, numeral)),
        _ => None,
    };
    columns.iter().filter_map(of).collect()
}

/// The columns of a wide table by what they hold: the labels, unless given, are the first texts that all differ, and the
/// values all columns of numbers but those before the labels that only number the rows. Others are left out and reported.
/// `None` where no column labels the rows or fewer than `least` hold numbers.
///
/// # Errors
/// A column with a text among its numbers, whatever is wrong with the rows, too little memory.
pub(super) fn choose(
    table: &dyn TableSource,
    (contents, data): (&[Content], &Data),
    (label, mut least): (Option<usize>, usize),
    budget: &Arc<Budget>,
) -> Result<Option<Choice>, InputError> {
    let schema = table.schema();
    let found = match label {
        Some(label) => Some(label),
        None => first_labels(table, contents, |_| true, budget)?,
    };
    let Some(label) = found else { return Ok(None) };
    let (mut values, mut left_out, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for (column, content) in contents.iter().enumerate().filter(|c| c.0 != label) {
        let why = match content {
            Content::Stray(_) => {
                if faults.is_empty() {
                    faults.push(stray_texts(table, contents, data, budget));
                }
                least = least.saturating_sub(1);
                continue;
            }
            Content::Unclear(what, hint) => {
                faults.push(unclear(table, column, what, hint.clone()));
                least = least.saturating_sub(1);
                continue;
            }
            Content::Texts => "text",
            Content::Empty if schema.blank().contains(&column) => continue,
            Content::Empty => "empty",
            Content::Numbers(_) if column < label && counts_rows(table, column)? => "row numbers",
            Content::Numbers(None) if numbers_things(table, (column, label), budget)? => "ids",
            Content::Numbers(_) => {
                values.push(column);
                continue;
            }
        };
        let name = match schema.headers[column].as_str() {
            "" => format!("column {}", column + 1),
            name => name.to_owned(),
        };
        left_out.push(format!("{name} ({why})"));
    }
    if values.len() < least {
        return Ok(None);
    }
    if let Some(fault) = faults.into_iter().next() {
        return Err(fault);
    }
    let mut lints = Lints::default();
    let unit = |c: usize| match contents[c] {
        Content::Numbers(Some(numeral)) => numeral.unit,
        _ => None,
    };
    report_units(schema, unit, (label, &values), &mut lints);
    if !left_out.is_empty() {
        let n = left_out.len();
        let are = if n == 1 { "is" } else { "are" };
        let what = format!(
            "{} {are} left out: {}; --table wide --value takes names and patterns of columns",
            count(n, "column"),
            listed(&left_out)
        );
        lints.add(LintName::ColumnsLeftOut, n as u64, what);
    }
    Ok(Some(Choice {
        numerals: numerals_of(contents, &values),
        columns: WideColumns { label: Some(label), values },
        lints,
    }))
}

/// The refusal of the texts among numbers, by the first of them.
pub(super) fn stray_texts(
    table: &dyn TableSource,
    contents: &[Content],
    data: &Data,
    budget: &Arc<Budget>,
) -> InputError {
    let schema = table.schema();
    let mut fault = InputError::refused(&schema.file, "", "texts among numbers");
    let columns: Vec<usize> = (0..contents.len()).filter(|&c| contents[c].is_stray()).collect();
    if let Some((&column, Content::Stray(found))) = columns.first().map(|c| (c, &contents[*c])) {
        let refused = |what| InputError::refused(&schema.file, schema.place(found.row), what);
        fault = no_number(&schema.headers[column], &found.text, refused);
    }
    explained(fault, &[table], &columns, data, budget)
}

/// The first column of texts that all differ, of those that `may` be it. One that only numbers the rows, as `run-01`, `run-02`,
/// is passed over for a later one.
///
/// # Errors
/// Whatever is wrong with the rows, and too little memory.
pub(super) fn first_labels(
    table: &dyn TableSource,
    contents: &[Content],
    may: impl Fn(usize) -> bool,
    budget: &Arc<Budget>,
) -> Result<Option<usize>, InputError> {
    let texts = (0..contents.len()).filter(|&c| contents[c] == Content::Texts && may(c));
    labels_of(table, texts, budget)
}

/// The labels among these columns of texts, as [`first_labels`] finds them.
///
/// # Errors
/// Whatever is wrong with the rows, and too little memory.
pub(super) fn labels_of(
    table: &dyn TableSource,
    texts: impl Iterator<Item = usize>,
    budget: &Arc<Budget>,
) -> Result<Option<usize>, InputError> {
    let mut numbering = None;
    for column in texts {
        if !all_differ(table, column, budget)? {
            continue;
        }
        if !numbers_rows(table, column)? {
            return Ok(Some(column));
        }
        numbering = numbering.or(Some(column));
    }
    Ok(numbering)
}

/// Content of all columns, by a look at the rows.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn look(
    table: &dyn TableSource,
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<Content>, InputError> {
    let all: Vec<usize> = table.schema().own().collect();
    let (numeric, _) = numeric(&[table], &all, false, budget)?;
    contents(table, &numeric, data, budget)
}

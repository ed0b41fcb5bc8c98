//! Hints for text found in value columns.

use super::numerals::{surveys_of, verdicts};
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::{Field, shown};
use crate::format::csv::is_unit;
use crate::numeral::{Survey, TextAt, Verdict};
use crate::shell_word::flag;
use crate::table::{Cells, TableSource, count};
use crate::value::{is_no_number, missing};
use gridscope_core::calendar::duration;
use gridscope_core::figure::{Data, List, TableKind};
use std::sync::Arc;

/// Texts of questions that have two answers.
const ANSWERS: [&str; 8] = ["yes", "no", "y", "n", "ja", "nein", "on", "off"];

/// Thousands separators that are only recognised with the option.
const SIGNS: [(&str, &str); 3] = [("space", "1 234"), ("'", "1'234"), ("_", "1_234")];

/// Adds a hint about all texts in these columns to the error of a text in one of them. Returns other errors unchanged.
pub(super) fn explained(
    fault: InputError,
    tables: &[&dyn TableSource],
    columns: &[usize],
    data: &Data,
    budget: &Arc<Budget>,
) -> InputError {
    if !is_no_number(&fault) {
        return fault;
    }
    match advice(tables, columns, data, budget) {
        Ok(Some(hint)) => fault.with_hint(hint),
        _ => fault,
    }
}

fn advice(
    tables: &[&dyn TableSource],
    columns: &[usize],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Option<String>, InputError> {
    let surveys = surveys_of(tables, columns, data, budget)?;
    let strange: Vec<(usize, &Survey)> = columns.iter().copied().zip(&surveys).collect();
    let strange: Vec<(usize, &Survey)> = strange.into_iter().filter(|s| s.1.first_text().is_some()).collect();
    let Some((column, one)) = strange.first() else {
        return Ok(None);
    };
    let of_texts: Vec<usize> = strange.iter().map(|s| s.0).collect();
    if let Some(hint) = thousands(tables, &of_texts, data, budget)? {
        return Ok(Some(hint));
    }
    if let Some(hint) = row_of_texts(tables, &strange)? {
        return Ok(Some(hint));
    }
    let first = one.first_text().map_or("", |t| t.text.as_str());
    if duration(first).is_some() {
        let is_length = |s: &&(usize, &Survey)| s.1.first_text().is_some_and(|t| duration(&t.text).is_some());
        let headers = &tables[0].schema().headers;
        let names =
            strange.iter().filter(is_length).take(20).map(|(c, _)| format!("seconds({})", headers[*c]));
        return Ok(Some(flag("--value", &List::to_flag(&names.collect::<Vec<_>>()))));
    }
    let numbers: u64 = surveys.iter().map(|s| s.counts().0).sum();
    let all = few(&strange);
    if let Some(hint) = all.as_deref().and_then(answer) {
        return Ok(Some(hint));
    }
    let has_labels = *column == 0 && one.counts().0 == 0 && strange.len() == 1 && columns.len() > 1;
    if data.table == Some(TableKind::Matrix) && has_labels {
        return Ok(Some("--table wide: its first column holds labels".to_owned()));
    }
    Ok(Some(match all {
        // A text with a digit says something, but for a bound.
        Some(texts)
            if (numbers > texts.len() as u64 || numbers > 0 && texts.len() == 1)
                && texts.iter().all(|t| is_bound(t) || !t.contains(|c: char| c.is_ascii_digit())) =>
        {
            missing(&texts)
        }
        _ => {
            let name = shown(&tables[0].schema().headers[*column]);
            let (numbers, texts) = one.counts();
            let (numbers, texts) = (count(numbers as usize, "number"), count(texts as usize, "text"));
            let what = format!("{name} holds {texts} and {numbers}");
            match all.as_deref() {
                Some([text]) if one.counts().0 > one.counts().1 => {
                    format!("{what}: {} where it means no value", flag("--missing", &List::to_flag(&[text])))
                }
                _ => format!("{what}: --value takes columns of numbers"),
            }
        }
    }))
}

/// Whether a text is a bound of a value: `<0.001`.
fn is_bound(text: &str) -> bool {
    text.trim_start().starts_with(['<', '>', '\u{2264}', '\u{2265}'])
}

/// The different texts of some columns, if they are few.
fn few(columns: &[(usize, &Survey)]) -> Option<Vec<String>> {
    let mut all: Vec<String> = Vec::new();
    for (_, survey) in columns {
        for text in survey.few_texts()? {
            if !all.contains(text) {
                all.push(text.clone());
            }
        }
    }
    (all.len() <= 6).then_some(all)
}

/// The option that reads all of these columns of texts as numbers with thousands separators, if there is one.
///
/// # Errors
/// Whatever is wrong with the rows.
fn thousands(
    tables: &[&dyn TableSource],
    columns: &[usize],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Option<String>, InputError> {
    thousands_of(tables, columns, columns.len(), data, budget)
}

/// The option that reads at least `least` of these columns as numbers with thousands separators.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn thousands_of(
    tables: &[&dyn TableSource],
    columns: &[usize],
    least: usize,
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Option<String>, InputError> {
    if data.thousands.is_some() || columns.is_empty() {
        return Ok(None);
    }
    for (sign, example) in SIGNS {
        let by_sign = Data { thousands: Some(sign.to_owned()), ..data.clone() };
        let verdicts = verdicts(tables, columns, &by_sign, budget)?;
        let fit = verdicts.iter().filter(|v| matches!(v, Verdict::Written(_))).count();
        if fit >= least.max(1) {
            let option = flag("--thousands", sign);
            return Ok(Some(format!("{option} reads {example} as 1234")));
        }
    }
    Ok(None)
}

/// Hint for columns of `yes` and `no`, if there are any among these.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn answers(
    table: &dyn TableSource,
    columns: &[usize],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Option<String>, InputError> {
    let surveys = surveys_of(&[table], columns, data, budget)?;
    Ok(surveys.iter().filter_map(Survey::few_texts).find_map(answer))
}

fn answer(texts: &[String]) -> Option<String> {
    let is_answer = |t: &String| ANSWERS.contains(&t.to_lowercase().as_str());
    if !texts.iter().all(is_answer) {
        return None;
    }
    let list: Vec<String> = texts.iter().map(|t| shown(t)).collect();
    let are = if list.len() == 1 { "is not a value" } else { "are not values" };
    Some(format!("{} {are}: write true and false, or 1 and 0", list.join(" and ")))
}

fn second_header(row: u64, columns: usize) -> String {
    format!(
        "line {row} has texts in {columns} columns, as the header of a second table: cut the file before it"
    )
}

/// The option for one row of texts among numbers: units under the header, or the header itself behind other rows.
fn row_of_texts(
    tables: &[&dyn TableSource],
    strange: &[(usize, &Survey)],
) -> Result<Option<String>, InputError> {
    let schema = tables[0].schema();
    let row = strange[0].1.first_text().map_or(0, |t| t.row);
    // A row of names has no numbers in its texts.
    let begins = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || "+-.<>~".contains(c));
    let has_digit = |t: &TextAt| begins(t.text.trim()) && !is_unit(t.text.trim());
    if strange.iter().any(|s| s.1.first_text().is_some_and(has_digit)) {
        return Ok(None);
    }
    let is_alone = |s: &Survey| s.counts().1 == 1 && s.first_text().is_some_and(|t| t.row == row);
    if schema.delimiter.is_none() {
        return Ok(None);
    }
    let is_row = strange.iter().all(|s| s.1.counts().0 > 0 && is_alone(s.1));
    let here = strange.iter().filter(|s| s.1.first_text().is_some_and(|t| t.row == row)).count();
    if !is_row {
        // A second header, with the texts of its own table below it.
        let is_header = here > 1 && here == strange.len();
        return Ok(is_header.then(|| second_header(row, here)));
    }
    // A title may stand over the first column.
    let is_named = |c: usize| schema.headers[c] != format!("column {}", c + 1);
    let named = strange.iter().filter(|s| is_named(s.0)).count();
    if named == 0 || named == 1 && strange.len() > 2 && is_named(0) {
        return Ok(Some(format!("--skip-rows {} begins with line {row}", row - 1)));
    }
    let mut parts = tables[0].parts();
    let Some(part) = parts.next() else {
        return Ok(None);
    };
    let mut part = part?;
    let all: Vec<usize> = schema.own().collect();
    let is_units = part.next(&all)?.is_some_and(|batch| {
        // Units stand in a row without numbers.
        let is_number = |column: &Cells| matches!(column.field(0, &schema.missing), Field::Number(_));
        batch.places.number(0) == row && !batch.columns.iter().any(is_number)
    });
    if is_units {
        let lines = schema.levels.len().max(1);
        let are_units = strange.iter().all(|s| s.1.first_text().is_some_and(|t| is_unit(t.text.trim())));
        return Ok(Some(match are_units {
            true => "--units-row passes over the row under the header".to_owned(),
            false => format!("--header {}", lines + 1),
        }));
    }
    // Texts that all differ are names.
    let mut names: Vec<&str> = strange.iter().filter_map(|s| Some(s.1.first_text()?.text.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    Ok((names.len() > 1 && names.len() == strange.len()).then(|| second_header(row, names.len())))
}

//! Which kind of table it is, wide or a matrix, and of which columns.

use super::columns::{
    Choice, Content, choose, contents, first_labels, look, named, plain_contents, stray_texts,
};
use super::numerals::numerals;
use super::profile::{all_differ, numeric};
use super::roles::axes;
use super::row_names::{is_id, is_row_number};
use super::suggest::{ask_for_columns, suggest_tidy};
use super::wide::WideColumns;
use crate::budget::Budget;
use crate::error::InputError;
use crate::table::TableSource;
use gridscope_core::figure::{Figure, TableKind};
use std::sync::Arc;

/// Columns of numbers that make a wide table of one with texts beside them.
const LEAST: usize = 2;

/// Whether only the rows of a table without x and y can say what it is, so that they are read more than once.
pub(super) fn is_open(figure: &Figure) -> bool {
    match figure.data.table {
        None => !is_named(figure),
        Some(kind) => {
            let (x, y) = axes(figure);
            let all_named = figure.data.value.is_some() && (x.is_some() || y.is_some());
            kind == TableKind::Wide && is_named(figure) && !all_named
        }
    }
}

/// Whether the figure names columns, as for a tidy table.
fn is_named(figure: &Figure) -> bool {
    let (x, y) = axes(figure);
    x.is_some() || y.is_some() || figure.data.value.is_some() || figure.data.panel_names().next().is_some()
}

/// The columns of a table without x: of a wide table, or else of a matrix. The rows are read, more than once, if [`is_open`]
/// says so.
///
/// # Errors
/// A table that is neither, options that do not fit, whatever is wrong with the rows, too little memory.
pub(super) fn chosen(
    table: &dyn TableSource,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Choice, InputError> {
    let schema = table.schema();
    let all =
        |labelled| Choice { columns: WideColumns::all(schema.own().count(), labelled), ..Choice::default() };
    match figure.data.table {
        Some(TableKind::Wide) if is_named(figure) => by_name(table, figure, budget),
        Some(TableKind::Wide) => Ok(all(true)),
        Some(TableKind::Matrix) if is_named(figure) => {
            let what = "--x, --y, --value and --panel are not for --table matrix";
            Err(InputError::usage(&schema.file, what))
        }
        Some(TableKind::Matrix) => Ok(all(false)),
        None if !is_named(figure) => by_content(table, figure, budget),
        _ => Err(ask_for_columns(table, "a tidy table needs --x and --y", figure, budget)),
    }
}

/// Takes the columns without a name and without any value off a choice.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn drop_blank(
    table: &dyn TableSource,
    choice: &mut Choice,
    budget: &Arc<Budget>,
) -> Result<(), InputError> {
    let blank: Vec<usize> = table.schema().blank().to_vec();
    let blank: Vec<usize> = blank.into_iter().filter(|c| choice.columns.values.contains(c)).collect();
    if blank.is_empty() {
        return Ok(());
    }
    let (numeric, _) = numeric(&[table], &blank, false, budget)?;
    let empty: Vec<usize> = blank.into_iter().zip(numeric).filter(|c| c.1.is_none()).map(|c| c.0).collect();
    choice.columns.values.retain(|c| !empty.contains(c));
    Ok(())
}

/// The columns of a wide table that could not be read as [`chosen`] said, `first`, with what a look at all rows says;
/// `columns` are those that are read. `None` where nothing is other.
///
/// # Errors
/// As [`chosen`].
pub(super) fn looked_at(
    table: &dyn TableSource,
    figure: &Figure,
    (first, columns): (&Choice, &[usize]),
    budget: &Arc<Budget>,
) -> Result<Option<Choice>, InputError> {
    let contents = look(table, &figure.data, budget)?;
    let (is_wide, values) = (first.columns.label.is_some(), &first.columns.values);
    if is_wide && !is_named(figure) && values.iter().any(|&c| !contents[c].is_number()) {
        return choose(table, (&contents, &figure.data), (None, 1), budget);
    }
    let numerals = numerals(&[table], columns, &figure.data, budget)?;
    Ok((!numerals.is_empty()).then(|| Choice { numerals, ..first.clone() }))
}

/// The columns of a wide table by the names that the figure gives.
fn by_name(table: &dyn TableSource, figure: &Figure, budget: &Arc<Budget>) -> Result<Choice, InputError> {
    let schema = table.schema();
    let (x, y) = axes(figure);
    // A transposed table has its labels along x.
    let (label, other) = match (x, y) {
        (Some(x), None) if figure.data.transpose == Some(true) => (Some(x), None),
        _ => (y, x),
    };
    if other.is_some() || figure.data.panel_names().next().is_some() {
        let what = "--x and --panel are not for --table wide, whose columns are those of --value";
        return Err(InputError::usage(&schema.file, what).with_hint("--y names the labels of the rows"));
    }
    let label = match label.map(|names| named(names, &[], schema)).transpose()?.as_deref() {
        None => None,
        Some([one]) => Some(*one),
        Some(many) => {
            let what = format!("{} columns for the labels of a wide table, which has one", many.len());
            return Err(InputError::usage(&schema.file, what));
        }
    };
    let Some(names) = &figure.data.value else {
        let found = choose(table, (&look(table, &figure.data, budget)?, &figure.data), (label, 1), budget)?;
        let what = "no column of numbers is left for the columns of the wide table";
        return found.ok_or_else(|| ask_for_columns(table, what, figure, budget));
    };
    let given: Vec<usize> = label.into_iter().collect();
    let mut values = named(names, &given, schema)?;
    let mut met = vec![false; schema.width()];
    values.retain(|&c| !std::mem::replace(&mut met[c], true));
    let label = match label {
        Some(label) => label,
        None => {
            let contents = look(table, &figure.data, budget)?;
            let found = first_labels(table, &contents, |c| !met[c], budget)?;
            // Without texts to label the rows, the first column that is not one of the values.
            found.or(met.iter().position(|met| !met)).unwrap_or(0)
        }
    };
    values.retain(|&c| c != label);
    Ok(Choice { columns: WideColumns { label: Some(label), values }, ..Choice::default() })
}

/// The columns of a wide table, or else of a matrix, by what they hold.
fn by_content(table: &dyn TableSource, figure: &Figure, budget: &Arc<Budget>) -> Result<Choice, InputError> {
    let schema = table.schema();
    let columns: Vec<usize> = schema.own().collect();
    let width = columns.len();
    let labelled = schema.has_header && width > 1;
    let (numeric, labels_differ) = numeric(&[table], &columns, labelled, budget)?;
    // Texts are looked at where they stand in the way of a plain table.
    let is_plain = !numeric.iter().skip(usize::from(labelled)).any(|c| *c == Some(false))
        && !columns.iter().any(|&c| schema.is_suspect(c));
    let contents =
        if is_plain { plain_contents(&numeric) } else { contents(table, &numeric, &figure.data, budget)? };
    let numeric: Vec<Option<bool>> = contents.iter().map(Content::numeric).collect();
    let numbers = |c: &[Option<bool>]| c.contains(&Some(true)) && !c.contains(&Some(false));
    let all = numbers(&numeric);
    let matrix = || Ok(Choice::all(&contents, false));
    match (width, schema.has_types) {
        _ if !schema.has_header && all => return matrix(),
        (1, true) if all => return matrix(),
        (1, true) => {
            let why = "one column, which is not a matrix";
            return Err(ask_for_columns(table, why, figure, budget));
        }
        (1, false) => {
            return Err(InputError::refused(&schema.file, "", "one column")
                .with_hint("did you mean --delimiter? --table matrix takes one column as it is"));
        }
        _ => {}
    }
    if all && are_numbered(&schema.headers) {
        return matrix();
    }
    if labelled && numbers(&numeric[1..]) && (labels_differ || all_differ(table, 0, budget)?) {
        let ids = schema.headers[1..].iter().any(|header| is_id(header) || is_row_number(header));
        let units = contents.iter().any(|c| matches!(c, Content::Numbers(Some(n)) if n.unit.is_some()));
        let least = (Some(0), 1);
        let fewer = (ids || units).then(|| choose(table, (&contents, &figure.data), least, budget));
        let fewer = fewer.transpose()?.flatten();
        return Ok(fewer.unwrap_or_else(|| Choice::all(&contents, true)));
    }
    if labelled && let Some(mut choice) = choose(table, (&contents, &figure.data), (None, LEAST), budget)? {
        // A table with more columns of numbers is hardly a tidy one, and the profile of a long table takes longer than drawing it.
        let short = table.threads() == 1 && choice.columns.values.len() == LEAST;
        let tidy = short.then(|| suggest_tidy(table, figure, budget)).flatten();
        if let Some(tidy) = tidy {
            choice.lints.0.iter_mut().for_each(|lint| lint.hint(&tidy));
        }
        return Ok(choice);
    }
    let or_strays: Vec<Option<bool>> = contents.iter().map(Content::nearly_numeric).collect();
    if labelled && contents.iter().any(Content::is_stray) && numbers(&or_strays[1..]) {
        return Err(stray_texts(table, &contents, &figure.data, budget));
    }
    let why = if all {
        "a table of numbers with a header is tidy, wide or a matrix (--table)"
    } else {
        "neither a wide table nor a matrix"
    };
    Err(ask_for_columns(table, why, figure, budget))
}

/// Whether headers count on from one to the next: `V1,V2,V3`.
fn are_numbered(headers: &[String]) -> bool {
    let split = |h: &String| -> Option<(String, u64)> {
        let head = h.trim_end_matches(|c: char| c.is_ascii_digit());
        Some((head.to_owned(), h[head.len()..].parse().ok()?))
    };
    let parts: Option<Vec<_>> = headers.iter().map(split).collect();
    let follows = |w: &[(String, u64)]| w[0].0 == w[1].0 && w[0].1.checked_add(1) == Some(w[1].1);
    parts.is_some_and(|p| p.windows(2).all(follows))
}

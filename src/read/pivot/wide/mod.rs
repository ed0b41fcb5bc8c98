//! A wide table or a bare matrix: one row of the file is one row of the grid.

mod side;
mod body;

use super::axes::CellValues;
use super::columns::{SideColumn, put_along, side_columns};
use super::tidy::{aggregate, names, resolved, statistics};
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::shown;
use crate::loaded::{Loaded, ReadOptions};
use crate::table::{Schema, TableSource, count};
use body::{BETWEEN, Body, MOVED, field_of, merge, repeats};
use gridscope_core::figure::{Agg, AxisSpec, Figure, List, StripAxis};
use gridscope_core::grid::{Cell, Number, State};
use gridscope_core::lint::{LintName, Lints};
use side::{TableSide, arrange, column_order};
use std::sync::Arc;

/// The columns of a wide table or a matrix, by their places in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct WideColumns {
    /// The labels of the rows, the outer first; a matrix has none.
    pub labels: Vec<usize>,
    /// The numbers, each column once.
    pub values: Vec<usize>,
    /// The rows of a matrix have the names of its columns.
    pub is_square: bool,
}

impl WideColumns {
    /// All columns; the first are the labels if it is `labelled`.
    pub(super) fn all(width: usize, labelled: bool) -> Self {
        Self::labelled(usize::from(labelled), width)
    }

    /// All columns, the first of which are labels.
    pub(super) fn labelled(labels: usize, width: usize) -> Self {
        Self { labels: (0..labels).collect(), values: (labels..width).collect(), is_square: false }
    }
}

/// Reads these columns as numbers. The rows are read once.
///
/// # Errors
/// Texts among the numbers, options that need a tidy table, no rows, whatever is wrong with the rows, too little memory.
pub(super) fn read_wide(
    table: &dyn TableSource,
    chosen: &WideColumns,
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let schema = table.schema();
    let file = schema.file.as_str();
    let tidy_only = [
        (!needs.picks.is_empty(), "{argmax(…)}"),
        (
            needs.statistics.iter().any(|s| s.column.is_some()),
            "an aggregate of another column, as {std(NAME)},",
        ),
        (figure.data.pending.is_some(), "--pending"),
    ];
    if let Some((_, option)) = tidy_only.iter().find(|o| o.0) {
        return Err(InputError::usage(
            file,
            format!("{option} needs a tidy table, with --x, --y and --value"),
        ));
    }
    if chosen.values.is_empty() {
        return Err(InputError::refused(file, "", "no columns beside the labels"));
    }
    let statistics = statistics(figure, needs);
    let better = figure.data.better;
    let further = statistics.iter().map(|s| resolved(s.agg, better, file)).collect::<Result<Vec<_>, _>>()?;
    let agg = figure.data.agg.map(|agg| resolved(agg, better, file)).transpose()?;
    let along = side_columns(figure);
    let texts = texts_of_rows(&along, schema, figure, needs)?;
    let mut body = Body::read(table, chosen, &texts, figure, further.len(), budget)?;
    let is_labelled = !chosen.labels.is_empty();
    let repeats = is_labelled && repeats(&body.labels);
    let (merged, of_groups) = match agg.filter(|_| is_labelled) {
        Some(agg) => merge(&mut body, agg, &further, schema.blank_key.as_deref(), file)?,
        None => (None, Vec::new()),
    };
    let [mut rows, mut columns] = sides(schema, &mut body, chosen);
    let mut summary = summary(schema, chosen, &rows, &columns);
    if repeats && figure.data.agg.is_none() {
        summary.push_str("; rows of equal labels stay apart (--agg mean merges them)");
    }
    let transposed = figure.data.transpose == Some(true);
    if transposed {
        std::mem::swap(&mut rows, &mut columns);
    }
    let at = |r: usize, c: usize| {
        if transposed { body.at(c, r) } else { body.at(r, c) }
    };

    let mut lints = Lints::default();
    if body.unlabelled > 0 {
        report_unlabelled(body.unlabelled, schema, &mut lints);
    }
    let row_means = |r: usize| mean((0..columns.len).filter_map(|c| at(r, c).value()));
    let column_means = |c: usize| mean((0..rows.len).filter_map(|r| at(r, c).value()));
    let (mut row_axis, row_places) = arrange(&rows, &figure.y, row_means, file, budget, &mut lints)?;
    let order = column_order(&rows, &row_places, &columns, figure);
    if let Some(order) = &order {
        columns.reorder(order);
    }
    let place = |c: usize| order.as_ref().map_or(c, |o| o[c]);
    let (mut column_axis, mut column_places) =
        arrange(&columns, &figure.x, |c| column_means(place(c)), file, budget, &mut lints)?;
    column_places.iter_mut().flatten().for_each(|c| *c = place(*c));
    let (labelled, of_rows) = match transposed {
        true => (&mut column_axis, &column_places),
        false => (&mut row_axis, &row_places),
    };
    let pick = |texts: &Vec<String>| -> Vec<String> {
        of_rows.iter().map(|row| row.map_or_else(String::new, |row| texts[row].clone())).collect()
    };
    put_along(labelled, along.iter().zip(&body.texts).map(|(side, texts)| (side.splits, pick(texts))));
    let places = || {
        let of_row = |&r| column_places.iter().map(move |&c: &Option<usize>| Option::zip(r, c));
        row_places.iter().flat_map(of_row)
    };
    let cells = || places().map(|place| place.map_or(Cell::Empty(State::Absent), |(r, c)| at(r, c)));
    let field = |i: usize, r: usize, c: usize| match of_groups.get(i) {
        Some(numbers) => numbers[if transposed { c * body.width + r } else { r * body.width + c }],
        None => {
            let cell = at(r, c);
            field_of(further[i], cell.value().as_slice(), cell.state().map(Cell::Empty))
        }
    };
    let mut fields = Vec::new();
    for (i, statistic) in statistics.iter().enumerate() {
        let numbers = places().map(|place| place.map_or(f64::NAN, |(r, c)| field(i, r, c)));
        let numbers: Vec<f64> = numbers.collect();
        fields.extend(names(statistic).into_iter().map(|name| (name, numbers.clone())));
    }
    let is_as_read = |places: &[Option<usize>], side: &TableSide| {
        places.len() == side.len && places.iter().enumerate().all(|(i, p)| *p == Some(i))
    };
    let as_read = !transposed && is_as_read(&row_places, &rows) && is_as_read(&column_places, &columns);
    let asked = |spec: &AxisSpec| spec.order.is_some() || spec.domain.is_some();
    let _moved = match as_read || transposed || asked(&figure.x) || asked(&figure.y) {
        true => budget.nothing(),
        // Months and weekdays, which the body did not expect.
        false => budget
            .reserve(MOVED * (rows.len * columns.len) as u64)
            .map_err(|s| s.of(file, "its cells in the order of the calendar"))?,
    };
    let shown: Vec<(&str, Vec<String>)> = texts[along.len()..]
        .iter()
        .zip(&body.texts[along.len()..])
        .map(|(&column, texts)| {
            let of_cell = |place: Option<(usize, usize)>| {
                let row = place.map(|(r, c)| if transposed { c } else { r });
                row.map_or_else(String::new, |row| texts[row].clone())
            };
            (schema.headers[column].as_str(), places().map(of_cell).collect())
        })
        .collect();
    let moved = (!as_read).then(|| CellValues::of(row_places.len() * column_places.len(), cells()));
    let read = body.into_cells();
    let mut grid = moved.unwrap_or(read).into_grid(row_axis, column_axis, file)?;
    for (name, numbers) in fields {
        grid.set_field(name, numbers).map_err(|e| InputError::refused(file, "", e))?;
    }
    for (name, texts) in shown {
        grid.set_texts(name, texts).map_err(|e| InputError::refused(file, "", e))?;
    }
    grid.set_merged(merged);
    grid.set_min_count(figure.data.min_count);
    let unit = chosen.values.first().and_then(|&column| schema.unit(column));
    if let Some(unit) = unit.filter(|unit| chosen.values.iter().all(|&c| schema.unit(c) == Some(*unit))) {
        grid.set_value_name(unit.to_string());
    }
    Ok(Loaded { grids: vec![grid], lints, summary, ..Loaded::default() })
}

/// The columns of texts that a figure shows of each row: those along the rows, then those of cells.
///
/// # Errors
/// A name of no column, and one along the columns.
fn texts_of_rows(
    along: &[SideColumn<'_>],
    schema: &Schema,
    figure: &Figure,
    needs: &ReadOptions,
) -> Result<Vec<usize>, InputError> {
    let (axis, word) = match figure.data.transpose {
        Some(true) => (StripAxis::X, "x"),
        _ => (StripAxis::Y, "y"),
    };
    if let Some(other) = along.iter().find(|side| side.axis != axis) {
        let column = List::to_flag(&[other.column]);
        let what = format!(
            "column {} has a text for each row of the wide table, not for each column",
            shown(other.column)
        );
        let hint = match (other.splits, axis) {
            (false, _) => format!("--strip {word}:{column}"),
            (true, StripAxis::Y) => format!("--split {column}"),
            (true, StripAxis::X) => format!("--split-columns {column}"),
        };
        return Err(InputError::usage(&schema.file, what).with_hint(hint));
    }
    if let Some((name, first)) =
        needs.columns.iter().find_map(|name| Some((name, schema.with_second_numbers(name)?)))
    {
        // Each cell of a row would show those of this one column.
        let what = format!(
            "column {} has the second numbers of {} alone, and each column of a wide table has its own",
            shown(name),
            shown(&schema.headers[first])
        );
        let hint = "a tidy table has one column of values, whose second numbers cells can show";
        return Err(InputError::usage(&schema.file, what).with_hint(hint));
    }
    let names = along.iter().map(|side| side.column).chain(needs.columns.iter().map(String::as_str));
    names.map(|name| schema.column(name)).collect()
}

/// The rows and the columns of the file.
fn sides(schema: &Schema, body: &mut Body, chosen: &WideColumns) -> [TableSide; 2] {
    let header = |&column: &usize| schema.headers[column].clone();
    let corner = |column: &usize| if schema.has_header { header(column) } else { String::new() };
    let names: Vec<String> = chosen.labels.iter().map(corner).collect();
    let labels = std::mem::take(&mut body.labels);
    let len = labels.len();
    let rows = match chosen.labels.len() {
        0 => {
            let labels = chosen.is_square.then(|| chosen.values.iter().map(header).collect());
            TableSide { labels, len, ..TableSide::default() }
        }
        1 => TableSide { name: names.concat(), len, labels: Some(labels), ..TableSide::default() },
        n => {
            let mut levels = vec![Vec::with_capacity(len); n];
            for label in &labels {
                let mut parts = label.splitn(n, BETWEEN);
                levels.iter_mut().for_each(|level| level.push(parts.next().unwrap_or_default().to_owned()));
            }
            TableSide::nested(in_words(&names), levels)
        }
    };
    let nested = || -> Option<Vec<Vec<String>>> {
        let level = |level: &Vec<String>| chosen.values.iter().map(|&c| level.get(c).cloned()).collect();
        let levels: Option<Vec<Vec<String>>> = schema.levels.iter().map(level).collect();
        levels.filter(|levels| levels.len() > 1)
    };
    // Without names, columns count from 0 where all are drawn; others have their places in the file.
    let is_part = chosen.labels.len() + chosen.values.len() < schema.width();
    let columns = match nested() {
        Some(levels) => TableSide::nested(in_words(&schema.level_names), levels),
        None => TableSide {
            name: in_words(&schema.level_names),
            len: body.width,
            labels: (schema.has_header || is_part).then(|| chosen.values.iter().map(header).collect()),
            ..TableSide::default()
        },
    };
    [rows, columns].map(|side| TableSide { month_first: schema.month_first, ..side })
}

/// The names of the levels of an axis together; some may have none.
fn in_words<T: AsRef<str>>(names: &[T]) -> String {
    let named: Vec<&str> = names.iter().map(T::as_ref).filter(|name| !name.trim().is_empty()).collect();
    named.join(", ")
}

/// Reports rows without a label, which are left out or stay without one.
fn report_unlabelled(rows: u64, schema: &Schema, lints: &mut Lints) {
    let (have, are) = if rows == 1 { ("row has", "is") } else { ("rows have", "are") };
    match schema.blank_key.as_deref() {
        None => {
            lints.add(LintName::EmptyKey, rows, format!("{rows} {have} no label and {are} left out"));
        }
        Some(label) => {
            let shown = if label.is_empty() { String::new() } else { format!(": shown as {}", shown(label)) };
            let what = format!("{rows} {have} no label{shown}");
            lints.add(LintName::EmptyKey, rows, what).hint("--blank-key drop leaves them out");
        }
    }
}

/// How the table was read.
fn summary(schema: &Schema, chosen: &WideColumns, rows: &TableSide, columns: &TableSide) -> String {
    let (what, header) = match (!chosen.labels.is_empty(), schema.has_header) {
        (true, _) => ("wide table", ""),
        (false, true) if chosen.is_square => ("matrix", ", rows named as the columns"),
        (false, true) => ("matrix", ", with a header"),
        (false, false) => ("matrix", ""),
    };
    let (rows, columns) = (count(rows.len, "row"), count(columns.len, "column"));
    let second = schema.second_numbers(&chosen.values);
    format!("{}: {what}, {rows} x {columns}{header}{second}", schema.file)
}

fn mean(values: impl Iterator<Item = Number>) -> f64 {
    let values: Vec<Number> = values.collect();
    aggregate(Agg::Mean, &values).map_or(f64::NAN, Number::as_f64)
}

#[cfg(test)]
mod tests;

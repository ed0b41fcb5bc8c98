//! A wide table or a bare matrix: one row of the file is one row of the grid.

mod side;
mod block;

use super::aggregate::Numbers;
use super::tidy::{aggregate, named};
use crate::figure::{Agg, Figure};
use crate::grid::{Grid, Number, State};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::loaded::{Loaded, Needs};
use crate::input::table::{TableSource, count};
use crate::lint::Lints;
use block::{Block, Wanted};
use side::{Side, arrange};
use std::sync::Arc;

/// Reads all columns as numbers; `labelled` takes the first as the names of the rows. The rows are read once.
///
/// # Errors
/// Texts among the numbers, options that need a tidy table, no rows, whatever is wrong with the rows, too little memory.
pub fn read_wide(
    table: &dyn TableSource,
    labelled: bool,
    figure: &Figure,
    needs: &Needs,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let schema = table.schema();
    let file = schema.file.as_str();
    let tidy_only = [
        (!needs.columns.is_empty(), "{column:…}"),
        (figure.strip.is_some(), "[strip]"),
        (figure.data.pending.is_some(), "--pending"),
    ];
    if let Some((_, option)) = tidy_only.iter().find(|o| o.0) {
        return Err(InputError::usage(
            file,
            format!("{option} needs a tidy table, with --x, --y and --value"),
        ));
    }
    let first = usize::from(labelled);
    if schema.width() == first {
        return Err(InputError::refused(file, "", "no columns beside the labels"));
    }
    let wanted = Wanted::new(table, labelled, figure, needs.aggregates.len(), budget)?;
    let mut block = Block::read(table, &wanted)?;
    block.transposed = figure.data.transpose == Some(true);
    let (transposed, width) = (block.transposed, block.width);
    let corner = if labelled && schema.has_header {
        schema.headers[0].clone()
    } else {
        String::new()
    };
    let mut rows = Side {
        name: corner,
        len: block.labels.len(),
        labels: labelled.then(|| std::mem::take(&mut block.labels)),
    };
    let names = schema.has_header.then(|| schema.headers[first..].to_vec());
    let mut columns = Side {
        name: String::new(),
        labels: names,
        len: width,
    };
    let what = if labelled { "wide table" } else { "matrix" };
    let header = if !labelled && schema.has_header {
        ", with a header"
    } else {
        ""
    };
    let told = format!(
        "{file}: {what}, {} x {}{header}",
        count(rows.len, "row"),
        count(columns.len, "column")
    );
    if transposed {
        std::mem::swap(&mut rows, &mut columns);
    }

    let mut lints = Lints::default();
    let row_means = |r: usize| mean((0..columns.len).filter_map(|c| block.at(r, c).ok()));
    let column_means = |c: usize| mean((0..rows.len).filter_map(|r| block.at(r, c).ok()));
    let (row_axis, row_places) = arrange(&rows, &figure.y, row_means, (file, budget), &mut lints)?;
    let (column_axis, column_places) =
        arrange(&columns, &figure.x, column_means, (file, budget), &mut lints)?;
    let cells = || {
        row_places
            .iter()
            .flat_map(|&r| column_places.iter().map(move |&c| (r, c)))
    };
    let at =
        |(r, c): (Option<usize>, Option<usize>)| r.zip(c).map_or(Err(State::Absent), |(r, c)| block.at(r, c));
    let fields = needs
        .aggregates
        .iter()
        .map(|&agg| {
            let one = |v: Result<Number, State>| match v {
                Ok(n) => aggregate(agg, &[n]),
                Err(State::Nan) => aggregate(agg, &[]),
                Err(_) => None,
            };
            cells()
                .map(|c| one(at(c)).map_or(f64::NAN, Number::as_f64))
                .collect()
        })
        .collect();
    let fields = named(&needs.aggregates, fields);
    let as_is = !transposed
        && row_places.iter().enumerate().all(|(i, p)| *p == Some(i))
        && row_places.len() == rows.len;
    let as_is = as_is
        && column_places.iter().enumerate().all(|(i, p)| *p == Some(i))
        && column_places.len() == columns.len;
    let moved = (!as_is).then(|| {
        let n = row_places.len() * column_places.len();
        let (mut numbers, mut states) = (Numbers::with_capacity(n), Vec::with_capacity(n));
        for v in cells().map(at) {
            match v {
                Ok(n) => numbers.push(n),
                Err(_) => numbers.push_empty(),
            }
            states.push(v.err());
        }
        (numbers, states)
    });
    let in_place = block.into_cells();
    let (numbers, states) = moved.unwrap_or(in_place);
    let mut grid = Grid::new(row_axis, column_axis, numbers.into_values(), &states)
        .map_err(|e| InputError::refused(file, "", e))?;
    for (name, numbers) in fields {
        grid.set_field(name, numbers)
            .map_err(|e| InputError::refused(file, "", e))?;
    }
    Ok(Loaded {
        grids: vec![grid],
        lints,
        told,
        ..Loaded::default()
    })
}

fn mean(values: impl Iterator<Item = Number>) -> f64 {
    let values: Vec<Number> = values.collect();
    aggregate(Agg::Mean, &values).map_or(f64::NAN, Number::as_f64)
}

#[cfg(test)]
mod tests;

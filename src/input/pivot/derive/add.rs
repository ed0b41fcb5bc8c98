//! Tables with the columns that a figure derives from theirs.

use super::Opened;
use super::bins::{Spread, labels, outside};
use super::derived_table::{Derived, DerivedTable};
use super::named::{Wanted, wanted};
use crate::figure::Figure;
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::expression::{Cut, Expression, MOST_BINS};
use crate::input::loaded::ReadOptions;
use crate::input::pivot::filter::Condition;
use crate::input::pivot::selection::selected;
use crate::input::table::{BinAxis, BinScale, Schema, TableSource, rereadable};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The tables with the columns that the figure derives. The bins of tables with the same columns have the same edges.
///
/// # Errors
/// An expression that cannot be read, a column without numbers for bins, too little memory to read rows twice.
pub(in crate::input::pivot) fn with_derived(
    tables: Vec<Opened>,
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Vec<Opened>, InputError> {
    let headers = |t: &Opened| t.0.schema().headers.clone();
    if tables.windows(2).all(|t| headers(&t[0]) == headers(&t[1])) {
        return add(tables, figure, needs, budget);
    }
    let mut out = Vec::with_capacity(tables.len());
    for table in tables {
        out.append(&mut add(vec![table], figure, needs, budget)?);
    }
    Ok(out)
}

fn add(
    tables: Vec<Opened>,
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Vec<Opened>, InputError> {
    let Some(first) = tables.first() else {
        return Ok(tables);
    };
    let wanted = wanted(figure, needs, first.0.schema())?;
    let (bins, plain): (Vec<Wanted>, Vec<Wanted>) = wanted
        .into_iter()
        .partition(|w| matches!(w.expression, Expression::Bin(..)));
    let plain = plain.into_iter().map(|w| Derived {
        text: w.text,
        expression: w.expression,
        is_key: w.is_key,
        bins: None,
    });
    let mut tables = wrapped(tables, plain.collect());
    // What conditions test exists before any other bins: they take all rows, the others those that are left.
    for of_conditions in [true, false] {
        let mut made = Vec::new();
        for w in bins.iter().filter(|w| w.is_condition == of_conditions) {
            let Expression::Bin(of, cut) = &w.expression else {
                continue;
            };
            let mut spread = Spread::default();
            if cut.needs_rows() {
                (tables, spread) = looked_at(tables, (&w.text, of, cut), (figure, of_conditions), budget)?;
            }
            made.push(derived(&w.text, of, cut, spread, tables[0].0.schema())?);
        }
        tables = wrapped(tables, made);
    }
    Ok(tables)
}

fn wrapped(tables: Vec<Opened>, columns: Vec<Derived>) -> Vec<Opened> {
    if columns.is_empty() {
        return tables;
    }
    let wrap = |(source, lints)| {
        let table: Box<dyn TableSource> = Box::new(DerivedTable::new(source, columns.clone()));
        (table, lints)
    };
    tables.into_iter().map(wrap).collect()
}

/// A column of bins.
fn derived(
    text: &str,
    of: &Expression,
    cut: &Cut,
    spread: Spread,
    schema: &Schema,
) -> Result<Derived, InputError> {
    let edges = spread
        .edges(cut, MOST_BINS)
        .map_err(|what| InputError::usage(&schema.file, format!("{text}: the column {what}")))?;
    let scale = match cut {
        Cut::Ratio(_) => BinScale::Log,
        Cut::Quantile(_) => BinScale::Even,
        Cut::Edges(edges) if is_logarithmic(edges) => BinScale::Log,
        _ => BinScale::Linear,
    };
    let bins = BinAxis {
        title: title(text, of, schema),
        labels: labels(&edges),
        scale,
        edges,
    };
    let outside = outside(&bins.edges);
    Ok(Derived {
        text: text.to_owned(),
        expression: of.clone(),
        is_key: true,
        bins: Some((Arc::new(bins), outside)),
    })
}

/// Whether edges read as those of a logarithm: in equal ratios, or above 0 with some so near to each other that bins to scale would
/// not be seen.
fn is_logarithmic(edges: &[f64]) -> bool {
    let (first, last) = (edges[0], edges[edges.len() - 1]);
    let ratio = edges[1] / first;
    let is_equal = |w: &[f64]| (w[1] / w[0] / ratio - 1.0).abs() < 1e-9;
    let is_thin = |w: &[f64]| w[1] - w[0] < (last - first) / 50.0;
    first > 0.0 && edges.len() > 2 && (edges.windows(2).all(is_equal) || edges.windows(2).any(is_thin))
}

/// What is in the bins: the name of the column, or the expression between `bin(` and its first comma.
fn title(text: &str, of: &Expression, schema: &Schema) -> String {
    if let Expression::Column(column) = of {
        return schema.headers[*column].trim().to_owned();
    }
    let inside = text.split_once('(').map_or(text, |t| t.1);
    let mut depth = 0;
    let end = inside.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        *c == ',' && depth == 0
    });
    inside[..end.map_or(inside.len(), |e| e.0)].trim().to_owned()
}

/// What the numbers of the rows make the edges of; the tables can be read again.
fn looked_at(
    tables: Vec<Opened>,
    (text, of, cut): (&str, &Expression, &Cut),
    (figure, all_rows): (&Figure, bool),
    budget: &Arc<Budget>,
) -> Result<(Vec<Opened>, Spread), InputError> {
    let again = |e: InputError| {
        if e.hint.is_none() {
            e.with_hint("bin(COLUMN, edges=0,1,2) needs the rows only once")
        } else {
            e
        }
    };
    let mut held = Vec::with_capacity(tables.len());
    for (table, lints) in tables {
        held.push((rereadable(table, budget).map_err(again)?, lints));
    }
    let schema = held[0].0.schema();
    let conditions: Vec<Condition> = if all_rows {
        Vec::new()
    } else {
        let all = figure.data.filter.iter().flat_map(|f| &f.0);
        all.map(|c| Condition::parse(c, schema))
            .collect::<Result<_, _>>()?
    };
    let mut columns: BTreeSet<usize> = conditions.iter().map(Condition::column).collect();
    let mut inputs = Vec::new();
    of.columns(&mut inputs);
    columns.extend(inputs);
    let columns: Vec<usize> = columns.into_iter().collect();
    let needs_all = matches!(cut, Cut::Quantile(_));
    let (mut spread, mut room) = (Spread::default(), budget.nothing());
    for (table, _) in &held {
        let schema = table.schema();
        for part in table.parts() {
            let mut part = part?;
            while let Some(batch) = part.next(&columns)? {
                let place = |column: usize| columns.partition_point(|c| *c < column);
                let rows = selected(&batch, 0..batch.rows as u32, &conditions, schema, place);
                if let Some(fault) = rows.fault {
                    return Err(fault);
                }
                for row in rows.rows {
                    let at = super::value::Row {
                        schema,
                        columns: &columns,
                        cells: &batch.columns,
                        row: row as usize,
                    };
                    let number = at
                        .number(of)
                        .map_err(|what| batch.places.refused(row as usize, format!("{text}: {what}")))?;
                    let bytes = number.map_or(0, |n| spread.take(n.as_f64(), needs_all));
                    room.owe(bytes)
                        .map_err(|s| s.of(&schema.file, "the numbers of a column for its quantiles"))?;
                }
            }
        }
    }
    Ok((held, spread))
}

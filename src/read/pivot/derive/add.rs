//! Tables with the columns that a figure derives from theirs.

use super::Opened;
use super::bins::{Spread, labels, outside};
use super::derived_table::DerivedTable;
use super::made::Derived;
use super::named::{Wanted, wanted};
use super::numbers::with_plain_numbers;
use super::spreads::{Asked, spreads_of};
use crate::budget::Budget;
use crate::error::InputError;
use crate::expression::{Cut, Expression, MOST_BINS};
use crate::loaded::ReadOptions;
use crate::table::{BinAxis, BinScale, Schema, TableSource};
use gridscope_core::figure::Figure;
use std::sync::Arc;

/// The tables with the columns that the figure derives. The bins of tables with the same columns have the same edges.
///
/// # Errors
/// An expression that cannot be read, a column without numbers for bins, too little memory to read rows twice.
pub(in crate::pivot) fn with_derived(
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
    let tables = with_plain_numbers(tables, &wanted, &figure.data, budget)?;
    let (bins, plain): (Vec<Wanted>, Vec<Wanted>) =
        wanted.into_iter().partition(|w| matches!(w.expression, Expression::Bin(..)));
    let plain = plain.into_iter().map(|w| Derived {
        text: w.text,
        expression: w.expression,
        is_key: w.is_key,
        bins: None,
    });
    let mut tables = wrapped(tables, plain.collect());
    // What conditions test exists before any other bins: they take all rows, the others those that are left.
    for of_conditions in [true, false] {
        let asked: Vec<Asked> = bins
            .iter()
            .filter(|w| w.is_condition == of_conditions)
            .filter_map(|w| match &w.expression {
                Expression::Bin(of, cut) => Some(Asked { text: &w.text, of, cut }),
                _ => None,
            })
            .collect();
        let spreads;
        (tables, spreads) = spreads_of(tables, &asked, (figure, of_conditions), budget)?;
        let schema = tables[0].0.schema();
        let made = asked.iter().zip(spreads);
        let made = made.map(|(asked, spread)| derived(asked.text, asked.of, asked.cut, spread, schema));
        let made = made.collect::<Result<Vec<_>, _>>()?;
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
    let bins = BinAxis { title: title(text, of, schema), labels: labels(&edges), scale, edges };
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

/// Name of the numbers in the bins: that of the column, or the expression between `bin(` and its first comma.
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

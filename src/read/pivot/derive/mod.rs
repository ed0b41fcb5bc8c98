//! Columns that are computed from others are added to a table before anything else is read of it.

mod bins;
mod inputs;
mod made;
mod said;
mod derived_table;

use super::filter::Condition;
use super::suggest::axes;
use crate::budget::Budget;
use crate::error::InputError;
use crate::expression::{Cut, Expression, ExpressionFault, MOST_BINS, parse, parse_prefix};
use crate::loaded::ReadOptions;
use crate::shell_word::is_match;
use crate::table::{BinAxis, BinScale, Schema, TableSource, listed, nearest};
use bins::{Spread, labels, outside};
use derived_table::{Asked, DerivedTable, spreads_of};
use gridscope_core::figure::Figure;
use gridscope_core::lint::Lints;
use inputs::{with_date_readings, with_exact_texts, with_plain_numbers};
use made::Derived;
use std::sync::Arc;

/// A table, and the warnings of its opening.
pub(crate) type Opened = (Box<dyn TableSource>, Lints);

/// A text that is an expression.
#[derive(Clone, Debug, PartialEq)]
struct Wanted {
    pub text: String,
    pub expression: Expression,
    /// It is a key or a text, not a value.
    pub is_key: bool,
    /// A condition of `where` tests it.
    pub is_condition: bool,
}

/// The expressions among the names of a figure, each once. A name that a column has is that column.
///
/// # Errors
/// An expression that cannot be read.
fn wanted(figure: &Figure, needs: &ReadOptions, schema: &Schema) -> Result<Vec<Wanted>, InputError> {
    let mut out: Vec<Wanted> = Vec::new();
    let mut add = |text: &str, expression: Expression, is_key: bool, is_condition: bool| match out
        .iter_mut()
        .find(|w| w.text == text)
    {
        Some(there) => {
            there.is_key |= is_key;
            there.is_condition |= is_condition;
        }
        None => out.push(Wanted { text: text.to_owned(), expression, is_key, is_condition }),
    };
    let (x, y) = axes(figure);
    let lists = x.into_iter().chain(y).chain(&figure.data.panel);
    let facets = figure.data.panel_row.iter().chain(&figure.data.panel_column);
    let keys = lists.flat_map(|l| &l.0).chain(facets);
    let strips = figure.strip.iter().flat_map(|s| &s.0).map(|s| &s.column);
    let splits = [&figure.x.split, &figure.y.split].into_iter().flatten();
    let texts = strips.chain(splits.flat_map(|l| &l.0)).chain(&needs.columns);
    let texts = texts.chain(needs.picks.iter().map(|pick| &pick.column));
    let further = needs.statistics.iter().filter_map(|s| s.column.as_ref());
    let values = figure.data.value.iter().flat_map(|l| &l.0).chain(further);
    let named = keys.chain(texts).map(|n| (n, true)).chain(values.map(|n| (n, false)));
    for (name, is_key) in named {
        let is_pattern =
            || name.contains(['*', '?']) && schema.headers.iter().any(|h| is_match(name, h, None));
        if schema.column(name).is_ok() || is_pattern() {
            continue;
        }
        match parse(name, &schema.headers) {
            // A column in parentheses, or with a sign before it, is computed.
            Ok(Expression::Number(_)) => {}
            Ok(expression) => add(name, expression, is_key, false),
            Err(fault) if fault.is_expression => return Err(refused(name, &fault, schema)),
            _ => {}
        }
    }
    for text in figure.data.filter.iter().flat_map(|f| &f.0).chain(&figure.data.pending) {
        if Condition::parse(text, schema).is_ok() {
            continue;
        }
        match parse_prefix(text, &schema.headers) {
            Ok((expression, end)) if !expression.is_plain() => {
                add(text[..end].trim(), expression, true, true);
            }
            Err(fault) if fault.is_expression => return Err(refused(text, &fault, schema)),
            _ => {}
        }
    }
    Ok(out)
}

/// The refusal of an expression, with the place of its fault.
fn refused(text: &str, fault: &ExpressionFault, schema: &Schema) -> InputError {
    let at = text[..fault.at].chars().count() + 1;
    let what = format!("'{text}': character {at}: {}", fault.what);
    let refused = InputError::usage(&schema.file, what);
    let Some(name) = &fault.unknown else {
        return refused;
    };
    let near = nearest(name, &schema.headers).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
    refused.with_hint(format!("{near}columns: {}", listed(&schema.headers)))
}

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
    let tested = figure.data.filter.iter().flat_map(|f| &f.0).chain(&figure.data.pending);
    let schema = tables[0].0.schema();
    let tested: Vec<Condition> = tested.filter_map(|c| Condition::parse(c, schema).ok()).collect();
    let tables = with_exact_texts(tables, &tested)?;
    let tables = with_date_readings(tables, &wanted, &tested, budget)?;
    let (bins, plain): (Vec<Wanted>, Vec<Wanted>) =
        wanted.into_iter().partition(|w| matches!(w.expression, Expression::Bin(..)));
    let plain = plain.into_iter().map(|w| Derived {
        text: w.text,
        expression: w.expression,
        is_key: w.is_key,
        bins: None,
        ranked: None,
    });
    let mut tables = wrapped(tables, plain.collect());
    // What conditions test exists before any other bins: they take all rows, the others those that are left.
    for of_conditions in [true, false] {
        let asked: Vec<Asked> = bins
            .iter()
            .filter(|w| w.is_condition == of_conditions)
            .filter_map(|w| match &w.expression {
                Expression::Bin(of, cut) => Some(Asked { text: &w.text, of, cut, is_key: w.is_key }),
                _ => None,
            })
            .collect();
        let spreads;
        (tables, spreads) = spreads_of(tables, &asked, figure, of_conditions, budget)?;
        let schema = tables[0].0.schema();
        let made = asked.iter().zip(spreads);
        let made = made.map(|(asked, spread)| derived(asked, spread, schema));
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

/// A column of bins or of ranks.
fn derived(asked: &Asked, spread: Spread, schema: &Schema) -> Result<Derived, InputError> {
    let Asked { text, of, cut, is_key } = *asked;
    if *cut == Cut::Rank {
        let ranked = Some(Arc::new(spread.sorted()));
        return Ok(Derived { text: text.to_owned(), expression: of.clone(), is_key, bins: None, ranked });
    }
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
        ranked: None,
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

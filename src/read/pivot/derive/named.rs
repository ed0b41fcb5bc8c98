//! The texts of a figure that name columns, and which of them are to be computed.

use super::super::filter::Condition;
use super::super::roles::axes;
use crate::error::InputError;
use crate::expression::{Expression, Fault, parse, parse_prefix};
use crate::loaded::ReadOptions;
use crate::pattern::is_match;
use crate::table::{Schema, listed, nearest};
use gridscope_core::figure::Figure;

/// A text that is an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
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
pub(super) fn wanted(
    figure: &Figure,
    needs: &ReadOptions,
    schema: &Schema,
) -> Result<Vec<Wanted>, InputError> {
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
            Ok(expression) if !expression.is_plain() => add(name, expression, is_key, false),
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

/// The refusal of an expression, with the place of what is wrong in it.
fn refused(text: &str, fault: &Fault, schema: &Schema) -> InputError {
    let at = text[..fault.at].chars().count() + 1;
    let what = format!("'{text}': character {at}: {}", fault.what);
    let refused = InputError::usage(&schema.file, what);
    let Some(name) = &fault.unknown else {
        return refused;
    };
    let near = nearest(name, &schema.headers).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
    refused.with_hint(format!("{near}columns: {}", listed(&schema.headers)))
}

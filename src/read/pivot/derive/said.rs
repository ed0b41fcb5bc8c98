//! Derived columns in the words of a title: `hour of time` for `hour(time)`. Arithmetic and its functions say it best themselves.

use super::made::Derived;
use crate::expression::Expression;

/// The words of a title for a column; `headers` are those of its table.
pub(super) fn said(column: &Derived, headers: &[String]) -> Option<String> {
    let of = words(&column.expression, headers)?;
    match column.ranked {
        Some(_) => Some(format!("rank\u{a0}of {of}")),
        None => Some(of),
    }
}

fn words(expression: &Expression, headers: &[String]) -> Option<String> {
    match expression {
        Expression::Column(column) => Some(headers[*column].trim().to_owned()),
        Expression::Call(function, of) => {
            let part = function.part_of_time()?;
            let of = words(of.first()?, headers)?;
            // No line ends within "hour of".
            Some(if of == part { of } else { format!("{part}\u{a0}of {of}") })
        }
        _ => None,
    }
}

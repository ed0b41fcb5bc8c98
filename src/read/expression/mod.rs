//! Columns that are computed from others: `bin(lr, 20)`, `hour(time)`, `100 * acc`.
//!
//! A name that a header begins with is that header, the longest one, whatever else it may read as: `a - b` is the column of this
//! name where the table has it. Headers with other signs are quoted.

mod pattern;
mod syntax;

use gridscope_core::grid::Number;
pub(crate) use pattern::Pattern;
pub(crate) use syntax::{Cut, ExpressionFault, Function, MOST_BINS, parse, parse_prefix};

/// Expression that computes a row's value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    /// The value of a column.
    Column(usize),
    /// A number that is written out: whole ones exactly.
    Number(Number),
    /// The negative of a value.
    Negative(Box<Expression>),
    /// Arithmetic on two values.
    Pair(Operator, Box<Expression>, Box<Expression>),
    /// A function of values.
    Call(Function, Vec<Expression>),
    /// A part of a text.
    Extract(Box<Expression>, Pattern),
    /// The bin of a number, or its rank.
    Bin(Box<Expression>, Cut),
}

/// A sign between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

impl Expression {
    /// Whether it is the value of a column, or a number, and nothing is computed.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Expression::Column(_) | Expression::Number(_))
    }

    /// Adds the columns whose numbers it takes, each once.
    pub(crate) fn numbers(&self, into: &mut Vec<usize>) {
        match self {
            Expression::Call(function, _) if function.takes_text() => {}
            Expression::Extract(..) => {}
            Expression::Column(_) => self.columns(into),
            Expression::Number(_) => {}
            Expression::Negative(of) | Expression::Bin(of, _) => of.numbers(into),
            Expression::Pair(_, a, b) => [a, b].into_iter().for_each(|of| of.numbers(into)),
            Expression::Call(_, of) => of.iter().for_each(|of| of.numbers(into)),
        }
    }

    /// Adds the columns whose times it takes, each once.
    pub(crate) fn times(&self, into: &mut Vec<usize>) {
        match self {
            Expression::Call(function, of) if function.takes_time() => {
                of.iter().filter(|of| matches!(of, Expression::Column(_))).for_each(|of| of.columns(into));
            }
            Expression::Column(_) | Expression::Number(_) => {}
            Expression::Negative(of) | Expression::Bin(of, _) | Expression::Extract(of, _) => of.times(into),
            Expression::Pair(_, a, b) => [a, b].into_iter().for_each(|of| of.times(into)),
            Expression::Call(_, of) => of.iter().for_each(|of| of.times(into)),
        }
    }

    /// Adds the columns that it is computed of, each once.
    pub(crate) fn columns(&self, into: &mut Vec<usize>) {
        match self {
            Expression::Column(column) => {
                if !into.contains(column) {
                    into.push(*column);
                }
            }
            Expression::Number(_) => {}
            Expression::Negative(of) | Expression::Bin(of, _) | Expression::Extract(of, _) => {
                of.columns(into);
            }
            Expression::Pair(_, a, b) => [a, b].into_iter().for_each(|of| of.columns(into)),
            Expression::Call(_, of) => of.iter().for_each(|of| of.columns(into)),
        }
    }
}

#[cfg(test)]
mod tests;

//! Further numbers and texts of a cell's rows: an aggregate, also of another column, or another column's text at the
//! best row.

use super::aggregate::Agg;
use std::fmt;

/// An aggregate of the values of a cell, or of another column of its rows: `std`, `std(loss)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistic {
    /// How the numbers are merged.
    pub agg: Agg,
    /// The column; none is that of the value.
    pub column: Option<String>,
}

/// The text of a column at the row whose value is the greatest or the least; of equal ones, at the first: `argmax(method)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Which row: `max`, `min`, `best` or `worst`.
    pub by: Agg,
    /// The column.
    pub column: String,
}

/// The words before the column of a [`Pick`].
const PICKS: &[(&str, Agg)] =
    &[("argmax", Agg::Max), ("argmin", Agg::Min), ("argbest", Agg::Best), ("argworst", Agg::Worst)];

impl Statistic {
    /// Of the value itself.
    pub const fn of_value(agg: Agg) -> Self {
        Self { agg, column: None }
    }

    /// Its aggregate in words: those of [`Agg`], and `n` for `count`.
    pub(crate) fn agg_of(word: &str) -> Option<Agg> {
        match word {
            "n" => Some(Agg::Count),
            word => word.parse().ok(),
        }
    }
}

impl Pick {
    /// Which row a word asks for.
    pub(crate) fn by(word: &str) -> Option<Agg> {
        PICKS.iter().find(|(w, _)| *w == word).map(|p| p.1)
    }
}

impl From<Agg> for Statistic {
    fn from(agg: Agg) -> Self {
        Self::of_value(agg)
    }
}

/// Its name in templates, under which a grid has it.
impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            None => self.agg.fmt(f),
            Some(column) => write!(f, "{}({})", self.agg, Quoted(column)),
        }
    }
}

/// Its name in templates, under which a grid has it.
impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = PICKS.iter().find(|(_, agg)| *agg == self.by).map_or("arg", |p| p.0);
        write!(f, "{word}({})", Quoted(&self.column))
    }
}

/// A column's name between parentheses, in quotes where it would not read back without.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0;
        let mut depth = 0i32;
        let balanced = name.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        });
        let plain = balanced && depth == 0 && name.trim() == name && !name.contains(['{', '}', '"', '\'']);
        if plain && !name.is_empty() {
            f.write_str(name)
        } else {
            write!(f, "\"{}\"", name.replace('"', "\"\""))
        }
    }
}

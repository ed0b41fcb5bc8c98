//! Sort keys of the rows or columns of a grid.

use crate::notation::{Notation, ParseError};
use std::fmt;
use std::str::FromStr;

/// Order of the rows of a grid, or of its columns: `mean:desc`, `accuracy`, `label`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// Sort key.
    pub by: SortBy,
    /// The greatest comes first.
    pub descending: bool,
}

/// Sort key of rows; of columns likewise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SortBy {
    /// An aggregate of the values of the row.
    Aggregate(SortAggregate),
    /// The value in the column of this label.
    Line(String),
    /// Their own labels, numbers in them as numbers.
    Label,
}

macro_rules! aggregates {
    ($($(#[$doc:meta])* $name:ident = $word:literal),* $(,)?) => {
        /// An aggregate of the values of a row or column.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum SortAggregate { $($(#[$doc])* $name,)* }

        impl SortAggregate {
            const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its word.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

aggregates! {
    /// The mean.
    Mean = "mean",
    /// The median.
    Median = "median",
    /// The least.
    Min = "min",
    /// The greatest.
    Max = "max",
    /// The sum.
    Sum = "sum",
    /// The standard deviation of a sample.
    Std = "std",
    /// How many cells have a value.
    Count = "count",
}

/// The word for an order by the own labels, and what comes before a label that may be mistaken for a word.
const LABEL: &str = "label";

/// Whether a text is one of the words before `:desc`.
fn is_word(text: &str) -> bool {
    text == LABEL || SortAggregate::ALL.iter().any(|a| a.word() == text)
}

impl FromStr for Sort {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (rest, descending) = match (text.strip_suffix(":desc"), text.strip_suffix(":asc")) {
            (Some(rest), _) => (rest, true),
            (_, Some(rest)) => (rest, false),
            _ => (text, false),
        };
        let quoted = |t: &str| {
            let inner = t.strip_prefix('"')?.strip_suffix('"')?;
            Some(inner.replace("\"\"", "\""))
        };
        let line = |t: &str| SortBy::Line(quoted(t).unwrap_or_else(|| t.to_owned()));
        let by = match rest.strip_prefix("label:") {
            Some(label) if !label.is_empty() => line(label),
            _ if rest == LABEL => SortBy::Label,
            _ => match SortAggregate::ALL.iter().find(|a| a.word() == rest) {
                Some(aggregate) => SortBy::Aggregate(*aggregate),
                None => line(rest),
            },
        };
        if by == SortBy::Line(String::new()) {
            let reason = "give mean, median, min, max, sum, std, count, label or the label of a line, and :desc for the greatest first";
            return Err(ParseError::new(Notation::Sort, text, reason));
        }
        Ok(Self { by, descending })
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            SortBy::Aggregate(aggregate) => f.write_str(aggregate.word())?,
            SortBy::Label => f.write_str(LABEL)?,
            SortBy::Line(label) => {
                let plain = !is_word(label) && !label.contains(['"', ':']);
                if plain {
                    f.write_str(label)?;
                } else {
                    write!(f, "label:\"{}\"", label.replace('"', "\"\""))?;
                }
            }
        }
        f.write_str(if self.descending { ":desc" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_an_aggregate_and_any_other_text_a_label() {
        let read = |t: &str| t.parse::<Sort>().unwrap();
        let line = |l: &str| SortBy::Line(l.to_owned());
        assert_eq!(read("mean:desc").by, SortBy::Aggregate(SortAggregate::Mean));
        assert!(read("mean:desc").descending && !read("mean:asc").descending && !read("mean").descending);
        assert_eq!(read("label:desc").by, SortBy::Label);
        for (text, label) in [
            ("accuracy:desc", "accuracy"),
            ("label:mean", "mean"),
            ("\"mean\":desc", "mean"),
            ("a:b", "a:b"),
            ("\"x:desc\"", "x:desc"),
            ("label:label", "label"),
            ("12:00", "12:00"),
        ] {
            assert_eq!(read(text).by, line(label), "{text}");
            assert_eq!(read(&read(text).to_string()), read(text), "{text}");
        }
        for wrong in ["", ":desc", "\"\""] {
            assert_eq!(wrong.parse::<Sort>().unwrap_err().kind, Notation::Sort, "{wrong}");
        }
    }
}

//! How several values become one, and further numbers and texts of a cell's rows.

use crate::notation::{Notation, ParseError, words};
use crate::text::nearest;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

words! {
    /// Which values are better.
    Better {
        /// The greater: accuracies, scores.
        #[default] Higher = "higher",
        /// The lower: losses, errors, times.
        Lower = "lower",
    }
}

/// How several rows of one cell are merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Agg {
    /// Arithmetic mean.
    #[default]
    Mean,
    /// Median.
    Median,
    /// Least.
    Min,
    /// Greatest.
    Max,
    /// Sum; NaN over no value.
    Sum,
    /// Number of values.
    Count,
    /// Sample standard deviation (n - 1); NaN of one value.
    Std,
    /// Sample variance (n - 1); NaN of one value.
    Var,
    /// Standard error of the mean: the standard deviation over the root of n; NaN of one value.
    Sem,
    /// The first in the file.
    First,
    /// The last in the file.
    Last,
    /// The best, as `better` says.
    Best,
    /// The worst, as `better` says.
    Worst,
    /// A quantile, between values by a straight line: `q25`, `q2.5`.
    Quantile(Percent),
    /// Half the width of the two-sided t interval of the mean, of this level: `ci95`; NaN of one value.
    Ci(Percent),
}

/// The aggregates that are plain words.
const PLAIN: &[(&str, Agg)] = &[
    ("mean", Agg::Mean),
    ("median", Agg::Median),
    ("min", Agg::Min),
    ("max", Agg::Max),
    ("sum", Agg::Sum),
    ("count", Agg::Count),
    ("std", Agg::Std),
    ("var", Agg::Var),
    ("sem", Agg::Sem),
    ("first", Agg::First),
    ("last", Agg::Last),
    ("best", Agg::Best),
    ("worst", Agg::Worst),
];

impl Agg {
    /// All forms, as messages list them.
    pub const FORMS: &'static str = "mean, median, min, max, sum, count, std, var, sem, first, last, best, worst, q25 (a quantile), ci95 (half a t interval)";

    /// Whether it says how far values lie apart, so that one value has none.
    pub const fn is_spread(self) -> bool {
        matches!(self, Self::Std | Self::Var | Self::Sem | Self::Ci(_))
    }

    /// The aggregate that `best` or `worst` is; `None` of these where nobody said which values are better.
    #[must_use]
    pub const fn resolved(self, better: Option<Better>) -> Option<Self> {
        Some(match (self, better) {
            (Self::Best, Some(Better::Higher)) | (Self::Worst, Some(Better::Lower)) => Self::Max,
            (Self::Best, Some(Better::Lower)) | (Self::Worst, Some(Better::Higher)) => Self::Min,
            (Self::Best | Self::Worst, None) => return None,
            (other, _) => other,
        })
    }

    /// Its name before `of accuracy`: `mean`, `25 % quantile`.
    pub fn noun(self) -> String {
        match self {
            Self::Quantile(p) => format!("{p} % quantile"),
            Self::Ci(p) => format!("{p} % CI half-width"),
            word => word.to_string(),
        }
    }
}

impl FromStr for Agg {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if let Some((_, agg)) = PLAIN.iter().find(|(word, _)| *word == text) {
            return Ok(*agg);
        }
        let wrong = |reason: &str| ParseError::new(Notation::Aggregate, text, reason);
        if text.contains('(') {
            let cell =
                "the text of another column has no colour; write it into cells: --annot '{argmax(NAME)}'";
            return Err(wrong(if text.starts_with("arg") { cell } else { Self::FORMS }));
        }
        let digits = |t: &&str| t.starts_with(|c: char| c.is_ascii_digit());
        if let Some(p) = text.strip_prefix('q').filter(digits) {
            let p = p.parse().ok().filter(|p: &Percent| p.0 <= 100.0);
            return p
                .map(Self::Quantile)
                .ok_or_else(|| wrong("a quantile is q0 to q100, in percent: q25, q97.5"));
        }
        if let Some(p) = text.strip_prefix("ci").filter(digits) {
            let p = p.parse().ok().filter(|p: &Percent| p.0 > 0.0 && p.0 < 100.0);
            return p
                .map(Self::Ci)
                .ok_or_else(|| wrong("the level of an interval is between 0 and 100: ci95, ci99"));
        }
        if let Some(percent) = text.strip_prefix('p').filter(digits) {
            let quantile = format!("q{percent}");
            if quantile.parse::<Self>().is_ok() {
                return Err(wrong("quantiles begin with q").near(Some(&quantile)));
            }
        }
        let near = nearest(text, PLAIN.iter().map(|(word, _)| *word));
        Err(wrong(&format!("give one of {}", Self::FORMS)).near(near))
    }
}

impl fmt::Display for Agg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quantile(p) => write!(f, "q{p}"),
            Self::Ci(p) => write!(f, "ci{p}"),
            plain => f.write_str(PLAIN.iter().find(|(_, agg)| agg == plain).map_or("", |p| p.0)),
        }
    }
}

impl Serialize for Agg {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Agg {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

/// In a schema it is a text.
impl JsonSchema for Agg {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// A percentage as it is written: digits, perhaps with a point.
///
/// # Guarantees
/// Finite and not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Percent(f64);

// No NaN and no negative zero is one.
impl Eq for Percent {}

impl Percent {
    /// As a share of one.
    pub fn share(self) -> f64 {
        self.0 / 100.0
    }
}

impl FromStr for Percent {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        // '025' may be meant as 2.5 or as 0.25.
        let plain = digits(whole) && digits(fraction) && (whole.len() == 1 || !whole.starts_with('0'));
        let value = text.parse().ok().filter(|v: &f64| plain && v.is_finite());
        value
            .map(Self)
            .ok_or_else(|| ParseError::new(Notation::Aggregate, text, "a percentage is written as 25 or 2.5"))
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aggregates_print_as_they_are_read() {
        let words = PLAIN.iter().map(|p| p.0);
        for text in words.chain(["q0", "q25", "q2.5", "q97.5", "q100", "ci95", "ci99.9", "ci0.1"]) {
            let agg: Agg = text.parse().unwrap();
            assert_eq!(agg.to_string(), text);
            assert!(Agg::FORMS.contains(text) || text.contains(|c: char| c.is_ascii_digit()), "{text}");
            let json = serde_json::to_string(&agg).unwrap();
            assert_eq!(serde_json::from_str::<Agg>(&json).unwrap(), agg);
        }
    }

    #[test]
    fn other_aggregates_are_refused() {
        for bad in [
            "", "q", "q101", "q-1", "q1e1", "q025", "q.5", "q5.", "ci0", "ci100", "ci", "qNaN", "avg",
            "q25%", "Mean",
        ] {
            assert!(bad.parse::<Agg>().is_err(), "{bad}");
        }
        let wrong = |t: &str| t.parse::<Agg>().unwrap_err().to_string();
        assert!(wrong("medain").ends_with("did you mean 'median'?"), "{}", wrong("medain"));
        assert!(wrong("argmax(lr)").contains("--annot"));
        assert!(wrong("p95").ends_with("did you mean 'q95'?"));
    }

    #[test]
    fn the_best_depends_on_what_is_better() {
        let of = |agg: Agg, better| agg.resolved(better);
        assert_eq!(of(Agg::Best, Some(Better::Lower)), Some(Agg::Min));
        assert_eq!(of(Agg::Worst, Some(Better::Lower)), Some(Agg::Max));
        assert_eq!(of(Agg::Best, Some(Better::Higher)), Some(Agg::Max));
        assert_eq!((of(Agg::Best, None), of(Agg::Std, None)), (None, Some(Agg::Std)));
    }
}

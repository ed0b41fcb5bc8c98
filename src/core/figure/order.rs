//! Orders of rows and columns: sort keys, clusterings, axes in reverse.

use super::text::{List, OnOff};
use crate::notation::{Notation, ParseError, words};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
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

/// The word for an order by the own labels, and the prefix of a label that may be mistaken for a word.
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

/// Rows and columns in the order of a hierarchical clustering, as scipy and seaborn's `clustermap` have it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Cluster {
    /// Axes that are clustered: `rows`, `columns` or `both`.
    pub axes: Option<ClusterAxes>,
    /// The distance of two clusters; `average` unless given.
    pub linkage: Option<Linkage>,
    /// The distance of two rows or columns; `euclidean` unless given.
    pub metric: Option<Metric>,
    /// The order of the two clusters of each merge: as they were merged (`merged`), or `optimal`, which brings like next to like.
    pub leaf_order: Option<LeafOrder>,
    /// Whether the tree of the merges is drawn beside the body.
    pub dendrogram: Option<OnOff>,
}

impl Cluster {
    /// Whether columns (`along_x`) or rows are clustered.
    pub fn clusters(&self, along_x: bool) -> bool {
        match self.axes {
            None => false,
            Some(ClusterAxes::Both) => true,
            Some(ClusterAxes::Rows) => !along_x,
            Some(ClusterAxes::Columns) => along_x,
        }
    }
}

words! {
    /// Axes that are clustered.
    ClusterAxes {
        /// Rows.
        #[default] Rows = "rows",
        /// Columns.
        Columns = "columns",
        /// Both.
        Both = "both",
    }
    /// The distance of two clusters.
    Linkage {
        /// The mean of the distances of all pairs.
        #[default] Average = "average",
        /// The greatest distance of a pair.
        Complete = "complete",
        /// The increase that a merge brings to the squared distances within clusters.
        Ward = "ward",
        /// The least distance of a pair.
        Single = "single",
        /// The mean of the distances of the two clusters that were merged last.
        Weighted = "weighted",
    }
    /// The distance of two rows or columns.
    Metric {
        /// The root of the sum of the squared differences.
        #[default] Euclidean = "euclidean",
        /// One minus the correlation of Pearson.
        Correlation = "correlation",
        /// One minus the cosine of the angle.
        Cosine = "cosine",
        /// The sum of the absolute differences.
        Cityblock = "cityblock",
    }
    /// The order of the two clusters of each merge.
    LeafOrder {
        /// That of the merges: the cluster that was made first comes first.
        #[default] Merged = "merged",
        /// That in which the distances of neighbours add up to the least.
        Optimal = "optimal",
    }
}

words! {
    /// An axis of a figure.
    AxisName {
        /// Horizontal.
        #[default] X = "x",
        /// Vertical.
        Y = "y",
    }
}

/// The axes that are drawn in the reverse order: one or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reverse(pub Vec<AxisName>);

impl Reverse {
    /// Whether an axis is one of them.
    pub fn contains(&self, axis: AxisName) -> bool {
        self.0.contains(&axis)
    }
}

impl Serialize for Reverse {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        List(self.0.iter().map(|axis| axis.word().to_owned()).collect()).serialize(s)
    }
}

impl<'de> Deserialize<'de> for Reverse {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let List(words) = List::deserialize(d)?;
        let axes = words.iter().flat_map(|w| w.split(',')).map(|w| w.trim().parse());
        axes.collect::<Result<_, _>>().map(Self).map_err(de::Error::custom)
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

    #[test]
    fn one_axis_or_both_read_back() {
        let read = |text: &str| serde_json::from_str::<Reverse>(text).map_err(|e| e.to_string());
        let both = Reverse(vec![AxisName::X, AxisName::Y]);
        assert_eq!(read("\"y\""), Ok(Reverse(vec![AxisName::Y])));
        assert_eq!((read("[\"x\", \"y\"]"), read("\"x, y\"")), (Ok(both.clone()), Ok(both.clone())));
        assert_eq!(serde_json::to_string(&both).unwrap(), "[\"x\",\"y\"]");
        assert!(read("\"z\"").unwrap_err().contains("'z' is none of x, y"));
    }
}

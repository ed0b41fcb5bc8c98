//! The words a figure file may use.

use super::text::{List, Text};
use crate::notation::{ParseError, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

words! {
    /// How rows with one key become one value.
    Agg {
        /// Arithmetic mean.
        #[default] Mean = "mean",
        /// Median.
        Median = "median",
        /// Least.
        Min = "min",
        /// Greatest.
        Max = "max",
        /// Sum; NaN over no value.
        Sum = "sum",
        /// Number of values.
        Count = "count",
        /// Sample standard deviation (n - 1); NaN of one value.
        Std = "std",
        /// The first in the file.
        First = "first",
        /// The last in the file.
        Last = "last",
    }
    /// What a table is.
    TableKind {
        /// One row a cell; columns give x, y and value.
        #[default] Tidy = "tidy",
        /// First column and header are labels.
        Wide = "wide",
        /// Numbers only.
        Matrix = "matrix",
    }
    /// Whether the first line is a header.
    Header {
        /// Told from the text.
        #[default] Auto = "auto",
        /// It is one.
        Yes = "yes",
        /// There is none.
        None = "none",
    }
    /// What an axis measures.
    AxisType {
        /// Names.
        #[default] Category = "category",
        /// Numbers.
        Number = "number",
        /// Positive numbers on a logarithmic axis.
        Log = "log",
        /// Dates and times (ISO 8601).
        Time = "time",
    }
    /// How wide cells are along an axis.
    Spacing {
        /// All equal.
        #[default] Even = "even",
        /// As their coordinates say.
        True = "true",
    }
    /// Automatic, on or off.
    Toggle {
        /// By the rule of the design.
        #[default] Auto = "auto",
        /// Always.
        On = "on",
        /// Never.
        Off = "off",
    }
    /// On or off.
    OnOff {
        /// Shown.
        #[default] On = "on",
        /// Left out.
        Off = "off",
    }
    /// Where row 0 stands.
    Origin {
        /// On top.
        #[default] Upper = "upper",
        /// Below.
        Lower = "lower",
    }
    /// Which panels have tick labels.
    TickLabels {
        /// Those at the left and the bottom of the figure, and those whose axis differs from theirs.
        #[default] Outer = "outer",
        /// All.
        Each = "each",
    }
    /// Light or dark.
    Theme {
        /// Black on white.
        #[default] Light = "light",
        /// White on near black.
        Dark = "dark",
    }
    /// Where a colour bar stands.
    BarPlace {
        /// To the right.
        #[default] Right = "right",
        /// Below.
        Bottom = "bottom",
        /// Nowhere.
        None = "none",
    }
    /// Which cells of a panel get an outline.
    Mark {
        /// None.
        #[default] None = "none",
        /// The greatest.
        Max = "max",
        /// The least.
        Min = "min",
    }
    /// Which axis a side strip runs along.
    StripAxis {
        /// Along the bottom.
        X = "x",
        /// Down the side.
        #[default] Y = "y",
    }
}

/// The order of an axis: a word or a list of keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "wrong type: expected a text or a list of texts")]
pub enum Order {
    /// `data`, `natural`, `alpha` or `value`.
    Word(OrderWord),
    /// The keys in order; those not named come after, in their automatic order.
    Keys(List),
}

words! {
    /// A rule for the order of keys.
    OrderWord {
        /// First appearance.
        Data = "data",
        /// Numbers inside the text count as numbers.
        #[default] Natural = "natural",
        /// By character.
        Alpha = "alpha",
        /// By the mean of the row or column, greatest first.
        Value = "value",
    }
}

/// Which cells get a tick label.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Ticks {
    /// `auto`, `all` or `none`.
    Word(TicksWord),
    /// About so many.
    Count(u32),
}

words! {
    /// Which cells get a tick label.
    TicksWord {
        /// As many as fit.
        #[default] Auto = "auto",
        /// Every one.
        All = "all",
        /// None.
        None = "none",
    }
}

impl std::str::FromStr for Ticks {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.parse::<u32>() {
            Ok(n) if n > 0 => Ok(Ticks::Count(n)),
            _ => text.parse().map(Ticks::Word).map_err(|mut e: ParseError| {
                e.reason.push_str(", nor a positive number");
                e
            }),
        }
    }
}

impl<'de> Deserialize<'de> for Ticks {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Text::deserialize(d)?.0.parse().map_err(serde::de::Error::custom)
    }
}

//! Words of figure files.

use super::text::List;
use crate::notation::words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

words! {
    /// The shape of a table.
    TableKind {
        /// One row per cell; columns give x, y and value.
        #[default] Tidy = "tidy",
        /// The first column and the header are labels.
        Wide = "wide",
        /// Numbers only.
        Matrix = "matrix",
    }
    /// Whether the first line is a header.
    Header {
        /// As the text suggests.
        #[default] Auto = "auto",
        /// It is one.
        Yes = "yes",
        /// There is none.
        None = "none",
    }
    /// Quantity along an axis.
    AxisType {
        /// Categories.
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
        /// Equal.
        #[default] Even = "even",
        /// As their coordinates require.
        True = "true",
    }
    /// Automatic, on or off.
    Toggle {
        /// As suits the data.
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
    /// Where row 0 is.
    Origin {
        /// At the top.
        #[default] Upper = "upper",
        /// At the bottom.
        Lower = "lower",
    }
    /// Which panels have tick labels.
    TickLabels {
        /// Those at the left and the bottom of the figure, and those with a different axis.
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
    /// The place of a colour bar.
    BarPlace {
        /// To the right.
        #[default] Right = "right",
        /// Below the panels.
        Bottom = "bottom",
        /// There is no bar.
        None = "none",
    }
    /// The axis along which a strip runs.
    StripAxis {
        /// Horizontal.
        X = "x",
        /// Vertical.
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

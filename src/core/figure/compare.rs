//! Values beside others: baselines of comparisons, tests of pairs, shares of a sum and standard scores.

use crate::notation::{Notation, ParseError, words};
use std::fmt;
use std::str::FromStr;

/// Baseline of a comparison: a file, a panel, a row or a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The panels of a file of data, or of a figure file.
    File(String),
    /// The panel of this name.
    Panel(String),
    /// `COLUMN=VALUE`: a row, a column or a panel by its key. Or one word: a file, a panel, or the key of a row or column, as
    /// long as it is one of them only.
    Named(String),
}

/// The prefixes of a file and of a panel.
const FILE: &str = "file:";
const PANEL: &str = "panel:";

impl FromStr for Baseline {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let made = if let Some(path) = text.strip_prefix(FILE) {
            (path, Self::File(path.to_owned()))
        } else if let Some(name) = text.strip_prefix(PANEL) {
            (name, Self::Panel(name.to_owned()))
        } else {
            (text, Self::Named(text.to_owned()))
        };
        if made.0.trim().is_empty() {
            let forms = "give file:PATH, panel:NAME, COLUMN=VALUE, or one word that is only one of these";
            return Err(ParseError::new(Notation::Baseline, text, forms));
        }
        Ok(made.1)
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{FILE}{path}"),
            Self::Panel(name) => write!(f, "{PANEL}{name}"),
            Self::Named(text) => f.write_str(text),
        }
    }
}

/// How values are compared with a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Value - baseline.
    Minus,
    /// Value / baseline.
    Ratio,
    /// (value / baseline - 1) * 100.
    Percent,
    /// The baseline, the value, and value - baseline, in a panel each.
    Against,
}

impl Compare {
    /// The key, which is the flag too.
    pub fn word(self) -> &'static str {
        match self {
            Self::Minus => "minus",
            Self::Ratio => "ratio",
            Self::Percent => "percent",
            Self::Against => "against",
        }
    }
}

words! {
    /// The test of paired replicates.
    PairedTest {
        /// Wilcoxon's signed-rank test.
        #[default] Wilcoxon = "wilcoxon",
        /// Student's t-test of the differences.
        T = "t",
    }
}

impl PairedTest {
    /// Its name in a note.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wilcoxon => "Wilcoxon signed-rank",
            Self::T => "paired t",
        }
    }
}

words! {
    /// The sum that each value becomes a share of, or the values between whose least and greatest it lies.
    Normalize {
        /// Of its row.
        #[default] Row = "row",
        /// Of its column.
        Column = "column",
        /// Of its panel.
        Panel = "panel",
        /// Of all panels.
        All = "all",
        /// From 0, the least of its row, to 1, the greatest.
        MinMaxRow = "minmax:row",
        /// The same of its column.
        MinMaxColumn = "minmax:column",
        /// The same of its panel.
        MinMaxPanel = "minmax:panel",
        /// The same of all panels.
        MinMaxAll = "minmax:all",
    }
    /// The values among which each value becomes its rank.
    RankOf {
        /// Those of its row.
        #[default] Row = "row",
        /// Those of its column.
        Column = "column",
        /// Those of its panel.
        Panel = "panel",
        /// Those of all panels.
        All = "all",
    }
    /// The values among which each value becomes a standard score.
    ZScore {
        /// Those of its row.
        #[default] Row = "row",
        /// Those of its column.
        Column = "column",
    }
}

impl Normalize {
    /// Whether values are placed between the least and the greatest.
    pub fn is_min_max(self) -> bool {
        matches!(self, Self::MinMaxRow | Self::MinMaxColumn | Self::MinMaxPanel | Self::MinMaxAll)
    }

    /// Whether it is of all panels together.
    pub fn is_of_all(self) -> bool {
        matches!(self, Self::All | Self::MinMaxAll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn baselines_print_as_they_are_read() {
        for text in ["file:a b.csv", "panel:x = 1", "method=base", "base", "file:file:x"] {
            assert_eq!(text.parse::<Baseline>().unwrap().to_string(), text);
        }
        for wrong in ["", " ", "file:", "panel: "] {
            assert_eq!(wrong.parse::<Baseline>().unwrap_err().kind, Notation::Baseline, "{wrong}");
        }
    }
}

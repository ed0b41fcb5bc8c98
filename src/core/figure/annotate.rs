//! Content of cells: values, or a template over aggregates and columns.

use super::template::Template;
use crate::notation::{Notation, ParseError};
use std::fmt;
use std::str::FromStr;

/// Whether and what is written into cells: `auto`, `on`, `off`, or a template as `{mean:.1f} (n={n})`.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Annotate {
    /// The value, where the widest fits its cell at 6 pt with space around it, and no side has more than 20 cells.
    #[default]
    Auto,
    /// The value; left out with a warning where it does not fit.
    On,
    /// Nothing.
    Off,
    /// A template; left out with a warning where it does not fit.
    Template(Template),
}

impl FromStr for Annotate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "auto" => Ok(Self::Auto),
            "on" | "true" | "True" => Ok(Self::On),
            "off" | "false" | "False" => Ok(Self::Off),
            t if t.contains(['{', '}']) => t.parse().map(Self::Template),
            t => {
                let reason = "give auto, on, off, or a template such as '{mean:.1f} (n={n})'";
                Err(ParseError::new(Notation::Annotate, t, reason))
            }
        }
    }
}

impl fmt::Display for Annotate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::On => f.write_str("on"),
            Self::Off => f.write_str("off"),
            Self::Template(template) => template.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_print_as_they_are_read() {
        for text in ["auto", "on", "off", "{mean:.1f}±{std} (n={n}) {column:note}{{}}", "{value:d}"] {
            assert_eq!(text.parse::<Annotate>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn wrong_templates_are_refused() {
        for bad in ["{mean", "{mean}}", "{avg}", "{mean:zz}", "maybe"] {
            assert!(bad.parse::<Annotate>().is_err(), "{bad}");
        }
    }
}

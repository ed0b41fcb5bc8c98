//! Values that people write as text: the error of a wrong text, words from a list, and values with their own text.

use crate::text::{nearest, shorten};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// Characters of a wrong text that a message repeats.
const SHOWN: usize = 60;

/// Kind of value that a text denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notation {
    /// A colour.
    Color,
    /// A colormap's name, or a list of colours.
    Colormap,
    /// A norm.
    Norm,
    /// A length with its unit.
    Length,
    /// A part `A:B` of an axis, in cells.
    Part,
    /// Row or column indices `A:B`.
    CellRange,
    /// A cell in the middle of a view.
    Around,
    /// Key that rows or columns are sorted by.
    Sort,
    /// A number format.
    NumberFormat,
    /// A format of dates and times.
    TimeFormat,
    /// A format of tick labels.
    LabelFormat,
    /// Ticks of a colour bar.
    BarTicks,
    /// Content of cells.
    Annotate,
    /// Numbers of whole rows or columns beside a body.
    Margin,
    /// Which cells are masked.
    Mask,
    /// A condition on cells.
    Condition,
    /// Cells that are marked.
    Mark,
    /// Levels of contours.
    Contours,
    /// How values are merged.
    Aggregate,
    /// The name of a lint.
    Lint,
    /// Baseline of a comparison.
    Baseline,
    /// One word of a list.
    Word,
}

impl Notation {
    /// Name of the kind, with its article.
    const fn noun(self) -> &'static str {
        match self {
            Self::Color => "a colour",
            Self::Colormap => "a colormap",
            Self::Norm => "a norm",
            Self::Length => "a length",
            Self::Part => "a part A:B of an axis",
            Self::CellRange => "a range A:B of cells",
            Self::Around => "a place in the grid",
            Self::Sort => "an order of rows or columns",
            Self::NumberFormat => "a number format",
            Self::TimeFormat => "a time format",
            Self::LabelFormat => "a format of labels",
            Self::BarTicks => "a tick of the colour bar",
            Self::Annotate => "an annotation",
            Self::Margin => "a margin",
            Self::Mask => "a mask",
            Self::Condition => "a condition on cells",
            Self::Mark => "a mark",
            Self::Contours => "contours",
            Self::Aggregate => "an aggregate",
            Self::Lint => "the name of a lint",
            Self::Baseline => "a baseline",
            Self::Word => "a known word",
        }
    }
}

/// A text that does not mean what it should.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// Kind that the text should have been of.
    pub kind: Notation,
    /// The text; a part of it where it is long.
    pub text: String,
    /// Why it is not, or what is expected; may be empty.
    pub reason: String,
    /// Advice, as `did you mean 'log'?`.
    pub hint: Option<String>,
}

impl ParseError {
    pub(crate) fn new(kind: Notation, text: &str, reason: impl Into<String>) -> Self {
        Self { kind, text: shorten(text, SHOWN), reason: reason.into(), hint: None }
    }

    /// With the known word that was probably meant, if there is one.
    pub(crate) fn near(mut self, word: Option<&str>) -> Self {
        self.hint = word.map(|w| format!("did you mean '{w}'?"));
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Notation::Word => write!(f, "'{}' is none of {}", self.text, self.reason)?,
            kind => {
                write!(f, "'{}' is not {}", self.text, kind.noun())?;
                if !self.reason.is_empty() {
                    write!(f, ": {}", self.reason)?;
                }
            }
        }
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}

/// A value and the text that it is written as: `red` in a figure file stays `red` in the description of its picture, where the
/// colour alone would be `#ff0000`.
///
/// It is made of a text by [`str::parse`], or of a value by [`From`], and is used like the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal<T> {
    value: T,
    text: String,
}

impl<T> Literal<T> {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl<T> Deref for Literal<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Display> From<T> for Literal<T> {
    fn from(value: T) -> Self {
        let text = value.to_string();
        Self { value, text }
    }
}

impl<T: FromStr> FromStr for Literal<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        let text = text.to_owned();
        text.parse().map(|value| Self { value, text })
    }
}

impl<T> fmt::Display for Literal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T> Serialize for Literal<T> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.text)
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Literal<T> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

/// In a schema it is a text.
impl<T> JsonSchema for Literal<T> {
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

/// Enums whose variants are words of figure files and flags.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant,)* }
        impl $name {
            /// The words, as written in figure files and flags.
            pub const WORDS: &'static [&'static str] = &[$($word,)*];
            /// The word of this value.
            pub const fn word(self) -> &'static str { match self { $(Self::$variant => $word,)* } }
        }
        impl std::str::FromStr for $name {
            type Err = $crate::notation::ParseError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok(Self::$variant),)*
                    _ => Err($crate::notation::unknown_word(text, Self::WORDS)),
                }
            }
        }
    )*};
}
pub(crate) use words;

/// The error of a text that is none of these words.
pub fn unknown_word(text: &str, words: &[&str]) -> ParseError {
    ParseError::new(Notation::Word, text, words.join(", ")).near(nearest(text, words.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_keeps_its_text() {
        let ten: Literal<f64> = "1e1".parse().unwrap();
        assert_eq!((*ten, ten.text(), ten.to_string()), (10.0, "1e1", "1e1".to_owned()));
        assert_eq!(serde_json::to_string(&ten).unwrap(), "\"1e1\"");
        assert_eq!(serde_json::from_str::<Literal<f64>>("\"1e1\"").unwrap(), ten);
        assert_eq!(Literal::from(10.0).text(), "10");
        assert!(serde_json::from_str::<Literal<f64>>("10").is_err());
        assert!("ten".parse::<Literal<f64>>().is_err());
    }

    #[test]
    fn a_wrong_text_is_shown_and_explained() {
        let e = ParseError::new(Notation::Norm, "lgo", "give log").near(Some("log"));
        assert_eq!(e.to_string(), "'lgo' is not a norm: give log; did you mean 'log'?");
        let e = ParseError::new(Notation::Lint, &"x".repeat(1000), "").near(None);
        assert!(e.to_string().ends_with("…xxxxxxxxxxxxxxxxxxxxxxxxxxxxx' is not the name of a lint"), "{e}");
        assert_eq!(unknown_word("c", &["a", "b"]).to_string(), "'c' is none of a, b");
        assert_eq!(
            unknown_word("rows", &["row", "column"]).to_string(),
            "'rows' is none of row, column; did you mean 'row'?"
        );
    }
}

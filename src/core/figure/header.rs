//! The lines of a table that name its columns.

use super::text::Text;
use crate::notation::{ParseError, unknown_word};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, Deserialize, Deserializer};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

/// Whether a table of text has a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// As the text suggests.
    #[default]
    Auto,
    /// Its first line is one.
    Yes,
    /// There is none.
    None,
    /// So many lines are it; of several, the columns nest.
    Lines(NonZeroU8),
}

impl Header {
    /// The most lines.
    pub const MOST: u8 = 20;
    /// The words beside a number.
    pub const WORDS: &'static [&'static str] = &["auto", "yes", "none"];
}

impl FromStr for Header {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "auto" => Ok(Self::Auto),
            "yes" => Ok(Self::Yes),
            "none" => Ok(Self::None),
            _ => {
                let lines = text.parse().ok().filter(|n: &NonZeroU8| n.get() <= Self::MOST);
                let words = ["auto", "yes", "none", "a number of lines up to 20"];
                lines.map(Self::Lines).ok_or_else(|| unknown_word(text, &words))
            }
        }
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Yes => f.write_str("yes"),
            Self::None => f.write_str("none"),
            Self::Lines(lines) => lines.fmt(f),
        }
    }
}

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Lines(lines) => lines.serialize(s),
            word => s.collect_str(word),
        }
    }
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let Text(text) = Text::deserialize(d)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Header {
    fn schema_name() -> Cow<'static, str> {
        "Header".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "description": "The lines of a table that name its columns",
            "anyOf": [
                {"enum": Self::WORDS},
                {"description": "So many lines", "type": "integer", "minimum": 1, "maximum": Self::MOST},
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_a_word_or_a_number_of_lines() {
        for text in ["auto", "yes", "none", "1", "20"] {
            assert_eq!(text.parse::<Header>().unwrap().to_string(), text);
        }
        for text in ["0", "21", "-1", "two", ""] {
            assert!(text.parse::<Header>().is_err(), "{text}");
        }
        assert_eq!(serde_json::from_str::<Header>("2").unwrap(), "2".parse().unwrap());
        assert_eq!(serde_json::to_string(&"2".parse::<Header>().unwrap()).unwrap(), "2");
    }
}

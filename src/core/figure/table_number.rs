//! Which tables of a text are read.

use super::text::Text;
use crate::notation::{ParseError, unknown_word};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, Deserialize, Deserializer};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// Which of several tables in a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableNumber {
    /// All that hold numbers.
    All,
    /// One, from 1.
    One(NonZeroU64),
}

impl FromStr for TableNumber {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::One).map_err(|_| unknown_word(text, &["all", "a number from 1"])),
        }
    }
}

impl fmt::Display for TableNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::One(number) => number.fmt(f),
        }
    }
}

impl Serialize for TableNumber {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All => s.collect_str("all"),
            Self::One(number) => number.serialize(s),
        }
    }
}

impl<'de> Deserialize<'de> for TableNumber {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let Text(text) = Text::deserialize(d)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for TableNumber {
    fn schema_name() -> Cow<'static, str> {
        "TableNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "description": "Which of several tables in a text is read",
            "anyOf": [
                {"enum": ["all"]},
                {"description": "One of them, from 1", "type": "integer", "minimum": 1},
            ]
        })
    }
}

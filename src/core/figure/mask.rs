//! Which cells are masked on request.

use super::condition::{CellCondition, compared};
use super::text::List;
use crate::notation::{Notation, ParseError};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// Cells that are masked.
#[derive(Clone, Debug, PartialEq)]
pub enum Mask {
    /// On and above the diagonal, as `numpy.triu(ones)`.
    Upper,
    /// On and below the diagonal, as `numpy.tril(ones)`.
    Lower,
    /// Those that meet a condition.
    Condition(CellCondition),
    /// Those where a file holds 1.
    File(String),
}

/// Masks: a cell that one of them hides is masked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Masks(pub Vec<Mask>);

impl FromStr for Mask {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Ok(match text {
            "upper" => Self::Upper,
            "lower" => Self::Lower,
            _ => match text.parse() {
                Ok(condition) => Self::Condition(condition),
                // The names of files may hold `=`; no condition has `<` or `>` but as its comparison.
                Err(e) if compared(text).is_some() && text.contains(['<', '>']) => return Err(e),
                Err(_) if text.trim().is_empty() => {
                    let reason = "give upper, lower, a condition such as 'p > 0.05', or a file of 0 and 1";
                    return Err(ParseError::new(Notation::Mask, text, reason));
                }
                Err(_) => Self::File(text.to_owned()),
            },
        })
    }
}

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upper => f.write_str("upper"),
            Self::Lower => f.write_str("lower"),
            Self::Condition(condition) => condition.fmt(f),
            Self::File(path) => f.write_str(path),
        }
    }
}

impl Masks {
    /// The paths of their files.
    pub fn files(&mut self) -> impl Iterator<Item = &mut String> {
        self.0.iter_mut().filter_map(|mask| match mask {
            Mask::File(path) => Some(path),
            _ => None,
        })
    }
}

impl FromStr for Masks {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Ok(Self(vec![text.parse()?]))
    }
}

impl Serialize for Masks {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        List(self.0.iter().map(Mask::to_string).collect()).serialize(s)
    }
}

impl<'de> Deserialize<'de> for Masks {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let List(texts) = List::deserialize(d)?;
        let masks = texts.iter().map(|text| text.parse());
        masks.collect::<Result<_, _>>().map(Self).map_err(de::Error::custom)
    }
}

/// In a schema it is a text or a list.
impl JsonSchema for Masks {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        List::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        List::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_told_from_a_file() {
        let read = |text: &str| text.parse::<Mask>().unwrap();
        assert_eq!((read("upper"), read("lower")), (Mask::Upper, Mask::Lower));
        for (text, is_condition) in
            [("p > 0.05", true), ("n=1", true), ("mask.csv", false), ("run=3/m.npy", false)]
        {
            assert_eq!(matches!(read(text), Mask::Condition(_)), is_condition, "{text}");
            assert_eq!(read(text).to_string(), text);
        }
        assert!("p > x".parse::<Mask>().is_err());
        let both: Masks = serde_json::from_str("[\"upper\", \"p > 0.05\"]").unwrap();
        assert_eq!(serde_json::to_string(&both).unwrap(), "[\"upper\",\"p > 0.05\"]");
    }
}

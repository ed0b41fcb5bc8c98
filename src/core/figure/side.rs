//! Sides of pictures.

use super::length::Length;
use super::text::Text;
use crate::notation::ParseError;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// A side of a picture: a length, or `auto`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Side {
    /// As long as the layout needs.
    Auto,
    /// This long.
    Length(Length),
}

impl Side {
    /// The length, where it is not automatic.
    pub fn length(&self) -> Option<&Length> {
        match self {
            Self::Auto => None,
            Self::Length(length) => Some(length),
        }
    }
}

impl From<Length> for Side {
    fn from(length: Length) -> Self {
        Self::Length(length)
    }
}

impl FromStr for Side {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "auto" => Ok(Self::Auto),
            text => text.parse().map(Self::Length),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Length(length) => length.fmt(f),
        }
    }
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Text::deserialize(d)?.0.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_a_length_or_automatic() {
        for (text, is_given) in [("\"auto\"", false), ("\"6 in\"", true)] {
            let side: Side = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&side).unwrap(), text);
            assert_eq!(side.length().is_some(), is_given);
        }
        assert!("automatic".parse::<Side>().is_err());
    }
}

//! The levels at which contours are drawn.

use super::text::Text;
use crate::notation::{Notation, ParseError};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The levels at which contours are drawn: given, or round ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Contours {
    /// These, ascending; none: no contours.
    Levels(Vec<f64>),
    /// At most this many round ones between the limits of the colours.
    Count(u32),
}

/// The most levels.
const MOST: usize = 50;

fn levels<'a>(texts: impl Iterator<Item = &'a str>, all: &str) -> Result<Contours, ParseError> {
    let wrong = |reason: String| ParseError::new(Notation::Contours, all, reason);
    let mut levels = Vec::new();
    for text in texts.map(str::trim) {
        let level = text.parse::<f64>().ok().filter(|v| v.is_finite());
        levels.push(level.ok_or_else(|| wrong(format!("'{text}' is not a finite number")))?);
    }
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    if levels.len() > MOST {
        return Err(wrong(format!("{} levels, and {MOST} are the most", levels.len())));
    }
    Ok(Contours::Levels(levels))
}

impl FromStr for Contours {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim();
        let is_whole = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match text {
            "none" => Ok(Self::Levels(Vec::new())),
            _ if is_whole && text != "0" => match text.parse::<u32>() {
                Ok(n) if n as usize <= MOST => Ok(Self::Count(n)),
                _ => {
                    let reason =
                        format!("{MOST} levels are the most; the one level {text} is written '{text},'");
                    Err(ParseError::new(Notation::Contours, text, reason))
                }
            },
            "" => Err(ParseError::new(
                Notation::Contours,
                text,
                "give levels with commas between, the number of levels, or none",
            )),
            // A list of one level ends with a comma.
            _ => levels(text.strip_suffix(',').unwrap_or(text).split(','), text),
        }
    }
}

impl fmt::Display for Contours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(n) => write!(f, "{n}"),
            Self::Levels(levels) if levels.is_empty() => f.write_str("none"),
            Self::Levels(levels) => {
                let texts: Vec<String> = levels.iter().map(f64::to_string).collect();
                f.write_str(&texts.join(","))?;
                if levels.len() == 1 { f.write_str(",") } else { Ok(()) }
            }
        }
    }
}

impl Serialize for Contours {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Count(n) => n.serialize(s),
            Self::Levels(levels) if levels.is_empty() => s.collect_str(self),
            Self::Levels(levels) => levels.serialize(s),
        }
    }
}

struct ContoursVisitor;

impl<'de> Visitor<'de> for ContoursVisitor {
    type Value = Contours;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of levels, or a list of levels")
    }

    fn visit_str<E: de::Error>(self, v: &str) -> Result<Contours, E> {
        v.parse().map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, v: i64) -> Result<Contours, E> {
        self.visit_str(&v.to_string())
    }

    fn visit_u64<E: de::Error>(self, v: u64) -> Result<Contours, E> {
        self.visit_str(&v.to_string())
    }

    fn visit_f64<E: de::Error>(self, v: f64) -> Result<Contours, E> {
        // A number with a point is a level.
        self.visit_str(&format!("{v},"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Contours, A::Error> {
        let mut texts = Vec::new();
        while let Some(Text(text)) = seq.next_element()? {
            texts.push(text);
        }
        levels(texts.iter().map(String::as_str), &texts.join(",")).map_err(de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Contours {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(ContoursVisitor)
    }
}

impl JsonSchema for Contours {
    fn schema_name() -> Cow<'static, str> {
        "Contours".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "description": "The levels of contours",
            "anyOf": [
                {"description": "Levels with commas between, or `none`", "type": "string"},
                {"description": "At most this many round levels", "type": "integer", "minimum": 1},
                {"description": "One level", "type": "number"},
                {"description": "Levels", "type": "array", "items": {"type": "number"}}
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_a_count() {
        let read = |text: &str| text.parse::<Contours>().unwrap();
        assert_eq!(read("5"), Contours::Count(5));
        for (text, levels) in [
            ("0.9,0.5, 0.5", &[0.5, 0.9][..]),
            ("5,", &[5.0]),
            ("5.0", &[5.0]),
            ("0", &[0.0]),
            ("-3", &[-3.0]),
            ("none", &[]),
            ("1e300,-1e300", &[-1e300, 1e300]),
        ] {
            assert_eq!(read(text), Contours::Levels(levels.to_vec()), "{text}");
        }
        for wrong in ["", "x", "nan", "0.5,inf", "51", "0.5,,1", ","] {
            assert!(wrong.parse::<Contours>().is_err(), "{wrong}");
        }
        for contours in [read("5"), read("0.5"), read("5,"), read("0.25,3"), read("none")] {
            assert_eq!(read(&contours.to_string()), contours);
            let json = serde_json::to_string(&contours).unwrap();
            assert_eq!(serde_json::from_str::<Contours>(&json).unwrap(), contours, "{json}");
        }
        assert_eq!(serde_json::from_str::<Contours>("2.0").unwrap(), read("2,"));
        assert_eq!(serde_json::from_str::<Contours>("[2, 1]").unwrap(), read("1,2"));
    }
}

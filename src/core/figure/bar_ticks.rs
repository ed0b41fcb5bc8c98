//! Ticks of the colour bar that somebody chose: `0,0.5,1`, `0:Fail,1:Pass`, `none`.

use super::text::{List, Text};
use crate::notation::{Notation, ParseError};
use schemars::JsonSchema;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A tick of a colour bar.
#[derive(Clone, Debug, PartialEq)]
pub struct BarTick {
    /// The value where it lies.
    pub value: f64,
    /// Its text; without one the value is written.
    pub text: Option<String>,
}

/// The ticks of a colour bar: a list of values, each with a text perhaps, or none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarTicks(pub Vec<BarTick>);

/// The word for a bar without ticks.
const NONE: &str = "none";

impl BarTick {
    fn new(value: &str, text: Option<&str>) -> Result<Self, ParseError> {
        let number: Option<f64> = value.trim().replace('−', "-").parse().ok();
        let Some(value) = number.filter(|v| v.is_finite()) else {
            let reason = "is no number; ticks are VALUE or VALUE:TEXT, parted by commas, or none";
            return Err(ParseError::new(Notation::BarTicks, value.trim(), reason));
        };
        Ok(Self { value, text: text.map(|t| t.trim().to_owned()) })
    }
}

impl FromStr for BarTick {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.split_once(':') {
            Some((value, text)) => Self::new(value, Some(text)),
            None => Self::new(text, None),
        }
    }
}

impl fmt::Display for BarTick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => write!(f, "{}:{text}", self.value),
            None => write!(f, "{}", self.value),
        }
    }
}

impl FromStr for BarTicks {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.trim() == NONE {
            return Ok(Self::default());
        }
        let mut items = List::from_flag(text).0;
        // A list of one value may end with a comma.
        if items.len() > 1 && items.last().is_some_and(|last| last.trim().is_empty()) {
            items.pop();
        }
        items.iter().map(|item| item.parse()).collect::<Result<_, _>>().map(Self)
    }
}

impl Serialize for BarTicks {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0.is_empty() {
            true => s.serialize_str(NONE),
            false => s.collect_seq(self.0.iter().map(ToString::to_string)),
        }
    }
}

struct BarTicksVisitor;

impl<'de> Visitor<'de> for BarTicksVisitor {
    type Value = BarTicks;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text such as 0:Fail,1:Pass, a list of values, or values and their texts")
    }

    fn visit_str<E: de::Error>(self, v: &str) -> Result<BarTicks, E> {
        v.parse().map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, v: i64) -> Result<BarTicks, E> {
        self.visit_str(&v.to_string())
    }

    fn visit_u64<E: de::Error>(self, v: u64) -> Result<BarTicks, E> {
        self.visit_str(&v.to_string())
    }

    fn visit_f64<E: de::Error>(self, v: f64) -> Result<BarTicks, E> {
        self.visit_str(&v.to_string())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<BarTicks, A::Error> {
        let mut ticks = Vec::new();
        while let Some(Text(item)) = seq.next_element()? {
            ticks.push(item.parse().map_err(de::Error::custom)?);
        }
        Ok(BarTicks(ticks))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BarTicks, A::Error> {
        let mut ticks = Vec::new();
        while let Some((value, Text(text))) = map.next_entry::<String, Text>()? {
            ticks.push(BarTick::new(&value, Some(&text)).map_err(de::Error::custom)?);
        }
        Ok(BarTicks(ticks))
    }
}

impl<'de> Deserialize<'de> for BarTicks {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(BarTicksVisitor)
    }
}

impl JsonSchema for BarTicks {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "BarTicks".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Ticks of the colour bar",
            "anyOf": [
                {"description": "`none`, or a list such as `0,0.5,1` or `0:Fail,1:Pass`", "type": "string"},
                {"description": "A value", "type": "number"},
                {"description": "Values, or texts such as `0:Fail`", "type": "array", "items": {"type": ["string", "number"]}},
                {"description": "Values and their texts", "type": "object", "additionalProperties": {"type": ["string", "number"]}}
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(of: &[(f64, Option<&str>)]) -> BarTicks {
        BarTicks(
            of.iter().map(|(value, text)| BarTick { value: *value, text: text.map(str::to_owned) }).collect(),
        )
    }

    #[test]
    fn values_may_have_texts() {
        let read = |text: &str| text.parse::<BarTicks>().unwrap();
        assert_eq!(read("0:Fail,1:Pass"), ticks(&[(0.0, Some("Fail")), (1.0, Some("Pass"))]));
        assert_eq!(read("-1, 0.5 ,1e3"), ticks(&[(-1.0, None), (0.5, None), (1000.0, None)]));
        assert_eq!(read("0:no\\, never,1:a:b"), ticks(&[(0.0, Some("no, never")), (1.0, Some("a:b"))]));
        assert_eq!((read("none"), read("-1,")), (BarTicks::default(), ticks(&[(-1.0, None)])));
        for wrong in ["", "a", "0,a:1", "nan", "inf:x", ":x"] {
            assert!(wrong.parse::<BarTicks>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_may_have_a_list_or_a_table() {
        let read = |json: &str| serde_json::from_str::<BarTicks>(json).unwrap();
        let of = [(0.0, Some("Fail")), (1.0, Some("Pass"))];
        assert_eq!(read(r#"{"0": "Fail", "1": "Pass"}"#), ticks(&of));
        assert_eq!(read(r#"["0:Fail", "1:Pass"]"#), ticks(&of));
        assert_eq!(read("[0, 0.5]"), ticks(&[(0.0, None), (0.5, None)]));
        for ticks in [ticks(&of), BarTicks::default(), ticks(&[(1e-300, None)])] {
            assert_eq!(read(&serde_json::to_string(&ticks).unwrap()), ticks);
        }
    }
}

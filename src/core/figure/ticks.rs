//! Which cells get a tick label.

use super::text::{List, Text};
use crate::notation::{ParseError, words};
use schemars::JsonSchema;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Which cells get a tick label: `auto`, `all`, `none`, a number, `every:5`, or a list of keys.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ticks {
    /// `auto`, `all` or `none`.
    Word(TicksWord),
    /// About this many, and no more.
    Count(u32),
    /// Every cell of this many, from the first.
    Every(u32),
    /// The cells of these keys; on an axis with true spacing, values between cells too.
    Keys(List),
}

words! {
    /// Which cells get a tick label.
    TicksWord {
        /// As many as fit.
        #[default] Auto = "auto",
        /// Every cell: labels are rotated and made smaller, and the figure grows where its size is automatic.
        All = "all",
        /// None.
        None = "none",
    }
}

/// The word before the number of cells from one label to the next.
const EVERY: &str = "every:";

impl FromStr for Ticks {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let positive = |number: &str| number.parse::<u32>().ok().filter(|n| *n > 0);
        if let Some(count) = positive(text) {
            return Ok(Self::Count(count));
        }
        if let Some(step) = text.strip_prefix(EVERY).and_then(positive) {
            return Ok(Self::Every(step));
        }
        if text.contains(',') && !text.starts_with(EVERY) {
            let mut list = List::from_flag(text);
            // A list of one key ends with a comma.
            if list.0.last().is_some_and(String::is_empty) {
                list.0.pop();
            }
            return Ok(Self::Keys(list));
        }
        text.parse().map(Self::Word).map_err(|mut e: ParseError| {
            e.reason.push_str(", a positive number, every:N, nor a list A,B,C of keys");
            if !text.is_empty() && !text.starts_with(EVERY) {
                e.hint = Some(format!("a list of one key ends with a comma: '{},'", e.text));
            }
            e
        })
    }
}

impl Serialize for Ticks {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Word(word) => word.serialize(s),
            Self::Count(count) => count.serialize(s),
            Self::Every(step) => s.collect_str(&format_args!("{EVERY}{step}")),
            Self::Keys(List(keys)) => keys.serialize(s),
        }
    }
}

struct TicksVisitor;

impl<'de> Visitor<'de> for TicksVisitor {
    type Value = Ticks;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, or a list of keys")
    }

    fn visit_str<E: de::Error>(self, v: &str) -> Result<Ticks, E> {
        v.parse().map_err(E::custom)
    }

    fn visit_bool<E: de::Error>(self, v: bool) -> Result<Ticks, E> {
        self.visit_str(&v.to_string())
    }

    fn visit_i64<E: de::Error>(self, v: i64) -> Result<Ticks, E> {
        self.visit_str(&v.to_string())
    }

    fn visit_u64<E: de::Error>(self, v: u64) -> Result<Ticks, E> {
        self.visit_str(&v.to_string())
    }

    fn visit_f64<E: de::Error>(self, v: f64) -> Result<Ticks, E> {
        self.visit_str(&v.to_string())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Ticks, A::Error> {
        let mut keys = Vec::new();
        while let Some(Text(key)) = seq.next_element()? {
            keys.push(key);
        }
        Ok(Ticks::Keys(List(keys)))
    }
}

impl<'de> Deserialize<'de> for Ticks {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(TicksVisitor)
    }
}

impl JsonSchema for Ticks {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ticks".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Which cells get a tick label",
            "anyOf": [
                {
                    "description": "`auto`, `all`, `none`, `every:5`, or a list `A,B,C` of keys",
                    "type": "string"
                },
                {"description": "About this many, and no more", "type": "integer", "minimum": 1},
                {
                    "description": "Keys of cells",
                    "type": "array",
                    "items": {"type": ["string", "number", "boolean"]}
                }
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(of: &[&str]) -> Ticks {
        Ticks::Keys(List(of.iter().map(|k| (*k).to_owned()).collect()))
    }

    #[test]
    fn a_number_is_a_count_and_a_comma_makes_a_list() {
        let read = |text: &str| text.parse::<Ticks>().unwrap();
        assert_eq!(read("2020"), Ticks::Count(2020));
        assert_eq!(read("2020,"), keys(&["2020"]));
        assert_eq!(read("2020,a\\,b,"), keys(&["2020", "a,b"]));
        assert_eq!(read("every:5"), Ticks::Every(5));
        assert_eq!(read("all"), Ticks::Word(TicksWord::All));
        for wrong in ["", "0", "-3", "2.5", "every:0", "every:2,3", "every:", "some"] {
            assert!(wrong.parse::<Ticks>().is_err(), "{wrong}");
        }
        let said = "hint".parse::<Ticks>().unwrap_err().to_string();
        assert!(said.contains("every:N") && said.contains("'hint,'"), "{said}");
    }

    #[test]
    fn a_file_may_have_a_list() {
        for ticks in [Ticks::Count(3), Ticks::Every(2), Ticks::Word(TicksWord::None), keys(&["2020"])] {
            let text = serde_json::to_string(&ticks).unwrap();
            assert_eq!(serde_json::from_str::<Ticks>(&text).unwrap(), ticks, "{text}");
        }
        let list: Ticks = serde_json::from_str("[2010, \"b\"]").unwrap();
        assert_eq!(list, keys(&["2010", "b"]));
        assert_eq!(serde_json::from_str::<Ticks>("\"a,b\"").unwrap(), keys(&["a", "b"]));
    }
}

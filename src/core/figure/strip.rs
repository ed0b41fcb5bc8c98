//! Strips of colours beside the body.

use super::words::StripAxis;
use crate::notation::{Literal, words};
use crate::scale::Colormap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;

/// A strip of colours along an axis: one for each category, or a scale of numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Strip {
    /// The axis: `x` or `y`.
    pub axis: StripAxis,
    /// The column of the categories or numbers.
    pub column: String,
    /// The colours.
    #[serde(default)]
    pub cmap: Option<Literal<Colormap>>,
    /// The side of the body: `left` or `right` for rows, `bottom` or `top` for columns.
    #[serde(default)]
    pub side: Option<StripSide>,
    /// Whether its texts are categories or numbers; numbers unless one of them is not.
    #[serde(default, rename = "type")]
    pub kind: Option<StripType>,
}

words! {
    /// The side of the body where a strip is.
    StripSide {
        /// Left, for rows.
        #[default] Left = "left",
        /// Right, for rows.
        Right = "right",
        /// Under the body, for columns.
        Bottom = "bottom",
        /// Over the body, for columns.
        Top = "top",
    }
    /// Kind of a strip's content.
    StripType {
        /// A colour for each category.
        #[default] Category = "category",
        /// A scale of numbers.
        Number = "number",
    }
}

/// One strip or several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strips(pub Vec<Strip>);

impl From<Strip> for Strips {
    fn from(one: Strip) -> Self {
        Self(vec![one])
    }
}

impl Serialize for Strips {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(s),
            many => many.serialize(s),
        }
    }
}

struct StripsVisitor;

impl<'de> Visitor<'de> for StripsVisitor {
    type Value = Strips;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table or a list of tables")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Strips, A::Error> {
        Strip::deserialize(MapAccessDeserializer::new(map)).map(Strips::from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Strips, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Strips)
    }
}

impl<'de> Deserialize<'de> for Strips {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(StripsVisitor)
    }
}

/// A table, or a list of tables.
pub(super) fn schema(generator: &mut SchemaGenerator) -> Schema {
    let one = generator.subschema_for::<Strip>();
    schemars::json_schema!({
        "anyOf": [one, {"type": "array", "items": one}, {"type": "null"}]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_strip_or_a_list_reads_back() {
        let read = |text: &str| serde_json::from_str::<Strips>(text).map_err(|e| e.to_string());
        let one = read(r#"{"axis": "y", "column": "a"}"#).unwrap();
        let two =
            read(r#"[{"axis": "y", "column": "a"}, {"axis": "x", "column": "b", "side": "top"}]"#).unwrap();
        assert_eq!((one.0.len(), two.0.len(), two.0[1].side), (1, 2, Some(StripSide::Top)));
        for strips in [one, two] {
            assert_eq!(read(&serde_json::to_string(&strips).unwrap()), Ok(strips));
        }
        assert!(read(r#"{"axis": "y"}"#).unwrap_err().contains("column"));
        assert!(read(r#"{"axis": "y", "column": "a", "colour": 1}"#).unwrap_err().contains("colour"));
    }
}

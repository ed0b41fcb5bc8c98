//! The labels of an axis that a figure gives in place of the data's own.

use super::text::Text;
use schemars::JsonSchema;
use serde::de::{MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Labels of an axis: of some keys, of all cells in their order, or those of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum AxisLabels {
    /// Labels in place of keys.
    Of(BTreeMap<String, String>),
    /// A label for each cell.
    Each(Vec<String>),
    /// A text file with a label for each cell in a line of its own, or a JSON list of them.
    File(String),
}

impl Default for AxisLabels {
    fn default() -> Self {
        Self::Of(BTreeMap::new())
    }
}

impl AxisLabels {
    /// Whether no label is given.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Of(of) if of.is_empty())
    }

    /// Whether every cell has a label of the figure.
    pub fn are_all(&self) -> bool {
        !matches!(self, Self::Of(_))
    }

    /// The label in place of a key.
    pub fn of(&self, key: &str) -> Option<&str> {
        match self {
            Self::Of(of) => of.get(key).map(String::as_str),
            Self::Each(_) | Self::File(_) => None,
        }
    }

    /// The labels that the figure itself holds.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        let (of, each) = match self {
            Self::Of(of) => (Some(of.values()), None),
            Self::Each(each) => (None, Some(each)),
            Self::File(_) => (None, None),
        };
        of.into_iter().flatten().chain(each.into_iter().flatten())
    }
}

impl<'de> Deserialize<'de> for AxisLabels {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = AxisLabels;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of keys and their labels, a list of labels, or a file of them")
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<AxisLabels, E> {
                Ok(AxisLabels::File(v.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<AxisLabels, A::Error> {
                let mut out = Vec::new();
                while let Some(Text(label)) = seq.next_element()? {
                    out.push(label);
                }
                Ok(AxisLabels::Each(out))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AxisLabels, A::Error> {
                super::text::unique_map(MapAccessDeserializer::new(map)).map(AxisLabels::Of)
            }
        }
        d.deserialize_any(V)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_labels_of_keys_of_all_cells_or_a_file() {
        let read = |text: &str| serde_json::from_str::<AxisLabels>(text).map_err(|e| e.to_string());
        let of = AxisLabels::Of([("1".to_owned(), "one".to_owned())].into());
        assert_eq!(read(r#"{"1":"one"}"#), Ok(of.clone()));
        assert_eq!(read(r#"["the", 2]"#), Ok(AxisLabels::Each(vec!["the".to_owned(), "2".to_owned()])));
        assert_eq!(read(r#""tokens.txt""#), Ok(AxisLabels::File("tokens.txt".to_owned())));
        assert!(read(r#"{"1":"one","1":"two"}"#).unwrap_err().contains("duplicate key `1`"));
        assert!(read("3").unwrap_err().contains("a table of keys"));
        assert_eq!(serde_json::to_string(&of).unwrap(), r#"{"1":"one"}"#);
        assert!(!of.is_empty() && AxisLabels::default().is_empty());
    }
}

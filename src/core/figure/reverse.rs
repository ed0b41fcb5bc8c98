//! Axes that are drawn in the reverse order.

use super::text::List;
use crate::notation::words;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

words! {
    /// An axis of a figure.
    AxisName {
        /// Horizontal.
        #[default] X = "x",
        /// Vertical.
        Y = "y",
    }
}

/// The axes that are drawn in the reverse order: one or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reverse(pub Vec<AxisName>);

impl Reverse {
    /// Whether an axis is one of them.
    pub fn contains(&self, axis: AxisName) -> bool {
        self.0.contains(&axis)
    }
}

impl Serialize for Reverse {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        List(self.0.iter().map(|axis| axis.word().to_owned()).collect()).serialize(s)
    }
}

impl<'de> Deserialize<'de> for Reverse {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let List(words) = List::deserialize(d)?;
        let axes = words.iter().flat_map(|w| w.split(',')).map(|w| w.trim().parse());
        axes.collect::<Result<_, _>>().map(Self).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_axis_or_both_read_back() {
        let read = |text: &str| serde_json::from_str::<Reverse>(text).map_err(|e| e.to_string());
        let both = Reverse(vec![AxisName::X, AxisName::Y]);
        assert_eq!(read("\"y\""), Ok(Reverse(vec![AxisName::Y])));
        assert_eq!((read("[\"x\", \"y\"]"), read("\"x, y\"")), (Ok(both.clone()), Ok(both.clone())));
        assert_eq!(serde_json::to_string(&both).unwrap(), "[\"x\",\"y\"]");
        assert!(read("\"z\"").unwrap_err().contains("'z' is none of x, y"));
    }
}

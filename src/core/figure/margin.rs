//! Margins and strips beside a body, and the sides of pictures.

use super::length::Length;
use super::text::{List, StripAxis, Text};
use crate::notation::{Literal, Notation, ParseError, unknown_word, words};
use crate::scale::Colormap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

words! {
    /// The lines that a margin sums up.
    MarginAxis {
        /// Each row, right of the body.
        #[default] Rows = "rows",
        /// Each column, over the body.
        Columns = "columns",
        /// Both.
        Both = "both",
    }

    /// Statistic of each row or column that a margin shows.
    MarginStat {
        /// The mean.
        #[default] Mean = "mean",
        /// The least value.
        Min = "min",
        /// The greatest value.
        Max = "max",
        /// The sum.
        Sum = "sum",
        /// The number of values.
        Count = "count",
        /// The sample standard deviation, as a line of means with a band of one on either side.
        Std = "std",
        /// From the least to the greatest value, with a line of means.
        MinMax = "minmax",
    }

    /// How a margin looks.
    MarginForm {
        /// A bar for each row or column.
        #[default] Bars = "bars",
        /// A line, with a band where there are two numbers.
        Line = "line",
        /// Cells in the colours of the body.
        Strip = "strip",
        /// The number itself.
        Text = "text",
    }
}

/// A margin: `rows:mean`, `columns:max:line`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The lines that it sums up.
    pub axis: MarginAxis,
    /// Statistic of each row or column.
    pub stat: MarginStat,
    /// How it looks; automatic are bars for one number, and a line with a band for two.
    pub form: Option<MarginForm>,
}

impl Margin {
    /// How it looks.
    pub fn shape(&self) -> MarginForm {
        self.form.unwrap_or(match self.stat {
            MarginStat::Std | MarginStat::MinMax => MarginForm::Line,
            _ => MarginForm::Bars,
        })
    }

    /// Whether it is beside the rows, or over the columns.
    pub fn covers(&self, rows: bool) -> bool {
        match self.axis {
            MarginAxis::Rows => rows,
            MarginAxis::Columns => !rows,
            MarginAxis::Both => true,
        }
    }
}

impl FromStr for Margin {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = |reason: String| ParseError::new(Notation::Margin, text, reason);
        let words: Vec<&str> = text.split(':').map(str::trim).collect();
        let (axis, stat, form) = match words[..] {
            [axis, stat] => (axis, stat, None),
            [axis, stat, form] => (axis, stat, Some(form)),
            [stat] if stat.parse::<MarginStat>().is_ok() => {
                let both = format!("both:{stat}");
                return Err(wrong("it needs an axis before".to_owned()).near(Some(&both)));
            }
            _ => {
                return Err(wrong("give AXIS:STAT, as rows:mean or columns:max:line, or none".to_owned()));
            }
        };
        let none_of = |word: &str, all: &[&str]| wrong(unknown_word(word, all).to_string());
        let axis = axis.parse().map_err(|_| none_of(axis, MarginAxis::WORDS))?;
        if matches!(stat, "median" | "q25" | "q75") {
            return Err(wrong(format!(
                "the {stat} of a row needs all its cells at once, which one pass over large grids does not have; \
                 one of {}",
                MarginStat::WORDS.join(", ")
            )));
        }
        let stat: MarginStat = stat.parse().map_err(|_| none_of(stat, MarginStat::WORDS))?;
        let form = form.map(|form| form.parse().map_err(|_| none_of(form, MarginForm::WORDS)));
        let form = form.transpose()?;
        let has_colours = matches!(stat, MarginStat::Mean | MarginStat::Min | MarginStat::Max);
        if form == Some(MarginForm::Strip) && !has_colours {
            return Err(wrong("a strip has the colours of the cells: it shows mean, min or max".to_owned()));
        }
        if form == Some(MarginForm::Text) && stat == MarginStat::MinMax {
            return Err(wrong("a text is one number: min or max".to_owned()));
        }
        Ok(Self { axis, stat, form })
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.axis.word(), self.stat.word())?;
        self.form.map_or(Ok(()), |form| write!(f, ":{}", form.word()))
    }
}

/// The margins of a figure, those of a side from the body outwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarginList(pub Vec<Margin>);

impl FromIterator<Margin> for MarginList {
    fn from_iter<I: IntoIterator<Item = Margin>>(margins: I) -> Self {
        Self(margins.into_iter().collect())
    }
}

impl FromStr for MarginList {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.trim() {
            "none" => Ok(Self::default()),
            text => text.split(',').map(|w| w.trim().parse()).collect(),
        }
    }
}

impl Serialize for MarginList {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        List(self.0.iter().map(Margin::to_string).collect()).serialize(s)
    }
}

impl<'de> Deserialize<'de> for MarginList {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let List(texts) = List::deserialize(d)?;
        let lists: Vec<Self> =
            texts.iter().map(|text| text.parse()).collect::<Result<_, _>>().map_err(de::Error::custom)?;
        Ok(lists.into_iter().flat_map(|list| list.0).collect())
    }
}

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
    /// Whether its texts are categories, numbers or colours; numbers unless one of them is not.
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
        /// The colours that its texts are.
        Color = "color",
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
pub(super) fn strips_schema(generator: &mut SchemaGenerator) -> Schema {
    let one = generator.subschema_for::<Strip>();
    schemars::json_schema!({
        "anyOf": [one, {"type": "array", "items": one}, {"type": "null"}]
    })
}

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
    fn margins_read_back_and_wrong_ones_say_what_is_possible() {
        for text in ["rows:mean", "columns:max:line", "both:minmax:bars", "rows:min:strip"] {
            assert_eq!(text.parse::<Margin>().unwrap().to_string(), text);
        }
        let read = |text: &str| serde_json::from_str::<MarginList>(text).map_err(|e| e.to_string());
        let two = read("[\"rows:mean\", \"columns:std\"]").unwrap();
        assert_eq!(read("\"rows:mean, columns:std\"").as_ref(), Ok(&two));
        assert_eq!(serde_json::to_string(&two).unwrap(), "[\"rows:mean\",\"columns:std\"]");
        assert_eq!(read("\"none\""), Ok(MarginList::default()));
        assert_eq!(two.0[1].shape(), MarginForm::Line);
        for (text, part) in [
            ("mean", "did you mean 'both:mean'"),
            ("row:mean", "'row' is none of rows, columns, both"),
            ("rows:avg", "'avg' is none of mean, min"),
            ("rows:mean:box", "'box' is none of bars, line, strip"),
            ("rows:median", "all its cells at once"),
            ("rows:sum:strip", "mean, min or max"),
            ("rows:mean:bars:x", "give AXIS:STAT"),
            ("", "give AXIS:STAT"),
        ] {
            let e = text.parse::<Margin>().unwrap_err().to_string();
            assert!(e.contains(part) && e.contains("is not a margin"), "{e}");
        }
    }

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

//! Which cells are marked, and how; and which cells are masked on request.

use super::aggregate::Better;
use super::condition::{CellCondition, Comparison, FileTest, compared};
use super::text::{List, unquoted};
use crate::notation::{Notation, ParseError, words};
use crate::text::nearest;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

words! {
    /// How marked cells look.
    MarkStyle {
        /// Their border; that of all together where they are neighbours.
        #[default] Outline = "outline",
        /// A dot in each.
        Dot = "dot",
        /// A star in each.
        Star = "star",
        /// Hatched.
        Hatch = "hatch",
        /// Their values in bold.
        Bold = "bold",
    }
}

/// Which cells are marked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MarkedCells {
    /// None.
    None,
    /// Those of the greatest value of each panel.
    Max,
    /// Those of the least value of each panel.
    Min,
    /// Those of the best, or of the worst, value of each row or column.
    Lines(LineExtreme),
    /// Those at these keys, `COLUMN=VALUE`: a cell, or a whole row or column.
    Place(Vec<(String, String)>),
    /// Those that meet a condition.
    Condition(CellCondition),
    /// Those that a file lists.
    File(String),
}

/// The best, or the worst, value of each row or column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineExtreme {
    /// Which of the values; `best` and `worst` depend on which are better.
    pub end: LineEnd,
    /// Of each row, or of each column.
    pub of_rows: bool,
}

words! {
    /// An end of the values of a row or column.
    LineEnd {
        /// The greatest, or the least where lower is better.
        #[default] Best = "best",
        /// The other end.
        Worst = "worst",
        /// The greatest.
        Max = "max",
        /// The least.
        Min = "min",
    }
}

impl LineExtreme {
    /// Its words in a key.
    fn spoken(self) -> &'static str {
        match (self.end, self.of_rows) {
            (LineEnd::Best, true) => "best of each row",
            (LineEnd::Best, false) => "best of each column",
            (LineEnd::Worst, true) => "worst of each row",
            (LineEnd::Worst, false) => "worst of each column",
            (LineEnd::Max, true) => "greatest of each row",
            (LineEnd::Max, false) => "greatest of each column",
            (LineEnd::Min, true) => "least of each row",
            (LineEnd::Min, false) => "least of each column",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (end, line) = text.split_once(':')?;
        let end = end.trim().parse().ok()?;
        match line.trim() {
            "row" => Some(Self { end, of_rows: true }),
            "column" => Some(Self { end, of_rows: false }),
            _ => None,
        }
    }

    /// Whether it is the greatest value, where these are better.
    pub fn is_greatest(self, better: Option<Better>) -> bool {
        let higher = better != Some(Better::Lower);
        match self.end {
            LineEnd::Best => higher,
            LineEnd::Worst => !higher,
            LineEnd::Max => true,
            LineEnd::Min => false,
        }
    }
}

/// A kind of marked cells: their condition, their look, and their entry in the key.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Which cells.
    pub cells: MarkedCells,
    /// How they look: outlined, unless given.
    pub style: Option<MarkStyle>,
    /// Text of the key; unless given, the text of the cells.
    pub label: Option<String>,
    /// What the numbers of its file are compared with.
    pub test: Option<FileTest>,
    text: String,
}

/// The marks of a figure, or of a panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks(pub Vec<Mark>);

impl Mark {
    /// The text of the cells, as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Text in the figure's key. The outlined extremes have none.
    pub fn key(&self) -> Option<&str> {
        let is_plain = matches!(self.cells, MarkedCells::Max | MarkedCells::Min) && self.style().is_plain();
        let is_bold = self.style() == MarkStyle::Bold;
        match &self.label {
            Some(label) => Some(label),
            None if is_plain || is_bold || self.cells == MarkedCells::None => None,
            // Where a file lies says nothing of its cells.
            None => match &self.cells {
                MarkedCells::File(_) if self.test.is_some() => Some(&self.text),
                MarkedCells::File(path) => {
                    path.rsplit(['/', '\\']).next().map(|name| match name.rsplit_once('.') {
                        Some((stem, _)) if is_file(name) && !stem.is_empty() => stem,
                        _ => name,
                    })
                }
                MarkedCells::Lines(line) => Some(line.spoken()),
                _ => Some(&self.text),
            },
        }
    }

    /// How the cells look.
    pub fn style(&self) -> MarkStyle {
        self.style.unwrap_or_default()
    }

    /// The condition on cells, where it is one: a single place may be one, too, `p = 0`.
    pub fn condition(&self) -> Option<CellCondition> {
        match &self.cells {
            MarkedCells::Condition(condition) => Some(condition.clone()),
            MarkedCells::Place(keys) if keys.len() == 1 => self.text.parse().ok(),
            _ => None,
        }
    }

    /// The path of its file.
    pub fn file(&self) -> Option<&str> {
        match &self.cells {
            MarkedCells::File(path) => Some(path),
            _ => None,
        }
    }

    /// The same with another path, where it is a file.
    pub fn set_file(&mut self, path: String) {
        if let MarkedCells::File(own) = &mut self.cells {
            self.text = match &self.test {
                None => format!("{FILE}{path}"),
                Some(test) => format!("{path}{test}"),
            };
            *own = path;
        }
    }
}

impl MarkStyle {
    fn is_plain(self) -> bool {
        self == Self::Outline
    }
}

/// The word before a path that reads like something else.
const FILE: &str = "file:";
/// The ends of the names of files of cells.
const ENDS: [&str; 9] = [".csv", ".tsv", ".txt", ".json", ".npy", ".jsonl", ".ndjson", ".parquet", ".xlsx"];
/// Forms of a mark.
const FORMS: &str = "give max, min, best:row, best:column, none, COLUMN=VALUE (several with commas), a condition such as 'p < 0.05', or a FILE";

/// Whether a word is the path of a file beside the data: by its end, or by a folder in it.
pub(super) fn is_file(text: &str) -> bool {
    ENDS.iter().any(|end| text.to_lowercase().ends_with(end)) || text.contains(['/', '\\'])
}

fn cells(text: &str) -> Result<MarkedCells, ParseError> {
    let wrong = |reason: &str| ParseError::new(Notation::Mark, text, reason);
    match text {
        "max" => return Ok(MarkedCells::Max),
        "min" => return Ok(MarkedCells::Min),
        "none" => return Ok(MarkedCells::None),
        _ => {}
    }
    if let Some(line) = LineExtreme::parse(text) {
        return Ok(MarkedCells::Lines(line));
    }
    if let Some(path) = text.strip_prefix(FILE) {
        return Ok(MarkedCells::File(path.to_owned()));
    }
    match compared(text) {
        Some((_, Comparison::Equal, _)) => {
            let items = List::from_items(text, true).0;
            let place = |item: &String| {
                let (name, comparison, key) = compared(item)?;
                let holds = comparison == Comparison::Equal && !name.is_empty() && !key.is_empty();
                holds.then(|| (unquoted(name), unquoted(key)))
            };
            let keys: Option<Vec<_>> = items.iter().map(place).collect();
            keys.map(MarkedCells::Place)
                .ok_or_else(|| wrong("a place is COLUMN=VALUE, or several with commas between"))
        }
        Some(_) => text.parse().map(MarkedCells::Condition),
        None if is_file(text) => Ok(MarkedCells::File(text.to_owned())),
        None => {
            Err(wrong(FORMS)
                .near(nearest(text, ["max", "min", "none", "best:row", "best:column"].into_iter())))
        }
    }
}

/// The cells of a text, and what the numbers of its file are compared with.
fn cells_or_file(text: &str) -> Result<(MarkedCells, Option<FileTest>), ParseError> {
    match FileTest::of(text) {
        Some((path, test)) => Ok((MarkedCells::File(path), Some(test))),
        None => Ok((cells(text)?, None)),
    }
}

/// `p < 0.05 as star`; the last `as` is that of the style.
impl FromStr for Mark {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim();
        let styled = text.rsplit_once(" as ").map(|(cells, style)| (cells.trim(), style.trim()));
        let (what, style) = match styled {
            Some((cells, style)) => match style.parse() {
                Ok(style) => (cells, Some(style)),
                Err(_) if style.contains([' ', '=', '<', '>']) => (text, None),
                Err(e) => {
                    let e: ParseError = e;
                    let reason = format!("after 'as' is one of {}", e.reason);
                    return Err(ParseError::new(Notation::Mark, text, reason));
                }
            },
            None => (text, None),
        };
        let (cells, test) = cells_or_file(what)?;
        Ok(Self { cells, style, label: None, test, text: what.to_owned() })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match self.style {
            Some(style) => write!(f, " as {}", style.word()),
            None => Ok(()),
        }
    }
}

impl FromStr for Marks {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Ok(Self(vec![text.parse()?]))
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        // Without its style, a text that ends as one with a style would be read as that.
        if self.label.is_none() && (self.style.is_some() || !self.text.contains(" as ")) {
            return s.collect_str(self);
        }
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("cells", &self.text)?;
        if let Some(style) = self.style {
            map.serialize_entry("style", &style)?;
        }
        if let Some(label) = &self.label {
            map.serialize_entry("label", label)?;
        }
        map.end()
    }
}

impl Serialize for Marks {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(s),
            many => many.serialize(s),
        }
    }
}

struct MarkVisitor;

impl<'de> Visitor<'de> for MarkVisitor {
    type Value = Mark;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, or a table of cells, style and label")
    }

    fn visit_str<E: de::Error>(self, v: &str) -> Result<Mark, E> {
        v.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Mark, A::Error> {
        let (mut text, mut style, mut label) = (None::<String>, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "cells" => text = Some(map.next_value()?),
                "style" => style = Some(map.next_value()?),
                "label" => label = Some(map.next_value()?),
                other => return Err(de::Error::unknown_field(other, &["cells", "style", "label"])),
            }
        }
        let text = text.ok_or_else(|| de::Error::missing_field("cells"))?.trim().to_owned();
        let (cells, test) = cells_or_file(&text).map_err(de::Error::custom)?;
        Ok(Mark { cells, style, label, test, text })
    }
}

impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(MarkVisitor)
    }
}

impl<'de> Deserialize<'de> for Marks {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Marks;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a table of cells, style and label, or a list of them")
            }
            fn visit_str<E: de::Error>(self, v: &str) -> Result<Marks, E> {
                MarkVisitor.visit_str(v).map(|mark| Marks(vec![mark]))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Marks, A::Error> {
                MarkVisitor.visit_map(map).map(|mark| Marks(vec![mark]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Marks, A::Error> {
                let mut out = Vec::new();
                while let Some(mark) = seq.next_element()? {
                    out.push(mark);
                }
                Ok(Marks(out))
            }
        }
        d.deserialize_any(V)
    }
}

impl JsonSchema for Marks {
    fn schema_name() -> Cow<'static, str> {
        "Marks".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = serde_json::json!({
            "description": "`max`, `min`, `none`, `COLUMN=VALUE`, a condition such as `p < 0.05`, or a file; a style after `as`: `p < 0.05 as star`",
            "type": "string"
        });
        let table = serde_json::json!({
            "type": "object",
            "properties": {
                "cells": {"description": "Which cells, as a text has it", "type": "string"},
                "style": {"description": "How they look", "type": "string", "enum": MarkStyle::WORDS},
                "label": {"description": "What the key of the figure says", "type": "string"}
            },
            "required": ["cells"],
            "additionalProperties": false
        });
        let one = [text, table];
        schemars::json_schema!({
            "description": "Marked cells: one kind or several",
            "anyOf": [one[0], one[1], {"type": "array", "items": {"anyOf": one}}]
        })
    }
}

/// Cells that are masked.
#[derive(Clone, Debug, PartialEq)]
pub enum Mask {
    /// At least this many columns right of the diagonal, as `numpy.triu(ones, k)`: 0 hides the diagonal, too, and 1 keeps it.
    Upper(i32),
    /// At least this many rows below the diagonal.
    Lower(i32),
    /// Those that meet a condition.
    Condition(CellCondition),
    /// Those where a file holds 1, or a number that meets a comparison.
    File(String, Option<FileTest>),
}

/// Masks: a cell that one of them hides is masked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Masks(pub Vec<Mask>);

impl FromStr for Mask {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (side, offset) = text.split_once(':').unwrap_or((text, "0"));
        let offset = offset.trim().parse::<i32>();
        Ok(match (side.trim(), offset) {
            ("upper", Ok(k)) => Self::Upper(k),
            ("lower", Ok(k)) => Self::Lower(k),
            _ if let Some((path, test)) = FileTest::of(text) => Self::File(path, Some(test)),
            _ => match text.parse() {
                Ok(condition) => Self::Condition(condition),
                // The names of files may hold `=`; no condition has `<` or `>` but as its comparison.
                Err(e) if compared(text).is_some() && text.contains(['<', '>']) => return Err(e),
                Err(_) if text.trim().is_empty() => {
                    let reason = "give upper, lower, upper:1 without the diagonal, a condition such as 'p > 0.05', or a file of 0 and 1";
                    return Err(ParseError::new(Notation::Mask, text, reason));
                }
                Err(_) => Self::File(text.to_owned(), None),
            },
        })
    }
}

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upper(0) => f.write_str("upper"),
            Self::Lower(0) => f.write_str("lower"),
            Self::Upper(k) => write!(f, "upper:{k}"),
            Self::Lower(k) => write!(f, "lower:{k}"),
            Self::Condition(condition) => condition.fmt(f),
            Self::File(path, None) => f.write_str(path),
            Self::File(path, Some(test)) => write!(f, "{path}{test}"),
        }
    }
}

impl Masks {
    /// The paths of their files.
    pub fn files(&mut self) -> impl Iterator<Item = &mut String> {
        self.0.iter_mut().filter_map(|mask| match mask {
            Mask::File(path, _) => Some(path),
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
    fn marks_print_as_they_are_read() {
        for text in [
            "max",
            "none",
            "p < 0.05",
            "p < 0.05 as star",
            "ratio=0.3, window=2000 as dot",
            "model = same as star as outline",
            "file:a=b as hatch",
            "marks.csv",
            "d/p.csv < 0.05 as star",
            "p.npy>=1e-3",
        ] {
            let mark: Mark = text.parse().unwrap();
            assert_eq!(mark.to_string(), text);
            let json = serde_json::to_string(&Marks(vec![mark.clone()])).unwrap();
            assert_eq!(serde_json::from_str::<Marks>(&json).unwrap().0, [mark], "{json}");
        }
        let place = |text: &str| match text.parse::<Mark>().unwrap().cells {
            MarkedCells::Place(keys) => keys,
            other => panic!("{text}: {other:?}"),
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(place("ratio=0.3, window=2000"), [pair("ratio", "0.3"), pair("window", "2000")]);
        assert_eq!(place("t = 12:30, model='a=b'"), [pair("t", "12:30"), pair("model", "a=b")]);
        assert_eq!(place("x=\"d,e\", y=q"), [pair("x", "d,e"), pair("y", "q")]);
        assert_eq!(place("\"topic=a,b\",x=1"), [pair("topic", "a,b"), pair("x", "1")]);
        assert!("p = 0".parse::<Mark>().unwrap().condition().is_some());
        for wrong in ["maximum", "p < x", "a=1, p<2", "max as sun", "", "=3", "a="] {
            assert!(wrong.parse::<Mark>().is_err(), "{wrong}");
        }
        let said = "maxx".parse::<Mark>().unwrap_err().to_string();
        assert!(said.contains("did you mean 'max'?") && said.contains("a FILE"), "{said}");
    }

    #[test]
    fn a_file_may_have_labels_and_lists() {
        let text = r#"["max", {"cells": "p < 0.05", "style": "star", "label": "significant"}]"#;
        let Marks(marks) = serde_json::from_str(text).unwrap();
        assert_eq!((marks[0].key(), marks[1].key()), (None, Some("significant")));
        assert_eq!(marks[1].style(), MarkStyle::Star);
        let again = serde_json::to_string(&Marks(marks.clone())).unwrap();
        assert_eq!(serde_json::from_str::<Marks>(&again).unwrap(), Marks(marks));
        for wrong in [r#"{"style": "star"}"#, r#"{"cells": "max", "colour": "red"}"#, "3"] {
            assert!(serde_json::from_str::<Marks>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_condition_is_told_from_a_file() {
        let read = |text: &str| text.parse::<Mask>().unwrap();
        assert_eq!((read("upper"), read("lower")), (Mask::Upper(0), Mask::Lower(0)));
        assert_eq!((read("upper:1"), read("lower:-2")), (Mask::Upper(1), Mask::Lower(-2)));
        assert_eq!(
            (Mask::Upper(1).to_string(), Mask::Lower(0).to_string()),
            ("upper:1".to_owned(), "lower".to_owned())
        );
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

//! Texts, lists and words as figure files write them.

use crate::notation::words;
use schemars::JsonSchema;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer, de};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// A text; a number or truth value in a file reads as its shortest text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Text(pub String);

impl BarPlace {
    /// Whether a bar, or its empty room, is to the right.
    pub fn is_right(self) -> bool {
        matches!(self, Self::Right | Self::Blank | Self::Only)
    }

    /// Whether there is a bar.
    pub fn is_drawn(self) -> bool {
        !matches!(self, Self::None | Self::Blank)
    }
}

/// One text or several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(pub Vec<String>);

impl From<&str> for List {
    fn from(one: &str) -> Self {
        Self(vec![one.to_owned()])
    }
}

impl From<String> for List {
    fn from(one: String) -> Self {
        Self(vec![one])
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a number")
    }
    fn visit_str<E: de::Error>(self, v: &str) -> Result<Text, E> {
        Ok(Text(v.to_owned()))
    }
    fn visit_bool<E: de::Error>(self, v: bool) -> Result<Text, E> {
        Ok(Text(v.to_string()))
    }
    fn visit_i64<E: de::Error>(self, v: i64) -> Result<Text, E> {
        Ok(Text(v.to_string()))
    }
    fn visit_u64<E: de::Error>(self, v: u64) -> Result<Text, E> {
        Ok(Text(v.to_string()))
    }
    fn visit_f64<E: de::Error>(self, v: f64) -> Result<Text, E> {
        Ok(Text(v.to_string()))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(TextVisitor)
    }
}

impl List {
    /// Splits a flag's text at commas; `\,` keeps one, and so do double quotes around an item, of which two inside are one, quotes
    /// behind a sign, as in `x="a,b"`, and parentheses, as in `bin(lr, 20)`.
    pub fn from_flag(text: &str) -> List {
        Self::from_items(text, false)
    }

    /// As [`List::from_flag`]; if they are to be `trimmed` items are without blanks around them, and in single quotes, too.
    pub fn from_items(text: &str, trimmed: bool) -> List {
        List(Self::items(text, trimmed).into_iter().map(|(item, _)| item).collect())
    }

    /// The first of the trimmed items whose quote is not closed.
    pub fn open_item(text: &str) -> Option<String> {
        let mut bare = Self::items(text, true).into_iter().filter(|(_, is_quoted)| !is_quoted);
        bare.find(|(item, _)| item.starts_with('"')).map(|(item, _)| item)
    }

    /// The items, and whether each was in quotes.
    fn items(text: &str, trimmed: bool) -> Vec<(String, bool)> {
        let (mut out, mut rest) = (Vec::new(), text);
        loop {
            if trimmed {
                rest = rest.trim();
            }
            let single = || quoted_item(rest, '\'').filter(|_| trimmed);
            let cut = quoted_item(rest, '"').or_else(single);
            let is_quoted = cut.is_some();
            let (item, after) = cut.unwrap_or_else(|| {
                let (item, after) = bare_item(rest);
                (if trimmed { item.trim().to_owned() } else { item }, after)
            });
            out.push((item, is_quoted));
            match after {
                Some(after) => rest = after,
                None => return out,
            }
        }
    }

    /// The text of a flag that is read as these items.
    pub fn to_flag(items: &[impl AsRef<str>]) -> String {
        let item = |item: &str| {
            if item.starts_with('"') || item.ends_with('\\') || bare_item(item) != (item.to_owned(), None) {
                format!("\"{}\"", item.replace('"', "\"\""))
            } else {
                item.to_owned()
            }
        };
        let items: Vec<String> = items.iter().map(|i| item(i.as_ref())).collect();
        items.join(",")
    }
}

/// The item in quotes that a list begins with, and the text after its comma. `None` where no quote closes before a comma or the end.
fn quoted_item(list: &str, quote: char) -> Option<(String, Option<&str>)> {
    let (item, after) = quoted(list, quote)?;
    let after = after.trim_start_matches(' ');
    if after.is_empty() { Some((item, None)) } else { Some((item, Some(after.strip_prefix(',')?))) }
}

/// The text in quotes that a text begins with, of which two inside are one, and what is behind it.
pub fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let (mut inside, mut rest) = (String::new(), text.strip_prefix(quote)?);
    loop {
        let (before, after) = rest.split_once(quote)?;
        inside.push_str(before);
        match after.strip_prefix(quote) {
            Some(after) => {
                inside.push(quote);
                rest = after;
            }
            None => return Some((inside, after)),
        }
    }
}

/// The item that a list begins with, and the text after its comma.
fn bare_item(list: &str) -> (String, Option<&str>) {
    let mut item = String::new();
    let mut chars = list.char_indices().peekable();
    // The end of the parentheses that were passed into, and whether others may close.
    let (mut inside, mut close) = (0, true);
    while let Some((at, c)) = chars.next() {
        // Behind a sign, and at the begin of an expression.
        let is_operand =
            || at == 0 || list[..at].trim_end().ends_with(['=', '*', '+', '-', '/', '(', '<', '>', '!']);
        match c {
            '(' if at >= inside
                && close
                && (list[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) || is_operand()) =>
            {
                let end = closing(&list[at..]);
                (inside, close) = (at + end.unwrap_or(0), end.is_some());
                item.push(c);
            }
            '"' | '\'' if (at > 0 || c == '"') && at >= inside && is_operand() => {
                let after = quoted(&list[at..], c).map(|(_, after)| list.len() - after.len());
                inside = after.unwrap_or(inside);
                item.push(c);
            }
            _ if at < inside => item.push(c),
            '\\' if chars.next_if(|next| next.1 == ',').is_some() => item.push(','),
            ',' => return (item, Some(&list[at + 1..])),
            _ => item.push(c),
        }
    }
    (item, None)
}

/// The place of the parenthesis that closes the one that a text begins with. Those in a pattern, `'…'` behind a comma, do not count.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    while let Some(c) = text[at..].chars().next() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return Some(at);
        }
        let argument = c == '\'' && text[..at].trim_end().ends_with(',');
        let quoted = argument.then(|| text[at + 1..].find('\'')).flatten();
        at += quoted.map_or(c.len_utf8(), |end| end + 2);
    }
    None
}

/// A text without the quotes around it, single or double.
pub fn unquoted(text: &str) -> String {
    let inside = |quote| quoted(text, quote).filter(|(_, after)| after.is_empty()).map(|(inside, _)| inside);
    inside('"').or_else(|| inside('\'')).unwrap_or_else(|| text.to_owned())
}

impl Serialize for List {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => s.serialize_str(one),
            many => many.serialize(s),
        }
    }
}

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = List;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a number, or a list of them")
            }
            fn visit_str<E: de::Error>(self, v: &str) -> Result<List, E> {
                Ok(List(vec![v.to_owned()]))
            }
            fn visit_bool<E: de::Error>(self, v: bool) -> Result<List, E> {
                Ok(List(vec![v.to_string()]))
            }
            fn visit_i64<E: de::Error>(self, v: i64) -> Result<List, E> {
                Ok(List(vec![v.to_string()]))
            }
            fn visit_u64<E: de::Error>(self, v: u64) -> Result<List, E> {
                Ok(List(vec![v.to_string()]))
            }
            fn visit_f64<E: de::Error>(self, v: f64) -> Result<List, E> {
                Ok(List(vec![v.to_string()]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List, A::Error> {
                let mut out = Vec::new();
                while let Some(t) = seq.next_element::<Text>()? {
                    out.push(t.0);
                }
                Ok(List(out))
            }
        }
        d.deserialize_any(V)
    }
}

impl JsonSchema for List {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "List".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "One text or several",
            "anyOf": [
                {"type": ["string", "number", "boolean"]},
                {"type": "array", "items": {"type": ["string", "number", "boolean"]}}
            ]
        })
    }
}

/// A table of keys, none twice (JSON would let the last one win in silence).
pub(super) fn unique_map<'de, D, V>(d: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct M<V>(PhantomData<V>);
    impl<'de, V: Deserialize<'de>> Visitor<'de> for M<V> {
        type Value = BTreeMap<String, V>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut out = BTreeMap::new();
            while let Some((k, v)) = map.next_entry::<String, V>()? {
                if out.contains_key(&k) {
                    return Err(de::Error::custom(format!("duplicate key `{k}`")));
                }
                out.insert(k, v);
            }
            Ok(out)
        }
    }
    d.deserialize_map(M(PhantomData))
}

words! {
    /// The shape of a table.
    TableKind {
        /// One row per cell; columns give x, y and value.
        #[default] Tidy = "tidy",
        /// The first column and the header are labels.
        Wide = "wide",
        /// Numbers only.
        Matrix = "matrix",
    }
    /// A measure of how far two columns vary together.
    Correlation {
        /// Of the values.
        #[default] Pearson = "pearson",
        /// Of their ranks.
        Spearman = "spearman",
        /// Of pairs of rows in the same order and in the opposite one: tau-b.
        Kendall = "kendall",
    }
    /// Quantity along an axis.
    AxisType {
        /// Categories.
        #[default] Category = "category",
        /// Numbers.
        Number = "number",
        /// Positive numbers on a logarithmic axis.
        Log = "log",
        /// Dates and times (ISO 8601).
        Time = "time",
    }
    /// How wide cells are along an axis.
    Spacing {
        /// Equal.
        #[default] Even = "even",
        /// As their coordinates require.
        True = "true",
    }
    /// Automatic, on or off.
    Toggle {
        /// As suits the data.
        #[default] Auto = "auto",
        /// Always.
        On = "on",
        /// Never.
        Off = "off",
    }
    /// On or off.
    OnOff {
        /// Shown.
        #[default] On = "on",
        /// Left out.
        Off = "off",
    }
    /// Where row 0 is.
    Origin {
        /// At the top.
        #[default] Upper = "upper",
        /// At the bottom.
        Lower = "lower",
    }
    /// Which panels have tick labels.
    TickLabels {
        /// Those at the left and the bottom of the figure, and those with a different axis.
        #[default] Outer = "outer",
        /// All.
        Each = "each",
    }
    /// Light or dark.
    Theme {
        /// Black on white.
        #[default] Light = "light",
        /// White on near black.
        Dark = "dark",
    }
    /// The place of a colour bar.
    BarPlace {
        /// To the right.
        #[default] Right = "right",
        /// Below the panels.
        Bottom = "bottom",
        /// There is no bar.
        None = "none",
        /// There is no bar, and its room is left empty: bodies of figures of one size are alike.
        Blank = "blank",
        /// There is nothing but the bar.
        Only = "only",
    }
    /// The axis along which a strip runs.
    StripAxis {
        /// Horizontal.
        X = "x",
        /// Vertical.
        #[default] Y = "y",
    }
}

/// The order of an axis: a word or a list of keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "wrong type: expected a text or a list of texts")]
pub enum Order {
    /// `data`, `natural`, `alpha` or `value`.
    Word(OrderWord),
    /// The keys in order; those not named come after, in their automatic order.
    Keys(List),
}

words! {
    /// A rule for the order of keys.
    OrderWord {
        /// First appearance.
        Data = "data",
        /// Numbers inside the text count as numbers.
        #[default] Natural = "natural",
        /// By character.
        Alpha = "alpha",
        /// By the mean of the row or column, greatest first.
        Value = "value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_split_at_commas() {
        for (text, items) in [
            ("\"a,b\",c", &["a,b", "c"][..]),
            ("\"say \"\"hi\"\", x\"", &["say \"hi\", x"]),
            ("5\",6\"", &["5\"", "6\""]),
            ("\"open,b", &["\"open", "b"]),
            ("\"a\"b,c", &["\"a\"b", "c"]),
            ("\"\"", &[""]),
            ("", &[""]),
        ] {
            assert_eq!(List::from_flag(text).0, items, "{text}");
        }
        for items in [&["a,b", "\"c\"", "\"", "c\\", "d"][..], &["é, \"x\"", ""]] {
            assert_eq!(List::from_flag(&List::to_flag(items)).0, items);
        }
        assert_eq!(List::from_flag("a,b\\,c,").0, vec!["a", "b,c", ""]);
    }
}

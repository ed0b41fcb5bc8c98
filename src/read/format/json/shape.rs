//! Shapes of JSON: rows, numbers, or a figure file, recognised by the keys and brackets at the top.

use super::tokenizer::{JsonFault, Tokenizer};
use crate::budget::OverBudget;
use crate::error::ErrorKind;
use std::borrow::Cow;

/// Forms that are read as data, in a hint.
pub(crate) const READ_AS_DATA: &str = "data as JSON: a list of objects (a row each), one object a line, a list of lists of numbers, or an object with width, height and values";

/// Shape of a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A list of objects: a row each.
    Records,
    /// Objects one after the other: a row each.
    Lines,
    /// A list of numbers, or of such lists.
    Array,
    /// `{"width": W, "height": H, "values": […]}`
    Values,
    /// pandas' `orient="split"`: `{"columns": […], "index": […], "data": [[…]]}`
    Split,
    /// pandas' own: `{"a": {"0": 1}, "b": {"0": 2}}`
    Columns,
    /// One object that may be a figure.
    Object,
}

/// The shape of a text, or of its beginning; where the text is at fault, of what comes before that.
///
/// `figure` recognises the keys that a figure file has at its top; `most` keys are remembered, each takes [`KEY`] bytes.
///
/// # Errors
/// A text of no such shape, or of too many keys.
pub(super) fn shape(text: &str, figure: &dyn Fn(&str) -> bool, most: usize) -> Result<Shape, JsonFault> {
    let mut r = Tokenizer::new(text, true);
    match r.peek() {
        Some(b'[') => match text[r.at() + 1..].trim_start().bytes().next() {
            Some(b'{') => Ok(Shape::Records),
            Some(b'"') => Err(not_data("is a list of texts, which is not data")),
            _ => Ok(Shape::Array),
        },
        Some(b'{') => of_object(&mut r, figure, most),
        _ => Err(not_data("is neither a list nor an object")),
    }
}

/// The refusal of what is not data.
pub(super) fn not_data(what: &str) -> JsonFault {
    JsonFault::new(0, what).with_hint(READ_AS_DATA)
}

/// A key at the top of an object.
struct Top<'a> {
    key: Cow<'a, str>,
    list: bool,
    /// Whether it is an object of values only, with the keys of the first such.
    column: bool,
    /// Whether it is an object with texts, and with numbers.
    holds: [bool; 2],
}

/// Bytes that a key takes while the shape is looked for.
pub(super) const KEY: u64 = 64;

fn of_object<'a>(
    r: &mut Tokenizer<'a>,
    figure: &dyn Fn(&str) -> bool,
    most: usize,
) -> Result<Shape, JsonFault> {
    let mut tops: Vec<Top<'a>> = Vec::new();
    let mut index: Option<Vec<Cow<'a, str>>> = None;
    let mut left = most;
    let whole = r.object(&mut |r, key, _| {
        count(&mut left)?;
        let first = r.peek();
        tops.push(Top { key, list: first == Some(b'['), column: false, holds: [false; 2] });
        if first != Some(b'{') {
            return r.skip();
        }
        let (column, holds) = column(r, &mut index, &mut left)?;
        let top = tops.last_mut().expect("a key was just put in");
        (top.column, top.holds) = (column, holds);
        Ok(())
    });
    let complete = match whole {
        Err(limit) if limit.kind == ErrorKind::Limit => return Err(limit),
        whole => whole.is_ok(),
    };
    if complete && r.peek() == Some(b'{') {
        return Ok(Shape::Lines);
    }
    let has = |name: &str, list: bool| tops.iter().any(|t| t.key == name && t.list == list);
    if has("width", false) && has("height", false) && has("values", true) {
        return Ok(Shape::Values);
    }
    if has("columns", true) && has("data", true) && !has("matrix_type", false) {
        return Ok(Shape::Split);
    }
    // The key at which the text breaks off or is at fault does not count yet.
    let read = &tops[..tops.len().saturating_sub(usize::from(!complete))];
    let index = index.unwrap_or_default();
    let counted = index.iter().enumerate().all(|(i, k)| k.parse() == Ok(i));
    let alike = !read.is_empty() && !index.is_empty() && read.iter().all(|t| t.column);
    // Columns have a type each, and some are texts.
    let is_typed = read.len() > 1
        && !read.iter().any(|t| t.holds == [true, true])
        && read.iter().any(|t| t.holds == [true, false]);
    if alike && (counted || is_typed && !tops.iter().any(|t| figure(&t.key))) {
        return Ok(Shape::Columns);
    }
    Ok(Shape::Object)
}

/// Counts a key among those that are left.
fn count(left: &mut usize) -> Result<(), JsonFault> {
    let what = "the keys of an object take more than the memory limit";
    let one_less = left.checked_sub(1);
    *left = one_less.ok_or_else(|| JsonFault::limit(0, what).with_hint(OverBudget::HINT))?;
    Ok(())
}

/// Whether an object holds values only, under the keys of the first one; and whether texts and numbers are among them.
fn column<'a>(
    r: &mut Tokenizer<'a>,
    index: &mut Option<Vec<Cow<'a, str>>>,
    left: &mut usize,
) -> Result<(bool, [bool; 2]), JsonFault> {
    let (mut plain, mut same) = (true, 0);
    let (mut texts, mut numbers) = (false, false);
    let mut own = Vec::new();
    r.object(&mut |r, key, _| {
        match r.peek() {
            Some(b'{' | b'[') => plain = false,
            Some(b'"') => texts = true,
            Some(b'-' | b'0'..=b'9') => numbers = true,
            _ => {}
        }
        match index {
            Some(known) => same += usize::from(known.get(same) == Some(&key)),
            None => {
                count(left)?;
                own.push(key);
            }
        }
        r.skip()
    })?;
    let known = index.get_or_insert_with(|| {
        same = own.len();
        own
    });
    Ok((plain && same == known.len(), [texts, numbers]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Shape, JsonFault> {
        shape(text, &|k| ["x", "y", "data", "columns", "title"].contains(&k), 100)
    }

    #[test]
    fn data_are_not_figures() {
        for (text, want) in [
            ("[{\"a\":1}]", Shape::Records),
            (" [ {", Shape::Records),
            ("[[1,2],[3,4]]", Shape::Array),
            ("[]", Shape::Array),
            ("[NaN]", Shape::Array),
            ("{\"a\":1}\n{\"a\":2}", Shape::Lines),
            ("{\"title\":\"a\",\"x\":1}\n{\"title\":\"b\"", Shape::Lines),
            ("{\"height\":1,\"width\":2,\"values\":[1,2]}", Shape::Values),
            ("{\"height\":1,\"width\":2,\"values\":[1,", Shape::Values),
            ("{\"columns\":[\"a\"],\"index\":[0],\"data\":[[1]]}", Shape::Split),
            ("{\"a\":{\"0\":1,\"1\":2}}", Shape::Columns),
            ("{\"x\":{\"0\":1},\"y\":{\"0\":2}}", Shape::Columns),
            ("{\"a\":{\"m\":\"x\",\"n\":\"y\"},\"b\":{\"m\":1,\"n\":2}}", Shape::Columns),
            ("{\"a\":{\"m\":\"x\",\"n\":\"y\"},\"b\":{\"m\":1,\"n\":2},\"c\":{\"m", Shape::Columns),
        ] {
            assert_eq!(of(text), Ok(want), "{text}");
        }
        for figure in [
            "{\"a\":{\"m\":1,\"n\":2},\"b\":{\"m\":1,\"n\":2}}",
            "{\"a\":{\"m\":\"a\",\"n\":2},\"b\":{\"m\":\"b\",\"n\":2}}",
            "{}",
            "{\"title\":\"a\"}",
            "{\"dta\":{\"file\":\"a.csv\"}}",
            "{\"columns\":4,\"data\":{\"file\":\"a.csv\"}}",
            "{\"x\":{\"label\":\"a\"},\"y\":{\"label\":\"b\"}}",
            "{\"results\":{\"arc\":{\"acc\":1}},\"versions\":{\"arc\":0}}",
            "{\"title\":\"a\"}#",
            "{\"a\":1,}",
            "{",
        ] {
            assert_eq!(of(figure), Ok(Shape::Object), "{figure}");
        }
        let many: String = (0..200).map(|i| format!("\"k{i}\":1,")).collect();
        for text in [format!("{{{many}\"z\":1}}"), format!("{{\"a\":{{{many}\"z\":1}}}}")] {
            assert_eq!(of(&text).unwrap_err().kind, ErrorKind::Limit);
        }
        for text in ["[\"a\"]", "5", ""] {
            assert_eq!(of(text).unwrap_err().kind, ErrorKind::Refused, "{text}");
        }
    }
}

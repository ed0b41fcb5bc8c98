//! Shapes of JSON: rows, numbers, or a figure file, recognised by the keys and brackets at the top.

use super::fault::Fault;
use super::tokenizer::Tokenizer;
use std::borrow::Cow;

/// What is read as data, in a hint.
pub(in crate::input) const READ_AS_DATA: &str = "data as JSON: a list of objects (a row each), one object a line, a list of lists of numbers, or an object with width, height and values";

/// What a JSON text holds.
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
    /// An object of more keys than are remembered.
    TooMany,
    /// None of these, in words.
    Other(&'static str),
}

/// The shape of a text, or of its beginning; where the text is at fault, of what comes before that.
///
/// `figure` recognises the keys that a figure file has at its top; `most` keys are remembered, each takes [`KEY`] bytes.
pub(super) fn shape(text: &str, figure: &dyn Fn(&str) -> bool, most: usize) -> Shape {
    let mut r = Tokenizer::new(text, true);
    match r.peek() {
        Some(b'[') => of_list(&text[r.at() + 1..]),
        Some(b'{') => of_object(&mut r, figure, most),
        _ => Shape::Other("is neither a list nor an object"),
    }
}

fn of_list(rest: &str) -> Shape {
    match rest.trim_start().bytes().next() {
        Some(b'{') => Shape::Records,
        Some(b'"') => Shape::Other("is a list of texts, which is not data"),
        _ => Shape::Array,
    }
}

/// A key at the top of an object.
struct Top<'a> {
    key: Cow<'a, str>,
    list: bool,
    /// Whether it is an object of values only, with the keys of the first such.
    column: bool,
}

/// Bytes that a key takes while the shape is looked for.
pub(super) const KEY: u64 = 64;

fn of_object<'a>(r: &mut Tokenizer<'a>, figure: &dyn Fn(&str) -> bool, most: usize) -> Shape {
    let mut tops: Vec<Top<'a>> = Vec::new();
    let mut index: Option<Vec<Cow<'a, str>>> = None;
    let mut left = most;
    let whole = r.object(&mut |r, key, at| {
        one_less(&mut left, at)?;
        let first = r.peek();
        tops.push(Top {
            key,
            list: first == Some(b'['),
            column: false,
        });
        if first != Some(b'{') {
            return r.skip();
        }
        let column = column(r, &mut index, &mut left)?;
        tops.last_mut().expect("a key was just put in").column = column;
        Ok(())
    });
    if left == 0 {
        return Shape::TooMany;
    }
    if whole.is_ok() && r.peek() == Some(b'{') {
        return Shape::Lines;
    }
    let has = |name: &str, list: bool| tops.iter().any(|t| t.key == name && t.list == list);
    if has("width", false) && has("height", false) && has("values", true) {
        return Shape::Values;
    }
    if has("columns", true) && has("data", true) {
        return Shape::Split;
    }
    // The key at which the text breaks off or is at fault does not count yet.
    let read = if whole.is_ok() {
        &tops[..]
    } else {
        &tops[..tops.len().saturating_sub(1)]
    };
    let index = index.unwrap_or_default();
    let counted = index.iter().enumerate().all(|(i, k)| k.parse() == Ok(i));
    let alike = !read.is_empty() && !index.is_empty() && read.iter().all(|t| t.column);
    if alike && (counted || (read.len() > 1 && !tops.iter().any(|t| figure(&t.key)))) {
        return Shape::Columns;
    }
    Shape::Object
}

/// Takes one off, and stops the reading at the last.
fn one_less(left: &mut usize, at: usize) -> Result<(), Fault> {
    *left = left.saturating_sub(1);
    if *left == 0 {
        Err(Fault::new(at, "more keys than are remembered"))
    } else {
        Ok(())
    }
}

/// Whether an object holds values only, under the keys of the first one.
fn column<'a>(
    r: &mut Tokenizer<'a>,
    index: &mut Option<Vec<Cow<'a, str>>>,
    left: &mut usize,
) -> Result<bool, Fault> {
    let (mut plain, mut same) = (true, 0);
    let mut own = Vec::new();
    r.object(&mut |r, key, at| {
        plain &= !matches!(r.peek(), Some(b'{' | b'['));
        match index {
            Some(known) => same += usize::from(known.get(same) == Some(&key)),
            None => {
                one_less(left, at)?;
                own.push(key);
            }
        }
        r.skip()
    })?;
    let known = index.get_or_insert_with(|| {
        same = own.len();
        own
    });
    Ok(plain && same == known.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Shape {
        shape(
            text,
            &|k| ["x", "y", "data", "columns", "title"].contains(&k),
            100,
        )
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
            (
                "{\"a\":{\"m\":1,\"n\":2},\"b\":{\"m\":1,\"n\":2}}",
                Shape::Columns,
            ),
            (
                "{\"a\":{\"m\":1,\"n\":2},\"b\":{\"m\":1,\"n\":2},\"c\":{\"m",
                Shape::Columns,
            ),
        ] {
            assert_eq!(of(text), want, "{text}");
        }
        for figure in [
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
            assert_eq!(of(figure), Shape::Object, "{figure}");
        }
        let many: String = (0..200).map(|i| format!("\"k{i}\":1,")).collect();
        assert_eq!(of(&format!("{{{many}\"z\":1}}")), Shape::TooMany);
        assert_eq!(of(&format!("{{\"a\":{{{many}\"z\":1}}}}")), Shape::TooMany);
        assert!(
            matches!(of("[\"a\"]"), Shape::Other(_))
                && matches!(of("5"), Shape::Other(_))
                && matches!(of(""), Shape::Other(_))
        );
    }
}

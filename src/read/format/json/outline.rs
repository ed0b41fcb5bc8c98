//! Outline of a JSON text: the kinds of its parts and where they are, without their values.

use super::tokenizer::{JsonFault, Tokenizer};
use crate::budget::OverBudget;
use std::borrow::Cow;
use std::ops::Range;

/// Objects within each other that are looked into.
const DEEPEST: usize = 8;
/// Elements of a list by which it is known.
const LOOKED_AT: usize = 64;

/// A value of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node<'a> {
    pub kind: Kind<'a>,
    /// Its bytes.
    pub range: Range<usize>,
}

/// Kind of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    Null,
    Number,
    Truth,
    Text,
    /// So many elements of a kind.
    List(usize, Elements),
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
    /// An object that lies too deep.
    Deep,
}

/// Kind of the first elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    Nothing,
    Numbers,
    Texts,
    /// Numbers, texts and nulls.
    Scalars,
    Objects,
    /// Lists of numbers, or of such lists.
    Numeric,
    /// Other lists, and any mixture.
    Other,
}

impl<'a> Node<'a> {
    /// The outline of a value that is next; `left` keys may be remembered.
    ///
    /// # Errors
    /// Text that is not JSON, and too many keys.
    pub(super) fn read(r: &mut Tokenizer<'a>, left: &mut usize) -> Result<Self, JsonFault> {
        Self::read_at(r, left, 0)
    }

    fn read_at(r: &mut Tokenizer<'a>, left: &mut usize, depth: usize) -> Result<Self, JsonFault> {
        let first = r.peek();
        let from = r.at();
        let kind = match first {
            Some(b'{') if depth < DEEPEST => {
                let mut members = Vec::new();
                r.object(&mut |r, key, _| {
                    let what = "the keys of an object take more than the memory limit";
                    let one_less = left.checked_sub(1);
                    *left = one_less.ok_or_else(|| JsonFault::limit(0, what).with_hint(OverBudget::HINT))?;
                    members.push((key, Self::read_at(r, left, depth + 1)?));
                    Ok(())
                })?;
                Kind::Object(members)
            }
            Some(b'[') => {
                let (mut len, mut of) = (0, Elements::Nothing);
                r.list(&mut |r| {
                    len += 1;
                    if len > LOOKED_AT {
                        return r.skip();
                    }
                    let one = element(r)?;
                    of = together(of, one);
                    Ok(())
                })?;
                Kind::List(len, of)
            }
            first => {
                r.skip()?;
                match first {
                    Some(b'{') => Kind::Deep,
                    Some(b'"') => Kind::Text,
                    Some(b'n') => Kind::Null,
                    Some(b't' | b'f') => Kind::Truth,
                    _ => Kind::Number,
                }
            }
        };
        Ok(Self { kind, range: from..r.at() })
    }

    /// The value under a path such as `a.b`, whose names may have dots or slashes.
    pub(super) fn find(&self, path: &str) -> Option<&Node<'a>> {
        let path = path.trim_matches('/');
        let Kind::Object(members) = &self.kind else {
            return None;
        };
        let of = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, node)| node);
        if let Some(found) = of(path) {
            return Some(found);
        }
        let cuts = path.char_indices().filter(|(_, c)| matches!(c, '.' | '/')).map(|(at, _)| at);
        cuts.rev().collect::<Vec<_>>().into_iter().find_map(|at| of(&path[..at])?.find(&path[at + 1..]))
    }

    /// Calls `each` with the values in objects, at any depth, and their paths.
    pub(super) fn walk<'n>(&'n self, path: &str, each: &mut impl FnMut(&str, &'n Node<'a>)) {
        let Kind::Object(members) = &self.kind else {
            return;
        };
        for (key, node) in members {
            let path = if path.is_empty() { key.clone().into_owned() } else { format!("{path}.{key}") };
            each(&path, node);
            node.walk(&path, each);
        }
    }

    pub(super) fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Null | Kind::Number | Kind::Truth | Kind::Text)
    }
}

/// Kind of the list that holds one element, which is passed over.
fn element(r: &mut Tokenizer<'_>) -> Result<Elements, JsonFault> {
    match r.peek() {
        Some(b'[') => {
            let mut of = Elements::Nothing;
            r.list(&mut |r| {
                let one = element(r)?;
                of = together(of, one);
                Ok(())
            })?;
            Ok(match of {
                Elements::Nothing | Elements::Numbers | Elements::Numeric => Elements::Numeric,
                _ => Elements::Other,
            })
        }
        first => {
            r.skip()?;
            Ok(match first {
                Some(b'{') => Elements::Objects,
                Some(b'"') => Elements::Texts,
                Some(b'n') => Elements::Nothing,
                _ => Elements::Numbers,
            })
        }
    }
}

fn together(a: Elements, b: Elements) -> Elements {
    use Elements::{Nothing, Numbers, Other, Scalars, Texts};
    match (a, b) {
        (Nothing, other) | (other, Nothing) => other,
        (a, b) if a == b => a,
        (Numbers | Texts | Scalars, Numbers | Texts | Scalars) => Scalars,
        _ => Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Node<'_> {
        Node::read(&mut Tokenizer::new(text, true), &mut 1000).unwrap()
    }

    #[test]
    fn lists_are_known_by_their_elements() {
        for (text, len, kind) in [
            ("[]", 0, Elements::Nothing),
            ("[1, null, NaN]", 3, Elements::Numbers),
            ("[\"a\", 1]", 2, Elements::Scalars),
            ("[[1, 2], [], [null]]", 3, Elements::Numeric),
            ("[[1], [\"a\"]]", 2, Elements::Other),
            ("[{}, {\"a\": []}]", 2, Elements::Objects),
            ("[{}, 1]", 2, Elements::Other),
            ("[null]", 1, Elements::Nothing),
        ] {
            assert_eq!(of(text).kind, Kind::List(len, kind), "{text}");
        }
    }

    #[test]
    fn paths_may_hold_dots() {
        let text = r#"{"a.b": {"c": 1}, "a": {"d": {"e.f": [2]}}}"#;
        let node = of(text);
        for (path, found) in [("a.b.c", "1"), ("a.d.e.f", "[2]"), ("a/d/e.f", "[2]"), ("/a.b/c", "1")] {
            assert_eq!(node.find(path).map(|n| &text[n.range.clone()]), Some(found), "{path}");
        }
        assert!(node.find("a.x").is_none() && node.find("").is_none());
        let mut paths = Vec::new();
        node.walk("", &mut |path, _| paths.push(path.to_owned()));
        assert_eq!(paths, ["a.b", "a.b.c", "a", "a.d", "a.d.e.f"]);
    }
}

//! The values of a figure file with their places, however the file is written.

use gridscope_core::grid::Number;
use std::borrow::Cow;

/// A value and the byte where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value<'a> {
    pub at: usize,
    pub kind: Kind<'a>,
}

/// Kind of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    List(Vec<Value<'a>>),
    /// Keys, none twice, in the order of the file.
    Table(Vec<(Key<'a>, Value<'a>)>),
    /// A value that no figure holds, in words.
    Other(&'static str),
}

/// A key and the byte where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key<'a> {
    pub at: usize,
    pub name: Cow<'a, str>,
}

impl Kind<'_> {
    /// Name of the kind.
    pub(super) fn words(&self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool(_) => "true or false",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
            Kind::Other(words) => words,
        }
    }
}

impl Value<'_> {
    /// Where the value of a dotted path begins (`color.vmin`, `panels.a.b.cmap`); where the file spells the path otherwise,
    /// the innermost table on its way.
    pub(super) fn locate(&self, path: &str) -> usize {
        let Kind::Table(keys) = &self.kind else {
            return self.at;
        };
        let inside = |(key, value): &(Key, Value)| match path.strip_prefix(&*key.name)? {
            "" => Some((key.name.len(), value.at)),
            rest => Some((key.name.len(), value.locate(rest.strip_prefix('.')?))),
        };
        // Names of panels may hold dots: the longest key is the one that is meant.
        let longest = keys.iter().filter_map(inside).max_by_key(|found| found.0);
        longest.map_or(self.at, |found| found.1)
    }
}

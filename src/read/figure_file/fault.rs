//! The values of a figure file with their places, and faults.

use crate::error::InputError;
use crate::figure_keys::meant;
use crate::position::place;
use gridscope_core::grid::Number;
use gridscope_core::notation::unknown_word;
use gridscope_core::text::{did_you_mean, nearest};
use serde::de::{Expected, Unexpected};
use std::borrow::Cow;
use std::fmt;

/// The longest message of a parser that is passed on, in characters.
const LONGEST_MESSAGE: usize = 200;

/// A fault in the text of a figure file.
#[derive(Debug)]
pub(super) struct FigureFault {
    /// The byte where it is; `None` until the value around it is known.
    pub at: Option<usize>,
    /// The keys around it, innermost first.
    pub path: Vec<String>,
    pub kind: FaultKind,
}

/// Kinds of faults.
#[derive(Debug)]
pub(super) enum FaultKind {
    /// A key that its table does not have, and those that it has.
    UnknownKey(String, &'static [&'static str]),
    /// A word that is not among those of its key.
    UnknownWord(String, &'static [&'static str]),
    DuplicateKey(String),
    MissingKey(&'static str),
    /// Not a table of keys, but something else, in words.
    NotTable(&'static str),
    NotFinite,
    /// A value that is not what its key takes.
    Value(String),
    /// Anything else, in the words of whoever found it.
    Other(String),
}

impl FigureFault {
    /// A fault at a byte.
    pub(super) fn new(at: usize, kind: FaultKind) -> Self {
        Self { at: Some(at), ..kind.into() }
    }

    /// Whether it is in a key that chooses which cells are read: those are usage errors wherever they are given.
    pub(super) fn chooses_cells(&self) -> bool {
        let keys: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
        matches!(keys[..], ["view", "rows" | "cols" | "around"])
    }

    /// Description of a wrong value of a flag: without its key, and in full.
    pub(super) fn of_flag(self) -> String {
        match self.kind {
            FaultKind::UnknownWord(word, known) => unknown_word(&word, known).to_string(),
            FaultKind::Value(what) => what,
            kind => Self::from(kind).to_string(),
        }
    }

    /// The error of a file with this text: FILE: line and column: what is wrong.
    pub(super) fn error(&self, text: &str, file: &str) -> InputError {
        InputError::refused(file, place(text, self.at.unwrap_or(0)), self.to_string())
    }
}

impl FaultKind {
    /// The message of a parser, on one line that is not too long.
    pub(super) fn parser(message: &str) -> Self {
        Self::Other(one_line(message))
    }
}

impl From<FaultKind> for FigureFault {
    fn from(kind: FaultKind) -> Self {
        Self { at: None, path: Vec::new(), kind }
    }
}

impl fmt::Display for FigureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = || {
            let keys: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
            short(&keys.join("."))
        };
        match &self.kind {
            FaultKind::UnknownKey(word, known) => {
                write!(f, "unknown key '{}'{}", short(word), meant(word, known))
            }
            FaultKind::UnknownWord(word, known) => {
                let near = did_you_mean(nearest(word, known.iter().copied()));
                write!(f, "'{}' is none of {}{near}", short(word), known.join(", "))
            }
            FaultKind::DuplicateKey(word) => write!(f, "duplicate key '{}'", short(word)),
            FaultKind::MissingKey(word) => write!(f, "key '{word}' is missing"),
            FaultKind::NotTable(found) if self.path.is_empty() => {
                write!(f, "expected a table of keys, found {found}")
            }
            FaultKind::NotTable(found) => write!(f, "'{}' must be a table, not {found}", key()),
            FaultKind::NotFinite => write!(f, "'{}' must be finite", key()),
            FaultKind::Value(what) if !self.path.is_empty() => write!(f, "{}: {}", key(), one_line(what)),
            FaultKind::Value(what) => f.write_str(&one_line(what)),
            FaultKind::Other(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for FigureFault {}

impl serde::de::Error for FigureFault {
    fn custom<T: fmt::Display>(what: T) -> Self {
        FaultKind::Value(what.to_string()).into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        FaultKind::parser(&format!("invalid type: {found}, expected {expected}")).into()
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = match expected.to_string() {
            number if number.starts_with("a nonzero") => "a whole number from 1".to_owned(),
            other => other,
        };
        FaultKind::Value(format!("invalid value: {found}, expected {expected}")).into()
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        FaultKind::UnknownKey(field.to_owned(), expected).into()
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        FaultKind::UnknownWord(variant.to_owned(), expected).into()
    }

    fn missing_field(field: &'static str) -> Self {
        FaultKind::MissingKey(field).into()
    }

    fn duplicate_field(field: &'static str) -> Self {
        FaultKind::DuplicateKey(field.to_owned()).into()
    }
}

/// A message on one line that is not too long.
pub(super) fn one_line(message: &str) -> String {
    let line = message.lines().map(str::trim).collect::<Vec<_>>().join("; ");
    line.chars().take(LONGEST_MESSAGE).collect()
}

/// At most 60 characters of a text from a file.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

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

//! What is written into cells: values, or a template over aggregates and columns.

use super::words::Agg;
use crate::notation::{Notation, ParseError};
use crate::scale::NumberFormat;
use std::fmt;
use std::str::FromStr;

/// Whether and what is written into cells: `auto`, `on`, `off`, or a template as `{mean:.1f} (n={n})`.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Annotate {
    /// The value, where the widest fits its cell at 6 pt with space around it, and no side has more than 20 cells.
    #[default]
    Auto,
    /// The value; left out with a warning where it does not fit.
    On,
    /// Nothing.
    Off,
    /// A template; left out with a warning where it does not fit.
    Template(Template),
}

/// A template as `{mean:.1f}±{std:.1f} (n={n})`; `{{` and `}}` are braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Template(Vec<TemplatePart>);

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TemplatePart {
    /// Text as it is.
    Text(String),
    /// The value of the cell.
    Value(Option<NumberFormat>),
    /// An aggregate by its name.
    Field(String, Option<NumberFormat>),
    /// The text of a column.
    Column(String),
}

/// The aggregates a template can name, and the aggregate each stands for.
const FIELDS: &[(&str, Agg)] = &[
    ("mean", Agg::Mean),
    ("median", Agg::Median),
    ("min", Agg::Min),
    ("max", Agg::Max),
    ("sum", Agg::Sum),
    ("n", Agg::Count),
    ("count", Agg::Count),
    ("std", Agg::Std),
    ("first", Agg::First),
    ("last", Agg::Last),
];

impl Template {
    /// Its parts in order.
    pub(crate) fn parts(&self) -> &[TemplatePart] {
        &self.0
    }

    /// The aggregates that the table must give.
    pub fn aggregates(&self) -> Vec<Agg> {
        let wanted = |part: &TemplatePart| match part {
            TemplatePart::Field(name, _) => FIELDS.iter().find(|(n, _)| n == name).map(|(_, a)| *a),
            _ => None,
        };
        self.0.iter().filter_map(wanted).collect()
    }

    /// The columns that the table must give.
    pub fn columns(&self) -> Vec<String> {
        let wanted = |part: &TemplatePart| match part {
            TemplatePart::Column(name) => Some(name.clone()),
            _ => None,
        };
        self.0.iter().filter_map(wanted).collect()
    }
}

impl FromStr for Template {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = |reason: &str| ParseError::new(Notation::Annotate, text, reason);
        let mut parts = vec![TemplatePart::Text(String::new())];
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, tail) = rest.split_at(at);
            push(&mut parts, before);
            if let Some(t) = tail.strip_prefix("{{").or_else(|| tail.strip_prefix("}}")) {
                push(&mut parts, &tail[..1]);
                rest = t;
                continue;
            }
            let inner = tail.strip_prefix('{').ok_or_else(|| wrong("'}' without '{'"))?;
            let end = inner.find('}').ok_or_else(|| wrong("'{' without '}'"))?;
            parts.push(part(&inner[..end])?);
            rest = &inner[end + 1..];
        }
        push(&mut parts, rest);
        Ok(Self(parts))
    }
}

fn push(parts: &mut Vec<TemplatePart>, text: &str) {
    match parts.last_mut() {
        Some(TemplatePart::Text(t)) => t.push_str(text),
        _ => parts.push(TemplatePart::Text(text.to_owned())),
    }
}

fn part(inner: &str) -> Result<TemplatePart, ParseError> {
    if let Some(column) = inner.strip_prefix("column:") {
        return Ok(TemplatePart::Column(column.to_owned()));
    }
    let (name, format) = inner.split_once(':').map_or((inner, None), |(n, s)| (n, Some(s)));
    let format = format.map(str::parse).transpose()?;
    match name {
        "value" | "" => Ok(TemplatePart::Value(format)),
        // The p value of paired replicates.
        "p" => Ok(TemplatePart::Field(name.to_owned(), format)),
        name if FIELDS.iter().any(|(n, _)| *n == name) => Ok(TemplatePart::Field(name.to_owned(), format)),
        other => {
            let known: Vec<_> = FIELDS.iter().map(|(n, _)| *n).collect();
            let reason = format!(
                "give {{value}}, {{column:NAME}}, or one of {{{}}}",
                known.join("}, {")
            );
            Err(ParseError::new(
                Notation::Annotate,
                &format!("{{{other}}}"),
                reason,
            ))
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = |f: &mut fmt::Formatter<'_>, name: &str, format: &Option<NumberFormat>| match format {
            Some(format) => write!(f, "{{{name}:{format}}}"),
            None => write!(f, "{{{name}}}"),
        };
        self.0.iter().try_for_each(|part| match part {
            TemplatePart::Text(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            TemplatePart::Value(format) => field(f, "value", format),
            TemplatePart::Field(name, format) => field(f, name, format),
            TemplatePart::Column(name) => write!(f, "{{column:{name}}}"),
        })
    }
}

impl FromStr for Annotate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "auto" => Ok(Self::Auto),
            "on" | "true" | "True" => Ok(Self::On),
            "off" | "false" | "False" => Ok(Self::Off),
            t if t.contains('{') => t.parse().map(Self::Template),
            t => {
                let reason = "give auto, on, off, or a template such as '{mean:.1f} (n={n})'";
                Err(ParseError::new(Notation::Annotate, t, reason))
            }
        }
    }
}

impl fmt::Display for Annotate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::On => f.write_str("on"),
            Self::Off => f.write_str("off"),
            Self::Template(template) => template.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_print_as_they_are_read() {
        for text in [
            "auto",
            "on",
            "off",
            "{mean:.1f}±{std} (n={n}) {column:note}{{}}",
            "{value:d}",
        ] {
            assert_eq!(text.parse::<Annotate>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn wrong_templates_are_refused() {
        for bad in ["{mean", "{mean}}", "{avg}", "{mean:zz}", "maybe"] {
            assert!(bad.parse::<Annotate>().is_err(), "{bad}");
        }
        let wrong = |t: &str| t.parse::<Annotate>().unwrap_err().to_string();
        assert!(
            wrong("{foo} {n}").starts_with("'{foo}' is not an annotation: give {value}, {column:NAME}, ")
        );
        assert!(wrong("{n:zz}").starts_with("'zz' is not a number format: "));
    }
}

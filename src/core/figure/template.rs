//! Content of cells: values, or templates such as `{mean:.1f} ± {ci95:.1f} (n={n})`.

use super::aggregate::{Pick, Statistic};
use super::mark::is_file;
use super::text::quoted;
use crate::notation::{Notation, ParseError};
use crate::scale::NumberFormat;
use std::fmt;
use std::str::FromStr;

/// A template as `{mean:.1f}±{std:.1f} (n={n})`; `{{` and `}}` are braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Template(Vec<TemplatePart>);

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// Text as it is.
    Text(String),
    /// The value of the cell.
    Value(Option<NumberFormat>),
    /// An aggregate, under its name among a grid's fields.
    Field(String, Statistic, Option<NumberFormat>),
    /// The probability of the difference of paired replicates.
    Probability(Option<NumberFormat>),
    /// The text of a column, in a format where it is a number.
    Column(String, Option<NumberFormat>),
    /// The text of a column at one row.
    Pick(Pick, Option<NumberFormat>),
}

impl Template {
    /// Its parts in order.
    pub fn parts(&self) -> &[TemplatePart] {
        &self.0
    }

    /// Whether it writes the probability of a paired test.
    pub fn has_probability(&self) -> bool {
        let is_it = |part: &TemplatePart| matches!(part, TemplatePart::Probability(_));
        self.0.iter().any(is_it)
    }

    /// The aggregates that the table must give, of the value and of other columns.
    pub fn statistics(&self) -> Vec<Statistic> {
        let wanted = |part: &TemplatePart| match part {
            TemplatePart::Field(_, statistic, _) => Some(statistic.clone()),
            _ => None,
        };
        self.0.iter().filter_map(wanted).collect()
    }

    /// The texts of single rows that the table must give.
    pub fn picks(&self) -> Vec<Pick> {
        let wanted = |part: &TemplatePart| match part {
            TemplatePart::Pick(pick, _) => Some(pick.clone()),
            _ => None,
        };
        self.0.iter().filter_map(wanted).collect()
    }

    /// The columns that the table must give.
    pub fn columns(&self) -> Vec<String> {
        let wanted = |part: &TemplatePart| match part {
            TemplatePart::Column(name, _) => Some(name.clone()),
            _ => None,
        };
        self.0.iter().filter_map(wanted).collect()
    }
}

impl FromStr for Template {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
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
            let place = text[..text.len() - tail.len()].chars().count() + 1;
            let Some(inner) = tail.strip_prefix('{') else {
                let reason = format!("character {place}: '}}' without '{{'");
                return Err(ParseError::new(Notation::Annotate, text, reason));
            };
            let (part, after) = part(inner).map_err(|(mut e, further)| {
                e.reason = format!("character {}: {}", place + further, e.reason);
                e
            })?;
            parts.push(part);
            rest = after;
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

fn wrong(text: &str, reason: impl Into<String>) -> ParseError {
    ParseError::new(Notation::Annotate, text, reason)
}

/// The part that begins after a brace, and the text behind the brace that ends it. A fault has its place after the brace.
fn part(inner: &str) -> Result<(TemplatePart, &str), (ParseError, usize)> {
    let open = || (wrong(&format!("{{{inner}"), "'{' without '}'"), 0);
    let closed = |rest: &str| rest.find('}').ok_or_else(open);
    if let Some(column) = inner.strip_prefix("column:") {
        let end = closed(column)?;
        let (name, after) = (&column[..end], &column[end + 1..]);
        // A name may have a colon itself.
        let format = name.rsplit_once(':').and_then(|(name, format)| Some((name, format.parse().ok()?)));
        let (name, format) = format.map_or((name, None), |(name, format)| (name, Some(format)));
        return Ok((TemplatePart::Column(name.to_owned(), format), after));
    }
    let end = inner.find(['(', ':', '}']).unwrap_or(inner.len());
    let (word, rest) = inner.split_at(end);
    let (column, rest) = match rest.strip_prefix('(') {
        Some(rest) => {
            let (column, rest) =
                argument(rest).map_err(|reason| (wrong(&format!("{{{inner}"), reason), 0))?;
            (Some(column), rest)
        }
        None => (None, rest),
    };
    let end = closed(rest)?;
    let (tail, after) = (&rest[..end], &rest[end + 1..]);
    let whole = &inner[..inner.len() - after.len() - 1];
    let format = match tail.strip_prefix(':') {
        Some(format) => {
            let before = whole[..whole.len() - format.len()].chars().count() + 1;
            let format: NumberFormat = format.parse().map_err(|e| (e, before))?;
            if format.has_text() {
                return Err((
                    wrong(&format!("{{{whole}}}"), "the text around a number stands outside of its braces"),
                    0,
                ));
            }
            Some(format)
        }
        None if tail.is_empty() => None,
        None => {
            let reason = "')' is followed by ':' and a format, or by '}'";
            return Err((wrong(&format!("{{{whole}}}"), reason), 0));
        }
    };
    let part = match (word, column) {
        ("value" | "", None) => TemplatePart::Value(format),
        ("p", None) => TemplatePart::Probability(format),
        (word, Some(column)) if Pick::by(word).is_some() => {
            let by = Pick::by(word).unwrap_or_default();
            TemplatePart::Pick(Pick { by, column }, format)
        }
        (word, column) => {
            let Some(agg) = Statistic::agg_of(word) else {
                return Err((unknown(word, whole), 0));
            };
            let statistic = Statistic { agg, column };
            let name = statistic.to_string();
            // `n` is short for `count`, and stays as it was written.
            let name = if word == "n" { name.replacen("count", "n", 1) } else { name };
            TemplatePart::Field(name, statistic, format)
        }
    };
    Ok((part, after))
}

/// The error of a name that no aggregate has.
fn unknown(word: &str, whole: &str) -> ParseError {
    let reason = if Pick::by(word).is_some() {
        format!("name the column whose text is written: {{{word}(NAME)}}")
    } else {
        let known = ["n", "mean", "median", "std", "sem", "min", "max", "sum", "ci95", "q25"].join("}, {");
        format!(
            "give {{value}}, {{mean(NAME)}} or {{column:NAME}} of a column, {{{known}}}, {{argmax(NAME)}}, or another --agg"
        )
    };
    wrong(&format!("{{{whole}}}"), reason)
}

/// A column's name, in quotes or without, up to the parenthesis that ends it, and the text behind that.
fn argument(text: &str) -> Result<(String, &str), &'static str> {
    const OPEN: &str = "'(' without ')'; a name with parentheses or braces may be quoted";
    let text = text.trim_start();
    if let Some(quote) = text.chars().next().filter(|c| ['"', '\''].contains(c)) {
        let (name, rest) = quoted(text, quote).ok_or("a quote that does not end")?;
        return rest.trim_start().strip_prefix(')').map(|rest| (name, rest)).ok_or(OPEN);
    }
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => {
                let name = text[..at].trim();
                let named = (!name.is_empty()).then(|| (name.to_owned(), &text[at + 1..]));
                return named.ok_or("no column is named between '(' and ')'");
            }
            ')' => depth -= 1,
            '{' | '}' => return Err(OPEN),
            _ => {}
        }
    }
    Err(OPEN)
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
            TemplatePart::Probability(format) => field(f, "p", format),
            TemplatePart::Field(name, _, format) => field(f, name, format),
            TemplatePart::Column(name, format) => field(f, &format!("column:{name}"), format),
            TemplatePart::Pick(pick, format) => field(f, &pick.to_string(), format),
        })
    }
}

/// Whether and what is written into cells: `auto`, `on`, `off`, or a template as `{mean:.1f} (n={n})`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// The texts of a file, a table in the shape of the grid or with the keys of cells; left out with a warning where they do not fit.
    File(String),
}

impl Annotate {
    /// Whether cells show something else than their values.
    pub fn is_own(&self) -> bool {
        matches!(self, Self::Template(_) | Self::File(_))
    }
}

impl FromStr for Annotate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "auto" => Ok(Self::Auto),
            "on" | "true" | "True" => Ok(Self::On),
            "off" | "false" | "False" => Ok(Self::Off),
            t if t.contains(['{', '}']) => t.parse().map(Self::Template),
            t if is_file(t) => Ok(Self::File(t.to_owned())),
            t => {
                let reason =
                    "give auto, on, off, a template such as '{mean:.1f} (n={n})', or a FILE of texts";
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
            Self::File(path) => f.write_str(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Agg;

    fn read(text: &str) -> Template {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn templates_name_aggregates_of_other_columns_and_texts_of_rows() {
        let t = read(
            "{mean:.1f} ± {ci95:.1f} (n={n}) {std(loss (val)):.2f} {argmax(\"a, \"\"b\"\"}\"):d} {q2.5}{n(x:y)}",
        );
        let of = |agg: &str, column: Option<&str>| Statistic {
            agg: agg.parse().unwrap(),
            column: column.map(str::to_owned),
        };
        let wanted = [
            of("mean", None),
            of("ci95", None),
            of("count", None),
            of("std", Some("loss (val)")),
            of("q2.5", None),
            of("count", Some("x:y")),
        ];
        assert_eq!(t.statistics(), wanted);
        let pick = Pick { by: Agg::Max, column: "a, \"b\"}".to_owned() };
        assert_eq!(t.picks(), [pick]);
        assert_eq!(read(&t.to_string()), t);
    }

    #[test]
    fn templates_print_as_they_are_read() {
        for text in [
            "{mean:.1f}±{std} (n={n}) {column:note}{{}}",
            "{value:d}",
            "{column:std_score:.3f} {column:a:b}",
            "{n(loss)} {count} {best} {argbest(lr):.1e} {argmin(lr)}",
            "{std(\"a)\"):.2f} {std(\" a\")} {std(\"it's\")}",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
        assert_eq!(read("{std('a b'):.1f}").to_string(), "{std(a b):.1f}");
    }

    #[test]
    fn a_wrong_place_is_named() {
        let wrong = |t: &str| t.parse::<Template>().unwrap_err().to_string();
        for (text, wanted) in [
            (
                "ok {foo} {n}",
                "'{foo}' is not an annotation: character 4: give {value}, {mean(NAME)} or {column:NAME} of a column, {n}, ",
            ),
            ("é{n:zz}", "'zz' is not a number format: character 5: "),
            ("é {mean", "'{mean' is not an annotation: character 3: '{' without '}'"),
            ("{mean}}", "'{mean}}' is not an annotation: character 7: '}' without '{'"),
            ("{std(a}", "'{std(a}' is not an annotation: character 1: '(' without ')'"),
            ("{std()}", "'{std()}' is not an annotation: character 1: no column"),
            ("{std(\"a)}", "'{std(\"a)}' is not an annotation: character 1: a quote"),
            ("{std(a)b}", "'{std(a)b}' is not an annotation: character 1: ')' is followed"),
            ("{argmax}", "'{argmax}' is not an annotation: character 1: name the column"),
            ("{value(a)}", "'{value(a)}' is not an annotation: character 1: give"),
            ("{q101}", "'{q101}' is not an annotation: character 1: give"),
        ] {
            assert!(wrong(text).starts_with(wanted), "{text}: {}", wrong(text));
        }
    }
}

#[cfg(test)]
mod annotate_tests {
    use super::*;

    #[test]
    fn templates_print_as_they_are_read() {
        for text in ["auto", "on", "off", "{mean:.1f}±{std} (n={n}) {column:note}{{}}", "{value:d}"] {
            assert_eq!(text.parse::<Annotate>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn wrong_templates_are_refused() {
        for bad in ["{mean", "{mean}}", "{avg}", "{mean:zz}", "maybe"] {
            assert!(bad.parse::<Annotate>().is_err(), "{bad}");
        }
    }
}

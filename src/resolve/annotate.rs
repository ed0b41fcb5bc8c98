//! What is written into cells: a number format or a template over aggregates and columns.

use crate::figure::{Agg, Annotations};
use crate::grid::{Grid, Number, State};
use crate::scale::NumberFormat;
use crate::text::clean;

/// Whether and what is written into cells.
#[derive(Clone, Debug)]
pub enum Annotate {
    /// The value, where the widest fits its cell.
    Auto,
    /// The value; left out with a warning where it does not fit.
    On,
    /// Nothing.
    Off,
    /// A template; left out with a warning where it does not fit.
    Template(Template),
}

/// A parsed template as `{mean:.1f}±{std:.1f} (n={n})`.
#[derive(Clone, Debug)]
pub struct Template(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Value(Option<NumberFormat>),
    Field(String, Option<NumberFormat>),
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
    /// Reads a template; `{{` and `}}` are braces.
    ///
    /// # Errors
    /// An open brace, an unknown name, or a wrong number format.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = vec![Part::Text(String::new())];
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, tail) = rest.split_at(at);
            push(&mut parts, before);
            if let Some(t) = tail.strip_prefix("{{").or_else(|| tail.strip_prefix("}}")) {
                push(&mut parts, &tail[..1]);
                rest = t;
                continue;
            }
            let inner = tail
                .strip_prefix('{')
                .ok_or_else(|| format!("template '{text}': a lone '}}'"))?;
            let end = inner
                .find('}')
                .ok_or_else(|| format!("template '{text}': '{{' without '}}'"))?;
            parts.push(part(&inner[..end])?);
            rest = &inner[end + 1..];
        }
        push(&mut parts, rest);
        Ok(Self(parts))
    }

    /// The aggregates that the table must give.
    pub fn aggregates(&self) -> Vec<Agg> {
        let wanted = |name: &str| FIELDS.iter().find(|(n, _)| *n == name).map(|(_, a)| *a);
        self.0
            .iter()
            .filter_map(|p| {
                if let Part::Field(n, _) = p {
                    wanted(n)
                } else {
                    None
                }
            })
            .collect()
    }

    /// The columns that the table must give.
    pub fn columns(&self) -> Vec<String> {
        self.0
            .iter()
            .filter_map(|p| {
                if let Part::Column(c) = p {
                    Some(c.clone())
                } else {
                    None
                }
            })
            .collect()
    }
}

fn push(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        Some(Part::Text(t)) => t.push_str(text),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

fn part(inner: &str) -> Result<Part, String> {
    if let Some(column) = inner.strip_prefix("column:") {
        return Ok(Part::Column(column.to_owned()));
    }
    let (name, spec) = inner.split_once(':').map_or((inner, None), |(n, s)| (n, Some(s)));
    let format = spec.map(NumberFormat::parse).transpose()?;
    match name {
        "value" | "" => Ok(Part::Value(format)),
        name if FIELDS.iter().any(|(n, _)| *n == name) => Ok(Part::Field(name.to_owned(), format)),
        other => {
            let known: Vec<_> = FIELDS.iter().map(|(n, _)| *n).collect();
            Err(format!(
                "'{{{other}}}' is none of {{value}}, {{column:NAME}}, {{{}}}",
                known.join("}, {")
            ))
        }
    }
}

impl Annotate {
    /// Reads the words of a figure.
    ///
    /// # Errors
    /// What is wrong with the template.
    pub fn parse(spec: &Annotations) -> Result<Self, String> {
        match spec.show.as_deref().unwrap_or("auto") {
            "auto" => Ok(Self::Auto),
            "on" | "true" => Ok(Self::On),
            "off" | "false" => Ok(Self::Off),
            t if t.contains('{') => Template::parse(t).map(Self::Template),
            t => Err(format!(
                "'{t}' is none of auto, on, off, nor a template such as '{{mean:.1f}} (n={{n}})'"
            )),
        }
    }
}

/// Gives the text of each cell of one panel.
pub struct CellText<'a> {
    grid: &'a Grid,
    template: Option<&'a Template>,
    format: NumberFormat,
}

impl<'a> CellText<'a> {
    /// The texts of each grid, in its format of `formats`; automatic is the same decimals in all cells of all grids, found once.
    ///
    /// # Errors
    /// A wrong number format.
    pub fn of_all(
        grids: &[&'a Grid],
        annotate: &'a Annotate,
        formats: &[Option<&str>],
    ) -> Result<Vec<Self>, String> {
        let mut auto: Option<NumberFormat> = None;
        let template = if let Annotate::Template(t) = annotate {
            Some(t)
        } else {
            None
        };
        let mut out = Vec::with_capacity(grids.len());
        for (&grid, format) in grids.iter().zip(formats) {
            let format = match format {
                Some(f) => NumberFormat::parse(f)?,
                None => {
                    *auto.get_or_insert_with(|| NumberFormat::auto(grids.iter().flat_map(|g| numbers(g))))
                }
            };
            out.push(Self {
                grid,
                template,
                format,
            });
        }
        Ok(out)
    }

    /// The text of a cell, `None` where a state stands.
    pub fn at(&self, row: usize, column: usize) -> Option<String> {
        let value = self.grid.at(row, column).value();
        let Some(t) = self.template else {
            return value.map(|v| self.format.format(v));
        };
        let i = row * self.grid.width() + column;
        if State::of_bits(self.grid.cells()[i]).is_some() {
            return None;
        }
        let mut out = String::new();
        for p in &t.0 {
            match p {
                Part::Text(s) => out.push_str(s),
                Part::Value(f) => out.push_str(&f.as_ref().unwrap_or(&self.format).format(value?)),
                Part::Column(c) => out.push_str(self.grid.texts().get(c).map_or("", |t| t[i].as_str())),
                Part::Field(name, f) => {
                    let v = self.grid.fields().get(name).map_or(f64::NAN, |v| v[i]);
                    match f {
                        Some(f) => out.push_str(&f.format(Number::F64(v))),
                        None if v.fract() == 0.0 && v.abs() < 1e15 => out.push_str(&format!("{v}")),
                        None => out.push_str(&self.format.format(Number::F64(v))),
                    }
                }
            }
        }
        Some(clean(&out))
    }
}

pub(super) fn numbers(grid: &Grid) -> impl Iterator<Item = Number> + '_ {
    let w = grid.width();
    (0..grid.height() * w).filter_map(move |i| grid.at(i / w, i % w).value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_fills_in_values_fields_and_columns() {
        let mut g = Grid::from_rows(1, 2, vec![41.25, f64::NAN]).unwrap();
        g.set_field("std", vec![0.5, 0.0]).unwrap();
        g.set_field("n", vec![3.0, 0.0]).unwrap();
        g.set_texts("note", vec!["ok".into(), String::new()]).unwrap();
        let t = Template::parse("{value:.1f}±{std:.2f} (n={n}) {column:note}{{}}").unwrap();
        assert_eq!(
            (t.aggregates(), t.columns()),
            (vec![Agg::Std, Agg::Count], vec!["note".to_owned()])
        );
        let a = Annotate::Template(t);
        let text = CellText::of_all(&[&g], &a, &[None]).unwrap().remove(0);
        assert_eq!(text.at(0, 0).unwrap(), "41.2±0.50 (n=3) ok{}");
        assert_eq!(text.at(0, 1), None);
    }

    #[test]
    fn wrong_templates_are_named() {
        for bad in ["{mean", "mean}", "{avg}", "{mean:zz}"] {
            assert!(Template::parse(bad).is_err(), "{bad}");
        }
        assert!(
            Annotate::parse(&Annotations {
                show: Some("maybe".into()),
                ..Default::default()
            })
            .is_err()
        );
    }
}

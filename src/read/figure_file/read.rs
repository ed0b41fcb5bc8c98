//! The text of a figure file, TOML or JSON, to a [`Figure`], and the validation of its numbers.

use super::deserializer::FromValue;
use super::fault::{FaultKind, FigureFault, Key, Kind, Value, short};
use crate::array::range;
use crate::error::{ErrorKind, InputError};
use crate::format::json;
use crate::format::json::{READ_AS_DATA, Scalar, Tokenizer};
use crate::panel_files::names_of_panels;
use crate::position::place;
use gridscope_core::figure::{Baseline, Figure, PanelSpec, SideFile};
use gridscope_core::grid::Number;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// How a figure file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

/// Reads a figure; paths in it stay as written (`resolve_paths` is for those).
///
/// # Errors
/// The first fault, with its line and column: text that is not TOML or JSON, unknown and duplicate keys, wrong types and
/// words.
pub fn read_figure(bytes: &[u8], file: &str, format: Format) -> Result<Figure, InputError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let what = format!("not UTF-8 at byte {at}{}", if utf16 { ", this is UTF-16" } else { "" });
        InputError::refused(file, place(&String::from_utf8_lossy(&bytes[..at]), at), what)
    })?;
    parse(text, format).map_err(|fault| match fault.kind {
        // Data, perhaps, in a shape that is not read.
        FaultKind::UnknownKey(..) if format == Format::Json => {
            fault.error(text, file).with_hint(READ_AS_DATA)
        }
        FaultKind::Value(_) if fault.chooses_cells() => {
            InputError { kind: ErrorKind::Usage, ..fault.error(text, file) }
        }
        _ => fault.error(text, file),
    })
}

fn parse(text: &str, format: Format) -> Result<Figure, FigureFault> {
    let value = match format {
        Format::Toml => parse_toml(text)?,
        Format::Json => parse_json(text)?,
    };
    let figure = Figure::deserialize(FromValue(&value)).map_err(|mut fault| {
        fault.at.get_or_insert(value.at);
        fault
    })?;
    let mut figure = figure;
    check_numbers(&figure).map_err(|(key, what)| {
        let what = format!("{}: {what}", super::fault::short(&key));
        FigureFault::new(value.locate(&key), FaultKind::Other(what))
    })?;
    settle_panels(&mut figure);
    Ok(figure)
}

/// Puts what panels under `[[panel]]` look like into the tables of the panels, whose own keys win.
pub(super) fn settle_panels(figure: &mut Figure) {
    let names = names_of_panels(figure);
    for (i, name) in names.into_iter().enumerate() {
        let spec = figure.panel[i].take_spec();
        if spec != PanelSpec::default() {
            let own = figure.panels.remove(&name).unwrap_or_default();
            figure.panels.insert(name, own.or(&spec));
        }
    }
}

/// Makes the paths of a figure file in folder `base` valid from where the program runs.
pub(super) fn resolve_paths(figure: &mut Figure, base: &Path) {
    let join = |p: &mut String| *p = base.join(&*p).to_string_lossy().into_owned();
    for f in figure.data.file.iter_mut().flat_map(|l| &mut l.0).filter(|f| *f != "-") {
        join(f);
    }
    for scheme in ["duckdb:", "sqlite:"] {
        let file = figure.data.db.as_deref().and_then(|db| db.strip_prefix(scheme));
        let file = file.filter(|file| *file != ":memory:");
        if let Some(file) = file {
            let mut file = file.strip_prefix("//").unwrap_or(file).to_owned();
            join(&mut file);
            figure.data.db = Some(format!("{scheme}{file}"));
        }
    }
    figure.each_side_file(|kind, path| {
        // An array's name stays a name: only what is a file becomes a path.
        let is_path = kind != SideFile::Values || range(path).is_none() && base.join(&*path).exists();
        if is_path {
            join(path);
        }
    });
    for panel in &mut figure.panel {
        panel.file.iter_mut().filter(|f| *f != "-").for_each(join);
        panel.change_baselines(|baseline| moved(baseline, base));
    }
    for baseline in figure.data.baselines_mut().into_iter().flatten() {
        if let Some(moved) = moved(baseline, base) {
            *baseline = moved.into();
        }
    }
}

/// A baseline in folder `base`, where it is a file.
fn moved(baseline: &Baseline, base: &Path) -> Option<Baseline> {
    let join = |path: &str| base.join(path).to_string_lossy().into_owned();
    match baseline {
        Baseline::File(path) => Some(Baseline::File(join(path))),
        Baseline::Named(word) if base.join(word).is_file() => Some(Baseline::Named(join(word))),
        _ => None,
    }
}

/// The value of a text, which is an object.
///
/// # Errors
/// Text that is not JSON or not an object, and duplicate keys.
pub(super) fn parse_json(text: &str) -> Result<Value<'_>, FigureFault> {
    let mut tokens = Tokenizer::new(text, false);
    let other = |at: usize, what: String| Err(FigureFault::new(at, FaultKind::Other(what)));
    match tokens.peek() {
        Some(b'{') => {}
        Some(_) => {
            let found = text[tokens.at()..].chars().next().unwrap_or_default();
            let what = format!("expected '{{': a figure is an object of keys, found {found:?}");
            return other(tokens.at(), what);
        }
        None => return other(tokens.at(), "empty: expected an object of keys".to_owned()),
    }
    let parsed = value(&mut tokens).and_then(|v| tokens.end().map(|()| v));
    parsed.or_else(|fault| other(fault.at, fault.what))
}

fn value<'a>(tokens: &mut Tokenizer<'a>) -> Result<Value<'a>, json::JsonFault> {
    let first = tokens.peek();
    let at = tokens.at();
    let kind = match first {
        Some(b'{') => {
            let (mut keys, mut names) = (Vec::new(), HashSet::new());
            tokens.object(&mut |tokens, name: Cow<'a, str>, at| {
                if !names.insert(name.clone()) {
                    return Err(json::JsonFault::new(at, format!("duplicate key '{}'", short(&name))));
                }
                keys.push((Key { at, name }, value(tokens)?));
                Ok(())
            })?;
            Kind::Table(keys)
        }
        Some(b'[') => {
            let mut items = Vec::new();
            tokens.list(&mut |tokens| {
                items.push(value(tokens)?);
                Ok(())
            })?;
            Kind::List(items)
        }
        _ => match tokens.scalar()? {
            Scalar::Null => Kind::Null,
            Scalar::Bool(b) => Kind::Bool(b),
            Scalar::Text(t) => Kind::Text(t),
            Scalar::Integer(t) => Kind::Number(integer(t)),
            Scalar::Float(t) => Kind::Number(Number::F64(float(t))),
            Scalar::NotFinite(v) => Kind::Number(Number::F64(v)),
        },
    };
    Ok(Value { at, kind })
}

/// An integer, exactly where 64 bits hold it.
fn integer(text: &str) -> Number {
    let exact = text.parse().map(Number::I64);
    let exact = exact.or_else(|_| text.parse().map(Number::U64));
    exact.unwrap_or_else(|_| Number::F64(float(text)))
}

fn float(text: &str) -> f64 {
    text.parse().unwrap_or(f64::INFINITY)
}

/// The table of a text. The parser refuses nesting of more than 80 levels.
///
/// # Errors
/// Text that is not TOML, and duplicate keys.
pub(super) fn parse_toml(text: &str) -> Result<Value<'_>, FigureFault> {
    let parsed = DeTable::parse(text).map_err(|e| {
        let span = e.span().unwrap_or(0..0);
        let kind = match text.get(span.clone()) {
            Some(key) if e.message() == "duplicate key" => FaultKind::DuplicateKey(key.to_owned()),
            _ => FaultKind::parser(e.message().trim_end_matches(", expected nothing")),
        };
        FigureFault::new(span.start, kind)
    })?;
    Ok(Value { at: 0, kind: table(parsed.get_ref()) })
}

fn table<'a>(keys: &DeTable<'a>) -> Kind<'a> {
    let one = |(key, value): (&toml::Spanned<std::borrow::Cow<'a, str>>, &toml::Spanned<DeValue<'a>>)| {
        let name = key.get_ref().clone();
        let at = key.span().start;
        let of = Value { at: value.span().start, kind: kind(value.get_ref()) };
        (Key { at, name }, of)
    };
    let mut keys: Vec<_> = keys.iter().map(one).collect();
    keys.sort_by_key(|(key, _)| key.at);
    Kind::Table(keys)
}

fn kind<'a>(value: &DeValue<'a>) -> Kind<'a> {
    match value {
        DeValue::String(t) => Kind::Text(t.clone()),
        DeValue::Boolean(b) => Kind::Bool(*b),
        DeValue::Integer(n) => {
            let unsigned = || u64::from_str_radix(n.as_str(), n.radix()).map(Number::U64);
            let integer = i64::from_str_radix(n.as_str(), n.radix()).map(Number::I64);
            let number = integer.or_else(|_| unsigned()).map(Kind::Number);
            number.unwrap_or(Kind::Other("an integer of more than 64 bits"))
        }
        DeValue::Float(v) => Kind::Number(Number::F64(v.as_str().parse().unwrap_or(f64::NAN))),
        DeValue::Datetime(_) => Kind::Other("a date or time"),
        DeValue::Array(items) => {
            let one = |v: &toml::Spanned<DeValue<'a>>| Value { at: v.span().start, kind: kind(v.get_ref()) };
            Kind::List(items.iter().map(one).collect())
        }
        DeValue::Table(keys) => table(keys),
    }
}

/// The most strips of a figure: each takes room beside all bodies.
const MOST_STRIPS: usize = 100;

/// Whether the numbers of a figure are in their ranges.
///
/// # Errors
/// The dotted key (`size.dpi`) and what is wrong with its value.
pub(super) fn check_numbers(figure: &Figure) -> Result<(), (String, String)> {
    let wrong = |key: &str, what: String| Err((key.to_owned(), what));
    if figure.columns == Some(0) {
        return wrong("columns", "columns must be 1 or more".to_owned());
    }
    if let Some(n) = figure.strip.as_ref().map(|strips| strips.0.len()).filter(|n| *n > MOST_STRIPS) {
        return wrong("strip", format!("{n} strips; a figure has at most {MOST_STRIPS}"));
    }
    for (key, axis) in [("x.rotate", &figure.x), ("y.rotate", &figure.y)] {
        if let Some(r) = axis.rotate.filter(|r| ![0, 45, 90].contains(r)) {
            return wrong(key, format!("labels turn by 0, 45 or 90 degrees, not {r}"));
        }
    }
    // A canvas without pixels is a matter of size, as one of too many is.
    if let Some(size) = figure.size.font_size.as_ref().filter(|l| l.is_zero()) {
        return wrong("size.font_size", format!("'{size}' leaves nothing to draw"));
    }
    if let Some(dpi) = figure.size.dpi.filter(|d| !(d.is_finite() && *d > 0.0)) {
        return wrong("size.dpi", format!("dpi is a number above 0, not {dpi}"));
    }
    let c = &figure.color;
    let lone = [
        ("color.vmin", c.vmin),
        ("color.vmax", c.vmax),
        ("color.center", c.center),
        ("color.hide_below", c.hide_below),
        ("color.hide_above", c.hide_above),
        ("data.nodata", figure.data.nodata),
    ];
    let mut given: Vec<(String, Option<f64>)> = lone.map(|(k, v)| (k.to_owned(), v)).into();
    for (name, p) in &figure.panels {
        given.extend(
            [
                ("vmin", p.vmin),
                ("vmax", p.vmax),
                ("center", p.center),
                ("hide_below", p.hide_below),
                ("hide_above", p.hide_above),
            ]
            .map(|(k, v)| (format!("panels.{name}.{k}"), v)),
        );
    }
    match given.into_iter().find(|(_, v)| v.is_some_and(|v| !v.is_finite())) {
        Some((key, Some(v))) => wrong(&key, format!("{v} is not finite")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod parse_toml_tests {
    use super::*;
    use crate::position::Place;

    /// Keys and values without their places, in the order of the keys.
    fn bare(value: &Value) -> String {
        match &value.kind {
            Kind::List(items) => format!("[{}]", items.iter().map(bare).collect::<Vec<_>>().join(",")),
            Kind::Table(keys) => {
                let mut keys: Vec<String> =
                    keys.iter().map(|(k, v)| format!("{}={}", k.name, bare(v))).collect();
                keys.sort();
                format!("{{{}}}", keys.join(","))
            }
            kind => format!("{kind:?}"),
        }
    }

    #[test]
    fn both_formats_give_the_same_values() {
        let json = "{\"x\": {\"domain\": [\"a,]\", 1, 0.5], \"label\":\"t\"}, \"panels\": {\"a.b\": {\"vmin\": 1}}, \"columns\": 2 }";
        let toml = "columns = 2\n[panels.\"a.b\"]\nvmin = 1\n[x]\ndomain = ['a,]', 1, 0.5]\nlabel='t'\n";
        let (j, t) = (parse_json(json).unwrap(), parse_toml(toml).unwrap());
        assert_eq!(bare(&j), bare(&t));
        assert_eq!(place(toml, t.locate("panels.a.b.vmin")), Place::line_column(3, 8));
        assert_eq!(place(json, j.locate("panels.a.b.vmin")), Place::line_column(1, 76));
        assert_eq!(place(json, j.locate("columns")), Place::line_column(1, 92));
        assert_eq!(place(json, j.locate("x.kind")), Place::line_column(1, 7));
    }

    #[test]
    fn numbers_are_what_they_say() {
        let text = "a = 0x10\nb = 1_000\nc = -1.5e2\nd = -inf\ne = +nan\nf = 2024-01-01\n";
        let Kind::Table(keys) = parse_toml(text).unwrap().kind else { panic!("a text is a table") };
        let of = |name: &str| keys.iter().find(|k| k.0.name == name).unwrap().1.kind.clone();
        assert_eq!(of("a"), Kind::Number(Number::I64(16)));
        assert_eq!(of("b"), Kind::Number(Number::I64(1000)));
        assert_eq!(of("c"), Kind::Number(Number::F64(-150.0)));
        assert_eq!(of("d"), Kind::Number(Number::F64(f64::NEG_INFINITY)));
        assert!(matches!(of("e"), Kind::Number(Number::F64(v)) if v.is_nan()));
        assert_eq!(of("f"), Kind::Other("a date or time"));
    }

    fn key(edit: impl Fn(&mut Figure)) -> Option<String> {
        let mut f = Figure::default();
        edit(&mut f);
        check_numbers(&f).err().map(|e| format!("{}: {}", e.0, e.1))
    }

    #[test]
    fn wrong_numbers_are_named_by_their_key() {
        assert_eq!(key(|_| {}), None);
        assert!(key(|f| f.size.font_size = Some("0".parse().unwrap())).unwrap().contains("nothing to draw"));
        assert!(key(|f| f.x.rotate = Some(30)).unwrap().starts_with("x.rotate"));
        assert!(key(|f| f.columns = Some(0)).is_some());
        assert!(key(|f| f.size.dpi = Some(-1.0)).is_some() && key(|f| f.size.dpi = Some(f64::NAN)).is_some());
        assert!(key(|f| f.data.nodata = Some(f64::INFINITY)).unwrap().starts_with("data.nodata"));
        let panel = PanelSpec { vmin: Some(f64::NAN), ..Default::default() };
        assert!(
            key(|f| drop(f.panels.insert("A.B".into(), panel.clone())))
                .unwrap()
                .starts_with("panels.A.B.vmin")
        );
    }
}

#[cfg(test)]
mod tests;

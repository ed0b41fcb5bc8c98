//! Figure files in TOML.

use super::fault::{Fault, FaultKind};
use super::value::{Key, Kind, Value};
use gridscope_core::grid::Number;
use toml::de::{DeTable, DeValue};

/// The table of a text. The parser refuses nesting of more than 80 levels.
///
/// # Errors
/// Text that is not TOML, and duplicate keys.
pub(super) fn parse_toml(text: &str) -> Result<Value<'_>, Fault> {
    let parsed = DeTable::parse(text).map_err(|e| {
        let span = e.span().unwrap_or(0..0);
        let kind = match text.get(span.clone()) {
            Some(key) if e.message() == "duplicate key" => FaultKind::DuplicateKey(key.to_owned()),
            _ => FaultKind::parser(e.message().trim_end_matches(", expected nothing")),
        };
        Fault::new(span.start, kind)
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

#[cfg(test)]
mod tests {
    use super::super::parse_json::parse_json;
    use super::*;
    use crate::place::Place;
    use crate::position::place;

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
}

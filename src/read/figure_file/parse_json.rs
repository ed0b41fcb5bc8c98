//! Figure files in JSON.

use super::fault::{Fault, FaultKind, short};
use super::value::{Key, Kind, Value};
use crate::format::json::{self, Scalar, Tokenizer};
use gridscope_core::grid::Number;
use std::borrow::Cow;
use std::collections::HashSet;

/// The value of a text, which is an object.
///
/// # Errors
/// Text that is not JSON or not an object, and duplicate keys.
pub(super) fn parse_json(text: &str) -> Result<Value<'_>, Fault> {
    let mut tokens = Tokenizer::new(text, false);
    let other = |at: usize, what: String| Err(Fault::new(at, FaultKind::Other(what)));
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

fn value<'a>(tokens: &mut Tokenizer<'a>) -> Result<Value<'a>, json::Fault> {
    let first = tokens.peek();
    let at = tokens.at();
    let kind = match first {
        Some(b'{') => {
            let (mut keys, mut names) = (Vec::new(), HashSet::new());
            tokens.object(&mut |tokens, name: Cow<'a, str>, at| {
                if !names.insert(name.clone()) {
                    return Err(json::Fault::new(at, format!("duplicate key '{}'", short(&name))));
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

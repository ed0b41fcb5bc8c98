//! Values of a figure file to the types of a figure; faults get their places and the keys around them.

use super::fault::{FaultKind, FigureFault, Key, Kind, Value};
use gridscope_core::grid::Number;
use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Unexpected, Visitor};
use std::cell::Cell;

/// Deserializes a value, whose numbers must be finite and whose tables must be tables.
pub(super) struct FromValue<'v>(pub &'v Value<'v>);

impl FromValue<'_> {
    fn table<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FigureFault> {
        let Kind::Table(keys) = &self.0.kind else {
            return Err(FaultKind::NotTable(self.0.kind.words()).into());
        };
        let last = Cell::new(self.0.at);
        let read = visitor.visit_map(TableKeys { left: keys.iter(), value: None, last: &last });
        read.map_err(|mut fault| {
            if matches!(fault.kind, FaultKind::DuplicateKey(_)) {
                fault.at.get_or_insert(last.get());
            }
            fault
        })
    }
}

impl<'de> Deserializer<'de> for FromValue<'_> {
    type Error = FigureFault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FigureFault> {
        match &self.0.kind {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool(b) => visitor.visit_bool(*b),
            Kind::Number(Number::I64(v)) => visitor.visit_i64(*v),
            Kind::Number(Number::U64(v)) => visitor.visit_u64(*v),
            Kind::Number(Number::F64(v)) if v.is_finite() => visitor.visit_f64(*v),
            Kind::Number(Number::F64(_)) => Err(FaultKind::NotFinite.into()),
            Kind::Text(t) => visitor.visit_str(t),
            Kind::List(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(FromValue))),
            Kind::Table(_) => self.table(visitor),
            Kind::Other(words) => Err(FigureFault::invalid_type(Unexpected::Other(words), &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FigureFault> {
        match self.0.kind {
            Kind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, FigureFault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FigureFault> {
        match &self.0.kind {
            Kind::Text(t) => visitor.visit_enum(word(t)),
            other => {
                let what = format!("{} is none of {}", other.words(), words.join(", "));
                Err(FaultKind::Other(what).into())
            }
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FigureFault> {
        self.table(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FigureFault> {
        self.table(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct identifier ignored_any
    }
}

impl IntoDeserializer<'_, FigureFault> for FromValue<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

fn word(text: &str) -> StrDeserializer<'_, FigureFault> {
    text.into_deserializer()
}

/// The keys of a table that are still to be read.
struct TableKeys<'v> {
    left: std::slice::Iter<'v, (Key<'v>, Value<'v>)>,
    /// The key that was read last, and its value, which comes next.
    value: Option<&'v (Key<'v>, Value<'v>)>,
    /// The place of that key.
    last: &'v Cell<usize>,
}

impl<'de> MapAccess<'de> for TableKeys<'_> {
    type Error = FigureFault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, FigureFault> {
        self.value = self.left.next();
        let Some((key, _)) = self.value else {
            return Ok(None);
        };
        self.last.set(key.at);
        let read = seed.deserialize(word(&key.name));
        read.map(Some).map_err(|mut fault| {
            fault.at.get_or_insert(key.at);
            fault
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, FigureFault> {
        let Some((key, value)) = self.value.take() else {
            return Err(FigureFault::custom("a value before its key"));
        };
        seed.deserialize(FromValue(value)).map_err(|mut fault| {
            fault.at.get_or_insert(value.at);
            fault.path.push(key.name.clone().into_owned());
            fault
        })
    }
}

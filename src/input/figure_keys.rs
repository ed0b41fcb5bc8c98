//! Keys of figure files, by the schema that the types of a [`Figure`] give.

use crate::figure::Figure;
use serde_json::Value;
use std::sync::LazyLock;

/// The keys at the top whose values are tables.
pub(super) const TABLES: [&str; 11] = [
    "data",
    "x",
    "y",
    "view",
    "color",
    "panels",
    "annotations",
    "reduce",
    "size",
    "strip",
    "lints",
];

static SCHEMA: LazyLock<Value> = LazyLock::new(|| schemars::schema_for!(Figure).to_value());

/// The JSON Schema of a figure file.
///
/// # Panics
/// Never: a schema is plain JSON.
pub fn figure_schema() -> String {
    serde_json::to_string_pretty(&schemars::schema_for!(Figure)).expect("a schema is plain JSON")
}

/// Whether a figure has a key of that name at its top.
pub(super) fn is_figure_key(word: &str) -> bool {
    has_key(&SCHEMA, word)
}

fn has_key(schema: &Value, word: &str) -> bool {
    let keys = schema.get("properties").and_then(Value::as_object);
    keys.is_some_and(|k| k.contains_key(word))
}

/// `; it belongs in [color]` for a key that another table has; else nothing.
pub(super) fn elsewhere(word: &str) -> String {
    if is_figure_key(word) {
        return "; it belongs at the top, before any table".to_owned();
    }
    let table = TABLES.iter().find(|t| {
        let property = &SCHEMA["properties"][**t];
        let reference = property["$ref"]
            .as_str()
            .or_else(|| property["anyOf"][0]["$ref"].as_str());
        reference
            .and_then(|r| SCHEMA.pointer(&r[1..]))
            .is_some_and(|table| has_key(table, word))
    });
    table
        .map(|t| format!("; it belongs in [{t}]"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_names_every_table() {
        let schema: Value = serde_json::from_str(&figure_schema()).unwrap();
        assert!(TABLES.iter().all(|t| schema["properties"].get(t).is_some()));
    }

    #[test]
    fn keys_are_found_in_their_table() {
        assert!(is_figure_key("title") && !is_figure_key("vmax"));
        assert_eq!(elsewhere("vmax"), "; it belongs in [color]");
        assert_eq!(elsewhere("title"), "; it belongs at the top, before any table");
        assert_eq!(elsewhere("column"), "; it belongs in [x]");
        assert_eq!(elsewhere("qqq"), "");
    }
}

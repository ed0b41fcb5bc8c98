//! Keys of figure files, by the schema that the types of a [`Figure`] give.

use gridscope_core::figure::{Figure, Word};
use gridscope_core::text::{did_you_mean, nearest};
use serde_json::Value;
use std::sync::LazyLock;

/// The keys at the top whose values are tables.
pub(super) const TABLES: [&str; 12] = [
    "data",
    "x",
    "y",
    "view",
    "cluster",
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

/// Hint for a key that its table, which has the keys `known`, does not have: `; did you mean 'cmap'?`, `; here that is
/// 'show' in [annotations]`, `; it belongs in [color]`; else nothing.
pub(super) fn meant(word: &str, known: &[&str]) -> String {
    let is_other = |w: &&&Word| !w.leaf().eq_ignore_ascii_case(word);
    match Word::named(word).as_ref().filter(is_other) {
        Some(w) if known.contains(&w.leaf()) => return did_you_mean(Some(w.leaf())),
        Some(w) => return format!("; here that is {}", w.place()),
        None => {}
    }
    // A key of another table is none of this one that is misspelt.
    let other = elsewhere(word);
    if other.is_empty() { did_you_mean(nearest(word, known.iter().copied())) } else { other }
}

/// `; it belongs in [color]` for a key that another table has; else nothing.
fn elsewhere(word: &str) -> String {
    if is_figure_key(word) {
        return "; it belongs at the top, before any table".to_owned();
    }
    let has = |t: &&&str| table(&SCHEMA["properties"][**t]).is_some_and(|table| has_key(table, word));
    let tables: Vec<String> = TABLES.iter().filter(has).map(|t| format!("[{t}]")).collect();
    match tables.split_last() {
        None => String::new(),
        Some((one, [])) => format!("; it belongs in {one}"),
        Some((last, rest)) => format!("; it belongs in {} or {last}", rest.join(", ")),
    }
}

/// Name of the definition that a schema refers to, if any.
fn table(schema: &Value) -> Option<&Value> {
    let reference = schema["$ref"].as_str().or_else(|| schema["anyOf"][0]["$ref"].as_str());
    SCHEMA.pointer(&reference?[1..])
}

/// The types of values that a key takes, in the words of JSON Schema: `string`, `number`, `boolean`, `array`, `object`. None for a key
/// that figures do not have.
pub(super) fn types_of(path: &[String]) -> Vec<&'static str> {
    let mut at: &Value = &SCHEMA;
    for key in path {
        let within = table(at).unwrap_or(at);
        // Of several forms, that of a table.
        let forms = within["anyOf"].as_array().into_iter().flatten();
        let within = forms
            .map(|form| table(form).unwrap_or(form))
            .find(|form| form["type"] == "object")
            .unwrap_or(within);
        at = match (&within["properties"][key], &within["additionalProperties"]) {
            (Value::Null, Value::Object(_)) => &within["additionalProperties"],
            (found, _) => found,
        };
    }
    let mut out = Vec::new();
    collect(at, &mut out);
    out
}

/// Whether the value of a key is a number and nothing else.
pub fn is_number(word: &Word) -> bool {
    let types = types_of(&word.path());
    types.contains(&"number") && !types.contains(&"string")
}

fn collect(schema: &'static Value, out: &mut Vec<&'static str>) {
    match &schema["type"] {
        Value::String(one) => out.push(one),
        Value::Array(several) => out.extend(several.iter().filter_map(Value::as_str)),
        _ => {}
    }
    for words in ["enum", "const"] {
        if !schema[words].is_null() {
            out.push("string");
        }
    }
    if let Some(definition) = schema["$ref"].as_str().and_then(|r| SCHEMA.pointer(&r[1..])) {
        collect(definition, out);
    }
    for any in ["anyOf", "oneOf"] {
        schema[any].as_array().into_iter().flatten().for_each(|s| collect(s, out));
    }
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
    fn words_of_others_name_the_key() {
        for (word, known, wanted) in [
            ("annot", &["annotations", "title"][..], "; here that is 'show' in [annotations]"),
            ("colormap", &["cmap", "vmin"], "; did you mean 'cmap'?"),
            ("xticks", &["title"], "; here that is 'ticks' in [x]"),
            ("z", &["x", "y"], "; here that is 'value' in [data]"),
            ("vmax", &["title"], "; it belongs in [color]"),
            ("norm", &["note", "notes"], "; it belongs in [color]"),
            ("colums", &["columns"], "; did you mean 'columns'?"),
        ] {
            assert_eq!(meant(word, known), wanted, "{word}");
        }
    }

    #[test]
    fn every_key_has_a_row_among_the_words() {
        let mut keys = Vec::new();
        for (name, schema) in SCHEMA["properties"].as_object().unwrap() {
            match table(schema).and_then(|t| t["properties"].as_object()) {
                Some(inner) => keys.extend(inner.keys().map(|k| format!("{name}.{k}"))),
                None if name != "panels" && name != "panel" => keys.push(name.clone()),
                None => {}
            }
        }
        let mut words: Vec<String> = Word::all().map(|w| w.key.to_owned()).collect();
        keys.sort();
        words.sort();
        assert_eq!(words, keys, "src/core/figure/vocabulary.rs has a row for each key of a figure");
    }

    #[test]
    fn every_key_of_a_panel_is_that_of_a_word() {
        let keys = SCHEMA["$defs"]["PanelSpec"]["properties"].as_object().unwrap();
        let of_words: Vec<&str> = Word::all().filter_map(Word::panel_key).collect();
        for key in keys.keys().filter(|key| *key != "title") {
            assert_eq!(of_words.iter().filter(|of| *of == key).count(), 1, "{key}");
        }
    }

    #[test]
    fn keys_have_types() {
        let types = |key: &str| types_of(&key.split('.').map(str::to_owned).collect::<Vec<_>>());
        assert!(types("color.vmin").contains(&"number") && !types("color.vmin").contains(&"string"));
        assert!(types("panels.A.cmap").contains(&"string") && types("panels.A.robust").contains(&"boolean"));
        assert!(types("x.labels.old").contains(&"string") && types("x.labels").contains(&"object"));
        assert!(types("data.x").contains(&"array") && types("lints.deny").contains(&"array"));
        assert!(types("columns").contains(&"integer") && types("strip.axis").contains(&"string"));
        assert!(types("nothing.at.all").is_empty());
    }

    #[test]
    fn keys_are_found_in_their_table() {
        assert!(is_figure_key("title") && !is_figure_key("vmax"));
        assert_eq!(elsewhere("vmax"), "; it belongs in [color]");
        assert_eq!(elsewhere("title"), "; it belongs at the top, before any table");
        assert_eq!(elsewhere("column"), "; it belongs in [x], [y] or [strip]");
        assert_eq!(elsewhere("qqq"), "");
    }
}

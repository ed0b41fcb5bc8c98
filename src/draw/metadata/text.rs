//! A figure as the text of a figure file that draws it again.

use super::MetadataError;
use gridscope_core::figure::Figure;
use gridscope_core::text::steers;
use serde_json::{Map, Value};

/// A mark that TOML always escapes, before the four digits of a character that it would not.
const MARK: char = '\u{1}';

/// The figure as an object, without keys that say nothing.
pub fn pruned(figure: &Figure) -> Value {
    // Figures are words, numbers and tables, all of which JSON has.
    let value = serde_json::to_value(figure).unwrap_or_default();
    given(value).unwrap_or_else(|| Value::Object(Map::new()))
}

fn given(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Object(map) => {
            let map: Map<_, _> = map.into_iter().filter_map(|(k, v)| Some((k, given(v)?))).collect();
            (!map.is_empty()).then_some(Value::Object(map))
        }
        Value::Array(list) if list.is_empty() => None,
        Value::Array(list) => Some(list.into_iter().map(item).collect()),
        other => Some(other),
    }
}

/// An item of a list, which keeps its place whatever it says.
fn item(value: Value) -> Value {
    match value {
        Value::Object(_) => given(value).unwrap_or_else(|| Value::Object(Map::new())),
        other => other,
    }
}

/// The figure as TOML.
///
/// # Errors
/// As [`toml_text`].
pub fn figure_toml(figure: &Figure) -> Result<String, MetadataError> {
    toml_text(&pruned(figure))
}

/// An object as TOML, in which no text commands a terminal: such characters are escaped.
///
/// # Errors
/// A value that TOML cannot hold.
pub fn toml_text(value: &Value) -> Result<String, MetadataError> {
    let wrong = |e: toml::ser::Error| MetadataError::NotToml(e.to_string());
    let text = toml::to_string(value).map_err(wrong)?;
    if !text.contains(|c| steers(c) && c != '\n') {
        return Ok(text);
    }
    // Texts in single quotes know no escapes, so what must be escaped has to stand in before TOML chooses the quotes.
    let text = toml::to_string(&marked(value)).map_err(wrong)?;
    Ok(text.replace("\\u0001", "\\u"))
}

/// The value with a mark and four digits in place of characters that steer, and of all that could be taken for a mark.
fn marked(value: &Value) -> Value {
    let text = |t: &str| {
        let mut out = String::new();
        for c in t.chars() {
            if c == '\\' || steers(c) && c != '\n' {
                out.push_str(&format!("{MARK}{:04X}", c as u32));
            } else {
                out.push(c);
            }
        }
        out
    };
    match value {
        Value::String(t) => Value::String(text(t)),
        Value::Array(list) => list.iter().map(marked).collect(),
        Value::Object(map) => map.iter().map(|(k, v)| (text(k), marked(v))).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::{Strip, Strips};
    use serde_json::json;

    fn back(value: &Value) -> String {
        let text = toml_text(value).unwrap();
        assert_eq!(toml::from_str::<Value>(&text).unwrap(), *value, "{text}");
        assert!(!text.contains(|c| steers(c) && c != '\n'), "{text:?}");
        text
    }

    #[test]
    fn no_text_commands_a_terminal() {
        assert_eq!(back(&json!({"title": "a\u{1b}[31m"})), "title = \"a\\u001B[31m\"\n");
        // The C1 control sequence introducer, and an override in single quotes.
        assert_eq!(back(&json!({"title": "a\u{9b}31m"})), "title = \"a\\u009B31m\"\n");
        back(&json!({"note": "say \"\u{202e}no\"", "x": {"label": "C:\\u0001\\n"}}));
        back(
            &json!({"note": "\u{1}0001\\u0001\u{1}\u{7f}\u{2028}\n\r\n\t'''\"\"\"", "panels": {"a\u{2066}.\\\"b": {"title": "t"}}}),
        );
        back(&json!({"a": ["\u{85}", "\u{0}", "ä"], "b": {"\n\u{9c}": 1}}));
    }

    #[test]
    fn plain_texts_stay_as_they_were_written() {
        assert_eq!(back(&json!({"title": "C:\\u0001 \"ä\""})), "title = 'C:\\u0001 \"ä\"'\n");
        assert_eq!(back(&json!({"title": "two\nlines"})), "title = \"\"\"\ntwo\nlines\"\"\"\n");
    }

    #[test]
    fn tables_in_lists_leave_out_what_they_do_not_say() {
        let strip = |column: &str| Strip { column: column.to_owned(), ..Strip::default() };
        let figure = Figure { strip: Some(Strips(vec![strip("a"), strip("b")])), ..Figure::default() };
        let text = figure_toml(&figure).unwrap();
        assert_eq!(toml::from_str::<Figure>(&text).unwrap(), figure, "{text}");
    }

    #[test]
    fn what_toml_has_no_word_for_is_an_error() {
        assert!(toml_text(&json!({"a": [null]})).is_err());
        assert!(toml_text(&json!(3)).is_err());
    }

    #[test]
    fn a_figure_that_says_nothing_is_empty() {
        assert_eq!(
            (pruned(&Figure::default()), figure_toml(&Figure::default())),
            (json!({}), Ok(String::new()))
        );
    }
}

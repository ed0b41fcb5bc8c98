//! Single keys over a figure, as flags and `--set KEY=VALUE` give them: read and checked as in a figure file.

use super::deserializer::FromValue;
use super::fault::{FaultKind, Key, Kind, Value};
use super::read::{check_numbers, parse_toml};
use crate::error::InputError;
use crate::figure_keys::types_of;
use gridscope_core::figure::{Figure, Form, List, Word};
use gridscope_core::grid::Number;
use gridscope_core::text::with_breaks;
use serde::Deserialize;
use std::borrow::Cow;

/// The figure with these keys set, one after the other: `color.cmap=Purples_r`, `panels."a.b".vmin=0`.
///
/// # Errors
/// The first setting that is not `KEY=VALUE`, or whose key or value a figure file would not have.
pub fn assign(figure: &Figure, settings: &[String]) -> Result<Figure, InputError> {
    if settings.is_empty() {
        return Ok(figure.clone());
    }
    let wrong = |setting: &str, what: String| InputError::usage(&format!("--set {setting}"), what);
    let mut all = tree(figure);
    let mut paths = Vec::with_capacity(settings.len());
    for setting in settings {
        let (path, text) = split(setting).map_err(|what| wrong(setting, what).with_hint(FORM))?;
        put(&mut all, &path, typed(&path, text)).map_err(|what| wrong(setting, what))?;
        paths.push((path, text));
    }
    let read = |all: &Value<'static>| {
        let figure = Figure::deserialize(FromValue(all));
        figure.map(|figure| (check_numbers(&figure), figure))
    };
    if let Ok((Ok(()), figure)) = read(&all) {
        return Ok(figure);
    }
    // The first setting that makes a fault is found by halves; none of those before it has any.
    let with = |count: usize| {
        let mut some = tree(figure);
        for (path, text) in &paths[..count] {
            // They went in before.
            _ = put(&mut some, path, typed(path, text));
        }
        read(&some)
    };
    // A later setting may give the key that is missing.
    let is_wrong = |count: &usize| match with(*count) {
        Ok((checked, _)) => checked.is_err(),
        Err(fault) => !matches!(fault.kind, FaultKind::MissingKey(_)),
    };
    let (mut below, mut above) = (0, settings.len());
    while above - below > 1 {
        let middle = below.midpoint(above);
        if is_wrong(&middle) { above = middle } else { below = middle }
    }
    let (setting, path) = (&settings[above - 1], &paths[above - 1].0);
    let e = match with(above) {
        Ok((Err((_, what)), _)) => return Err(wrong(setting, what)),
        Ok((Ok(()), figure)) => return Ok(figure),
        Err(fault) => wrong(setting, fault.to_string()),
    };
    let hint = format!("a name with dots is quoted: --set 'panels.\"{}\".cmap=viridis'", "a.b");
    Err(if path.len() > 3 && path[0] == "panels" { e.with_hint(hint) } else { e })
}

/// The figure with the keys of these flags set. Each flag has the texts of its uses, and holds for every panel: keys of the
/// panels' own tables give way.
///
/// # Errors
/// The key whose value a figure file would not have, and what is wrong with it.
pub fn assign_flags(figure: &Figure, flags: &[(&Word, Vec<String>)]) -> Result<Figure, (String, String)> {
    if flags.is_empty() {
        return Ok(figure.clone());
    }
    let mut all = tree(figure);
    for (word, texts) in flags {
        if let Some(key) = word.panel_key() {
            clear_in_panels(&mut all, key);
        }
        let value = of_flag(word, texts);
        put(&mut all, &word.path(), value).map_err(|what| (word.key.to_owned(), what))?;
    }
    Figure::deserialize(FromValue(&all)).map_err(|fault| {
        let keys: Vec<&str> = fault.path.iter().rev().map(String::as_str).collect();
        (keys.join("."), fault.of_flag())
    })
}

/// The value of a flag's texts: none of them is TOML.
fn of_flag(word: &Word, texts: &[String]) -> Value<'static> {
    let types = types_of(&word.path());
    match word.form {
        Form::One => of_type(&types, &texts.join(" ")),
        Form::Lines => plain(Kind::Text(Cow::Owned(with_breaks(&texts.join(" "))))),
        Form::List => list_of_type(&types, &texts.join(",")),
        Form::Repeated => list(texts.to_vec()),
    }
}

/// Removes a key from the tables of all panels.
fn clear_in_panels(all: &mut Value<'_>, key: &str) {
    let Kind::Table(tables) = &mut all.kind else {
        return;
    };
    let panels = tables.iter_mut().find(|(table, _)| table.name == "panels");
    if let Some(Kind::Table(panels)) = panels.map(|(_, panels)| &mut panels.kind) {
        for (_, panel) in panels {
            if let Kind::Table(own) = &mut panel.kind {
                own.retain(|(k, _)| k.name != key);
            }
        }
    }
}

const FORM: &str = "--set color.vmin=0, --set 'x.labels.old=new', --set 'panels.\"a.b\".cmap=viridis'";

/// The keys and the text of `KEY=VALUE`. Names in quotes may have dots and `=`.
fn split(setting: &str) -> Result<(Vec<String>, &str), String> {
    let mut path = vec![String::new()];
    let mut quote = None;
    let mut was_quoted = false;
    for (at, c) in setting.char_indices() {
        let last = path.len() - 1;
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => path[last].push(c),
            (None, '"' | '\'') if path[last].trim().is_empty() && !was_quoted => {
                path[last].clear();
                (quote, was_quoted) = (Some(c), true);
            }
            (None, '.' | '=') => {
                if !was_quoted {
                    let bare = path[last].trim().to_owned();
                    path[last] = bare;
                    if path[last].is_empty() {
                        return Err("a key is empty".to_owned());
                    }
                }
                was_quoted = false;
                if c == '=' {
                    return Ok((path, setting[at + 1..].trim()));
                }
                path.push(String::new());
            }
            (None, c) if was_quoted && !c.is_whitespace() => {
                return Err(format!("'{c}' after a quoted name"));
            }
            (None, _) if was_quoted => {}
            (None, c) => path[last].push(c),
        }
    }
    Err(match quote {
        Some(quote) => format!("no closing {quote}"),
        None => "no '='".to_owned(),
    })
}

/// The value of a text, of a type that its key takes.
fn typed(path: &[String], text: &str) -> Value<'static> {
    let types = types_of(path);
    let takes = |word: &str| types.contains(&word);
    let opens = |begin: char, end: char| text.starts_with(begin) && text.ends_with(end) && text.len() > 1;
    let is_toml = opens('"', '"')
        || opens('\'', '\'')
        || (opens('[', ']') && takes("array"))
        || (opens('{', '}') && takes("object"));
    if let Some(value) = is_toml.then(|| toml_value(text)).flatten() {
        return value;
    }
    let key = path.join(".");
    if takes("array") && Word::all().any(|w| w.key == key && w.form == Form::List) {
        return list_of_type(&types, text);
    }
    of_type(&types, text)
}

/// The value of a text of one of these types.
fn of_type(types: &[&str], text: &str) -> Value<'static> {
    let takes = |word: &str| types.contains(&word);
    let real = || text.parse().map(Number::F64).ok();
    let whole = || {
        let signed = text.parse().map(Number::I64);
        signed.or_else(|_| text.parse().map(Number::U64)).ok()
    };
    let number = match () {
        () if takes("string") => None,
        () if takes("integer") => whole().or_else(real),
        () if takes("number") => real(),
        () => None,
    };
    plain(match (number, text) {
        (Some(number), _) => Kind::Number(number),
        (None, "true" | "false") if takes("boolean") && !takes("string") => Kind::Bool(text == "true"),
        _ => Kind::Text(Cow::Owned(text.to_owned())),
    })
}

/// The items between the commas of a text; the text itself where it is the only item and no list is needed.
fn list_of_type(types: &[&str], text: &str) -> Value<'static> {
    let List(items) = List::from_flag(text);
    if items == [text] && types.contains(&"string") {
        return of_type(types, text);
    }
    list(items)
}

fn list(items: Vec<String>) -> Value<'static> {
    let items = items.into_iter().map(|item| plain(Kind::Text(Cow::Owned(item))));
    plain(Kind::List(items.collect()))
}

/// A value as TOML writes it.
fn toml_value(text: &str) -> Option<Value<'static>> {
    let line = format!("value = {text}");
    let Kind::Table(mut keys) = parse_toml(&line).ok()?.kind else {
        return None;
    };
    (keys.len() == 1).then(|| owned(keys.remove(0).1))
}

fn owned(value: Value<'_>) -> Value<'static> {
    plain(match value.kind {
        Kind::Null => Kind::Null,
        Kind::Bool(b) => Kind::Bool(b),
        Kind::Number(n) => Kind::Number(n),
        Kind::Text(t) => Kind::Text(Cow::Owned(t.into_owned())),
        Kind::List(items) => Kind::List(items.into_iter().map(owned).collect()),
        Kind::Table(keys) => {
            Kind::Table(keys.into_iter().map(|(k, v)| (key(k.name.into_owned()), owned(v))).collect())
        }
        Kind::Other(words) => Kind::Other(words),
    })
}

fn plain(kind: Kind<'static>) -> Value<'static> {
    Value { at: 0, kind }
}

fn key(name: String) -> Key<'static> {
    Key { at: 0, name: Cow::Owned(name) }
}

/// The keys of a figure that say something.
fn tree(figure: &Figure) -> Value<'static> {
    let json = serde_json::to_value(figure).unwrap_or_default();
    value_of(json).unwrap_or(plain(Kind::Table(Vec::new())))
}

/// A value of JSON; none for `null`, which is a key that is not there.
fn value_of(json: serde_json::Value) -> Option<Value<'static>> {
    use serde_json::Value as Json;
    Some(plain(match json {
        Json::Null => return None,
        Json::Bool(b) => Kind::Bool(b),
        Json::Number(n) => Kind::Number(match (n.as_i64(), n.as_u64()) {
            (Some(v), _) => Number::I64(v),
            (None, Some(v)) => Number::U64(v),
            _ => Number::F64(n.as_f64().unwrap_or(f64::NAN)),
        }),
        Json::String(t) => Kind::Text(Cow::Owned(t)),
        Json::Array(items) => Kind::List(items.into_iter().filter_map(value_of).collect()),
        Json::Object(keys) => {
            Kind::Table(keys.into_iter().filter_map(|(k, v)| Some((key(k), value_of(v)?))).collect())
        }
    }))
}

/// Puts a value at the end of a path, whose tables are made as needed.
fn put(at: &mut Value<'static>, path: &[String], value: Value<'static>) -> Result<(), String> {
    let Some((first, rest)) = path.split_first() else {
        *at = value;
        return Ok(());
    };
    let words = at.kind.words();
    let Kind::Table(keys) = &mut at.kind else {
        return Err(format!("'{first}' is a key of {words}"));
    };
    let place = keys.iter().position(|(k, _)| k.name == first.as_str());
    let place = place.unwrap_or_else(|| {
        keys.push((key(first.clone()), plain(Kind::Table(Vec::new()))));
        keys.len() - 1
    });
    put(&mut keys[place].1, rest, value)
}

#[cfg(test)]
mod tests;

//! A figure that a program gives, in words that no user wrote: what is wrong is named by its key, not by a line.

use super::deserializer::FromValue;
use super::fault::{Fault, FaultKind, one_line};
use super::parse_json::parse_json;
use super::read::settle_panels;
use super::validate::check_numbers;
use crate::error::InputError;
use gridscope_core::figure::Figure;
use serde::Deserialize;

/// The figure of a JSON object with the keys of a figure file. Paths in it are valid from where the program runs.
///
/// ```
/// use gridscope_read::figure_of_json;
///
/// let figure = figure_of_json(r#"{"color": {"vmin": 0.5}}"#).unwrap();
/// assert_eq!(figure.color.vmin, Some(0.5));
/// let e = figure_of_json(r#"{"color": {"vmin": "low"}}"#).unwrap_err();
/// assert_eq!(e.place.part.as_deref(), Some("color.vmin"));
/// ```
///
/// # Errors
/// The first fault; its place is the key, as `color.vmin`. Text that is not JSON has none.
pub fn figure_of_json(text: &str) -> Result<Figure, InputError> {
    let value = parse_json(text).map_err(|fault| at_key(&fault))?;
    let mut figure = Figure::deserialize(FromValue(&value)).map_err(|fault| at_key(&fault))?;
    check_numbers(&figure).map_err(|(key, what)| refused(&key, what))?;
    settle_panels(&mut figure);
    Ok(figure)
}

/// The error of a fault: the keys around it are its place.
fn at_key(fault: &Fault) -> InputError {
    let mut keys: Vec<&str> = fault.path.iter().rev().map(String::as_str).collect();
    match &fault.kind {
        FaultKind::UnknownKey(word, _) | FaultKind::DuplicateKey(word) => keys.push(word),
        FaultKind::MissingKey(word) => keys.push(word),
        _ => {}
    }
    let what = match &fault.kind {
        FaultKind::Value(what) => one_line(what),
        _ => fault.to_string(),
    };
    refused(&keys.join("."), what)
}

fn refused(key: &str, what: String) -> InputError {
    let mut error = InputError::usage("", what);
    error.place.part = (!key.is_empty()).then(|| key.to_owned());
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_named_by_their_keys() {
        for (text, key, what) in [
            (r#"{"colour": {}}"#, "colour", "unknown key 'colour'; did you mean 'color'?"),
            (r#"{"color": {"vmn": 1}}"#, "color.vmn", "unknown key 'vmn'; did you mean 'vmin'?"),
            (r#"{"x": {"rotate": 30}}"#, "x.rotate", "labels turn by 0, 45 or 90 degrees, not 30"),
            (r#"{"size": {"width": "5q"}}"#, "size.width", ""),
            (r#"{"panels": {"a.b": {"vmin": "1"}}}"#, "panels.a.b.vmin", ""),
            (r#"{"theme": "dark blue"}"#, "theme", ""),
            (r#"{"theme": ["dark"]}"#, "theme", ""),
            (r#"{"data": 3}"#, "data", "'data' must be a table, not a number"),
            (r#"{"title": NaN}"#, "", ""),
            (r"[1]", "", ""),
        ] {
            let e = figure_of_json(text).unwrap_err();
            assert_eq!(e.place.part.as_deref().unwrap_or(""), key, "{text}: {e}");
            assert!(what.is_empty() || e.what == what, "{text}: {e}");
            assert!(e.file.is_empty() && !e.what.is_empty());
        }
        assert!(figure_of_json("{}").is_ok());
    }
}

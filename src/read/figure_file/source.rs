//! A figure from a file on disk, or from a program that gives it in words that no user wrote.

use super::deserializer::FromValue;
use super::fault::{FaultKind, FigureFault, one_line};
use super::read::{Format, check_numbers, parse_json, read_figure, resolve_paths, settle_panels};
use crate::budget::{OverBudget, usual_limit};
use crate::bytes::{read_file, read_first};
use crate::error::{ErrorKind, InputError};
use crate::format::json::is_data;
use gridscope_core::figure::Figure;
use serde::Deserialize;
use std::path::Path;

/// The longest figure file: they are written by hand. Read, a byte of one takes up to 200 in memory, so that it is also at most
/// this part of the memory limit, but never less than the third size.
const MOST_FIGURE_BYTES: u64 = 1 << 20;
const PART_OF_LIMIT: u64 = 256;
const LEAST_FIGURE_BYTES: u64 = 64 << 10;

/// Bytes that are looked at to see whether JSON is data or a figure.
const MOST_LOOKED_AT: u64 = 16 << 20;

/// Enough of a JSON file to see the bracket that it begins with.
const SOME_BYTES: u64 = 4 << 10;

/// A figure from a file, by its extension TOML or JSON; `None` when the name, or what JSON it is, says it is data.
///
/// # Errors
/// When it cannot be read, is not a figure, or is too long.
pub fn open_figure(path: &str) -> Result<Option<Figure>, InputError> {
    open_figure_within(path, usual_limit())
}

/// As [`open_figure`]; `limit` is the most memory that a run may take, of which a figure file may be a 256th part, or 64 KiB.
///
/// # Errors
/// As [`open_figure`].
pub fn open_figure_within(path: &str, limit: u64) -> Result<Option<Figure>, InputError> {
    let format =
        match Path::new(path).extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("toml") => Format::Toml,
            Some("json") => Format::Json,
            _ => return Ok(None),
        };
    if format == Format::Json && is_json_data(Path::new(path), limit)? {
        return Ok(None);
    }
    let most = MOST_FIGURE_BYTES.min(limit / PART_OF_LIMIT).max(LEAST_FIGURE_BYTES);
    let long = |mut e: InputError| {
        if e.kind == ErrorKind::Limit {
            e.what = format!("a figure file of over {} KiB", most >> 10);
            e.hint = (most < MOST_FIGURE_BYTES).then(|| OverBudget::HINT.to_owned());
        }
        e
    };
    let bytes = read_file(Path::new(path), most).map_err(long)?;
    let mut figure = read_figure(&bytes, path, format)?;
    if let Some(base) = Path::new(path).parent().filter(|b| !b.as_os_str().is_empty()) {
        resolve_paths(&mut figure, base);
    }
    Ok(Some(figure))
}

/// Whether a JSON file holds data; only a plain file can be looked at before it is read.
fn is_json_data(path: &Path, limit: u64) -> Result<bool, InputError> {
    // A character that the end cuts is inside a text, which ends there all the same.
    let begins = |most: u64| Ok(String::from_utf8_lossy(&read_first(path, most)?).into_owned());
    let is_list = |start: &str| {
        let start = start.trim_start_matches('\u{feff}').trim_start();
        start.starts_with('[')
    };
    let most = MOST_LOOKED_AT.min(limit / 8).max(LEAST_FIGURE_BYTES);
    Ok(is_list(&begins(SOME_BYTES)?) || is_data(&begins(most)?))
}

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
fn at_key(fault: &FigureFault) -> InputError {
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
    fn long_figures_are_refused_before_they_are_parsed() {
        let dir = tempfile::tempdir().unwrap();
        let of = |name: &str, text: &str, limit| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            open_figure_within(path.to_str().unwrap(), limit)
        };
        let domain = |n: usize| format!("[x]\ndomain = [{}1]\n", "1,".repeat(n));
        assert!(of("a.toml", &domain(10_000), 1 << 20).unwrap().is_some());
        let e = of("a.toml", &domain(40_000), 1 << 20).unwrap_err();
        assert_eq!((e.kind, e.what.as_str()), (ErrorKind::Limit, "a figure file of over 64 KiB"));
        assert!(
            e.hint.unwrap().contains("--max-memory")
                && of("a.toml", &domain(40_000), 1 << 30).unwrap().is_some()
        );
        let e = of("a.toml", &domain(600_000), u64::MAX).unwrap_err();
        assert_eq!((e.what.as_str(), e.hint), ("a figure file of over 1024 KiB", None));
        let labels = |n: usize| (0..n).map(|i| format!("\"{i}\": \"\"")).collect::<Vec<_>>().join(", ");
        assert!(
            of("a.json", &format!("{{\"x\": {{\"labels\": {{{}}}}}}}", labels(20_000)), 1 << 20)
                .unwrap_err()
                .what
                .contains("64 KiB")
        );
    }

    #[test]
    fn data_are_recognised_wherever_the_look_ends() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        for n in 0..4 {
            // The look of 64 KiB ends within an é.
            let rows = format!(
                "{{\"{}k\":{{\"0\":1,\"1\":2}},\"b\":{{\"0\":\"{}\",\"1\":2}}}}",
                "x".repeat(n),
                "é".repeat(50_000)
            );
            std::fs::write(&path, rows).unwrap();
            assert!(open_figure_within(path.to_str().unwrap(), 1 << 16).unwrap().is_none());
        }
    }

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

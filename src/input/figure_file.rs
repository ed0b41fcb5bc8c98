//! Figure files: TOML or JSON text to a [`Figure`], every fault with its line and column.

use super::InputError;
use super::array::range;
pub use super::figure_place::Format;
use super::figure_place::{Entry, json_entries, locate, place, toml_entries, too_deep};
use super::figure_words::{check_words, short};
use crate::figure::Figure;
use crate::text::{did_you_mean, nearest};
use std::path::Path;
use std::sync::LazyLock;
use toml::de::DeTable;

/// The keys whose values are tables; serde would take a list for one in silence.
const TABLES: [&str; 11] = [
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

/// Reads a figure; paths in it stay as written ([`resolve_paths`] is for those).
///
/// # Errors
/// The first fault, with its line and column: text that is no TOML or JSON, keys unknown or twice, wrong types and words.
pub fn read_figure(bytes: &[u8], file: &str, format: Format) -> Result<Figure, InputError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let what = format!(
            "not UTF-8 at byte {at}{}",
            if utf16 { ", this is UTF-16" } else { "" }
        );
        InputError::refused(file, place(&String::from_utf8_lossy(&bytes[..at]), at), what)
    })?;
    let refuse = |at: usize, what: String| InputError::refused(file, place(text, at), what);
    if let Some(at) = too_deep(text, format) {
        return Err(refuse(at, "nested more than 128 deep".to_owned()));
    }
    let (figure, entries) = match format {
        Format::Toml => from_toml(text),
        Format::Json => from_json(text),
    }
    .map_err(|(at, what)| refuse(at, what))?;
    for e in &entries {
        if e.list && (TABLES.contains(&e.path.as_str()) || e.path.starts_with("panels.")) {
            return Err(refuse(
                e.at,
                format!("'{}' must be a table, not a list", short(&e.path)),
            ));
        }
        if e.not_finite {
            return Err(refuse(e.at, format!("'{}' must be finite", short(&e.path))));
        }
    }
    check_words(&figure)
        .map_err(|(key, what)| refuse(locate(&entries, &key), format!("{}: {what}", short(&key))))?;
    Ok(figure)
}

/// A fault: its byte and what it is.
type Fault = (usize, String);

fn from_toml(text: &str) -> Result<(Figure, Vec<Entry>), Fault> {
    let fault = |e: toml::de::Error| {
        let span = e.span().unwrap_or(0..0);
        let what = match text.get(span.clone()) {
            Some(key) if e.message() == "duplicate key" => format!("key '{}' stands twice", short(key)),
            _ => plain(e.message().trim_end_matches(", expected nothing")),
        };
        (span.start, what)
    };
    let figure = toml::from_str(text).map_err(fault)?;
    let table = DeTable::parse(text).map_err(fault)?;
    Ok((figure, toml_entries(table.get_ref())))
}

fn from_json(text: &str) -> Result<(Figure, Vec<Entry>), Fault> {
    let start = text.len() - text.trim_start().len();
    match text[start..].chars().next() {
        Some('{') => {}
        Some(c) => {
            return Err((
                start,
                format!("expected '{{': a figure is an object of keys, found {c:?}"),
            ));
        }
        None => return Err((start, "empty: expected an object of keys".to_owned())),
    }
    let figure = serde_json::from_str(text).map_err(|e| {
        let line: usize = text
            .split_inclusive('\n')
            .take(e.line().saturating_sub(1))
            .map(str::len)
            .sum();
        let at = (line + e.column().saturating_sub(1)).min(text.len());
        let message = e.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |m| m.0);
        // serde_json has read past a wrong key or word when it tells of it.
        let named = ["unknown field `", "unknown variant `", "duplicate field `"]
            .iter()
            .find_map(|p| message.strip_prefix(p)?.split_once('`'));
        let before = text.get(..=at).unwrap_or(text);
        let back = named.and_then(|n| before.rfind(&format!("\"{}\"", n.0)));
        (back.unwrap_or(at), plain(message))
    })?;
    Ok((figure, json_entries(text)))
}

/// serde's message in our words, on one short line.
fn plain(message: &str) -> String {
    let parts = |prefix: &str| {
        let (word, rest) = message.strip_prefix(prefix)?.rsplit_once("`, expected ")?;
        Some((word, rest.split('`').skip(1).step_by(2).collect::<Vec<_>>()))
    };
    let quoted = |prefix: &str| message.strip_prefix(prefix)?.split_once('`').map(|w| short(w.0));
    if let Some((word, known)) = parts("unknown field `") {
        let near = did_you_mean(nearest(word, known.into_iter()));
        return format!(
            "unknown key '{}'{}",
            short(word),
            if near.is_empty() { elsewhere(word) } else { near }
        );
    }
    if let Some((word, known)) = parts("unknown variant `") {
        return format!(
            "'{}' is none of {}{}",
            short(word),
            known.join(", "),
            did_you_mean(nearest(word, known.iter().copied()))
        );
    }
    if let Some(key) = quoted("duplicate field `").or_else(|| quoted("duplicate key `")) {
        return format!("key '{key}' stands twice");
    }
    if let Some(key) = quoted("missing field `") {
        return format!("key '{key}' is missing");
    }
    if message.contains("did not match any variant") {
        return "wrong type: expected a text or a list of texts".to_owned();
    }
    if let Some((what, _)) = message.split_once(", expected struct ") {
        return format!("{what}, expected a table of keys");
    }
    let line = message.lines().map(str::trim).collect::<Vec<_>>().join("; ");
    line.chars().take(200).collect()
}

/// Whether a figure has a key of that name at its top.
pub(super) fn is_figure_key(word: &str) -> bool {
    static KEYS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let schema = schemars::schema_for!(Figure).to_value();
        schema["properties"]
            .as_object()
            .map(|p| p.keys().cloned().collect())
            .unwrap_or_default()
    });
    KEYS.iter().any(|k| k == word)
}

/// `; it belongs in [color]` for a key that another table knows.
fn elsewhere(word: &str) -> String {
    let schema = schemars::schema_for!(Figure).to_value();
    let keys = |v: &serde_json::Value| {
        v.get("properties")
            .and_then(|p| p.as_object())
            .is_some_and(|p| p.contains_key(word))
    };
    if keys(&schema) {
        return "; it belongs at the top, before any table".to_owned();
    }
    let table = TABLES.iter().find(|t| {
        let property = &schema["properties"][**t];
        let reference = property["$ref"]
            .as_str()
            .or_else(|| property["anyOf"][0]["$ref"].as_str());
        reference.and_then(|r| schema.pointer(&r[1..])).is_some_and(keys)
    });
    table
        .map(|t| format!("; it belongs in [{t}]"))
        .unwrap_or_default()
}

/// Makes the paths of a figure file in folder `base` valid from where the program runs.
pub fn resolve_paths(figure: &mut Figure, base: &Path) {
    let join = |p: &mut String| *p = base.join(&*p).to_string_lossy().into_owned();
    for f in figure
        .data
        .file
        .iter_mut()
        .flat_map(|l| &mut l.0)
        .filter(|f| *f != "-")
    {
        join(f);
    }
    if let Some(mask) = figure
        .data
        .mask
        .as_mut()
        .filter(|m| !matches!(m.as_str(), "upper" | "lower"))
    {
        join(mask);
    }
    // An array's name stays a name: only what is a file becomes a path.
    for values in [&mut figure.x.values, &mut figure.y.values].into_iter().flatten() {
        if range(values).is_none() && base.join(&*values).exists() {
            join(values);
        }
    }
    if let Some(font) = &mut figure.font {
        join(font);
    }
}

/// The JSON Schema of a figure file.
pub fn figure_schema() -> String {
    serde_json::to_string_pretty(&schemars::schema_for!(Figure)).expect("a schema is plain JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{BarPlace, Mark};

    fn toml(text: &str) -> Result<Figure, String> {
        read_figure(text.as_bytes(), "f", Format::Toml).map_err(|e| e.to_string())
    }

    fn json(text: &str) -> Result<Figure, String> {
        read_figure(text.as_bytes(), "f", Format::Json).map_err(|e| e.to_string())
    }

    #[test]
    fn both_formats_read_the_same_figure() {
        let t = "title = \"T\"\n[data]\nfile = 'a.csv'\nx = ['m', 'k']\nwhere = \"a = 1\"\n[color]\nbar = 'bottom'\n[panels.ECE]\nmark = 'min'\n";
        let j = "\u{feff}{\"title\": \"T\", \"data\": {\"file\": \"a.csv\", \"x\": [\"m\", \"k\"], \"where\": \"a = 1\"},
            \"color\": {\"bar\": \"bottom\"}, \"panels\": {\"ECE\": {\"mark\": \"min\"}}}";
        let f = toml(t).unwrap();
        assert_eq!(f, json(j).unwrap());
        assert_eq!(
            (f.color.bar, f.panels["ECE"].mark),
            (Some(BarPlace::Bottom), Some(Mark::Min))
        );
        assert_eq!(toml("").unwrap(), Figure::default());
    }

    #[test]
    fn faults_have_line_column_and_the_nearest_word() {
        for (text, want) in [
            (
                "title = 'a'\ncolums = 2\n",
                "f: line 2, column 1: unknown key 'colums'; did you mean 'columns'?",
            ),
            (
                "[color]\nvmni = 2\n",
                "f: line 2, column 1: unknown key 'vmni'; did you mean 'vmin'?",
            ),
            (
                "vmax = 2\n",
                "f: line 1, column 1: unknown key 'vmax'; it belongs in [color]",
            ),
            (
                "[size]\ntitle = 'a'\n",
                "f: line 2, column 1: unknown key 'title'; it belongs at the top, before any table",
            ),
            ("qqq = 1", "f: line 1, column 1: unknown key 'qqq'"),
            (
                "[color]\nbar = 'botom'\n",
                "f: line 2, column 7: 'botom' is none of right, bottom, none; did you mean 'bottom'?",
            ),
            (
                "[color]\nunder = 'blakc'\n",
                "f: line 2, column 9: color.under: 'blakc' is no colour",
            ),
            (
                "[panels.\"a.b\"]\nover = '#12'\n",
                "f: line 2, column 8: panels.a.b.over: '#12' is no colour",
            ),
            ("columns = 'two'", "f: line 1, column 11: invalid type"),
            (
                "x = 1",
                "f: line 1, column 5: invalid type: integer `1`, expected a table of keys",
            ),
            ("columns = -1", "f: line 1, column 11: invalid value"),
            ("[color]\nvmin = 1e999", "f: line 2, column 8: "),
            (
                "[color]\nvmin = inf",
                "f: line 2, column 8: 'color.vmin' must be finite",
            ),
            (
                "[x]\ndomain = [1, nan]",
                "f: line 2, column 10: 'x.domain' must be finite",
            ),
            (
                "data = ['a.csv']",
                "f: line 1, column 8: 'data' must be a table, not a list",
            ),
            (
                "[panels]\nA = []",
                "f: line 2, column 5: 'panels.A' must be a table, not a list",
            ),
            (
                "[strip]\naxis = 'x'",
                "f: line 1, column 1: key 'column' is missing",
            ),
            (
                "title = 'a'\ntitle = 'b'",
                "f: line 2, column 1: key 'title' stands twice",
            ),
            ("[[data]]\n", "f: line 1, column 1: "),
            (
                "[x]\norder = { a = 1 }",
                "f: line 2, column 9: wrong type: expected a text or a list",
            ),
            (
                "[lints]\ndeny = ['clip']",
                "f: line 2, column 8: lints.deny: there is no lint 'clip'",
            ),
        ] {
            let e = toml(text).expect_err(text);
            assert!(e.starts_with(want), "{e}\n{want}");
        }
    }

    #[test]
    fn json_faults_too() {
        for (text, want) in [
            (
                "{\"title\": \"a\",\n \"colums\": 2}",
                "f: line 2, column 2: unknown key 'colums'; did you mean 'columns'?",
            ),
            (
                "{\"title\": \"a\", \"title\": \"b\"}",
                "f: line 1, column 16: key 'title' stands twice",
            ),
            (
                "{\"x\": {\"labels\": {\"a\": \"b\", \"a\": \"c\"}}}",
                "f: line 1, column 3",
            ),
            ("{\"panels\": {\"A\": {}, \"A\": {}}}", "f: line 1, column 2"),
            ("{\"color\": {\"vmin\": 1e999}}", "f: line 1, column 2"),
            (
                "{\"size\": [1, 2]}",
                "f: line 1, column 10: 'size' must be a table, not a list",
            ),
            (
                "{\"color\": {\n\"nan\": \"#gg0000\"}}",
                "f: line 2, column 8: color.nan: '#gg0000' is no colour",
            ),
            ("[]", "f: line 1, column 1: expected '{'"),
            (" ", "f: line 1, column 2: empty"),
            ("{} x", "f: line 1, column 4: trailing characters"),
            ("{\"x\": {", "f: line 1, column 7: EOF"),
        ] {
            let e = json(text).expect_err(text);
            assert!(e.starts_with(want), "{e}\n{want}");
        }
        let title = json("{\"title\": null}").unwrap().title;
        assert_eq!(title, None);
    }

    #[test]
    fn hostile_texts_are_refused_without_a_deep_stack() {
        for open in ["[", "{\"a\":", "{a=", "[{", "a=["] {
            let text = open.repeat(100_000);
            assert!(toml(&text).unwrap_err().contains("column"), "{open}");
            assert!(json(&text).unwrap_err().contains("column"), "{open}");
        }
        assert!(toml(&format!("x{} = 1", ".x".repeat(100_000))).is_err());
        assert!(toml(&format!("[x{}]\n", ".x".repeat(100_000))).is_err());
        assert!(
            json(&format!("{{\"{}\": 1}}", "k".repeat(100_000)))
                .unwrap_err()
                .len()
                < 200
        );
        let e = read_figure(b"title = '\xff'", "f", Format::Toml)
            .unwrap_err()
            .to_string();
        assert_eq!(e, "f: line 1, column 10: not UTF-8 at byte 9");
        let e = read_figure(b"\xff\xfet\0", "f", Format::Toml)
            .unwrap_err()
            .to_string();
        assert!(e.ends_with("this is UTF-16"), "{e}");
    }

    #[test]
    fn damaged_texts_never_panic() {
        let good =
            "title = \"é\"\n[x]\nlabels = { a = 'β' }\n[color]\nvmin = 1.5 # c\n[[panels.A]]\n".as_bytes();
        let object =
            "{\"title\": \"é\\n\", \"x\": {\"labels\": {\"a\": \"β\"}}, \"color\": {\"vmin\": 1.5}, \"lints\": {\"deny\": []}}".as_bytes();
        let mut seed = 7u64;
        for _ in 0..5_000 {
            for (text, format) in [(good, Format::Toml), (object, Format::Json)] {
                let mut text = text.to_vec();
                for _ in 0..2 {
                    seed = seed
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    let at = (seed >> 33) as usize % text.len();
                    text[at] = b"[]{}\"'=:,.#\\\n 0e\x80\xc3"[(seed >> 20) as usize % 18];
                }
                let _ = read_figure(&text, "f", format);
            }
        }
    }

    #[test]
    fn paths_start_at_the_file() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("v.txt"), "1").unwrap();
        let mut f =
            toml("font = 'f.ttf'\n[data]\nfile = ['a.csv', '-']\nmask = 'upper'\n[x]\nvalues = '0:1'\n[y]\nvalues = 'v.txt'").unwrap();
        resolve_paths(&mut f, dir.path());
        let at = |n: &str| dir.path().join(n).to_string_lossy().into_owned();
        assert_eq!(f.data.file.unwrap().0, [at("a.csv"), "-".to_owned()]);
        assert_eq!((f.font, f.y.values), (Some(at("f.ttf")), Some(at("v.txt"))));
        assert_eq!(
            (f.data.mask.as_deref(), f.x.values.as_deref()),
            (Some("upper"), Some("0:1"))
        );
    }

    #[test]
    fn the_schema_names_every_table() {
        let schema: serde_json::Value = serde_json::from_str(&figure_schema()).unwrap();
        assert!(TABLES.iter().all(|t| schema["properties"].get(t).is_some()));
    }
}

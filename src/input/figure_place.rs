//! Where things stand in the text of a figure file: nesting, line and column, and the place of every key.

use toml::de::{DeTable, DeValue};

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 128;

/// How a figure file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

/// A key of the file with its dotted path.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// `color.vmin`
    pub path: String,
    /// The byte where the value begins.
    pub at: usize,
    /// Whether the value is a list.
    pub list: bool,
    /// Whether the value is, or a list holds, an infinity or NaN.
    pub not_finite: bool,
}

/// The first bracket that lies deeper than any figure needs, strings and comments aside.
pub fn too_deep(text: &str, format: Format) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(at);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'#' if format == Format::Toml => {
                at += bytes[at..].iter().take_while(|b| **b != b'\n').count();
                continue;
            }
            b'"' => {
                at = string_end(bytes, at, format);
                continue;
            }
            b'\'' if format == Format::Toml => {
                at = string_end(bytes, at, format);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The byte after the string that begins at `at`; a line's end closes one of a single line.
fn string_end(bytes: &[u8], at: usize, format: Format) -> usize {
    let quote = bytes[at];
    let long = format == Format::Toml && bytes[at..].starts_with(&[quote; 3]);
    let mut i = at + if long { 3 } else { 1 };
    while i < bytes.len() {
        match bytes[i] {
            b'\\' if quote == b'"' => i += 1,
            b'\n' if !long => return i,
            b if b == quote && !long => return i + 1,
            b if b == quote && bytes[i..].starts_with(&[quote; 3]) => return i + 3,
            _ => {}
        }
        i += 1;
    }
    bytes.len()
}

/// Every key of a TOML table and of the tables in it.
pub fn toml_entries(table: &DeTable<'_>) -> Vec<Entry> {
    fn walk(prefix: &str, table: &DeTable<'_>, out: &mut Vec<Entry>) {
        for (key, value) in table.iter() {
            let path = if prefix.is_empty() {
                key.get_ref().to_string()
            } else {
                format!("{prefix}.{}", key.get_ref())
            };
            let entry = Entry {
                at: value.span().start,
                list: matches!(value.get_ref(), DeValue::Array(_)),
                not_finite: not_finite(value.get_ref()),
                path: path.clone(),
            };
            out.push(entry);
            if let DeValue::Table(inner) = value.get_ref() {
                walk(&path, inner, out);
            }
        }
    }
    let mut out = Vec::new();
    walk("", table, &mut out);
    out
}

fn not_finite(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::Float(f) => !f.as_str().parse::<f64>().is_ok_and(f64::is_finite),
        DeValue::Array(items) => items.iter().any(|v| not_finite(v.get_ref())),
        _ => false,
    }
}

/// Every key of a JSON text that has been read without an error.
pub fn json_entries(text: &str) -> Vec<Entry> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut path = String::new();
    // For each open bracket: whether it is an object's, and the length of the path it stands under.
    let mut open: Vec<(bool, usize)> = Vec::new();
    let (mut key_next, mut at) = (false, 0);
    while at < bytes.len() {
        let in_object = open.last().is_some_and(|o| o.0);
        let mut next = at + 1;
        match bytes[at] {
            b',' => key_next = in_object,
            b':' | b' ' | b'\n' | b'\r' | b'\t' => {}
            b'}' | b']' => {
                open.pop();
            }
            b'"' if key_next => {
                next = string_end(bytes, at, Format::Json);
                path.truncate(open.last().map_or(0, |o| o.1));
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&serde_json::from_str::<String>(&text[at..next]).unwrap_or_default());
                key_next = false;
            }
            b => {
                if in_object {
                    out.push(Entry {
                        path: path.clone(),
                        at,
                        list: b == b'[',
                        not_finite: false,
                    });
                }
                match b {
                    b'{' | b'[' => {
                        open.push((b == b'{', path.len()));
                        key_next = b == b'{';
                    }
                    b'"' => next = string_end(bytes, at, Format::Json),
                    _ => {
                        next += bytes[next..]
                            .iter()
                            .take_while(|c| !b",]} \n\r\t".contains(c))
                            .count()
                    }
                }
            }
        }
        at = next;
    }
    out
}

/// Where the value of a dotted path stands; of the nearest table around it where the file spells it otherwise.
pub fn locate(entries: &[Entry], path: &str) -> usize {
    let around = |e: &&Entry| {
        path == e.path
            || path
                .strip_prefix(e.path.as_str())
                .is_some_and(|rest| rest.starts_with('.'))
    };
    entries
        .iter()
        .filter(around)
        .max_by_key(|e| e.path.len())
        .map_or(0, |e| e.at)
}

#[cfg(test)]
mod tests {
    use super::super::position::place;
    use super::*;

    #[test]
    fn brackets_in_strings_and_comments_do_not_nest() {
        let many = "[".repeat(200);
        assert_eq!(too_deep(&many, Format::Json), Some(128));
        assert_eq!(too_deep(&many, Format::Toml), Some(128));
        assert_eq!(too_deep(&"[]".repeat(500), Format::Json), None);
        assert_eq!(too_deep(&format!("{{\"a\\\"{many}\": 1}}"), Format::Json), None);
        for s in [
            format!("# {many}\n"),
            format!("a = '{many}'"),
            format!("a = \"\"\"\n\"{many}\"\"\""),
            format!("a = '''\n'{many}'''"),
        ] {
            assert_eq!(too_deep(&s, Format::Toml), None, "{s}");
        }
        assert_eq!(
            too_deep(&format!("# it's\na = {many}"), Format::Toml),
            Some(7 + 4 + 128)
        );
    }

    #[test]
    fn both_formats_give_the_same_paths() {
        let json = "{\"x\": {\"domain\": [\"a,]\", {}], \"label\":\"t\"}, \"panels\": {\"a.b\": {\"vmin\": 1}}, \"columns\": 2 }";
        let toml = "columns = 2\n[panels.\"a.b\"]\nvmin = 1\n[x]\ndomain = ['a']\nlabel='t'\n";
        let paths = |mut e: Vec<Entry>| {
            e.sort_by(|a, b| a.path.cmp(&b.path));
            e.into_iter().map(|e| (e.path, e.list)).collect::<Vec<_>>()
        };
        let t = toml_entries(DeTable::parse(toml).unwrap().get_ref());
        assert_eq!(paths(json_entries(json)), paths(t.clone()));
        assert_eq!(place(toml, locate(&t, "panels.a.b.vmin")), "line 3, column 8");
        assert_eq!(
            place(json, locate(&json_entries(json), "columns")),
            "line 1, column 88"
        );
        assert_eq!(
            place(json, locate(&json_entries(json), "x.kind")),
            "line 1, column 7"
        );
    }
}

//! The columns of a table: their names, and how they are named by others.

use super::error::InputError;
use super::field::shown;
use crate::figure::Data;
use crate::lint::{LintName, Lints};
use std::collections::HashMap;

/// What is known of a table before its rows.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The file as the user named it.
    pub file: String,
    /// One name a column, all different.
    pub headers: Vec<String>,
    /// Whether the names stand in the file.
    pub has_header: bool,
    /// What separates the fields, in a table of text.
    pub delimiter: Option<u8>,
    /// Texts that stand for a missing value, beside the usual ones.
    pub missing: Vec<String>,
    /// The headers as the file has them, or empty.
    written: Vec<String>,
    /// Whether its file holds types, and not only texts.
    pub has_types: bool,
    /// Whether the file has columns that were not read.
    pub partial: bool,
    /// Columns whose keys have an order of their own, with their texts in it.
    orders: Vec<(usize, Vec<String>)>,
}

impl Schema {
    /// A table of so many columns without names.
    pub fn unnamed(file: &str, columns: usize, data: &Data) -> Self {
        Self {
            file: file.to_owned(),
            headers: (1..=columns).map(|i| format!("column {i}")).collect(),
            has_header: false,
            delimiter: None,
            missing: data.missing.as_ref().map_or_else(Vec::new, |m| m.0.clone()),
            written: Vec::new(),
            has_types: false,
            partial: false,
            orders: Vec::new(),
        }
    }

    /// A table with a header.
    pub fn named(file: &str, headers: Vec<String>, data: &Data, lints: &mut Lints) -> Self {
        let mut schema = Self::unnamed(file, headers.len(), data);
        schema.name_columns(headers, lints);
        schema
    }

    /// Gives each column a name of its own.
    fn name_columns(&mut self, written: Vec<String>, lints: &mut Lints) {
        (self.written, self.has_header) = (written, true);
        let mut taken: HashMap<String, usize> = HashMap::new();
        for h in &self.written {
            *taken.entry(h.clone()).or_default() += 1;
        }
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut renamed = Vec::new();
        for (i, h) in self.written.iter().enumerate() {
            let n = seen.entry(h).or_default();
            let mut name = match (h.is_empty(), *n) {
                // An empty corner is how pandas names an index.
                (true, _) if i == 0 => String::new(),
                (true, _) => format!("column {}", i + 1),
                (false, 0) => h.clone(),
                (false, n) => format!("{h}.{n}"),
            };
            *n += 1;
            while name != *h && taken.contains_key(&name) {
                name.push_str(".1");
            }
            if name != *h {
                taken.insert(name.clone(), 1);
                renamed.push(format!("column {} is {}", i + 1, shown(&name)));
            }
            self.headers[i] = name;
        }
        if !renamed.is_empty() {
            let n = renamed.len();
            renamed.truncate(5);
            let more = if n > 5 { ", …" } else { "" };
            lints.add(LintName::Headers, n as u64, format!("empty or repeated headers: {}{more}", renamed.join(", ")));
        }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.headers.len()
    }

    /// What rows are counted by in messages: lines of a text, or rows of a table with types.
    pub fn counted(&self) -> &'static str {
        if self.has_types { "row" } else { "line" }
    }

    /// Gives the keys of a column an order of their own: that of these texts.
    pub fn set_order(&mut self, column: usize, texts: Vec<String>) {
        self.orders.push((column, texts));
    }

    /// The order that the file gives the keys of a column.
    pub fn order(&self, column: usize) -> Option<&[String]> {
        self.orders.iter().find(|o| o.0 == column).map(|o| o.1.as_slice())
    }

    /// The column of that name; `column N` names any by its place.
    ///
    /// # Errors
    /// No such column, or several headers of that name.
    pub fn column(&self, name: &str) -> Result<usize, InputError> {
        let twins: Vec<usize> = (0..self.written.len()).filter(|&i| !name.is_empty() && self.written[i] == name).collect();
        if twins.len() > 1 {
            let what = format!("column {} stands {} times", shown(name), twins.len());
            let names = twins.iter().map(|i| format!("'column {}'", i + 1)).collect::<Vec<_>>().join(", ");
            return Err(InputError::usage(&self.file, what).with_hint(format!("name one by its place: {names}")));
        }
        let exact = self.headers.iter().position(|h| h == name);
        let trimmed = || self.headers.iter().position(|h| h.trim() == name.trim());
        let placed = || name.strip_prefix("column ")?.parse::<usize>().ok()?.checked_sub(1).filter(|&i| i < self.width());
        exact.or_else(trimmed).or_else(placed).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> InputError {
        let list = listed(&self.headers);
        let near = nearest(name, &self.headers).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
        InputError::usage(&self.file, format!("no column {}", shown(name))).with_hint(format!("{near}columns: {list}"))
    }

    /// Takes in another table with the same columns.
    ///
    /// # Errors
    /// When the headers differ.
    pub fn join(&mut self, other: &Schema) -> Result<(), InputError> {
        if self.headers != other.headers {
            let what = format!("its columns ({}) are not those of {} ({})", listed(&other.headers), self.file, listed(&self.headers));
            return Err(InputError::refused(&other.file, "header", what));
        }
        // Files that differ in the order of their keys have none together.
        self.orders.retain(|o| other.orders.contains(o));
        self.partial |= other.partial;
        Ok(())
    }

    /// Adds a last column; its name is `name`, with `.1` behind it where that is taken.
    pub fn add_column(&mut self, name: &str) {
        let mut name = name.to_owned();
        while self.headers.contains(&name) {
            name.push_str(".1");
        }
        self.headers.push(name);
    }
}

/// The names in a row, at most twenty of them.
pub fn listed(names: &[String]) -> String {
    let shown = names.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > 20 { format!("{shown}, … ({} in all)", names.len()) } else { shown }
}

/// The name most like a text, if one is close.
pub fn nearest<'a>(text: &str, names: &'a [String]) -> Option<&'a str> {
    let like = |n: &String| strsim::jaro_winkler(&text.to_lowercase(), &n.to_lowercase());
    let best = names.iter().filter(|n| n.len() < 200).max_by(|a, b| like(a).total_cmp(&like(b)))?;
    (text.len() < 200 && like(best) > 0.75).then_some(best)
}

/// `1 row`, `2 rows`.
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

//! The columns of a table: their names, how they are named by others, and those computed from others.

use crate::error::InputError;
use crate::field::shown;
use crate::loaded::Delimiter;
use crate::numeral::{Numeral, Unit};
use crate::position::Place;
use gridscope_core::figure::Data;
use gridscope_core::grid::{Axis, AxisKind, Coords, SaidName};
use gridscope_core::lint::{LintName, Lints};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::grouping::Grouping;
use super::noticed::Noticed;
use crate::pivot::DateReading;

/// Bytes that a column takes: its name as it is written and as it is known, and what tells names apart.
pub(crate) const COLUMN: u64 = 320;

/// Facts about a table before its rows.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The file as the user named it.
    pub file: String,
    /// What tells it from other tables of its file, where several are read.
    pub(crate) title: Option<String>,
    /// One name a column, all different.
    pub headers: Vec<String>,
    /// Whether the file has the names.
    pub has_header: bool,
    /// Field delimiter, in a table of text.
    pub delimiter: Option<Delimiter>,
    /// The name of each column in each line of a header of several, the outer first; empty for any other.
    pub(crate) levels: Vec<Vec<String>>,
    /// Names of these lines, as pandas writes them; empty where they have none.
    pub(crate) level_names: Vec<String>,
    /// The first columns that label rows, where the header says so.
    pub(crate) label_columns: Option<usize>,
    /// The names are in a comment.
    pub(crate) named_in_comment: bool,
    /// It was found by `key` or is not found by one.
    pub(crate) keyed: bool,
    /// Columns of lists, which are rows where they are asked for.
    pub(crate) lists: Vec<String>,
    /// The names are numbers, above numbers in all columns.
    pub(crate) named_by_numbers: bool,
    /// Whether the month is first in dates that may be read in two ways; none where it was not said.
    pub(crate) month_first: Option<bool>,
    /// The label of rows without a key, empty where it is as written; none where they are left out.
    pub(crate) blank_key: Option<String>,
    /// By column: the order of day and month, where all of its rows were looked at for it.
    pub(crate) date_readings: Vec<(usize, DateReading)>,
    /// Columns whose texts conditions compare letter for letter.
    exact: Vec<usize>,
    /// Odd lines, as they are read.
    pub(crate) noticed: Arc<Noticed>,
    /// Texts that mean a missing value, besides the usual ones.
    pub missing: Vec<String>,
    /// The headers as the file has them, or empty.
    written: Vec<String>,
    /// Whether its file holds types, and not only texts.
    pub has_types: bool,
    /// Whether the file has columns that were not read.
    pub partial: bool,
    /// What each row stands for, where an engine has grouped them.
    pub(crate) grouping: Option<Arc<Grouping>>,
    /// Columns whose keys have an order of their own, with their texts in it.
    orders: Vec<(usize, Vec<String>)>,
    /// The columns that are lengths of time, in seconds.
    durations: Vec<usize>,
    /// By column: how its numbers are written, if not as plain ones; shorter where no further column has such.
    numerals: Vec<Option<Numeral>>,
    /// Columns whose plain numbers may be others: `1.234` where commas are decimal.
    suspects: Vec<usize>,
    /// Columns without a name and without a value in the first rows.
    blank: Vec<usize>,
    /// Columns that are computed from others; their names are the texts that say how.
    pub(super) derived: Range<usize>,
    /// Of each of them, the columns that it is computed from.
    pub(super) inputs: Vec<Vec<usize>>,
    /// The columns of these that titles say in other words.
    pub(super) said: Vec<SaidName>,
    /// Columns whose values are bins of numbers.
    pub(super) bins: Vec<(usize, Arc<BinAxis>)>,
}

impl Schema {
    /// A table of this many columns without names.
    pub fn unnamed(file: &str, columns: usize, data: &Data) -> Self {
        Self {
            file: file.to_owned(),
            title: None,
            headers: (1..=columns).map(|i| format!("column {i}")).collect(),
            has_header: false,
            delimiter: None,
            levels: Vec::new(),
            level_names: Vec::new(),
            label_columns: None,
            named_in_comment: false,
            named_by_numbers: false,
            keyed: false,
            lists: Vec::new(),
            month_first: match (data.day_first, data.month_first) {
                (_, Some(true)) => Some(true),
                (Some(true), _) => Some(false),
                _ => None,
            },
            blank_key: match data.blank_key.as_deref() {
                Some("drop") => None,
                other => Some(other.unwrap_or_default().to_owned()),
            },
            date_readings: Vec::new(),
            exact: Vec::new(),
            noticed: Arc::default(),
            missing: data.missing.as_ref().map_or_else(Vec::new, |m| m.0.clone()),
            written: Vec::new(),
            has_types: false,
            partial: false,
            grouping: None,
            orders: Vec::new(),
            durations: Vec::new(),
            numerals: Vec::new(),
            suspects: Vec::new(),
            blank: Vec::new(),
            derived: columns..columns,
            inputs: Vec::new(),
            said: Vec::new(),
            bins: Vec::new(),
        }
    }

    /// A table with a header.
    pub fn named(file: &str, headers: Vec<String>, data: &Data, lints: &mut Lints) -> Self {
        Self::named_but(file, headers, data, Vec::new(), lints)
    }

    /// A table with a header, in whose first rows the columns `blank` without a name have no value.
    pub(crate) fn named_but(
        file: &str,
        headers: Vec<String>,
        data: &Data,
        blank: Vec<usize>,
        lints: &mut Lints,
    ) -> Self {
        let mut schema = Self::unnamed(file, headers.len(), data);
        schema.blank = blank;
        schema.name_columns(headers, lints);
        schema
    }

    /// It with these columns, which have no value in the first rows.
    pub(crate) fn with_blank(mut self, blank: Vec<usize>) -> Self {
        self.blank = blank;
        self
    }

    /// Columns without a name and without a value in the first rows.
    pub(crate) fn blank(&self) -> &[usize] {
        &self.blank
    }

    /// A table of typed columns with these names.
    pub fn typed(file: &str, names: Vec<String>, data: &Data, lints: &mut Lints) -> Self {
        let mut schema = Self::named(file, names, data, lints);
        schema.has_types = true;
        schema
    }

    /// Gives each column a name of its own.
    fn name_columns(&mut self, written: Vec<String>, lints: &mut Lints) {
        (self.written, self.has_header) = (written, true);
        let mut taken: HashSet<String> = self.written.iter().cloned().collect();
        // The number that a further header of each name was last given.
        let mut given: HashMap<&str, usize> = HashMap::new();
        let mut renamed = Vec::new();
        for (i, h) in self.written.iter().enumerate() {
            let name = match given.get_mut(h.as_str()) {
                _ if h.is_empty() => unnamed(i, &taken),
                Some(number) => free_name(h, number, &taken),
                None => {
                    given.insert(h, 1);
                    h.clone()
                }
            };
            if name != *h {
                taken.insert(name.clone());
                if !self.blank.contains(&i) {
                    renamed.push(format!("column {} is {}", i + 1, shown(&name)));
                }
            }
            self.headers[i] = name;
        }
        if !renamed.is_empty() {
            let n = renamed.len();
            renamed.truncate(5);
            let more = if n > 5 { ", …" } else { "" };
            lints.add(
                LintName::Headers,
                n as u64,
                format!("empty or repeated headers: {}{more}", renamed.join(", ")),
            );
        }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.headers.len()
    }

    /// Columns without the blank ones at the end.
    pub(crate) fn width_to_last(&self) -> usize {
        let places = (0..self.width()).rev().zip(self.blank.iter().rev());
        self.width() - places.take_while(|(last, blank)| last == *blank).count()
    }

    /// The place of a row: its line in a text, or its row in a table with types, from 1.
    pub fn place(&self, number: u64) -> Place {
        if self.has_types { Place::row(number) } else { Place::line(number) }
    }

    /// Gives the keys of a column an order of their own: that of these texts.
    pub fn set_order(&mut self, column: usize, texts: Vec<String>) {
        self.orders.push((column, texts));
    }

    /// Says that the numbers of a column are lengths of time, in seconds.
    #[cfg(any(feature = "parquet", feature = "arrow"))]
    pub(crate) fn set_duration(&mut self, column: usize) {
        self.durations.push(column);
    }

    /// Whether the numbers of a column are lengths of time, in seconds.
    pub(crate) fn is_duration(&self, column: usize) -> bool {
        self.durations.contains(&column)
    }

    /// Whether the orders of columns name keys.
    pub(crate) fn has_orders(&self) -> bool {
        !self.orders.is_empty()
    }

    /// The order that the file gives the keys of a column.
    pub fn order(&self, column: usize) -> Option<&[String]> {
        self.orders.iter().find(|o| o.0 == column).map(|o| o.1.as_slice())
    }

    /// Says how the numbers of columns are written.
    pub(crate) fn set_numerals(&mut self, numerals: &[(usize, Numeral)]) {
        for &(column, numeral) in numerals {
            self.numerals.resize(self.numerals.len().max(column + 1), None);
            self.numerals[column] = Some(numeral);
            if let Some(assumed) = numeral.assumed {
                self.noticed.assume(&self.headers[column], self.place(assumed.row).to_string(), numeral);
            }
        }
    }

    /// How the numbers of a column are written, if not as plain ones.
    pub(crate) fn numeral(&self, column: usize) -> Option<Numeral> {
        self.numerals.get(column).copied().flatten()
    }

    /// Says how dates of columns are read.
    pub(crate) fn set_date_readings(&mut self, readings: &[(usize, DateReading)]) {
        self.date_readings.extend(readings);
    }

    /// How the dates of a column are read, where a look at all of them said it.
    pub(crate) fn date_reading(&self, column: usize) -> Option<DateReading> {
        self.date_readings.iter().find(|of| of.0 == column).map(|of| of.1)
    }

    /// Whether the month is first in the dates of a column that may be read in two ways, where flags or a look at all of them said it.
    pub(crate) fn month_first(&self, column: usize) -> Option<bool> {
        let read = || match self.date_reading(column)? {
            DateReading::Plain => None,
            reading => Some(reading == DateReading::MonthFirst),
        };
        self.month_first.or_else(read)
    }

    /// Says of which columns conditions compare the texts letter for letter.
    pub(crate) fn set_exact(&mut self, columns: &[usize]) {
        self.exact = columns.to_vec();
    }

    /// Whether conditions compare the texts of a column letter for letter.
    pub(crate) fn is_exact(&self, column: usize) -> bool {
        self.exact.contains(&column)
    }

    /// Says which columns of plain numbers may be others.
    pub(crate) fn set_suspects(&mut self, columns: Vec<usize>) {
        self.suspects = columns;
    }

    /// Whether the plain numbers of a column may be others: `1.234` where commas are decimal.
    pub(crate) fn is_suspect(&self, column: usize) -> bool {
        self.suspects.contains(&column) && self.numeral(column).is_none()
    }

    /// Sign beside the numbers of a column: `%`, or that of a currency.
    pub(crate) fn unit(&self, column: usize) -> Option<Unit> {
        self.numeral(column).and_then(|n| n.unit)
    }

    /// Says which column holds the second numbers of columns of values, those behind `±`; empty where there are none.
    pub(crate) fn second_numbers(&self, values: &[usize]) -> String {
        let has_second = |c: &&usize| self.numeral(**c).is_some_and(|n| n.spread);
        let first = values.iter().find(has_second);
        let Some(name) = first.map(|&c| self.headers[c].trim()) else {
            return String::new();
        };
        let of = if values.len() > 1 { format!(" of {}", shown(name)) } else { String::new() };
        format!("; {} names the second numbers{of}", shown(&format!("{name} ±")))
    }

    /// The column whose second numbers, those behind `±`, a name means.
    pub(crate) fn with_second_numbers(&self, name: &str) -> Option<usize> {
        let first = name.trim().strip_suffix('±')?.trim_end();
        (0..self.headers.len())
            .find(|&c| self.headers[c].trim() == first && self.numeral(c).is_some_and(|n| n.spread))
    }

    /// The name of a column of values, with their unit.
    pub(crate) fn value_name(&self, column: usize) -> String {
        let name = &self.headers[column];
        match self.unit(column) {
            Some(unit) if !name.contains(&unit.to_string()) => {
                format!("{name} ({unit})").trim_start().to_owned()
            }
            _ => name.clone(),
        }
    }

    /// The column of that name; `column N` names any by its place.
    ///
    /// # Errors
    /// No such column, or several headers of that name.
    pub fn column(&self, name: &str) -> Result<usize, InputError> {
        let twins: Vec<usize> =
            (0..self.written.len()).filter(|&i| !name.is_empty() && self.written[i] == name).collect();
        if twins.len() > 1 {
            let what = format!("{} columns are named {}", twins.len(), shown(name));
            let names = twins.iter().map(|i| format!("'column {}'", i + 1)).collect::<Vec<_>>().join(", ");
            return Err(
                InputError::usage(&self.file, what).with_hint(format!("name one by its place: {names}"))
            );
        }
        let exact = self.headers.iter().position(|h| h == name);
        let trimmed = || self.headers.iter().position(|h| h.trim() == name.trim());
        let placed = || {
            name.strip_prefix("column ")?.parse::<usize>().ok()?.checked_sub(1).filter(|&i| i < self.width())
        };
        exact.or_else(trimmed).or_else(placed).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> InputError {
        let list = listed(&self.headers);
        let near = nearest(name, &self.headers).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
        InputError::usage(&self.file, format!("no column {}", shown(name)))
            .with_hint(format!("{near}columns: {list}"))
    }

    /// Takes in another table with the same columns.
    ///
    /// # Errors
    /// When the headers differ.
    pub fn join(&mut self, other: &Schema) -> Result<(), InputError> {
        if self.headers != other.headers {
            let what = format!(
                "its columns ({}) are not those of {} ({})",
                listed(&other.headers),
                self.file,
                listed(&self.headers)
            );
            return Err(InputError::refused(&other.file, "header", what));
        }
        // Files that differ in the order of their keys have none together.
        self.orders.retain(|o| other.orders.contains(o));
        self.partial |= other.partial;
        Ok(())
    }

    /// Adds a last column; its name is `name`, with ` (2)` added where that is taken.
    pub fn add_column(&mut self, name: &str) {
        let taken: HashSet<String> = self.headers.iter().cloned().collect();
        self.headers.push(if taken.contains(name) {
            free_name(name, &mut 1, &taken)
        } else {
            name.to_owned()
        });
    }
}

/// The name of a column without one. An empty corner is how pandas names an index.
fn unnamed(column: usize, taken: &HashSet<String>) -> String {
    let name = if column == 0 { String::new() } else { format!("column {}", column + 1) };
    if column > 0 && taken.contains(&name) { free_name(&name, &mut 1, taken) } else { name }
}

/// The name with the next number added that makes it unique: `2020 (2)`, which is a text whatever the name is.
fn free_name(name: &str, number: &mut usize, taken: &HashSet<String>) -> String {
    loop {
        *number += 1;
        let numbered = format!("{name} ({number})");
        if !taken.contains(&numbered) {
            return numbered;
        }
    }
}

/// The names in a row, at most twenty of them.
pub(crate) fn listed(names: &[String]) -> String {
    let shown = names.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > 20 { format!("{shown}, … ({} in all)", names.len()) } else { shown }
}

/// The name most like a text, if one is close.
pub(crate) fn nearest<'a>(text: &str, names: &'a [String]) -> Option<&'a str> {
    let like = |n: &String| strsim::jaro_winkler(&text.to_lowercase(), &n.to_lowercase());
    // Names of nested keys end in the word, as config.lr does in lr.
    let ends = |n: &&String| n.rsplit(['.', '/']).next().is_some_and(|end| end.eq_ignore_ascii_case(text));
    if let Some(nested) = names.iter().find(ends) {
        return Some(nested);
    }
    let best = names.iter().filter(|n| n.len() < 200).max_by(|a, b| like(a).total_cmp(&like(b)))?;
    (text.len() < 200 && like(best) > 0.75).then_some(best)
}

/// `1 row`, `2 rows`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

impl Schema {
    /// The columns of the files, without those that are computed from them.
    pub(crate) fn own(&self) -> impl Iterator<Item = usize> + use<> {
        let derived = self.derived.clone();
        (0..self.width()).filter(move |c| !derived.contains(c))
    }

    /// Adds a column that is computed from `inputs`, named as a text says how; `bins` are its values, if they are bins.
    pub(crate) fn add_derived(&mut self, text: &str, inputs: Vec<usize>, bins: Option<Arc<BinAxis>>) {
        let column = self.headers.len();
        if self.derived.is_empty() {
            self.derived = column..column;
        }
        if let Some(bins) = bins {
            self.set_order(column, bins.labels.clone());
            self.bins.push((column, bins));
        }
        self.headers.push(text.to_owned());
        self.inputs.push(inputs);
        self.derived.end = column + 1;
    }

    /// The columns that a column is computed from; none for those of the files.
    pub(crate) fn inputs(&self, column: usize) -> &[usize] {
        let at = column.checked_sub(self.derived.start);
        at.and_then(|at| self.inputs.get(at)).map_or(&[], Vec::as_slice)
    }

    /// The bins that are a column's values.
    pub(crate) fn bins(&self, column: usize) -> Option<&Arc<BinAxis>> {
        self.bins.iter().find(|b| b.0 == column).map(|b| &b.1)
    }

    /// Notes the words that titles have for a column.
    pub(crate) fn say(&mut self, name: &str, said: String) {
        self.said.push(SaidName { name: name.to_owned(), said });
    }

    /// The names of columns that titles say in other words.
    pub(crate) fn said(&self) -> &[SaidName] {
        &self.said
    }

    /// Name of an axis of a column: its header, or that of the numbers in its bins.
    pub(crate) fn title(&self, column: usize) -> &str {
        self.bins(column).map_or(&self.headers[column], |bins| &bins.title)
    }
}

/// Bins: each has a text, which is the value of its rows, and two edges.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinAxis {
    /// Name of the numbers in the bins, for the axis.
    pub title: String,
    /// The edges, one more than bins, ascending.
    pub edges: Vec<f64>,
    /// The text of each bin.
    pub labels: Vec<String>,
    /// How wide bins are drawn.
    pub scale: BinScale,
}

/// How wide bins are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinScale {
    /// As their edges say.
    Linear,
    /// As the logarithms of their edges say.
    Log,
    /// All alike.
    Even,
}

impl BinAxis {
    /// The axis of these labels, which are those of consecutive bins; `None` for any others.
    pub(crate) fn axis(&self, labels: &[String]) -> Option<Axis> {
        if self.scale == BinScale::Even {
            return None;
        }
        let first = self.labels.iter().position(|l| Some(l) == labels.first())?;
        let shown: Range<usize> = first..first + labels.len();
        if self.labels.get(shown.clone())? != labels {
            return None;
        }
        let mut axis = Axis::category(&self.title, labels.to_vec());
        axis.kind = match self.scale {
            BinScale::Log => AxisKind::Log,
            _ => AxisKind::Number,
        };
        axis.binned = true;
        axis.coords = Some(Coords::Edges(self.edges[shown.start..=shown.end].to_vec()));
        Some(axis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(headers: &[&str]) -> (Schema, u64) {
        let mut lints = Lints::default();
        let schema = Schema::named(
            "f",
            headers.iter().map(|h| (*h).to_owned()).collect(),
            &Data::default(),
            &mut lints,
        );
        (schema, lints.0.first().map_or(0, |l| l.count))
    }

    #[test]
    fn a_repeated_header_stays_a_text() {
        let (schema, count) = named(&["year", "2020", "2021", "2020", "2020", "", "column 6", "2020 (2)"]);
        assert_eq!(
            schema.headers,
            ["year", "2020", "2021", "2020 (3)", "2020 (4)", "column 6 (2)", "column 6", "2020 (2)"]
        );
        assert_eq!(count, 3);
        assert!(schema.headers[3..5].iter().all(|h| crate::field::parse_number(h).is_none()));
        let (mut schema, count) = named(&["", "file", "file (2)"]);
        schema.add_column("file");
        schema.add_column("rows");
        assert_eq!((schema.headers.join("|"), count), ("|file|file (2)|file (3)|rows".into(), 0));
    }

    #[test]
    fn headers_that_are_all_alike_take_no_longer() {
        let mut headers: Vec<String> = (2..20_002).map(|i| format!("v ({i})")).collect();
        headers.extend(std::iter::repeat_n("v".to_owned(), 20_000));
        let schema = Schema::named("f", headers, &Data::default(), &mut Lints::default());
        assert_eq!(
            (schema.headers[20_001].as_str(), schema.headers[39_999].as_str()),
            ("v (20002)", "v (40000)")
        );
    }
}

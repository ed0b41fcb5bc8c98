//! Tables of text whose columns are two blanks or more apart, with single blanks in names, or end where their names end. They are
//! rewritten as CSV.

use super::csv;
use super::reader::{Contents, Input};
use super::rewritten::{of_csv, quoted};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::field::parse_number;
use crate::numeral::quantity;
use gridscope_core::figure::Header;

/// Whether the numbers of all lines end where the names of the first one do, behind labels of several words, or with some left out.
pub(super) fn has_edges(head: &Head) -> bool {
    // Blanks before the names are part of the table.
    let indented = head.bytes.starts_with(b" ");
    indented && std::str::from_utf8(head.bytes).is_ok_and(|text| head.is_whole() && edged(text).is_some())
}

/// The cells of such a table: of each line the label and the numbers, in CSV; none for a blank line.
fn edged(text: &str) -> Option<Vec<Option<Vec<String>>>> {
    let mut lines = text.lines();
    let first = lines.next().filter(|line| line.starts_with("  "))?;
    let names: Vec<(usize, &str)> = tokens(first).collect();
    if names.len() < 2 || names.iter().any(|name| parse_number(name.1).is_some()) {
        return None;
    }
    let header = std::iter::once(String::new()).chain(names.iter().map(|name| quoted(name.1))).collect();
    let (mut rows, mut is_plain, mut count) = (vec![Some(header)], true, 0);
    for line in lines {
        if line.trim().is_empty() {
            rows.push(None);
            continue;
        }
        let mut row = vec![String::new(); names.len() + 1];
        let mut label = line.len();
        for (end, token) in tokens(line) {
            match names.iter().position(|name| name.0 == end) {
                Some(column) if parse_number(token).is_some() => {
                    label = label.min(end - token.chars().count());
                    token.clone_into(&mut row[column + 1]);
                }
                _ if label < line.len() => return None,
                _ => {}
            }
        }
        let text = line.chars().take(label).collect::<String>();
        let text = text.trim();
        if text.is_empty() || label == line.len() {
            return None;
        }
        is_plain &= !text.contains(' ') && row.iter().skip(1).all(|cell| !cell.is_empty());
        row[0] = quoted(text);
        count += 1;
        rows.push(Some(row));
    }
    (count > 1 && !is_plain).then_some(rows)
}

/// The words of a line, and the place behind each.
fn tokens(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split(' ').filter_map(move |word| {
        let end = at + word.chars().count();
        at = end + 1;
        (!word.is_empty()).then_some((end, word))
    })
}

/// The table of such a text.
///
/// # Errors
/// As [`open`].
pub(super) fn open_edged(input: &mut Input) -> Result<Contents, InputError> {
    if input.request.figure.data.delimiter.is_some() {
        return csv::open(input);
    }
    let (bytes, held) = input.bytes()?;
    let Some(rows) = edged(text_from(&bytes, 0, input.request.file)?) else { return csv::open(input) };
    let csv = rows.iter().map(|row| row.as_deref().unwrap_or_default().join(",") + "\n").collect();
    held.keep();
    of_csv(csv, String::new(), input)
}

/// Whether all lines have as many fields of this kind, some with a blank within, and a column of numbers among them.
pub(super) fn is_aligned(head: &Head) -> bool {
    let Some(text) = head.lines() else { return false };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next() else { return false };
    let width = fields(first).count();
    let mut numbers = vec![true; width];
    let (mut has_blanks, mut rows) = (holds_names(first), 0);
    for line in lines {
        let row: Vec<&str> = fields(line).collect();
        // Programs that go on printing repeat the names.
        if line == first && !fields(line).any(|field| quantity(field).is_some()) {
            continue;
        }
        if row.len() != width || line.contains(['#', ',', ';', '|', '\t', '"']) {
            return false;
        }
        has_blanks |= holds_names(line);
        numbers.iter_mut().zip(&row).for_each(|(all, field)| *all &= quantity(field).is_some());
        rows += 1;
    }
    let is_plain = !first.contains(['#', ',', ';', '|', '\t', '"']);
    width > 1 && rows > 1 && is_plain && has_blanks && numbers.contains(&true)
}

/// The fields of a line.
fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split("  ").map(str::trim).filter(|field| !field.is_empty())
}

/// Whether a field of a line has several words, not all of them numbers.
fn holds_names(line: &str) -> bool {
    fields(line).any(|field| field.contains(' ') && field.split(' ').any(|word| parse_number(word).is_none()))
}

/// The table of such a text; a delimiter that the options name parts it as any other.
///
/// # Errors
/// No UTF-8, and as for other tables of text.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    if input.request.figure.data.delimiter.is_some() {
        return csv::open(input);
    }
    let (bytes, held) = input.bytes()?;
    let text = text_from(&bytes, 0, input.request.file)?;
    let mut csv = String::with_capacity(text.len());
    let skipped = input.request.figure.data.skip_rows.unwrap_or(0) as usize;
    let lines = || text.trim_start_matches('\u{feff}').lines();
    let names = lines().skip(skipped).find(|line| !line.trim().is_empty());
    // Names that are printed again are no rows.
    let has_names = input.request.figure.data.header != Some(Header::None)
        && names.is_some_and(|names| !fields(names).any(|field| quantity(field).is_some()));
    let mut is_named = false;
    for (number, line) in lines().enumerate() {
        let again = is_named && has_names && names == Some(line);
        is_named |= number >= skipped && names == Some(line);
        if number >= skipped && !again {
            csv.push_str(&fields(line).map(quoted).collect::<Vec<_>>().join(","));
        }
        csv.push('\n');
    }
    held.keep();
    of_csv(csv, String::new(), input)
}

//! Tables of text whose columns are two blanks or more apart, with single blanks in names. They are rewritten as CSV.

use super::csv;
use super::markup::{of_csv, quoted};
use super::reader::{Contents, Input};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::field::parse_number;

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
        if row.len() != width || line.contains(['#', ',', ';', '|', '\t', '"']) {
            return false;
        }
        has_blanks |= holds_names(line);
        numbers.iter_mut().zip(&row).for_each(|(all, field)| *all &= parse_number(field).is_some());
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
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if number >= skipped {
            csv.push_str(&fields(line).map(quoted).collect::<Vec<_>>().join(","));
        }
        csv.push('\n');
    }
    held.keep();
    of_csv(csv, String::new(), input)
}

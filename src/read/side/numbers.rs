//! Numbers and flags of side files: `.npy` arrays, and texts in which commas, semicolons and white space divide.

use crate::InputError;
use crate::array::{Array, Layout};
use crate::budget::{Budget, Reservation, read_side_file};
use crate::format::npy::{MAGIC, parse_header, parse_time_header};
use crate::position::Place;
use gridscope_core::calendar::parse_times;
use gridscope_core::figure::{AxisType, FileTest};
use std::path::Path;
use std::sync::Arc;

/// Bytes of a number of a side file, and of a row of them.
const NUMBER: u64 = 24;
const ROW: u64 = 72;

/// The numbers or times of an `.npy` file of one dimension, or of a text with one a line or commas between; or the seconds since 1970 of
/// the dates and times of a text, and that they are. Years alone are times on an axis of that type.
///
/// # Errors
/// When the file cannot be read, holds something else, or takes more memory than there is.
pub(super) fn read_values(
    path: &Path,
    file: &str,
    kind: Option<AxisType>,
    budget: &Arc<Budget>,
) -> Result<(Vec<f64>, bool), InputError> {
    let (bytes, _held) = read_side_file(path, file, budget)?;
    if bytes.starts_with(MAGIC) {
        let times = parse_time_header(&bytes, bytes.len() as u64).ok();
        let unit = times.as_ref().map(|t| t.1);
        let (array, _room) = match times {
            Some((layout, _)) => array_of(layout, &bytes, file, budget)?,
            None => read_side_array(&bytes, file, budget)?,
        };
        if !array.is_one_row() {
            return Err(InputError::refused(
                file,
                "header",
                format!("shape {:?}: axis values are one row of numbers", array.shape),
            ));
        }
        return Ok((array.numbers(unit), unit.is_some()));
    }
    if matches!(kind, None | Some(AxisType::Time))
        && let Some(times) = times_of(&bytes, kind.is_some())
    {
        return Ok((times, true));
    }
    let (rows, _room) = parse_table(&bytes, file, budget)?;
    Ok((rows.into_iter().flatten().collect(), false))
}

/// The times of a text, if it holds nothing else.
fn times_of(bytes: &[u8], years: bool) -> Option<Vec<f64>> {
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}');
    let lines = text.lines().map(|line| line.split_once('#').map_or(line, |l| l.0));
    let fields = lines.flat_map(|line| line.split([',', ';', '\t'])).map(str::trim);
    parse_times(fields.filter(|f| !f.is_empty()), years).filter(|times| !times.is_empty())
}

/// The array of an `.npy` file, and what its numbers take until they are where they belong.
///
/// # Errors
/// When it is not an array, or takes more memory than there is.
pub(super) fn read_side_array(
    bytes: &[u8],
    file: &str,
    budget: &Arc<Budget>,
) -> Result<(Array, Reservation), InputError> {
    let layout = parse_header(bytes, bytes.len() as u64).map_err(|f| f.of(file))?;
    array_of(layout, bytes, file, budget)
}

fn array_of(
    layout: Layout,
    bytes: &[u8],
    file: &str,
    budget: &Arc<Budget>,
) -> Result<(Array, Reservation), InputError> {
    let count = layout.count as u64;
    let room = budget
        .reserve(NUMBER.saturating_mul(count))
        .map_err(|s| s.of(file, format_args!("{count} numbers")))?;
    let data = &bytes[layout.start..];
    Ok((layout.decode(data), room))
}

/// The numbers of a text, line by line, and what they take; commas, semicolons and white space divide, blank lines and `#`
/// comments are skipped.
///
/// # Errors
/// When the text is not UTF-8, a field is not a number, or memory is too small.
fn parse_table(
    bytes: &[u8],
    file: &str,
    budget: &Arc<Budget>,
) -> Result<(Vec<Vec<f64>>, Reservation), InputError> {
    let mut room = budget.nothing();
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let place = Place::byte(e.valid_up_to() as u64);
        InputError::refused(file, place, "neither UTF-8 text nor an NPY file")
    })?;
    let mut rows = Vec::new();
    for (line_number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let fields = line.split([',', ';', ' ', '\t', '\r']).map(str::trim).filter(|f| !f.is_empty());
        // No line has more numbers than half of its bytes.
        room.owe(ROW + NUMBER * (line.len() as u64 / 2 + 1))
            .map_err(|s| InputError { place: Place::line(line_number), ..s.of(file, "its numbers") })?;
        let number = |f: &str| f.parse::<f64>().ok().or_else(|| flag(f).map(f64::from));
        let row: Result<Vec<f64>, _> = fields.map(|f| number(f).ok_or(f)).collect();
        match row {
            Ok(row) if row.is_empty() => {}
            Ok(row) => rows.push(row),
            Err(f) => {
                let f: String = f.chars().take(40).collect();
                let what = format!("'{f}' is not a number");
                return Err(InputError::refused(file, Place::line(line_number), what));
            }
        }
    }
    Ok((rows, room))
}

/// Whether a field of 0 and 1, or of true and false, is set; an empty one is not. `None` of other fields.
pub(super) fn flag(field: &str) -> Option<bool> {
    match field.trim() {
        "" | "0" | "false" | "False" | "FALSE" => Some(false),
        "1" | "true" | "True" | "TRUE" => Some(true),
        other => match other.parse::<f64>() {
            Ok(v) if v == 0.0 || v == 1.0 => Some(v == 1.0),
            _ => None,
        },
    }
}

/// A grid of 0 and 1.
#[derive(Debug)]
pub(super) struct Flags {
    pub rows: usize,
    pub columns: usize,
    /// Row after row.
    pub are_set: Vec<bool>,
}

impl Flags {
    /// Those of a file's bytes, where they hold 1 or meet a test; `what` they are, in words.
    ///
    /// # Errors
    /// When the bytes are not numbers, in rows of several lengths, or others than 0 and 1.
    pub(super) fn of(
        bytes: &[u8],
        file: &str,
        what: &str,
        test: Option<&FileTest>,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let refuse = |place: &str, what: String| InputError::refused(file, place, what);
        let (rows, columns, values, _room): (usize, usize, Vec<f64>, _) = if bytes.starts_with(MAGIC) {
            let (array, room) = read_side_array(bytes, file, budget)?;
            let values = array.to_f64();
            match array.shape[..] {
                [r, c] => (r, c, values, room),
                [c] => (1, c, values, room),
                _ => {
                    let what = format!("shape {:?}: {what} has two dimensions", array.shape);
                    return Err(refuse("header", what));
                }
            }
        } else {
            let (table, room) = parse_table(bytes, file, budget)?;
            let columns = table.first().map_or(0, Vec::len);
            if let Some(i) = table.iter().position(|r| r.len() != columns) {
                let what = format!("row {} has {} numbers, row 1 has {columns}", i + 1, table[i].len());
                return Err(refuse("", what));
            }
            (table.len(), columns, table.into_iter().flatten().collect(), room)
        };
        let is_set = |v: &f64| test.map_or(*v == 1.0, |test| test.holds(*v));
        if let (Some(v), None) = (values.iter().find(|v| **v != 0.0 && **v != 1.0), test) {
            return Err(refuse("", format!("{what} holds 0 and 1, found {v}")));
        }
        budget.take(values.len() as u64).map_err(|s| s.of(file, format_args!("{rows} x {columns} cells")))?;
        Ok(Self { rows, columns, are_set: values.iter().map(is_set).collect() })
    }

    /// Checks the shape against that of a grid.
    ///
    /// # Errors
    /// When they differ.
    pub(super) fn fits(
        file: &str,
        what: &str,
        own: (usize, usize),
        grid: (usize, usize),
    ) -> Result<(), InputError> {
        if own == grid {
            return Ok(());
        }
        let ((rows, columns), (h, w)) = (own, grid);
        let text =
            format!("{what} of {rows} rows x {columns} columns, but the grid has {h} rows x {w} columns");
        Err(InputError::refused(file, "", text))
    }
}

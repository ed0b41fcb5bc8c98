//! Workbooks of spreadsheets, .xlsx and .ods: a sheet is rewritten as CSV, row by row, and read as that.

use super::markup::{of_csv, quoted};
use super::reader::{Contents, Input};
use crate::error::InputError;
use crate::table::{listed, nearest};
use calamine::{Data, Error, ExcelDateTime, Ods, Range, Reader, Xlsx};
use std::io::{Cursor, Read};

/// An archive becomes at most this many times its bytes.
const MOST_RATIO: u64 = 1_000;

/// The table of a sheet: the first one, or the one that the figure names.
///
/// # Errors
/// Damage, no such sheet, too little memory, and as for other tables of text.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let request = input.request;
    let (bytes, held) = input.bytes()?;
    let file = request.file;
    let damaged = |what: String| InputError::refused(file, "", format!("is a damaged workbook: {what}"));
    let all = unpacked_size(&bytes, request.budget.left()).map_err(damaged)?;
    // Its texts, its cells, and the table of them.
    let room =
        request.budget.reserve(3 * all).map_err(|s| s.of(file, format_args!("{all} bytes of sheets")))?;
    let is_ods = bytes.get(30..).is_some_and(|name| name.starts_with(b"mimetype"));
    let data = Cursor::new(bytes);
    let (names, range) = match is_ods {
        true => sheet::<Ods<_>, _>(data, input)?,
        false => sheet::<Xlsx<_>, _>(data, input)?,
    };
    let mut notice = String::new();
    if names.len() > 1 && request.figure.data.sheet.is_none() {
        let (first, n) = (&names[0], names.len());
        notice = format!(
            "{file}: sheet '{first}', the first of {n}: {}; --sheet NAME reads another",
            listed(&names)
        );
    }
    let mut csv = String::new();
    let first = range.start().map_or(0, |(row, _)| row as usize);
    // Lines are numbered as the sheet's rows are.
    (0..first).for_each(|_| csv.push('\n'));
    for row in range.rows() {
        let cells: Vec<String> = row.iter().map(|cell| quoted(&text(cell))).collect();
        csv.push_str(&cells.join(","));
        csv.push('\n');
    }
    drop((range, room));
    held.keep();
    of_csv(csv, notice, input)
}

/// The names of the sheets, and the cells of the one that is meant.
fn sheet<R, E>(data: Cursor<Vec<u8>>, input: &Input) -> Result<(Vec<String>, Range<Data>), InputError>
where
    R: Reader<Cursor<Vec<u8>>, Error = E>,
    E: std::fmt::Display,
    Error: From<E>,
{
    let file = input.request.file;
    let damaged = |e: E| InputError::refused(file, "", format!("is a damaged workbook: {e}"));
    let mut book = R::new(data).map_err(damaged)?;
    let names = book.sheet_names();
    let wanted = input.request.figure.data.sheet.as_deref();
    let name = match wanted {
        None => names.first().cloned(),
        Some(name) => names.iter().find(|n| *n == name).cloned(),
    };
    let Some(name) = name else {
        let wanted = wanted.unwrap_or_default();
        let near = nearest(wanted, &names).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
        let e = InputError::usage(file, format!("no sheet '{wanted}'"));
        return Err(e.with_hint(format!("{near}sheets: {}", listed(&names))));
    };
    let range = book.worksheet_range(&name).map_err(damaged)?;
    Ok((names, range))
}

/// Bytes of all parts of an archive once they are decompressed.
///
/// # Errors
/// More than the limit or than the ratio allows, and what is no archive.
fn unpacked_size(bytes: &[u8], limit: u64) -> Result<u64, String> {
    let most = limit.min((bytes.len() as u64).saturating_mul(MOST_RATIO));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let mut all = 0;
    for i in 0..archive.len() {
        let part = archive.by_index(i).map_err(|e| e.to_string())?;
        let read = std::io::copy(&mut part.take(most - all + 1), &mut std::io::sink());
        all += read.map_err(|e| e.to_string())?;
        if all > most {
            return Err(format!("{} bytes become more than {most}", bytes.len()));
        }
    }
    Ok(all)
}

/// A cell as a text that reads back as it: dates as ISO 8601 writes them, formulas by their stored value.
fn text(cell: &Data) -> String {
    match cell {
        Data::Empty => String::new(),
        Data::Int(v) => v.to_string(),
        Data::Float(v) => v.to_string(),
        Data::Bool(v) => v.to_string(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::DateTime(time) => time_text(time),
        Data::Error(e) => e.to_string(),
    }
}

fn time_text(time: &ExcelDateTime) -> String {
    let clock = |hour: u64, minute: u64, second: u64, milli: u64| {
        let fraction = if milli > 0 { format!(".{milli:03}") } else { String::new() };
        format!("{hour:02}:{minute:02}:{second:02}{fraction}")
    };
    if time.is_duration() || (0.0..1.0).contains(&time.as_f64()) {
        let millis = (time.as_f64() * 86_400_000.0).round() as u64;
        return clock(millis / 3_600_000, millis / 60_000 % 60, millis / 1_000 % 60, millis % 1_000);
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second, milli) {
        (0, 0, 0, 0) => date,
        _ => format!("{date}T{}", clock(hour.into(), minute.into(), second.into(), milli.into())),
    }
}

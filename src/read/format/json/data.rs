//! JSON that holds data: lists of numbers, frames of pandas, records.

use super::asv;
use super::column::GrowingColumn;
use super::form::{Form, alike_groups, around, find, lines, report_rest};
use super::keys::{open_each, paths};
use super::outline::Node;
use super::picture::{Labelled, TREE, biom, matrix, picture, traces};
use super::records::check_options;
use super::shape::{KEY, READ_AS_DATA, Shape, not_data, shape};
use super::table::{JsonTable, begins_lines};
use super::tokenizer::{JsonFault, Scalar, Tokenizer, whole_text};
use crate::array::Array;
use crate::budget::Budget;
use crate::bytes::Content;
use crate::error::{ErrorKind, InputError};
use crate::figure_keys::is_figure_key;
use crate::format::compressed::inner_name;
use crate::format::reader::{Contents, Input, Request, cut_open_row};
use crate::position::{Place, place};
use crate::shell_word::{is_of_several, panel_names};
use crate::table::{Column, ColumnTable, ColumnValues};
use gridscope_core::figure::{Figure, WORDS};
use gridscope_core::grid::Values;
use gridscope_core::lint::Lints;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Keys that are looked at to tell data from a figure, and lines from a list.
const MOST_KEYS: usize = 1 << 20;

/// The data of a JSON text.
#[derive(Debug)]
pub(crate) enum Json {
    /// An array of numbers.
    Numbers(Array),
    /// A data frame, and what was noticed in its names.
    Frame(Box<ColumnTable>, Lints),
    /// Records, which [`super::JsonTable`] reads.
    Records,
    /// These bytes hold the records or the numbers alone, blanks elsewhere.
    Part(Range<usize>, bool),
    /// Records in other words than the text's, one a line, and whether the first value of each is its key.
    Lines(Vec<u8>, bool),
    /// An array with labels.
    Labelled(Box<Labelled>),
}

/// Keys that a budget has room for.
fn keys_within(budget: &Budget) -> usize {
    usize::try_from(budget.left() / 2 / KEY).unwrap_or(usize::MAX)
}

/// Whether the text, or its beginning, holds data rather than a figure.
pub(crate) fn is_data(text: &str) -> bool {
    let starts = text.trim_start_matches('\u{feff}').trim_start();
    match starts.chars().next() {
        Some('[') => true,
        Some('{') => shape(starts, &is_figure_key, MOST_KEYS) != Ok(Shape::Object) || !is_figure(starts),
        // Lines before it may be passed over.
        _ => !starts.is_empty(),
    }
}

/// Whether an object has the keys of a figure file, as far as its text is there: more of them than others, and tables under those
/// that have tables.
fn is_figure(text: &str) -> bool {
    let is_table = |key: &str| {
        let mut words = WORDS.iter().flat_map(|(_, words)| *words);
        words.any(|word| word.key.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
    };
    // A table under a name that is nearly that of one is misspelt.
    let is_near = |key: &str| {
        let tables = WORDS.iter().flat_map(|(_, words)| *words).filter_map(|word| word.key.split_once('.'));
        tables.map(|(table, _)| table).any(|table| strsim::jaro_winkler(key, table) > 0.9)
    };
    let (mut own, mut others) = (0, 0);
    let _ = Tokenizer::new(text, true).object(&mut |r, key, _| {
        // A list of objects within is no setting.
        if key == "data" && r.peek() == Some(b'{') {
            let mut has_rows = false;
            let read = r.object(&mut |r, _, _| {
                has_rows |= r.peek() == Some(b'[')
                    && text[r.at()..].trim_start_matches('[').trim_start().starts_with('{');
                r.skip()
            });
            *(if has_rows { &mut others } else { &mut own }) += 1;
            return read;
        }
        let holds_table = matches!(r.peek(), Some(b'{') | None);
        let fits = is_figure_key(&key) && (!is_table(&key) || holds_table) || holds_table && is_near(&key);
        if fits {
            own += 1;
        } else {
            others += 1;
        }
        r.skip()
    });
    others == 0 || own > 0 && own >= others
}

/// Whether the text consists of objects one after the other, of which more may follow.
fn is_lines(bytes: &[u8], file: &str) -> bool {
    named_lines(file)
        || whole_text(bytes, file).is_ok_and(|t| shape(t, &|_| true, MOST_KEYS) == Ok(Shape::Lines))
}

fn named_lines(file: &str) -> bool {
    let file = inner_name(file);
    file.ends_with(".jsonl") || file.ends_with(".ndjson")
}

/// Reads JSON data; its memory is taken off the budget. Records are not read, only recognised.
///
/// # Errors
/// Text that is not JSON, with line and column; a shape that is not data; a column of lists that the figure asks for; too
/// little memory.
fn read_json(
    bytes: &[u8],
    file: &str,
    figure: &Figure,
    panel: Option<&str>,
    budget: &Arc<Budget>,
) -> Result<(Json, Lints), InputError> {
    let text = whole_text(bytes, file)?;
    let refused = |f: JsonFault| f.error(file, |at| place(text, at));
    let tokens = || Tokenizer::new(text, figure.data.json_nan == Some(true));
    let keys = keys_within(budget);
    // A log of one line, or one on its way through a pipe.
    let line = file == "-" || named_lines(file);
    let array = |read: Result<Array, JsonFault>| read.map(Json::Numbers).map_err(refused);
    let frame = |read: Result<Vec<Column>, JsonFault>| {
        let (columns, mut lints) = (read.map_err(refused)?, Lints::default());
        check_options(figure, file)?;
        let table = ColumnTable::new(file, columns, &figure.data, &mut lints)?;
        Ok(Json::Frame(Box::new(table), lints))
    };
    let given = figure.data.key.as_deref();
    let read = match shape(text, &is_figure_key, keys) {
        // Standard input and logs of one line hold a row.
        Ok(Shape::Object) if given.is_none() && line => Ok(Json::Records),
        Ok(shape) if given.is_some() || shape == Shape::Object => {
            return of_part(text, figure, file, panel, keys, budget).map_err(refused);
        }
        Ok(Shape::Array) => array(numbers(tokens(), budget)),
        Ok(Shape::Values) => array(values(tokens(), budget)),
        Ok(Shape::Records | Shape::Lines) => Ok(Json::Records),
        Ok(Shape::Split) => frame(split(text, &tokens, budget)),
        Ok(Shape::Columns) => frame(by_columns(tokens(), budget)),
        Err(limit) if limit.kind == ErrorKind::Limit => Err(refused(limit)),
        other => {
            // What is not JSON at all says so, with its place.
            let mut tokens = tokens();
            tokens.skip().and_then(|()| tokens.end()).map_err(refused)?;
            let object = "is an object that is not data; a figure file comes first on the command line";
            Err(refused(other.err().unwrap_or_else(|| not_data(object))))
        }
    };
    Ok((read?, Lints::default()))
}

/// The table or the array of a part of the text: that under the key, or the only one of an object; and what is not in it.
///
/// # Errors
/// Text that is not JSON, no such part, and too little memory.
fn of_part(
    text: &str,
    figure: &Figure,
    file: &str,
    panel: Option<&str>,
    mut keys: usize,
    budget: &Arc<Budget>,
) -> Result<(Json, Lints), JsonFault> {
    let not_finite = figure.data.json_nan == Some(true);
    let several = panel.is_some();
    let mut tokens = Tokenizer::new(text, not_finite);
    let top = Node::read(&mut tokens, &mut keys)?;
    tokens.end()?;
    // Lists of like objects are one table.
    let one = figure.data.key.is_none().then(|| alike_groups(text, &top)).flatten();
    let form = match one {
        Some(form) => form,
        None => find(&top, figure.data.key.as_deref(), figure, several)?,
    };
    let mut rest = Lints::default();
    // Of many files, each would say the same.
    if !several {
        report_rest(&top, &form, figure, file, &mut rest);
    }
    let read = match form {
        Form::Array(node) => {
            let holder = around(&top, node);
            let labelled = holder.map(|holder| matrix(text, holder, node, not_finite, file, budget));
            match labelled.transpose()?.flatten() {
                Some(labelled) => Json::Labelled(Box::new(labelled)),
                None => Json::Part(node.range.clone(), false),
            }
        }
        Form::Records(node) if !several || node.range.len() > MOST_JOINED => {
            Json::Part(node.range.clone(), true)
        }
        Form::Columns(node, names) => {
            let columns = by_lists(text, node, &names, not_finite, budget)?;
            let mut lints = Lints::default();
            let table = ColumnTable::new(file, columns, &figure.data, &mut lints);
            let mut table = table.map_err(|e| JsonFault::new(node.range.start, e.what))?;
            table.set_keyed();
            Json::Frame(Box::new(table), lints)
        }
        Form::Picture(node) => Json::Labelled(Box::new(picture(text, node, not_finite, file, budget)?)),
        Form::Traces(node) => Json::Labelled(Box::new(traces(text, node, not_finite, file, budget)?)),
        Form::Biom(node) => Json::Labelled(Box::new(biom(text, node, file, budget)?)),
        Form::Asv(node) => {
            let bytes = TREE * node.range.len() as u64;
            let _room = budget.reserve(bytes).map_err(|s| JsonFault::short(0, "its rows", s))?;
            Json::Lines(asv::lines(text, node)?, false)
        }
        form => {
            let _room =
                budget.reserve(2 * text.len() as u64).map_err(|s| JsonFault::short(0, "its rows", s))?;
            let labelled = matches!(form, Form::Rows(_) | Form::Pairs(_));
            let lines = lines(text, &form, panel);
            let what = "holds values that are no objects among its rows";
            Json::Lines(lines.ok_or_else(|| JsonFault::new(0, what))?, labelled)
        }
    };
    Ok((read, rest))
}

/// Lists of up to this many bytes are joined with those of other files.
const MOST_JOINED: usize = 4 << 20;

/// Columns that are lists.
fn by_lists(
    text: &str,
    node: &Node,
    names: &[String],
    not_finite: bool,
    budget: &Arc<Budget>,
) -> Result<Vec<Column>, JsonFault> {
    let mut columns = Vec::new();
    for name in names {
        let Some(list) = node.find(name) else { continue };
        let start = list.range.start;
        let mut column = GrowingColumn::new(name, start, budget)?;
        let mut r = Tokenizer::new(&text[list.range.clone()], not_finite);
        let read = r.list(&mut |r| {
            r.peek();
            let at = r.at();
            column.push(&r.scalar()?, at)
        });
        read.map_err(|fault| JsonFault { at: start + fault.at, ..fault })?;
        columns.push(column);
    }
    finish(columns)
}

/// A list of numbers, of lists of numbers, and so on.
pub(super) fn numbers(mut r: Tokenizer<'_>, budget: &Arc<Budget>) -> Result<Array, JsonFault> {
    let (mut shape, mut cells) = (Vec::new(), GrowingColumn::new("", 0, budget)?);
    nested(&mut r, 0, &mut shape, &mut cells)?;
    r.end()?;
    array(shape.into_iter().map(|n: Option<usize>| n.unwrap_or(0)).collect(), cells)
}

fn nested(
    r: &mut Tokenizer<'_>,
    level: usize,
    shape: &mut Vec<Option<usize>>,
    cells: &mut GrowingColumn,
) -> Result<(), JsonFault> {
    // Only on the way to the first number are there levels to find.
    if level == shape.len() {
        shape.push(None);
    }
    let (mut n, at) = (0, r.at());
    r.list(&mut |r| {
        n += 1;
        match r.peek() {
            Some(b'[')
                if level + 1 < shape.len() || cells.len() == 0 && shape.iter().all(Option::is_none) =>
            {
                nested(r, level + 1, shape, cells)
            }
            Some(b'[') => Err(r.unexpected("a number")),
            _ if level + 1 < shape.len() => Err(r.unexpected("a list of numbers")),
            _ => number(r, cells),
        }
    })?;
    match shape[level].replace(n) {
        Some(before) if before != n => {
            let what = format!("a list of {n}, {before} expected as in the first");
            Err(JsonFault::new(at, what))
        }
        _ => Ok(()),
    }
}

/// One number, or null.
fn number(r: &mut Tokenizer<'_>, cells: &mut GrowingColumn) -> Result<(), JsonFault> {
    r.peek();
    let at = r.at();
    let value = match r.scalar()? {
        Scalar::Text(t) => {
            let t: String = t.chars().take(40).collect();
            let what = format!("the text '{t}' is not a number");
            return Err(JsonFault::new(at, what).with_hint(READ_AS_DATA));
        }
        Scalar::Bool(b) => Scalar::Integer(if b { "1" } else { "0" }),
        Scalar::Null => Scalar::NotFinite(f64::NAN),
        value => value,
    };
    cells.push(&value, at)
}

/// `height` rows of `width` values.
pub(super) fn values(mut r: Tokenizer<'_>, budget: &Arc<Budget>) -> Result<Array, JsonFault> {
    let (mut sides, mut cells) = ([0usize; 2], GrowingColumn::new("", 0, budget)?);
    r.object(&mut |r, key, at| {
        let side = match &*key {
            "height" => &mut sides[0],
            "width" => &mut sides[1],
            "values" => return r.list(&mut |r| number(r, &mut cells)),
            _ => return r.skip(),
        };
        let n = match r.scalar()? {
            Scalar::Integer(text) => text.parse().ok(),
            _ => None,
        };
        *side = n.ok_or_else(|| JsonFault::new(at, format!("'{key}' is not a number of cells")))?;
        Ok(())
    })?;
    r.end()?;
    let [height, width] = sides;
    if height.checked_mul(width) != Some(cells.len()) {
        let what = format!("{} values, but height {height} x width {width}", cells.len());
        return Err(JsonFault::new(0, what));
    }
    array(vec![height, width], cells)
}

fn array(shape: Vec<usize>, cells: GrowingColumn) -> Result<Array, JsonFault> {
    let data = match cells.finish()?.cells {
        ColumnValues::I64(v) => Values::I64(v),
        ColumnValues::U64(v) => Values::U64(v),
        ColumnValues::F32(data) => Values::F32 { data, integer: false },
        ColumnValues::F64(v) => Values::F64(v),
        ColumnValues::Texts { .. } => {
            let what =
                "integers over 2^53 beside fractions or nulls: no single type of number holds them exactly";
            return Err(JsonFault::new(0, what));
        }
    };
    Ok(Array { shape, data })
}

/// Columns that are objects, with a value under the key of each row: pandas' own orientation. The keys make a first column.
///
/// # Errors
/// The first fault of the text, columns of different lengths, and too little memory.
pub(super) fn by_columns(mut r: Tokenizer<'_>, budget: &Arc<Budget>) -> Result<Vec<Column>, JsonFault> {
    let mut columns = vec![GrowingColumn::new("", 0, budget)?];
    r.object(&mut |r, key, at| {
        let (is_first, mut column) = (columns.len() == 1, GrowingColumn::new(&key, at, budget)?);
        r.object(&mut |r, label, at| {
            if is_first {
                columns[0].push(&Scalar::Text(label), at)?;
            }
            column.push(&r.scalar()?, at)
        })?;
        let [rows, all] = [column.len(), columns[0].len()];
        if rows != all {
            let what = format!("{rows} rows under '{key}', {all} under the first column");
            return Err(JsonFault::new(at, what));
        }
        columns.push(column);
        Ok(())
    })?;
    r.end()?;
    finish(columns)
}

/// The rows of `data` under the names of `columns`, after a first column of `index`: pandas' `orient="split"`.
///
/// # Errors
/// As [`by_columns`].
pub(super) fn split<'a>(
    text: &'a str,
    tokens: &dyn Fn() -> Tokenizer<'a>,
    budget: &Arc<Budget>,
) -> Result<Vec<Column>, JsonFault> {
    let mut columns = vec![GrowingColumn::new("", 0, budget)?];
    tokens().object(&mut |r, key, _| match &*key {
        "columns" => r.list(&mut |r| {
            let at = r.at();
            let name = match r.scalar()? {
                Scalar::Text(name) => name,
                Scalar::Null => Cow::Borrowed(""),
                // As it is written.
                _ => Cow::Borrowed(text[at..r.at()].trim()),
            };
            columns.push(GrowingColumn::new(&name, at, budget)?);
            Ok(())
        }),
        "index" => r.list(&mut |r| {
            let label = match r.scalar()? {
                Scalar::Null => Scalar::Text(Cow::Borrowed("")),
                label => label,
            };
            columns[0].push(&label, r.at())
        }),
        _ => r.skip(),
    })?;
    let (width, mut rows) = (columns.len() - 1, 0);
    let mut r = tokens();
    r.object(&mut |r, key, _| {
        if key != "data" {
            return r.skip();
        }
        r.list(&mut |r| {
            let (mut i, at) = (0, r.at());
            r.list(&mut |r| {
                let at = r.at();
                let value = r.scalar()?;
                i += 1;
                columns.get_mut(i).map_or(Ok(()), |c| c.push(&value, at))
            })?;
            rows += 1;
            if i == width {
                return Ok(());
            }
            Err(JsonFault::new(at, format!("{i} values in a row, {width} columns")))
        })
    })?;
    r.end()?;
    match columns[0].len() {
        0 => drop(columns.remove(0)),
        labels if labels == rows => {}
        labels => {
            let what = format!("{labels} labels in 'index', {rows} rows in 'data'");
            return Err(JsonFault::new(0, what));
        }
    }
    finish(columns)
}

/// The columns with all of their rows.
fn finish(columns: Vec<GrowingColumn>) -> Result<Vec<Column>, JsonFault> {
    columns.into_iter().map(GrowingColumn::finish).collect()
}

/// The table or the array of a JSON text.
///
/// # Errors
/// Text that is not JSON, with line and column; a shape that is not data; what the options are at fault with; too little
/// memory.
pub(crate) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let request = input.request;
    let Request { file, figure, budget, .. } = request;
    let named = |file: &str| match request.needs.by_path {
        true => file.to_owned(),
        false => panel_names(&[file.to_owned()]).concat(),
    };
    let panel = request.needs.together.then(|| named(request.file));
    let is_plain = figure.data.key.is_none() && figure.data.skip_rows.is_none();
    if is_plain && input.start_of_long_text()?.is_some_and(|start| begins_lines(&start)) {
        let (content, waits) = input.rows()?;
        return records(content, waits, &request);
    }
    let (mut bytes, held) = input.bytes()?;
    if let Some(lines) = figure.data.skip_rows {
        blank_lines(&mut bytes, lines);
    }
    let waits = request.needs.growing && is_lines(&bytes, file) && cut_open_row(&mut bytes);
    let refused = |f: JsonFault, bytes: &[u8]| f.error(file, |at| place(&String::from_utf8_lossy(bytes), at));
    if figure.data.key.as_deref().is_some_and(is_of_several) {
        let named = paths(whole_text(&bytes, file)?, figure, keys_within(budget));
        if let Some(paths) = named.map_err(|f| refused(f, &bytes))? {
            return open_each(&paths, (bytes, held), input);
        }
    }
    let (read, rest) = read_json(&bytes, file, figure, panel.as_deref(), budget)?;
    input.lints.append(rest);
    match read {
        Json::Part(range, is_table) => {
            let mark = if bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
            let is_line_end = |b: &u8| matches!(b, b'\n' | b'\r');
            let (from, to) = (range.start + mark, range.end + mark);
            let (before, rest) = bytes.split_at_mut(from);
            let outside = before.iter_mut().chain(&mut rest[to - from..]);
            outside.filter(|b| !is_line_end(b)).for_each(|b| *b = b' ');
            if is_table {
                held.keep();
                return records(Content::Memory(bytes), waits, &request);
            }
            let text = std::str::from_utf8(&bytes).unwrap_or_default();
            let array = numbers(Tokenizer::new(text, figure.data.json_nan == Some(true)), budget);
            Contents::array_of_key(Box::new(array.map_err(|f| refused(f, &bytes))?), &request)
        }
        Json::Labelled(array) => Contents::array_of_key(array, &request),
        Json::Lines(lines, labelled) => Ok(Contents::Rows { lines, labelled }),
        Json::Numbers(array) => {
            drop((bytes, held));
            Contents::array(Box::new(array), &request)
        }
        Json::Records => {
            // The table has them to the end of the run.
            held.keep();
            records(Content::Memory(bytes), waits, &request)
        }
        Json::Frame(table, lints) => Ok(Contents::table(*table, lints, String::new(), waits)),
    }
}

/// Puts blanks in place of the first lines.
fn blank_lines(bytes: &mut [u8], lines: u64) {
    for _ in 0..lines {
        let Some(line) = bytes.iter().position(|b| *b == b'\n' || (*b != b' ' && *b != b'\r')) else {
            return;
        };
        let end = bytes[line..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| line + n);
        bytes[..end].iter_mut().for_each(|b| *b = b' ');
        if end < bytes.len() {
            bytes[end] = b'\r';
        }
    }
}

/// The table of records one a line that were joined from several files; `labelled` if the first value of each is its key.
///
/// # Errors
/// As [`JsonTable::open`]; faults have no place.
pub(crate) fn table_of_lines(
    lines: Vec<u8>,
    labelled: bool,
    name: &str,
    request: &Request,
) -> Result<Contents, InputError> {
    let room = request.budget.reserve(lines.len() as u64).map_err(|s| s.of(name, "its rows"))?;
    room.keep();
    let read = JsonTable::open(Content::Memory(lines), name, request.figure, request.budget);
    let (mut table, lints, notice) = read.map_err(|e| InputError { place: Place::default(), ..e })?;
    if labelled {
        table.set_labelled();
    }
    Ok(Contents::table(table, lints, notice, false))
}

fn records(content: Content, waits: bool, request: &Request) -> Result<Contents, InputError> {
    let (table, lints, notice) = JsonTable::open(content, request.file, request.figure, request.budget)?;
    Ok(Contents::table(table, lints, notice, waits))
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod random_tests;

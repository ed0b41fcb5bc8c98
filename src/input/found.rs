//! What one file holds: its bytes are sniffed and handed to the reader of their format.

use super::array::{Array, AxisValues, Layout, STORED_FROM, StoredArray, lone_grids};
use super::budget::Budget;
use super::bytes::{Content, Kind, is_store, open_file, read_exact_at, refuse, sniff, unreadable};
use super::error::InputError;
use super::fingerprint::Fingerprint;
use super::format::csv::{CsvTable, HEAD as SMALL_TEXT};
use super::format::json::{Json, JsonLinesTable, begins_lines, is_lines, read_json};
use super::format::npy::{check_length, parse_header, read_npy};
use super::format::npz::read_npz;
use super::format::raw;
#[cfg(feature = "zarr")]
use super::format::zarr::{fingerprint, zarr_grids};
use super::loaded::Needs;
use super::pipe::{PATIENCE, is_named_pipe};
use super::pivot::Opened;
use super::table::TableSource;
use super::whole::{Whole, read_whole, read_whole_opened, read_whole_pipe};
use crate::figure::Figure;
use crate::grid::{CELL_BYTES, Grid};
use crate::lint::Lints;
use std::fs::{File, Metadata};
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;
use std::sync::Arc;

/// The longest NPY header, and the bytes before it.
const HEAD: u64 = (64 << 10) + 12;

/// Cuts a last row off that has no end yet; whether there was one. A lone row stays.
fn ended(bytes: &mut Vec<u8>) -> bool {
    let end = bytes
        .iter()
        .rposition(|b| matches!(b, b'\n' | b'\r'))
        .map_or(0, |i| i + 1);
    let cut = end > 0 && end < bytes.len();
    bytes.truncate(if cut { end } else { bytes.len() });
    cut
}

/// The same of a long file: gives the bytes that are left, and whether a row was cut off.
fn ended_file(file: &File, len: u64, name: &str) -> Result<(u64, bool), InputError> {
    let mut tail = vec![0; SMALL_TEXT.min(len) as usize];
    read_exact_at(file, &mut tail, len - SMALL_TEXT.min(len)).map_err(|e| unreadable(name, &e))?;
    let before = tail.len();
    let cut = ended(&mut tail);
    Ok((len - (before - tail.len()) as u64, cut))
}

/// The table of a Parquet or Arrow file.
#[cfg_attr(not(any(feature = "parquet", feature = "arrow")), allow(unused_variables))]
fn columnar(
    name: &str,
    kind: Kind,
    content: Content,
    figure: &Figure,
    needs: &Needs,
    budget: &Arc<Budget>,
) -> Result<Opened, InputError> {
    #[cfg(any(feature = "parquet", feature = "arrow"))]
    let request = super::format::decoding::Request {
        file: name,
        figure,
        needs,
        budget,
    };
    #[cfg(any(feature = "parquet", feature = "arrow"))]
    let mut lints = Lints::default();
    match kind {
        #[cfg(feature = "parquet")]
        Kind::Parquet => {
            let table = super::format::parquet::ParquetTable::open(content, &request, &mut lints)?;
            Ok((Box::new(table), lints))
        }
        #[cfg(feature = "arrow")]
        Kind::Arrow => {
            let table = super::format::arrow::ArrowTable::open(content, &request, &mut lints)?;
            Ok((Box::new(table), lints))
        }
        _ => Err(super::bytes::unbuilt(name, kind)),
    }
}

/// What a file holds.
pub(super) enum Found {
    /// Arrays: their grids, what they were, in words, and the axis values that stand beside them.
    Grids(Vec<Grid>, String, AxisValues),
    /// A table.
    Table(Table),
}

/// A table, what was noticed while it was opened, and whether its last row has no end yet.
pub(super) struct Table {
    pub opened: Opened,
    pub noticed: String,
    pub waits: bool,
}

/// The grids of an array of this shape.
fn array_of(grids: Vec<Grid>, shape: &[usize]) -> Found {
    let shape = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ");
    Found::Grids(grids, format!("array of {shape}"), AxisValues::default())
}

/// A table that is whole.
fn table(opened: Opened) -> Found {
    Found::Table(Table {
        opened,
        noticed: String::new(),
        waits: false,
    })
}

/// Reads a table in blocks; the last argument says that a row without an end was cut off.
type TableReader = fn(Content, &str, &Figure, &Arc<Budget>, bool) -> Result<Found, InputError>;

/// A table of text.
fn table_of_text(
    content: Content,
    name: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
    waits: bool,
) -> Result<Found, InputError> {
    let mut lints = Lints::default();
    let opened = CsvTable::open(content, name, &figure.data, &mut lints, budget)?;
    Ok(Found::Table(Table {
        opened: (Box::new(opened), lints),
        noticed: String::new(),
        waits,
    }))
}

/// A table of JSON Lines.
fn table_of_lines(
    content: Content,
    name: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
    waits: bool,
) -> Result<Found, InputError> {
    let (table, lints, noticed) = JsonLinesTable::open(content, name, figure, budget)?;
    Ok(Found::Table(Table {
        opened: (Box::new(table), lints),
        noticed,
        waits,
    }))
}

/// The arrays of an archive.
fn arrays_of(
    from: impl Read + Seek,
    name: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Found, InputError> {
    let npz = read_npz(from, name, figure, budget)?;
    Ok(Found::Grids(npz.grids, npz.summary, npz.axis_values))
}

/// What a file holds; and, where it is needed, what file it was.
pub(super) fn found(
    name: &str,
    figure: &Figure,
    raw: Option<&Layout>,
    budget: &Arc<Budget>,
    needs: &Needs,
) -> Result<(Found, Option<Fingerprint>), InputError> {
    let path = Path::new(name);
    let prints = needs.fingerprints;
    let whole = |whole: Whole| {
        let print = prints.then(|| Fingerprint::of_bytes(name, &whole.0));
        Ok((in_memory(whole, name, figure, raw, needs)?, print))
    };
    if name == "-" {
        return whole(read_whole(path, budget)?);
    }
    if is_store(path) {
        return store(name, figure, budget, prints);
    }
    if is_named_pipe(path) {
        return whole(read_whole_pipe(path, budget, needs.patience.unwrap_or(PATIENCE))?);
    }
    let (mut file, meta) = open_file(path)?;
    if meta.is_file() {
        let header = match raw {
            Some(h) => {
                raw::check_length(h, meta.len(), name)?;
                Some(h.clone())
            }
            None => {
                let head = head(&mut file, name)?;
                match sniff(&head) {
                    Kind::Npy => Some(stored_header(&head, &meta, name)?),
                    Kind::Zip => {
                        let print = prints.then(|| Fingerprint::of_file(name, &file)).transpose()?;
                        return Ok((arrays_of(BufReader::new(file), name, figure, budget)?, print));
                    }
                    kind @ (Kind::Parquet | Kind::Arrow) => {
                        let file = Arc::new(file);
                        let print = prints.then(|| Fingerprint::of_file(name, &file)).transpose()?;
                        return Ok((
                            table(columnar(
                                name,
                                kind,
                                Content::File(file, meta.len()),
                                figure,
                                needs,
                                budget,
                            )?),
                            print,
                        ));
                    }
                    kind @ (Kind::Text | Kind::Json) if meta.len() > SMALL_TEXT => {
                        let table = if kind == Kind::Text && !named_json(name) {
                            Some(table_of_text as TableReader)
                        } else {
                            begins_lines(&start(&file, name)?).then_some(table_of_lines as TableReader)
                        };
                        if let Some(table) = table {
                            let print = prints.then(|| Fingerprint::of_file(name, &file)).transpose()?;
                            let (len, waits) = if needs.growing {
                                ended_file(&file, meta.len(), name)?
                            } else {
                                (meta.len(), false)
                            };
                            let content = Content::File(Arc::new(file), len);
                            return Ok((table(content, name, figure, budget, waits)?, print));
                        }
                        None
                    }
                    _ => None,
                }
            }
        };
        if let Some(h) = header.filter(|h| h.count >= STORED_FROM) {
            let file = Arc::new(file);
            let array = StoredArray::new(&file, name, h.clone());
            let grids = lone_grids(Box::new(array), name, figure, budget)?;
            let print = prints.then(|| Fingerprint::of_file(name, &file)).transpose()?;
            return Ok((array_of(grids, &h.shape), print));
        }
    }
    whole(read_whole_opened(&mut file, &meta, name, budget)?)
}

/// What a Zarr store holds.
#[cfg(feature = "zarr")]
fn store(
    name: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
    prints: bool,
) -> Result<(Found, Option<Fingerprint>), InputError> {
    let (grids, what) = zarr_grids(name, figure, budget)?;
    let print = prints.then(|| fingerprint(name, figure, budget)).transpose()?;
    Ok((Found::Grids(grids, what, AxisValues::default()), print))
}

/// Without the feature `zarr` a store is known by its metadata, and refused.
#[cfg(not(feature = "zarr"))]
fn store(
    name: &str,
    _: &Figure,
    _: &Arc<Budget>,
    _: bool,
) -> Result<(Found, Option<Fingerprint>), InputError> {
    Err(
        InputError::refused(name, "", "is a Zarr store, which this build does not read")
            .with_hint("cargo build --features zarr"),
    )
}

/// The first bytes of a file, which then stands at its beginning again.
fn head(file: &mut File, name: &str) -> Result<Vec<u8>, InputError> {
    let mut head = Vec::new();
    let read = file.take(HEAD).read_to_end(&mut head).and_then(|_| file.rewind());
    read.map_err(|e| unreadable(name, &e))?;
    Ok(head)
}

/// The first bytes of a file of more than [`SMALL_TEXT`] bytes.
fn start(file: &File, name: &str) -> Result<Vec<u8>, InputError> {
    let mut bytes = vec![0; SMALL_TEXT as usize];
    read_exact_at(file, &mut bytes, 0).map_err(|e| unreadable(name, &e))?;
    Ok(bytes)
}

/// The header of a file that holds a whole NPY array.
fn stored_header(head: &[u8], meta: &Metadata, name: &str) -> Result<Layout, InputError> {
    let header = parse_header(head, name)?;
    check_length(&header, meta.len().saturating_sub(header.start as u64), name)?;
    Ok(header)
}

pub(super) fn in_memory(
    (mut bytes, held): Whole,
    name: &str,
    figure: &Figure,
    raw: Option<&Layout>,
    needs: &Needs,
) -> Result<Found, InputError> {
    let budget = &Arc::clone(held.budget());
    let decoded = |count: usize| {
        budget
            .take(CELL_BYTES.saturating_mul(count as u64))
            .map_err(|s| s.of(name, format_args!("{count} elements")))
    };
    let array = match (raw, sniff(&bytes)) {
        (Some(h), _) => {
            raw::check_length(h, bytes.len() as u64, name)?;
            decoded(h.count)?;
            h.clone().decode(&bytes)
        }
        (None, Kind::Npy) => {
            let h = parse_header(&bytes, name)?;
            check_length(&h, (bytes.len() - h.start) as u64, name)?;
            decoded(h.count)?;
            read_npy(&bytes, name)?
        }
        (None, Kind::Zip) => return arrays_of(Cursor::new(bytes), name, figure, budget),
        (None, Kind::Json | Kind::Text) if sniff(&bytes) == Kind::Json || named_json(name) => {
            let waits = needs.growing && is_lines(&bytes, name) && ended(&mut bytes);
            match read_json(&bytes, name, figure, budget)? {
                Json::Numbers(n) => Array {
                    shape: n.shape,
                    data: n.data,
                },
                Json::Lines => {
                    // The table has them to the end of the run.
                    held.keep();
                    return table_of_lines(Content::Memory(bytes), name, figure, budget, waits);
                }
                Json::Table(table, lints, noticed) => {
                    return Ok(Found::Table(Table {
                        opened: (table as Box<dyn TableSource>, lints),
                        noticed,
                        waits,
                    }));
                }
            }
        }
        (None, kind @ (Kind::Parquet | Kind::Arrow)) => {
            // The table has them to the end of the run.
            held.keep();
            return Ok(table(columnar(
                name,
                kind,
                Content::Memory(bytes),
                figure,
                needs,
                budget,
            )?));
        }
        (None, Kind::Text | Kind::Json) => {
            let waits = needs.growing && ended(&mut bytes);
            held.keep();
            return table_of_text(Content::Memory(bytes), name, figure, budget, waits);
        }
        (None, Kind::Other(what)) => return Err(refuse(name, what)),
    };
    drop((bytes, held));
    let shape = array.shape.clone();
    Ok(array_of(
        lone_grids(Box::new(array), name, figure, budget)?,
        &shape,
    ))
}

/// Whether a file is JSON by its name, so that a fault in it is told as one.
fn named_json(name: &str) -> bool {
    let extension = Path::new(name)
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default();
    ["json", "jsonl", "ndjson"]
        .iter()
        .any(|e| extension.eq_ignore_ascii_case(e))
}

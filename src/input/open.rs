//! Any file by its content: read, sniffed, and handed to its reader.

use super::array::{array_grids, stored_grids};
use super::bytes::{Content, Kind, open_file, read_file, read_opened, refuse, sniff, text, unreadable};
#[cfg(any(feature = "parquet", feature = "arrow"))]
use super::columnar::read_columnar as columnar;
use super::csv::Records;
use super::error::InputError;
use super::figure_file::{Format, read_figure, resolve_paths};
use super::fingerprint::Fingerprint;
use super::loaded::{Loaded, Needs};
use super::npy::{declared, decode_array, read_npy};
use super::npy_header::Header;
use super::raw::{fits, parse_raw};
use super::select::apply;
use super::table::read_all;
use crate::figure::Figure;
use crate::grid::Grid;
use crate::lint::Lints;
use std::fs::{File, Metadata};
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;

/// Figure files are words; nobody writes one larger than this.
const MOST_FIGURE_BYTES: u64 = 16 << 20;

/// From so many elements on an array stays in its file; below, it is read at once.
pub const STORED_FROM: usize = 1 << 18;

/// The longest NPY header, and what stands before it.
const HEAD: u64 = (64 << 10) + 12;

/// A figure from a file, by its extension TOML or JSON; `None` when the name says it is data.
///
/// # Errors
/// When it cannot be read, or is no figure.
pub fn open_figure(path: &str) -> Result<Option<Figure>, InputError> {
    let format = match Path::new(path).extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("toml") => Format::Toml,
        Some("json") => Format::Json,
        _ => return Ok(None),
    };
    let bytes = read_file(Path::new(path), MOST_FIGURE_BYTES)?;
    let mut figure = read_figure(&bytes, path, format)?;
    if let Some(base) = Path::new(path).parent().filter(|b| !b.as_os_str().is_empty()) {
        resolve_paths(&mut figure, base);
    }
    Ok(Some(figure))
}

/// The grids of one or several files, masked and cut as the figure says. `limit` is the most bytes that data may take in
/// memory; arrays of [`STORED_FROM`] elements and more stay in their files.
///
/// # Errors
/// What a file or the options are at fault with.
pub fn open(files: &[String], figure: &Figure, needs: &Needs, limit: u64) -> Result<Loaded, InputError> {
    let mut tables: Vec<(String, Table)> = Vec::new();
    let mut loaded = Loaded::default();
    let raw = figure.data.raw.as_deref().map(parse_raw).transpose().map_err(|e| InputError::usage("", format!("raw {e}")))?;
    for file in files {
        let (found, print) = found(file, figure, raw.as_ref(), needs, limit)?;
        loaded.inputs.extend(print);
        let mut grids = match found {
            Found::Grids(grids, what) => {
                told(&mut loaded.told, &format!("{file}: {what}"));
                grids
            }
            Found::Table(table) => {
                tables.push((file.clone(), table));
                continue;
            }
        };
        if files.len() > 1 && grids.len() == 1 {
            grids[0].name = Path::new(file).file_stem().map_or(file.clone(), |s| s.to_string_lossy().into_owned());
        }
        loaded.grids.append(&mut grids);
    }
    if !tables.is_empty() {
        let mut records = Vec::with_capacity(tables.len());
        for (file, table) in tables {
            records.push(match table {
                Table::Records(records, lints) => (*records, lints),
                Table::Text(mut bytes) => {
                    loaded.waits |= needs.growing && ended(&mut bytes);
                    let mut lints = Lints::default();
                    (Records::read(text(&bytes, &file)?, &file, &figure.data, &mut lints)?, lints)
                }
            });
        }
        let mut more = read_all(records, figure, needs)?;
        loaded.grids.append(&mut more.grids);
        loaded.lints.append(more.lints);
        told(&mut loaded.told, &more.told);
    }
    let name = files.first().map_or("", String::as_str);
    loaded.grids = apply(loaded.grids, figure, Path::new(""), name, limit)?;
    Ok(loaded)
}

/// Cuts a last row off that has no end yet; whether there was one. A lone row stays.
fn ended(bytes: &mut Vec<u8>) -> bool {
    let end = bytes.iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(0, |i| i + 1);
    let cut = end > 0 && end < bytes.len();
    bytes.truncate(if cut { end } else { bytes.len() });
    cut
}

#[cfg(not(any(feature = "parquet", feature = "arrow")))]
fn columnar(name: &str, kind: Kind, _: Content, _: &Figure, _: &Needs, _: u64) -> Result<(Records, Lints), InputError> {
    Err(super::bytes::unbuilt(name, kind))
}

/// What a file holds.
enum Found {
    /// Arrays: their grids, and what they were, in words.
    Grids(Vec<Grid>, String),
    /// A table.
    Table(Table),
}

/// A table, read or not.
enum Table {
    /// Its text.
    Text(Vec<u8>),
    /// Its records, and what was noticed while they were read.
    #[cfg_attr(not(any(feature = "parquet", feature = "arrow")), allow(dead_code))]
    Records(Box<Records>, Lints),
}

/// The grids of an array of this shape.
fn array_of(grids: Vec<Grid>, shape: &[usize]) -> Found {
    let shape = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ");
    Found::Grids(grids, format!("array of {shape}"))
}

/// What a file holds; and, where fingerprints are needed, what file it was.
fn found(name: &str, figure: &Figure, raw: Option<&Header>, needs: &Needs, limit: u64) -> Result<(Found, Option<Fingerprint>), InputError> {
    let (path, prints) = (Path::new(name), needs.fingerprints);
    let whole = |bytes: Vec<u8>| {
        let print = prints.then(|| Fingerprint::of_bytes(name, &bytes));
        Ok((in_memory(bytes, name, figure, raw, needs, limit)?, print))
    };
    if name == "-" {
        return whole(read_file(path, limit)?);
    }
    let (mut file, meta) = open_file(path)?;
    if meta.is_file() {
        let header = match raw {
            Some(h) => {
                fits(h, meta.len(), name)?;
                Some(h.clone())
            }
            None => {
                let head = head_of(&mut file, name)?;
                match sniff(&head) {
                    Kind::Npy => Some(stored_header(&head, &meta, name)?),
                    kind @ (Kind::Parquet | Kind::Arrow) => {
                        let file = Arc::new(file);
                        let print = prints.then(|| Fingerprint::of_file(name, &file)).transpose()?;
                        let (records, lints) = columnar(name, kind, Content::File(file, meta.len()), figure, needs, limit)?;
                        return Ok((Found::Table(Table::Records(Box::new(records), lints)), print));
                    }
                    _ => None,
                }
            }
        };
        if let Some(h) = header.filter(|h| h.count >= STORED_FROM) {
            let file = Arc::new(file);
            if let Some(grids) = stored_grids(&file, name, &h, figure)? {
                let print = prints.then(|| Fingerprint::of_file(name, &file)).transpose()?;
                return Ok((array_of(grids, &h.shape), print));
            }
            return whole(read_file(path, limit)?);
        }
    }
    whole(read_opened(&mut file, &meta, name, limit)?)
}

/// The first bytes of a file, which then stands at its beginning again.
fn head_of(file: &mut File, name: &str) -> Result<Vec<u8>, InputError> {
    let mut head = Vec::new();
    let read = file.take(HEAD).read_to_end(&mut head).and_then(|_| file.rewind());
    read.map_err(|e| unreadable(name, &e))?;
    Ok(head)
}

/// The header of a file that holds a whole NPY array.
fn stored_header(head: &[u8], meta: &Metadata, name: &str) -> Result<Header, InputError> {
    let header = Header::parse(head, name)?;
    declared(&header, meta.len().saturating_sub(header.start as u64), name)?;
    Ok(header)
}

fn in_memory(bytes: Vec<u8>, name: &str, figure: &Figure, raw: Option<&Header>, needs: &Needs, limit: u64) -> Result<Found, InputError> {
    let array = match (raw, sniff(&bytes)) {
        (Some(h), _) => {
            fits(h, bytes.len() as u64, name)?;
            decode_array(&bytes, h.clone())
        }
        (None, Kind::Npy) => read_npy(&bytes, name)?,
        (None, kind @ (Kind::Parquet | Kind::Arrow)) => {
            let (records, lints) = columnar(name, kind, Content::Memory(bytes), figure, needs, limit)?;
            return Ok(Found::Table(Table::Records(Box::new(records), lints)));
        }
        (None, Kind::Text) => return Ok(Found::Table(Table::Text(bytes))),
        (None, Kind::Other(what)) => return Err(refuse(name, what)),
    };
    drop(bytes);
    let shape = array.shape.clone();
    Ok(array_of(array_grids(array, name, figure)?, &shape))
}

fn told(all: &mut String, line: &str) {
    if !all.is_empty() {
        all.push_str("; ");
    }
    all.push_str(line);
}

//! Any file by its content: read, sniffed, and handed to its reader.

use super::array::array_grids;
use super::bytes::{Kind, read_file, sniff, text};
use super::error::InputError;
use super::figure_file::{Format, read_figure, resolve_paths};
use super::loaded::{Loaded, Needs};
use super::npy::read_npy;
use super::select::apply;
use super::table::read_tables;
use crate::figure::Figure;
use crate::lint::Lints;
use std::path::Path;

/// Figure files are words; nobody writes one larger than this.
const MOST_FIGURE_BYTES: u64 = 16 << 20;

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

/// The grids of one or several files, masked and cut as the figure says. `limit` is the most bytes a file may have.
///
/// # Errors
/// What a file or the options are at fault with.
pub fn open(files: &[String], figure: &Figure, needs: &Needs, limit: u64) -> Result<Loaded, InputError> {
    let mut tables: Vec<(String, Vec<u8>)> = Vec::new();
    let mut loaded = Loaded { grids: Vec::new(), lints: Lints::default(), told: String::new() };
    for file in files {
        let bytes = read_file(Path::new(file), limit)?;
        match sniff(&bytes) {
            Kind::Npy => {
                let array = read_npy(&bytes, file)?;
                drop(bytes);
                let shape = array.shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ");
                told(&mut loaded.told, &format!("{file}: array of {shape}"));
                let mut grids = array_grids(array, file, figure)?;
                if files.len() > 1 && grids.len() == 1 {
                    grids[0].name = Path::new(file).file_stem().map_or(file.clone(), |s| s.to_string_lossy().into_owned());
                }
                loaded.grids.append(&mut grids);
            }
            Kind::Text => tables.push((file.clone(), bytes)),
            Kind::Other(what) => return Err(super::bytes::refuse(file, what)),
        }
    }
    if !tables.is_empty() {
        let texts = tables.iter().map(|(f, b)| Ok((f.as_str(), text(b, f)?))).collect::<Result<Vec<_>, InputError>>()?;
        let mut more = read_tables(&texts, figure, needs)?;
        loaded.grids.append(&mut more.grids);
        loaded.lints.append(more.lints);
        told(&mut loaded.told, &more.told);
    }
    let name = files.first().map_or("", String::as_str);
    loaded.grids = apply(loaded.grids, figure, Path::new(""), name)?;
    Ok(loaded)
}

fn told(all: &mut String, line: &str) {
    if !all.is_empty() {
        all.push_str("; ");
    }
    all.push_str(line);
}

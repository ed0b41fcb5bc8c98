//! Zarr stores, versions 2 and 3: chunks are read where a window needs them, and no file outside the store is.

mod checksum;
mod shuffle;
mod blosclz;
mod inflate;
mod blosc;
mod codec;
mod fill;
mod metadata;
mod storage;
mod folder;
mod store;
mod cache;
mod chunks;
mod read;
mod hierarchy;
mod coordinates;
mod array;

use super::reader::{Contents, Input, Request};
use crate::figure::Figure;
use crate::grid::Grid;
use crate::input::array::{AxisValues, shape_text, source_grids};
use crate::input::budget::{Budget, Taken};
use crate::input::error::InputError;
use crate::input::fingerprint::Fingerprint;
use crate::input::panels::check_count;
use array::ZarrArray;
use fill::name_of;
use hierarchy::{Picked, pick};
use std::sync::Arc;
use storage::joined;
use store::Store;

/// Files of an array that a fingerprint lists, and what each takes.
const MOST_FILES: usize = 1 << 20;
const FILE: u64 = 200;

/// The arrays of a store.
///
/// # Errors
/// When the options do not name one array, or what they name is not read.
pub fn open(input: &mut Input) -> Result<Contents, InputError> {
    let Request {
        file,
        figure,
        needs,
        budget,
    } = input.request;
    let (grids, summary) = store_grids(Store::open(file, budget)?, figure, budget)?;
    let print = needs.fingerprints.then(|| fingerprint(file, figure, budget));
    input.fingerprint = print.transpose()?;
    Ok(Contents::Arrays {
        grids,
        summary,
        axis_values: AxisValues::default(),
    })
}

/// The grids of a store, and what they are in words; what they take is taken off the budget.
fn store_grids(
    store: Store,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<(Vec<Grid>, String), InputError> {
    let store = Arc::new(store);
    let picked = pick(&store, figure)?;
    let many = picked.len() > 1;
    let (mut descriptions, mut out) = (Vec::new(), Vec::new());
    for p in picked {
        descriptions.push(described(&p));
        let path = p.path.clone();
        let source = ZarrArray::open(&store, p, figure, budget)?;
        let mut grids = source_grids(Box::new(source), &store.name, figure, budget)?;
        for grid in grids.iter_mut().filter(|_| many) {
            grid.name = match grid.name.as_str() {
                "" => path.clone(),
                name => format!("{path}, {name}"),
            };
        }
        out.append(&mut grids);
        check_count(out.len(), &store.name, || {
            format!("its arrays make {} panels or more", out.len())
        })?;
    }
    store.forget();
    Ok((out, descriptions.join("; ")))
}

/// What the arrays were that the options name: the hash of their metadata and of the names and lengths of their files.
///
/// # Errors
/// When they cannot be read.
fn fingerprint(name: &str, figure: &Figure, budget: &Arc<Budget>) -> Result<Fingerprint, InputError> {
    let store = Store::open(name, budget)?;
    let (mut files, mut metadata) = (Vec::new(), Vec::new());
    let mut room = budget.nothing();
    for p in pick(&store, figure)? {
        let few = usize::try_from(budget.left() / FILE).unwrap_or(usize::MAX);
        let of = store.files(&p.path, MOST_FILES.min(few))?;
        take(&mut room, of.len() as u64 * FILE, &store)?;
        files.extend(of);
        for file in ["zarr.json", ".zarray", ".zattrs"] {
            let key = joined(&p.path, file);
            if let Some(bytes) = store
                .read(&key, store::MOST_METADATA)
                .map_err(|e| store.at(&key, e))?
            {
                take(&mut room, bytes.len() as u64, &store)?;
                metadata.push(bytes);
            }
        }
    }
    Ok(Fingerprint::of_store(name, &files, &metadata))
}

fn take(room: &mut Taken, bytes: u64, store: &Store) -> Result<(), InputError> {
    room.more(bytes)
        .map_err(|s| s.of(&store.name, "what is said of its files"))
}

fn described(p: &Picked) -> String {
    let m = &p.metadata;
    let at = if p.path.is_empty() {
        String::new()
    } else {
        format!(" {}", p.path)
    };
    let shards = m.shards.as_ref().map_or(String::new(), |s| {
        format!(" in shards of {} chunks", shape_text(&s.chunks))
    });
    let mut out = format!(
        "Zarr v{} array{at} of {} {}, chunks {}{shards}",
        m.version,
        shape_text(&m.shape),
        name_of(m.dtype),
        shape_text(&m.chunk)
    );
    if !p.coarser.is_empty() {
        out.push_str(&format!(
            ", the finest of {} levels (not used: {})",
            p.coarser.len() + 1,
            p.coarser.join(", ")
        ));
    }
    for word in ["scale_factor", "add_offset"] {
        if let Some(v) = m.attributes.get(word) {
            out.push_str(&format!(", {word} {v} not applied"));
        }
    }
    out
}

#[cfg(test)]
mod tests;

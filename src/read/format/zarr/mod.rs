//! Zarr stores, versions 2 and 3: chunks are read where a window needs them, and no file outside the store is.

mod blosclz;
mod inflate;
mod blosc;
mod codec;
mod metadata;
mod storage;
mod store;
mod chunks;
mod read;
mod hierarchy;
mod texts;

use super::reader::{Contents, Input, Request};
use crate::array::{
    ArraySource, AxisValues, Conventions, PackedArray, Packing, grids_of_source, name_by_array, name_values,
    shape_text,
};
use crate::budget::{Budget, Reservation};
use crate::error::InputError;
use crate::fingerprint::Fingerprint;
use crate::kept::Kept;
use crate::panel_files::check_count;
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use hierarchy::{Picked, pick};
use read::ZarrArray;
use std::sync::Arc;
use storage::joined;
use store::Store;
use texts::has_values;

/// Files of an array that a fingerprint lists, and the bytes of each.
const MOST_FILES: usize = 1 << 20;
const FILE: u64 = 200;

/// The arrays of a store.
///
/// # Errors
/// When the options do not name one array, or one that is not read.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let Request { file, figure, needs, budget } = input.request;
    let (grids, summary) = store_grids(Store::open(file, budget)?, figure, needs.kept.as_ref(), budget)?;
    let print = needs.fingerprints.then(|| fingerprint(file, figure, budget));
    input.fingerprint = print.transpose()?;
    Ok(Contents::Arrays { grids, summary, axis_values: AxisValues::default() })
}

/// The grids of a store, whose memory is taken off the budget, and their description.
fn store_grids(
    store: Store,
    figure: &Figure,
    kept: Option<&Kept>,
    budget: &Arc<Budget>,
) -> Result<(Vec<Grid>, String), InputError> {
    let store = Arc::new(store);
    let picked = pick(&store, figure)?;
    let many = picked.len() > 1;
    let (mut descriptions, mut out) = (Vec::new(), Vec::new());
    for p in picked {
        descriptions.push(described(&p));
        let path = p.path.clone();
        let packing = match figure.data.raw_values {
            Some(true) => Packing::default(),
            _ => p.metadata.packing(),
        };
        let quantity = Conventions(&p.metadata.attributes).quantity(&path);
        let name = format!("{}/{path}", store.name);
        let source = match kept.and_then(|kept| kept.get::<ZarrArray>(&name)) {
            Some(array) => array,
            None => {
                let array = Arc::new(ZarrArray::open(&store, p, figure, kept, budget)?);
                let chunks = array.remembered();
                kept.into_iter().for_each(|kept| kept.put(&name, &array, chunks));
                array
            }
        };
        let is_unread = |axis: &usize| {
            let name = source.axis_name(*axis);
            let is_read = || source.coordinates(*axis).is_some() || !source.levels(*axis).is_empty();
            has_values(&store, &path, name) && !is_read()
        };
        let unread: Vec<&str> =
            (0..source.shape().len()).filter(is_unread).map(|axis| source.axis_name(axis)).collect();
        if let Some(last) = descriptions.last_mut().filter(|_| !unread.is_empty()) {
            *last =
                format!("{last}, without the values of its axes, which are not read: {}", unread.join(", "));
        }
        let source: Box<dyn ArraySource> = match packing.is_plain() {
            true => Box::new(source),
            false => Box::new(PackedArray::new(source, packing)),
        };
        let mut grids = grids_of_source(source, &store.name, figure, budget)?;
        if many {
            name_by_array(&mut grids, &path);
        } else {
            name_values(&mut grids, &quantity);
        }
        out.append(&mut grids);
        check_count(out.len(), &store.name, || format!("its arrays make {} panels or more", out.len()))?;
    }
    store.forget();
    Ok((out, descriptions.join("; ")))
}

/// Fingerprint of the arrays that the options name: the hash of their metadata and of the names and lengths of their files.
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
            if let Some(bytes) = store.metadata(&joined(&p.path, file))? {
                take(&mut room, bytes.len() as u64, &store)?;
                metadata.push(bytes);
            }
        }
    }
    Ok(Fingerprint::of_store(name, &files, &metadata))
}

fn take(room: &mut Reservation, bytes: u64, store: &Store) -> Result<(), InputError> {
    room.more(bytes).map_err(|s| s.of(&store.name, "the list of its files"))
}

fn described(p: &Picked) -> String {
    let m = &p.metadata;
    let (version, shape, dtype) = (m.version, shape_text(&m.shape), m.dtype.name());
    let mut out = format!("Zarr v{version} array");
    if !p.path.is_empty() {
        out += &format!(" {}", p.path);
    }
    out += &format!(" of {shape} {dtype}, chunks {}", shape_text(&m.chunk));
    if let Some(s) = &m.shards {
        out += &format!(" in shards of {} chunks", shape_text(&s.chunks));
    }
    if !p.coarser.is_empty() {
        let (levels, others) = (p.coarser.len() + 1, p.coarser.join(", "));
        out += &format!(", the finest of {levels} levels (not used: {others})");
    }
    for word in ["scale_factor", "add_offset"] {
        if let Some(v) = m.attributes.get(word) {
            out += &format!(", {word} {v}");
        }
    }
    out
}

#[cfg(test)]
mod tests;

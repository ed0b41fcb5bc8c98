//! Zarr stores, versions 2 and 3, in folders: chunks are read where a window needs them, and no file outside the folder is.

mod checksum;
mod shuffle;
mod blosclz;
mod inflate;
mod blosc;
mod codec;
mod fill;
mod metadata;
mod store;
mod cache;
mod chunks;
mod plane;
mod hierarchy;
mod coordinates;

use super::array::{Chosen, choose, text};
use super::axis_values::hold;
use super::budget::{Budget, Taken};
use super::error::InputError;
use super::fingerprint::Fingerprint;
use super::panels::check_count;
use crate::figure::Figure;
use crate::grid::{Axis, CellSource, Grid};
use chunks::Chunks;
use fill::name_of;
use hierarchy::{Picked, pick};
use plane::Plane;
use serde_json::Map;
use std::sync::Arc;
use store::{Store, joined};

/// Cells and chunks that a plane may have: what is absent costs no file, but time.
const MOST_CELLS: usize = 1 << 36;
const MOST_CHUNKS: usize = 1 << 24;
/// Files of an array that a fingerprint lists, and what each takes.
const MOST_FILES: usize = 1 << 20;
const FILE: u64 = 200;
/// Bytes of a grid, and of a label of its axes.
const GRID: u64 = 1024;
const LABEL: u64 = 100;

/// The grids of a store, and what they are in words. Arrays of fewer than `stored_from` elements are read at once, others
/// by windows; what they take is taken off the budget.
///
/// # Errors
/// When the options do not name one array, or what they name is not read.
pub(super) fn zarr_grids(
    name: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
    stored_from: usize,
) -> Result<(Vec<Grid>, String), InputError> {
    let store = Arc::new(Store::open(name, budget)?);
    let picked = pick(&store, figure)?;
    let many = picked.len() > 1;
    let mut told = Vec::new();
    let mut out = Vec::new();
    for p in picked {
        told.push(described(&p));
        let path = p.path.clone();
        for mut grid in grids(&store, p, figure, budget, stored_from)? {
            if many {
                grid.name = if grid.name.is_empty() {
                    path.clone()
                } else {
                    format!("{path}, {}", grid.name)
                };
            }
            out.push(grid);
        }
        check_count(out.len(), name, || {
            format!("its arrays make {} panels or more", out.len())
        })?;
    }
    store.forget();
    Ok((out, told.join("; ")))
}

/// What the arrays were that the options name: the hash of their metadata and of the names and lengths of their files.
///
/// # Errors
/// When they cannot be read.
pub(super) fn fingerprint(
    name: &str,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Fingerprint, InputError> {
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
        format!(" in shards of {} chunks", text(&s.chunks))
    });
    let mut out = format!(
        "Zarr v{} array{at} of {} {}, chunks {}{shards}",
        m.version,
        text(&m.shape),
        name_of(m.dtype),
        text(&m.chunk)
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

fn grids(
    store: &Arc<Store>,
    p: Picked,
    figure: &Figure,
    budget: &Arc<Budget>,
    stored_from: usize,
) -> Result<Vec<Grid>, InputError> {
    let Picked {
        path, mut metadata, ..
    } = p;
    // They were told, and may be long.
    metadata.attributes = Map::new();
    let limit = budget.left();
    let limited = |what: String| InputError {
        place: path.clone(),
        ..InputError::limit(&store.name, what)
    };
    let Chosen {
        rows,
        columns,
        row,
        column,
        panel,
        fixed,
    } = choose(&metadata.shape, &store.name, figure)?;
    let across = columns.div_ceil(metadata.chunk[column]);
    let down = row.map_or(1, |a| rows.div_ceil(metadata.chunk[a]));
    if rows.checked_mul(columns).is_none_or(|n| n > MOST_CELLS) {
        return Err(limited(format!(
            "{rows} rows x {columns} columns: at most {MOST_CELLS} cells are drawn of a store"
        )));
    }
    if across.checked_mul(down).is_none_or(|n| n > MOST_CHUNKS) {
        return Err(limited(format!(
            "{down} x {across} chunks: at most {MOST_CHUNKS} are drawn"
        )));
    }
    let axes = metadata.axes.clone();
    let small = metadata.count().is_some_and(|n| n < stored_from);
    // Two rows of chunks: while the first threads take up the next row, others still read the last one.
    let of_rows = |across: usize| {
        (2 * across as u64).saturating_mul(metadata.chunk_bytes().unwrap_or(usize::MAX) as u64)
    };
    // Where a column of chunks takes less memory than a row does, and that matters, columns are read as rows.
    let turned = row.is_some() && down < across && of_rows(across) > limit / 8;
    let kept = of_rows(if turned { down } else { across }).min(limit / 2);
    let raise = |e: InputError| e.with_hint("--max-memory raises the limit");
    let chunks = Chunks::new(store, &path, metadata, limit / 2, kept).map_err(|e| raise(limited(e)))?;
    let chunks = Arc::new(chunks);
    let named = |a: Option<usize>| a.map_or("", |a| axes[a].as_str());
    let transposed = figure.data.transpose == Some(true);
    // Values that are given stand over those of the store.
    let given = if transposed {
        (&figure.x.values, &figure.y.values)
    } else {
        (&figure.y.values, &figure.x.values)
    };
    let sided = |axis: Option<usize>, len: usize, given: bool| {
        let node = if given { "" } else { path.as_str() };
        coordinates::axis(store, node, named(axis), len)
    };
    let (row_axis, rows_fall) = sided(row, rows, given.0.is_some());
    let (column_axis, columns_fall) = sided(Some(column), columns, given.1.is_some());
    let axis = |a: &Axis| {
        if a.levels.is_empty() {
            0
        } else {
            LABEL * a.len() as u64
        }
    };
    let of_grids =
        (GRID + axis(&row_axis) + axis(&column_axis)).saturating_mul(panel.map_or(1, |p| p.1) as u64);
    budget
        .take(of_grids)
        .map_err(|s| s.of(&store.name, "the axes of its panels"))?;
    let mut out = Vec::new();
    for i in 0..panel.map_or(1, |p| p.1) {
        let mut at: Vec<usize> = fixed.iter().map(|f| f.unwrap_or(0)).collect();
        let mut name = String::new();
        if let Some((axis, _)) = panel {
            at[axis] = i;
            name = if axes[axis].is_empty() {
                format!("axis {axis} = {i}")
            } else {
                format!("{} = {i}", axes[axis])
            };
        }
        let chunks = chunks.clone();
        let source: Arc<dyn CellSource> = Arc::new(match row.filter(|_| turned) {
            Some(row) => Plane {
                chunks,
                rows: columns,
                columns: rows,
                axes: (Some(column), row),
                at,
                reversed: (columns_fall, rows_fall),
            },
            None => Plane {
                chunks,
                rows,
                columns,
                axes: (row, column),
                at,
                reversed: (rows_fall, columns_fall),
            },
        });
        let mut grid =
            Grid::stored(source, figure.data.nodata).map_err(|e| InputError::refused(&store.name, "", e))?;
        if small {
            hold(&grid, &store.name, budget)?;
        }
        let axes = (row_axis.clone(), column_axis.clone());
        (grid.rows, grid.columns) = if turned { (axes.1, axes.0) } else { axes };
        grid.name = name;
        out.push(if transposed != turned {
            grid.transposed()
        } else {
            grid
        });
    }
    Ok(out)
}

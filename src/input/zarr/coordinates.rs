//! The values of an axis, where a one-dimensional array of its name stands beside the array, as xarray writes them.

use super::super::axis_values::sorted;
use super::chunks::Chunks;
use super::hierarchy::array;
use super::plane::Plane;
use super::store::{Store, is_name, joined};
use crate::grid::{Axis, AxisKind, CellSource, Grid, Number};
use std::sync::Arc;

/// Longer axes keep their indexes: each value has a label in memory.
const MOST_VALUES: usize = 100_000;
/// Bytes that the coordinates of an axis may take to decode.
const MOST_BYTES: u64 = 64 << 20;

/// An axis of this many cells: with values where there are some, else indexes; and whether the values fall, so that the cells
/// are to be turned.
pub(super) fn axis(store: &Arc<Store>, node: &str, name: &str, len: usize) -> (Axis, bool) {
    let found = read(store, node, name, len).and_then(|values| sorted(values, AxisKind::Number).ok());
    match found {
        Some((mut axis, order)) if order.as_ref().is_none_or(|o| o.iter().rev().is_sorted()) => {
            axis.name = name.to_owned();
            (axis, order.is_some())
        }
        _ => (Axis::index(name, len), false),
    }
}

fn read(store: &Arc<Store>, node: &str, name: &str, len: usize) -> Option<Vec<f64>> {
    let path = joined(node.rsplit_once('/').map_or("", |p| p.0), name);
    if !is_name(name) || path == node || node.is_empty() || len > MOST_VALUES {
        return None;
    }
    let metadata = array(store, &path).filter(|m| m.shape == [len])?;
    let most = MOST_BYTES.min(store.budget().left() / 4);
    let chunks = Chunks::new(store, &path, metadata, most, most).ok()?;
    let plane = Plane {
        chunks: Arc::new(chunks),
        rows: 1,
        columns: len,
        axes: (None, 0),
        at: vec![0],
        reversed: (false, false),
    };
    let grid = Grid::stored(Arc::new(plane) as Arc<dyn CellSource>, None).ok()?;
    grid.load().ok()?;
    (0..len)
        .map(|i| grid.at(0, i).ok().map(Number::as_f64).filter(|v| v.is_finite()))
        .collect()
}

//! The values of an axis, where a one-dimensional array of its name lies beside the array, as xarray writes them.

use super::chunks::Chunks;
use super::hierarchy::array;
use super::read::read;
use super::storage::{is_name, joined};
use super::store::Store;
use crate::array::Window;
use gridscope_core::grid::Values;
use std::sync::Arc;

/// Longer axes keep their indexes: each value has a label in memory.
const MOST_VALUES: usize = 100_000;
/// Bytes that the coordinates of an axis may take to decode.
const MOST_BYTES: u64 = 64 << 20;

/// The values of the axis `name` of the array at `node`, one for each of its `len` indexes, where all of them are finite.
pub(super) fn of_axis(store: &Arc<Store>, node: &str, name: &str, len: usize) -> Option<Vec<f64>> {
    let path = joined(node.rsplit_once('/').map_or("", |p| p.0), name);
    if !is_name(name) || path == node || node.is_empty() || len > MOST_VALUES {
        return None;
    }
    let metadata = array(store, &path).filter(|m| m.shape == [len])?;
    let most = MOST_BYTES.min(store.budget().left() / 4);
    let chunks = Chunks::new(store, &path, metadata, most, most).ok()?;
    let window = Window { first: vec![0], row_axis: None, column_axis: 0, rows: 1, columns: len };
    let (mut values, mut absent) = (chunks.metadata.dtype.buffer(), Vec::new());
    read(&chunks, &window, &mut values, &mut absent).ok()?;
    let values = Values::from(values);
    let values = (0..len).map(|i| Some(values.get(i).as_f64()).filter(|v| v.is_finite()));
    values.collect::<Option<_>>().filter(|_| absent.is_empty())
}

/// The unit of the values of the axis `name`; none of times that are counted by another calendar than that of ISO 8601.
pub(super) fn unit(store: &Arc<Store>, node: &str, name: &str) -> String {
    let path = joined(node.rsplit_once('/').map_or("", |p| p.0), name);
    let metadata = array(store, &path).filter(|_| is_name(name) && path != node);
    let Some(metadata) = metadata else {
        return String::new();
    };
    let text = |key: &str| metadata.attributes.get(key).and_then(|v| v.as_str()).unwrap_or_default();
    let is_usual = ["", "standard", "gregorian", "proleptic_gregorian"].contains(&text("calendar"));
    if is_usual { text("units").to_owned() } else { String::new() }
}

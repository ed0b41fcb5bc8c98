//! Arrays and groups of a store, which arrays are meant, and the values of their axes.

use super::chunks::Chunks;
use super::metadata::Metadata;
use super::read::read;
use super::storage::{is_name, joined};
use super::store::Store;
use crate::array::{
    ArrayFault, Candidate, Conventions, Window, conventions, lone, matching, pick, shape_text,
};
use crate::error::InputError;
use crate::shell_word::is_of_several;
use gridscope_core::figure::Figure;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Groups within groups, and nodes in all, that are looked at.
const DEEPEST: usize = 16;
const MOST_NODES: usize = 10_000;

/// Node at a path.
enum Node {
    Array(Box<Result<Metadata, InputError>>),
    Group(Map<String, Value>),
}

/// An array by its path; its metadata, or why it is not read.
struct NamedArray {
    path: String,
    metadata: Result<Metadata, InputError>,
}

/// An array that is drawn.
pub(super) struct Picked {
    pub path: String,
    pub metadata: Metadata,
    /// The coarser levels of the picture whose finest it is.
    pub coarser: Vec<String>,
}

impl NamedArray {
    fn picked(self) -> Result<Picked, InputError> {
        Ok(Picked { path: self.path, metadata: self.metadata?, coarser: Vec::new() })
    }

    fn candidate(&self) -> Candidate {
        let (what, shape, axes) = match &self.metadata {
            Ok(m) => {
                let (shape, chunk) = (shape_text(&m.shape), shape_text(&m.chunk));
                let what = format!("{shape} {}, chunks {chunk}", m.dtype.name());
                (what, Some(m.shape.clone()), m.axes.clone())
            }
            Err(e) => (e.what.clone(), None, Vec::new()),
        };
        Candidate { path: self.path.clone(), what, shape, axes }
    }
}

fn node(store: &Store, path: &str) -> Result<Option<Node>, InputError> {
    let array = |key: &str, metadata: Result<Metadata, ArrayFault>| {
        Some(Node::Array(Box::new(metadata.map_err(|f| store.error(key, f)))))
    };
    let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let key = joined(path, "zarr.json");
    if let Some(m) = store.json(&key)? {
        return Ok(if m["node_type"] == "group" {
            Some(Node::Group(object(&m["attributes"])))
        } else {
            array(&key, Metadata::of_v3(&m))
        });
    }
    let key = joined(path, ".zarray");
    let (metadata, attributes) = (store.json(&key)?, store.json(&joined(path, ".zattrs"))?);
    let is_group = attributes.is_some();
    let attributes = attributes.as_ref().map(object).unwrap_or_default();
    Ok(match metadata {
        Some(m) => array(&key, Metadata::of_v2(&m, attributes)),
        None if is_group || store.json(&joined(path, ".zgroup"))?.is_some() => Some(Node::Group(attributes)),
        None => None,
    })
}

/// The array at a path, if one is there and it can be read.
pub(super) fn array(store: &Store, path: &str) -> Option<Metadata> {
    match node(store, path) {
        Ok(Some(Node::Array(m))) => (*m).ok(),
        _ => None,
    }
}

/// The levels of an OME-NGFF picture, the finest first.
fn levels(path: &str, attributes: &Map<String, Value>) -> Vec<String> {
    let images = |of: Option<&Value>| of.and_then(|m| m[0]["datasets"].as_array()).cloned();
    let ome = attributes.get("ome").and_then(|o| o.get("multiscales"));
    let sets = images(ome.or_else(|| attributes.get("multiscales")));
    let level = |d: Value| {
        let name = d["path"].as_str()?;
        name.split('/').all(is_name).then(|| joined(path, name))
    };
    sets.into_iter().flatten().filter_map(level).collect()
}

/// The arrays below a group; of pictures of several levels the finest alone.
fn tree(store: &Store, root: &str) -> Result<Vec<NamedArray>, InputError> {
    let (mut out, mut coarser) = (Vec::new(), Vec::new());
    let mut left = vec![(root.to_owned(), 0)];
    let mut seen = 0;
    while let Some((path, depth)) = left.pop() {
        seen += 1;
        if seen > MOST_NODES || depth > DEEPEST {
            let what = format!("holds over {MOST_NODES} groups and arrays, or over {DEEPEST} levels of them");
            return Err(InputError::limit(&store.name, what).with_hint("--key names an array"));
        }
        match node(store, &path)? {
            Some(Node::Array(metadata)) => out.push(NamedArray { path, metadata: *metadata }),
            found => {
                if let Some(Node::Group(attributes)) = found {
                    coarser.extend(levels(&path, &attributes).into_iter().skip(1));
                }
                let below = store.folders(&path)?.into_iter().rev();
                left.extend(below.map(|f| (joined(&path, &f), depth + 1)));
            }
        }
    }
    out.retain(|f| !coarser.contains(&f.path));
    Ok(out)
}

/// The arrays that `key` names, or the only one that can be drawn.
///
/// # Errors
/// When there is none, several could be meant, or the metadata of the one are refused.
pub(super) fn pick(store: &Store, figure: &Figure) -> Result<Vec<Picked>, InputError> {
    let Some(key) = figure.data.key.as_deref().map(|k| k.trim_matches('/')) else {
        return Ok(vec![within(store, "", figure)?]);
    };
    let absent = |what: String, found: &[NamedArray]| {
        InputError::usage(&store.name, what).with_hint(listed(found, &store.name, figure))
    };
    if is_of_several(key) && !(key.split('/').all(is_name) && store.holds(key)) {
        let mut all: Vec<Option<NamedArray>> = tree(store, "")?.into_iter().map(Some).collect();
        let candidates: Vec<Candidate> = all.iter().flatten().map(NamedArray::candidate).collect();
        let places = matching(&candidates, (&store.name, figure), key)?;
        return places.into_iter().filter_map(|i| all[i].take()).map(NamedArray::picked).collect();
    }
    if !key.is_empty() && !key.split('/').all(is_name) {
        let what = format!("key '{key}' is not a path within a store");
        return Err(InputError::usage(&store.name, what));
    }
    if !store.holds(key) {
        return Err(absent(format!("there is no array or group '{key}'"), &tree(store, "")?));
    }
    Ok(vec![within(store, key, figure)?])
}

/// The array at a path, or the one of the group there that can be meant.
fn within(store: &Store, path: &str, figure: &Figure) -> Result<Picked, InputError> {
    match node(store, path)? {
        Some(Node::Array(metadata)) => {
            let (path, metadata) = (path.to_owned(), *metadata);
            return NamedArray { path, metadata }.picked();
        }
        Some(Node::Group(attributes)) => {
            let mut levels = levels(path, &attributes).into_iter();
            if let Some(finest) = levels.next() {
                let Some(Node::Array(metadata)) = node(store, &finest)? else {
                    let what = "is the finest level of 'multiscales', but no array is there";
                    return Err(store.error(&finest, what));
                };
                return Ok(Picked { path: finest, metadata: (*metadata)?, coarser: levels.collect() });
            }
        }
        None => {}
    }
    let mut found = tree(store, path)?;
    if found.is_empty() {
        return Err(store.error(path, "is a Zarr group without arrays"));
    }
    let candidates: Vec<Candidate> = found.iter().map(NamedArray::candidate).collect();
    let one = lone(&candidates, &store.name, figure).map_err(|e| InputError { place: path.into(), ..e })?;
    found.swap_remove(one).picked()
}

/// Lines to copy from, one for each array.
fn listed(found: &[NamedArray], file: &str, figure: &Figure) -> String {
    pick::listed(&found.iter().map(NamedArray::candidate).collect::<Vec<_>>(), file, figure)
}

/// Longer axes keep their indexes: each value has a label in memory.
const MOST_VALUES: usize = 100_000;
/// Bytes that the coordinates of an axis may take to decode.
const MOST_BYTES: u64 = 64 << 20;

/// The values of the axis `name` of the array at `node`, one for each of its `len` indexes, where all of them are finite.
pub(super) fn coordinates(store: &Arc<Store>, node: &str, name: &str, len: usize) -> Option<Vec<f64>> {
    let path = joined(node.rsplit_once('/').map_or("", |p| p.0), name);
    if !is_name(name) || path == node || node.is_empty() || len > MOST_VALUES {
        return None;
    }
    let metadata = array(store, &path).filter(|m| m.shape == [len])?;
    let most = MOST_BYTES.min(store.budget().left() / 4);
    let packing = metadata.packing();
    let chunks = Chunks::new(store, &path, metadata, most, most).ok()?;
    let window = Window { first: vec![0], row_axis: None, column_axis: 0, rows: 1, columns: len };
    let (mut values, mut absent) = (chunks.metadata.dtype.buffer(), Vec::new());
    read(&chunks, &window, &mut values, &mut absent).ok()?;
    absent.is_empty().then(|| conventions::unpacked(values, &packing))
}

/// The metadata of the values of the axis `name`.
fn of_axis(store: &Store, node: &str, name: &str) -> Option<Metadata> {
    let path = joined(node.rsplit_once('/').map_or("", |p| p.0), name);
    let is_other = is_name(name) && path != node;
    if is_other { array(store, &path) } else { None }
}

/// The unit of the values of the axis `name`; none of times that are counted by another calendar than that of ISO 8601.
pub(super) fn coordinate_unit(store: &Store, node: &str, name: &str) -> String {
    of_axis(store, node, name).map_or_else(String::new, |m| Conventions(&m.attributes).unit())
}

/// The title of the axis `name`.
pub(super) fn coordinate_title(store: &Store, node: &str, name: &str) -> String {
    of_axis(store, node, name).map_or_else(String::new, |m| Conventions(&m.attributes).title(name))
}

/// The dates of the axis `name`, where they are counted by the calendar of a model.
pub(super) fn model_labels(store: &Arc<Store>, node: &str, name: &str, len: usize) -> Option<Vec<String>> {
    let metadata = of_axis(store, node, name)?;
    Conventions(&metadata.attributes).dates(&coordinates(store, node, name, len)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn levels_are_names_within_the_group() {
        let of = |v: Value| levels("img", v.as_object().unwrap());
        let sets = json!([{"datasets": [{"path": "0"}, {"path": "../../etc"}, {"path": "/1"}, {"path": "s/1"}, {"nopath": 1}]}]);
        assert_eq!(of(json!({"multiscales": sets})), ["img/0", "img/s/1"]);
        assert_eq!(of(json!({"ome": {"multiscales": sets}})).len(), 2);
        assert!(of(json!({"multiscales": 3})).is_empty());
    }
}

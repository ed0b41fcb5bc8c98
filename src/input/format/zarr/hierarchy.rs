//! Arrays and groups of a store, and which arrays are meant.

use super::fill::name_of;
use super::metadata::Metadata;
use super::store::{Store, is_name, joined};
use crate::figure::Figure;
use crate::input::array::{Stars, choose, is_match, shape_text};
use crate::input::error::{ErrorKind, InputError};
use crate::input::panels::check_count;
use crate::text::clean;
use serde_json::{Map, Value};

/// Groups within groups, and nodes in all, that are looked at.
const DEEPEST: usize = 16;
const MOST_NODES: usize = 10_000;
/// Arrays that a message lists.
const LISTED: usize = 20;

/// What stands at a path.
enum Node {
    Array(Box<Result<Metadata, InputError>>),
    Group(Map<String, Value>),
}

/// An array by its path; its metadata, or why it is not read.
struct Found {
    path: String,
    metadata: Result<Metadata, InputError>,
}

/// An array that is meant.
pub(super) struct Picked {
    pub path: String,
    pub metadata: Metadata,
    /// The coarser levels of the picture whose finest it is.
    pub coarser: Vec<String>,
}

fn attributes(value: Option<&Value>) -> Map<String, Value> {
    value.and_then(Value::as_object).cloned().unwrap_or_default()
}

fn node(store: &Store, path: &str) -> Result<Option<Node>, InputError> {
    let key = joined(path, "zarr.json");
    if let Some(m) = store.json(&key)? {
        return Ok(Some(
            if m.get("node_type").and_then(Value::as_str) == Some("group") {
                Node::Group(attributes(m.get("attributes")))
            } else {
                Node::Array(Box::new(Metadata::of_v3(&m).map_err(|e| store.at(&key, e))))
            },
        ));
    }
    let key = joined(path, ".zarray");
    let array = store.json(&key)?;
    let attrs = store.json(&joined(path, ".zattrs"))?;
    let group = array.is_none() && attrs.is_none() && store.json(&joined(path, ".zgroup"))?.is_none();
    let attrs = attributes(attrs.as_ref());
    Ok(match array {
        Some(m) => Some(Node::Array(Box::new(
            Metadata::of_v2(&m, attrs).map_err(|e| store.at(&key, e)),
        ))),
        None if group => None,
        None => Some(Node::Group(attrs)),
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
    let images = attributes
        .get("ome")
        .and_then(|o| o.get("multiscales"))
        .or_else(|| attributes.get("multiscales"));
    let sets = images.and_then(|m| m.get(0)?.get("datasets")?.as_array());
    let level = |d: &Value| {
        d.get("path")?
            .as_str()
            .filter(|p| p.split('/').all(is_name))
            .map(|p| joined(path, p))
    };
    sets.into_iter().flatten().filter_map(level).collect()
}

/// The arrays below a group; of pictures of several levels the finest alone.
fn tree(store: &Store, root: &str) -> Result<Vec<Found>, InputError> {
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
            Some(Node::Array(metadata)) => out.push(Found {
                path,
                metadata: *metadata,
            }),
            found => {
                if let Some(Node::Group(attributes)) = found {
                    coarser.extend(levels(&path, &attributes).into_iter().skip(1));
                }
                left.extend(
                    store
                        .folders(&path)?
                        .into_iter()
                        .rev()
                        .map(|f| (joined(&path, &f), depth + 1)),
                );
            }
        }
    }
    out.retain(|f| !coarser.contains(&f.path));
    Ok(out)
}

/// The arrays that `key` names, or the only one that can be meant.
///
/// # Errors
/// When there is none, several could be meant, or the one that is meant is not read.
pub(super) fn pick(store: &Store, figure: &Figure) -> Result<Vec<Picked>, InputError> {
    let Some(key) = figure.data.key.as_deref().map(|k| k.trim_matches('/')) else {
        return Ok(vec![within(store, "", figure)?]);
    };
    if key.contains('*') {
        let mut found = tree(store, "")?;
        let all = listed(&found);
        found.retain(|f| is_match(key, &f.path, Stars::OneName));
        return match found.len() {
            0 => Err(InputError::usage(&store.name, format!("no array is called '{key}'")).with_hint(all)),
            n => {
                check_count(n, &store.name, || format!("'{key}' names {n} arrays"))?;
                found.into_iter().map(picked).collect()
            }
        };
    }
    let plain = key.is_empty() || key.split('/').all(is_name);
    if !plain {
        return Err(InputError::usage(
            &store.name,
            format!("key '{key}' is no path within a store"),
        ));
    }
    if !store.holds(key) {
        let all = listed(&tree(store, "")?);
        return Err(
            InputError::usage(&store.name, format!("there is no array or group '{key}'")).with_hint(all),
        );
    }
    Ok(vec![within(store, key, figure)?])
}

fn picked(found: Found) -> Result<Picked, InputError> {
    Ok(Picked {
        path: found.path,
        metadata: found.metadata?,
        coarser: Vec::new(),
    })
}

/// The array at a path, or the one of the group there that can be meant.
fn within(store: &Store, path: &str, figure: &Figure) -> Result<Picked, InputError> {
    match node(store, path)? {
        Some(Node::Array(metadata)) => {
            return picked(Found {
                path: path.to_owned(),
                metadata: *metadata,
            });
        }
        Some(Node::Group(attributes)) => {
            let mut coarser = levels(path, &attributes);
            if !coarser.is_empty() {
                let finest = coarser.remove(0);
                let Some(Node::Array(metadata)) = node(store, &finest)? else {
                    return Err(store.at(
                        &finest,
                        "is the finest level of 'multiscales', but no array is there",
                    ));
                };
                return Ok(Picked {
                    path: finest,
                    metadata: (*metadata)?,
                    coarser,
                });
            }
        }
        None => {}
    }
    let mut found = tree(store, path)?;
    if found.is_empty() {
        return Err(InputError::refused(
            &store.name,
            path,
            "is a Zarr group without arrays",
        ));
    }
    let all = listed(&found);
    let axes: Vec<String> = found
        .iter()
        .filter_map(|f| f.metadata.as_ref().ok())
        .filter(|m| m.shape.len() > 1)
        .flat_map(|m| m.axes.clone())
        .collect();
    let own = |f: &Found| f.path.rsplit('/').next().unwrap_or_default().to_owned();
    let coordinate =
        |f: &Found| f.metadata.as_ref().is_ok_and(|m| m.shape.len() == 1) && axes.contains(&own(f));
    if found.len() > 1 {
        found.retain(|f| !coordinate(f));
    }
    let fits = |f: &Found| {
        f.metadata
            .as_ref()
            .is_ok_and(|m| m.shape.len() > 1 && choose(&m.shape, &store.name, figure).is_ok())
    };
    if found.len() > 1 && found.iter().filter(|f| fits(f)).count() == 1 {
        found.retain(fits);
    }
    match (found.pop(), found.is_empty()) {
        (Some(lone), true) => picked(lone),
        _ => {
            let what = format!("a Zarr group of {} arrays: choose one", found.len() + 1);
            Err(InputError {
                kind: ErrorKind::Usage,
                ..InputError::refused(&store.name, path, what)
            }
            .with_hint(all))
        }
    }
}

/// What to copy for each array, with what it is.
fn listed(found: &[Found]) -> String {
    let line = |f: &Found| {
        let what = match &f.metadata {
            Ok(m) => format!(
                "{} {}, chunks {}",
                shape_text(&m.shape),
                name_of(m.dtype),
                shape_text(&m.chunk)
            ),
            Err(e) => e.what.clone(),
        };
        format!("--key '{}'  ({})", clean(&f.path), clean(&what))
    };
    let mut out: Vec<String> = found.iter().take(LISTED).map(line).collect();
    if found.len() > LISTED {
        out.push(format!("and {} more", found.len() - LISTED));
    }
    if out.is_empty() {
        "the store holds no array".to_owned()
    } else {
        out.join("; ")
    }
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

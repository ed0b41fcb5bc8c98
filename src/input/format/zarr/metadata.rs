//! The metadata of an array, in version 2 or 3: what it declares is checked before anything is made of it.

use super::codec::{Codecs, named};
use super::fill::{Fill, dtype_of_v2, dtype_of_v3, fill_of};
use crate::input::array::{Dtype, Encoding};
use serde_json::{Map, Value};

/// Axes that an array may have.
const MOST_DIMS: usize = 32;

/// The names of the files of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keys {
    /// Whether they begin with `c`.
    pub prefixed: bool,
    /// `.` or `/`.
    pub separator: char,
}

impl Keys {
    /// The key of a chunk, from numbers alone.
    pub fn of(self, chunk: &[usize]) -> String {
        let mut out = if self.prefixed {
            "c".to_owned()
        } else {
            String::new()
        };
        for i in chunk {
            if !out.is_empty() {
                out.push(self.separator);
            }
            out.push_str(&i.to_string());
        }
        if out.is_empty() { "0".to_owned() } else { out }
    }
}

/// Shards: files of several chunks with an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shards {
    /// Chunks along each axis of a shard.
    pub chunks: Vec<usize>,
    pub index: Codecs,
    /// Whether the index is before the chunks, not after them.
    pub index_first: bool,
}

/// An array as its metadata describe it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Metadata {
    pub version: u8,
    pub shape: Vec<usize>,
    /// Elements along each axis of a chunk: what is decoded at once.
    pub chunk: Vec<usize>,
    pub dtype: Dtype,
    pub fill: Fill,
    pub codecs: Codecs,
    pub shards: Option<Shards>,
    pub keys: Keys,
    /// The names of its axes, empty where they have none.
    pub axes: Vec<String>,
    pub attributes: Map<String, Value>,
}

impl Metadata {
    /// Bytes of a chunk's elements, if they can be counted.
    pub fn chunk_bytes(&self) -> Option<usize> {
        product(&self.chunk).and_then(|n| n.checked_mul(self.dtype.size()))
    }

    /// Element type and byte order of decoded chunks.
    pub fn encoding(&self) -> Encoding {
        Encoding {
            dtype: self.dtype,
            big_endian: self.codecs.big_endian,
        }
    }

    /// `.zarray`, and what `.zattrs` holds.
    pub fn of_v2(m: &Value, attributes: Map<String, Value>) -> Result<Self, String> {
        if m.get("zarr_format").and_then(Value::as_u64) != Some(2) {
            return Err("zarr_format is not 2".to_owned());
        }
        let shape = sizes(m, "shape", 0)?;
        let chunk = chunk_sizes(m, "chunks", shape.len())?;
        let Encoding { dtype, big_endian } = dtype_of_v2(m.get("dtype"))?;
        let separator = match m.get("dimension_separator") {
            None | Some(Value::Null) => '.',
            Some(s) => separator(s)?,
        };
        let named: Vec<String> = match attributes.get("_ARRAY_DIMENSIONS").and_then(Value::as_array) {
            Some(list) if list.len() == shape.len() => list
                .iter()
                .map(|n| n.as_str().unwrap_or_default().to_owned())
                .collect(),
            _ => vec![String::new(); shape.len()],
        };
        Ok(Self {
            version: 2,
            codecs: Codecs::of_v2(m, shape.len(), big_endian)?,
            fill: fill_of(m.get("fill_value"), dtype)?,
            shards: None,
            keys: Keys {
                prefixed: false,
                separator,
            },
            axes: named,
            shape,
            chunk,
            dtype,
            attributes,
        })
    }

    /// `zarr.json` of an array.
    pub fn of_v3(m: &Value) -> Result<Self, String> {
        understood(m)?;
        let shape = sizes(m, "shape", 0)?;
        let dims = shape.len();
        let (grid, config) = named(m.get("chunk_grid").ok_or("names no chunk_grid")?)?;
        if grid != "regular" {
            return Err(format!("chunk_grid '{grid}' is not read"));
        }
        let mut chunk = chunk_sizes(config, "chunk_shape", dims)?;
        let dtype = dtype_of_v3(m.get("data_type"))?;
        let (encoding, config) = named(m.get("chunk_key_encoding").ok_or("names no chunk_key_encoding")?)?;
        let (prefixed, default) = match encoding {
            "default" => (true, '/'),
            "v2" => (false, '.'),
            _ => return Err(format!("chunk_key_encoding '{encoding}' is not read")),
        };
        let separator = config.get("separator").map_or(Ok(default), separator)?;
        let list = m
            .get("codecs")
            .and_then(Value::as_array)
            .ok_or("names no codecs")?;
        let (shards, codecs) = match list.as_slice() {
            [lone] if named(lone)?.0 == "sharding_indexed" => {
                let (shards, inner, codecs) = sharding(named(lone)?.1, &chunk, dtype)?;
                chunk = inner;
                (Some(shards), codecs)
            }
            list => (None, Codecs::of_v3(list, dims, dtype.size())?),
        };
        let axes = match m.get("dimension_names").and_then(Value::as_array) {
            Some(list) if list.len() == dims => list
                .iter()
                .map(|n| n.as_str().unwrap_or_default().to_owned())
                .collect(),
            Some(list) => {
                return Err(format!(
                    "{} dimension_names, the shape has {dims} axes",
                    list.len()
                ));
            }
            None => vec![String::new(); dims],
        };
        Ok(Self {
            version: 3,
            fill: fill_of(m.get("fill_value"), dtype)?,
            keys: Keys { prefixed, separator },
            attributes: m
                .get("attributes")
                .and_then(Value::as_object)
                .cloned()
                .unwrap_or_default(),
            shape,
            chunk,
            dtype,
            codecs,
            shards,
            axes,
        })
    }
}

fn product(sizes: &[usize]) -> Option<usize> {
    sizes.iter().try_fold(1usize, |n, d| n.checked_mul(*d))
}

/// The shards whose sides are `outer`, the sides of their chunks, and how these are encoded.
fn sharding(config: &Value, outer: &[usize], dtype: Dtype) -> Result<(Shards, Vec<usize>, Codecs), String> {
    let inner = chunk_sizes(config, "chunk_shape", outer.len())?;
    let chunks: Option<Vec<usize>> = outer
        .iter()
        .zip(&inner)
        .map(|(o, i)| o.is_multiple_of(*i).then_some(o / i))
        .collect();
    let chunks = chunks.ok_or_else(|| format!("shards of {outer:?} hold no whole chunks of {inner:?}"))?;
    let list = |key: &str| {
        config
            .get(key)
            .and_then(Value::as_array)
            .ok_or_else(|| format!("codec 'sharding_indexed' names no {key}"))
    };
    let index_first = match config.get("index_location").and_then(Value::as_str) {
        None | Some("end") => false,
        Some("start") => true,
        Some(l) => return Err(format!("index_location '{l}' is neither start nor end")),
    };
    let codecs = Codecs::of_v3(list("codecs")?, outer.len(), dtype.size())?;
    Ok((
        Shards {
            chunks,
            index: Codecs::of_index(list("index_codecs")?)?,
            index_first,
        },
        inner,
        codecs,
    ))
}

/// Refuses what a reader of this version must understand and this one does not.
fn understood(m: &Value) -> Result<(), String> {
    const KNOWN: [&str; 12] = [
        "zarr_format",
        "node_type",
        "shape",
        "data_type",
        "chunk_grid",
        "chunk_key_encoding",
        "fill_value",
        "codecs",
        "attributes",
        "storage_transformers",
        "dimension_names",
        "consolidated_metadata",
    ];
    if m.get("zarr_format").and_then(Value::as_u64) != Some(3) {
        return Err("zarr_format is not 3".to_owned());
    }
    let object = m.as_object().ok_or("is not an object")?;
    let optional = |v: &Value| v.get("must_understand") == Some(&Value::Bool(false));
    if let Some((key, _)) = object
        .iter()
        .find(|(k, v)| !KNOWN.contains(&k.as_str()) && !optional(v))
    {
        return Err(format!("'{key}' is not understood"));
    }
    match m
        .get("storage_transformers")
        .and_then(Value::as_array)
        .and_then(|l| l.first())
    {
        Some(t) => Err(format!("storage transformer '{}' is not read", named(t)?.0)),
        None => Ok(()),
    }
}

fn separator(value: &Value) -> Result<char, String> {
    match value.as_str() {
        Some(".") => Ok('.'),
        Some("/") => Ok('/'),
        _ => Err(format!("separator {value} is neither \".\" nor \"/\"")),
    }
}

fn chunk_sizes(m: &Value, key: &str, dims: usize) -> Result<Vec<usize>, String> {
    let out = sizes(m, key, 1)?;
    if out.len() == dims {
        Ok(out)
    } else {
        Err(format!("{key} has {} axes, the shape {dims}", out.len()))
    }
}

/// A list of whole numbers, none below `least`.
fn sizes(m: &Value, key: &str, least: u64) -> Result<Vec<usize>, String> {
    let list = m
        .get(key)
        .and_then(Value::as_array)
        .ok_or_else(|| format!("names no {key}"))?;
    if list.len() > MOST_DIMS {
        return Err(format!(
            "{key} has {} axes, at most {MOST_DIMS} are read",
            list.len()
        ));
    }
    let side = |v: &Value| {
        v.as_u64()
            .filter(|n| *n >= least)
            .and_then(|n| usize::try_from(n).ok())
    };
    list.iter()
        .map(|v| side(v).ok_or_else(|| format!("{key} holds {v}, not a whole number from {least}")))
        .collect()
}

#[cfg(test)]
mod tests;

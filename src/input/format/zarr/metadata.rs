//! The metadata of an array, in version 2 or 3: what it declares is checked before anything is made of it.

use super::codec::{Codecs, named};
use super::fill::{Fill, dtype_of_v2, dtype_of_v3, fill_of};
use crate::input::array::{Dtype, Encoding};
use serde_json::{Map, Value};

/// Axes that an array may have.
const MOST_DIMS: usize = 32;

/// How the files of chunks are called.
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
    /// Whether the index stands before the chunks, not after them.
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
    let object = m.as_object().ok_or("is no object")?;
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
mod tests {
    use super::*;
    use serde_json::json;

    fn v2() -> Value {
        json!({"zarr_format": 2, "shape": [4, 6], "chunks": [2, 3], "dtype": ">i2", "order": "C", "fill_value": 7,
               "filters": null, "compressor": null})
    }

    fn v3() -> Value {
        json!({"zarr_format": 3, "node_type": "array", "shape": [4, 6], "data_type": "float32", "fill_value": "NaN",
               "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
               "chunk_key_encoding": {"name": "default"},
               "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
               "dimension_names": ["y", null]})
    }

    fn with(mut m: Value, key: &str, value: Value) -> Value {
        m[key] = value;
        m
    }

    #[test]
    fn both_versions_are_read() {
        let named = json!({"_ARRAY_DIMENSIONS": ["lat", "lon"]})
            .as_object()
            .unwrap()
            .clone();
        let m = Metadata::of_v2(&v2(), named).unwrap();
        assert_eq!(
            (m.dtype, m.codecs.big_endian, m.fill, m.chunk_bytes()),
            (
                Dtype::I16,
                true,
                Fill::Element([7, 0, 0, 0, 0, 0, 0, 0]),
                Some(12)
            )
        );
        assert_eq!(
            (m.keys.of(&[1, 20]), m.axes),
            ("1.20".to_owned(), vec!["lat".to_owned(), "lon".to_owned()])
        );
        let m = Metadata::of_v3(&v3()).unwrap();
        assert_eq!(
            (m.fill, m.keys.of(&[1, 20]), m.axes),
            (
                Fill::Absent,
                "c/1/20".to_owned(),
                vec!["y".to_owned(), String::new()]
            )
        );
    }

    #[test]
    fn shards_are_told_from_their_chunks() {
        let codec = |inner: Value| {
            let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
            let config = json!({"chunk_shape": inner, "codecs": [bytes], "index_codecs": [bytes, "crc32c"], "index_location": "start"});
            with(
                v3(),
                "codecs",
                json!([{"name": "sharding_indexed", "configuration": config}]),
            )
        };
        let m = Metadata::of_v3(&codec(json!([1, 3]))).unwrap();
        let shards = m.shards.unwrap();
        assert_eq!(
            (m.chunk, shards.chunks, shards.index_first),
            (vec![1, 3], vec![2, 1], true)
        );
        for inner in [json!([2, 2]), json!([0, 3]), json!([1])] {
            assert!(Metadata::of_v3(&codec(inner)).is_err());
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (key, value, part) in [
            ("shape", json!([4, -1]), "shape holds -1"),
            ("shape", json!([4, 1.5]), "shape holds 1.5"),
            ("shape", json!([4]), "chunks has 2 axes, the shape 1"),
            ("chunks", json!([2, 0]), "chunks holds 0"),
            ("dtype", json!("<c8"), "complex64"),
            ("order", json!("K"), "order 'K'"),
            ("dimension_separator", json!("/../"), "neither"),
            ("fill_value", json!(70000), "fill_value 70000"),
            ("compressor", json!({"id": "zfpy"}), "'zfpy'"),
            ("zarr_format", json!(3), "zarr_format"),
        ] {
            let e = Metadata::of_v2(&with(v2(), key, value), Map::new()).unwrap_err();
            assert!(e.contains(part), "{e}");
        }
        for (key, value, part) in [
            ("shape", json!(vec![1; 33]), "33 axes"),
            ("data_type", json!("complex128"), "complex128"),
            ("chunk_grid", json!({"name": "rectilinear"}), "'rectilinear'"),
            (
                "chunk_key_encoding",
                json!({"name": "default", "configuration": {"separator": ".."}}),
                "neither",
            ),
            ("storage_transformers", json!([{"name": "magic"}]), "'magic'"),
            ("extra", json!({"a": 1}), "'extra'"),
            ("codecs", json!("gzip"), "no codecs"),
            ("dimension_names", json!(["a"]), "1 dimension_names"),
        ] {
            let e = Metadata::of_v3(&with(v3(), key, value)).unwrap_err();
            assert!(e.contains(part), "{e}");
        }
        assert!(Metadata::of_v3(&with(v3(), "extra", json!({"must_understand": false}))).is_ok());
        let huge =
            Metadata::of_v2(&with(v2(), "chunks", json!([1u64 << 40, 1u64 << 40])), Map::new()).unwrap();
        assert_eq!(huge.chunk_bytes(), None);
    }
}

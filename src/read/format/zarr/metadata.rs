//! The metadata of an array, in version 2 or 3: what it declares is checked before anything is made of it.

use super::codec::{Codecs, named};
use crate::array::{ArrayFault, Conventions, Dtype, Encoding, Packing};
use crate::format::npy::parse_descr;
use serde_json::{Map, Value};

/// Axes that an array may have.
const MOST_DIMS: usize = 32;

/// The names of the files of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MetadataKeys {
    /// Whether they begin with `c`.
    pub prefixed: bool,
    /// `.` or `/`.
    pub separator: &'static str,
}

impl MetadataKeys {
    /// The key of a chunk, from numbers alone.
    pub(super) fn of(self, chunk: &[usize]) -> String {
        let prefix = self.prefixed.then(|| "c".to_owned());
        let names: Vec<String> = prefix.into_iter().chain(chunk.iter().map(usize::to_string)).collect();
        if names.is_empty() { "0".to_owned() } else { names.join(self.separator) }
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

impl Shards {
    /// Bytes of the decoded index, if they can be counted: a place and a length for each chunk.
    pub(super) fn index_bytes(&self) -> Option<usize> {
        product(&self.chunks).and_then(|n| n.checked_mul(16))
    }
}

/// An array as its metadata describe it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Metadata {
    pub version: u8,
    pub shape: Vec<usize>,
    /// Elements along each axis of a chunk, the unit of decoding.
    pub chunk: Vec<usize>,
    pub dtype: Dtype,
    pub fill: FillValue,
    /// It as a number, where JSON has one.
    pub fill_number: Option<f64>,
    pub codecs: Codecs,
    pub shards: Option<Shards>,
    pub keys: MetadataKeys,
    /// The names of its axes, empty where they have none.
    pub axes: Vec<String>,
    pub attributes: Map<String, Value>,
}

impl Metadata {
    /// How its stored numbers become values, by its attributes; the fill value of version 2 means no value where the attributes
    /// are those of xarray.
    pub(super) fn packing(&self) -> Packing {
        let mut packing = Conventions(&self.attributes).packing(self.dtype, false);
        if self.version == 2 && self.attributes.contains_key("_ARRAY_DIMENSIONS") {
            packing.missing.extend(self.fill_number);
        }
        packing
    }

    /// Bytes of a chunk's elements, if they can be counted.
    pub(super) fn chunk_bytes(&self) -> Option<usize> {
        product(&self.chunk).and_then(|n| n.checked_mul(self.dtype.size()))
    }

    /// Element type and byte order of decoded chunks.
    pub(super) fn encoding(&self) -> Encoding {
        Encoding { dtype: self.dtype, big_endian: self.codecs.big_endian }
    }

    /// `.zarray`, and the content of `.zattrs`.
    pub(super) fn of_v2(m: &Value, attributes: Map<String, Value>) -> Result<Self, ArrayFault> {
        if m["zarr_format"] != 2 {
            return Err("zarr_format is not 2".into());
        }
        let shape = sizes(m, "shape", 0)?;
        let Encoding { dtype, big_endian } = dtype_of_v2(&m["dtype"])?;
        let (fill, of) = (fill_of(&m["fill_value"], dtype)?, Conventions(&attributes));
        let dtype = of.dtype(dtype);
        let fill_number = m["fill_value"].as_f64().map(|number| of.in_type(number, dtype));
        let axes = attributes.get("_ARRAY_DIMENSIONS").map_or_else(Vec::new, texts);
        Ok(Self {
            version: 2,
            chunk: chunk_sizes(m, "chunks", shape.len())?,
            codecs: Codecs::of_v2(m, shape.len(), big_endian)?,
            fill,
            fill_number,
            shards: None,
            keys: MetadataKeys {
                prefixed: false,
                separator: separator(m.get("dimension_separator").filter(|s| !s.is_null()), ".")?,
            },
            axes: if axes.len() == shape.len() { axes } else { vec![String::new(); shape.len()] },
            shape,
            dtype,
            attributes,
        })
    }

    /// `zarr.json` of an array.
    pub(super) fn of_v3(m: &Value) -> Result<Self, ArrayFault> {
        check_understood(m)?;
        let shape = sizes(m, "shape", 0)?;
        let dims = shape.len();
        let (grid, config) = named(m.get("chunk_grid").ok_or("names no chunk_grid")?)?;
        if grid != "regular" {
            return Err(ArrayFault::unsupported(format!("chunk_grid '{grid}' is not read")));
        }
        let mut chunk = chunk_sizes(config, "chunk_shape", dims)?;
        let dtype = dtype_of_v3(&m["data_type"])?;
        let (encoding, config) = named(m.get("chunk_key_encoding").ok_or("names no chunk_key_encoding")?)?;
        let (prefixed, default) = match encoding {
            "default" => (true, "/"),
            "v2" => (false, "."),
            _ => {
                let what = format!("chunk_key_encoding '{encoding}' is not read");
                return Err(ArrayFault::unsupported(what));
            }
        };
        let separator = separator(config.get("separator"), default)?;
        let list = m["codecs"].as_array().ok_or("names no codecs")?;
        let (shards, codecs) = match list.as_slice() {
            [lone] if named(lone)?.0 == "sharding_indexed" => {
                let (shards, inner, codecs) = sharding(named(lone)?.1, &chunk, dtype)?;
                chunk = inner;
                (Some(shards), codecs)
            }
            list => (None, Codecs::of_v3(list, dims, dtype.size())?),
        };
        let axes = match &m["dimension_names"] {
            names @ Value::Array(_) => texts(names),
            _ => vec![String::new(); dims],
        };
        let attributes = m["attributes"].as_object().cloned().unwrap_or_default();
        if axes.len() != dims {
            return Err(format!("{} dimension_names, the shape has {dims} axes", axes.len()).into());
        }
        Ok(Self {
            version: 3,
            fill: fill_of(&m["fill_value"], dtype)?,
            fill_number: m["fill_value"].as_f64(),
            keys: MetadataKeys { prefixed, separator },
            dtype: Conventions(&attributes).dtype(dtype),
            attributes,
            shape,
            chunk,
            codecs,
            shards,
            axes,
        })
    }
}

/// The texts of a list, empty for entries of other types.
fn texts(list: &Value) -> Vec<String> {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    list.as_array().into_iter().flatten().map(text).collect()
}

/// The product of sizes, where it can be counted.
fn product(sizes: &[usize]) -> Option<usize> {
    sizes.iter().try_fold(1usize, |n, d| n.checked_mul(*d))
}

/// The shards whose sides are `outer`, the sides of their chunks, and how these are encoded.
fn sharding(
    config: &Value,
    outer: &[usize],
    dtype: Dtype,
) -> Result<(Shards, Vec<usize>, Codecs), ArrayFault> {
    let inner = chunk_sizes(config, "chunk_shape", outer.len())?;
    let whole = |(o, i): (&usize, &usize)| o.is_multiple_of(*i).then_some(o / i);
    let chunks: Option<Vec<usize>> = outer.iter().zip(&inner).map(whole).collect();
    let chunks = chunks.ok_or_else(|| format!("shards of {outer:?} hold no whole chunks of {inner:?}"))?;
    let list = |key: &str| {
        let list = config[key].as_array();
        list.ok_or_else(|| format!("codec 'sharding_indexed' names no {key}"))
    };
    let index_first = match config["index_location"].as_str() {
        None | Some("end") => false,
        Some("start") => true,
        Some(l) => return Err(format!("index_location '{l}' is neither start nor end").into()),
    };
    let codecs = Codecs::of_v3(list("codecs")?, outer.len(), dtype.size())?;
    Ok((Shards { chunks, index: Codecs::of_index(list("index_codecs")?)?, index_first }, inner, codecs))
}

/// Refuses features that a reader of this version must understand and this one does not.
fn check_understood(m: &Value) -> Result<(), ArrayFault> {
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
    if m["zarr_format"] != 3 {
        return Err("zarr_format is not 3".into());
    }
    let object = m.as_object().ok_or("is not an object")?;
    let is_known = |key: &String, v: &Value| KNOWN.contains(&key.as_str()) || v["must_understand"] == false;
    if let Some((key, _)) = object.iter().find(|(k, v)| !is_known(k, v)) {
        return Err(ArrayFault::unsupported(format!("'{key}' is not understood")));
    }
    match m["storage_transformers"].get(0) {
        Some(t) => {
            let what = format!("storage transformer '{}' is not read", named(t)?.0);
            Err(ArrayFault::unsupported(what))
        }
        None => Ok(()),
    }
}

fn separator(value: Option<&Value>, default: &'static str) -> Result<&'static str, ArrayFault> {
    match value {
        None => Ok(default),
        Some(s) if s == "." => Ok("."),
        Some(s) if s == "/" => Ok("/"),
        Some(s) => Err(format!("separator {s} is neither \".\" nor \"/\"").into()),
    }
}

fn chunk_sizes(m: &Value, key: &str, dims: usize) -> Result<Vec<usize>, ArrayFault> {
    let out = sizes(m, key, 1)?;
    if out.len() == dims {
        Ok(out)
    } else {
        Err(format!("{key} has {} axes, the shape {dims}", out.len()).into())
    }
}

/// A list of whole numbers, none below `least`.
fn sizes(m: &Value, key: &str, least: u64) -> Result<Vec<usize>, ArrayFault> {
    let list = m[key].as_array().ok_or_else(|| format!("names no {key}"))?;
    if list.len() > MOST_DIMS {
        return Err(format!("{key} has {} axes, at most {MOST_DIMS} are read", list.len()).into());
    }
    let side = |v: &Value| usize::try_from(v.as_u64().filter(|n| *n >= least)?).ok();
    let side = |v| side(v).ok_or_else(|| format!("{key} holds {v}, not a whole number from {least}").into());
    list.iter().map(side).collect()
}

/// The number in the cells of an absent chunk, as its little-endian bytes, of which as many count as an element has; `None` if
/// there is no data: the fill value is NaN, null, or not given.
type FillValue = Option<[u8; 8]>;

/// The element type of version 3 by its name.
fn dtype_of_v3(value: &Value) -> Result<Dtype, ArrayFault> {
    if value.is_null() {
        return Err("names no data_type".into());
    }
    let name = value.as_str().or_else(|| value["name"].as_str());
    let name = name.ok_or("data_type is not a name")?;
    Dtype::from_name(name).ok_or_else(|| ArrayFault::unsupported(format!("data_type '{name}' is not read")))
}

/// The element type and byte order of version 2.
fn dtype_of_v2(value: &Value) -> Result<Encoding, ArrayFault> {
    match value {
        Value::String(descr) => parse_descr(descr),
        Value::Array(_) => Err(ArrayFault::no_numbers("a structured dtype".to_owned(), "")),
        _ => Err("names no dtype".into()),
    }
}

/// A fill value in its type.
fn fill_of(value: &Value, dtype: Dtype) -> Result<FillValue, ArrayFault> {
    if value.is_null() {
        return Ok(None);
    }
    let wrong = || format!("fill_value {value} is not a valid {}", dtype.name());
    let mut out = [0; 8];
    let mut put = |bytes: &[u8]| out[..bytes.len()].copy_from_slice(bytes);
    if matches!(dtype, Dtype::F16 | Dtype::F32 | Dtype::F64) {
        let (v, bits) = float(value, dtype.size()).ok_or_else(wrong)?;
        if v.is_nan() {
            return Ok(None);
        }
        match (dtype, bits) {
            (_, Some(bits)) => put(&bits.to_le_bytes()[..dtype.size()]),
            (Dtype::F16, _) => put(&half::f16::from_f64(v).to_le_bytes()),
            (Dtype::F32, _) => put(&(v as f32).to_le_bytes()),
            _ => put(&v.to_le_bytes()),
        }
        return Ok(Some(out));
    }
    let v = match (value.as_bool(), value.as_u64(), value.as_i64(), value.as_f64()) {
        (Some(b), ..) => i128::from(b),
        (_, Some(u), ..) => i128::from(u),
        (_, _, Some(i), _) => i128::from(i),
        (.., Some(f)) if f.fract() == 0.0 && f.abs() < 9e15 => f as i128,
        _ => return Err(wrong().into()),
    };
    let bits = 8 * dtype.size() as u32;
    let range = match dtype {
        Dtype::Bool => 0..=1,
        Dtype::U8 | Dtype::U16 | Dtype::U32 | Dtype::U64 => 0..=(1 << bits) - 1,
        _ => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
    };
    if !range.contains(&v) {
        return Err(wrong().into());
    }
    put(&v.to_le_bytes()[..dtype.size()]);
    Ok(Some(out))
}

/// A float as it is written: a number, a word, or the bits of an element of `size` bytes.
fn float(value: &Value, size: usize) -> Option<(f64, Option<u64>)> {
    let text = match value {
        Value::Number(n) => return n.as_f64().map(|v| (v, None)),
        Value::String(s) => s.as_str(),
        _ => return None,
    };
    match text {
        "NaN" => Some((f64::NAN, None)),
        "Infinity" => Some((f64::INFINITY, None)),
        "-Infinity" => Some((f64::NEG_INFINITY, None)),
        _ => {
            let digits = text.strip_prefix("0x").filter(|d| d.len() == 2 * size)?;
            let bits = u64::from_str_radix(digits, 16).ok()?;
            let v = match size {
                2 => half::f16::from_bits(bits as u16).to_f64(),
                4 => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from_bits(bits),
            };
            Some((v, Some(bits)))
        }
    }
}

#[cfg(test)]
mod fill_tests {
    use super::*;
    use serde_json::json;

    fn element(value: Value, dtype: Dtype) -> Option<Vec<u8>> {
        let bytes = fill_of(&value, dtype).unwrap();
        bytes.map(|e| e[..dtype.size()].to_vec())
    }

    #[test]
    fn numbers_keep_their_bits() {
        assert_eq!(element(json!(7.0), Dtype::F32).unwrap(), 7f32.to_le_bytes());
        assert_eq!(element(json!("-Infinity"), Dtype::F16).unwrap(), [0, 0xfc]);
        assert_eq!(element(json!("0x3f800000"), Dtype::F32).unwrap(), 1f32.to_le_bytes());
        assert_eq!(element(json!(u64::MAX), Dtype::U64).unwrap(), [0xff; 8]);
        assert_eq!(element(json!(i64::MIN), Dtype::I64).unwrap(), i64::MIN.to_le_bytes());
        assert_eq!(element(json!(true), Dtype::Bool).unwrap(), [1]);
        assert_eq!(element(json!(0.0), Dtype::I16).unwrap(), [0, 0]);
    }

    #[test]
    fn nan_null_and_nothing_are_absent() {
        let metadata = json!({});
        for value in [&json!("NaN"), &Value::Null, &json!("0x7fc00001"), &metadata["fill_value"]] {
            assert_eq!(fill_of(value, Dtype::F32), Ok(None));
        }
        assert_eq!(fill_of(&Value::Null, Dtype::I32), Ok(None));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        for (value, dtype) in [
            (json!(256), Dtype::U8),
            (json!(-129), Dtype::I8),
            (json!(-1), Dtype::U64),
            (json!(2), Dtype::Bool),
            (json!(1.5), Dtype::I32),
            (json!("NaN"), Dtype::I32),
            (json!("0x3f80"), Dtype::F32),
            (json!("AAAA"), Dtype::F64),
            (json!([1]), Dtype::F64),
        ] {
            assert!(fill_of(&value, dtype).is_err(), "{value}");
        }
        let refused = |value: Value| dtype_of_v2(&value).unwrap_err().what;
        assert_eq!(
            dtype_of_v3(&json!("complex64")).unwrap_err(),
            ArrayFault::unsupported("data_type 'complex64' is not read")
        );
        assert!(refused(json!([["a", "<f4"]])).contains("structured"));
        assert!(refused(json!("|O")).contains("object"));
        assert_eq!(refused(Value::Null), "names no dtype");
        let encoding = Encoding { dtype: Dtype::F64, big_endian: true };
        assert_eq!(dtype_of_v2(&json!(">f8")), Ok(encoding));
    }
}

#[cfg(test)]
mod tests;

//! The codecs of a chunk: parsed from either version of the metadata, and undone in their order.

use super::blosc;
use super::checksum::{checked, crc32c, fletcher32};
use super::inflate::{Packing, exactly, inflate};
use super::shuffle::unshuffle;
use crate::array::Fault;
use serde_json::Value;

/// A codec from bytes to bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Packed(Packing),
    Blosc,
    Crc32c,
    Fletcher32,
    /// Bytes of elements of this size, sorted by their place.
    Shuffle(usize),
}

/// Compressed bytes may be this many more than what they hold.
const SLACK: usize = 64 << 10;

impl Step {
    /// A codec by its name and its options, `config`.
    fn parse(name: &str, config: &Value) -> Result<Self, Fault> {
        Ok(match name.strip_prefix("numcodecs.").unwrap_or(name) {
            "gzip" => Step::Packed(Packing::Gzip),
            "zlib" => Step::Packed(Packing::Zlib),
            "zstd" => Step::Packed(Packing::Zstd),
            "lz4" => Step::Packed(Packing::Lz4),
            "blosc" => Step::Blosc,
            // Those of numcodecs are before the bytes or after them, by an option.
            "crc32c" if config.get("location").is_none_or(|l| l == "end") && name == "crc32c" => Step::Crc32c,
            "fletcher32" => Step::Fletcher32,
            "shuffle" => match config.get("elementsize").map_or(Some(4), Value::as_u64) {
                Some(size @ 1..=255) => Step::Shuffle(size as usize),
                _ => return Err("codec 'shuffle': elementsize is not a number from 1 to 255".into()),
            },
            _ => return Err(Fault::unsupported(format!("codec '{name}' is not read"))),
        })
    }

    /// The most bytes that it gives for this many.
    fn most(self, bytes: usize) -> usize {
        match self {
            Step::Packed(_) | Step::Blosc => bytes.saturating_add(bytes / 2).saturating_add(SLACK),
            Step::Crc32c | Step::Fletcher32 => bytes.saturating_add(4),
            Step::Shuffle(_) => bytes,
        }
    }

    /// The bytes before it, of which there may be `most`.
    fn undo(self, bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, Fault> {
        match self {
            Step::Packed(packing) => inflate(packing, &bytes, most),
            Step::Blosc => blosc::decompress(&bytes, most),
            Step::Crc32c => checked(bytes, "crc32c", crc32c),
            Step::Fletcher32 => checked(bytes, "fletcher32", fletcher32),
            Step::Shuffle(n) => Ok(unshuffle(&bytes, n)),
        }
    }
}

/// How the elements of a chunk became bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Codecs {
    /// The axes of the array, the one whose elements lie side by side last.
    pub order: Vec<usize>,
    /// Whether numbers are big-endian.
    pub big_endian: bool,
    steps: Vec<Step>,
}

impl Codecs {
    /// The chunk's bytes before all steps, of which there must be `bytes`.
    pub(super) fn decode(&self, mut chunk: Vec<u8>, bytes: usize) -> Result<Vec<u8>, Fault> {
        let mut most = vec![bytes];
        for step in &self.steps {
            most.push(step.most(most[most.len() - 1]));
        }
        for (step, most) in self.steps.iter().zip(most).rev() {
            chunk = step.undo(chunk, most)?;
        }
        exactly(chunk, bytes)
    }

    /// The most bytes that `bytes` of elements become.
    pub(super) fn most(&self, bytes: usize) -> usize {
        self.steps.iter().fold(bytes, |n, step| step.most(n))
    }

    /// The codecs of version 2: an order, filters, and a compressor.
    pub(super) fn of_v2(metadata: &Value, dims: usize, big_endian: bool) -> Result<Self, Fault> {
        let order = match metadata["order"].as_str() {
            Some("C") | None => (0..dims).collect(),
            Some("F") => (0..dims).rev().collect(),
            Some(o) => return Err(format!("order '{o}' is neither C nor F").into()),
        };
        let filters = metadata["filters"].as_array().into_iter().flatten();
        let codecs = filters.chain([&metadata["compressor"]]).filter(|c| !c.is_null());
        let step = |codec: &Value| Step::parse(codec["id"].as_str().ok_or("a codec has no id")?, codec);
        Ok(Self { order, big_endian, steps: codecs.map(step).collect::<Result<_, _>>()? })
    }

    /// The codecs of version 3, which hold no sharding; `size` is that of an element.
    pub(super) fn of_v3(list: &[Value], dims: usize, size: usize) -> Result<Self, Fault> {
        let mut out = Self { order: (0..dims).collect(), big_endian: false, steps: Vec::new() };
        let mut serialized = false;
        for codec in list {
            let (name, config) = named(codec)?;
            match name {
                "transpose" if !serialized => {
                    let order = permutation(&config["order"], dims)?;
                    out.order = order.iter().map(|&i| out.order[i]).collect();
                }
                "bytes" if !serialized => {
                    serialized = true;
                    out.big_endian = match config["endian"].as_str() {
                        Some("little") => false,
                        Some("big") => true,
                        Some(e) => {
                            return Err(
                                format!("codec 'bytes': endian '{e}' is neither little nor big").into()
                            );
                        }
                        None if size > 1 => return Err("codec 'bytes' names no endian".into()),
                        None => false,
                    };
                }
                "sharding_indexed" => {
                    let what = "codec 'sharding_indexed' is read only as the lone codec";
                    return Err(Fault::unsupported(what));
                }
                _ if serialized => out.steps.push(Step::parse(name, config)?),
                _ => {
                    let place = if known(name) { " before 'bytes'" } else { "" };
                    return Err(Fault::unsupported(format!("codec '{name}' is not read{place}")));
                }
            }
        }
        if serialized { Ok(out) } else { Err("codecs name no 'bytes'".into()) }
    }

    /// Codecs of a shard's index: plain numbers, with or without a checksum.
    pub(super) fn of_index(list: &[Value]) -> Result<Self, Fault> {
        let out = Self::of_v3(list, 1, 8)?;
        if out.steps.iter().all(|s| *s == Step::Crc32c) {
            Ok(out)
        } else {
            Err(Fault::unsupported("index_codecs other than bytes and crc32c"))
        }
    }
}

fn known(name: &str) -> bool {
    matches!(name, "transpose" | "bytes") || Step::parse(name, &Value::Null).is_ok()
}

/// A name with its configuration: an object, or the bare name.
pub(super) fn named(value: &Value) -> Result<(&str, &Value), Fault> {
    let name = value.as_str().or_else(|| value["name"].as_str());
    Ok((name.ok_or("an extension has no name")?, &value["configuration"]))
}

fn permutation(order: &Value, dims: usize) -> Result<Vec<usize>, Fault> {
    let list = order.as_array().into_iter().flatten();
    let axes: Vec<usize> = list.filter_map(|v| usize::try_from(v.as_u64()?).ok()).collect();
    let is_whole = order.as_array().is_some_and(|l| l.len() == dims) && (0..dims).all(|a| axes.contains(&a));
    if is_whole {
        Ok(axes)
    } else {
        Err(format!("codec 'transpose': order is not a permutation of {dims} axes").into())
    }
}

#[cfg(test)]
mod tests;

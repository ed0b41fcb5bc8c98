//! The codecs of a chunk: parsed from either version of the metadata, and undone in their order.

use super::blosc;
use super::checksum::{checked, crc32c, fletcher32};
use super::inflate::{Packing, Size, inflate};
use super::shuffle::unshuffle;
use serde_json::Value;

/// A codec from bytes to bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Packed(Packing),
    Blosc,
    Crc32c,
    Fletcher32,
    /// Bytes of elements of so many bytes, sorted by their place.
    Shuffle(usize),
}

/// Compressed bytes may be so many more than what they hold.
const SLACK: usize = 64 << 10;

impl Step {
    /// A codec by its name, whose options stand in `config`.
    fn parse(name: &str, config: &Value) -> Result<Self, String> {
        Ok(match name.strip_prefix("numcodecs.").unwrap_or(name) {
            "gzip" => Step::Packed(Packing::Gzip),
            "zlib" => Step::Packed(Packing::Zlib),
            "zstd" => Step::Packed(Packing::Zstd),
            "lz4" => Step::Packed(Packing::Lz4),
            "blosc" => Step::Blosc,
            // Those of numcodecs stand before the bytes or after them, by an option.
            "crc32c" if config.get("location").is_none_or(|l| l == "end") && name == "crc32c" => Step::Crc32c,
            "fletcher32" => Step::Fletcher32,
            "shuffle" => {
                let size = config.get("elementsize").map_or(Some(4), Value::as_u64);
                let size = size
                    .and_then(|n| usize::try_from(n).ok())
                    .filter(|n| (1..=255).contains(n));
                Step::Shuffle(size.ok_or("codec 'shuffle': elementsize is no number from 1 to 255")?)
            }
            _ => return Err(format!("codec '{name}' is not read")),
        })
    }

    /// The bytes it gives for bytes of this size.
    fn encoded(self, size: Size) -> Size {
        let grown = |more: usize| match size {
            Size::Exactly(n) => Size::Exactly(n.saturating_add(more)),
            Size::AtMost(n) => Size::AtMost(n.saturating_add(more)),
        };
        match self {
            Step::Packed(_) | Step::Blosc => {
                Size::AtMost(size.most().saturating_add(size.most() / 2).saturating_add(SLACK))
            }
            Step::Crc32c | Step::Fletcher32 => grown(4),
            Step::Shuffle(_) => size,
        }
    }

    fn undo(self, bytes: Vec<u8>, size: Size) -> Result<Vec<u8>, String> {
        let out = match self {
            Step::Packed(packing) => inflate(packing, &bytes, size)?,
            Step::Blosc => blosc::decompress(&bytes, size)?,
            Step::Crc32c => checked(bytes, "crc32c", crc32c)?,
            Step::Fletcher32 => checked(bytes, "fletcher32", fletcher32)?,
            Step::Shuffle(n) => unshuffle(&bytes, n),
        };
        size.check(out)
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
    /// The chunk's bytes that stood before all steps, of which there must be `bytes`.
    pub fn decode(&self, mut chunk: Vec<u8>, bytes: usize) -> Result<Vec<u8>, String> {
        let sizes = self.sizes(bytes);
        chunk = sizes[self.steps.len()].check(chunk)?;
        for (step, size) in self.steps.iter().zip(&sizes).rev() {
            chunk = step.undo(chunk, *size)?;
        }
        Ok(chunk)
    }

    /// The most bytes that `bytes` of elements become.
    pub fn most(&self, bytes: usize) -> usize {
        self.sizes(bytes)[self.steps.len()].most()
    }

    /// The size before each step and after the last.
    fn sizes(&self, bytes: usize) -> Vec<Size> {
        let mut out = vec![Size::Exactly(bytes)];
        for step in &self.steps {
            out.push(step.encoded(out[out.len() - 1]));
        }
        out
    }

    /// The codecs of version 2: an order, filters, and a compressor.
    pub fn of_v2(metadata: &Value, dims: usize, big_endian: bool) -> Result<Self, String> {
        let order = match metadata.get("order").and_then(Value::as_str) {
            Some("C") | None => (0..dims).collect(),
            Some("F") => (0..dims).rev().collect(),
            Some(o) => return Err(format!("order '{o}' is neither C nor F")),
        };
        let mut steps = Vec::new();
        let list = metadata
            .get("filters")
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        for codec in list
            .iter()
            .chain(metadata.get("compressor"))
            .filter(|c| !c.is_null())
        {
            let name = codec
                .get("id")
                .and_then(Value::as_str)
                .ok_or("a codec has no id")?;
            steps.push(Step::parse(name, codec)?);
        }
        Ok(Self {
            order,
            big_endian,
            steps,
        })
    }

    /// The codecs of version 3, which hold no sharding; `size` is that of an element.
    pub fn of_v3(list: &[Value], dims: usize, size: usize) -> Result<Self, String> {
        let mut out = Self {
            order: (0..dims).collect(),
            big_endian: false,
            steps: Vec::new(),
        };
        let mut serialized = false;
        for codec in list {
            let (name, config) = named(codec)?;
            match name {
                "transpose" if !serialized => {
                    let order = permutation(config.get("order"), dims)?;
                    out.order = order.iter().map(|&i| out.order[i]).collect();
                }
                "bytes" if !serialized => {
                    serialized = true;
                    out.big_endian = match config.get("endian").and_then(Value::as_str) {
                        Some("little") => false,
                        Some("big") => true,
                        Some(e) => {
                            return Err(format!("codec 'bytes': endian '{e}' is neither little nor big"));
                        }
                        None if size > 1 => return Err("codec 'bytes' names no endian".to_owned()),
                        None => false,
                    };
                }
                "sharding_indexed" => {
                    return Err("codec 'sharding_indexed' is read where it stands alone".to_owned());
                }
                _ if serialized => out.steps.push(Step::parse(name, config)?),
                _ => {
                    return Err(format!(
                        "codec '{name}' is not read{}",
                        if known(name) { " before 'bytes'" } else { "" }
                    ));
                }
            }
        }
        if !serialized {
            return Err("codecs name no 'bytes'".to_owned());
        }
        Ok(out)
    }

    /// Codecs of a shard's index: plain numbers, with or without a checksum.
    pub fn of_index(list: &[Value]) -> Result<Self, String> {
        let out = Self::of_v3(list, 1, 8)?;
        if out.steps.iter().all(|s| *s == Step::Crc32c) {
            Ok(out)
        } else {
            Err("index_codecs other than bytes and crc32c".to_owned())
        }
    }
}

fn known(name: &str) -> bool {
    matches!(name, "transpose" | "bytes") || Step::parse(name, &Value::Null).is_ok()
}

/// A name with its configuration: an object, or the bare name.
pub(super) fn named(value: &Value) -> Result<(&str, &Value), String> {
    let name = value
        .as_str()
        .or_else(|| value.get("name")?.as_str())
        .ok_or("an extension has no name")?;
    Ok((name, value.get("configuration").unwrap_or(&Value::Null)))
}

fn permutation(order: Option<&Value>, dims: usize) -> Result<Vec<usize>, String> {
    let wrong = || format!("codec 'transpose': order is no permutation of {dims} axes");
    let list = order
        .and_then(Value::as_array)
        .filter(|l| l.len() == dims)
        .ok_or_else(wrong)?;
    let order: Option<Vec<usize>> = list
        .iter()
        .map(|v| v.as_u64().and_then(|n| usize::try_from(n).ok()))
        .collect();
    order
        .filter(|o| (0..dims).all(|a| o.contains(&a)))
        .ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn orders_and_steps_are_parsed() {
        let v2 = json!({"order": "F", "filters": [{"id": "shuffle", "elementsize": 2}], "compressor": {"id": "zlib", "level": 1}});
        let c = Codecs::of_v2(&v2, 3, true).unwrap();
        assert_eq!(
            (c.order, c.big_endian, c.steps),
            (
                vec![2, 1, 0],
                true,
                vec![Step::Shuffle(2), Step::Packed(Packing::Zlib)]
            )
        );
        let list = [
            json!({"name": "transpose", "configuration": {"order": [1, 2, 0]}}),
            json!({"name": "transpose", "configuration": {"order": [1, 0, 2]}}),
            json!({"name": "bytes", "configuration": {"endian": "big"}}),
            json!("crc32c"),
        ];
        let c = Codecs::of_v3(&list, 3, 4).unwrap();
        assert_eq!(
            (c.order, c.big_endian, c.steps),
            (vec![2, 1, 0], true, vec![Step::Crc32c])
        );
    }

    #[test]
    fn what_is_not_read_is_named() {
        let e = |list: &[Value]| Codecs::of_v3(list, 2, 4).unwrap_err();
        let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
        assert_eq!(
            e(&[bytes.clone(), json!("numcodecs.bz2")]),
            "codec 'numcodecs.bz2' is not read"
        );
        assert_eq!(
            e(&[json!("numcodecs.pcodec")]),
            "codec 'numcodecs.pcodec' is not read"
        );
        assert_eq!(
            e(&[json!("gzip"), bytes.clone()]),
            "codec 'gzip' is not read before 'bytes'"
        );
        assert_eq!(e(&[]), "codecs name no 'bytes'");
        assert_eq!(e(&[json!("bytes")]), "codec 'bytes' names no endian");
        assert!(
            e(&[
                json!({"name": "transpose", "configuration": {"order": [0, 0]}}),
                bytes.clone()
            ])
            .contains("permutation")
        );
        assert!(e(&[json!({"nom": 1})]).contains("no name"));
        assert!(
            Codecs::of_v2(&json!({"compressor": {"id": "bz2"}}), 1, false)
                .unwrap_err()
                .contains("'bz2'")
        );
        assert!(Codecs::of_index(&[bytes, json!("gzip")]).is_err());
    }

    #[test]
    fn steps_are_undone_in_turn() {
        let list = [json!("bytes"), json!("crc32c"), json!("numcodecs.fletcher32")];
        let c = Codecs::of_v3(&list, 1, 1).unwrap();
        let mut chunk = vec![1, 2, 3];
        chunk.extend(crc32c(&chunk).to_le_bytes());
        chunk.extend(fletcher32(&chunk).to_le_bytes());
        assert_eq!(c.most(3), 11);
        assert_eq!(c.decode(chunk.clone(), 3).unwrap(), [1, 2, 3]);
        assert!(
            c.decode(chunk.clone(), 4)
                .unwrap_err()
                .contains("its shape takes 12")
        );
        chunk[0] ^= 1;
        assert!(c.decode(chunk, 3).unwrap_err().contains("fletcher32"));
    }
}

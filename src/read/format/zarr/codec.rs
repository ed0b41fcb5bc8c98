//! The codecs of a chunk: parsed from either version of the metadata, and undone in their order.

use super::blosc;
use super::inflate::{Packing, exactly, inflate};
use crate::array::ArrayFault;
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

/// Compressed bytes may be this many more than their content.
const SLACK: usize = 64 << 10;

impl Step {
    /// A codec by its name and its options, `config`.
    fn parse(name: &str, config: &Value) -> Result<Self, ArrayFault> {
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
            _ => return Err(ArrayFault::unsupported(format!("codec '{name}' is not read"))),
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
    fn undo(self, bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, ArrayFault> {
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
    pub(super) fn decode(&self, mut chunk: Vec<u8>, bytes: usize) -> Result<Vec<u8>, ArrayFault> {
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
    pub(super) fn of_v2(metadata: &Value, dims: usize, big_endian: bool) -> Result<Self, ArrayFault> {
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
    pub(super) fn of_v3(list: &[Value], dims: usize, size: usize) -> Result<Self, ArrayFault> {
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
                    return Err(ArrayFault::unsupported(what));
                }
                _ if serialized => out.steps.push(Step::parse(name, config)?),
                _ => {
                    let place = if known(name) { " before 'bytes'" } else { "" };
                    return Err(ArrayFault::unsupported(format!("codec '{name}' is not read{place}")));
                }
            }
        }
        if serialized { Ok(out) } else { Err("codecs name no 'bytes'".into()) }
    }

    /// Codecs of a shard's index: plain numbers, with or without a checksum.
    pub(super) fn of_index(list: &[Value]) -> Result<Self, ArrayFault> {
        let out = Self::of_v3(list, 1, 8)?;
        if out.steps.iter().all(|s| *s == Step::Crc32c) {
            Ok(out)
        } else {
            Err(ArrayFault::unsupported("index_codecs other than bytes and crc32c"))
        }
    }
}

fn known(name: &str) -> bool {
    matches!(name, "transpose" | "bytes") || Step::parse(name, &Value::Null).is_ok()
}

/// A name with its configuration: an object, or the bare name.
pub(super) fn named(value: &Value) -> Result<(&str, &Value), ArrayFault> {
    let name = value.as_str().or_else(|| value["name"].as_str());
    Ok((name.ok_or("an extension has no name")?, &value["configuration"]))
}

fn permutation(order: &Value, dims: usize) -> Result<Vec<usize>, ArrayFault> {
    let list = order.as_array().into_iter().flatten();
    let axes: Vec<usize> = list.filter_map(|v| usize::try_from(v.as_u64()?).ok()).collect();
    let is_whole = order.as_array().is_some_and(|l| l.len() == dims) && (0..dims).all(|a| axes.contains(&a));
    if is_whole {
        Ok(axes)
    } else {
        Err(format!("codec 'transpose': order is not a permutation of {dims} axes").into())
    }
}

/// Remainders of each byte for the reflected Castagnoli polynomial.
const TABLE: [u32; 256] = {
    let mut table = [0u32; 256];
    let mut i = 0;
    while i < 256 {
        let (mut c, mut bit) = (i as u32, 0);
        while bit < 8 {
            c = if c & 1 == 1 { (c >> 1) ^ 0x82f6_3b78 } else { c >> 1 };
            bit += 1;
        }
        table[i] = c;
        i += 1;
    }
    table
};

/// CRC-32C.
pub(super) fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |c, &b| (c >> 8) ^ TABLE[usize::from(c as u8 ^ b)])
}

/// Fletcher-32 over big-endian words; a last odd byte is the high half of a word.
fn fletcher32(bytes: &[u8]) -> u32 {
    let fold = |s: u32| (s & 0xffff) + (s >> 16);
    let (mut a, mut b) = (0u32, 0u32);
    // 360 words are the most that 32 bits can sum before they are folded.
    for block in bytes.chunks(720) {
        for word in block.chunks(2) {
            a += (u32::from(word[0]) << 8) | u32::from(*word.get(1).unwrap_or(&0));
            b += a;
        }
        (a, b) = (fold(a), fold(b));
    }
    (fold(b) << 16) | fold(a)
}

/// The bytes before a checksum of 4 little-endian bytes, which must be right.
pub(super) fn checked(mut bytes: Vec<u8>, name: &str, sum: fn(&[u8]) -> u32) -> Result<Vec<u8>, ArrayFault> {
    let Some((data, found)) = bytes.split_last_chunk() else {
        return Err(format!("{} bytes are too few for a {name} checksum", bytes.len()).into());
    };
    let (found, made, len) = (u32::from_le_bytes(*found), sum(data), data.len());
    if found != made {
        return Err(format!("the {name} checksum is {found:08x}, the bytes give {made:08x}").into());
    }
    bytes.truncate(len);
    Ok(bytes)
}

/// Undoes the byte shuffle: plane k holds byte k of every element. What is left over after the last whole element stays.
pub(super) fn unshuffle(from: &[u8], size: usize) -> Vec<u8> {
    let count = from.len() / size.max(1);
    let mut out = from.to_vec();
    if size < 2 {
        return out;
    }
    for (k, plane) in from[..count * size].chunks_exact(count.max(1)).enumerate() {
        out[k..].iter_mut().step_by(size).zip(plane).for_each(|(to, b)| *to = *b);
    }
    out
}

/// Undoes the bit shuffle: row 8 k + j holds bit j of byte k of every element, eight elements a byte, the first in the lowest
/// bit. Elements that make no whole rows were left as they are, as c-blosc 1 does.
pub(super) fn unshuffle_bits(from: &[u8], size: usize) -> Vec<u8> {
    let count = from.len() / size.max(1);
    if size == 0 || count == 0 || !count.is_multiple_of(8) {
        return from.to_vec();
    }
    let mut out = from.to_vec();
    let width = count / 8;
    for (k, rows) in from[..count * size].chunks_exact(count).enumerate() {
        for group in 0..width {
            let mut bits = 0u64;
            for (j, row) in rows.chunks_exact(width).enumerate() {
                bits |= u64::from(row[group]) << (8 * j);
            }
            let elements = transposed(bits).to_le_bytes();
            let at = group * 8 * size + k;
            out[at..].iter_mut().step_by(size).zip(elements).for_each(|(to, b)| *to = b);
        }
    }
    out
}

/// The 8 x 8 bits of a word with rows and columns swapped.
fn transposed(mut x: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let t = (x ^ (x >> shift)) & mask;
        x ^= t ^ (t << shift);
    }
    x
}

#[cfg(test)]
mod checksum_tests {
    use super::*;

    #[test]
    fn known_sums() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        // Sums of big-endian words: 0x6162 + 0x6364 + 0x6500, and their running sums, folded.
        assert_eq!(fletcher32(b"abcde"), 0x4ff0_29c7);
        assert_eq!(fletcher32(&[0xff; 4096]), 0xffff_ffff);
    }

    #[test]
    fn a_wrong_or_short_sum_is_an_error() {
        let mut good = b"cells".to_vec();
        good.extend(crc32c(b"cells").to_le_bytes());
        assert_eq!(checked(good.clone(), "crc32c", crc32c).unwrap(), b"cells");
        good[0] ^= 1;
        assert!(checked(good, "crc32c", crc32c).unwrap_err().what.contains("the bytes give"));
        assert!(checked(vec![1, 2, 3], "crc32c", crc32c).unwrap_err().what.contains("too few"));
    }

    #[test]
    fn bytes_come_back_in_their_places() {
        assert_eq!(unshuffle(&[1, 4, 2, 5, 3, 6, 9], 3), [1, 2, 3, 4, 5, 6, 9]);
        assert_eq!(unshuffle(&[1, 2], 1), [1, 2]);
        assert_eq!(unshuffle(&[1, 2], 4), [1, 2]);
        assert!(unshuffle(&[], 4).is_empty());
    }

    #[test]
    fn bits_come_back_in_their_places() {
        let elements: Vec<u8> = (0..48u32).flat_map(|i| i.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
        let mut shuffled = vec![0u8; elements.len()];
        for i in 0..48 {
            for bit in 0..32 {
                let set = elements[i * 4 + bit / 8] >> (bit % 8) & 1;
                shuffled[bit * 6 + i / 8] |= set << (i % 8);
            }
        }
        assert_eq!(unshuffle_bits(&shuffled, 4), elements);
        // Nine elements make no rows of eight.
        assert_eq!(unshuffle_bits(&elements[..36], 4), &elements[..36]);
    }
}

#[cfg(test)]
mod tests;

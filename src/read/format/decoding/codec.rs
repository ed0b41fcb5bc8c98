//! Decompression into exactly the number of bytes that was declared, once that number is plausible.

use super::DecodeFault;
use crate::budget::Budget;
use std::io::Read;

/// How bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    #[cfg(feature = "parquet")]
    Snappy,
    #[cfg(feature = "parquet")]
    Gzip,
    #[cfg(feature = "parquet")]
    Brotli,
    /// One LZ4 block.
    #[cfg(feature = "parquet")]
    Lz4Block,
    /// LZ4 blocks as Hadoop frames them, or as older writers left them.
    #[cfg(feature = "parquet")]
    Lz4Hadoop,
    /// The LZ4 frame format.
    #[cfg(feature = "arrow")]
    Lz4Frame,
    Zstd,
}

/// Bytes that compressed ones may become beside a multiple of them.
const FREE: u64 = 1 << 20;
/// How many times as many.
const RATIO: u64 = 1000;
/// A block may take this part of the memory limit, and [`FREE`] bytes in any case.
const PART: u64 = 16;

/// Whether this many compressed bytes may become `size` bytes.
///
/// # Errors
/// When that is more than the ratio or the memory limit allows for one block.
pub(crate) fn believable(compressed: u64, size: u64, budget: &Budget) -> Result<usize, DecodeFault> {
    let most = (budget.limit() / PART).max(FREE);
    if size > compressed.saturating_mul(RATIO).saturating_add(FREE) {
        return Err(DecodeFault::Limit(format!(
            "{compressed} bytes declare {size}; at most {RATIO} times as many are decompressed"
        )));
    }
    match usize::try_from(size) {
        Ok(size) if size as u64 <= most => Ok(size),
        _ => Err(DecodeFault::Limit(format!("a block of {size} bytes, over the limit of {most}"))),
    }
}

/// Decompresses into `size` bytes, which must have been found believable.
///
/// # Errors
/// Damaged bytes, or another number of them.
pub(crate) fn inflate(codec: Codec, bytes: &[u8], size: usize) -> Result<Vec<u8>, DecodeFault> {
    let mut out = Vec::new();
    // The byte behind the end shows that there are more.
    out.try_reserve_exact(size + 1).map_err(|_| DecodeFault::Limit(format!("no memory for {size} bytes")))?;
    let wrong = |e: &dyn std::fmt::Display| DecodeFault::damaged(format!("{codec:?}: {e}"));
    match codec {
        #[cfg(feature = "parquet")]
        Codec::Snappy => {
            let declared = snap::raw::decompress_len(bytes).map_err(|e| wrong(&e))?;
            if declared != size {
                return Err(DecodeFault::damaged(format!("Snappy: {declared} bytes, {size} expected")));
            }
            out.resize(size, 0);
            snap::raw::Decoder::new().decompress(bytes, &mut out).map_err(|e| wrong(&e))?;
        }
        #[cfg(feature = "parquet")]
        Codec::Gzip => {
            read_up_to(flate2::read::MultiGzDecoder::new(bytes), size, &mut out).map_err(|e| wrong(&e))?;
        }
        #[cfg(feature = "parquet")]
        Codec::Brotli => read_up_to(brotli_decompressor::Decompressor::new(bytes, 4096), size, &mut out)
            .map_err(|e| wrong(&e))?,
        #[cfg(feature = "parquet")]
        Codec::Lz4Block => lz4_block(bytes, size, &mut out)?,
        #[cfg(feature = "parquet")]
        Codec::Lz4Hadoop => {
            if hadoop(bytes, size, &mut out).is_none() {
                out.clear();
                let framed = read_up_to(lz4_flex::frame::FrameDecoder::new(bytes), size, &mut out);
                if framed.is_err() || out.len() != size {
                    out.clear();
                    lz4_block(bytes, size, &mut out)?;
                }
            }
        }
        #[cfg(feature = "arrow")]
        Codec::Lz4Frame => {
            read_up_to(lz4_flex::frame::FrameDecoder::new(bytes), size, &mut out).map_err(|e| wrong(&e))?;
        }
        Codec::Zstd => {
            out.resize(size, 0);
            let mut decoder = ruzstd::decoding::FrameDecoder::new();
            let n = decoder.decode_all(bytes, &mut out).map_err(|e| wrong(&e))?;
            out.truncate(n);
        }
    }
    if out.len() != size {
        let more = if out.len() > size { "more" } else { "fewer" };
        return Err(DecodeFault::damaged(format!(
            "{codec:?}: {more} than the {size} bytes that it declares"
        )));
    }
    Ok(out)
}

fn read_up_to(from: impl Read, size: usize, out: &mut Vec<u8>) -> std::io::Result<()> {
    from.take(size as u64 + 1).read_to_end(out).map(|_| ())
}

#[cfg(feature = "parquet")]
fn lz4_block(bytes: &[u8], size: usize, out: &mut Vec<u8>) -> Result<(), DecodeFault> {
    out.resize(size, 0);
    let n = lz4_flex::block::decompress_into(bytes, out)
        .map_err(|e| DecodeFault::damaged(format!("LZ4: {e}")))?;
    out.truncate(n);
    Ok(())
}

/// Blocks that each begin with their size and that of their compressed bytes; `None` where they do not.
#[cfg(feature = "parquet")]
fn hadoop(mut bytes: &[u8], size: usize, out: &mut Vec<u8>) -> Option<()> {
    let number = |bytes: &mut &[u8]| -> Option<usize> {
        let (head, rest) = bytes.split_first_chunk::<4>()?;
        *bytes = rest;
        usize::try_from(u32::from_be_bytes(*head)).ok()
    };
    while !bytes.is_empty() {
        let (whole, packed) = (number(&mut bytes)?, number(&mut bytes)?);
        let start = out.len();
        let block = bytes.get(..packed)?;
        if whole > size - start {
            return None;
        }
        out.resize(start + whole, 0);
        let n = lz4_flex::block::decompress_into(block, &mut out[start..]).ok()?;
        (n == whole).then_some(())?;
        bytes = &bytes[packed..];
    }
    (out.len() == size).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_sizes_are_believed_up_to_a_ratio() {
        let (all, little) = (Budget::new(u64::MAX), Budget::new(64 << 20));
        assert_eq!(believable(0, 1 << 20, &all), Ok(1 << 20));
        assert_eq!(believable(10, 10_000 + (1 << 20), &all), Ok(10_000 + (1 << 20)));
        assert!(matches!(believable(10, 10_001 + (1 << 20), &all), Err(DecodeFault::Limit(_))));
        assert_eq!(believable(1 << 30, 4 << 20, &little), Ok(4 << 20));
        for (size, budget) in [((4 << 20) + 1, little), ((1 << 20) + 1, Budget::new(0))] {
            assert!(matches!(believable(1 << 30, size, &budget), Err(DecodeFault::Limit(_))));
        }
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn another_number_of_bytes_is_damage() {
        let text = b"abcabcabcabcabcabcabc".repeat(9);
        let snappy = snap::raw::Encoder::new().compress_vec(&text).unwrap();
        let lz4 = lz4_flex::block::compress(&text);
        let mut hadoop = (text.len() as u32).to_be_bytes().to_vec();
        hadoop.extend((lz4.len() as u32).to_be_bytes());
        hadoop.extend(&lz4);
        for (codec, bytes) in [
            (Codec::Snappy, &snappy),
            (Codec::Lz4Block, &lz4),
            (Codec::Lz4Hadoop, &lz4),
            (Codec::Lz4Hadoop, &hadoop),
        ] {
            assert_eq!(inflate(codec, bytes, text.len()).unwrap(), text, "{codec:?}");
            for size in [text.len() - 1, text.len() + 1, 0] {
                assert!(
                    matches!(inflate(codec, bytes, size), Err(DecodeFault::Damaged(_))),
                    "{codec:?} {size}"
                );
            }
        }
        for codec in [Codec::Gzip, Codec::Brotli, Codec::Zstd] {
            assert!(
                matches!(inflate(codec, b"neither format", 99), Err(DecodeFault::Damaged(_))),
                "{codec:?}"
            );
        }
    }
}

//! Blosc 1 frames: blocks of shuffled bytes, each compressed by itself.

use super::blosclz;
use super::codec::{unshuffle, unshuffle_bits};
use super::inflate::{Packing, exactly, inflate, lz4_block};
use crate::array::ArrayFault;

/// Bytes before the offsets of the blocks.
const HEAD: usize = 16;
/// Elements of more bytes are never split into streams, nor blocks of fewer elements.
const MOST_SPLITS: usize = 16;
const LEAST_SPLIT: usize = 128;

/// First bytes of a frame.
struct Header {
    flags: u8,
    /// Bytes of an element.
    element: usize,
    /// Bytes in all, and of a block.
    bytes: usize,
    block: usize,
}

impl Header {
    fn parse(frame: &[u8], most: usize) -> Result<Self, ArrayFault> {
        let len = frame.len();
        let head = frame.get(..HEAD).ok_or_else(|| format!("{len} bytes are too few for a Blosc frame"))?;
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes")) as usize;
        let (version, flags, element) = (head[0], head[2], usize::from(head[3]).max(1));
        let (bytes, block, all) = (word(4), word(8), word(12));
        if !(1..=2).contains(&version) {
            let what = format!("is a Blosc frame of format version {version}; versions 1 and 2 are read");
            return Err(ArrayFault::unsupported(what));
        }
        if all != len {
            return Err(format!("a Blosc frame declares {all} bytes, {len} are there").into());
        }
        if bytes > most {
            let what = format!("a Blosc frame declares {bytes} bytes of cells, its shape takes {most}");
            return Err(what.into());
        }
        if (block == 0 || block > bytes) && bytes > 0 {
            return Err(format!("a Blosc frame of {bytes} bytes has blocks of {block}").into());
        }
        Ok(Self { flags, element, bytes, block })
    }

    fn has(&self, bit: u8) -> bool {
        self.flags & (1 << bit) != 0
    }
}

/// Decompresses a frame, which must not become more than `most` bytes.
pub(super) fn decompress(frame: &[u8], most: usize) -> Result<Vec<u8>, ArrayFault> {
    let head = Header::parse(frame, most)?;
    if head.has(1) {
        let plain = frame.get(HEAD..HEAD + head.bytes);
        return Ok(plain.ok_or("a Blosc frame ends within its bytes")?.to_vec());
    }
    let codec = head.flags >> 5;
    match codec {
        2 => {
            return Err(ArrayFault::unsupported("is compressed by Blosc's snappy, which is not read"));
        }
        5.. => {
            let what = format!("is compressed by Blosc's codec {codec}, which is not known");
            return Err(ArrayFault::unsupported(what));
        }
        _ => {}
    }
    let blocks = head.bytes.div_ceil(head.block.max(1));
    // Each block has an offset of four bytes.
    if frame.len() < HEAD + 4 * blocks {
        return Err("a Blosc frame ends within its offsets".into());
    }
    let mut out = Vec::with_capacity(head.bytes);
    for i in 0..blocks {
        let at = int(frame, HEAD + 4 * i)?;
        let n = head.block.min(head.bytes - i * head.block);
        let whole = n == head.block;
        let split =
            !head.has(4) && head.element <= MOST_SPLITS && head.block / head.element >= LEAST_SPLIT && whole;
        let streams = if split { head.element } else { 1 };
        let plain = block(frame, at, n, streams, codec)?;
        out.extend(if head.has(0) && head.element > 1 {
            unshuffle(&plain, head.element)
        } else if head.has(2) {
            unshuffle_bits(&plain, head.element)
        } else {
            plain
        });
    }
    Ok(out)
}

/// A block of `n` bytes whose streams begin at a byte of the frame.
fn block(frame: &[u8], mut at: usize, n: usize, streams: usize, codec: u8) -> Result<Vec<u8>, ArrayFault> {
    let mut out = vec![0; n];
    let part = n / streams;
    if !n.is_multiple_of(streams) {
        return Err(format!("a Blosc block of {n} bytes cannot be split in {streams}").into());
    }
    for into in out.chunks_exact_mut(part.max(1)) {
        let packed = int(frame, at)?;
        let from =
            frame.get(at + 4..).and_then(|f| f.get(..packed)).ok_or("a Blosc block ends beyond its frame")?;
        at += 4 + packed;
        match codec {
            _ if packed == part => into.copy_from_slice(from),
            0 => blosclz::decompress(from, into)?,
            1 => lz4_block(from, into)?,
            _ => {
                let packing = if codec == 3 { Packing::Zlib } else { Packing::Zstd };
                into.copy_from_slice(&exactly(inflate(packing, from, part)?, part)?);
            }
        }
    }
    Ok(out)
}

/// A non-negative number of four bytes.
fn int(frame: &[u8], at: usize) -> Result<usize, ArrayFault> {
    let bytes =
        frame.get(at..).and_then(|f| f.first_chunk()).ok_or("a Blosc offset lies beyond its frame")?;
    usize::try_from(i32::from_le_bytes(*bytes)).map_err(|_| "a Blosc length is negative".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of one block that is not compressed within its stream.
    fn frame(flags: u8, element: u8, streams: &[&[u8]]) -> Vec<u8> {
        let n: usize = streams.iter().map(|s| s.len()).sum();
        let mut out = vec![2, 1, flags, element];
        let all = HEAD + 4 + n + 4 * streams.len();
        for v in [n, n, all, HEAD + 4] {
            out.extend((v as u32).to_le_bytes());
        }
        for s in streams {
            out.extend((s.len() as u32).to_le_bytes());
            out.extend(*s);
        }
        out
    }

    #[test]
    fn a_block_is_put_together_and_unshuffled() {
        let good = frame(1 | 1 << 4, 2, &[&[1, 3, 5, 2, 4, 6]]);
        assert_eq!(decompress(&good, 6).unwrap(), [1, 2, 3, 4, 5, 6]);
        let planes = [vec![7u8; 128], vec![0u8; 128]];
        let split = frame(1, 2, &[&planes[0], &planes[1]]);
        assert_eq!(decompress(&split, 256).unwrap(), [7u8, 0].repeat(128));
    }

    #[test]
    fn damaged_frames_are_errors() {
        let good = frame(1 | 1 << 4, 2, &[&[1, 3, 5, 2, 4, 6]]);
        for cut in 0..good.len() {
            assert!(decompress(&good[..cut], 6).is_err(), "{cut}");
        }
        let with = |at: usize, byte: u8| {
            let mut bad = good.clone();
            bad[at] = byte;
            decompress(&bad, 6)
        };
        assert!(with(0, 5).unwrap_err().what.contains("version 5"));
        assert!(with(2, 2 << 5).unwrap_err().what.contains("snappy"));
        assert!(with(2, 7 << 5).unwrap_err().what.contains("codec 7"));
        assert!(with(4, 200).unwrap_err().what.contains("declares 200 bytes"));
        assert!(with(8, 0).unwrap_err().what.contains("blocks of 0"));
        assert!(with(19, 0x80).unwrap_err().what.contains("negative"));
        assert!(with(16, 250).is_err() && with(20, 99).is_err());
    }
}

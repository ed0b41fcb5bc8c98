//! Decompression that stops where the declared bytes do.

use crate::array::ArrayFault;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use ruzstd::decoding::FrameDecoder;
use std::io::Read;

/// The bytes, if there are as many as there must be.
pub(super) fn exactly(bytes: Vec<u8>, n: usize) -> Result<Vec<u8>, ArrayFault> {
    match bytes.len() {
        len if len > n => Err(format!("holds more than the {n} bytes of its shape").into()),
        len if len < n => Err(format!("holds {len} bytes, its shape takes {n}").into()),
        _ => Ok(bytes),
    }
}

/// A compression that knows its own end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zlib,
    Zstd,
    /// A block behind its length in 4 bytes, as numcodecs writes it.
    Lz4,
}

/// Windows that Zstandard takes whatever the data; larger ones only for larger data.
const LEAST_WINDOW: u64 = 8 << 20;

/// Decompresses `bytes`, which must not become more than `most`.
pub(super) fn inflate(packing: Packing, bytes: &[u8], most: usize) -> Result<Vec<u8>, ArrayFault> {
    match packing {
        Packing::Gzip => stream(MultiGzDecoder::new(bytes), "gzip", most),
        Packing::Zlib => stream(ZlibDecoder::new(bytes), "zlib", most),
        Packing::Zstd => zstd(bytes, most),
        Packing::Lz4 => {
            let (head, block) = bytes.split_first_chunk().ok_or("holds no LZ4 length")?;
            let n = u32::from_le_bytes(*head) as usize;
            if n > most {
                return Err(format!("declares {n} bytes, its shape takes {most}").into());
            }
            let mut out = vec![0; n];
            lz4_block(block, &mut out)?;
            Ok(out)
        }
    }
}

fn stream(from: impl Read, name: &str, most: usize) -> Result<Vec<u8>, ArrayFault> {
    let mut out = Vec::new();
    from.take(most as u64 + 1)
        .read_to_end(&mut out)
        .map_err(|e| format!("is not a whole {name} stream: {e}"))?;
    if out.len() > most {
        return Err(format!("holds more than {most} bytes, the most that its shape explains").into());
    }
    Ok(out)
}

fn zstd(bytes: &[u8], most: usize) -> Result<Vec<u8>, ArrayFault> {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size((2 * most as u64).max(LEAST_WINDOW));
    let mut out = vec![0; most];
    let n = decoder
        .decode_all(bytes, &mut out)
        .map_err(|e| format!("is not a whole zstd frame of {most} bytes: {e}"))?;
    let sums = (decoder.get_checksum_from_data(), decoder.get_calculated_checksum());
    if let (Some(a), Some(b)) = sums
        && a != b
    {
        return Err(format!("the zstd checksum is {a:08x}, the bytes give {b:08x}").into());
    }
    out.truncate(n);
    Ok(out)
}

/// Decompresses one LZ4 block, which must fill `out`.
pub(super) fn lz4_block(from: &[u8], out: &mut [u8]) -> Result<(), ArrayFault> {
    match lz4_flex::block::decompress_into(from, out) {
        Ok(n) if n == out.len() => Ok(()),
        Ok(n) => Err(format!("an LZ4 block gives {n} bytes of {}", out.len()).into()),
        Err(e) => Err(format!("is not a whole LZ4 block: {e}").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    use std::io::Write;

    fn packed(packing: Packing, data: &[u8]) -> Vec<u8> {
        match packing {
            Packing::Gzip => {
                let mut e = GzEncoder::new(Vec::new(), Compression::fast());
                e.write_all(data).unwrap();
                e.finish().unwrap()
            }
            Packing::Zlib => {
                let mut e = ZlibEncoder::new(Vec::new(), Compression::fast());
                e.write_all(data).unwrap();
                e.finish().unwrap()
            }
            Packing::Zstd => {
                ruzstd::encoding::compress_to_vec(data, ruzstd::encoding::CompressionLevel::Fastest)
            }
            Packing::Lz4 => lz4_flex::block::compress_prepend_size(data),
        }
    }

    #[test]
    fn each_packing_gives_its_bytes_and_stops_at_the_size() {
        let data: Vec<u8> = (0..5000u32).flat_map(|i| (i / 7).to_le_bytes()).collect();
        for packing in [Packing::Gzip, Packing::Zlib, Packing::Zstd, Packing::Lz4] {
            let bytes = packed(packing, &data);
            for most in [20_000, 30_000] {
                assert_eq!(inflate(packing, &bytes, most).unwrap(), data, "{packing:?}");
            }
            assert!(inflate(packing, &bytes, 19_999).is_err(), "{packing:?}");
            for cut in [0, 1, 3, 4, bytes.len() / 2, bytes.len() - 1] {
                let inflated = inflate(packing, &bytes[..cut], 20_000).and_then(|b| exactly(b, 20_000));
                assert!(inflated.is_err(), "{packing:?} cut at {cut}");
            }
        }
        for n in [19_999, 20_001] {
            assert!(exactly(data.clone(), n).is_err(), "{n}");
        }
    }

    #[test]
    fn a_bomb_stops_at_the_size() {
        let bomb = packed(Packing::Gzip, &vec![0; 50 << 20]);
        assert!(inflate(Packing::Gzip, &bomb, 64).unwrap_err().what.contains("more than 64 bytes"));
    }
}

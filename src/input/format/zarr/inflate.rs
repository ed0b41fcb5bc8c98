//! Decompression that stops where the declared bytes do.

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use ruzstd::decoding::FrameDecoder;
use std::io::Read;

/// How many bytes a step must give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// So many.
    Exactly(usize),
    /// So many at most.
    AtMost(usize),
}

impl Size {
    /// The most bytes.
    pub fn most(self) -> usize {
        match self {
            Size::Exactly(n) | Size::AtMost(n) => n,
        }
    }

    /// The bytes, if there are as many as there must be.
    pub fn check(self, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        match self {
            Size::Exactly(n) if bytes.len() > n => Err(format!("holds more than the {n} bytes of its shape")),
            Size::Exactly(n) if bytes.len() < n => {
                Err(format!("holds {} bytes, its shape takes {n}", bytes.len()))
            }
            Size::AtMost(n) if bytes.len() > n => Err(format!(
                "holds more than {n} bytes, the most that its shape explains"
            )),
            _ => Ok(bytes),
        }
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

/// Decompresses `bytes`; nothing beyond `size` is made.
pub(super) fn inflate(packing: Packing, bytes: &[u8], size: Size) -> Result<Vec<u8>, String> {
    let out = match packing {
        Packing::Gzip => stream(MultiGzDecoder::new(bytes), "gzip", size)?,
        Packing::Zlib => stream(ZlibDecoder::new(bytes), "zlib", size)?,
        Packing::Zstd => zstd(bytes, size)?,
        Packing::Lz4 => {
            let (head, block) = bytes.split_first_chunk().ok_or("holds no LZ4 length")?;
            let n = u32::from_le_bytes(*head) as usize;
            if n > size.most() {
                return Err(format!("declares {n} bytes, its shape takes {}", size.most()));
            }
            let mut out = vec![0; n];
            lz4_block(block, &mut out)?;
            out
        }
    };
    size.check(out)
}

fn stream(from: impl Read, name: &str, size: Size) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    from.take(size.most() as u64 + 1)
        .read_to_end(&mut out)
        .map_err(|e| format!("is no whole {name} stream: {e}"))?;
    Ok(out)
}

fn zstd(bytes: &[u8], size: Size) -> Result<Vec<u8>, String> {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size((2 * size.most() as u64).max(LEAST_WINDOW));
    let mut out = vec![0; size.most()];
    let n = decoder
        .decode_all(bytes, &mut out)
        .map_err(|e| format!("is no whole zstd frame of {} bytes: {e}", size.most()))?;
    if let (Some(a), Some(b)) = (
        decoder.get_checksum_from_data(),
        decoder.get_calculated_checksum(),
    ) && a != b
    {
        return Err(format!("the zstd checksum is {a:08x}, the bytes give {b:08x}"));
    }
    out.truncate(n);
    Ok(out)
}

/// Decompresses one LZ4 block, which must fill `out`.
pub(super) fn lz4_block(from: &[u8], out: &mut [u8]) -> Result<(), String> {
    let n = lz4_flex::block::decompress_into(from, out).map_err(|e| format!("is no whole LZ4 block: {e}"))?;
    if n == out.len() {
        Ok(())
    } else {
        Err(format!("an LZ4 block gives {n} bytes of {}", out.len()))
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
            assert_eq!(
                inflate(packing, &bytes, Size::Exactly(20_000)).unwrap(),
                data,
                "{packing:?}"
            );
            assert_eq!(
                inflate(packing, &bytes, Size::AtMost(30_000)).unwrap(),
                data,
                "{packing:?}"
            );
            for size in [Size::Exactly(19_999), Size::Exactly(20_001), Size::AtMost(19_999)] {
                assert!(inflate(packing, &bytes, size).is_err(), "{packing:?} {size:?}");
            }
            for cut in [0, 1, 3, 4, bytes.len() / 2, bytes.len() - 1] {
                assert!(
                    inflate(packing, &bytes[..cut], Size::Exactly(20_000)).is_err(),
                    "{packing:?} cut at {cut}"
                );
            }
        }
    }

    #[test]
    fn a_bomb_stops_at_the_size() {
        let bomb = packed(Packing::Gzip, &vec![0; 50 << 20]);
        assert!(
            inflate(Packing::Gzip, &bomb, Size::Exactly(64))
                .unwrap_err()
                .contains("more than the 64 bytes")
        );
    }
}

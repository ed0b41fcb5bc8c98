//! Files in gzip or Zstandard, by their content: they are decompressed before their format is looked for.

use super::reader::Input;
use crate::error::InputError;
#[cfg(not(feature = "compressed"))]
use crate::format::sniff::unbuilt;
use std::path::Path;

/// A way in which a whole file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    /// That of a file with this beginning.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // A frame, or one that is passed over.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip archive",
            Self::Zstd => "zstd archive",
        }
    }
}

/// The name of a file without the extension that says how it is compressed.
pub(super) fn inner_name(file: &str) -> &str {
    let path = Path::new(file);
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let is_compressed = ["gz", "zst", "zstd"].iter().any(|e| extension.eq_ignore_ascii_case(e));
    if is_compressed { &file[..file.len() - extension.len() - 1] } else { file }
}

/// An input whose bytes are not compressed.
///
/// # Errors
/// Damaged bytes; more bytes than the budget has, or than 1000 times the compressed ones.
pub(crate) fn decompressed(input: Input<'_>) -> Result<Input<'_>, InputError> {
    let Some(compression) = Compression::of(&input.head()?) else {
        return Ok(input);
    };
    decompress(input, compression)
}

#[cfg(not(feature = "compressed"))]
fn decompress(input: Input<'_>, compression: Compression) -> Result<Input<'_>, InputError> {
    Err(unbuilt(input.request.file, compression.name(), "compressed"))
}

#[cfg(feature = "compressed")]
use reading::decompress;

#[cfg(feature = "compressed")]
mod reading {
    use super::{Compression, Input, InputError};
    use crate::budget::OverBudget;
    use crate::bytes::unreadable;
    use ruzstd::decoding::StreamingDecoder;
    use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
    use std::io::{BufRead, BufReader, Read, Seek};

    /// A compressed byte becomes at most this many, beyond the first megabyte.
    const MOST_RATIO: u64 = 1_000;
    const FREE: u64 = 1 << 20;
    /// Bytes that are read from a file at once.
    const BUFFER: usize = 256 << 10;

    pub(super) fn decompress(
        mut input: Input<'_>,
        compression: Compression,
    ) -> Result<Input<'_>, InputError> {
        let (request, file) = (input.request, input.request.file);
        let fingerprint = input.fingerprint_of_bytes()?;
        let (source, len): (Box<dyn Read>, u64) = match input.file() {
            Some((file, len)) => {
                let rewound = (&*file).rewind();
                rewound.map_err(|e| unreadable(request.file, &e))?;
                (Box::new(File(file)), len)
            }
            None => {
                let (bytes, held) = input.bytes()?;
                let len = bytes.len() as u64;
                // Both are in memory until the last byte is there.
                (Box::new(Held(std::io::Cursor::new(bytes), held)), len)
            }
        };
        let of_ratio = len.saturating_mul(MOST_RATIO).saturating_add(FREE);
        let most = of_ratio.min(request.budget.left());
        let mut bytes = Vec::new();
        let reader = BufReader::with_capacity(BUFFER, source);
        let read = match compression {
            Compression::Gzip => {
                flate2::bufread::MultiGzDecoder::new(reader).take(most + 1).read_to_end(&mut bytes).map(drop)
            }
            Compression::Zstd => frames(reader, most + 1, &mut bytes),
        };
        if bytes.len() as u64 > most {
            let what = format!("{len} compressed bytes become more than {most}");
            let limit = InputError::limit(file, what);
            return Err(if most < of_ratio { limit.with_hint(OverBudget::HINT) } else { limit });
        }
        read.map_err(|e| {
            let what = format!("is a damaged or cut {}: {e}", compression.name());
            InputError::refused(file, "", what)
        })?;
        if bytes.is_empty() {
            return Err(InputError::refused(file, "", "is empty once it is decompressed"));
        }
        let room = request.budget.reserve(bytes.len() as u64).map_err(|s| s.of(file, "its bytes"))?;
        let mut whole = Input::whole(request, (bytes, room));
        whole.fingerprint = fingerprint;
        Ok(whole)
    }

    /// Frames of Zstandard one after the other; those that hold no content are passed over.
    fn frames(mut reader: impl BufRead, most: u64, bytes: &mut Vec<u8>) -> std::io::Result<()> {
        while !reader.fill_buf()?.is_empty() && (bytes.len() as u64) < most {
            match StreamingDecoder::new(&mut reader) {
                Ok(decoder) => {
                    decoder.take(most - bytes.len() as u64).read_to_end(bytes)?;
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let passed = std::io::copy(&mut (&mut reader).take(length.into()), &mut std::io::sink())?;
                    if passed < u64::from(length) {
                        return Err(std::io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(e) => return Err(std::io::Error::other(e)),
            }
        }
        Ok(())
    }

    /// An open file.
    struct File(std::sync::Arc<std::fs::File>);

    impl Read for File {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            (&*self.0).read(buffer)
        }
    }

    /// Bytes in memory, and their reservation.
    struct Held(std::io::Cursor<Vec<u8>>, #[allow(dead_code)] crate::budget::Reservation);

    impl Read for Held {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0.read(buffer)
        }
    }
}

#[cfg(all(test, feature = "compressed"))]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::loaded::ReadOptions;
    use crate::open::open_bytes;
    use gridscope_core::figure::Figure;
    use std::io::Write;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn height(bytes: Vec<u8>, limit: u64) -> Result<usize, InputError> {
        let read = open_bytes(bytes, "t.csv.gz", &Figure::default(), &ReadOptions::default(), limit)?;
        Ok(read.grids[0].height())
    }

    #[test]
    fn files_are_decompressed_by_their_content() {
        let limit = 64 << 20;
        let (first, second) = (b"k,a,b\nx,1,2\n".as_slice(), b"y,3,4\n".as_slice());
        assert_eq!(height(gzip(first), limit).unwrap(), 1);
        // Members and frames follow each other.
        assert_eq!(height([gzip(first), gzip(second)].concat(), limit).unwrap(), 2);
        let skipped = b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec();
        assert_eq!(height([skipped, zstd(first), zstd(second)].concat(), limit).unwrap(), 2);
        assert_eq!(inner_name("a.b/runs.csv.gz"), "a.b/runs.csv");
    }

    #[test]
    fn damage_and_bombs_are_refused() {
        let rows = b"x,1,2\n".repeat(2_000_000);
        for packed in [gzip(&rows), zstd(&rows)] {
            let e = height(packed.clone(), 4 << 20).unwrap_err();
            assert!(e.what.contains("become more than"), "{}", e.what);
        }
        let rows: String =
            (0..2_000).map(|i| format!("r{i},{},{}\n", i * 7919 % 1000, i * 104_729 % 997)).collect();
        for packed in [gzip(rows.as_bytes()), zstd(rows.as_bytes())] {
            let e = height(packed[..packed.len() / 2].to_vec(), 64 << 20).unwrap_err();
            assert!(e.what.contains("damaged or cut"), "{}", e.what);
        }
        let budget = Budget::new(1 << 20);
        assert_eq!(budget.left(), 1 << 20);
        assert!(height(gzip(b""), 1 << 20).unwrap_err().what.contains("empty"));
    }
}

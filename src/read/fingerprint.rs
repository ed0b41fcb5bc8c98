//! Identity of a data file when it was read: its name, its length and a hash, so that a picture can name what it shows.

use super::bytes::{read_exact_at, unreadable};
use super::error::InputError;
use super::shell_word::base_name;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;

/// Longer contents are hashed by samples: a picture must not wait for a pass of its own over a huge file.
const MOST_WHOLE: u64 = 16 << 20;
/// Samples of a longer content.
const SAMPLES: u64 = 64;
/// Bytes of a sample.
const SAMPLE: u64 = 64 << 10;

/// A data file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The file's name, with folders only where they tell it from another input; `-` for standard input.
    pub name: String,
    /// Bytes it holds.
    pub bytes: u64,
    /// SHA-256 in lower hex: of all bytes up to 16 MiB; of a longer content of its length (8 bytes, little endian) and then
    /// 64 samples of 64 KiB, of which sample k begins at byte `k * (length - 65536) / 63`, rounded down. Of a Zarr store, which
    /// counts as sampled, of the names and lengths of the files of the arrays that are drawn, and of their metadata.
    pub sha256: String,
    /// Whether the hash is of samples.
    pub sampled: bool,
}

impl Fingerprint {
    /// The fingerprint of bytes that were read from `file`.
    pub fn of_bytes(file: &str, bytes: &[u8]) -> Self {
        let mut hash = Sha256::new();
        for (at, len) in parts(bytes.len() as u64, &mut hash) {
            hash.update(&bytes[at as usize..][..len as usize]);
        }
        Self::new(file, bytes.len() as u64, hash)
    }

    /// The fingerprint of an opened file, whose position does not change.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of_file(file: &str, from: &File) -> Result<Self, InputError> {
        let read = || -> io::Result<Self> {
            let len = from.metadata()?.len();
            let (mut hash, mut buffer) = (Sha256::new(), vec![0; SAMPLE as usize]);
            for (at, len) in parts(len, &mut hash) {
                let part = &mut buffer[..len as usize];
                read_exact_at(from, part, at)?;
                hash.update(part);
            }
            Ok(Self::new(file, len, hash))
        };
        read().map_err(|e| unreadable(file, &e))
    }

    /// The fingerprint of a folder of many files, by their sorted names and lengths and the contents of a few: each name with a
    /// line end behind it and its length (8 bytes, little endian), then the contents, each behind its length.
    #[cfg(feature = "zarr")]
    pub(super) fn of_store(folder: &str, files: &[(String, u64)], contents: &[Vec<u8>]) -> Self {
        let mut hash = Sha256::new();
        for (name, len) in files {
            hash.update(name);
            hash.update(b"\n");
            hash.update(len.to_le_bytes());
        }
        for content in contents {
            hash.update((content.len() as u64).to_le_bytes());
            hash.update(content);
        }
        let bytes = files.iter().fold(0u64, |n, f| n.saturating_add(f.1));
        Self { sampled: true, ..Self::new(folder.trim_end_matches('/'), bytes, hash) }
    }

    fn new(file: &str, bytes: u64, hash: Sha256) -> Self {
        let sha256 = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
        Self { name: base_name(file), bytes, sha256, sampled: bytes > MOST_WHOLE }
    }
}

/// Which parts of a content are hashed one after the other, (first byte, bytes) each; the length of a sampled one is hashed here.
fn parts(len: u64, hash: &mut Sha256) -> Vec<(u64, u64)> {
    if len <= MOST_WHOLE {
        return (0..len).step_by(SAMPLE as usize).map(|at| (at, SAMPLE.min(len - at))).collect();
    }
    hash.update(len.to_le_bytes());
    let start = |k: u64| (u128::from(k) * u128::from(len - SAMPLE) / u128::from(SAMPLES - 1)) as u64;
    (0..SAMPLES).map(|k| (start(k), SAMPLE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn hex(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
    }

    fn noise(len: usize) -> Vec<u8> {
        (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
    }

    fn both(bytes: &[u8]) -> Fingerprint {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let name = file.path().to_str().unwrap().to_owned();
        let print = Fingerprint::of_bytes(&name, bytes);
        assert_eq!(Fingerprint::of_file(&name, file.as_file()).unwrap(), print);
        print
    }

    #[test]
    fn up_to_sixteen_mebibytes_all_bytes_count() {
        let known = Fingerprint::of_bytes("runs/a.csv", b"abc");
        assert_eq!((known.name.as_str(), known.bytes, known.sampled), ("a.csv", 3, false));
        assert_eq!(known.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        for len in [0, 1, 65_535, 65_536, 65_537, 200_000, 16 << 20] {
            let bytes = noise(len);
            let print = both(&bytes);
            assert_eq!((print.sha256, print.sampled), (hex(&bytes), false), "{len}");
        }
    }

    #[test]
    fn beyond_them_the_length_and_samples_count() {
        let mut bytes = noise((16 << 20) + 1);
        let mut rule = (bytes.len() as u64).to_le_bytes().to_vec();
        for k in 0..64 {
            let at = k * (bytes.len() - 65_536) / 63;
            rule.extend(&bytes[at..at + 65_536]);
        }
        let print = both(&bytes);
        assert_eq!((print.bytes, print.sampled, &print.sha256), (16_777_217, true, &hex(&rule)));
        // The last byte is in the last sample, byte 65,536 between the first two.
        bytes[65_536] ^= 1;
        assert_eq!(both(&bytes).sha256, print.sha256);
        *bytes.last_mut().unwrap() ^= 1;
        assert_ne!(both(&bytes).sha256, print.sha256);
    }

    #[test]
    fn samples_of_the_longest_file_do_not_overflow() {
        let all = parts(u64::MAX, &mut Sha256::new());
        assert_eq!((all.len(), all[0], all[63]), (64, (0, SAMPLE), (u64::MAX - SAMPLE, SAMPLE)));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let closed =
            File::options().write(true).create(true).truncate(false).open(dir.path().join("a")).unwrap();
        closed.set_len(10).unwrap();
        assert!(Fingerprint::of_file("a", &closed).unwrap_err().to_string().starts_with("a: cannot be read"));
    }
}

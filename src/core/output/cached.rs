//! Files of a cache: bytes that can be made again. A file that is missing or damaged is none, and one that cannot be written is
//! left out.

use super::Output;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// The first bytes of a file.
const MAGIC: &[u8] = b"gridscope cache 1\n";
/// Bytes of the digest that follows them.
const DIGEST: usize = 32;
/// The most bytes of a file.
const MOST_BYTES: u64 = 64 << 20;

/// The user's folder for files that can be made again: `gridscope` in `XDG_CACHE_HOME` or `~/.cache`; `None` where neither is
/// an absolute path.
pub fn cache_folder() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let base = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")))?;
    Some(base.join("gridscope"))
}

/// The bytes that [`write_cached`] wrote, if the file holds all of them unchanged.
pub fn read_cached(path: &Path) -> Option<Vec<u8>> {
    if fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len() > MOST_BYTES {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    let (digest, content) = bytes.strip_prefix(MAGIC)?.split_at_checked(DIGEST)?;
    (Sha256::digest(content)[..] == *digest).then(|| content.to_vec())
}

/// Writes bytes for [`read_cached`], where that is possible. Another process sees the old file or the new one.
pub fn write_cached(path: &Path, content: &[u8]) {
    let Some(folder) = path.parent() else { return };
    if content.len() as u64 > MOST_BYTES / 2 || fs::create_dir_all(folder).is_err() {
        return;
    }
    let digest = Sha256::digest(content);
    // A file that is not written is made again.
    let _ = Output::open(path).and_then(|o| o.put(&[MAGIC, &digest[..], content].concat()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/key");
        assert_eq!(read_cached(&path), None);
        for content in [&b""[..], b"x", &[7; 10_000]] {
            write_cached(&path, content);
            assert_eq!(read_cached(&path).as_deref(), Some(content));
            let whole = fs::read(&path).unwrap();
            for i in (0..whole.len()).step_by(whole.len().div_ceil(60)) {
                let mut changed = whole.clone();
                changed[i] ^= 1;
                fs::write(&path, &changed).unwrap();
                assert_eq!(read_cached(&path), None, "byte {i}");
                fs::write(&path, &whole[..i]).unwrap();
                assert_eq!(read_cached(&path), None, "cut at {i}");
            }
        }
    }

    #[test]
    fn what_cannot_be_written_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "no folder").unwrap();
        write_cached(&file.join("key"), b"x");
        write_cached(folder.path(), b"x");
        assert_eq!((read_cached(&file.join("key")), read_cached(folder.path())), (None, None));
        assert_eq!(fs::read(&file).unwrap(), b"no folder");
    }
}

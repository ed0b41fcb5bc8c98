//! Temporary files beside their outputs, locked as long as their run lives; and files of a cache, which can be made again.
//!
//! A temporary file is one's own once its lock is held and it is still in its place. Who finds a lock free holds it until the
//! file is gone; a run that has just made that file gets no lock, or finds no file, and makes another. Where the file system
//! has no locks, or the system does not distinguish files, nothing is removed.
//!
//! A file of a cache that is missing or damaged is none, and one that cannot be written is left out.

use super::Output;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Names that are stepped over: process numbers come again.
const STEPS: u32 = 100;

/// A new temporary file for the output `name`, and its path.
pub(super) fn create(folder: &Path, name: &str) -> io::Result<(File, PathBuf)> {
    let (before, own) = (prefix(name), std::process::id());
    let mut k = 0;
    loop {
        let path = folder.join(format!("{before}{own}.{k}.tmp"));
        let last = k >= STEPS;
        k += 1;
        match File::options().write(true).create_new(true).open(&path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && !last => {}
            Ok(file) if !is_own(&file, &path) && !last => {}
            made => return made.map(|file| (file, path)),
        }
    }
}

/// Removes files that dead runs left of the output `name`; `open` are the files of this one.
pub(super) fn sweep(folder: &Path, name: &str, open: &[PathBuf]) {
    let before = prefix(name);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let plain = || entry.file_type().is_ok_and(|t| t.is_file());
        if is_scratch(&entry.file_name(), &before) && !open.contains(&path) && plain() {
            remove_if_left(&path);
        }
    }
}

/// Prefix of the names of an output's temporary files.
fn prefix(name: &str) -> String {
    format!(".{}.", name.chars().take(40).collect::<String>())
}

/// Whether a name is that of a temporary file: after what it begins with, a process, a count and `.tmp`.
fn is_scratch(name: &OsStr, before: &str) -> bool {
    let numbers = name.to_str().and_then(|n| n.strip_prefix(before)?.strip_suffix(".tmp")?.split_once('.'));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    numbers.is_some_and(|(process, count)| digits(process) && digits(count))
}

/// Locks a new file; whether it is this run's own now: another may just have taken it for one that is left.
fn is_own(file: &File, path: &Path) -> bool {
    // Elsewhere a lock would stop others from reading what is put in its place.
    if !cfg!(unix) {
        return true;
    }
    match file.try_lock() {
        Ok(()) => is_at(file, path),
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => true,
    }
}

fn remove_if_left(path: &Path) {
    let Ok(file) = File::options().write(true).open(path) else {
        return;
    };
    if file.try_lock().is_ok() && is_at(&file, path) {
        // The lock is held until then.
        let _ = fs::remove_file(path);
    }
}

/// Whether the path names this very file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let named = fs::symlink_metadata(path).map(|m| (m.dev(), m.ino()));
    let held = file.metadata().map(|m| (m.dev(), m.ino()));
    named.is_ok_and(|named| held.is_ok_and(|held| named == held))
}

/// Whether the path names this very file: unknown here.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    false
}

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
    fn names_are_known_by_both_ends() {
        let before = prefix("a.png");
        for (name, wanted) in [
            (".a.png.1.0.tmp", true),
            (".a.png.4194304.99.tmp", true),
            (".a.png.1.tmp", false),
            (".a.png.1.0.tmp~", false),
            (".a.png.x.0.tmp", false),
            (".a.png.1..tmp", false),
            (".a.png.1.0.1.tmp", false),
            ("a.png.1.0.tmp", false),
            (".b.png.1.0.tmp", false),
            (".a.png", false),
            ("a.png", false),
        ] {
            assert_eq!(is_scratch(OsStr::new(name), &before), wanted, "{name}");
        }
        let (long, longer) = ("n".repeat(50), "n".repeat(200));
        assert_eq!(prefix(&long), prefix(&longer));
    }

    #[cfg(unix)]
    #[test]
    fn only_files_without_an_owner_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let names = || {
            let mut list: Vec<String> = fs::read_dir(dir.path())
                .unwrap()
                .map(|e| e.unwrap().file_name().into_string().unwrap())
                .collect();
            list.sort();
            list
        };
        let (own, path) = create(dir.path(), "a.png").unwrap();
        for left in [".a.png.1.0.tmp", ".a.png.4194304.7.tmp", ".b.png.1.0.tmp", ".a.png.x.0.tmp", "a.png"] {
            fs::write(at(left), "left").unwrap();
        }
        fs::create_dir(at(".a.png.2.0.tmp")).unwrap();
        std::os::unix::fs::symlink("a.png", at(".a.png.3.0.tmp")).unwrap();
        sweep(dir.path(), "a.png", &[]);
        let mine = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut wanted =
            [mine.as_str(), ".a.png.2.0.tmp", ".a.png.3.0.tmp", ".a.png.x.0.tmp", ".b.png.1.0.tmp", "a.png"]
                .map(str::to_owned);
        wanted.sort();
        assert_eq!(names(), wanted);
        // The owner is gone without a word.
        drop(own);
        sweep(dir.path(), "a.png", std::slice::from_ref(&path));
        assert!(names().contains(&mine), "files of this run stay, locks or not");
        sweep(dir.path(), "a.png", &[]);
        assert!(!names().contains(&mine));
    }

    /// Many runs of one output, each of which looks for files that others left.
    #[cfg(unix)]
    #[test]
    fn no_file_of_a_living_run_is_taken_for_one_that_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let run = |rounds: u32| {
            for _ in 0..rounds {
                sweep(dir.path(), "a.png", &[]);
                let (file, path) = create(dir.path(), "a.png").unwrap();
                for _ in 0..3 {
                    std::thread::yield_now();
                    assert!(is_at(&file, &path), "{} is gone", path.display());
                }
                fs::remove_file(path).unwrap();
            }
        };
        std::thread::scope(|s| {
            for _ in 0..8 {
                s.spawn(|| run(100));
            }
        });
        sweep(dir.path(), "a.png", &[]);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

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

//! Bytes of a file or of standard input, and their text.

use super::error::InputError;
use super::pipe::{PATIENCE, first_bytes, is_named_pipe};
use super::position::Place;
use std::fs::{File, Metadata};
use std::io::{ErrorKind as IoKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The bytes of a file that is read by position.
#[derive(Debug)]
pub(super) enum Content {
    /// Bytes in memory.
    Memory(Vec<u8>),
    /// A file and its length when it was opened.
    File(Arc<File>, u64),
}

impl Content {
    /// Bytes in all.
    pub(super) fn len(&self) -> u64 {
        match self {
            Content::Memory(bytes) => bytes.len() as u64,
            Content::File(_, len) => *len,
        }
    }

    /// Up to `most` bytes from `at` on; fewer only at the end.
    ///
    /// # Errors
    /// When they can no longer be read.
    pub(super) fn read_up_to(&self, at: u64, most: u64, name: &str) -> Result<Vec<u8>, InputError> {
        let size = most.min(self.len().saturating_sub(at)) as usize;
        match self {
            Content::Memory(bytes) => {
                Ok(bytes.get(at as usize..at as usize + size).unwrap_or_default().to_vec())
            }
            Content::File(file, _) => {
                let mut out = vec![0; size];
                read_exact_at(file, &mut out, at).map_err(|e| unreadable(name, &e))?;
                Ok(out)
            }
        }
    }
}

/// Opens a file that may be read by position as well as from its beginning.
///
/// # Errors
/// When it is missing, unreadable, a directory or a device.
pub(super) fn open_file(path: &Path) -> Result<(File, Metadata), InputError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|e| unreadable(&name, &e))?;
    let meta = file.metadata().map_err(|e| unreadable(&name, &e))?;
    if meta.is_dir() {
        return Err(InputError::refused(&name, "", "is a directory"));
    }
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_char_device(&meta.file_type()) {
        // Such as /dev/zero, which never ends.
        return Err(InputError::refused(&name, "", "is a device").with_hint("- reads standard input"));
    }
    Ok((file, meta))
}

pub(super) fn unreadable(name: &str, e: &std::io::Error) -> InputError {
    let what = match e.kind() {
        IoKind::NotFound => "no such file".to_owned(),
        IoKind::PermissionDenied => "may not be read (permission denied)".to_owned(),
        IoKind::IsADirectory => "is a directory".to_owned(),
        _ => format!("cannot be read: {e}"),
    };
    InputError::refused(name, "", what).with_source(std::io::Error::new(e.kind(), e.to_string()))
}

/// Reads a whole file, or standard input for `-`; more than `limit` bytes are refused.
///
/// # Errors
/// When it is missing, unreadable, a directory, empty or too large.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    if path.as_os_str() == "-" {
        return read_rest(&mut std::io::stdin().lock(), "-", limit, Vec::new());
    }
    if is_named_pipe(path) {
        return read_pipe(path, limit, PATIENCE);
    }
    let (file, meta) = open_file(path)?;
    read_opened(&file, &meta, &path.display().to_string(), limit)
}

/// Reads a named pipe to its end, if its first byte comes within `patience`.
pub(super) fn read_pipe(path: &Path, limit: u64, patience: Duration) -> Result<Vec<u8>, InputError> {
    let name = path.display().to_string();
    let Some((first, mut file)) = first_bytes(path, patience).map_err(|e| unreadable(&name, &e))? else {
        let what = format!("nothing has been written to this pipe for {} seconds", patience.as_secs_f64());
        return Err(InputError::limit(&name, what)
            .with_hint("start what writes to it first, or pipe into - (standard input)"));
    };
    read_rest(&mut file, &name, limit, first)
}

/// Reads an opened file from its current position.
pub(super) fn read_opened(
    mut file: &File,
    meta: &Metadata,
    name: &str,
    limit: u64,
) -> Result<Vec<u8>, InputError> {
    if meta.len() > limit {
        return Err(too_large(name, &format!("{} bytes", meta.len()), limit));
    }
    // The length is that of a file on disk, which the limit has passed.
    let bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0) + 1);
    read_rest(&mut file, name, limit, bytes)
}

fn read_rest(
    from: &mut impl Read,
    name: &str,
    limit: u64,
    mut bytes: Vec<u8>,
) -> Result<Vec<u8>, InputError> {
    read_up_to(from, limit, &mut bytes).map_err(|e| unreadable(name, &e))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(name, "more bytes", limit));
    }
    if bytes.is_empty() {
        return Err(InputError::refused(name, "", "is empty: no data rows"));
    }
    Ok(bytes)
}

fn read_up_to(from: &mut impl Read, limit: u64, into: &mut Vec<u8>) -> std::io::Result<usize> {
    from.take(limit.saturating_add(1)).read_to_end(into)
}

fn too_large(name: &str, size: &str, limit: u64) -> InputError {
    InputError::limit(name, format!("{size}, over the limit of {limit}"))
        .with_hint("--max-memory raises the limit")
}

/// The first bytes of a plain file, `most` of them; none of anything else, which could be read only once.
///
/// # Errors
/// When it is missing or unreadable.
pub fn read_first(path: &Path, most: u64) -> Result<Vec<u8>, InputError> {
    read_part(path, |_| 0, most)
}

/// The last bytes of a plain file, `most` of them; none of anything else.
///
/// # Errors
/// As [`read_first`].
pub fn read_last(path: &Path, most: u64) -> Result<Vec<u8>, InputError> {
    read_part(path, |len| len.saturating_sub(most), most)
}

fn read_part(path: &Path, from: impl Fn(u64) -> u64, most: u64) -> Result<Vec<u8>, InputError> {
    let failed = |e: std::io::Error| unreadable(&path.display().to_string(), &e);
    // Opening a pipe would already wait for who writes it.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Ok(Vec::new());
    }
    let (mut file, meta) = open_file(path)?;
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from(meta.len())))
        .and_then(|_| file.take(most).read_to_end(&mut bytes))
        .map_err(failed)?;
    Ok(bytes)
}

/// Fills `into` with a file's bytes from `at` on, whatever its current position is.
#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, into: &mut [u8], at: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, at)
}

/// Fills `into` with a file's bytes from `at` on.
#[cfg(windows)]
pub(super) fn read_exact_at(file: &File, mut into: &mut [u8], mut at: u64) -> std::io::Result<()> {
    while !into.is_empty() {
        let n = std::os::windows::fs::FileExt::seek_read(file, into, at)?;
        if n == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        into = &mut into[n..];
        at += n as u64;
    }
    Ok(())
}

/// Fills `into` with a file's bytes from `at` on, where files have one position for all that read them.
#[cfg(not(any(unix, windows)))]
pub(super) fn read_exact_at(mut file: &File, into: &mut [u8], at: u64) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(into)
}

/// Bytes of the byte order mark that a text begins with.
///
/// # Errors
/// When it is that of UTF-16.
pub(super) fn mark(bytes: &[u8], file: &str) -> Result<u64, InputError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(InputError::refused(file, Place::byte(0), "is UTF-16, not UTF-8")
            .with_hint("iconv -f utf-16 -t utf-8 FILE"));
    }
    Ok(if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 })
}

/// Bytes of a file from `first` on as text.
///
/// # Errors
/// When they hold a NUL byte or are not UTF-8.
pub(super) fn text_from<'a>(bytes: &'a [u8], first: u64, file: &str) -> Result<&'a str, InputError> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        let place = Place::byte(first + at as u64);
        let fault = InputError::refused(file, place, format!("is not UTF-8 (0x{:02x})", bytes[at]));
        // Control characters are in no text.
        let is_text = |b: &u8| *b >= 0x20 || matches!(b, b'\t' | b'\n' | b'\r' | 0x0c);
        let high = bytes.iter().filter(|b| **b >= 0x80).take(1 << 16);
        match bytes.iter().take(1 << 16).all(is_text) {
            false => fault,
            true if high.clone().any(|b| (0x80..0xa0).contains(b)) => fault.with_hint(
                "iconv -f cp1252 -t utf-8 FILE (Windows-1252), or -f cp1251 and the like, as its letters are",
            ),
            true => fault
                .with_hint("iconv -f latin1 -t utf-8 FILE, or -f cp1251 and the like, as its letters are"),
        }
    })?;
    match memchr::memchr(0, bytes) {
        Some(at) => Err(InputError::refused(
            file,
            Place::byte(first + at as u64),
            "is a NUL byte, so this is not text",
        )),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_utf8_without_a_mark() {
        let text = |bytes: &'static [u8]| {
            let mark = mark(bytes, "f")?;
            text_from(&bytes[mark as usize..], mark, "f")
        };
        assert_eq!(text(b"\xef\xbb\xbfid"), Ok("id"));
        let at = |b| text(b).unwrap_err();
        assert_eq!(at(b"id,\xa9").place, Place::byte(3));
        assert_eq!(at(b"\xef\xbb\xbfa\0b").place, Place::byte(4));
        assert!(at(b"\xff\xfea\0").what.contains("UTF-16"));
    }

    #[test]
    fn files_that_cannot_be_read_say_why() {
        let dir = tempfile::tempdir().unwrap();
        let of = |p: &Path, limit| read_file(p, limit).unwrap_err();
        assert!(of(dir.path(), 9).what.contains("directory"));
        assert!(of(&dir.path().join("none"), 9).what.contains("no such file"));
        if cfg!(target_os = "linux") {
            assert!(of(Path::new("/dev/zero"), 9).what.contains("device"));
        }
        let p = dir.path().join("a.csv");
        std::fs::write(&p, "").unwrap();
        assert!(of(&p, 9).what.contains("empty"));
        std::fs::write(&p, "0123456789").unwrap();
        assert_eq!(of(&p, 9).kind, super::super::error::ErrorKind::Limit);
        assert_eq!(read_file(&p, 10).unwrap(), b"0123456789");
    }

    #[test]
    fn ends_of_plain_files_are_read_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "0123456789").unwrap();
        assert_eq!(
            (read_first(&path, 3).unwrap(), read_last(&path, 3).unwrap()),
            (b"012".to_vec(), b"789".to_vec())
        );
        assert_eq!((read_first(&path, 99).unwrap().len(), read_last(&path, 99).unwrap().len()), (10, 10));
        assert!(read_first(dir.path(), 3).unwrap().is_empty());
        assert!(read_first(&dir.path().join("none"), 3).unwrap_err().to_string().ends_with("no such file"));
    }
}

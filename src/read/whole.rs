//! Files that are read whole: their bytes are taken off the run's budget before they are read.

use super::budget::{Budget, Reservation};
use super::bytes::{read_file, read_opened, read_pipe};
use super::error::InputError;
use std::fs::{File, Metadata};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A file's bytes, and what they take.
pub(super) type Whole = (Vec<u8>, Reservation);

/// Reads a whole file, or standard input for `-`.
///
/// # Errors
/// When it is missing, unreadable, a directory, empty, or longer than what is left of the budget.
pub(super) fn read_whole(path: &Path, budget: &Arc<Budget>) -> Result<Whole, InputError> {
    counted(read_file(path, budget.left())?, &path.display().to_string(), budget)
}

/// Reads a named pipe to its end, if its first byte comes within `patience`.
///
/// # Errors
/// As [`read_whole`], and when nothing comes.
pub(super) fn read_whole_pipe(
    path: &Path,
    budget: &Arc<Budget>,
    patience: Duration,
) -> Result<Whole, InputError> {
    counted(read_pipe(path, budget.left(), patience)?, &path.display().to_string(), budget)
}

/// Reads an opened file from its current position.
///
/// # Errors
/// As [`read_whole`].
pub(super) fn read_whole_opened(
    file: &File,
    meta: &Metadata,
    name: &str,
    budget: &Arc<Budget>,
) -> Result<Whole, InputError> {
    counted(read_opened(file, meta, name, budget.left())?, name, budget)
}

/// A small file that an option names; anything but a plain file is refused without waiting on it.
///
/// # Errors
/// When it cannot be read, or is longer than what is left of the budget.
pub(super) fn read_side_file(path: &Path, file: &str, budget: &Arc<Budget>) -> Result<Whole, InputError> {
    let unread =
        |e: std::io::Error| InputError::refused(file, "", format!("cannot be read: {e}")).with_source(e);
    let meta = std::fs::metadata(path).map_err(unread)?;
    if !meta.is_file() {
        return Err(InputError::refused(file, "", "not a plain file"));
    }
    let mut room = budget.reserve(meta.len()).map_err(|s| s.of(file, "its bytes"))?;
    let bytes = std::fs::read(path).map_err(unread)?;
    // It may have grown since.
    room.reach(bytes.len() as u64).map_err(|s| s.of(file, "its bytes"))?;
    Ok((bytes, room))
}

fn counted(bytes: Vec<u8>, name: &str, budget: &Arc<Budget>) -> Result<Whole, InputError> {
    let room = budget.reserve(bytes.len() as u64).map_err(|s| s.of(name, "its bytes"))?;
    Ok((bytes, room))
}

#[cfg(test)]
mod tests {
    use super::super::error::ErrorKind;
    use super::*;

    #[test]
    fn bytes_are_counted_as_long_as_they_are_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, [b'x'; 600]).unwrap();
        let budget = Budget::new(1000);
        let (bytes, room) = read_whole(&path, &budget).unwrap();
        assert_eq!((bytes.len(), budget.left()), (600, 400));
        // Two files share one budget.
        assert_eq!(read_whole(&path, &budget).unwrap_err().kind, ErrorKind::Limit);
        assert_eq!(read_side_file(&path, "a", &budget).unwrap_err().kind, ErrorKind::Limit);
        drop(room);
        assert_eq!(read_side_file(&path, "a", &budget).unwrap().0.len(), 600);
        assert_eq!(budget.left(), 1000);
        assert!(read_side_file(dir.path(), "d", &budget).unwrap_err().what.contains("not a plain file"));
    }
}

//! Named pipes, whose first byte is waited for, and not for ever.

use gridscope_core::workers;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long a named pipe may stay without its first byte.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that are read with the first.
const FIRST: usize = 4096;

/// Whether a path names a pipe that others open by its name. One that is open already, as `/dev/stdin` or a shell's
/// `/dev/fd/63`, has its writer.
#[cfg(unix)]
pub(super) fn is_named_pipe(path: &Path) -> bool {
    use std::fs::{Metadata, canonicalize, metadata, symlink_metadata};
    let is_pipe =
        |m: io::Result<Metadata>| m.is_ok_and(|m| std::os::unix::fs::FileTypeExt::is_fifo(&m.file_type()));
    let named =
        || canonicalize(path).is_ok_and(|p| !p.starts_with("/dev/fd") && is_pipe(symlink_metadata(p)));
    is_pipe(metadata(path)) && named()
}

/// Whether a path names a pipe that others open by its name: not here.
#[cfg(not(unix))]
pub(super) fn is_named_pipe(_: &Path) -> bool {
    false
}

/// Opens a named pipe and waits for its first bytes, at most for `patience`: then there are none, and the thread that waits for
/// them is left behind. Where no thread can be started the wait has no end.
///
/// # Errors
/// When it cannot be opened or read.
pub(super) fn first_bytes(path: &Path, patience: Duration) -> io::Result<Option<(Vec<u8>, File)>> {
    let (send, coming) = channel();
    let waits = {
        let path = path.to_owned();
        // After the time nobody wants them.
        move || drop(send.send(begun(&path)))
    };
    if workers::detached(waits).is_err() {
        return begun(path).map(Some);
    }
    coming.recv_timeout(patience).ok().transpose()
}

/// Waits until somebody writes; no byte at all where the writer has closed without one.
fn begun(path: &Path) -> io::Result<(Vec<u8>, File)> {
    let mut file = File::open(path)?;
    let mut bytes = vec![0; FIRST];
    let n = loop {
        match file.read(&mut bytes) {
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    bytes.truncate(n);
    Ok((bytes, file))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::path::PathBuf;
    use std::sync::mpsc::Receiver;

    const SOON: Duration = Duration::from_millis(200);
    /// Longer than anything takes.
    const LATE: Duration = Duration::from_mins(2);

    fn pipe(dir: &tempfile::TempDir) -> PathBuf {
        let path = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    #[test]
    fn pipes_are_known_by_their_names() {
        let dir = tempfile::tempdir().unwrap();
        let path = pipe(&dir);
        std::os::unix::fs::symlink("pipe", dir.path().join("link")).unwrap();
        std::fs::write(dir.path().join("plain"), "1").unwrap();
        assert!(is_named_pipe(&path) && is_named_pipe(&dir.path().join("link")));
        assert!(["plain", "none", ""].iter().all(|n| !is_named_pipe(&dir.path().join(n))));
        // A pipe without a name, which this process holds open.
        #[cfg(target_os = "linux")]
        {
            let (reader, _writer) = std::io::pipe().unwrap();
            let number = std::os::fd::AsRawFd::as_raw_fd(&reader);
            assert!(!is_named_pipe(Path::new(&format!("/dev/fd/{number}"))));
        }
    }

    #[test]
    fn a_pipe_that_nobody_writes_to_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let path = pipe(&dir);
        assert!(first_bytes(&path, SOON).unwrap().is_none());
        // Nor is one that is opened and not written to.
        let held = File::options().read(true).write(true).open(&path).unwrap();
        assert!(first_bytes(&path, SOON).unwrap().is_none());
        drop(held);
        assert!(first_bytes(&dir.path().join("none"), SOON).is_err());
    }

    #[test]
    fn the_wait_ends_with_the_first_byte() {
        let dir = tempfile::tempdir().unwrap();
        let path = pipe(&dir);
        for started in [0, 1] {
            let (goes_on, waits): (_, Receiver<()>) = channel();
            let writes = std::thread::spawn({
                let path = path.clone();
                move || {
                    let mut to = File::options().write(true).open(path).unwrap();
                    to.write_all(b"a").unwrap();
                    waits.recv().unwrap();
                    to.write_all(b"b").unwrap();
                }
            });
            let (mut bytes, mut file) =
                workers::with_at_most(started, || first_bytes(&path, LATE)).unwrap().unwrap();
            // From here on nothing limits the time.
            assert_eq!(bytes, b"a");
            goes_on.send(()).unwrap();
            file.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes, b"ab");
            writes.join().unwrap();
        }
    }
}

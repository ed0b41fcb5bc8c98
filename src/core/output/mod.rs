//! Bytes to a path or standard output: a temporary file in the same folder, then one rename.

mod scratch;

pub use scratch::{cache_folder, read_cached, write_cached};

use crate::cancel::cancel_all;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// The temporary files now open, so that an interrupt can remove them.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Links that lead from one to the next, at most.
const LINKS: u32 = 40;
/// Standard output was closed when the program began.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Looks whether standard output is closed. Rust opens the null device in the place of what is closed before `main` begins, so
/// a program looks before that; what writes to standard output is refused from then on.
pub fn look_at_standard_output() {
    let folder = Path::new("/dev/fd");
    let is_closed = folder.exists() && fs::symlink_metadata(folder.join("1")).is_err();
    CLOSED.fetch_or(is_closed, Ordering::Relaxed);
}

/// Where bytes go. Opened early, so that a folder that cannot be written costs no work.
#[derive(Debug)]
pub struct Output {
    target: Target,
}

#[derive(Debug)]
enum Target {
    Stdout,
    /// A device or a pipe: written in place, for a rename would put a plain file in its place.
    Stream(File),
    File {
        file: File,
        temporary: PathBuf,
        path: PathBuf,
    },
}

impl Output {
    /// Opens `path`, `-` for standard output. An existing file stays as it is until [`Output::put`]; temporary files that a
    /// killed run left of the same output are removed.
    ///
    /// # Errors
    /// When the folder cannot be written or `path` is a folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            if CLOSED.load(Ordering::Relaxed) {
                return Err(io::Error::new(io::ErrorKind::NotConnected, "standard output is closed"));
            }
            return Ok(Self { target: Target::Stdout });
        }
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        // Asked before links are followed: that of /dev/stdout may name no path.
        if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
            return Ok(Self { target: Target::Stream(File::options().write(true).open(path)?) });
        }
        let path = followed(path)?;
        let name =
            path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "names no file"))?;
        let name = name.to_string_lossy().into_owned();
        // A name that is too long, or lies under a file, costs no work either.
        match fs::symlink_metadata(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        if path.exists() && fs::metadata(&path)?.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "is read-only"));
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // From its first moment on the file is one that an interrupt removes.
        let mut open = open_files();
        scratch::sweep(folder, &name, &open);
        let (file, temporary) = scratch::create(folder, &name)?;
        open.push(temporary.clone());
        drop(open);
        Ok(Self { target: Target::File { file, temporary, path } })
    }

    /// Writes all bytes and puts the file in its place.
    ///
    /// # Errors
    /// When they cannot be written; then an older file stays and no temporary file is left.
    pub fn put(mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)?;
        self.commit()
    }

    /// Writes all bytes and puts the file in its place, unless a file has come there meanwhile.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] where a file is; as [`Output::put`].
    pub fn put_new(mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)?;
        let Target::File { file, temporary, path } = &mut self.target else {
            return Err(io::ErrorKind::AlreadyExists.into());
        };
        file.sync_data()?;
        let _open = open_files();
        match fs::hard_link(&*temporary, &*path) {
            // Where files have one name only, an empty one keeps the place.
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                File::options().write(true).create_new(true).open(&*path)?;
                fs::rename(&*temporary, &*path).inspect_err(|_| drop(fs::remove_file(&*path)))
            }
            linked => linked,
        }
    }

    /// Puts the written file in its place.
    ///
    /// # Errors
    /// When it cannot be; then an older file stays and no temporary file is left.
    pub fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        let Target::File { file, temporary, path } = &mut self.target else {
            return Ok(());
        };
        file.sync_data()?;
        if let Ok(old) = fs::metadata(&*path) {
            fs::set_permissions(&*temporary, old.permissions())?;
        }
        // Not while an interrupt removes what is open.
        let _open = open_files();
        fs::rename(&*temporary, &*path)
    }
}

/// Bytes one part after the other; nothing is in its place before [`Output::commit`].
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Stdout => io::stdout().lock().write(bytes),
            Target::Stream(file) | Target::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Stdout => io::stdout().lock().flush(),
            Target::Stream(file) | Target::File { file, .. } => file.flush(),
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Target::File { temporary, .. } = &self.target {
            // Gone already after a rename; nothing else could be done about a failure here.
            let _ = fs::remove_file(temporary);
            open_files().retain(|t| t != temporary);
        }
    }
}

/// Whether two paths name one file, however they are spelt.
pub fn is_same(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let path = &followed(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let beside = || fs::canonicalize(folder).map(|f| path.file_name().map_or(f.clone(), |n| f.join(n)));
        fs::canonicalize(path).or_else(|_| beside()).unwrap_or_else(|_| path.to_owned())
    };
    let stdout = Path::new("-");
    a == b || a != stdout && b != stdout && place(a) == place(b)
}

/// Where a link leads, so that writing through it keeps the link; what it names need not be there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(link) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    Err(io::Error::other("links that lead in a circle"))
}

fn open_files() -> MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Waits until the program ends, where [`abandon`] ends it: what fails because of that is not reported.
pub fn let_end() {
    drop(open_files());
}

/// How long the end of the program waits for an engine that is told to cancel a query.
const PATIENCE: Duration = Duration::from_secs(1);

/// Removes the temporary files that are open, cancels what others do for the run, and ends the program by `then`: meanwhile no other
/// file is made, and none put in its place.
pub fn abandon<T>(then: impl FnOnce() -> T) -> T {
    let mut open = open_files();
    for path in open.drain(..) {
        let _ = fs::remove_file(path);
    }
    cancel_all(PATIENCE);
    then()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut v: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        v.sort();
        v
    }

    #[test]
    fn an_older_file_stays_until_the_new_one_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.png");
        fs::write(&path, "old").unwrap();
        drop(Output::open(&path).unwrap());
        assert_eq!(
            (fs::read_to_string(&path).unwrap(), names(dir.path())),
            ("old".into(), vec!["a.png".to_owned()])
        );
        Output::open(&path).unwrap().put(b"new").unwrap();
        assert_eq!(
            (fs::read_to_string(&path).unwrap(), names(dir.path())),
            ("new".into(), vec!["a.png".to_owned()])
        );
        assert!(Output::open(dir.path()).is_err() && Output::open(&dir.path().join("no/such.png")).is_err());
    }

    #[test]
    fn one_file_is_told_however_it_is_spelt() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        let at = |name: &str| dir.path().join(name);
        assert!(is_same(&at("a.png"), &at("sub/../a.png")) && is_same(&at("no/a.png"), &at("no/a.png")));
        assert!(
            !is_same(&at("a.png"), &at("b.png"))
                && !is_same(&at("sub/a.png"), &at("a.png"))
                && !is_same(Path::new("-"), &at("-"))
        );
        #[cfg(unix)]
        {
            fs::write(at("a.png"), "x").unwrap();
            std::os::unix::fs::symlink(at("a.png"), at("link.png")).unwrap();
            assert!(is_same(&at("link.png"), &at("a.png")));
        }
    }

    #[test]
    fn a_new_file_is_never_put_over_another() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.png");
        let (first, second) = (Output::open(&path).unwrap(), Output::open(&path).unwrap());
        first.put_new(b"first").unwrap();
        assert_eq!(second.put_new(b"second").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(
            (fs::read_to_string(&path).unwrap(), names(dir.path())),
            ("first".into(), vec!["a.png".to_owned()])
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_a_dead_run_left_is_removed_by_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        std::os::unix::fs::symlink("sub/b.png", at("link.png")).unwrap();
        // Process numbers come again, and a link's file is the one that it names.
        for (left, output) in [
            (format!(".a.png.{}.0.tmp", std::process::id()), "a.png"),
            ("sub/.b.png.1.0.tmp".to_owned(), "link.png"),
        ] {
            fs::write(at(&left), "half").unwrap();
            Output::open(&at(output)).unwrap().put(b"new").unwrap();
            assert_eq!((fs::read_to_string(at(output)).unwrap(), at(&left).exists()), ("new".into(), false));
        }
        assert_eq!(
            (names(dir.path()), names(&at("sub"))),
            (vec!["a.png".into(), "link.png".into(), "sub".into()], vec!["b.png".to_owned()])
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_even_one_to_nothing_yet() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        for (link, to) in [("a.png", "sub/b.png"), ("sub/c.png", "../a.png"), ("round.png", "round.png")] {
            std::os::unix::fs::symlink(to, at(link)).unwrap();
        }
        for bytes in ["first", "second"] {
            Output::open(&at("sub/c.png")).unwrap().put(bytes.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(at("sub/b.png")).unwrap(), bytes);
        }
        assert!(at("a.png").is_symlink() && at("sub/c.png").is_symlink() && names(&at("sub")).len() == 2);
        assert!(Output::open(&at("round.png")).is_err() && is_same(&at("a.png"), &at("sub/b.png")));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_stays_a_pipe() {
        use std::os::unix::fs::FileTypeExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        Output::open(&path).unwrap().put(b"bytes").unwrap();
        assert_eq!(reader.join().unwrap(), b"bytes");
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo() && names(dir.path()).len() == 1);
    }
}

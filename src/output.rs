//! Bytes to a path or standard output: a temporary file in the same folder, then one rename.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The temporary files now open, so that an interrupt can remove them.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Where bytes go. Opened early, so that a folder that cannot be written costs no work.
#[derive(Debug)]
pub struct Output {
    target: Target,
}

#[derive(Debug)]
enum Target {
    Stdout,
    File { file: File, temporary: PathBuf, path: PathBuf },
}

impl Output {
    /// Opens `path`, `-` for standard output. An existing file stays as it is until [`Output::write`].
    ///
    /// # Errors
    /// When the folder cannot be written or `path` is a folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self { target: Target::Stdout });
        }
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "names no file"))?;
        // Writing through a link keeps the link.
        let path = if path.is_symlink() { fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()) } else { path.to_owned() };
        if path.exists() && fs::metadata(&path)?.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "is read-only"));
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let stem: String = name.to_string_lossy().chars().take(40).collect();
        let (file, temporary) = create(folder, &stem)?;
        OPEN.lock().unwrap_or_else(|e| e.into_inner()).push(temporary.clone());
        Ok(Self { target: Target::File { file, temporary, path } })
    }

    /// Writes all bytes and puts the file in its place.
    ///
    /// # Errors
    /// When they cannot be written; then an older file stays and no temporary file is left.
    pub fn write(mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.target {
            Target::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(bytes)?;
                out.flush()
            }
            Target::File { file, temporary, path } => {
                file.write_all(bytes)?;
                file.sync_data()?;
                if let Ok(old) = fs::metadata(&*path) {
                    fs::set_permissions(&*temporary, old.permissions())?;
                }
                fs::rename(&*temporary, &*path)
            }
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Target::File { temporary, .. } = &self.target {
            // Gone already after a rename; nothing else could be done about a failure here.
            let _ = fs::remove_file(temporary);
            OPEN.lock().unwrap_or_else(|e| e.into_inner()).retain(|t| t != temporary);
        }
    }
}

/// A new hidden file beside the target; one that a killed process of the same number left is passed over.
fn create(folder: &Path, stem: &str) -> io::Result<(File, PathBuf)> {
    let mut k = 0;
    loop {
        let temporary = folder.join(format!(".{stem}.{}-{k}.tmp", std::process::id()));
        match File::options().write(true).create_new(true).open(&temporary) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && k < 100 => k += 1,
            made => return made.map(|file| (file, temporary)),
        }
    }
}

/// Removes the temporary files that are open: for a signal handler.
pub fn abandon() {
    for path in OPEN.lock().unwrap_or_else(|e| e.into_inner()).drain(..) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut v: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        v.sort();
        v
    }

    #[test]
    fn an_older_file_stays_until_the_new_one_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.png");
        fs::write(&path, "old").unwrap();
        drop(Output::open(&path).unwrap());
        assert_eq!((fs::read_to_string(&path).unwrap(), names(dir.path())), ("old".into(), vec!["a.png".to_owned()]));
        Output::open(&path).unwrap().write(b"new").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap(), names(dir.path())), ("new".into(), vec!["a.png".to_owned()]));
        assert!(Output::open(dir.path()).is_err() && Output::open(&dir.path().join("no/such.png")).is_err());
    }
}

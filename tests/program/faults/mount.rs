//! A small file system that can be full or read-only for every user.

use crate::support::required;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use tempfile::TempDir;

/// Its size in bytes: 16 pages.
const SIZE: usize = 64 << 10;

/// A mounted file system, which other processes see through the process that holds it.
pub struct Mount {
    holder: Child,
    to: Option<ChildStdin>,
    said: BufReader<std::process::ChildStdout>,
    folder: PathBuf,
    _place: TempDir,
}

/// The flags of `unshare` by which this user may mount, if any.
pub fn unshare() -> Option<&'static [&'static str]> {
    let flags: [&[&str]; 2] = [&["-m"], &["-rm"]];
    let mut there = false;
    for f in flags {
        let tried = Command::new("unshare")
            .args(f)
            .args(["sh", "-c", "mount -t tmpfs tmpfs /tmp"])
            .stderr(Stdio::null())
            .status();
        there |= tried.is_ok();
        if tried.is_ok_and(|s| s.success()) {
            return Some(f);
        }
    }
    assert!(!(there && required::tools()), "unshare may mount nothing here");
    println!("skipped: unshare may mount nothing here");
    None
}

impl Mount {
    /// Mounts a file system; `None` if this is not possible.
    pub fn new() -> Option<Self> {
        let flags = unshare()?;
        let place = tempfile::tempdir().unwrap();
        let script = format!(
            "mount -t tmpfs -o size={SIZE} tmpfs \"$0\"; echo; read line; mount -o remount,ro \"$0\"; echo; read line"
        );
        let mut command = Command::new("unshare");
        command
            .args(flags)
            .args(["sh", "-c", &script])
            .arg(place.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut holder = command.spawn().unwrap();
        let (to, said) = (holder.stdin.take(), BufReader::new(holder.stdout.take().unwrap()));
        let folder = Path::new("/proc")
            .join(holder.id().to_string())
            .join("root")
            .join(place.path().strip_prefix("/").unwrap());
        let mut mount = Self { holder, to, said, folder, _place: place };
        mount.hears();
        Some(mount)
    }

    fn hears(&mut self) {
        self.said.read_line(&mut String::new()).unwrap();
    }

    /// The folder as other processes see it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the file system read-only.
    pub fn seal(&mut self) {
        writeln!(self.to.as_mut().unwrap()).unwrap();
        self.hears();
        assert!(std::fs::write(self.folder.join("probe"), "").is_err());
    }

    /// Fills the file system; files can still be created.
    pub fn fill(&self) {
        let mut file = std::fs::File::create(self.folder.join("filler")).unwrap();
        while file.write_all(&[7; 4096]).is_ok() {}
        let probe = self.folder.join("probe");
        assert!(std::fs::write(&probe, "x").is_err());
        std::fs::remove_file(probe).unwrap();
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        self.to = None;
        let _ = self.holder.wait();
    }
}

//! The files of a figure, watched for changes.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The interval between two looks. Files are polled, because not every file system reports its changes.
const EVERY: Duration = Duration::from_millis(200);

/// A file counts as finished after this many looks without a change.
const FINISHED: u32 = 10;

/// Length and time of change, by which two states of a file differ; `None` for a file that does not exist.
type Stamp = Option<(u64, SystemTime)>;

/// The files of a figure and their last stamps.
pub(super) struct Watch {
    files: Vec<PathBuf>,
    last: Vec<Stamp>,
    /// Looks since the last change.
    still: u32,
    /// A change has not been reported yet.
    changed: bool,
}

impl Watch {
    /// Starts to watch files. Standard input and folders are left out.
    pub(super) fn new(files: &[String]) -> Self {
        let files: Vec<PathBuf> = files.iter().filter(|f| *f != "-").map(PathBuf::from).collect();
        let last = files.iter().map(|f| stamp(f)).collect();
        Self {
            files,
            last,
            still: 0,
            changed: false,
        }
    }

    /// Adds files to those that are watched.
    #[cfg(feature = "window")]
    pub(super) fn also(&mut self, files: &[String]) {
        for file in files.iter().filter(|f| *f != "-").map(PathBuf::from) {
            if !self.files.contains(&file) {
                self.last.push(stamp(&file));
                self.files.push(file);
            }
        }
    }

    /// Whether a file was written so recently that its last row may be incomplete.
    pub(super) fn is_fresh(&self) -> bool {
        let young = |s: &Stamp| {
            s.and_then(|(_, time)| time.elapsed().ok())
                .is_some_and(|age| age < EVERY * FINISHED)
        };
        self.last.iter().any(young)
    }

    /// Waits until files have changed and then stayed as they are, and returns whether they may still grow. If
    /// `row_waits`, because an incomplete last row was left out, also returns, with false, once the files count as
    /// finished.
    pub(super) fn wait(&mut self, row_waits: bool) -> bool {
        loop {
            std::thread::sleep(EVERY);
            let now = self.files.iter().map(|f| stamp(f)).collect();
            if let Some(growing) = self.look(now, row_waits) {
                return growing;
            }
        }
    }

    fn look(&mut self, now: Vec<Stamp>, row_waits: bool) -> Option<bool> {
        // A file that is being replaced does not exist for a moment.
        let now: Vec<Stamp> = now
            .into_iter()
            .zip(&self.last)
            .map(|(now, last)| now.or(*last))
            .collect();
        if now != self.last {
            (self.last, self.still, self.changed) = (now, 0, true);
            return None;
        }
        self.still = self.still.saturating_add(1);
        if std::mem::take(&mut self.changed) {
            return Some(true);
        }
        (row_waits && self.still == FINISHED).then_some(false)
    }
}

fn stamp(file: &Path) -> Stamp {
    let meta = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
    Some((meta.len(), meta.modified().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_reported_once_the_file_rests() {
        let at = |n: u64| vec![Some((n, SystemTime::UNIX_EPOCH))];
        let mut watch = Watch {
            files: Vec::new(),
            last: at(1),
            still: 0,
            changed: false,
        };
        assert_eq!(watch.look(at(1), false), None);
        assert_eq!(
            (
                watch.look(at(2), false),
                watch.look(at(3), false),
                watch.look(at(3), false)
            ),
            (None, None, Some(true))
        );
        assert_eq!(
            (watch.look(at(3), true), watch.look(vec![None], true)),
            (None, None)
        );
        let rest: Vec<Option<bool>> = (0..10).map(|_| watch.look(at(3), true)).collect();
        assert_eq!(
            (rest.iter().flatten().count(), rest.iter().flatten().next()),
            (1, Some(&false))
        );
    }
}

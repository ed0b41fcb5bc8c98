//! Files that change while they are looked at.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Files are looked at so often: no event of a file system tells of changes on all of them.
const EVERY: Duration = Duration::from_millis(200);

/// After so many looks without a change a file counts as finished.
const FINISHED: u32 = 10;

/// What tells one state of a file from another.
type Stamp = Option<(u64, SystemTime)>;

/// The files of a figure, and how they looked last.
pub(super) struct Watch {
    files: Vec<PathBuf>,
    last: Vec<Stamp>,
    /// Looks without a change.
    still: u32,
    /// A change was seen that is not told yet.
    changed: bool,
}

impl Watch {
    /// Watches files as they are now; standard input and folders do not change.
    pub fn new(files: &[String]) -> Self {
        let files: Vec<PathBuf> = files.iter().filter(|f| *f != "-").map(PathBuf::from).collect();
        let last = files.iter().map(|f| stamp(f)).collect();
        Self {
            files,
            last,
            still: 0,
            changed: false,
        }
    }

    /// Watches these files too, as they are now.
    #[cfg(feature = "window")]
    pub fn also(&mut self, files: &[String]) {
        for file in files.iter().filter(|f| *f != "-").map(PathBuf::from) {
            if !self.files.contains(&file) {
                self.last.push(stamp(&file));
                self.files.push(file);
            }
        }
    }

    /// Whether a file was written so lately that its last row may not be whole.
    pub fn is_fresh(&self) -> bool {
        let young = |s: &Stamp| {
            s.and_then(|(_, time)| time.elapsed().ok())
                .is_some_and(|age| age < EVERY * FINISHED)
        };
        self.last.iter().any(young)
    }

    /// Waits until a change has come to rest; gives whether the files may still grow. With a `row_waits` that was left out it
    /// ends, with false, when nothing more comes.
    pub fn wait(&mut self, row_waits: bool) -> bool {
        loop {
            std::thread::sleep(EVERY);
            let now = self.files.iter().map(|f| stamp(f)).collect();
            if let Some(growing) = self.look(now, row_waits) {
                return growing;
            }
        }
    }

    fn look(&mut self, now: Vec<Stamp>, row_waits: bool) -> Option<bool> {
        // A file that is being replaced is not there for a moment.
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
    fn a_change_is_told_once_it_rests() {
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

//! The files of a figure, watched for changes.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The interval between two looks. Files are polled, because not every file system reports its changes.
const EVERY: Duration = Duration::from_millis(200);

/// A file counts as finished after this many looks without a change.
const FINISHED: u32 = 10;

/// A file counts as gone after this many looks without it: one that is being replaced does not exist for a moment.
const GONE: u32 = 5;

/// Length and time of change, by which two states of a file differ.
type Stamp = (u64, SystemTime);

/// State of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Look {
    File(Stamp),
    /// A folder, or something else that is not a file.
    Other,
    Nothing,
}

impl Look {
    fn at(path: &Path) -> Self {
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_file() => stamp(&meta).map_or(Self::Nothing, Self::File),
            Ok(_) => Self::Other,
            Err(_) => Self::Nothing,
        }
    }
}

fn stamp(meta: &Metadata) -> Option<Stamp> {
    Some((meta.len(), meta.modified().ok()?))
}

/// A watched file.
struct Watched {
    path: PathBuf,
    /// Its last stamp; `None` for what was no file when watching began.
    last: Option<Stamp>,
    /// Looks since it was there.
    absent: u32,
}

impl Watched {
    fn new(path: PathBuf) -> Self {
        let last = match Look::at(&path) {
            Look::File(stamp) => Some(stamp),
            Look::Other | Look::Nothing => None,
        };
        Self { path, last, absent: 0 }
    }

    /// Takes in the finding of a look. `Some(true)` is a change, `Some(false)` a file that is gone by now.
    fn see(&mut self, look: Look) -> Option<bool> {
        match (look, self.last) {
            (Look::File(now), last) => {
                let back = std::mem::take(&mut self.absent) >= GONE;
                self.last = Some(now);
                (back || last != Some(now)).then_some(true)
            }
            // A folder is not watched.
            (_, None) => None,
            (_, Some(_)) => {
                self.absent = self.absent.saturating_add(1);
                (self.absent == GONE).then_some(false)
            }
        }
    }
}

/// Change of the files.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// They have changed, and then stayed as they are; they may still grow.
    Changed,
    /// They count as finished.
    Finished,
    /// A file is gone: the text says what became of it, as `run.csv was deleted`.
    Gone(String),
}

/// The files of a figure and their last stamps.
pub(super) struct Watch {
    files: Vec<Watched>,
    /// Looks since the last change.
    still: u32,
    /// A change has not been reported yet.
    changed: bool,
}

impl Watch {
    /// Starts to watch files. Standard input and folders are left out.
    pub(super) fn new(files: &[String]) -> Self {
        let mut watch = Self { files: Vec::new(), still: 0, changed: false };
        watch.also(files);
        watch
    }

    /// Adds files to those that are watched.
    pub(super) fn also(&mut self, files: &[String]) {
        for path in files.iter().filter(|f| *f != "-").map(PathBuf::from) {
            if self.files.iter().all(|f| f.path != path) {
                self.files.push(Watched::new(path));
            }
        }
    }

    /// Whether a file was written so recently that its last row may be incomplete.
    pub(super) fn is_fresh(&self) -> bool {
        let young = |f: &Watched| {
            f.last.and_then(|(_, time)| time.elapsed().ok()).is_some_and(|age| age < EVERY * FINISHED)
        };
        self.files.iter().any(young)
    }

    /// Waits until something happens to the files. If `row_waits`, because an incomplete last row was left out, that they
    /// count as finished is an event too.
    pub(super) fn wait(&mut self, row_waits: bool) -> Event {
        loop {
            std::thread::sleep(EVERY);
            let now: Vec<Look> = self.files.iter().map(|f| Look::at(&f.path)).collect();
            if let Some(event) = self.look(&now, row_waits) {
                return event;
            }
        }
    }

    fn look(&mut self, now: &[Look], row_waits: bool) -> Option<Event> {
        let (mut changes, mut gone) = (false, None);
        for (file, look) in self.files.iter_mut().zip(now) {
            match file.see(*look) {
                Some(true) => changes = true,
                Some(false) => gone = gone.or(Some(fate(&file.path, *look))),
                None => {}
            }
        }
        if changes {
            (self.still, self.changed) = (0, true);
        }
        if changes || gone.is_some() {
            return gone.map(Event::Gone);
        }
        self.still = self.still.saturating_add(1);
        if std::mem::take(&mut self.changed) {
            return Some(Event::Changed);
        }
        (row_waits && self.still == FINISHED).then_some(Event::Finished)
    }
}

/// Fate of a file that is gone.
fn fate(path: &Path, look: Look) -> String {
    let what = if look == Look::Nothing { "was deleted" } else { "is no longer a file" };
    format!("{} {what}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    const THERE: Look = Look::File((3, SystemTime::UNIX_EPOCH));

    fn at(n: u64) -> [Look; 1] {
        [Look::File((n, SystemTime::UNIX_EPOCH))]
    }

    fn watch() -> Watch {
        let file =
            Watched { path: PathBuf::from("run.csv"), last: Some((3, SystemTime::UNIX_EPOCH)), absent: 0 };
        Watch { files: vec![file], still: 0, changed: false }
    }

    #[test]
    fn a_change_is_reported_once_the_file_rests() {
        let mut watch = watch();
        assert_eq!(watch.look(&at(3), false), None);
        assert_eq!(
            [at(2), at(4), at(4)].map(|now| watch.look(&now, false)),
            [None, None, Some(Event::Changed)]
        );
        assert_eq!((watch.look(&at(4), true), watch.look(&[Look::Nothing], true)), (None, None));
        let rest: Vec<Option<Event>> = (0..10).map(|_| watch.look(&at(4), true)).collect();
        assert_eq!(
            (rest.iter().flatten().count(), rest.iter().flatten().next()),
            (1, Some(&Event::Finished))
        );
    }

    #[test]
    fn a_file_that_goes_is_reported_once_and_its_return_is_a_change() {
        for (look, text) in
            [(Look::Nothing, "run.csv was deleted"), (Look::Other, "run.csv is no longer a file")]
        {
            let mut watch = watch();
            let seen: Vec<Event> = (0..50).filter_map(|_| watch.look(&[look], true)).collect();
            assert_eq!(
                seen.iter().filter(|e| **e != Event::Finished).collect::<Vec<_>>(),
                [&Event::Gone(text.to_owned())]
            );
            // It comes back as it was.
            let back: Vec<Event> = (0..3).filter_map(|_| watch.look(&[THERE], false)).collect();
            assert_eq!(back, [Event::Changed]);
        }
    }

    #[test]
    fn a_file_that_is_replaced_is_not_gone() {
        let mut watch = watch();
        for _ in 1..GONE {
            assert_eq!(watch.look(&[Look::Nothing], false), None);
        }
        assert_eq!(watch.look(&[THERE], false), None, "the same file again");
        assert_eq!([at(9), at(9)].map(|now| watch.look(&now, false)), [None, Some(Event::Changed)]);
    }

    #[test]
    fn what_was_no_file_is_not_watched_until_it_is_one() {
        let mut watch = watch();
        watch.files[0].last = None;
        assert!((0..20).all(|_| watch.look(&[Look::Other], false).is_none()));
        assert!((0..20).all(|_| watch.look(&[Look::Nothing], false).is_none()));
        assert_eq!([at(9), at(9)].map(|now| watch.look(&now, false)), [None, Some(Event::Changed)]);
    }
}

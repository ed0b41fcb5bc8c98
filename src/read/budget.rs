//! The memory of a run: the memory that a process may have, and one count for all that its files make the program hold.

use super::bytes::{read_file, read_opened, read_pipe};
use super::error::InputError;
use std::fmt;
use std::fs::{File, Metadata, read_to_string};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Bytes that are owed before they are taken: a counter that all threads share is not touched for each value.
const PORTION: u64 = 1 << 16;

/// The bytes that everything read in a run may take, together.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    left: AtomicU64,
    raised: bool,
}

impl Budget {
    /// A budget of this many bytes.
    pub fn new(limit: u64) -> Arc<Self> {
        Self::with(limit, false)
    }

    /// A budget of as many bytes as the default allows.
    pub fn usual() -> Arc<Self> {
        Self::new(usual_limit())
    }

    /// A budget that the user gave. Where it is more than the default, an archive may hold any multiple of its size.
    pub fn given(limit: u64) -> Arc<Self> {
        Self::with(limit, limit > usual_limit())
    }

    /// A budget, `raised` above the default or not.
    pub(super) fn with(limit: u64, raised: bool) -> Arc<Self> {
        let left = AtomicU64::new(limit);
        Arc::new(Self { limit, left, raised })
    }

    /// Bytes in all.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes that may still be taken.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Whether the user gave more than the default.
    pub fn is_raised(&self) -> bool {
        self.raised
    }

    /// How many times `bytes` go into an eighth of the limit: threads, or results that wait. Once at least.
    pub fn shares(&self, bytes: u64) -> usize {
        usize::try_from(self.limit / 8 / bytes.max(1)).unwrap_or(usize::MAX).max(1)
    }

    /// Takes bytes until the end of the run.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn take(&self, bytes: u64) -> Result<(), OverBudget> {
        let taken =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(|_| ()).map_err(|left| OverBudget { need: bytes, left, limit: self.limit })
    }

    /// Takes bytes until the result goes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn reserve(self: &Arc<Self>, bytes: u64) -> Result<Reservation, OverBudget> {
        let mut taken = self.nothing();
        taken.more(bytes)?;
        Ok(taken)
    }

    /// Takes nothing yet.
    pub fn nothing(self: &Arc<Self>) -> Reservation {
        Reservation { budget: Arc::clone(self), bytes: 0, owed: 0 }
    }
}

/// Bytes that were taken off a budget; dropped, it gives them back.
#[derive(Debug)]
pub struct Reservation {
    budget: Arc<Budget>,
    bytes: u64,
    owed: u64,
}

impl Reservation {
    /// The budget that they were taken off.
    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Takes more.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn more(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.budget.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Takes more in portions; less than one is owed.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn owe(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.owed = self.owed.saturating_add(bytes);
        if self.owed < PORTION { Ok(()) } else { self.settle() }
    }

    /// Takes the bytes owed.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn settle(&mut self) -> Result<(), OverBudget> {
        let owed = std::mem::take(&mut self.owed);
        self.more(owed)
    }

    /// Takes the bytes missing to `bytes` in all.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn reach(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.more(bytes.saturating_sub(self.bytes))
    }

    /// Gives back all but `bytes`.
    pub fn shrink_to(&mut self, bytes: u64) {
        let back = self.bytes.saturating_sub(bytes);
        self.bytes -= back;
        self.owed = 0;
        self.budget.left.fetch_add(back, Ordering::Relaxed);
    }

    /// Holds them to the end of the run.
    pub fn keep(mut self) {
        self.bytes = 0;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

/// Fewer bytes are left than are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverBudget {
    need: u64,
    left: u64,
    limit: u64,
}

impl OverBudget {
    /// Advice.
    pub const HINT: &str = "--max-memory raises the limit";

    /// The refusal of a file of which `what` needs the bytes.
    pub fn of(self, file: &str, what: impl fmt::Display) -> InputError {
        InputError::limit(file, format!("{what}: {self}")).with_hint(Self::HINT)
    }
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [need, left, limit] = [self.need, self.left, self.limit].map(size);
        write!(f, "{need} more would be needed, {left} of the memory limit of {limit} are left")
    }
}

/// The bytes of a size in words: `512M`, `4G`, `1.5 GiB`, a number; units are powers of 1,024. `None` for other texts and less
/// than a byte.
pub fn parse_size(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let scale = match text[end..].trim_start().trim_end_matches(['B', 'b', 'i']) {
        "" => 1.0,
        "k" | "K" => 1024.0,
        "m" | "M" => 1024.0 * 1024.0,
        "g" | "G" => 1024.0 * 1024.0 * 1024.0,
        "t" | "T" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let bytes = text[..end].parse::<f64>().ok()? * scale;
    (bytes >= 1.0 && bytes.is_finite()).then_some(bytes as u64)
}

/// A number of bytes in words, rounded down.
fn size(bytes: u64) -> String {
    match bytes {
        0..0x1_0000 => format!("{bytes} bytes"),
        0x1_0000..0x400_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

/// The default where the system does not say.
const UNKNOWN: u64 = 8 << 30;

/// The most bytes that data may take unless a limit is given: half of the machine's memory, of the least limit of a control
/// group around this process, or of the addresses that it may have, whichever is least. It is found once.
pub fn usual_limit() -> u64 {
    static LIMIT: OnceLock<u64> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let text = |file: &str| read_to_string(file).unwrap_or_default();
        let memory = number_after(&text("/proc/meminfo"), "MemTotal:").map(|kib| kib.saturating_mul(1024));
        let addresses = number_after(&text("/proc/self/limits"), "Max address space");
        let groups = of_groups(&text("/proc/self/cgroup"), Path::new("/sys/fs/cgroup"));
        [memory, addresses, groups].into_iter().flatten().min().map_or(UNKNOWN, |bytes| bytes / 2)
    })
}

/// The number that follows a name in a text of lines; `None` where there is none, as in `unlimited`.
fn number_after(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|l| l.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
}

/// The least limit of the control groups that `text`, a process's own list, names below `root`, and of those around them.
fn of_groups(text: &str, root: &Path) -> Option<u64> {
    let mut least = None;
    for line in text.lines() {
        // `0::/path` is of version 2, `4:memory:/path` of version 1.
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let places: &[(&str, &str)] = if controllers.is_empty() {
            &[("", "memory.max"), ("unified", "memory.max")]
        } else if controllers.split(',').any(|c| c == "memory") {
            &[("memory", "memory.limit_in_bytes")]
        } else {
            &[]
        };
        for (folder, file) in places {
            least = least.into_iter().chain(along(&root.join(folder), path, file)).min();
        }
    }
    least
}

/// The least number in the files of this name from a folder below `root` up to `root` itself.
fn along(root: &Path, path: &str, file: &str) -> Option<u64> {
    // Within a container the path may name folders that are not there; its root is.
    let names = Path::new(path).components().filter(|c| matches!(c, Component::Normal(_)));
    let mut folders = vec![root.to_owned()];
    for name in names {
        let below: PathBuf = folders[folders.len() - 1].join(name);
        folders.push(below);
    }
    folders.iter().filter_map(|f| read_to_string(f.join(file)).ok()?.trim().parse().ok()).min()
}

/// A file's bytes, and their reservation.
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
mod available_tests {
    use super::super::error::ErrorKind;
    use super::*;
    use std::fs::{create_dir_all, write};

    #[test]
    fn the_least_limit_on_the_way_to_the_root_counts() {
        let dir = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = dir.path().join(path);
            create_dir_all(path.parent().unwrap()).unwrap();
            write(path, text).unwrap();
        };
        let of = |text: &str| of_groups(text, dir.path());
        assert_eq!((of(""), of("0::/a/b\n"), of("nonsense\n0:memory\n")), (None, None, None));
        put("a/b/memory.max", "max\n");
        assert_eq!(of("0::/a/b\n"), None);
        put("a/memory.max", "5000000000\n");
        assert_eq!(of("0::/a/b\n"), Some(5_000_000_000));
        put("a/b/c/memory.max", "2000000000\n");
        assert_eq!(
            (of("0::/a/b/c\n"), of("0::/a/b\n"), of("0::/z\n")),
            (Some(2_000_000_000), Some(5_000_000_000), None)
        );
        // A container sees its own group as the root, whatever path it reads.
        put("memory.max", "1000000000\n");
        assert_eq!((of("0::/../elsewhere\n"), of("0::/\n")), (Some(1_000_000_000), Some(1_000_000_000)));
        // Version 1, beside it or alone.
        put("memory/docker/x/memory.limit_in_bytes", "700000000\n");
        put("memory/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(of("7:cpu,cpuacct:/docker/x\n4:memory:/docker/x\n"), Some(700_000_000));
        assert_eq!(of("4:hugetlb,memory:/none\n"), Some(9_223_372_036_854_771_712));
        assert_eq!(of("4:memory:/docker/x\n0::/a\n"), Some(700_000_000));
        put("unified/u/memory.max", "600000000\n");
        assert_eq!(of("0::/u\n"), Some(600_000_000));
    }

    #[test]
    fn numbers_follow_their_names() {
        let text = "MemFree: 5 kB\nMemTotal:       16318764 kB\nMax address space         unlimited            unlimited   bytes\n";
        assert_eq!(number_after(text, "MemTotal:"), Some(16_318_764));
        assert_eq!((number_after(text, "Max address space"), number_after(text, "Swap")), (None, None));
        assert!(usual_limit() > 0);
    }

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

#[cfg(test)]
mod tests;

//! The memory that a process may have: that of the machine, of its control groups, and of its own limit of addresses.

use std::fs::read_to_string;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

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

#[cfg(test)]
mod tests {
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
}

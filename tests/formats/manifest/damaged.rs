//! More than a thousand damaged copies of good files, a child process each: a picture, or one line that says why not.

use super::asked::answers;
use super::damage::Damage;
use super::good::{Good, all};
use crate::support::corpus::{files, optional};
use crate::support::limited::each;
use crate::support::place::Place;
use crate::support::random::Random;
use std::path::Path;

/// Copies of each file that is made here, and of each of the corpus.
const OF_MADE: u64 = 90;
const OF_OUTSIDE: u64 = 6;
/// Larger files than this are damaged no better and take longer.
const MOST_BYTES: u64 = 120_000;

/// The good files of the corpus, each with options that draw it.
fn outside() -> Vec<Good> {
    let Some(root) = optional() else { return Vec::new() };
    let manifest = std::fs::read_to_string(root.join("manifest.tsv")).unwrap();
    let fields = manifest.lines().skip(1).map(|l| l.split('\t').collect::<Vec<_>>());
    let good =
        fields.filter(|f| f[3].starts_with("accept") || f[3].starts_with("see") && f[0].ends_with(".csv"));
    let small = good.filter(|f| f[1].parse::<u64>().is_ok_and(|n| n < MOST_BYTES));
    small.map(|f| copy(&root.join(f[0]), f[0].trim_end_matches('/').rsplit('/').next().unwrap())).collect()
}

fn copy(path: &Path, name: &str) -> Good {
    let mut found = if path.is_dir() { files(path) } else { vec![path.to_owned()] };
    found.retain(|f| f.is_file());
    let file = |f: &std::path::PathBuf| {
        let below = f.strip_prefix(path).unwrap().to_str().unwrap();
        (
            if below.is_empty() { name.to_owned() } else { format!("{name}/{below}") },
            std::fs::read(f).unwrap(),
        )
    };
    let mut good = Good {
        name: name.to_owned(),
        files: found.iter().map(file).collect(),
        options: Vec::new(),
        said: [""; 2],
    };
    let place = Place::empty();
    let first = place.limited("render", path, &[]).unwrap_or_else(|e| panic!("{e}"));
    if first.code == Some(2) {
        let draws = |o: &Vec<String>| place.limited("render", path, o).is_ok_and(|r| r.code == Some(0));
        good.options = answers(&first.err).into_iter().find(draws).unwrap_or_default();
    }
    good
}

/// A copy of a good file, damaged, and how it is looked at.
struct Copy<'a> {
    good: &'a Good,
    other: &'a [u8],
    seed: u64,
}

fn look(place: &Place, copy: &Copy) -> Result<u64, String> {
    let mut noise = Random(copy.seed);
    let mut good = copy.good.clone();
    // The first file is the one that is given, or says how a store is laid out.
    let which = if noise.below(2) == 0 { 0 } else { noise.below(good.files.len()) };
    good.files[which].1 = noise.damaged(&good.files[which].1, copy.other);
    let folder = tempfile::tempdir().unwrap();
    let path = good.put(folder.path());
    let before = files(folder.path());
    let command = ["render", "render", "render", "info", "check", "export"][noise.below(6)];
    let kept = |e: String| {
        let at = std::env::temp_dir().join(format!("damaged-{}", copy.seed));
        good.put(&at);
        format!("{e}\n  seed {}, kept in {}", copy.seed, at.display())
    };
    let mut options = good.options.clone();
    if command == "export" {
        options.extend(["-o", "-"].map(str::to_owned));
    }
    let ran = place.limited(command, &path, &options).map_err(&kept)?;
    if files(folder.path()) != before {
        return Err(kept(format!(
            "{command} {}: files beside it: {:?}",
            path.display(),
            files(folder.path())
        )));
    }
    Ok(u64::from(ran.code != Some(0)))
}

#[test]
fn damaged_copies_end_with_a_picture_or_a_reason() {
    let (made, outside) = (all(), outside());
    let list = [(&made, OF_MADE), (&outside, OF_OUTSIDE)];
    let mut copies = Vec::new();
    for (goods, share) in list {
        for (i, good) in goods.iter().enumerate() {
            let other = &goods[(i + 1) % goods.len()].files[0].1;
            let seeds = copies.len() as u64..copies.len() as u64 + share;
            copies.extend(seeds.map(|seed| Copy { good, other, seed }));
        }
    }
    assert!(copies.len() >= 1000, "{} copies", copies.len());
    let refused = std::sync::atomic::AtomicU64::new(0);
    let wrong = each(&copies, |place, copy| {
        refused.fetch_add(look(place, copy)?, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), copies.len(), wrong.join("\n"));
    // Damage that is never seen, or never passes, would test nothing.
    let refused = refused.into_inner() as usize;
    assert!(
        refused * 5 > copies.len() && refused * 20 < copies.len() * 19,
        "{refused} of {} were refused",
        copies.len()
    );
}

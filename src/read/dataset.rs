//! Folders of files that are one table, and the keys that the names of their folders give to all rows of a file.

use super::error::InputError;
use super::pivot::Condition;
use super::table::{Schema, listed};
use super::wildcards::{DEEPEST, folders_within};
use gridscope_core::figure::Figure;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path};

/// Ends of the names of files in a folder of data, behind which a compression may stand.
const ENDS: [&str; 11] =
    ["parquet", "pq", "csv", "tsv", "jsonl", "ndjson", "json", "arrow", "feather", "ipc", "arrows"];
const COMPRESSED: [&str; 3] = [".gz", ".zst", ".bz2"];
/// The most files of a folder.
const MOST_FILES: usize = 100_000;
/// The first signs of names that are no data.
const SKIPPED: &[char] = &['.', '_'];

/// The files of data in a folder and those within it, sorted by name. What begins with a point or an underscore is none, nor are
/// links to folders.
///
/// # Errors
/// No such file, files of several formats, more than [`MOST_FILES`].
pub(super) fn files_in(folder: &str) -> Result<Vec<String>, InputError> {
    let mut found: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let mut folders = Vec::new();
    folders_within(Path::new(folder), SKIPPED, DEEPEST, &mut folders);
    folders.iter().try_for_each(|within| collect(within, &mut found, folder))?;
    let mut kinds = found.into_iter();
    match (kinds.next(), kinds.next()) {
        (None, _) => {
            let e = InputError::refused(folder, "", "is a folder without a file of data");
            Err(e.with_hint(format!("files of data in it would end in {}", listed(&ENDS.map(str::to_owned)))))
        }
        (Some((_, mut files)), None) => {
            files.sort_unstable();
            Ok(files)
        }
        (Some(one), Some(other)) => {
            let all: Vec<String> = [one, other]
                .into_iter()
                .chain(kinds)
                .map(|(end, files)| format!("{} .{end}", files.len()))
                .collect();
            let what = format!("is a folder of several formats: {}", all.join(", "));
            let end = all[0].rsplit('.').next().unwrap_or_default();
            let pattern = Path::new(folder).join("**").join(format!("*.{end}"));
            Err(InputError::usage(folder, what).with_hint(format!("'{}'", pattern.display())))
        }
    }
}

/// The files of data right in a folder, by their ends; messages call the whole `named`.
fn collect(
    folder: &Path,
    found: &mut BTreeMap<&'static str, Vec<String>>,
    named: &str,
) -> Result<(), InputError> {
    let refused = |e: std::io::Error| InputError::refused(named, "", format!("cannot be read: {e}"));
    for entry in fs::read_dir(folder).map_err(refused)? {
        let entry = entry.map_err(refused)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let end = end_of(&name).filter(|_| !name.starts_with(SKIPPED) && entry.path().is_file());
        let Some(end) = end else { continue };
        let files = found.entry(end).or_default();
        files.extend(entry.path().into_os_string().into_string());
        if files.len() > MOST_FILES {
            let what = format!("more than {MOST_FILES} files");
            return Err(InputError::limit(named, what).with_hint("a pattern of some of them"));
        }
    }
    Ok(())
}

/// The end of a name of a file of data.
fn end_of(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let plain = COMPRESSED.iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
    let (_, end) = plain.rsplit_once('.')?;
    ENDS.into_iter().find(|e| *e == end)
}

/// The keys that the names of its folders give to all rows of a file, the outermost first: of partitions as `lr=0.1`, of Hydra's
/// folders `lr=0.1,seed=3` or what its `.hydra/overrides.yaml` says. Of a name that is there twice the last counts.
pub(super) fn partitions(file: &str) -> Vec<(String, String)> {
    let mut keys: Vec<(String, String)> = Vec::new();
    let Some(folder) = Path::new(file).parent() else { return keys };
    let mut add = |key: &str, value: &str| {
        let (key, value) = (decoded(key.trim_start_matches('+')), decoded(value));
        let value = if value == "__HIVE_DEFAULT_PARTITION__" { String::new() } else { value };
        keys.retain(|(known, _)| *known != key);
        keys.push((key, value));
    };
    for part in folder.components() {
        let Component::Normal(name) = part else { continue };
        let pairs = name.to_str().map(|name| name.split(',').map(|pair| pair.split_once('=')));
        // A name that is no list of keys has none.
        let pairs: Option<Vec<(&str, &str)>> = pairs.and_then(Iterator::collect);
        for (key, value) in pairs.into_iter().flatten().filter(|(key, _)| !key.is_empty()) {
            add(key, value);
        }
    }
    let overrides = folder.join(".hydra").join("overrides.yaml");
    for line in fs::read_to_string(overrides).unwrap_or_default().lines() {
        let item = line.trim().strip_prefix("- ").map(|item| item.trim().trim_matches(['\'', '"']));
        if let Some((key, value)) = item.and_then(|item| item.split_once('=')) {
            add(key, value);
        }
    }
    keys
}

/// A text in which `%20` is a blank.
fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = match (first, after) {
            (b'%', [a, b, ..]) => u8::from_str_radix(&String::from_utf8_lossy(&[*a, *b]), 16).ok(),
            _ => None,
        };
        out.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// The files of which some row may meet the figure's conditions, by the keys of their folders; one at least. All where panels have
/// the order of all rows.
pub(super) fn pruned(files: &[String], figure: &Figure) -> Vec<String> {
    let conditions = figure.data.filter.as_ref().map_or(&[][..], |list| &list.0);
    if files.len() < 2 || conditions.is_empty() || figure.data.panel_names().next().is_some() {
        return files.to_vec();
    }
    let may_meet = |file: &&String| {
        let keys = partitions(file);
        let mut schema = Schema::unnamed(file, keys.len(), &figure.data);
        schema.headers = keys.iter().map(|(key, _)| key.clone()).collect();
        conditions
            .iter()
            .filter_map(|text| Condition::parse(text, &schema).ok())
            .all(|condition| condition.meets(&keys[condition.column()].1, &schema).unwrap_or(true))
    };
    let left: Vec<String> = files.iter().filter(may_meet).cloned().collect();
    if left.is_empty() { files[..1].to_vec() } else { left }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(file: &str) -> String {
        let keys = partitions(file);
        keys.iter().map(|(key, value)| format!("{key}:{value}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn folders_name_keys() {
        assert_eq!(keys("runs/lr=0.1/seed=3/part-0.parquet"), "lr:0.1 seed:3");
        assert_eq!(keys("multirun/2026-01-01/opt.lr=0.1,+seed=3/log.csv"), "opt.lr:0.1 seed:3");
        assert_eq!(keys("a/name=x%20y%2Fz/b/k=__HIVE_DEFAULT_PARTITION__/f.csv"), "name:x y/z k:");
        assert_eq!(keys("lr=1/lr=2/f.csv"), "lr:2");
        assert_eq!(keys("k=100%/f.csv"), "k:100%");
        for none in ["f.csv", "a=1.csv", "a/=1/f.csv", "a,b=1/f.csv"] {
            assert_eq!(keys(none), "", "{none}");
        }
    }

    #[test]
    fn hydras_overrides_are_keys() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("multirun").join("0");
        fs::create_dir_all(run.join(".hydra")).unwrap();
        fs::write(run.join(".hydra/overrides.yaml"), "- optimizer.lr=0.1\n- '+seed=3'\n- flag\n").unwrap();
        assert_eq!(keys(run.join("log.csv").to_str().unwrap()), "optimizer.lr:0.1 seed:3");
    }

    #[test]
    fn a_folder_is_its_files_of_one_format() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let named = folder.path().to_str().unwrap().to_owned();
        assert!(files_in(&named).unwrap_err().what.contains("without a file of data"));
        for name in ["b=2/x.csv", "a=1/y.csv.gz", "a=1/.z.csv", "_temporary/w.csv", "a=1/log.txt"] {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), "").unwrap();
        }
        let found = files_in(&named).unwrap();
        assert_eq!(found, ["a=1/y.csv.gz", "b=2/x.csv"].map(|name| at(name).to_str().unwrap().to_owned()));
        fs::write(at("b=2/x.json"), "").unwrap();
        let e = files_in(&named).unwrap_err();
        assert!(e.what.contains("several formats: 2 .csv, 1 .json"), "{}", e.what);
    }

    #[test]
    fn files_whose_keys_meet_no_condition_are_left_out() {
        let files =
            ["lr=0.1/seed=1/a.csv", "lr=0.10/seed=2/a.csv", "lr=1e-2/seed=1/a.csv"].map(str::to_owned);
        let left = |conditions: &[&str]| {
            let mut figure = Figure::default();
            let list = conditions.iter().map(|c| (*c).to_owned()).collect();
            figure.data.filter = Some(gridscope_core::figure::List(list));
            let left = pruned(&files, &figure);
            left.iter().map(|f| files.iter().position(|g| f == g).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(left(&["lr = 0.1"]), [0, 1]);
        assert_eq!(left(&["lr < 0.05", "loss > 3"]), [2]);
        assert_eq!(left(&["lr = 0.1", "seed in 2,3"]), [1]);
        assert_eq!(left(&["lr > 5"]), [0]);
        assert_eq!(left(&["log10(lr) > 5", "lr > text"]), [0, 1, 2]);
    }
}

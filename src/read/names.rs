//! Names of files: as little of their paths as distinguishes them.

use super::panels::unique_names;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};

/// The name of a panel of each file: its stem, or where stems are alike, as in [`disambiguate`]; a file that is named twice
/// gets a number.
pub(super) fn panel_names(files: &[String]) -> Vec<String> {
    let stem =
        |f: &String| Path::new(f).file_stem().map_or_else(|| f.clone(), |s| s.to_string_lossy().into_owned());
    let stems: Vec<String> = files.iter().map(stem).collect();
    if are_unique(&stems) { stems } else { unique_names(disambiguate(files)) }
}

/// The last part of each path, with as many folders in front as distinguish it from the others. A path that is there twice has
/// one name.
pub fn disambiguate(files: &[String]) -> Vec<String> {
    let parts = |f: &String| -> Vec<String> {
        let plain = |c: Component<'_>| match c {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            Component::ParentDir => Some("..".to_owned()),
            _ => None,
        };
        Path::new(f).components().filter_map(plain).collect()
    };
    let all: Vec<Vec<String>> = files.iter().map(parts).collect();
    let last = |i: usize, n: usize| match all[i].len() {
        0 => files[i].clone(),
        len => all[i][len.saturating_sub(n)..].join("/"),
    };
    let mut taken = vec![1; files.len()];
    loop {
        let names: Vec<String> = (0..files.len()).map(|i| last(i, taken[i])).collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        let mut met = HashSet::new();
        let each = names.iter().zip(files).filter(|(_, file)| met.insert(file.as_str()));
        each.for_each(|(name, _)| *times.entry(name).or_default() += 1);
        let more: Vec<usize> =
            (0..files.len()).filter(|&i| taken[i] < all[i].len() && times[names[i].as_str()] > 1).collect();
        if more.is_empty() {
            return names;
        }
        more.into_iter().for_each(|i| taken[i] += 1);
    }
}

/// A path's last part; the text itself where it has none.
pub fn base_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |n| n.to_string_lossy().into_owned())
}

fn are_unique(names: &[String]) -> bool {
    let mut met = HashSet::new();
    names.iter().all(|name| met.insert(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(by: fn(&[String]) -> Vec<String>, files: &[&str]) -> Vec<String> {
        by(&files.iter().map(|f| (*f).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn folders_appear_only_where_they_distinguish_files() {
        assert_eq!(
            named(disambiguate, &["/home/me/a/m.csv", "/home/me/b/m.csv", "x/k.csv"]),
            ["a/m.csv", "b/m.csv", "k.csv"]
        );
        assert_eq!(named(disambiguate, &["r/1/a/m.csv", "r/2/a/m.csv"]), ["1/a/m.csv", "2/a/m.csv"]);
        assert_eq!(
            named(disambiguate, &["m.csv", "./m.csv", "-", "..", "runs/"]),
            ["m.csv", "m.csv", "-", "..", "runs"]
        );
        assert_eq!(named(disambiguate, &["m.csv", "a/m.csv"]), ["m.csv", "a/m.csv"]);
        assert_eq!(named(disambiguate, &["a/m.csv", "a/m.csv"]), ["m.csv", "m.csv"]);
    }

    #[test]
    fn panels_are_named_by_stems_where_those_differ() {
        assert_eq!(named(panel_names, &["a/s1.csv", "b/s2.npy"]), ["s1", "s2"]);
        assert_eq!(named(panel_names, &["a/m.csv", "a/m.npy"]), ["m.csv", "m.npy"]);
        assert_eq!(named(panel_names, &["a/m.csv", "b/m.csv"]), ["a/m.csv", "b/m.csv"]);
        assert_eq!(named(panel_names, &["m.csv", "./m.csv"]), ["m.csv", "m.csv (2)"]);
    }

    #[test]
    fn many_files_take_no_longer_each() {
        let files: Vec<String> = (0..50_000).map(|i| format!("runs/{i}/m.csv")).collect();
        assert_eq!(
            (panel_names(&files)[49_999].as_str(), disambiguate(&files)[7].as_str()),
            ("49999/m.csv", "7/m.csv")
        );
    }

    #[test]
    fn names_have_no_folder() {
        let names = ["/home/me/a.csv", "a.csv", "-", "..", "runs/"].map(base_name);
        assert_eq!(names, ["a.csv", "a.csv", "-", "..", "runs"]);
    }
}

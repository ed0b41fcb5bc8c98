//! Checks the locked dependencies against `deny.toml` without cargo-deny: their sources, and repeated versions.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn read(name: &str) -> Value {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    toml::from_str(&text).unwrap()
}

fn list<'a>(of: &'a Value, path: &str) -> &'a [Value] {
    of.pointer(path).and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

fn text<'a>(of: &'a Value, key: &str) -> &'a str {
    of[key].as_str().unwrap_or_default()
}

/// The name and version of every package that the library needs, on any system and with any feature.
fn needed() -> BTreeSet<(String, String)> {
    let (lock, manifest) = (read("Cargo.lock"), read("Cargo.toml"));
    let packages = list(&lock, "/package");
    // The lock file has the version after a name only if there are several.
    let find = |dependency: &str| {
        let (name, version) = dependency.split_once(' ').unwrap_or((dependency, ""));
        let is =
            |p: &&Value| text(p, "name") == name && (version.is_empty() || text(p, "version") == version);
        packages.iter().find(is).unwrap_or_else(|| panic!("{dependency} is not locked"))
    };
    let own = manifest["dependencies"].as_object().unwrap();
    let root = list(find("gridscope"), "/dependencies").iter().filter_map(Value::as_str);
    let mut open: Vec<&Value> = root.map(find).filter(|p| own.contains_key(text(p, "name"))).collect();
    assert_eq!(open.len(), own.len(), "dependencies that are not locked by their own names");
    let mut out = BTreeSet::new();
    while let Some(package) = open.pop() {
        if out.insert((text(package, "name").to_owned(), text(package, "version").to_owned())) {
            open.extend(list(package, "/dependencies").iter().filter_map(Value::as_str).map(find));
        }
    }
    out
}

#[test]
fn every_package_comes_from_the_registry() {
    let lock = read("Cargo.lock");
    let sources: BTreeSet<&str> = list(&lock, "/package").iter().map(|p| text(p, "source")).collect();
    assert_eq!(sources, BTreeSet::from(["", "registry+https://github.com/rust-lang/crates.io-index"]));
    let local: Vec<&str> = list(&lock, "/package")
        .iter()
        .filter(|p| text(p, "source").is_empty())
        .map(|p| text(p, "name"))
        .collect();
    assert!(local.iter().all(|name| name.starts_with("gridscope")), "{local:?}");
}

#[test]
fn no_package_comes_twice_without_a_reason() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    needed().into_iter().for_each(|(name, version)| versions.entry(name).or_default().push(version));
    let deny = read("deny.toml");
    let mut skipped: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in list(&deny, "/bans/skip") {
        let (name, version) = text(entry, "crate").split_once('@').unwrap();
        assert!(!text(entry, "reason").is_empty(), "{name} {version}: no reason");
        assert!(
            versions.get(name).is_some_and(|v| v.iter().any(|v| v == version)),
            "{name} {version} is not needed any more"
        );
        skipped.entry(name).or_default().push(version);
    }
    for (name, found) in &versions {
        let excused = skipped.get(name.as_str()).map_or(0, Vec::len);
        assert!(
            found.len() == excused + 1,
            "{name} is needed as {found:?}; deny.toml excuses {:?}",
            skipped.get(name.as_str())
        );
    }
}

#[test]
fn advisories_are_ignored_for_the_locked_versions_alone() {
    let (deny, needed) = (read("deny.toml"), needed());
    for entry in list(&deny, "/advisories/ignore") {
        let (package, reason) = text(entry, "reason").split_once(": ").unwrap_or_default();
        let (name, version) = package.split_once(' ').unwrap_or_default();
        assert!(text(entry, "id").starts_with("RUSTSEC-") && reason.len() > 40, "{entry}");
        assert!(
            needed.contains(&(name.to_owned(), version.to_owned())),
            "{package} is not needed any more: {entry}"
        );
    }
}
